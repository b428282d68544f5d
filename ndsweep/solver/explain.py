"""Proofs in words: one sentence that names the cell, what it is, and the numbers that prove it."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ndsweep.engine.boxes import Slices, neighbourhood
from ndsweep.engine.counting import View
from ndsweep.engine.grid import Bools
from ndsweep.spec import FLAG, HIDDEN

Place = tuple[int, ...]

_MANY = 6  # cells that a sentence still lists


class Number:
    """An open cell with what lies around it: known mines and hidden cells.

    Examples
    --------
    >>> number = Number(np.array([[FLAG, 2, HIDDEN]]), (0, 1))
    >>> str(number), number.lacks, number.hidden
    ('the 2 at (0, 1)', 1, {(0, 2)})
    """

    def __init__(self, view: View, cell: Place) -> None:
        box = neighbourhood(view.shape, cell)
        self.cell, self.count = cell, int(view[cell])
        self.mines, self.hidden = (cells_where(view[box] == code, box) for code in (FLAG, HIDDEN))
        self.lacks = self.count - len(self.mines)

    def __str__(self) -> str:
        return f"the {self.count} at {self.cell}"


def by_one(cell: Place, mined: bool, number: Number) -> str:
    """That a number has just as many hidden neighbours as it lacks mines, or lacks none.

    Examples
    --------
    >>> print(by_one((0, 0), True, Number(np.array([[HIDDEN, 1]]), (0, 1))))
    (0, 0) is a mine: the 1 at (0, 1) has no other hidden neighbour.
    """
    return f"{_is(cell, mined)}: {number} {_of_one(number, mined)}."


def _of_one(number: Number, mined: bool) -> str:
    if not mined and not number.count:
        return "has no mines"
    if not mined:
        return f"has its {'mine' if number.count == 1 else f'{number.count} mines'}, {_listed(number.mines)}"
    beside = f" beside its known {_mines(len(number.mines))}" if number.mines else ""
    if len(number.hidden) == 1:
        return f"has no other hidden neighbour{beside}"
    return f"has just {len(number.hidden)} hidden neighbours for as many mines{beside}: {_listed(number.hidden)}"


def by_two(cell: Place, mined: bool, more: Number, less: Number) -> str:
    """That a number lacks as many mines more than another as it has hidden neighbours that the other does not see.

    Examples
    --------
    >>> view = np.array([[1, 2, 1], [-1, -1, -1]])
    >>> print(by_two((1, 0), True, Number(view, (0, 1)), Number(view, (0, 2))))
    (1, 0) is a mine: the 2 at (0, 1) lacks 1 more than the 1 at (0, 2), and of its hidden neighbours only (1, 0) \
is not among the other's.
    """
    return f"{_is(cell, mined)}: {_of_two(more, less)}."


def _of_two(more: Number, less: Number) -> str:
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


def by_total(cell: Place, mined: bool, view: View) -> str:
    """That all mines are known, or as many lack as there are cells.

    Examples
    --------
    >>> print(by_total((0, 2), False, np.array([[FLAG, 1, HIDDEN]])))
    (0, 2) is safe: all mines are known, 1 of them.
    """
    hidden, mines = (int(np.count_nonzero(view == code)) for code in (HIDDEN, FLAG))
    if mined:
        return f"{_is(cell, mined)}: {_cells(hidden)} may still hold one, and as many lack."
    return f"{_is(cell, mined)}: all mines are known, {mines} of them."


def by_contradiction(
    cell: Place,
    mined: bool,
    numbers: Collection[Number],
    known: tuple[Collection[Place], Collection[Place]],
    total: int | None,
) -> str:
    """That some numbers could not all hold otherwise, given the known mines and the known safe cells.

    Examples
    --------
    >>> numbers = [Number(np.array([[1, HIDDEN, 1, HIDDEN]]), (0, place)) for place in (0, 2)]
    >>> print(by_contradiction((0, 3), False, numbers, ([], []), None))
    (0, 3) is safe: were it a mine, the 1 at (0, 0) and the 1 at (0, 2) could not both hold.
    >>> print(by_contradiction((0, 3), True, numbers[:1], ([(0, 1)], [(0, 5), (0, 6)]), 2))
    (0, 3) is a mine: were it safe, the 1 at (0, 0) and the 2 mines of the grid could not both hold, as (0, 1) is a \
mine, and (0, 5) and (0, 6) are safe.
    """
    named = [str(number) for number in numbers]
    if total is not None:
        named.append(f"the {_mines(total)} of the grid")
    all_of_them = {1: "", 2: "both "}.get(len(named), "all ")
    facts = ", and ".join(_known(cells, what) for cells, what in zip(known, ("a mine", "safe"), strict=True) if cells)
    otherwise = "safe" if mined else "a mine"
    return (
        f"{_is(cell, mined)}: were it {otherwise}, {_joined(named)} could not {all_of_them}hold"
        f"{', as ' if facts else ''}{facts}."
    )


def _known(cells: Collection[Place], what: str) -> str:
    if len(cells) == 1:
        return f"{_listed(cells)} is {what}"
    many = "mines" if what == "a mine" else what
    return f"{_listed(cells) if len(cells) <= _MANY else f'{len(cells)} known cells'} are {many}"


def cells_where(mask: Bools, box: Slices) -> set[Place]:
    """The cells of a grid where the mask of a box of it is true.

    Examples
    --------
    >>> cells_where(np.array([False, True]), (slice(3, 5),))
    {(4,)}
    """
    return {tuple(map(int, index)) for index in np.argwhere(mask) + [side.start for side in box]}


def _is(cell: Place, mined: bool) -> str:
    return f"{cell} is {'a mine' if mined else 'safe'}"


def _cells(count: int) -> str:
    return "only 1 cell" if count == 1 else f"only {count} cells"


def _mines(count: int) -> str:
    return "1 mine" if count == 1 else f"{count} mines"


def _listed(cells: Collection[Place]) -> str:
    return _joined(list(map(str, sorted(cells))))


def _joined(words: list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
