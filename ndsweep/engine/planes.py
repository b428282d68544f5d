"""Bit planes: one bit of one cell for many games, 64 games a word, in any dimension.

A plane is a flat uint64 array.  Each word of games owns a contiguous line of cells, laid
out in C order with one shared wall cell at the end of every line of every axis and a
margin of wall in front; so every neighbour is one constant offset in the flat array, and
a neighbourhood operation on all games is a few contiguous loops.  docs/layout.md states
the layout; this module is the only place that knows it.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product
from math import prod
from operator import mul
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import ALL, ONE, Ints, Words, bounded_end

_Item = TypeVar("_Item", bound=np.generic)

LANES = 64
_BYTE = 255


class Layout:
    """Where the cells of a grid lie in the line of one word of games.

    Attributes
    ----------
    strides : tuple of int
        Offset of a neighbour along each axis of size 2 or more.
    reach : int
        The largest offset between two neighbours, the sum of the strides.
    width : int
        Length of the line of one word, walls included.
    positions : (size,) int64 array
        The place in the line of each cell, cells in C order.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.size = prod(shape)
        sizes = [n for n in shape if n > 1]
        self.strides = tuple(prod(m + 1 for m in sizes[d + 1 :]) for d in range(len(sizes)))
        self.reach = sum(self.strides)
        self.width = self.reach + 1 + sum((n - 1) * s for n, s in zip(sizes, self.strides, strict=True))

    @cached_property
    def positions(self) -> Ints:
        places = np.full((1,), self.reach, dtype=np.int64)
        for n, stride in zip((n for n in self.shape if n > 1), self.strides, strict=True):
            places = np.add.outer(places, np.arange(n) * stride)
        return places.reshape(-1)

    @cached_property
    def places(self) -> Ints:
        """``positions``, and a wall for each draw of a cell that is rejected."""
        return np.append(self.positions, np.zeros(bounded_end(self.size) - self.size, dtype=np.int64))

    @cached_property
    def offsets(self) -> Ints:
        """How far each neighbour of a cell is away in the line: 3**n - 1 of them where n axes are longer than 1."""
        steps = (sum(map(mul, step, self.strides)) for step in product((-1, 0, 1), repeat=len(self.strides)))
        return np.array([step for step in steps if step], dtype=np.int64)

    @cached_property
    def grid(self) -> Words:
        """One line with all bits set on cells and none on walls."""
        line = np.zeros(self.width, dtype=np.uint64)
        line[self.positions] = ALL
        return line

    # Planes ---------------------------------------------------------------------------

    def plane(self, words: int, fill: int | np.uint64 = 0) -> Words:
        """A new plane for ``words`` words of games.

        It ends in ``reach`` words of wall more, so that a shift by any offset stays inside.
        """
        return np.full(words * self.width + self.reach, fill, dtype=np.uint64)

    def lines(self, plane: npt.NDArray[_Item]) -> npt.NDArray[_Item]:
        """The plane as a (words, width) view without the wall at its end."""
        words = (plane.size - self.reach) // self.width
        return plane[: words * self.width].reshape(words, self.width)

    def cells_of(self, plane: npt.NDArray[_Item]) -> npt.NDArray[_Item]:
        """The cells of a plane as a (words, *shape) view without the walls."""
        return self.without_walls(self.lines(plane))

    def without_walls(self, lines: npt.NDArray[_Item]) -> npt.NDArray[_Item]:
        """The cells of lines of ``width`` items, (lines, *shape)."""
        cells, strides = lines[:, self.reach :], iter(self.strides)
        steps = [lines.itemsize * next(strides) if n > 1 else 0 for n in self.shape]
        return np.lib.stride_tricks.as_strided(cells, (len(cells), *self.shape), (lines.strides[0], *steps))

    def write(self, plane: Words, cells: Words, word: int = 0) -> None:
        """Sets the bits of ``cells``, (words, size), from the given word of the plane on."""
        part = self.cells_of(plane)[word : word + cells.shape[0]]
        np.bitwise_or(part, cells.reshape(-1, *self.shape), out=part)

    def spread(self, join: np.ufunc, plane: Words, out: Words, scratch: Words, skip: int | None = None) -> Words:
        """Joins every cell with its neighbours: OR dilates the plane, AND erodes it.

        Separable, two calls an axis; ``skip`` leaves out one of ``strides``.  The walls of
        ``plane`` must be neutral (0 for OR, 1 for AND); the walls of ``out`` are left without
        meaning.  ``plane`` may be ``out``.
        """
        passes = self.passes(plane, out, scratch, skip)
        for one, other, joined in passes:
            join(one, other, joined)
        if not passes and plane is not out:  # no axis at all
            np.copyto(out, plane)
        return out

    def passes(
        self, plane: Words, out: Words, scratch: Words, skip: int | None = None
    ) -> list[tuple[Words, Words, Words]]:
        """What is joined with what in a `spread`, and where that is written, pass by pass."""
        source, n, passes = plane, plane.size, []
        for axis in reversed(range(len(self.strides))):
            if axis != skip:
                s = self.strides[axis]
                passes.append((source[:-s], source[s:], scratch[: n - s]))
                passes.append((scratch[: n - 2 * s], scratch[s : n - s], out[s:-s]))
                source = out
        return passes

    def add_up(self, plane: npt.NDArray[_Item]) -> npt.NDArray[_Item]:
        """The sum over every cell and its neighbours, of a plane of numbers instead of bits; its walls must be 0."""
        total = plane
        for s in reversed(self.strides):
            out = np.empty_like(plane)
            out[:s] = out[-s:] = 0
            np.add(total[: -2 * s], total[2 * s :], out=out[s:-s])
            total = np.add(out, total, out=out)
        return total

    # Between planes and boolean arrays -------------------------------------------------

    def pack(self, cells: npt.NDArray[np.bool_]) -> Words:
        """A (games, size) boolean array as a plane; the lanes past the last game stay 0."""
        games = cells.shape[0]
        padded = np.zeros((self.size, word_count(games) * LANES), dtype=np.uint8)
        padded[:, :games] = cells.T
        packed = np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64, copy=False)
        plane = self.plane(packed.shape[1])
        self.write(plane, packed.T)
        return plane

    def octets(self, plane: Words, start: int = 0, stop: int | None = None) -> npt.NDArray[np.uint8]:
        """Words start .. stop-1 of a plane as a (size, lanes) array of zeros and ones."""
        cells = np.moveaxis(self.cells_of(plane)[start:stop], 0, -1).reshape(self.size, -1)
        packed = np.ascontiguousarray(cells).astype("<u8", copy=False).view(np.uint8)
        return np.unpackbits(packed, axis=1, bitorder="little")

    def boards(self, plane: Words) -> npt.NDArray[np.uint8]:
        """A plane as (lanes, *shape) zeros and ones, a board a lane: a view without the walls."""
        units = self.units(plane)
        return self.without_walls(units[: units.size - self.reach].reshape(-1, self.width))

    def units(self, plane: Words) -> npt.NDArray[np.uint8]:
        """A plane as zeros and ones: flat, a line of ``width`` for each lane, then ``reach`` of wall.

        Bytes of eight lanes change places with cells before they are taken apart: four times as
        fast as single bits.
        """
        lines = self.lines(plane).astype("<u8", copy=False)
        words, size = lines.shape[0], lines.size * LANES
        octets = np.ascontiguousarray(lines.view(np.uint8).reshape(words, self.width, 8).transpose(0, 2, 1))
        units = np.empty(size + self.reach, dtype=np.uint8)
        units[size:] = 0
        bits = units[:size].reshape(words, 8, 8, self.width)
        for bit in range(8):
            np.right_shift(octets, bit, out=bits[:, :, bit])
        np.bitwise_and(bits, 1, out=bits)
        return units

    def from_units(self, units: npt.NDArray[np.uint8]) -> Words:
        """The plane of (lanes, width) zeros and ones, lanes a multiple of 64: the inverse of ``units``."""
        words = units.shape[0] // LANES
        bits = units.reshape(words, 8, 8, self.width)
        octets = bits[:, :, 0].copy()
        for bit in range(1, 8):
            octets |= bits[:, :, bit] << bit
        plane = self.plane(words)
        plane[: words * self.width] = np.ascontiguousarray(octets.transpose(0, 2, 1)).view("<u8").reshape(-1)
        return plane

    def unpack(self, plane: Words, lanes: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
        """The chosen lanes of a plane as a (lanes, size) boolean array."""
        return self.columns(plane, lanes)[:, self.positions]

    def gather(self, plane: Words, lanes: npt.NDArray[np.integer], fill: int | np.uint64 = 0) -> Words:
        """A new plane of the chosen lanes, side by side, with walls of ``fill`` (0 or all bits).

        Walls are set in every lane, used or not: the last cells of a word look into the
        margin of the next one.
        """
        words = word_count(lanes.size)
        octets = np.zeros((words * LANES, self.width), dtype=np.uint8)
        octets[: lanes.size] = self.columns(plane, lanes)
        by_cell = np.ascontiguousarray(octets.reshape(words, LANES, self.width).transpose(0, 2, 1))
        gathered = self.plane(words, fill)
        packed = np.packbits(by_cell, axis=2, bitorder="little").view("<u8")[:, :, 0]
        np.bitwise_or(packed, ~self.grid & np.uint64(fill), out=self.lines(gathered))
        return gathered

    def columns(self, plane: Words, lanes: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
        """The chosen lanes of a plane as a (lanes, width) boolean array, walls included."""
        octets = self.lines(plane).astype("<u8", copy=False).view(np.uint8).reshape(-1, self.width, 8)
        column = octets[lanes // LANES, :, lanes % LANES // 8]
        column &= (1 << (lanes % 8)).astype(np.uint8)[:, None]
        bits: npt.NDArray[np.bool_] = column != 0
        return bits


def expand(mask: Words, lines: Words) -> None:
    """Writes a mask of one bit a game to every cell of a plane."""
    np.copyto(lines, mask[:, None])


def set_bits(plane: Words, places: Ints, lanes: Ints) -> None:
    """Sets one bit for each pair of a flat place and a lane; all must be clear and distinct.

    Adding is OR on clear bits, and `numpy.add.at` is five times faster than `bitwise_or.at`.
    """
    np.add.at(plane, places, lane_bits(lanes))


def get_bits(plane: Words, places: Ints, lanes: Ints) -> npt.NDArray[np.bool_]:
    """The bit of each lane at each flat place."""
    bits: npt.NDArray[np.bool_] = (plane.take(places) & lane_bits(lanes)) != 0
    return bits


def count_bits(words: Words) -> int:
    """How many bits are set."""
    return int(np.bitwise_count(words).sum(dtype=np.int64))


def count_lanes(lines: Words) -> Ints:
    """How many cells are set in each lane."""
    octets = np.ascontiguousarray(lines.T).astype("<u8", copy=False).view(np.uint8)
    totals = np.zeros(lines.shape[0] * LANES, dtype=np.int64)
    for start in range(0, len(octets), _BYTE):  # unpacked a little at a time, they stay in cache
        totals += add_octets(np.unpackbits(octets[start : start + _BYTE], axis=1, bitorder="little"))
    return totals


def add_octets(bits: npt.NDArray[np.uint8]) -> Ints:
    """The sums over the first axis of (cells, lanes) zeros and ones."""
    totals = np.zeros(bits.shape[1], dtype=np.int64)
    for start in range(0, len(bits), _BYTE):  # so many ones fit in the byte of a sum
        totals += np.add.reduce(bits[start : start + _BYTE], axis=0, dtype=np.uint8)
    return totals


def word_count(games: int) -> int:
    """How many words hold one bit for each of so many games; one at the least."""
    return max(1, -(-games // LANES))


def lane_bits(lanes: npt.NDArray[np.integer]) -> Words:
    """The bit of each lane within its word."""
    return ONE << (lanes & (LANES - 1)).astype(np.uint64)


def lanes_of(mask: Words) -> Ints:
    """The numbers of the lanes that are set in a mask of one bit a game, ascending."""
    octets = mask.astype("<u8", copy=False).view(np.uint8)
    return np.flatnonzero(np.unpackbits(octets, bitorder="little").view(np.bool_))


def mask_of(lanes: npt.NDArray[np.integer], words: int) -> Words:
    """The mask of one bit a game with these lanes set: the inverse of ``lanes_of``."""
    flags = np.zeros(words * LANES, dtype=np.uint8)
    flags[lanes] = 1
    return np.packbits(flags, bitorder="little").view("<u8").astype(np.uint64, copy=False)
