"""Contradictions: the few numbers of a view that no layout can satisfy together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ndsweep.engine.streams import Ints
from ndsweep.solver.chances import chances_of
from ndsweep.solver.residue import ANY, Residue


def contradiction(residue: Residue) -> tuple[Ints, bool] | None:
    """Numbers of one position that no layout satisfies, none of them to spare.

    Returns
    -------
    (numbers,) int64 array, bool
        The places of the numbers in the line of cells, and whether it takes the number of all
        mines besides; None if there is a layout, or none is known to be impossible within the
        budget of `chances_of`.

    Examples
    --------
    >>> from ndsweep.solver.residue import residue_of
    >>> residue = residue_of(np.array([[1, -1, 1, -1, 2]]), np.array([2]))
    >>> places, needs_total = contradiction(residue)
    >>> places - residue.layout.positions[0], needs_total
    (array([4]), False)
    """
    needs_total = not _is_impossible(replace(residue, left=np.array([ANY])))
    if needs_total and not _is_impossible(residue):
        return None
    if not needs_total:
        residue = replace(residue, left=np.array([ANY]))
    kept = np.flatnonzero(residue.number)
    size = kept.size
    while size:
        start = 0
        while start < kept.size:
            fewer = np.delete(kept, np.s_[start : start + size])
            if _is_impossible(_with_numbers(residue, fewer)):
                kept = fewer
            else:
                start += size
        size //= 2
    return kept, needs_total


def _with_numbers(residue: Residue, places: Ints) -> Residue:
    """The position as if only some of its numbers were open."""
    number = np.zeros_like(residue.number)
    number[places] = True
    return replace(residue, number=number)


def _is_impossible(residue: Residue) -> bool:
    return bool(np.isneginf(chances_of(residue).log_layouts[0]))
