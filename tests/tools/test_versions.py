import pytest

from tests.tools.versions import oldest, requirements


def test_requirements_have_lower_bounds() -> None:
    pinned = oldest(requirements())
    assert len(pinned) == len(requirements())
    assert "numpy==2.0" in pinned
    assert "scikit-learn==1.6" in pinned
    assert all("==" in requirement and "[" not in requirement for requirement in pinned)
    with pytest.raises(ValueError, match="numpy<3 has no lower bound"):
        oldest(["numpy<3"])
