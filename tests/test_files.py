from pathlib import Path
from typing import Any

import pytest

from minotaur_pymoo import Checkpoint, InputError, resume
from minotaur_pymoo.datasets import load, load_arff, load_csv, load_npz
from minotaur_pymoo.export import load as load_model
from minotaur_pymoo.files import check_path, write_atomically


def test_paths_of_all_kinds(tmp_path: Path) -> None:
    assert check_path("a") == check_path(Path("a")) == check_path(b"a") == Path("a")


@pytest.mark.parametrize("path", ["a\x00b", "\ud800", None, 5, ["a"]])
def test_what_is_no_path_gets_one_sentence(path: Any) -> None:
    doors = [
        check_path,
        lambda path: write_atomically(path, b""),
        load,
        load_arff,
        lambda path: load_csv(path, 1),
        load_npz,
        load_model,
        resume,
        Checkpoint,
    ]
    for door in doors:
        with pytest.raises(InputError, match="cannot be the name of a file: pass another one"):
            door(path)
