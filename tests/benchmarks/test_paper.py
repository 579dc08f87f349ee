from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks import paper, paper_live, paper_report, peers, published
from benchmarks.measures import MEASURES
from benchmarks.report import Report
from benchmarks.runner import Task, complete_runs
from minotaur_pymoo import MINOTAUR, MinotaurClassifier


def test_command_writes_all_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paper, "MINOTAUR", partial(MINOTAUR, n_gen=10))
    monkeypatch.setattr(paper, "MinotaurClassifier", partial(MinotaurClassifier, n_gen=5))
    output = tmp_path / "output"
    arguments = f"--datasets emotions,CAL500 --folds 1 --runs 2 --generated --jobs 1 --results \
{tmp_path / 'kept'} --output {output}"
    paper.main(arguments.split())
    out = capsys.readouterr().out
    assert (output / "README.md").read_text() == out
    assert f"python -m benchmarks.paper {' '.join(arguments.split())}" in out
    assert "pymoo 0.6" in out
    assert "**A part of the paper's protocol**: 1 of 10 folds and 2 of 30 runs per fold" in out
    assert "**Some data are generated**" in out
    assert {path.name for path in output.iterdir()} >= {
        "README.md",
        "datasets.csv",
        "f1.csv",
        "all-f1.csv",
        "rules.csv",
        "wilcoxon.csv",
        "ranks.csv",
        "ranking.csv",
        "ranking-nemenyi.csv",
        "ranking.svg",
        "ranking-guided.csv",
        "ranking-guided-nemenyi.csv",
        "ranking-guided.svg",
        "compromises.svg",
        "measures.csv",
        "live-clus.csv",
        "live-hmc-ga.csv",
        "live-micro.csv",
        "live-example.csv",
        "live-wilcoxon.csv",
    }
    scores = pd.read_csv(output / "all-f1.csv", index_col=0)
    assert list(scores.index) == ["emotions", "CAL500"]
    assert scores.shape[1] == 16
    assert published.MINOTAUR not in scores
    ranks = pd.read_csv(output / "ranks.csv", index_col=0)
    assert ranks["with our MINOTAUR"].count() == 15
    assert ranks["and the guided search"].count() == 16
    # A second call uses the stored results.
    paper.main(arguments.split())
    assert capsys.readouterr().out == out
    # More runs than are stored: those that are there.
    monkeypatch.setattr(paper, "run", None)
    paper.main([*arguments.split(), "--runs", "5", "--guided-runs", "0", "--stored"])
    stored = capsys.readouterr().out
    assert "2 of 30 runs per fold" in stored
    assert "ours, guided" not in stored


def test_one_dataset_is_not_ranked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paper, "MINOTAUR", partial(MINOTAUR, n_gen=10))
    arguments = "--datasets emotions --folds 1 --runs 1 --guided-runs 0 --generated --jobs 1"
    paper.main([*arguments.split(), "--results", str(tmp_path)])
    out = capsys.readouterr().out
    assert "| emotions |" in out
    assert "guided" not in out.partition("## Datasets")[2]
    assert "Friedman" not in out
    assert not list(tmp_path.rglob("*.svg"))


def test_nothing_stored_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for main in (paper.main, peers.main):
        with pytest.raises(SystemExit):
            main(["--stored", "--generated", "--results", str(tmp_path / "nowhere")])
        assert "nowhere has no results of the present code" in capsys.readouterr().err


def results() -> dict[Task, dict[str, object]]:
    """Made-up results of two datasets, two folds and two runs."""
    outcome = {}
    for dataset, base in (("emotions", 0.3), ("CAL500", 0.2)):
        for fold in range(2):
            for run in range(2):
                outcome[Task("paper", dataset, fold, run)] = {
                    **dict.fromkeys(MEASURES, 0.5),
                    "micro_f1": base + 0.1 * run + 0.01 * fold,
                    "train_f1": 0.5,
                    "n_rules": 4 + fold,
                    "cpu_seconds": 1.0,
                    "population": [[0.5, 4 + 2 * run], [0.2, 1]],
                }
    return outcome


def test_deviations_are_over_runs_of_means_over_folds() -> None:
    table = paper_report.summary(results(), "paper")
    assert list(table.index) == ["emotions", "CAL500"]
    assert table.loc["emotions", "micro_f1"] == pytest.approx(0.355)
    assert table.loc["emotions", "micro_f1_sd"] == pytest.approx(0.05)
    assert table.loc["CAL500", "n_rules"] == 4.5
    assert table.loc["CAL500", "n_rules_sd"] == 0
    assert paper_report.f1_table(table, None).loc["emotions", "ours"] == "0.355 ± 0.050"


