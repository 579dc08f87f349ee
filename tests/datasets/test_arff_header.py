from __future__ import annotations

import time
from pathlib import Path

import pytest

from minotaur_pymoo.datasets import load_arff
from tests.datasets.arff_files import write
from tests.datasets.errors import error_message
from tests.speed import slowness


def test_thousands_of_categories_are_read(tmp_path: Path) -> None:
    categories = [f"category {i}" for i in range(2000)]
    declared = ", ".join(f"'{category}'" for category in categories)
    text = f"@relation a\n@attribute c {{ {declared} }}\n@attribute y {{0,1}}\n@data\n"
    data = load_arff(write(tmp_path, text + "'category 1999',1\n"), 1)
    assert data.categories == {0: tuple(categories)}
    assert data.X.tolist() == [[1999.0]]


@pytest.mark.parametrize(
    ("header", "part"),
    [
        (
            "@attribute x date 'yyyy'\n@data\n",
            "line 1: the attribute 'x' holds dates: convert them to numbers first",
        ),
        ("@attribute x relational\n@data\n", "the unsupported type relational"),
        (
            "@attribute x complex\n@data\n",
            "line 1: the attribute 'x' has the unknown type 'comp",
        ),
        ("@attribute x\n@data\n", "line 1: the attribute 'x' has the unknown type ''"),
        ("@attribute\n@data\n", "line 1: invalid declaration"),
        ("@attribute 'x real\n@data\n", "line 1: invalid declaration"),
        ("@attribute x {a,b\n@data\n", "line 1: the categories of 'x' have no closing brace"),
        ("@attribute x {}\n@data\n", "line 1: the attribute 'x' has no categories"),
        ("@attribute x {a b,c}\n@data\n", "line 1: the categories of 'x' cannot be read from"),
        ("@attribute x {a,,c}\n@data\n", "the categories of 'x' cannot be read from ',c' on"),
        ("@attribute x {'a}\n@data\n", "the categories of 'x' cannot be read"),
        ("@attribute x {b,a,'a'}\n@data\n", "line 1: the attribute 'x' lists a category twice"),
        (
            "@attribute z real\n@attribute x {'\\q'}\n@data\n",
            "line 2: the categories cannot be read",
        ),
        (
            "@attribute x real\n@attribute 'x' real\n@data\n",
            "line 2: the attribute 'x' is already declared in line 1",
        ),
        ("@relation a\n@data\n1\n", "line 2: there is no @attribute before @data"),
        ("@relation a\n@attribute x real\n1,2\n", "line 3: expected @relation"),
        ("@relation a\n@attribute x real\n", "has no @data line"),
        ("", "has no @data line"),
    ],
)
def test_invalid_headers_are_rejected_with_their_line(
    tmp_path: Path, header: str, part: str
) -> None:
    path = write(tmp_path, header)
    message = error_message(lambda: load_arff(path, 1))
    assert part in message
    assert str(path) in message


def test_missing_brace_after_many_categories_is_found_quickly(tmp_path: Path) -> None:
    """liac-arff alone takes exponential time."""
    categories = ",".join(f"c{i}" for i in range(100))
    path = write(tmp_path, f"@relation a\n@attribute c {{{categories} x\n@data\n")
    start = time.process_time()
    assert "no closing brace" in error_message(lambda: load_arff(path, 1))
    assert time.process_time() - start < slowness()
