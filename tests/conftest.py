import os

from hypothesis import HealthCheck, settings

# Kernels compile on first use, so that a single slow example means nothing.
_COMMON = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow],
    "derandomize": True,
}
settings.register_profile("quick", max_examples=50, **_COMMON)
settings.register_profile("thorough", max_examples=1000, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
