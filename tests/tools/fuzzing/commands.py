"""The command line as an entry point."""

from __future__ import annotations

import contextlib
import functools
import io
import math
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from minotaur_pymoo import MinotaurClassifier, Model, export
from minotaur_pymoo.cli.parser import main
from minotaur_pymoo.data import Schema
from minotaur_pymoo.rules import IntervalTest, ModelRule
from tests.tools.fuzzing.damage import ODD_TEXTS, pick
from tests.tools.fuzzing.files import folder
from tests.tools.fuzzing.judge import EntryPoint, RejectedError

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
    *("--combine", "pairs", "means", "none"),
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
    """A folder with valid and invalid files for all commands."""
    path = folder() / "world"
    path.mkdir()
    draws = np.random.default_rng(0)
    X = draws.integers(0, 9, size=(30, 2))
    Y = np.column_stack([X[:, 0] > 4, X[:, 1] < 3]).astype(int)
    rows = [",".join(map(str, row)) for row in np.hstack([X, Y])]
    (path / "data.csv").write_text("tempo,bass,calm,loud\n" + "\n".join(rows) + "\n")
    header = "@relation 'r: -C -2'\n@attribute tempo numeric\n@attribute bass numeric\n"
    header += "@attribute calm {0,1}\n@attribute loud {0,1}\n@data\n"
    (path / "data.arff").write_text(header + "\n".join(rows) + "\n")
    (path / "labels.xml").write_text('<labels><label name="calm"/><label name="loud"/></labels>')
    np.savez(path / "data.npz", X=X, Y=Y)
    model = MinotaurClassifier(pop_size=8, n_gen=3, random_state=1)
    names = ("tempo", "bass"), ("calm", "loud")
    saved = model.fit(X, Y, feature_names=names[0], label_names=names[1]).saved()
    export.save(path / "model.json", saved)
    (path / "half.json").write_text((path / "model.json").read_text()[:100])
    strange = Schema(("\ud800", "\x1b[2J"), ("a\nb", "<i>", "\u202e"))
    rule = ModelRule((IntervalTest("\ud800", 1.0, math.inf),), ("a\nb",), 3, (1, 2, 3))
    default = ModelRule((), ("<i>", "\u202e"), 0, (0, 0, 0))
    scores = ({"\x1b[2J": 1.0},)
    odd = export.SavedModels((Model(strange, (rule,), default),), 0, scores)
    export.save(path / "strange.json", odd)
    (path / "strange.csv").write_text('"\x1b[2J",é,"a\nb"\n1,2,3\n')
    for name in ("empty.csv", "empty.arff", "empty.json"):
        (path / name).write_bytes(b"")
    (path / "deep.json").write_text("[" * 100_000)
    return path


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    words = list(pick(draw, _COMMANDS))
    _add_options(draw, words)
    for _ in range(pick(draw, [0, 0, 0, 1, 1, 2])):
        _damage(draw, words)
    if words[0] in ("fit", "demo"):
        _shorten_search(words)
    return words


def _add_options(draw: st.DrawFn, words: list[str]) -> None:
    """Add valid options."""
    match words[0]:
        case "fit":
            words += ["--seed", str(draw(st.integers(0, 99)))]
            words += ["--choice", pick(draw, ["auto", "best", "knee", "near-best"])]
        case "show" | "evaluate" | "predict":
            words += pick(draw, [[], ["--number", "0"]])
            words += pick(draw, [[], ["--all"], ["--format", "json"]]) if words[0] == "show" else []
        case "describe" if "data.csv" in words:
            words[-1] = pick(draw, ["1", "2", "3", "-1", "calm", "l", "calm,loud", "tempo"])


def _damage(draw: st.DrawFn, words: list[str]) -> None:
    index = draw(st.integers(0, len(words) - 1))
    match pick(draw, ["replace", "replace", "replace", "insert", "remove", "swap", "odd"]):
        case "replace":
            words[index] = pick(draw, _WORDS)
        case "odd":
            words[index] = pick(draw, ODD_TEXTS)
        case "insert":
            words.insert(index, pick(draw, _WORDS))
        case "remove" if len(words) > 1:
            del words[index]
        case "swap":
            words[0], words[index] = words[index], words[0]


def _shorten_search(words: list[str]) -> None:
    """Limit sizes that are valid, but would take hours."""
    for option, value in zip(_QUICK[::2], _QUICK[1::2], strict=True):
        if option not in words or words[-1] == option:
            words += [option, value]
    for index, word in enumerate(words[:-1]):
        if word in (*_QUICK[::2], "--runs", "--jobs") and len(words[index + 1]) > 2:
            words[index + 1] = "2"


class _Terminal(io.TextIOWrapper):
    """A stream that, like a terminal, takes only text that can be encoded."""

    def __init__(self, errors: str) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors=errors, newline="\n")

    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined]


def enter_command_line(words: list[str]) -> None:
    """Run a command, and check that its output files are complete."""
    path = _world()
    out, err = _Terminal("strict"), _Terminal("backslashreplace")
    with contextlib.chdir(path), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as exit_:
            code = exit_.code
        _check_output(path)
    assert code in (0, 1, 2), code
    printed, complaint = out.text(), err.text()
    assert "\x1b" not in printed
    assert "Traceback" not in complaint
    if code == 1:
        assert complaint.startswith("minotaur-pymoo: "), complaint
        raise RejectedError(complaint.removeprefix("minotaur-pymoo: ").removesuffix("\n"))
    if code == 2:
        assert "usage: " in complaint
        raise RejectedError("wrong usage.")
    assert printed or "--help" in words


def _check_output(folder: Path) -> None:
    for path in folder.glob("out*"):
        if path.suffix == ".json":
            export.load(path)
        path.unlink()
    assert not list(folder.glob(".*")), "a temporary file was left"


COMMANDS = EntryPoint("commands", command_lines(), enter_command_line, lambda _: 1000, 5)
