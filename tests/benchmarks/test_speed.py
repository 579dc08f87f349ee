from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import memory, speed
from benchmarks.stages import STAGES
from tests.conftest import PROFILE

STORED = Path(speed.__file__).parent / "results" / "speed.json"


def figures(**changes: float) -> dict[str, Any]:
    """Made-up figures of one dataset."""
    searches = {
        f"{search}_{figure}": value
        for search in speed.SEARCHES
        for figure, value in {"seconds": 0.4, "x_pymoo": 2.0, "peak_bytes": 20_000_000}.items()
    }
    shared = {"pymoo_seconds": 0.2, "data_bytes": 5_000_000, "two_threads": 1.0}
    return {**searches, **shared, **{f"{stage}_us": 1.0 for stage in STAGES}, **changes}


def test_speed_prints_and_stores_figures_of_both_searches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if PROFILE != "thorough":
        # Memory is measured in whole searches.
        monkeypatch.setattr(memory, "in_own_process", lambda *_: 20_000_000)
    stored = tmp_path / "figures.json"
    arguments = "--datasets CAL500 --generated --n-gen 5 --repeats 1 --json"
    speed.main([*arguments.split(), str(stored)])
    row = capsys.readouterr().out.splitlines()[-1].split()
    found = json.loads(stored.read_text())["CAL500"]
    assert set(found) == set(figures())
    assert all(value > 0 for value in found.values())
    assert row[0] == "CAL500"
    assert row[-1] == "(generated)"
    assert [float(row[2]), float(row[5])] == pytest.approx(
        [found[f"{search}_seconds"] / found["pymoo_seconds"] for search in speed.SEARCHES],
        abs=0.01,
    )
    assert row[3] == "2.5"


def test_speed_compares_with_stored_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed, "measure", lambda *_: figures(guided_x_pymoo=3.0))
    for before, last_line in (
        (2.9, "nothing got slower"),
        (2.0, "yeast: guided_x_pymoo was 2.00, is 3.00"),
    ):
        stored = tmp_path / "before.json"
        stored.write_text(json.dumps({"yeast": figures(guided_x_pymoo=before)}))
        speed.main(["--datasets", "yeast", "--generated", "--compare", str(stored)])
        assert capsys.readouterr().out.splitlines()[-1] == last_line


def test_slower_lists_increases_beyond_noise() -> None:
    before = {"yeast": figures(), "scene": figures()}
    now = {
        "yeast": figures(paper_x_pymoo=2.1, guided_x_pymoo=2.4),
        "emotions": figures(paper_x_pymoo=9.0),
    }
    assert speed.slower(before, now) == ["yeast: guided_x_pymoo was 2.00, is 2.40"]


def test_slower_tolerates_memory_within_the_limit_for_small_data() -> None:
    before = {"yeast": figures()}
    assert speed.slower(before, {"yeast": figures(paper_peak_bytes=50_000_000)}) == []
    assert speed.slower(before, {"yeast": figures(paper_peak_bytes=60_000_000)}) == [
        "yeast: paper_peak_bytes was 20000000.00, is 60000000.00"
    ]


def test_slower_understands_the_names_of_older_files() -> None:
    before = {"yeast": {"x_pymoo": 1.0, "oracle_us": 9.0}, "10000 x 50": {"guided": 1.0}}
    now = {"yeast": figures(), "10000 x 50": {"guided_seconds": 2.0}}
    assert speed.slower(before, now) == [
        "yeast: paper_x_pymoo was 1.00, is 2.00",
        "10000 x 50: guided_seconds was 1.00, is 2.00",
    ]


def test_slower_compares_the_project_s_stored_figures() -> None:
    stored = json.loads(STORED.read_text())
    assert set(speed.LIMITS) <= set(stored)
    assert len(speed.slower(stored, {name: figures(paper_x_pymoo=99.0) for name in stored})) >= 8


def test_large_row_shows_growth_of_cost_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = (
        {"seconds": factor, "peak_bytes": factor * 1e9, "predict_seconds": 0.5}
        for factor in (0.01, 0.06)
    )
    answers = iter([small, small, large | {"two_threads": 1.5}, large, large])
    monkeypatch.setattr(memory, "in_own_process", lambda *_: next(answers))
    found = {f"{n} x 50": speed.measure_large(n) for n in (10_000, 100_000, 1_000_000)}
    both = "paper 0.1 s (6.0 x) and 1.5 x data (60 MB), guided 0.1 s (6.0 x) and 1.5 x data (60 MB)"
    row = speed.large_row(100_000, found)
    assert f"100000 x 50: 30 generations, {both}; 0.50 s to predict all; 1.50 x faster" in row
    assert "paper" not in speed.large_row(1_000_000, found)


def test_failures_in_the_measuring_process_are_reported() -> None:
    with pytest.raises(SystemExit, match="has no attribute 'unknown'"):
        memory.in_own_process("unknown")
