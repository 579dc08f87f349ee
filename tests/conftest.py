from hypothesis import HealthCheck, settings

# The kernels compile on first use, so a single slow example means nothing.
settings.register_profile(
    "default",
    deadline=None,
    max_examples=1000,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)
settings.load_profile("default")
