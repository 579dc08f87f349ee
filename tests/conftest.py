"""Hypothesis profiles, and the marker for slow tests.

``HYPOTHESIS_PROFILE=thorough`` runs more examples, and the tests marked ``thorough``; ``few`` runs
fewer. These try the same examples in every run; ``HYPOTHESIS_PROFILE=search`` looks for new ones.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Kernels are compiled on first use, so that a single slow example is no failure.
_COMMON = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow],
    "derandomize": True,
}
settings.register_profile("quick", max_examples=50, **_COMMON)
settings.register_profile("few", max_examples=15, **_COMMON)
# The thorough tests take about twenty minutes on two cores.
settings.register_profile("thorough", max_examples=60, **_COMMON)
settings.register_profile("search", max_examples=500, **{**_COMMON, "derandomize": False})
PROFILE = os.environ.get("HYPOTHESIS_PROFILE") or "quick"
settings.load_profile(PROFILE)
ROOT = Path(__file__).parents[1]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "thorough: needs HYPOTHESIS_PROFILE=thorough")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if PROFILE == "thorough":
        return
    for item in items:
        if item.get_closest_marker("thorough"):
            item.add_marker(pytest.mark.skip(reason="needs HYPOTHESIS_PROFILE=thorough"))


@pytest.fixture(scope="session", autouse=True)
def _state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the key that signs checkpoints out of the home folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _same_package() -> Iterator[None]:
    """Let processes in other folders import this package, not one that may be installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
        yield


@pytest.fixture(scope="session", autouse=True)
def _interrupts() -> None:
    """Shells start background processes with SIGINT ignored, and searches respect that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
