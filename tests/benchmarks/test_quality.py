import re
from pathlib import Path

import pytest

from benchmarks import quality


def test_quality_prints_the_chosen_model_and_rule_budgets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = f"--datasets emotions --folds 1 --generated --jobs 1 --results {tmp_path} --n-gen 3"
    quality.main(options.split())
    out = capsys.readouterr().out
    assert out.startswith("search=guided, 1 of 10 folds, runs per fold: 1")
    assert len(re.findall(r"0\.\d\d\d/0\.\d\d\d", out)) == len(quality.BUDGETS)
