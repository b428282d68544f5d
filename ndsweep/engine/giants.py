"""Grids with few mines: nearly all cells of hint 0 are in one giant region, and few are left for others.

The giant is flooded, in bits; the cells that are left are joined by their places alone.  That takes
a fraction of what labels take, the less the more axes there are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import prod
from operator import mul

import numpy as np

from ndsweep.engine.boxes import rows_of
from ndsweep.engine.grid import Bools
from ndsweep.engine.labels import Ints, Labels, components, label
from ndsweep.engine.sweeps import LEAST_SLAB, Sweeps, count, unpacked

_LARGE = 1 << 17  # cells; labels of a smaller grid take as long as looking for a giant
_SAMPLE = 64  # a giant is looked for in so small a part of the grid, but not in fewer cells than
_SAMPLED = 1 << 15
_MOST = 0.8  # of the cells there, those that the largest region holds if it is a giant
_SWEEPS = 8  # a region that winds more is labelled as fast
_FEW = 100  # of so many cells, one may be left that is not in the giant
_FEWER = 1000  # a sweep that finds no more than one of so many is the last; single cells are joined as fast


@dataclass(eq=False)
class Giant:
    """The regions of a mask, one of which is a giant.

    Attributes
    ----------
    sweeps : Sweeps
        The mask, as bits.
    rows : list of int
        The slabs of most of the giant, as bits.
    cells : (k,) int64 array
        The places among the bits of all other cells, in order.
    region : (k,) int64 array
        The number of the region of each, in order of the regions' first cells from 0 on.
    number : int
        That of the giant.
    count : int
        How many regions there are.
    """

    sweeps: Sweeps
    rows: list[int]
    cells: Ints
    region: Ints
    number: int
    count: int

    def sizes(self) -> Ints:
        """Cells of each region, in C order of the regions' first cells."""
        sizes = np.bincount(self.region, minlength=self.count)
        sizes[self.number] += count(self.rows)
        return sizes

    def labels(self) -> tuple[Labels, int]:
        """Numbers the regions from 1 on, in C order of their first cells; 0 elsewhere."""
        labels = np.empty((len(self.rows), *self.sweeps.slab), dtype=np.int32)
        for block in self.sweeps.blocks:
            giant = unpacked(self.rows[block], self.sweeps.slab)
            np.multiply(giant.view(np.uint8), np.int32(self.number + 1), out=labels[block])
        walled = len(self.rows), *(n + 1 for n in self.sweeps.slab)
        labels[np.unravel_index(self.cells, walled)] = self.region + 1
        return labels, self.count


def giant_of(shape: tuple[int, ...], mask: Callable[[slice], Bools]) -> Giant | None:
    """The regions of a mask if one of them is a giant; ``mask`` gives some slabs of the first axis."""
    if prod(shape) < _LARGE or prod(shape[1:]) < LEAST_SLAB:
        return None
    cell = _largest(shape, mask)
    if cell is None:
        return None
    sweeps = Sweeps(shape, mask)
    rows = sweeps.region(cell, _SWEEPS, prod(shape) // _FEWER)
    if rows is None or count(sweeps.passable) - count(rows) > prod(shape) // _FEW:
        return None
    return Giant(sweeps, rows, *_numbered(sweeps, rows))


def _numbered(sweeps: Sweeps, rows: list[int]) -> tuple[Ints, Ints, int, int]:
    """The cells that are not in most of the giant, their regions, the number of the giant and of all regions."""
    left = [free & ~own for free, own in zip(sweeps.passable, rows, strict=True)]
    touched = [row & near for row, near in zip(left, sweeps.near(rows), strict=True)]
    cells = _places(left, sweeps)
    region, groups = components(len(cells), _contacts(cells, [sweeps.bits, *sweeps.strides]))
    slab, row = next((slab, row) for slab, row in enumerate(rows) if row)
    first = slab * sweeps.bits + (row & -row).bit_length() - 1
    own = np.zeros(groups, dtype=np.bool_)  # the groups that belong to the giant
    own[region[np.searchsorted(cells, _places(touched, sweeps))]] = True
    mine = own[region]
    begin = min(first, int(cells[mine.argmax()])) if mine.any() else first
    number = int(region[: np.searchsorted(cells, begin)].max(initial=-1)) + 1
    numbers = np.cumsum(~own) - 1
    numbers += numbers >= number
    numbers[own] = number
    return cells, numbers[region], number, int(groups - own.sum()) + 1


def _largest(shape: tuple[int, ...], mask: Callable[[slice], Bools]) -> tuple[int, ...] | None:
    """A cell of the largest region of some slabs, if it holds most of their cells."""
    blocks = rows_of(shape, max(prod(shape) // _SAMPLE, _SAMPLED))
    rows = blocks[len(blocks) // 2]
    labels, _ = label(mask(rows))
    sizes = np.bincount(labels.reshape(-1))[1:]
    if not sizes.size or sizes.max() < _MOST * sizes.sum():
        return None
    first, *further = np.unravel_index(int((labels == sizes.argmax() + 1).argmax()), labels.shape)
    return int(first) + rows.start, *map(int, further)


def _places(rows: list[int], sweeps: Sweeps) -> Ints:
    """The places of all bits that are set, in order."""
    size = (sweeps.bits + 7) // 8
    found = [np.zeros(0, dtype=np.int64)]
    for block in sweeps.blocks:
        data = np.frombuffer(b"".join(row.to_bytes(size, "little") for row in rows[block]), dtype=np.uint8)
        nonzero = np.flatnonzero(data)
        each, bit = np.nonzero(np.unpackbits(data[nonzero, None], axis=1, bitorder="little"))
        slab, byte = np.divmod(nonzero[each], size)
        found.append((slab + block.start) * sweeps.bits + 8 * byte + bit)
    return np.concatenate(found)


def _contacts(cells: Ints, strides: list[int]) -> Ints:
    """The pairs of neighbouring cells, as indices, from their places in order, (2, pairs)."""
    found = [np.zeros((2, 0), dtype=np.int64)]
    steps = {sum(map(mul, step, strides)) for step in product((-1, 0, 1), repeat=len(strides))}
    for step in steps:
        if step > 0:
            near = np.searchsorted(cells, cells + step)
            near[near == len(cells)] = 0
            touch = np.flatnonzero(cells[near] == cells + step)
            found.append(np.stack([touch, near[touch]]))
    return np.concatenate(found, axis=1)
