"""Benchmark programs for this package, to be run from the project's root folder."""
