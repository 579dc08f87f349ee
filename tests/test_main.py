import re
import subprocess
import sys

import pytest

from minotaur_pymoo.__main__ import main


def test_the_demo_prints_a_front_and_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--generations", "30"]) == 0
    out = capsys.readouterr().out
    rows = re.findall(r"^ +(\d+) +(\d+)  (0\.\d{3})$", out, flags=re.MULTILINE)
    sizes, scores = [int(row[0]) for row in rows], [float(row[2]) for row in rows]
    assert len(rows) > 2
    assert sizes == sorted(sizes)
    assert scores == sorted(scores)
    assert len(re.findall(r"^IF .* THEN \{.*\}$", out, flags=re.MULTILINE)) == sizes[-1]


def test_it_runs_as_a_module_with_help() -> None:
    command = [sys.executable, "-m", "minotaur_pymoo", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    assert "example: minotaur-pymoo demo" in done.stdout


def test_bad_arguments_give_one_sentence_and_an_exit_code(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["demo", "--generations", "-3"]) == 1
    assert capsys.readouterr().err.startswith("minotaur-pymoo: n_max_gen must not be negative")
    with pytest.raises(SystemExit) as caught:
        main(["fly"])
    assert caught.value.code == 2
