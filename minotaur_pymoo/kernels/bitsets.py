"""Sets of instances as bits, 64 to a word."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.support.arrays import BitArray, IntArray, MaskArray

one = np.uint64(1)


@compiled
def to_bits(members: IntArray, n_instances: int) -> BitArray:
    """Instance numbers as a set of bits."""
    bits = np.zeros((n_instances + 63) // 64, np.uint64)
    set_bits(bits, members)
    return bits


@compiled
def set_bits(bits: BitArray, members: IntArray) -> None:
    """Put instances, in increasing order, into a set of bits."""
    place = 0
    word = np.uint64(0)
    for member in members:
        if member >> 6 != place:
            # A word is written when it is complete, as this takes longer than all the rest.
            bits[place] |= word
            place = member >> 6
            word = np.uint64(0)
        word |= one << np.uint64(member & 63)
    if len(members):
        bits[place] |= word


@compiled
def to_members(bits: BitArray, n_instances: int) -> IntArray:
    """A set of bits as instance numbers."""
    members = np.empty(n_instances, np.int32)
    n_members = 0
    for word in range(len(bits)):
        left = bits[word]
        while left:
            members[n_members] = 64 * word + _lowest_one(left)
            n_members += 1
            left &= left - np.uint64(1)
    return members[:n_members].copy()


@compiled
def nth_unset(bits: BitArray, n: int) -> int:
    """The n-th instance, counted from zero, that is not in the set.

    There must be one: bits beyond the last instance are unset too.
    """
    for word in range(len(bits)):
        left = ~bits[word]
        n_unset = count_ones(left)
        if n < n_unset:
            for _ in range(n):
                left &= left - np.uint64(1)
            return 64 * word + _lowest_one(left)
        n -= n_unset
    return -1


@compiled
def _lowest_one(word: np.uint64) -> int:
    """The place of the lowest set bit of a word that has one."""
    return count_ones((word & (~word + np.uint64(1))) - np.uint64(1))


@compiled
def count_ones(word: np.uint64) -> int:
    """How many bits of a word are set, by adding neighbouring groups of bits."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled
def pack_marked(marks: MaskArray, bits: BitArray) -> None:
    """Write a mark of 0 or 1 for each instance as a set of bits."""
    words = marks.view(np.uint64)
    for place in range(len(bits)):
        bits[place] = 0
        for byte in range(8):
            # This multiplication moves the lowest bits of all bytes into the highest byte.
            packed = (words[8 * place + byte] * np.uint64(0x0102040810204080)) >> np.uint64(56)
            bits[place] |= packed << np.uint64(8 * byte)
