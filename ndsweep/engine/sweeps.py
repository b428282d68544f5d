"""The connected region of a cell by sweeps over rows of bits: many times faster than labels where it hardly winds.

A slab of the grid along the first axis is one Python integer, a bit a cell, with a wall after
each line of each axis (see `planes`).  A sweep goes through the slabs once, up or down, and
carries what is found on to the next; an addition carries it along the lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

import numpy as np

from ndsweep.engine.grid import Bools

_MOST_SWEEPS = 64
_BLOCK = 1 << 22  # cells that are read, or given out, at a time
LEAST_SLAB = 256  # cells; below that the calls of a sweep cost more than labels do


class Sweeps:
    """A flood over a whole grid, or a part of one, that is read and given out some slabs at a time.

    Parameters
    ----------
    shape : tuple of int
        Sizes of the axes.
    passable : callable
        Gives the mask of some slabs, from a slice of the first axis.
    """

    def __init__(self, shape: tuple[int, ...], passable: Callable[[slice], Bools]) -> None:
        self.slab = shape[1:]
        self.strides = [prod(n + 1 for n in self.slab[axis + 1 :]) for axis in range(len(self.slab))]
        self.bits = prod(n + 1 for n in self.slab)  # of a slab, walls included
        block = max(_BLOCK // prod(self.slab), 1)
        self.blocks = [slice(first, min(first + block, shape[0])) for first in range(0, shape[0], block)]
        self.passable = [row for block in self.blocks for row in _packed(passable(block))]

    def region(self, cell: tuple[int, ...], most: int, few: int = 0) -> list[int] | None:
        """The slabs of the connected region of a cell; None if it winds too much for so many sweeps.

        It may lack some cells if a sweep that finds no more than a ``few`` is the last.
        """
        found = [0] * len(self.passable)
        found[cell[0]] = 1 << sum(x * stride for x, stride in zip(cell[1:], self.strides, strict=True))
        order, quiet, known = range(len(found)), 0, 0
        for _ in range(most):
            quiet = 0 if _sweep(self.passable, found, order, self.strides) else quiet + 1
            if quiet == 2:
                return found
            if few:
                now = count(found)
                if now - known <= few:
                    return found
                known = now
            order = order[::-1]
        return None

    def near(self, rows: list[int]) -> list[int]:
        """The slabs of some cells and all their neighbours; beyond a wall they may hold more."""
        padded = [0, *rows, 0]
        return [_spread(a | b | c, self.strides) for a, b, c in zip(padded, padded[1:], padded[2:], strict=False)]

    def flood(self, cell: tuple[int, ...]) -> Iterator[tuple[slice, Bools]] | None:
        """Slabs, and what is reached of each: the region of a cell and its neighbours; None if it winds too much."""
        found = self.region(cell, _MOST_SWEEPS)
        return None if found is None else self._reached([0, *found, 0])

    def _reached(self, rows: list[int]) -> Iterator[tuple[slice, Bools]]:
        for block in self.blocks:
            near = rows[block.start : block.stop + 2]
            if any(near):
                joined = [a | b | c for a, b, c in zip(near, near[1:], near[2:], strict=False)]
                yield block, unpacked([_spread(row, self.strides) for row in joined], self.slab)


def count(rows: list[int]) -> int:
    """How many cells some slabs hold."""
    return sum(row.bit_count() for row in rows)


def _sweep(passable: list[int], found: list[int], order: range, strides: list[int]) -> bool:
    """Carries what is found from slab to slab; whether more was found."""
    more, before = False, 0
    for place in order:
        free, own = passable[place], found[place]
        if own != free and (before or own):
            near = _spread(before | own, strides) & free
            near |= free & ~(free + near)  # the carry runs through the free cells of a line up to its wall
            if near != own:
                found[place], more = near, True
        before = found[place]
    return more


def _spread(row: int, strides: list[int]) -> int:
    for stride in strides:
        row |= row << stride | row >> stride
    return row


def _packed(mask: Bools) -> list[int]:
    """Each slab of a mask as an integer, with walls."""
    walled = np.zeros((len(mask), *(n + 1 for n in mask.shape[1:])), dtype=np.bool_)
    walled[tuple(slice(0, n) for n in mask.shape)] = mask
    packed = np.packbits(walled.reshape(len(mask), -1), axis=1, bitorder="little")
    return [int.from_bytes(row, "little") for row in packed]


def unpacked(rows: list[int], slab: tuple[int, ...]) -> Bools:
    """The mask of slabs of this shape that are integers."""
    walled = tuple(n + 1 for n in slab)
    bits = prod(walled)
    size = (2 * bits + 7) // 8  # what spread beyond the last wall is cut off
    data = b"".join(row.to_bytes(size, "little") for row in rows)
    packed = np.frombuffer(data, dtype=np.uint8).reshape(len(rows), -1)
    mask = np.unpackbits(packed, axis=1, count=bits, bitorder="little").view(np.bool_)
    return mask.reshape(len(rows), *walled)[(slice(None), *(slice(0, n) for n in slab))]
