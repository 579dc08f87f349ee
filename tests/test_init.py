import subprocess
import sys

import pytest

import minotaur_pymoo


def test_every_public_name_is_there_and_listed() -> None:
    assert set(minotaur_pymoo.__all__) <= set(dir(minotaur_pymoo))
    for name in minotaur_pymoo.__all__:
        assert name == "OBJECTIVES" or getattr(minotaur_pymoo, name).__module__.startswith(
            "minotaur_pymoo."
        )
    names: dict[str, object] = {}
    exec("from minotaur_pymoo import *", names)  # noqa: S102
    assert set(minotaur_pymoo.__all__) <= set(names)


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = minotaur_pymoo.nonsense


def test_what_takes_long_to_import_is_not_until_it_is_needed() -> None:
    script = (
        "import sys, minotaur_pymoo\n"
        "before = 'pymoo' in sys.modules\n"
        "from minotaur_pymoo import MINOTAUR, RuleSetProblem, load_demo\n"
        "slow = 'sklearn', 'matplotlib.pyplot', 'skmultilearn', 'pandas'\n"
        "print(before, [name for name in slow if name in sys.modules])"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False []\n"
