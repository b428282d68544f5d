"""Contradictions: the few numbers of a view that no layout can satisfy together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ndsweep.engine.streams import Ints
from ndsweep.solver.certain import is_impossible
from ndsweep.solver.counts import BUDGET
from ndsweep.solver.residue import ANY, Residue

_WORK = 100_000  # numbers looked at


def contradiction(residue: Residue, order: Ints | None = None, budget: int = BUDGET) -> tuple[Ints, bool] | None:
    """Numbers of one position that no layout satisfies, none of them to spare unless there are hundreds.

    Parameters
    ----------
    order : (numbers,) int64 array, optional
        The places of the numbers, those first that are rather not wanted; by default in the order
        of the cells.
    budget : int
        Of `is_impossible`.

    Returns
    -------
    (numbers,) int64 array, bool
        The places of the numbers in the line of cells, and whether it takes the number of all
        mines besides; None if there is a layout, or none is known to be impossible within the
        budget.

    Examples
    --------
    >>> from ndsweep.solver.residue import residue_of
    >>> residue = residue_of(np.array([[1, -1, 1, -1, 2]]), np.array([2]))
    >>> places, needs_total = contradiction(residue)
    >>> places - residue.layout.positions[0], needs_total
    (array([4]), False)
    """
    needs_total = not is_impossible(replace(residue, left=np.array([ANY])), budget)
    if needs_total and (residue.left[0] == ANY or not is_impossible(residue, budget)):
        return None
    if not needs_total:
        residue = replace(residue, left=np.array([ANY]))
    kept = np.flatnonzero(residue.number) if order is None else order
    size, work = kept.size, _WORK
    while size:
        start = 0
        while start < kept.size and work > 0:
            fewer = np.delete(kept, np.s_[start : start + size])
            work -= fewer.size
            if is_impossible(_with_numbers(residue, fewer), budget):
                kept = fewer
            else:
                start += size
        size //= 2
    return np.sort(kept), needs_total


def _with_numbers(residue: Residue, places: Ints) -> Residue:
    """The position as if only some of its numbers were open."""
    number = np.zeros_like(residue.number)
    number[places] = True
    return replace(residue, number=number)
