"""Why a cell is a mine or safe, in words: the first number, or pair of numbers, that proves it, or the total."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np

from ndsweep.engine.boxes import Slices, neighbourhood
from ndsweep.engine.counting import View
from ndsweep.engine.grid import Bools
from ndsweep.spec import FLAG, HIDDEN

Place = tuple[int, ...]


class _Number:
    """An open cell with what lies around it: known mines and hidden cells."""

    def __init__(self, view: View, cell: Place) -> None:
        box = neighbourhood(view.shape, cell)
        self.cell, self.count = cell, int(view[cell])
        self.mines, self.hidden = (_cells_where(view[box] == code, box) for code in (FLAG, HIDDEN))
        self.lacks = self.count - len(self.mines)

    def __str__(self) -> str:
        return f"the {self.count} at {self.cell}"


def in_words(view: View, cell: Place, mined: bool) -> str:
    """The proof that a hidden cell is a mine, or safe, in one sentence.

    Where no number and no pair of numbers proves it, the number of all mines must.

    Parameters
    ----------
    view : integer array of the grid's shape
        View codes, with `FLAG` where a mine is known.
    cell : tuple of int
        A cell that one number or two prove.
    mined : bool
        What they prove.

    Examples
    --------
    >>> print(in_words(np.array([[1, 2, 1], [-1, -1, -1]]), (1, 0), mined=True))
    (1, 0) is a mine: the 2 at (0, 1) lacks 1 more than the 1 at (0, 2), and of its hidden neighbours only (1, 0) \
is not among the other's.
    """
    near = [number for number in _numbers(view, cell, 1) if cell in number.hidden]
    what = "a mine" if mined else "safe"
    for number in near:
        if number.lacks == (len(number.hidden) if mined else 0):
            return f"{cell} is {what}: {number} {_of_one(number, cell, mined)}."
    for number, other in product(near, _numbers(view, cell, 3)):
        more, less = (number, other) if mined else (other, number)
        if cell not in other.hidden and more.lacks - less.lacks == len(more.hidden - less.hidden):
            return f"{cell} is {what}: {_of_two(more, less)}."
    hidden, mines = (int(np.count_nonzero(view == code)) for code in (HIDDEN, FLAG))
    if mined:
        return f"{cell} is a mine: {_cells(hidden)} may still hold one, and as many lack."
    return f"{cell} is safe: all mines are known, {mines} of them."


def _of_one(number: _Number, cell: Place, mined: bool) -> str:
    if not mined and not number.count:
        return "has no mines"
    if not mined:
        return f"has its {'mine' if number.count == 1 else f'{number.count} mines'}, {_listed(number.mines)}"
    beside = f" beside its known {_mines(len(number.mines))}" if number.mines else ""
    if len(number.hidden) == 1:
        return f"has no other hidden neighbour{beside}"
    return f"has just {len(number.hidden)} hidden neighbours for as many mines{beside}: {_listed(number.hidden)}"


def _of_two(more: _Number, less: _Number) -> str:
    only = more.hidden - less.hidden
    rest = less.hidden - more.hidden
    if not only:
        return (
            f"{less} lacks as many mines as {more}, whose hidden neighbours are all its own too,"
            f" so that none is left for {_listed(rest)}"
        )
    verb = "is" if len(only) == 1 else "are"
    words = (
        f"{more} lacks {more.lacks - less.lacks} more than {less}, and of its hidden neighbours"
        f" only {_listed(only)} {verb} not among the other's"
    )
    return words + (f"; none is left for {_listed(rest)}" if rest else "")


def _numbers(view: View, cell: Place, reach: int) -> Iterable[_Number]:
    """The numbers at most so many cells away on every axis, in C order."""
    box = tuple(slice(max(x - reach, 0), x + reach + 1) for x in cell)
    return [_Number(view, place) for place in sorted(_cells_where(view[box] >= 0, box))]


def _cells_where(mask: Bools, box: Slices) -> set[Place]:
    return {tuple(map(int, index)) for index in np.argwhere(mask) + [side.start for side in box]}


def _cells(count: int) -> str:
    return "only 1 cell" if count == 1 else f"only {count} cells"


def _mines(count: int) -> str:
    return "1 mine" if count == 1 else f"{count} mines"


def _listed(cells: set[Place]) -> str:
    *first, last = map(str, sorted(cells))
    return f"{', '.join(first)} and {last}" if first else last
