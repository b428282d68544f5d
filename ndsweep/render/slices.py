"""Where the cells of an n-d grid lie on a flat picture, and which cell lies at a point.

Counted from the last, the axes run right, down, right, down, and so on: a line is a row, a
3-d grid a row of slices, a 4-d grid a table of slices, a 5-d grid a row of such tables.  A row
of slices or tables that is too long can be folded into several.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine.boxes import neighbourhood

Place = tuple[int, ...]
Box = tuple[int, int, int, int]

TITLE = 18
"""Height in pixels of the title above a slice."""

_LETTER = 7  # width of a letter of a title; a slice is never narrower than its title


@dataclass(frozen=True)
class Slices:
    """The arrangement of a grid's slices on a picture.

    Parameters
    ----------
    shape : tuple of int
        Sizes of the axes.
    cell : int
        Edge of a cell in pixels.
    margin : int
        Pixels around everything.
    fold : int
        How many slices or tables stand in a row, in 3, 5, 7 ... axes; 0 for all of them.
    titled : bool
        Whether there is room for the titles of slices.

    Examples
    --------
    >>> slices = Slices((2, 3, 4), cell=20, margin=10)
    >>> slices.box((1, 2, 3))
    (163, 68, 183, 88)
    >>> slices.cell_at(165, 70)
    (1, 2, 3)
    >>> slices.title((1, 0, 0))
    '[1]'
    """

    shape: Place
    cell: int
    margin: int = 16
    fold: int = 0
    titled: bool = True

    # The grid as it is drawn: a folded axis counts as two, rows and places in a row ---------------

    @cached_property
    def _drawn(self) -> Place:
        return (-(-self.shape[0] // self.fold), self.fold, *self.shape[1:]) if self.fold else self.shape

    def _to_drawn(self, place: Place) -> Place:
        return (*divmod(place[0], self.fold), *place[1:]) if self.fold else place

    def _from_drawn(self, place: Place) -> Place | None:
        """The place in the grid; None behind the last one of the last row."""
        if not self.fold:
            return place
        first = place[0] * self.fold + place[1]
        return (first, *place[2:]) if first < self.shape[0] else None

    @cached_property
    def pitches(self) -> Place:
        """Pixels from a cell to the next one along each axis that is drawn."""
        width = height = self.cell
        wide, high = self.cell, self.cell  # pixels that all axes so far take, right and down
        pitches = []
        for level, n in enumerate(reversed(self._drawn)):
            gap = max(self.cell * (level // 2) * 2 // 3, level // 2)
            if level == 2:
                wide = self._slice_width
                high += self._title_height
            if level % 2 == 0:
                width = self.cell if level == 0 else wide + gap
                wide += (n - 1) * width
            else:
                height = self.cell if level == 1 else high + gap
                high += (n - 1) * height
            pitches.append(height if level % 2 else width)
        return tuple(reversed(pitches))

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture.

        Examples
        --------
        >>> Slices((16, 30), cell=20, margin=10).size
        (620, 340)
        """
        _, _, right, bottom = self._box(tuple(n - 1 for n in self._drawn))
        last = right - self.shape[-1] * self.cell  # where the slice begins that is furthest right
        return last + self._slice_width + self.margin, bottom + self.margin

    @property
    def _slice_width(self) -> int:
        letters = len(self.title((0,) * len(self.shape))) if self.titled else 0
        return max(self.shape[-1] * self.cell, _LETTER * letters)

    def box(self, place: Place) -> Box:
        """Left, top, right and bottom of a cell."""
        return self._box(self._to_drawn(place))

    def _box(self, place: Place) -> Box:
        ends = [x * pitch for x, pitch in zip(place, self.pitches, strict=True)]
        left = self.margin + sum(ends[::-1][::2])
        top = self.margin + self._title_height + sum(ends[::-1][1::2])
        return left, top, left + self.cell, top + self.cell

    def cell_at(self, x: float, y: float) -> Place | None:
        """The cell at a point, or None between the slices and outside.

        Examples
        --------
        >>> slices = Slices((16, 30), cell=20, margin=10)
        >>> slices.cell_at(10, 49), slices.cell_at(9, 49)
        ((1, 0), None)
        """
        rest = {0: x - self.margin, 1: y - self.margin - self._title_height}
        place = []
        for axis, (n, pitch) in enumerate(zip(self._drawn, self.pitches, strict=True)):
            way = (len(self._drawn) - 1 - axis) % 2
            index, rest[way] = divmod(rest[way], pitch)
            if not 0 <= index < n:
                return None
            place.append(int(index))
        inside = len(self.shape) > 1 or 0 <= rest[1] < self.cell
        return self._from_drawn(tuple(place)) if inside else None

    def within(self, left: float, top: float, right: float, bottom: float) -> npt.NDArray[np.bool_]:
        """Which cells touch a part of the picture, (grid's shape).

        Examples
        --------
        >>> Slices((2, 3), cell=20, margin=10).within(35, 35, 40, 90).astype(int)
        array([[0, 0, 0],
               [0, 1, 0]])
        """
        lefts, tops = self._corners
        across = (lefts < right) & (lefts + self.cell > left)
        return np.asarray(across & (tops < bottom) & (tops + self.cell > top))

    @property
    def _corners(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Left and top of all cells; each broadcasts to the grid's shape."""
        first, *rest = np.ogrid[tuple(map(slice, self.shape))]
        places = [*divmod(first, self.fold), *rest] if self.fold else [first, *rest]
        ends = [pitch * x for pitch, x in zip(self.pitches, places, strict=True)]
        origin = np.zeros((1,) * len(self.shape), dtype=np.int64)
        lefts = sum(ends[::-1][::2], origin + self.margin)
        return lefts, sum(ends[::-1][1::2], origin + self.margin + self._title_height)

    # Slices --------------------------------------------------------------------------------------

    @property
    def _title_height(self) -> int:
        return TITLE if self.titled and len(self.shape) > 2 else 0

    def title(self, place: Place) -> str:
        """The coordinates of a cell's slice, as its title shows them; none up to 2-d."""
        return f"[{', '.join(map(str, place[:-2]))}]" if len(self.shape) > 2 else ""

    def heads_slice(self, place: Place) -> bool:
        """Whether a cell is the first of a slice that has a title.

        Examples
        --------
        >>> slices = Slices((2, 3, 4), cell=20)
        >>> slices.heads_slice((1, 0, 0)), slices.heads_slice((1, 0, 2))
        (True, False)
        """
        return len(self.shape) > 2 and not any(place[-2:])

    def blocks(self, place: Place) -> Iterator[Box]:
        """The cell and its neighbours: a box in each slice that holds some.

        Examples
        --------
        >>> slices = Slices((3, 3, 3), cell=20, margin=10)
        >>> list(slices.blocks((0, 0, 1)))
        [(10, 28, 70, 68), (83, 28, 143, 68)]
        """
        near = neighbourhood(self.shape, place)
        inner = near[-2:]
        for outer in product(*(range(s.start, s.stop) for s in near[:-2])):
            left, top, _, _ = self.box((*outer, *(s.start for s in inner)))
            _, _, right, bottom = self.box((*outer, *(s.stop - 1 for s in inner)))
            yield left, top, right, bottom

    # Moves of a cursor ---------------------------------------------------------------------------

    def moved(self, place: Place, right: int = 0, down: int = 0, whole: bool = False) -> Place:
        """The cell so many steps further right or down on the picture; beyond the edge the same cell.

        Parameters
        ----------
        place : tuple of int
            Where to start.
        right, down : int
            Steps.
        whole : bool
            Steps of a whole slice in place of a cell.

        Examples
        --------
        >>> slices = Slices((2, 3, 4), cell=20)
        >>> slices.moved((0, 2, 3), right=1), slices.moved((0, 2, 3), right=1, whole=True)
        ((1, 2, 0), (1, 2, 3))
        >>> slices.moved((0, 2, 3), down=1)
        (0, 2, 3)
        """
        axes = list(range(len(self._drawn) - 2 * whole))
        drawn = _counted(self._drawn, self._to_drawn(place), axes[::-1][::2][::-1], right)
        moved = self._from_drawn(_counted(self._drawn, drawn, axes[::-1][1::2][::-1], down))
        return place if moved is None else moved

    def turned(self, place: Place, slices: int) -> Place:
        """The same place so many slices later, in the order of their titles.

        Examples
        --------
        >>> Slices((2, 3, 4, 4), cell=20).turned((0, 2, 1, 1), 1)
        (1, 0, 1, 1)
        """
        return _counted(self.shape, place, list(range(len(self.shape) - 2)), slices)


def _counted(shape: Place, place: Place, axes: list[int], steps: int) -> Place:
    """The place some steps on, counting through these axes like digits of a number."""
    sizes = tuple(shape[axis] for axis in axes)
    if not axes or not steps:
        return place
    index = int(np.ravel_multi_index(tuple(place[axis] for axis in axes), sizes)) + steps
    if not 0 <= index < prod(sizes):
        return place
    digits = dict(zip(axes, map(int, np.unravel_index(index, sizes)), strict=True))
    return tuple(digits.get(axis, x) for axis, x in enumerate(place))


def folded(shape: Place, cell: int, width: int, titled: bool = True) -> Slices:
    """The arrangement in which rows of slices are no wider than there is room, and equally long.

    Parameters
    ----------
    shape : tuple of int
        Sizes of the axes.
    cell : int
        Edge of a cell in pixels.
    width : int
        The room in pixels.
    titled : bool
        As of `Slices`.

    Examples
    --------
    >>> folded((8, 8, 8), cell=22, width=1088).fold, folded((8, 8, 8), cell=22, width=2000).fold
    (4, 0)
    """
    slices = Slices(shape, cell, titled=titled)
    if len(shape) % 2 == 0 or len(shape) < 3 or slices.size[0] <= width:
        return slices
    fit = max((width - Slices((1, *shape[1:]), cell, titled=titled).size[0]) // slices.pitches[0] + 1, 1)
    rows = -(-shape[0] // fit)
    return Slices(shape, cell, fold=-(-shape[0] // rows), titled=titled)
