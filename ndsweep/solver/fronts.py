"""Front: the unknown cells that numbers see, in groups of cells that the same numbers see."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.checks import check_memory
from ndsweep.engine.planes import Layout
from ndsweep.engine.streams import Ints, Words, mix
from ndsweep.solver.residue import Residue, count_dtype

Values = npt.NDArray[Any]

_MANY = 1 << 24  # pairs of neighbours, of which it is worth asking for how much memory there is


@dataclass(frozen=True, eq=False)
class Front:
    """The groups and numbers of many positions.

    Attributes
    ----------
    cells, group : (cells,) int64 arrays
        The places of the cells of the front in the plane, and the group of each.
    size, position : (groups,) int64 arrays
        How many cells a group has, and whose position it is.
    numbers, lacks, near : (numbers,) int64 arrays
        The places of the numbers that see unknown cells, how many mines each lacks (as far as
        that can be), how many unknown cells it sees.
    by_group, by_number : (pairs,) int64 arrays
        Which group is seen by which number, in the order of the groups.
    free : (k,) int64 array
        How many unknown cells of each position no number sees.
    wrong : (k,) bool array
        Whether a position has a number that lacks less than no mine, or more than it sees cells.

    Examples
    --------
    >>> from ndsweep.solver.residue import residue_of
    >>> front = front_of(residue_of(np.array([[1, -1, 1, -1, -1]]), np.array([2])))
    >>> front.size, front.free
    (array([1, 1]), array([1]))
    """

    cells: Ints
    group: Ints
    size: Ints
    position: Ints
    numbers: Ints
    lacks: Ints
    near: Ints
    by_group: Ints
    by_number: Ints
    free: Ints
    wrong: npt.NDArray[np.bool_]

    def spread_out(self, residue: Residue, of_groups: Values, of_free: Values) -> Values:
        """A plane with the value of its group on each cell of the front, that of its position on other unknown ones."""
        plane = np.empty(residue.unknown.size, dtype=of_groups.dtype)
        lines = residue.layout.lines
        lines(plane)[...] = np.where(lines(residue.unknown), of_free[:, None], np.nan)
        plane[lines(plane).size :] = np.nan
        plane[self.cells] = of_groups[self.group]
        return plane

    def groups_at(self, cells: int) -> Ints:
        """A plane of so many cells with the group of each cell of the front, elsewhere -1."""
        plane = np.full(cells, -1, dtype=np.int64)
        plane[self.cells] = self.group
        return plane


def front_of(residue: Residue) -> Front:
    """The front of each position.

    Every number of a position has a name, 64 random bits.  The sum of the names that a cell
    sees names the set of those numbers: equal sums make a group.

    Examples
    --------
    >>> from ndsweep.solver.residue import residue_of
    >>> front_of(residue_of(np.array([[2, -1, -1]]), np.array([2]))).wrong
    array([ True])
    """
    layout, unknown = residue.layout, residue.unknown
    near = layout.add_up(unknown.astype(count_dtype(layout)))
    wrong = residue.number & ((residue.lacks < 0) | (residue.lacks > near))
    number = residue.number & (near > 0)
    seen = layout.add_up(number.astype(count_dtype(layout))) > 0
    cells = np.flatnonzero(unknown & seen)
    position = cells // layout.width
    keys = _sums_of_names(layout, number, cells)
    order = _by_position(position, keys, len(residue))
    cells, position, keys = cells[order], position[order], keys[order]
    first = np.ones(cells.size, dtype=np.bool_)
    first[1:] = (keys[1:] != keys[:-1]) | (position[1:] != position[:-1])
    starts = np.flatnonzero(first)
    by_group, places = _numbers_around(layout, number, cells[starts])
    numbers = np.flatnonzero(number)
    index = np.empty(number.size, dtype=np.int64)
    index[numbers] = np.arange(numbers.size)
    return Front(
        cells=cells,
        group=np.cumsum(first) - 1,
        size=np.diff(starts, append=cells.size),
        position=position[starts],
        numbers=numbers,
        lacks=np.clip(residue.lacks[numbers].astype(np.int64), 0, near[numbers]),
        near=near[numbers].astype(np.int64),
        by_group=by_group,
        by_number=index[places],
        free=layout.lines(unknown).sum(axis=1) - np.bincount(position, minlength=len(residue)),
        wrong=np.asarray(layout.lines(wrong).any(axis=1)),
    )


def _by_position(position: Ints, keys: Words, positions: int) -> Ints:
    """An order by position and key; keys that agree in their high bits alone may come in any order.

    It is the same for a position among others and for one alone, and so are its groups.
    """
    bits = np.uint64(max(1, positions - 1).bit_length())
    return np.argsort((keys >> bits) | (position.astype(np.uint64) << (np.uint64(64) - bits)))


def _numbers_around(layout: Layout, number: npt.NDArray[np.bool_], cells: Ints) -> tuple[Ints, Ints]:
    """The numbers that see each of some cells: the index of the cell and the place of the number."""
    many = cells.size * layout.offsets.size
    if many > _MANY:
        check_memory(f"the neighbours of {cells.size} cells in {len(layout.shape)} dimensions", 9 * many)
    around = cells[:, None] + layout.offsets
    pairs = np.flatnonzero(number.take(around))
    return pairs // max(layout.offsets.size, 1), around.reshape(-1)[pairs]


def _sums_of_names(layout: Layout, number: npt.NDArray[np.bool_], cells: Ints) -> Words:
    """The sum of the names of all numbers that see each cell; one at least does."""
    cell, places = _numbers_around(layout, number, cells)
    names = _names(layout.width)[places % layout.width]
    return np.add.reduceat(names, np.searchsorted(cell, np.arange(cells.size))) if cells.size else names


@lru_cache(maxsize=16)
def _names(width: int) -> Words:
    """A name for each place of a line, the same in every run."""
    return mix(np.arange(1, width + 1, dtype=np.uint64))
