import os
import subprocess
import sys
from pathlib import Path

from minotaur_pymoo.kernels.cache import source_stamp

CALL = """
import numpy as np
from minotaur_pymoo.kernels import bitsets, jit
jit._PATIENCE = 1000.0
bits = bitsets.to_bits(np.array([0, 2], np.int32), 3)
print(bits, sum(bitsets.to_bits.stats.cache_hits.values()))
"""
ADVICE = (
    "minotaur_pymoo cannot store compiled code, and compiles in every process: set NUMBA_CACHE_DIR"
    " to a folder that it can write to.\n"
)


def run(script: str, cache: Path) -> tuple[str, str]:
    """The output and the messages of a script with its own cache."""
    root = str(Path(__file__).parents[2])
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": root},
    )
    return done.stdout, done.stderr


def test_without_a_writable_folder_kernels_are_compiled_without_a_cache(tmp_path: Path) -> None:
    locked = "from numba.core import caching\ncaching.CacheImpl._locator_classes = []\n"
    assert run(locked + "import minotaur_pymoo.kernels.splits", tmp_path) == ("", "")
    assert run(locked + CALL, tmp_path) == ("[5] 0\n", ADVICE)


def test_a_full_disk_is_mentioned_once(tmp_path: Path) -> None:
    full = """
from numba.core import caching
def no_space(*args):
    raise OSError(28, "No space left on device")
caching.IndexDataCacheFile._save_data = no_space
"""
    assert run(full + CALL, tmp_path) == ("[5] 0\n", ADVICE)


def test_a_damaged_cache_is_repaired(tmp_path: Path) -> None:
    assert run(CALL, tmp_path) == ("[5] 0\n", "")
    assert run(CALL, tmp_path) == ("[5] 1\n", "")
    for suffix in ("nbi", "nbc"):
        files = list(tmp_path.rglob(f"*.{suffix}"))
        assert files
        for path in files:
            path.write_bytes(path.read_bytes()[:40] + b"damaged")
        assert run(CALL, tmp_path) == ("[5] 0\n", "")
        assert run(CALL, tmp_path) == ("[5] 1\n", "")


def test_a_change_of_any_kernel_file_changes_the_stamp(tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text("from called import f")
    called = tmp_path / "called.py"
    called.write_text("f = 3")
    before = source_stamp(tmp_path)
    assert source_stamp(tmp_path) == before
    called.write_text("f = 103")
    assert source_stamp(tmp_path) != before


def test_the_stamp_is_part_of_what_is_stored(tmp_path: Path) -> None:
    assert run(CALL, tmp_path) == ("[5] 0\n", "")
    changed = "from minotaur_pymoo.kernels import cache\ncache._STAMP = 'other'\n"
    assert run(changed + CALL, tmp_path) == ("[5] 0\n", "")
