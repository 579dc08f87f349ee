"""The doors for calls: the command line, and the parameters of everything that is constructed."""

from __future__ import annotations

import contextlib
import functools
import io
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from pymoo.optimize import minimize

import minotaur_pymoo as mp
from minotaur_pymoo import export
from minotaur_pymoo.cli.parser import main
from minotaur_pymoo.data import Schema, TrainingData
from minotaur_pymoo.growth import create_rule
from minotaur_pymoo.rules import IntervalTest, ModelRule
from tests.tools.fuzzing.damage import ODD_TEXTS, pick
from tests.tools.fuzzing.files import folder
from tests.tools.fuzzing.judge import Door, RefusedError

# --- the command line

_QUICK = ["--n-gen", "2", "--pop-size", "6", "--n-offsprings", "3"]
_COMMANDS = [
    ["describe", "data.csv", "--labels", "2"],
    ["describe", "data.arff"],
    ["describe", "data.arff", "--xml", "labels.xml"],
    ["describe", "data.npz"],
    ["fit", "data.csv", "--labels", "calm,loud", "-o", "out.json", *_QUICK],
    ["fit", "data.arff", "-o", "out.json", "--search", "paper", "--seed", "3", *_QUICK],
    ["fit", "data.npz", "-o", "out.json", "--choice", "knee", "--max-rules", "3", *_QUICK],
    ["fit", "data.csv", "--labels", "2", "-o", "out.json", "--min-coverage", "2", *_QUICK],
    ["show", "model.json"],
    ["show", "model.json", "--format", "latex", "--number", "0"],
    ["show", "model.json", "--all"],
    ["predict", "model.json", "data.csv"],
    ["predict", "model.json", "data.csv", "--proba", "-o", "out.csv"],
    ["evaluate", "model.json", "data.csv"],
    ["evaluate", "strange.json", "data.csv"],
    ["show", "strange.json", "--format", "markdown"],
    ["predict", "strange.json", "strange.csv"],
    ["front", "model.json", "-o", "out.html", "--test", "data.csv"],
    ["front", "strange.json", "-o", "out.html"],
]
_WORDS = [
    *("-1", "0", "1", "2", "7", "2.5", "nan", "inf", "1e400", "-0", "9" * 30, "9" * 5000, "auto"),
    *("--labels", "--seed", "--number", "--proba", "--all", "-o", "--", "-", "--help", "--xml"),
    *("--jobs", "--runs", "--choice", "--max-rules", "--validation-fraction", "--target-coverage"),
    *("guided", "paper", "cv", "validation", "best", "json", "text", "calm", "calm,calm", "loud,"),
    *("data.csv", "data.arff", "data.npz", "model.json", "labels.xml", "strange.json", "half.json"),
    *("no.csv", "no.json", "no/where.json", ".", "..", "data.csv/", "demo", "openml:", "x:demo"),
    *(
        "strange.csv",
        "empty.csv",
        "empty.arff",
        "empty.json",
        "deep.json",
        "labels.xml/x",
        "\udcff",
    ),
    *("n" * 300 + ".json", "nul\x00.csv", "nul\x00.json", "out.json", "out.html", "out.xyz", "out"),
]


