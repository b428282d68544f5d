"""Proofs: the numbers that a proved cell rests on, few enough to look at one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np

from ndsweep.engine.boxes import Slices, grown, neighbourhood, shape_of, whole, within
from ndsweep.engine.counting import View
from ndsweep.engine.grid import Bools, dilate
from ndsweep.solver import explain
from ndsweep.solver.contradictions import contradiction
from ndsweep.solver.explain import Number, Place, cells_where
from ndsweep.solver.residue import ANY, residue_of
from ndsweep.spec import FLAG, HIDDEN

SAFE = -4
"""Stands where a cell is proved safe, its number unknown: a code that no rule looks at."""


@dataclass(frozen=True)
class Proof:
    """Why a cell is a mine, or safe.

    No layout of mines satisfies the numbers, with mines on ``known_mines`` and none on
    ``known_safe``, with ``total`` mines in the whole grid unless it is None, and with the cell the
    other way round.

    Attributes
    ----------
    cell : tuple of int
        The cell.
    mined : bool
        Whether it is a mine; else it is safe.
    rule : {"single", "pairs", "count", "exact"}
        The rule that proved it.
    numbers : tuple of cells
        The open numbers that the proof rests on; of an exact proof none is to spare.
    known_mines, known_safe : tuples of cells
        What was known of the cells around these numbers, or of all cells where the total is
        used: mines that are open or have trusted flags, and what was proved at earlier steps.
    total : int or None
        The number of mines of the grid where the proof takes it, else None.
    words : str
        The proof in one sentence.

    Examples
    --------
    >>> import numpy as np, ndsweep as nd
    >>> proof = nd.deduce(np.array([[1, -1, 1, -1]])).proof((0, 3))
    >>> proof.rule, proof.mined, proof.numbers, proof.known_mines, proof.total
    ('single', False, ((0, 2),), ((0, 1),), None)
    >>> print(proof)
    (0, 3) is safe: the 1 at (0, 2) has its mine, (0, 1).
    """

    cell: Place
    mined: bool
    rule: str
    numbers: tuple[Place, ...]
    known_mines: tuple[Place, ...]
    known_safe: tuple[Place, ...]
    total: int | None
    words: str

    def __str__(self) -> str:
        return self.words


def proof_of(view: View, cell: Place, mined: bool, rule: str, total: int | None, budget: int) -> Proof:
    """The proof that a hidden cell is a mine, or safe, by the rule that found it.

    Parameters
    ----------
    view : integer array of the grid's shape
        View codes, with `FLAG` where a mine was known and `SAFE` where a hidden cell was known to be safe.
    cell : tuple of int
        A hidden cell that the rule proves.
    mined : bool
        What the rule proves.
    rule : str
        Its name.
    total : int or None
        The number of mines of the grid, if known.
    budget : int
        For the search of an exact proof.

    Examples
    --------
    >>> proof_of(np.array([[1, 2, 1], [-1, -1, -1]]), (1, 0), True, "pairs", None, 100).numbers
    ((0, 1), (0, 2))
    """
    if rule == "single":
        number = _the_one(view, cell, mined)
        return _proof(view, cell, mined, rule, [number.cell], None, explain.by_one(cell, mined, number))
    if rule == "pairs":
        more, less = _the_two(view, cell, mined)
        words = explain.by_two(cell, mined, more, less)
        return _proof(view, cell, mined, rule, sorted([more.cell, less.cell]), None, words)
    if rule == "count":
        return _proof(view, cell, mined, rule, [], total, explain.by_total(cell, mined, view))
    places, needs_total = _needed(view, cell, mined, total, budget)
    total = total if needs_total else None
    known = _known(view, places, total)
    numbers = [Number(view, place) for place in places]
    words = explain.by_contradiction(cell, mined, numbers, known, total)
    return _proof(view, cell, mined, rule, places, total, words)


def _proof(
    view: View, cell: Place, mined: bool, rule: str, numbers: list[Place], total: int | None, words: str
) -> Proof:
    return Proof(cell, mined, rule, tuple(numbers), *_known(view, numbers, total), total, words)


def _known(view: View, numbers: list[Place], total: int | None) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """The known mines and the known safe cells around some numbers, or in the whole grid where its total is used."""
    boxes = [neighbourhood(view.shape, place) for place in numbers]
    if total is not None:
        boxes = [whole(view.shape)]
    mines, safe = (set().union(*(cells_where(view[box] == code, box) for box in boxes)) for code in (FLAG, SAFE))
    return tuple(sorted(mines)), tuple(sorted(safe))


def _the_one(view: View, cell: Place, mined: bool) -> Number:
    """The first number that lacks as many mines as it has hidden neighbours, or none."""
    return next(n for n in _seeing(view, cell) if n.lacks == (len(n.hidden) if mined else 0))


def _the_two(view: View, cell: Place, mined: bool) -> tuple[Number, Number]:
    """The first pair of numbers of which one must have the cell, or must not have it, beyond the other."""
    for number, other in product(_seeing(view, cell), _numbers(view, cell, 3)):
        more, less = (number, other) if mined else (other, number)
        if cell not in other.hidden and more.lacks - less.lacks == len(more.hidden - less.hidden):
            return more, less
    raise LookupError(f"no pair of numbers proves {cell}")


def _seeing(view: View, cell: Place) -> list[Number]:
    return [number for number in _numbers(view, cell, 1) if cell in number.hidden]


def _numbers(view: View, cell: Place, reach: int) -> Iterable[Number]:
    """The numbers at most so many cells away on every axis, in C order."""
    box = _around(view.shape, cell, reach)
    return [Number(view, place) for place in sorted(cells_where(view[box] >= 0, box))]


def _needed(view: View, cell: Place, mined: bool, total: int | None, budget: int) -> tuple[list[Place], bool]:
    """Numbers that could not hold with the cell the other way round, none to spare; and whether it takes the total.

    The numbers near the cell are tried first, then more and more.
    """
    supposed = view.copy()
    supposed[cell] = SAFE if mined else FLAG
    reach, farthest = 1, max(max(x, n - 1 - x) for x, n in zip(cell, view.shape, strict=True))
    while True:
        near = _around(view.shape, cell, reach)
        found = _contradiction(view, supposed, cell, near, ANY, budget)
        if found is not None:
            return found[0], False
        if reach >= farthest:
            break
        reach *= 2
    left = ANY if total is None else total - int(np.count_nonzero(supposed == FLAG))
    found = _contradiction(view, supposed, cell, near, left, budget)
    if found is not None:
        return found
    # fewer numbers may leave too many layouts to look at, so that none is known to be spare
    return sorted(cells_where(_asking(view, near), near)), total is not None


def _contradiction(
    view: View, supposed: View, cell: Place, near: Slices, left: int, budget: int
) -> tuple[list[Place], bool] | None:
    """Those of the numbers in a box that contradict each other, the nearest to the cell if there is a choice."""
    outer = grown(view.shape, near)
    asking = np.zeros(shape_of(outer), dtype=np.bool_)
    asking[within(outer, near)] = _asking(view, near)
    part = supposed[outer]
    residue = residue_of(np.where(asking | (part < 0), part, SAFE)[None], np.array([left]))
    places = np.argwhere(asking) + [side.start for side in outer]
    positions = residue.layout.positions[np.flatnonzero(asking)]
    far_first = np.argsort(-np.abs(places - cell).max(axis=1), kind="stable")
    found = contradiction(residue, positions[far_first], budget)
    if found is None:
        return None
    kept, needs_total = found
    return [tuple(map(int, place)) for place in places[np.searchsorted(positions, kept)]], needs_total


def _asking(view: View, near: Slices) -> Bools:
    """The numbers in a box that see a hidden cell."""
    outer = grown(view.shape, near)
    beside = dilate(view[outer] == HIDDEN)[within(outer, near)]
    return np.asarray((view[near] >= 0) & beside)


def _around(shape: tuple[int, ...], cell: Place, reach: int) -> Slices:
    """The box of all cells at most so far away."""
    return tuple(slice(max(x - reach, 0), min(x + reach + 1, n)) for x, n in zip(cell, shape, strict=True))
