"""Finish: the cell to open in a position that has few layouts, by best play to the end."""

from __future__ import annotations

import numpy as np

from ndsweep.solver.endgame import endgame
from ndsweep.solver.layouts import layouts_of
from ndsweep.solver.residue import Residue

MOST = 64
"""How many layouts may be left."""

_WORK = 20_000  # some milliseconds


def finishing_cell(residue: Residue) -> int | None:
    """The place of the cell with which best play begins, or None where it takes too long to find.

    Examples
    --------
    >>> from ndsweep.solver.residue import residue_of
    >>> residue = residue_of(np.array([[-1, 2, -1, 2, -1, -1]]), np.array([3]))
    >>> finishing_cell(residue) - residue.layout.reach
    5
    """
    found = layouts_of(residue)
    if found is None:
        return None
    places, mines = found
    near = np.isin(places[:, None] - places, residue.layout.offsets)
    end = endgame(mines, mines.astype(np.int64) @ near, _WORK)
    return None if end is None or end.cell is None else int(places[end.cell])
