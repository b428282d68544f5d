"""Best play when the layouts that are left can be listed: which cell wins in most of them.

The search counts layouts in whole numbers.  It knows no grid: cells are columns of a table, so any
dimension and any neighbourhood will do.

Why it need not know the flood, nor which safe cells are open.  Compare two players of whom one has
opened more: that one can play on like the other, skip the cells that are open already, and win
whenever the other does, for a cell that is open never loses.  Hence

- to open a cell that is safe in every layout left costs nothing: what can be won is the same
  before and after;
- a flood opens cells that the hint 0 has just proved safe, so a game without floods, where one
  would open those cells by hand, can be won as often.

So every safe cell is opened at once and layouts with different hints there are told apart, until
the cells that are safe in all layouts left show the same hints in all of them.  Call that a settled
position.  Its open cells are just those that no layout left has mined, so the hints there tell all
about it: they are the key under which its value is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import and_, or_
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.checks import checked_array
from ndsweep.spec import SpecError, TooLargeError, checked_int

Layouts = list[int]  # one integer a layout: a bit for each mine, and above them a field for each hint
Settled = tuple[Hashable, Layouts]  # the key of a settled position, and the layouts left

_MOST_HINT = 2**16 - 2


@dataclass(frozen=True)
class Endgame:
    """How many of the layouts left best play wins, and where it begins.

    Attributes
    ----------
    won : int
        Number of layouts that are won.
    layouts : int
        Number of layouts left.
    cell : int or None
        The cell to open, a column of the table.  Of the cells that win as many layouts it is the
        one that survives in most of them, so a safe one if there is any, and then the first;
        None if every cell is a mine, and the game is won.

    Examples
    --------
    >>> Endgame(won=2, layouts=3, cell=0).win_chance
    Fraction(2, 3)
    """

    won: int
    layouts: int
    cell: int | None

    @property
    def win_chance(self) -> Fraction:
        """The chance to win, if all layouts are equally likely."""
        return Fraction(self.won, self.layouts)


def endgame(mines: npt.NDArray[np.bool_], hints: npt.NDArray[np.integer[Any]], budget: int = 100_000) -> Endgame | None:
    """The best play of a position from a list of all its layouts.

    Parameters
    ----------
    mines : (layouts, cells) bool array
        True where a hidden cell is a mine, a row for each layout of the position.  All are
        equally likely, differ and have the same number of mines.  Open cells have no column;
        hidden cells that are surely mines need none.
    hints : (layouts, cells) integer array
        The hint that each cell would show in each layout, 0 .. 65534; what stands at mines does not matter.
    budget : int
        The most work: a layout looked at for one cell counts as 1.  The default is a tenth of a
        second or so at worst.

    Returns
    -------
    Endgame or None
        With ``.won``, ``.layouts``, ``.win_chance`` and ``.cell``; None if the budget ran out.

    Raises
    ------
    SpecError
        If an argument is not of its kind, a layout is listed twice, or the numbers of mines differ.

    Examples
    --------
    Two hidden cells share a mine, and nothing tells which of them has it.

    >>> import numpy as np
    >>> endgame(np.array([[True, False], [False, True]]), np.array([[0, 1], [1, 0]]))
    Endgame(won=1, layouts=2, cell=0)

    Here the cell in the middle is safe, and its hint tells.

    >>> mines = np.array([[True, False, False], [False, False, True]])
    >>> endgame(mines, np.array([[0, 2, 1], [1, 1, 0]]))
    Endgame(won=2, layouts=2, cell=1)
    """
    layouts, width = _checked_layouts(mines, hints)
    search = Search(mines.shape[1], width, checked_int("budget", budget, 0))
    try:
        won, cell = search.best(layouts)
    except TooLargeError:
        return None
    return Endgame(won, len(layouts), cell)


def width_for(hint: int) -> int:
    """The bits of a field that holds hints up to this one, and a value above them for "hidden".

    Examples
    --------
    >>> width_for(8), width_for(728)
    (8, 16)
    """
    return 8 if hint < 255 else 16


def packed(mines: npt.NDArray[np.bool_], hints: npt.NDArray[np.integer[Any]], width: int) -> Layouts:
    """The layouts as integers.

    Examples
    --------
    >>> layouts = packed(np.array([[True, False], [False, True]]), np.array([[0, 1], [1, 0]]), width=8)
    >>> [bin(layout) for layout in layouts]
    ['0b10000000001', '0b110']
    """
    bits = np.packbits(mines, axis=1, bitorder="little")
    fields = hints.astype(f"<u{width // 8}")
    return [
        int.from_bytes(mined.tobytes(), "little") | int.from_bytes(shown.tobytes(), "little") << mines.shape[1]
        for mined, shown in zip(bits, fields, strict=True)
    ]


class Search:
    """A search for best play that keeps what it finds.

    It is a loop with a stack of its own: long lines of play meet no limit.

    Parameters
    ----------
    size : int
        Number of cells.
    width : int
        Bits of a hint's field in a layout.
    budget : int
        The most work over all questions; a layout looked at for one cell counts as 1.
    likened : callable, optional
        Gives positions that are alike but for a symmetry the same key, from their own keys.

    Examples
    --------
    >>> layouts = packed(np.array([[True, False], [False, True]]), np.array([[0, 1], [1, 0]]), width=8)
    >>> Search(2, 8, budget=1000).best(layouts)
    (1, 0)
    """

    def __init__(self, size: int, width: int, budget: int, likened: Callable[[int], Hashable] | None = None) -> None:
        self.every = (1 << size) - 1
        self.known: dict[Hashable, int] = {}
        self.work = 0
        self._budget, self._likened = budget, likened
        field = (1 << width) - 1
        self._fields_of = [field << (size + width * cell) for cell in range(size)]
        self._fields: dict[int, int] = {}

    def best(self, layouts: Layouts) -> tuple[int, int | None]:
        """How many of some layouts are won, and the cell to begin with; None where all cells are mines.

        Raises
        ------
        TooLargeError
            If the budget ran out.
        """
        safe = self.every & ~reduce(or_, layouts)
        if safe:
            return self.won(layouts), _cell_of(safe & -safe)
        if len(layouts) == 1:
            return 1, None
        position = self._solved((None, layouts))
        return position.best, _cell_of(position.choice)

    def won(self, layouts: Layouts) -> int:
        """How many of some layouts are won.

        Raises
        ------
        TooLargeError
            If the budget ran out.
        """
        won, parts = self.settled(layouts)
        for part in parts:
            if part[0] not in self.known:
                self._solved(part)
            won += self.known[part[0]]
        return won

    def settled(self, layouts: Layouts) -> tuple[int, list[Settled]]:
        """What opening all safe cells makes of some layouts: how many small positions are won, and the others.

        Of two layouts in a settled position one is won: a cell that only one has mined, taken for
        safe, opens all but the mines of the other or loses.
        """
        won, parts, unsettled = 0, [], [layouts]
        while unsettled:
            layouts = unsettled.pop()
            union = reduce(or_, layouts)
            hidden = union & self.every
            shown = self._fields_at(self.every ^ hidden)
            differing = (union ^ reduce(and_, layouts)) & shown
            if differing:
                groups: dict[int, Layouts] = {}
                for layout in layouts:
                    groups.setdefault(layout & differing, []).append(layout)
                for group in groups.values():
                    if len(group) == 1:
                        won += 1
                    else:
                        unsettled.append(group)
            elif len(layouts) <= 2:
                won += 1
            else:
                key = union & shown | hidden
                parts.append((key if self._likened is None else self._likened(key), layouts))
        return won, parts

    def most(self, won: int, parts: Sequence[Settled]) -> int:
        """At most so many layouts are won: in a position that is not known the first cell loses at least one."""
        for key, layouts in parts:
            won += self.known.get(key, len(layouts) - 1)
        return won

    def _fields_at(self, cells: int) -> int:
        """The fields of the hints of some cells."""
        fields = self._fields.get(cells)
        if fields is None:
            fields = self._fields[cells] = reduce(or_, (self._fields_of[cell] for cell in _cells_of(cells)), 0)
        return fields

    def _solved(self, settled: Settled) -> _Position:
        """The position after the search of it and of all that can come of it."""
        root = self._position(settled)
        stack = [root]
        while stack:
            needed = stack[-1].next_needed(self)
            if needed is None:
                position = stack.pop()
                self.known[position.key] = position.best
            else:
                stack.append(self._position(needed))
        return root

    def _position(self, settled: Settled) -> _Position:
        position = _Position(*settled, self.every)
        self.work += len(position.layouts) * position.unknown
        if self.work > self._budget:
            raise TooLargeError(
                f"best play must be found in {self._budget:,} looks at a layout and a cell. It was not."
            )
        return position


class _Position:
    """A settled position in the search: the cells worth opening, and the best of those looked at so far."""

    __slots__ = ("_at", "_cells", "_opened", "best", "choice", "key", "layouts", "unknown")

    def __init__(self, key: Hashable, layouts: Layouts, every: int) -> None:
        self.key, self.layouts = key, layouts
        self.best = self.choice = self._at = 0
        self._opened: tuple[int, list[Settled]] | None = None  # what comes of the cell that is looked at
        unknown = reduce(or_, layouts) & ~reduce(and_, layouts) & every
        self.unknown = unknown.bit_count()
        self._cells = _undominated(layouts, unknown)

    def next_needed(self, search: Search) -> Settled | None:
        """The next position whose value is needed for this one; None when the best cell is known."""
        while self._at < len(self._cells):
            killed, bit = self._cells[self._at]
            if len(self.layouts) - killed <= self.best:
                return None  # later cells lose as many layouts or more
            if self._opened is None:
                self._opened = search.settled([layout for layout in self.layouts if not layout & bit])
            most = search.most(*self._opened)
            if most > self.best:
                for part in self._opened[1]:
                    if part[0] not in search.known:
                        return part
                self.best, self.choice = most, bit
            self._at, self._opened = self._at + 1, None
        return None


def _undominated(layouts: Layouts, cells: int) -> list[tuple[int, int]]:
    """The cells worth opening as (layouts in which it is a mine, its bit), the safest first.

    A cell that is a mine wherever another is one is not: whoever opens it and survives may open
    the other for nothing, so the other way round survives at least as often and knows as much.
    """
    found = []
    for cell in _cells_of(cells):
        bit = 1 << cell
        mined = [layout for layout in layouts if layout & bit]
        found.append((len(mined), bit, reduce(and_, mined)))
    found.sort()
    worth, dominated = [], 0
    for count, bit, always_mined in found:
        if not bit & dominated:
            worth.append((count, bit))
            dominated |= always_mined
    return worth


def _cells_of(bits: int) -> list[int]:
    """The numbers of the bits that are set, in order."""
    cells = []
    while bits:
        lowest = bits & -bits
        cells.append(_cell_of(lowest))
        bits ^= lowest
    return cells


def _cell_of(bit: int) -> int:
    return bit.bit_length() - 1


def _checked_layouts(mines: object, hints: object) -> tuple[Layouts, int]:
    rows, shown = checked_array("mines", mines), checked_array("hints", hints)
    if rows.dtype != np.bool_ or rows.ndim != 2 or not rows.size:
        raise SpecError(
            f"mines must be a boolean array of shape (layouts, cells), each 1 or more."
            f" Got {rows.dtype} of shape {rows.shape}."
        )
    if shown.dtype.kind not in "iu" or shown.shape != rows.shape:
        raise SpecError(f"hints must be integers of shape {rows.shape}. Got {shown.dtype} of shape {shown.shape}.")
    if shown.min() < 0 or shown.max() > _MOST_HINT:
        raise SpecError(f"hints must lie in 0..{_MOST_HINT}. Got {shown.min()}..{shown.max()}.")
    counts = np.count_nonzero(rows, axis=1)
    if counts.min() != counts.max():
        raise SpecError(f"mines must be as many in each layout. Got {counts.min()} and {counts.max()}.")
    width = width_for(int(shown.max()))
    layouts = packed(rows, shown, width)
    every = (1 << rows.shape[1]) - 1
    if len({layout & every for layout in layouts}) < len(layouts):
        raise SpecError("mines must list each layout once. Got one twice.")
    return layouts, width