@functools.cache
def _world() -> Path:
    """A folder with all that commands need, good and bad."""
    place = folder() / "world"
    place.mkdir()
    draws = np.random.default_rng(0)
    X = draws.integers(0, 9, size=(30, 2))
    Y = np.column_stack([X[:, 0] > 4, X[:, 1] < 3]).astype(int)
    rows = [",".join(map(str, row)) for row in np.hstack([X, Y])]
    (place / "data.csv").write_text("tempo,bass,calm,loud\n" + "\n".join(rows) + "\n")
    header = "@relation 'r: -C -2'\n@attribute tempo numeric\n@attribute bass numeric\n"
    header += "@attribute calm {0,1}\n@attribute loud {0,1}\n@data\n"
    (place / "data.arff").write_text(header + "\n".join(rows) + "\n")
    (place / "labels.xml").write_text('<labels><label name="calm"/><label name="loud"/></labels>')
    np.savez(place / "data.npz", X=X, Y=Y)
    model = mp.MinotaurClassifier(pop_size=8, n_gen=3, random_state=1)
    names = {"feature_names": ("tempo", "bass"), "label_names": ("calm", "loud")}
    saved = model.fit(X, Y, **names).saved()
    export.save(place / "model.json", saved)
    (place / "half.json").write_text((place / "model.json").read_text()[:100])
    strange = Schema(("\ud800", "\x1b[2J"), ("a\nb", "<i>", "\u202e"))
    rule = ModelRule((IntervalTest("\ud800", 1.0, math.inf),), ("a\nb",), 3, (1, 2, 3))
    default = ModelRule((), ("<i>", "\u202e"), 0, (0, 0, 0))
    scores = ({"\x1b[2J": 1.0},)
    odd = export.SavedModels((mp.Model(strange, (rule,), default),), 0, scores)
    export.save(place / "strange.json", odd)
    (place / "strange.csv").write_text('"\x1b[2J",é,"a\nb"\n1,2,3\n')
    for name in ("empty.csv", "empty.arff", "empty.json"):
        (place / name).write_bytes(b"")
    (place / "deep.json").write_text("[" * 100_000)
    return place


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    words = list(pick(draw, _COMMANDS))
    # Some of what can be asked for without being refused.
    match words[0]:
        case "fit":
            words += ["--seed", str(draw(st.integers(0, 99)))]
            words += ["--choice", pick(draw, ["auto", "best", "knee", "near-best"])]
        case "show" | "evaluate" | "predict":
            words += pick(draw, [[], ["--number", "0"]])
            words += pick(draw, [[], ["--all"], ["--format", "json"]]) if words[0] == "show" else []
        case "describe" if "data.csv" in words:
            words[-1] = pick(draw, ["1", "2", "3", "-1", "calm", "l", "calm,loud", "tempo"])
    for _ in range(pick(draw, [0, 0, 0, 1, 1, 2])):
        place = draw(st.integers(0, len(words) - 1))
        match pick(draw, ["replace", "replace", "replace", "insert", "remove", "swap", "odd"]):
            case "replace":
                words[place] = pick(draw, _WORDS)
            case "odd":
                words[place] = pick(draw, ODD_TEXTS)
            case "insert":
                words.insert(place, pick(draw, _WORDS))
            case "remove" if len(words) > 1:
                del words[place]
            case "swap":
                words[0], words[place] = words[place], words[0]
    if words[0] in ("fit", "demo"):
        # Whoever asks for a long search gets one: this is about what is asked for by mistake.
        for option, value in zip(_QUICK[::2], _QUICK[1::2], strict=True):
            if option not in words or words[-1] == option:
                words += [option, value]
        for place, word in enumerate(words[:-1]):
            if word in (*_QUICK[::2], "--runs", "--jobs") and len(words[place + 1]) > 2:
                words[place + 1] = "2"
    return words


class _Terminal(io.TextIOWrapper):
    """Takes what a terminal takes: text that can be encoded."""

    def __init__(self, errors: str) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors=errors, newline="\n")

    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined]


def enter_command_line(words: list[str]) -> None:
    """Run a command; files that it left must be whole."""
    place = _world()
    out, err = _Terminal("strict"), _Terminal("backslashreplace")
    with contextlib.chdir(place), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as exit_:
            code = exit_.code
        _check_output(place)
    assert code in (0, 1, 2), code
    shown, complaint = out.text(), err.text()
    assert "\x1b" not in shown
    assert "Traceback" not in complaint
    if code == 1:
        assert complaint.startswith("minotaur-pymoo: "), complaint
        raise RefusedError(complaint.removeprefix("minotaur-pymoo: ").removesuffix("\n"))
    if code == 2:
        assert "usage: " in complaint
        raise RefusedError("wrong usage.")
    assert shown or "--help" in words


