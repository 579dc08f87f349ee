"""The compiled loops. No other folder compiles anything; each loop has a slow twin in the tests.

Names used throughout: ``members`` are instance indices in increasing order; ``coverage`` is a
bitset of instances, 64 to a word; a ``mask`` has one byte, 0 or 1, per instance.
"""
