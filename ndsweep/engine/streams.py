"""Random numbers by name: functions of (seed, game, purpose, index), without state.

A stream is the SplitMix64 sequence (Steele, Lea and Flood, "Fast splittable pseudorandom
number generators", OOPSLA 2014) whose start is itself a hash of seed, purpose and game
number.  Word ``i`` of any stream can be computed alone and in any order, so what a game
draws never depends on the games that are played beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache

import numpy as np
import numpy.typing as npt

STREAM_VERSION = 1
"""Changes whenever the same (seed, game) would give another game than before."""

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]

GAMMA = np.uint64(0x9E3779B97F4A7C15)  # SplitMix64: the odd number next to 2**64 / golden ratio
_GAME_GAMMA = np.uint64(0xD1342543DE82EF95)  # odd, and no small multiple of GAMMA
ONE = np.uint64(1)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
_GAMMA_INVERSE = np.uint64(pow(int(GAMMA), -1, 1 << 64))
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)


class Purpose(IntEnum):
    """What a stream is drawn for; each purpose of a game has its own stream."""

    MINES = 0
    FIRST_CELL = 1
    GUESSES = 2
    EXAMPLES = 3


def stream_keys(seed: int, purpose: Purpose, games: npt.ArrayLike) -> Words:
    """The key of one stream for each game number; any Python int is a seed."""
    return keys_of(_bases(seed)[purpose], games)


def keys_of(bases: Words | np.uint64, games: npt.ArrayLike) -> Words:
    """The keys of game numbers, each of the seed that its base stands for."""
    keys: Words = np.asarray(games, dtype=np.uint64) * _GAME_GAMMA
    keys += bases
    return mix(keys)


def stream_bases(seeds: Sequence[int], purpose: Purpose) -> Words:
    """What stands for each seed in the keys of its games."""
    return np.array([_bases.__wrapped__(seed)[purpose] for seed in seeds], dtype=np.uint64)


@lru_cache(maxsize=64)
def _bases(seed: int) -> Words:
    folded = 2 * seed if seed >= 0 else -2 * seed - 1  # SeedSequence takes no negative numbers
    return np.random.SeedSequence(folded).generate_state(len(Purpose), np.uint64).astype(np.uint64)


def first_cells_of(seed: int, games: Ints, size: int) -> Ints:
    """The random first cell of each game."""
    return below(cursors(stream_keys(seed, Purpose.FIRST_CELL, games), 0), size)


def cursors(keys: Words, indices: npt.ArrayLike) -> Words:
    """Where words ``indices`` of the streams stand: the word itself is `mix` of its cursor."""
    return keys + (np.atleast_1d(np.asarray(indices, dtype=np.uint64)) + ONE) * GAMMA


def stride(count: int) -> np.uint64:
    """How far a cursor moves in so many words."""
    return np.uint64(int(GAMMA) * count % (1 << 64))


def words_between(start: Words, stop: Words) -> Ints:
    """How many words lie between two cursors of a stream."""
    return ((stop - start) * _GAMMA_INVERSE).astype(np.int64)


def words(keys: Words, indices: npt.ArrayLike) -> Words:
    """Words ``indices`` of the streams ``keys``; the two broadcast against each other."""
    return mix(cursors(keys, indices))


def draws_per_word(n: int) -> int:
    """How many bounded draws below ``n`` one word holds: 4 of 16 bits, 2 of 32 or 1 of 64."""
    return 4 if n <= 1 << 12 else 2 if n <= 1 << 28 else 1


def bounded(
    source: Words, n: int, out: npt.NDArray[np.unsignedinteger] | None = None
) -> npt.NDArray[np.unsignedinteger]:
    """Uniform integers below ``n``; a draw of ``n`` or more is rejected.

    The words of the last axis are cut into draws, low bits first.  A draw x of b bits gives
    x // q with q = (2**b - 1) // n, so that exactly q draws give each result below n.
    """
    bits = 64 // draws_per_word(n)
    parts = source.astype("<u8", copy=False).view(f"<u{bits // 8}")
    result: npt.NDArray[np.unsignedinteger] = np.floor_divide(parts, ((1 << bits) - 1) // n, out=out)
    return result


def draws(keys: Words, n: int, start: int, count: int) -> npt.NDArray[np.unsignedinteger]:
    """Draws start .. start+count-1 below ``n`` of each stream, rejected ones at ``n`` or above."""
    parts = draws_per_word(n)
    first, last = start // parts, -(-(start + count) // parts)
    drawn = bounded(words(keys[:, None], np.arange(first, last)), n)
    return drawn[:, start - first * parts :][:, :count]


def bounded_dtype(n: int) -> np.dtype[np.unsignedinteger]:
    """The type of the draws that `bounded` gives."""
    return np.dtype(f"u{8 // draws_per_word(n)}")


def bounded_end(n: int) -> int:
    """One more than the largest draw that `bounded` gives, the rejected ones included."""
    last = (1 << 64 // draws_per_word(n)) - 1
    return last // (last // n) + 1


def below(cursor: Words, n: npt.ArrayLike) -> Ints:
    """One uniform integer in 0..n-1 a stream, from the word at the cursor on.

    As `bounded`, with whole words: a rejected one is followed by the next of its stream.
    """
    limit = np.asarray(n, dtype=np.uint64)
    result = mix(cursor.copy()) // (ALL // limit)
    rejected = result >= limit
    if rejected.any():
        limit = np.broadcast_to(limit, cursor.shape)[rejected]
        result[rejected] = below(cursor[rejected] + GAMMA, limit).astype(np.uint64)
    return result.astype(np.int64)


def mix(z: Words, scratch: Words | None = None) -> Words:
    """The SplitMix64 finaliser, in place."""
    scratch = np.right_shift(z, np.uint64(30), out=scratch)
    np.bitwise_xor(z, scratch, out=z)
    np.multiply(z, _MIX_A, out=z)
    np.right_shift(z, np.uint64(27), out=scratch)
    np.bitwise_xor(z, scratch, out=z)
    np.multiply(z, _MIX_B, out=z)
    np.right_shift(z, np.uint64(31), out=scratch)
    np.bitwise_xor(z, scratch, out=z)
    return z
