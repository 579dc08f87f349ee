import pytest

from tests.tools.versions import oldest, requirements


def test_every_requirement_has_a_lower_bound_to_be_tested_with() -> None:
    pinned = oldest(requirements())
    assert len(pinned) == len(requirements())
    assert "numpy==2.0" in pinned
    assert "scikit-learn==1.6" in pinned
    assert all("==" in one and "[" not in one for one in pinned)
    with pytest.raises(ValueError, match="numpy<3 has no lower bound"):
        oldest(["numpy<3"])
