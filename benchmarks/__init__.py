"""Commands that measure this package; run them from the project's folder."""
