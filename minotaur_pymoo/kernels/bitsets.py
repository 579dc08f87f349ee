"""Sets of instances as bits, 64 to a word."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.jit import compiled, compiled_part, inlined
from minotaur_pymoo.support.arrays import BitArray, IntArray, MaskArray

ONE = np.uint64(1)


@compiled
def to_bits(members: IntArray, n_instances: int) -> BitArray:
    """Instance indices as a bitset."""
    bits = np.zeros((n_instances + 63) // 64, np.uint64)
    set_bits(bits, members)
    return bits


@compiled_part
def set_bits(bits: BitArray, members: IntArray) -> None:
    """Add instances, in increasing order, to a bitset."""
    current = 0
    word = np.uint64(0)
    for member in members:
        if member >> 6 != current:
            # Write a word only once it is complete: the write costs more than the rest.
            bits[current] |= word
            current = member >> 6
            word = np.uint64(0)
        word |= ONE << np.uint64(member & 63)
    if len(members):
        bits[current] |= word


@compiled
def to_members(bits: BitArray, n_instances: int) -> IntArray:
    """A bitset as instance indices."""
    members = np.empty(n_instances, np.int32)
    n_members = 0
    for word in range(len(bits)):
        left = bits[word]
        while left:
            members[n_members] = 64 * word + _lowest_one(left)
            n_members += 1
            left &= left - ONE
    return members[:n_members].copy()


@compiled
def nth_unset(bits: BitArray, n: int) -> int:
    """The n-th instance, counted from zero, that is not in the set.

    The caller ensures that there is one, as bits beyond the last instance are unset too.
    """
    for word in range(len(bits)):
        left = ~bits[word]
        n_unset = count_ones(left)
        if n < n_unset:
            for _ in range(n):
                left &= left - ONE
            return 64 * word + _lowest_one(left)
        n -= n_unset
    return -1


@inlined
def _lowest_one(word: np.uint64) -> int:
    """The index of the lowest set bit of a non-zero word."""
    return count_ones((word & (~word + ONE)) - ONE)


@compiled
def count_ones(word: np.uint64) -> int:
    """The number of set bits of a word, by adding neighbouring groups of bits."""
    word -= (word >> ONE) & np.uint64(0x5555555555555555)
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled
def pack_mask(mask: MaskArray, bits: BitArray) -> None:
    """Write a mask as a bitset; its length is a multiple of 64."""
    words = mask.view(np.uint64)
    for index in range(len(bits)):
        bits[index] = 0
        for byte in range(8):
            # This multiplication gathers the lowest bits of all bytes in the highest byte.
            packed = (words[8 * index + byte] * np.uint64(0x0102040810204080)) >> np.uint64(56)
            bits[index] |= packed << np.uint64(8 * byte)
