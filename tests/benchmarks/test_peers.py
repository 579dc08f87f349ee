from __future__ import annotations

from functools import partial
from pathlib import Path

import pandas as pd
import pytest

from benchmarks import ours, peers
from minotaur_pymoo import MINOTAUR

QUICK = "constant;CART, 4 leaves;NB-BR;tree-LP;MINOTAUR, paper"


def test_command_writes_all_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ours, "MINOTAUR", partial(MINOTAUR, n_gen=10))
    output = tmp_path / "output"
    arguments = f"--datasets emotions,CAL500 --folds 1 --generated --jobs 1 --results {tmp_path} \
--output {output}".split()
    peers.main([*arguments, "--methods", QUICK])
    out = capsys.readouterr().out
    assert (output / "README.md").read_text() == out
    assert "Means over 1 of 10 folds, runs per fold: 1." in out
    assert "emotions (generated)" in out
    assert out.count("Friedman p = ") == 2
    names = {path.name for path in output.iterdir()}
    assert names >= {"README.md", "plain-f1.csv", "tuned-f1.csv", "size.csv", "cpu.csv"}
    assert names >= {"plain-example-f1.csv", "plain-macro-f1.csv", "plain-hamming-loss.csv"}
    assert names >= {"ranking-plain.svg", "ranking-tuned.svg", "tuning-cpu.csv"}
    table = pd.read_csv(output / "tuned-f1.csv", index_col=0)
    assert list(table.index) == QUICK.split(";")
    assert list(table.columns) == ["emotions", "CAL500", "mean", "mean rank"]
    # Nothing is recomputed for a subset of the methods.
    monkeypatch.setattr(peers, "run", None)
    peers.main([*arguments, "--methods", "constant;NB-BR;tree-LP"])
    capsys.readouterr()
    # What has not been run has no row, or a dash where it lacks a dataset.
    peers.main([*arguments, "--stored", "--datasets", "emotions,scene"])
    out = capsys.readouterr().out
    scores = out.partition("## Micro-averaged F1, as it is")[2].partition("##")[0]
    assert "| constant | 0" in scores
    assert "| NB-LP |" not in out
    row = next(line for line in scores.splitlines() if line.startswith("| NB-BR |"))
    assert row.endswith("| - | - |")


def test_unknown_methods_are_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        peers.main(["--methods", "constant;magic"])
    assert "unknown method 'magic': choose from" in capsys.readouterr().err