def test_published_figures_reproduce_the_papers_tables() -> None:
    figures = pd.DataFrame(
        {
            "micro_f1": published.F1[published.MINOTAUR],
            "n_rules": published.N_RULES[published.MINOTAUR],
        }
    )
    tests = paper_report.wilcoxon_table(figures)
    assert (tests["with ours"] == tests["in the paper"]).all()
    assert (tests["with the published"] == tests["in the paper"]).all()
    ranks = paper_report.rank_table(figures, None)
    ours = ranks.loc["MINOTAUR, ours", "with our MINOTAUR"]
    assert ours == ranks.loc["MINOTAUR", "of the published figures"]
    assert ours == pytest.approx(published.RANKS["MINOTAUR"], abs=0.0051)


def test_populations_are_averaged_by_size() -> None:
    np.testing.assert_allclose(
        paper_report.mean_population(results(), "emotions"), [[0.2, 1], [0.5, 5]]
    )
    population = np.array([[0.5, 5.0], [0.4, 6.0], [0.2, 1.0], [0.1, 1.0]])
    assert paper_report.non_dominated(population).tolist() == [[0.2, 1], [0.5, 5]]


def test_protocol_states_whether_it_is_complete() -> None:
    names = list(published.DATASETS)
    assert paper_report.protocol(10, [30] * 8, names).startswith("The paper's whole protocol")
    assert paper_report.protocol(10, [29] * 8, names).startswith("**A part")
    some = paper_report.protocol(10, [3] * 5 + [30] * 3, names)
    assert some.startswith("**A part")
    assert "3 to 30 of 30 runs" in some
    assert "1 of eight datasets" in paper_report.protocol(10, [30], ["yeast"])


def live(n_folds: int) -> dict[Task, dict[str, object]]:
    """Made-up results of all live methods on two datasets."""
    return {
        Task(method, dataset, fold, 0): {
            "plain": dict.fromkeys(MEASURES, (index + fold) / 100),
            "size": 3 * index + fold,
            "cpu_seconds": 1.0,
        }
        for index, method in enumerate(paper_live.LIVE.values())
        for dataset in ("emotions", "CAL500")
        for fold in range(n_folds)
    }


def test_live_figures_need_all_folds() -> None:
    args = argparse.Namespace(datasets="emotions,CAL500", folds=2)
    table = paper_live.live_table(live(2), "micro_f1", args)
    assert list(table.columns) == [*published.F1.columns[1:]]
    assert table.loc["CAL500", "Clus-HMC"] == pytest.approx(0.015)
    incomplete = complete_runs(live(1), args.folds)
    assert paper_live.live_table(incomplete, "micro_f1", args).isna().all(axis=None)
    assert (paper_live.live_table(live(2), "runs", args) == 1).all(axis=None)
    assert paper_live.live_table(live(2), "size", args).loc["emotions", "Clus-HMC"] == 3.5


def test_published_corrected_and_live_are_ranked(tmp_path: Path) -> None:
    args = argparse.Namespace(datasets="emotions,CAL500", folds=2, guided_runs=0)
    report = Report("Live", "nothing", tmp_path)
    paper_live.report_live(report, results(), live(2), args)
    ranks = pd.read_csv(tmp_path / "live-ranks.csv", index_col=0)
    versions = ["published", "corrected", "live, micro-averaged", "live, example-averaged"]
    assert list(ranks.columns) == [f"{version}, 2 datasets" for version in versions]
    assert ranks.notna().all(axis=None)
    # A method that lacks a dataset is not ranked on it, which the others are.
    lacking = {
        task: result
        for task, result in live(2).items()
        if (task.method, task.dataset) != ("Clus", "CAL500")
    }
    folder = tmp_path / "lacking"
    paper_live.report_live(Report("Live", "nothing", folder), results(), lacking, args)
    some = pd.read_csv(folder / "ranking-live-micro-some.csv", index_col=0)
    assert len(some) == len(ranks) - 1
    assert "Clus-HMC" not in some.index
    assert not (folder / "ranking-live-micro.csv").exists()
    tests = pd.read_csv(tmp_path / "live-wilcoxon.csv", index_col=0)
    assert list(tests.columns)[-2:] == ["corrected, 2 datasets", "live, 2 datasets"]
    clus = pd.read_csv(tmp_path / "live-clus.csv", index_col=0)
    assert clus.loc["emotions", "rules, corrected"] == 21.3


def test_the_corrected_test_against_clus() -> None:
    figures = pd.DataFrame({"n_rules": published.N_RULES[published.MINOTAUR]})
    missing = pd.DataFrame(index=figures.index, columns=list(paper_live.LIVE), dtype=float)
    table = paper_live.wilcoxon_table({"MINOTAUR, ours": figures}, {"size": missing})
    row = table.loc["MINOTAUR and Clus-HMC"]
    assert row["in the paper"] == row["published, 8 datasets"] == "0.0547"
    assert row["corrected, 8 datasets"] == "0.0781"