def _check_output(place: Path) -> None:
    for path in place.glob("out*"):
        if path.suffix == ".json":
            export.load(path)
        path.unlink()
    assert not list(place.glob(".*")), "a temporary file was left"


# --- parameters

_NUMBERS: list[Any] = [-1, 0, 1, 2, 3, 5, np.int64(3), np.int32(2)]
_ODD: list[Any] = [
    *(2.5, -0.5, math.nan, math.inf, np.float64(3.0), 1j, True, None, "auto", "", "3", "text"),
    *(b"3", [], [1], (1, 2), {}, {"a": 1}, np.array([1, 2]), np.array(3), object(), len, int),
]
_HUGE: list[Any] = [2**31, 2**63, 10**30, -(10**30)]


class Call(NamedTuple):
    """What is called with which arguments, on which data."""

    what: str
    arguments: dict[str, Any]
    seed: int


def _mixed(*good: Any, huge: bool = True) -> list[Any]:
    """Mostly good values; also numbers that may fit or not, and what does not."""
    odd = _ODD + (_HUGE if huge else [])
    return [*(list(good) * (1 + 2 * len(odd) // max(len(good), 1))), *_NUMBERS, *odd]


_SEARCH = {
    "search": _mixed("guided", "paper"),
    "pop_size": _mixed(4, 6, huge=False),
    "n_offsprings": _mixed(2, 3, huge=False),
    "n_max_failures": _mixed(20, 50, huge=False),
    "target_coverage": _mixed("auto", 2, 3),
    "min_coverage": _mixed("auto", 1, 2),
}
_PARAMETERS: dict[str, dict[str, list[Any]]] = {
    "MINOTAUR": {
        **_SEARCH,
        "n_gen": _mixed(1, 2, huge=False),
        "eliminate_duplicates": _mixed(None, True, False),
    },
    "operators": {
        "search": _mixed("guided", "paper"),
        "problem": _mixed(None),
        "target_coverage": _mixed("auto", 2),
        "min_coverage": _mixed("auto", 2),
        "n_max_failures": _mixed(20, huge=False),
        "algorithm": _mixed(None),
    },
    "RuleSetProblem": {
        "objectives": _mixed(
            ["micro_f1", "n_rules"], ("macro_f1", "n_tests"), ["hamming_loss", "coverage"], ["no"]
        ),
        "feature_names": _mixed(None, ["a", "b", "c"], ["a", "a", "b"]),
        "label_names": _mixed(None, ["p", "q"], ["p"], {"p", "q"}),
        "categorical_features": _mixed((), [0], ["x1"], [0, 1]),
        "max_rules": _mixed(None, 2, 5),
        "min_coverage": _mixed(None, 0.5, 0, 1.0),
        "soft_labels": _mixed(None, "out-of-bag", np.full((12, 2), 0.3)),
    },
    "MinotaurClassifier": {
        **_SEARCH,
        "n_gen": _mixed(1, 2, huge=False),
        "objectives": _mixed(["micro_f1", "n_rules"], ["n_rules", "coverage"]),
        "soft_labels": _mixed(False, False, False, "auto", True),
        "simplify": _mixed("auto", True, False),
        "choice": _mixed("auto", "best", "knee", "near-best", [1, 2], "cv", "validation"),
        "max_rules": _mixed(None, 3),
        "validation_fraction": _mixed(0.25, 0.5),
        "n_cv_folds": _mixed(2, 3, huge=False),
        "categorical_features": _mixed(None, [0], []),
        "algorithm": _mixed(None),
        "on_interrupt": _mixed("raise", "keep"),
        "n_runs": _mixed(1, 2, huge=False),
        "n_jobs": _mixed(None, 1, huge=False),
        "random_state": _mixed(None, 1, 2),
    },
    "GuidedGrowth": {
        "min_coverage": _mixed("auto", 1),
        "n_features": _mixed("auto", 2),
        "n_sample": _mixed(5, 400),
        "max_depth": _mixed(1, 4),
    },
    "NearestGrowth": {"target_coverage": _mixed("auto", 1, 4)},
    "TreeSampling": {
        "max_leaves": _mixed(2, 5, huge=False),
        "splitting": _mixed(None),
        "smoothing": _mixed(0.0, 1.0),
    },
    "RuleMutation": {"operators": _mixed(None), "weights": _mixed(None, (1, 2, 4), (0, 0, 1))},
    "Checkpoint": {"every": _mixed(1, 2), "seconds": _mixed(None, 0.5, 10)},
    "load_demo": {"n_instances": _mixed(5, 20, huge=False), "seed": _mixed(0, 1)},
    "out_of_bag_probabilities": {
        "n_trees": _mixed(None, 3, huge=False),
        "random_state": _mixed(0, 1),
    },
    "Rule": {
        "tests": _mixed({"x0": (0, None)}, {"x0": (None, 1)}, {"x1": (-9, 0)}, {"x0": 5}, {}),
        "labels": _mixed(None, ["y0"], [], ["y0", "y1"], ["no"], "y0"),
    },
    "RuleSet": {"default_labels": _mixed(None, ["y0"], [0, 1], [], [0, 2], "y1", [True, False])},
    "choose": {
        "choice": _mixed("best", "knee", "near-best", [1, 0], [0, 0], [1, np.nan], [1e308, 1e308]),
        "max_rules": _mixed(None, 1, 2),
    },
}
_SLOW = {"MinotaurClassifier"}


@st.composite
def calls(draw: st.DrawFn, names: list[str]) -> Call:
    what = pick(draw, names)
    known = _PARAMETERS[what]
    odd = pick(draw, [None, *known])
    given = [name for name in known if name == odd or draw(st.integers(0, 2)) == 0]
    arguments = {}
    for name in given:
        # At most one strange value, else few calls would work.
        good = known[name][: max(len(known[name]) // 2, 1)]
        arguments[name] = pick(draw, known[name] if name == odd else good)
    return Call(what, arguments, draw(st.integers(0, 9)))


def enter_call(call: Call) -> None:
    """Construct it, and use it as a user would."""
    draws = np.random.default_rng(call.seed)
    X = draws.integers(-2, 3, size=(12, 3)).astype(float)
    Y = draws.integers(0, 2, size=(12, 2))
    _USES[call.what](X, Y, call)


def _use_problem(X: Any, Y: Any, call: Call) -> None:
    _search(mp.RuleSetProblem(X, Y, **call.arguments), {}, X, Y)


def _use_algorithm(X: Any, Y: Any, call: Call) -> None:
    _search(mp.RuleSetProblem(X, Y), call.arguments, X, Y)


def _search(problem: Any, arguments: dict[str, Any], X: Any, Y: Any) -> None:
    quick = {"pop_size": 6, "n_offsprings": 3, "n_gen": 2, "n_max_failures": 50}
    result = minimize(problem, mp.MINOTAUR(**{**quick, **arguments}), seed=1)
    for rule_set in [] if result.X is None else result.X[:, 0]:
        mp.check_model(rule_set, X, Y)


def _use_operators(X: Any, Y: Any, call: Call) -> None:
    parts = mp.rule_set_operators(**call.arguments)
    _search(mp.RuleSetProblem(X, Y), parts, X, Y)


def _use_classifier(X: Any, Y: Any, call: Call) -> None:
    quick = {
        "pop_size": 6,
        "n_offsprings": 3,
        "n_gen": 2,
        "n_max_failures": 50,
        "soft_labels": False,
    }
    classifier = mp.MinotaurClassifier(**{**quick, **call.arguments}).fit(X, Y)
    for model in classifier.models_:
        # What is held out for the choice is not counted.
        held_out = call.arguments.get("choice") == "validation"
        mp.check_model(model, X, None if held_out else Y)
    assert np.array_equal(classifier.predict(X), classifier.model_.predict(X))


def _use_growth(X: Any, Y: Any, call: Call) -> None:
    growth = getattr(mp, call.what)(**call.arguments)
    data = TrainingData(X, Y)
    rule_set = mp.RuleSet.empty(data)
    draws = np.random.default_rng(call.seed)
    for _ in range(3):
        rule = create_rule(rule_set, growth, draws)
        rule_set = rule_set if rule is None else rule_set.with_free_rule(rule)
    mp.check_model(rule_set, X, Y)


def _use_trees(X: Any, Y: Any, call: Call) -> None:
    sampling = mp.TreeSampling(**call.arguments)
    _search(mp.RuleSetProblem(X, Y), {"sampling": sampling}, X, Y)


def _use_mutation(X: Any, Y: Any, call: Call) -> None:
    mating = mp.MutationMating(mp.RuleMutation(**call.arguments), 50)
    _search(mp.RuleSetProblem(X, Y), {"mating": mating}, X, Y)


def _use_checkpoint(X: Any, Y: Any, call: Call) -> None:
    saved = mp.Checkpoint(folder() / "parameters", **call.arguments)
    algorithm = mp.MINOTAUR(pop_size=6, n_offsprings=3, n_gen=2)
    result = minimize(mp.RuleSetProblem(X, Y), algorithm, seed=1, callback=saved)
    assert np.array_equal(mp.resume(saved.path).F, result.F)


def _use_demo(X: Any, Y: Any, call: Call) -> None:
    garden = mp.load_demo(**call.arguments)
    assert len(garden.X) == len(garden.Y) > 0
    assert garden.describe()


def _use_beliefs(X: Any, Y: Any, call: Call) -> None:
    soft_labels = mp.out_of_bag_probabilities(TrainingData(X, Y), **call.arguments)
    assert ((soft_labels >= 0) & (soft_labels <= 1)).all()


def _use_rule(X: Any, Y: Any, call: Call) -> None:
    data = TrainingData(X, Y)
    arguments = {"tests": {}, **call.arguments}
    rule = mp.Rule.from_tests(data, **arguments)
    mp.check_model(mp.RuleSet(data, [rule]), X, Y)


def _use_rule_set(X: Any, Y: Any, call: Call) -> None:
    data = TrainingData(X, Y)
    rule = mp.Rule.from_tests(data, {"x0": (float(X[0, 0]), None)})
    mp.check_model(mp.RuleSet(data, [rule], **call.arguments), X, Y)


@functools.cache
def _fitted() -> Any:
    garden = mp.load_demo(60)
    return mp.MinotaurClassifier(n_gen=5, pop_size=10, random_state=1).fit(garden.X, garden.Y)


def _use_choice(X: Any, Y: Any, call: Call) -> None:
    classifier = _fitted().choose(**{"choice": "best", **call.arguments})
    assert classifier.model_ is classifier.models_[classifier.chosen_]


_USES = {
    "MINOTAUR": _use_algorithm,
    "operators": _use_operators,
    "RuleSetProblem": _use_problem,
    "MinotaurClassifier": _use_classifier,
    "GuidedGrowth": _use_growth,
    "NearestGrowth": _use_growth,
    "TreeSampling": _use_trees,
    "RuleMutation": _use_mutation,
    "Checkpoint": _use_checkpoint,
    "load_demo": _use_demo,
    "out_of_bag_probabilities": _use_beliefs,
    "Rule": _use_rule,
    "RuleSet": _use_rule_set,
    "choose": _use_choice,
}


def _small(_: Any) -> int:
    return 1000


COMMANDS = Door("commands", command_lines(), enter_command_line, _small, 5)
PARAMETERS = Door(
    "parameters", calls([name for name in _PARAMETERS if name not in _SLOW]), enter_call, _small, 4
)
CLASSIFIER = Door("classifier", calls(sorted(_SLOW)), enter_call, _small, 1)
