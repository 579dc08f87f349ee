"""The compiled loops; no other folder compiles anything, and every loop has a slow twin in the tests."""
