"""Classes of cells: what lies around a cell, and how much of it is kept free of mines for a first click.

Neighbourhoods are boxes, and so is what a first click keeps free.  What matters is therefore
known axis by axis, and cells, or pairs of a cell and a first cell, are counted by class on each
axis and then multiplied: no loop over cells, whatever the sizes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import NamedTuple, TypeVar

_SIGHT = 2  # the neighbours of neighbours


class Axis(NamedTuple):
    """What a cell sees on one axis, two cells far."""

    before: int  # cells before it, at most 2
    after: int  # cells after it, at most 2
    kept: tuple[int, ...]  # first and last offset kept free by the first click; () for none in sight

    def oriented(self) -> Axis:
        """The one of two mirror images that stands for both."""
        return min(self, Axis(self.after, self.before, tuple(-offset for offset in reversed(self.kept))))


class Places(NamedTuple):
    """The cells and first cells that are counted, on one axis."""

    size: int
    radius: int | None  # how far a first click keeps cells free: 0, 1, or None for not at all
    cell: int | None  # None for every cell
    first: int | None  # None for every first cell

    def classes(self) -> Counter[tuple[Axis, int]]:
        """How many pairs of a cell and a first cell have what in sight, and so many places kept free."""
        if self.radius is None:
            return Counter({(self._axis(cell, None), 0): many for cell, many in self._cells(None)})
        classes: Counter[tuple[Axis, int]] = Counter()
        for first, firsts in self._firsts():
            kept = min(first + self.radius, self.size - 1) - max(first - self.radius, 0) + 1
            for cell, many in self._cells(first):
                classes[self._axis(cell, first), kept] += firsts * many
        return classes

    def _firsts(self) -> Iterable[tuple[int, int]]:
        """First cells with how many are like them: far from both ends they see, and are seen by, the same."""
        if self.first is not None:
            return [(self.first, 1)]
        return _grouped(self.size, [*_ends(self.size, 2 * _SIGHT + 1), *_near(self.cell)])

    def _cells(self, first: int | None) -> Iterable[tuple[int, int]]:
        """Cells with how many are like them."""
        if self.cell is not None:
            return [(self.cell, 1)]
        return _grouped(self.size, [*_ends(self.size, _SIGHT), *_near(first)])

    def _axis(self, cell: int, first: int | None) -> Axis:
        before, after = min(cell, _SIGHT), min(self.size - 1 - cell, _SIGHT)
        kept: tuple[int, ...] = ()
        if first is not None and self.radius is not None:
            low, high = max(first - self.radius - cell, -before), min(first + self.radius - cell, after)
            kept = (low, high) if low <= high else ()
        return Axis(before, after, kept)


def _ends(size: int, depth: int) -> list[int]:
    return [*range(depth), *range(size - depth, size)]


def _near(place: int | None) -> Iterable[int]:
    """The places from which something that is kept free around a place may be in sight, or the other way."""
    return [] if place is None else range(place - _SIGHT - 1, place + _SIGHT + 2)


def _grouped(size: int, special: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Each special place within the size, and one of the others, which are alike, with their number."""
    listed = {place for place in special if 0 <= place < size}
    yield from ((place, 1) for place in listed)
    if len(listed) < size:
        yield next(place for place in count() if place not in listed), size - len(listed)


A = TypeVar("A")


def _folded(axes: Iterable[Places], start: A, join: Callable[[A, Axis, int], A]) -> Counter[A]:
    """The classes of whole cells from those of each axis."""
    classes = Counter({start: 1})
    for places in axes:
        joined: Counter[A] = Counter()
        for (axis, kept), many in places.classes().items():
            for left, times in classes.items():
                joined[join(left, axis, kept)] += times * many
        classes = joined
    return classes


# What is asked of classes -------------------------------------------------------------------


Sight = tuple[Axis, ...]


def sights(axes: Iterable[Places]) -> Counter[tuple[Sight, int]]:
    """How many pairs of a cell and a first cell have what in sight, and so many cells kept free in all.

    Axes may be swapped and mirrored; where nothing is kept free on one axis, nothing is on any.
    """

    def join(left: tuple[Sight, int], axis: Axis, kept: int) -> tuple[Sight, int]:
        sight = [*left[0], axis]
        if not all(axis.kept for axis in sight):
            sight = [axis._replace(kept=()) for axis in sight]
        return tuple(sorted(axis.oriented() for axis in sight)), left[1] * kept

    return _folded(axes, ((), 1), join)


class Near(NamedTuple):
    """What may hold mines in and beside a cell."""

    cell: int  # 1, or 0 where the cell itself is kept free
    neighbours: int  # those that are not kept free
    kept: int  # cells of the grid that are kept free


def nears(axes: Iterable[Places]) -> Counter[Near]:
    """How many pairs of a cell and a first cell leave so many neighbours that may hold mines."""

    def join(left: tuple[int, int, bool, int], axis: Axis, kept: int) -> tuple[int, int, bool, int]:
        low, high = -min(axis.before, 1), min(axis.after, 1)
        common = max(0, min(high, axis.kept[1]) - max(low, axis.kept[0]) + 1) if axis.kept else 0
        centre = bool(axis.kept) and axis.kept[0] <= 0 <= axis.kept[1]
        return left[0] * (high - low + 1), left[1] * common, left[2] and centre, left[3] * kept

    found: Counter[Near] = Counter()
    for (around, common, centre, kept), many in _folded(axes, (1, 1, True, 1), join).items():
        cell = 1 - centre
        found[Near(cell, around - common - cell, kept)] += many
    return found
