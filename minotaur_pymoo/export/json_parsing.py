"""Parsing JSON from untrusted sources, with limits on its size and depth."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

import numpy as np

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr

MAX_BYTES = 64 * 2**20
# A category in a test in a rule in a model is at depth 8.
MAX_DEPTH = 20

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
# How each byte changes the depth of nesting.
_STEPS = np.zeros(256, dtype=np.int8)
_STEPS[list(b"[{")] = 1
_STEPS[list(b"]}")] = -1
# Bytes per block, which bounds the memory for the running depth.
_BLOCK = 2**20


def parse(text: str) -> Any:
    """Parse strict JSON without repeated fields, of limited size and depth.

    Examples
    --------
    >>> parse('{"chosen": 1, "chosen": 2}')
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: the field 'chosen' occurs twice in one object: keep \
one of them.
    """
    if not isinstance(text, str):
        raise InputError(f"a saved model must be a string, not {type(text).__name__}.")
    if len(text) > MAX_BYTES:
        raise InputError(
            f"the text is larger than {MAX_BYTES // 2**20} MiB, the limit for saved models: save"
            " fewer models."
        )
    _check_nesting(text)
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_reject_constant)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise InputError(
            f"the text is not valid or complete JSON: {error.msg} in line {error.lineno}, column"
            f" {error.colno}; save the model again."
        ) from None
    except ValueError:
        # Python limits the digits of an integer literal.
        raise InputError(
            "the text contains a number with too many digits: save the model again."
        ) from None


def _check_nesting(text: str) -> None:
    """Reject text that would exhaust the stack or the memory of the parser."""
    characters = np.frombuffer(_STRING.sub("", text).encode("ascii", "replace"), dtype=np.uint8)
    depth = n_opened = 0
    for start in range(0, len(characters), _BLOCK):
        steps = _STEPS[characters[start : start + _BLOCK]]
        if depth + np.cumsum(steps, dtype=np.int32).max() > MAX_DEPTH:
            raise InputError(
                "the text is nested deeper than any saved model: it was not saved by"
                " minotaur_pymoo."
            )
        depth += int(steps.sum(dtype=np.int64))
        n_opened += int(np.count_nonzero(steps == 1))
    # An empty list takes two bytes in a file, but forty times as much in memory.
    if 10 * n_opened > len(text) + 1000:
        raise InputError(
            "the text consists mostly of brackets: it was not saved by minotaur_pymoo."
        )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise InputError(
                f"the field {short_repr(name)} occurs twice in one object: keep one of them."
            )
        fields[name] = value
    return fields


def _reject_constant(name: str) -> NoReturn:
    raise InputError(f"the text contains {name}, which is not valid JSON: use finite numbers.")
