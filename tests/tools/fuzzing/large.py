"""Large files as entry points: whatever they hold, time and memory are linear in their size."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from minotaur_pymoo import export
from minotaur_pymoo.datasets import load
from tests.tools.fuzzing.damage import pick
from tests.tools.fuzzing.files import folder
from tests.tools.fuzzing.judge import EntryPoint


class Large(NamedTuple):
    """A large file by its kind, so that the log of a failure is short.

    Attributes
    ----------
    kind
        One of `KINDS`.
    size
        The wanted size in bytes.
    """

    kind: str
    size: int


def _document(
    features: str = '[{"name": "a"}]', labels: str = '["y"]', models: str | None = None
) -> str:
    return (
        '{"format": "minotaur_pymoo model", "version": 1,'
        f' "features": {features}, "labels": {labels}, "chosen": 0,'
        f' "models": [{_model() if models is None else models}]}}'
    )


def _model(rules: str = "", counts: str = "1", scores: str = "") -> str:
    default = f'{{"labels": [], "covered": 999, "counts": [{counts}]}}'
    return f'{{"rules": [{rules}], "default": {default}, "scores": {{{scores}}}}}'


def _many(size: int, item: Callable[[int], str], separator: str = ", ") -> str:
    n = size // (len(item(10_000)) + len(separator))
    return separator.join(map(item, range(max(n, 1))))


def _rule(tests: str = "", labels: str = "") -> str:
    return f'{{"tests": [{tests}], "labels": [{labels}], "covered": 1, "counts": [1]}}'


def _interval(i: int) -> str:
    return _rule(f'{{"feature": "a", "at_least": {i}, "below": {i + 1}}}', '"y"' if i % 2 else "")


def _short_name(i: int) -> str:
    """One of 830,584 names of three characters."""
    letters = [chr(35 + i // 94**place % 94) for place in range(3)]
    return f'"{"".join(letters)}"'.replace("\\", "!")


def _names_from(i: int) -> str:
    return ",".join(_short_name(100 * i + k) for k in range(100))


JSON: dict[str, Callable[[int], str]] = {
    "escapes": lambda n: '"' + '\\"' * (n // 2),
    "brackets": lambda n: "[" + "[1234567890]," * (n // 13) + "0]",
    "rules without tests": lambda n: _document(models=_model(_many(n, lambda _: _rule()))),
    "rules that differ": lambda n: _document(
        models=_model(_many(n, lambda i: _rule(labels='"y"' if i % 2 else "")))
    ),
    "disjoint rules": lambda n: _document(models=_model(_many(n, _interval))),
    "features and models": lambda n: _document(
        features=f"[{_many(n // 2, lambda i: json.dumps({'name': f'f{i}'}))}]",
        models=_many(n // 2, lambda _: _model()),
    ),
    "counts": lambda n: _document(models=_model(counts=_many(n, lambda _: "257"))),
    "compact counts": lambda n: _document(models=_model(counts=_many(n, lambda _: "257", ","))),
    "labels": lambda n: _document(labels=f"[{_many(n, lambda i: json.dumps(str(i)))}]"),
    "short names": lambda n: _document(labels=f"[{_many(n, lambda _: json.dumps('ab'))}]"),
    "distinct names": lambda n: _document(labels=f"[{_many(n, _short_name, ',')}]"),
    "names in rules": lambda n: _document(
        models=_model(_many(n, lambda i: _rule(labels=_names_from(i))))
    ),
    "long counts": lambda n: _document(
        models=_model(_many(n, lambda _: _rule().replace("[1]", "[257" + ",257" * 99 + "]")))
    ),
    "short fields": lambda n: "{" + _many(n, lambda i: f"{_short_name(i)}:1", ",") + "}",
    "fields with lists": lambda n: "{" + _many(n, lambda i: f"{_short_name(i)}:[ ]", ",") + "}",
    "small objects": lambda n: f"[{_many(n, lambda i: f'{{{_short_name(i)}:1}}', ',')}]",
    "names beside objects": lambda n: f"[{_many(n, lambda i: f'{_short_name(i)},{{ }}', ',')}]",
    "lists in lists": lambda n: f"[{_many(n, lambda i: f'[{_names_from(i)}]', ',')}]",
    "wide characters": lambda n: _document(labels=f'["😀", {_many(n, lambda _: "257")}]'),
    "categories": lambda n: _document(
        features=f'[{{"name": "a", "categories": [{_many(n, lambda i: json.dumps(str(i)))}]}}]'
    ),
    "scores": lambda n: _document(models=_model(scores=_many(n, lambda i: f'"score{i}": 0.123'))),
    "small models": lambda n: _document(
        models=_many(n, lambda _: _model(_rule('{"feature": "a", "below": 3.5}', '"y"')))
    ),
    "long name": lambda n: _document(features=f'[{{"name": "{"x" * n}"}}]'),
}


def _csv(cells: Callable[[int, int], str], n_columns: int, size: int) -> str:
    names = ",".join(f"c{i}" for i in range(n_columns)) + ",y"
    n_rows = max(1, (size - len(names)) // (n_columns * (len(cells(9, 9)) + 1)))
    lines = [names]
    for row in range(n_rows):
        lines.append(",".join([*(cells(row, column) for column in range(n_columns)), "1"]))
    return "\n".join(lines) + "\n"


def _sparse_arff(n_columns: int, size: int) -> str:
    lines = ["@relation big", *(f"@attribute c{i} numeric" for i in range(n_columns))]
    lines += ["@attribute y {0,1}", "@data"]
    n_rows = max(1, (size - 20 * n_columns) // 14)
    lines += [f"{{{row % n_columns} 1.5, {n_columns} 1}}" for row in range(n_rows)]
    return "\n".join(lines) + "\n"


def _dense_arff(n_columns: int, size: int) -> str:
    lines = ["@relation big", *(f"@attribute c{i} numeric" for i in range(n_columns))]
    lines += ["@attribute y {0,1}", "@data"]
    row = ",".join(["0.5"] * n_columns) + ",1"
    lines += [row] * max(1, (size - 20 * n_columns) // len(row))
    return "\n".join(lines) + "\n"


CSV: dict[str, Callable[[int], str]] = {
    "narrow": lambda n: _csv(lambda row, _: f"{row}.25", 3, n),
    "wide": lambda n: _csv(lambda _, column: f"{column}.25", max(2, n // 40), n),
    "texts": lambda n: _csv(lambda row, _: f"t{row}", 2, n),
    "short cells": lambda n: _csv(lambda *_: "1", 50, n),
    "same names": lambda n: ",".join(["a"] * (n // 2)) + "\n",
    "no end": lambda n: 'a,y\n"' + "b\n" * (n // 2),
}
ARFF: dict[str, Callable[[int], str]] = {
    "sparse": lambda n: _sparse_arff(max(2, n // 60), n),
    "dense": lambda n: _dense_arff(20, n),
    "no end": lambda n: "@relation a\n@attribute b {" + "c," * (n // 2),
    "quotes": lambda n: "@relation a\n@attribute '" + "\\'" * (n // 2),
}


def _npz(size: int) -> bytes:
    target = io.BytesIO()
    np.savez(target, X=np.ones((size // 80, 10)), Y=np.ones((size // 80, 1), dtype=np.uint8))
    return target.getvalue()


KINDS: dict[str, tuple[str, Callable[[int], str | bytes]]] = {
    **{f"json: {name}": (".json", make) for name, make in JSON.items()},
    **{f"csv: {name}": (".csv", make) for name, make in CSV.items()},
    **{f"arff: {name}": (".arff", make) for name, make in ARFF.items()},
    "npz": (".npz", _npz),
}


def content_of(large: Large) -> bytes:
    """The bytes of a large file."""
    content = KINDS[large.kind][1](large.size)
    return content.encode() if isinstance(content, str) else content


@st.composite
def large_inputs(draw: st.DrawFn) -> Large:
    return Large(pick(draw, list(KINDS)), pick(draw, [300_000, 700_000, 2_000_000]))


def write_large(large: Large) -> Any:
    """Write a large file unless it is there already, and return its path."""
    name = large.kind.replace(": ", "-").replace(" ", "-")
    path = folder() / f"{name}-{large.size}{KINDS[large.kind][0]}"
    if not path.exists():
        path.write_bytes(content_of(large))
    return path


def enter_large(large: Large) -> None:
    path = write_large(large)
    if path.suffix == ".json":
        export.load(path)
    else:
        load(path, None if path.suffix == ".npz" else 1)


# The rows of a CSV file are texts before they are numbers, and a wide file has a name per column.
LARGE = EntryPoint(
    "large", large_inputs(), enter_large, lambda x: write_large(x).stat().st_size, 1, 40, 1.0
)
