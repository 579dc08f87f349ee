import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo.kernels.bitsets import count_ones, nth_unset, pack_mask, to_bits, to_members
from tests.cases import as_mask, random_members, seeds


@given(st.sets(st.integers(0, 200)), st.integers(201, 400))
def test_bits_and_members_convert_into_each_other(members: set[int], n: int) -> None:
    expected = sorted(members)
    bits = to_bits(np.array(expected, dtype=np.int32), n)
    assert len(bits) == -(-n // 64)
    assert to_members(bits, n).tolist() == expected
    unset = [i for i in range(n) if i not in members]
    for nth in {0, len(unset) // 2, len(unset) - 1}:
        assert nth_unset(bits, nth) == unset[nth]


def test_nth_unset_of_full_set_is_minus_one() -> None:
    assert nth_unset(np.full(2, 2**64 - 1, dtype=np.uint64), 0) == -1


@given(st.integers(0, 2**64 - 1))
def test_count_ones_equals_python(word: int) -> None:
    assert count_ones(np.uint64(word)) == word.bit_count()


@given(st.integers(1, 200), seeds)
def test_pack_mask_equals_to_bits(n: int, seed: int) -> None:
    members = random_members(n, np.random.default_rng(seed))
    mask = as_mask(members, n)
    bits = np.empty(len(mask) // 64, dtype=np.uint64)
    pack_mask(mask, bits)
    assert bits.tolist() == to_bits(members, n).tolist()
