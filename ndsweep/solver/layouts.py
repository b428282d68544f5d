"""Layouts: all of them, of a position that has few."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import Ints
from ndsweep.solver.chains import chains_of
from ndsweep.solver.fronts import front_of
from ndsweep.solver.residue import Residue

_MOST_PARTS = 4096  # layouts of some of the cells


def layouts_of(residue: Residue) -> tuple[Ints, npt.NDArray[np.bool_]] | None:
    """The unknown cells of one position, and its layouts.

    Returns
    -------
    (cells,) int64 array
        The places of the unknown cells in the line.
    (layouts, cells) bool array
        A row for each layout: whether the cell has a mine.
    None
        If too many layouts of some of the cells had to be looked at.

    Examples
    --------
    >>> from ndsweep.solver.residue import residue_of
    >>> places, layouts = layouts_of(residue_of(np.array([[-1, 1, -1, -1]]), np.array([1])))
    >>> layouts.astype(int)
    array([[1, 0, 0],
           [0, 1, 0]])
    """
    front = front_of(residue)
    in_chain = np.argsort(np.argsort(chains_of(front).groups)[front.group], kind="stable")
    cells = front.cells[in_chain]
    parts = _parts(residue, front.numbers, cells)
    if parts is None:
        return None
    free = np.setdiff1d(np.flatnonzero(residue.unknown), cells)
    rows = []
    for part in parts:
        rest = combinations(range(free.size), int(residue.left[0]) - int(part.sum()))
        rows += [np.concatenate([part, np.isin(np.arange(free.size), chosen)]) for chosen in rest]
    places = np.concatenate([cells, free])
    layouts = np.array(rows, dtype=np.bool_).reshape(len(rows), places.size)
    order = np.argsort(places)
    return places[order], layouts[:, order]


def _parts(residue: Residue, numbers: Ints, cells: Ints) -> npt.NDArray[np.bool_] | None:
    """The layouts of the front alone that leave the free cells no impossible number of mines, cell by cell."""
    sees = np.isin(numbers[:, None] - cells, residue.layout.offsets)
    lacks, near = residue.lacks[numbers].astype(np.int64)[None], sees.sum(axis=1)
    parts = np.zeros((1, 0), dtype=np.bool_)
    for column in sees.T:
        near = near - column
        mined = np.repeat([False, True], len(parts))
        parts = np.column_stack([np.concatenate([parts, parts]), mined])
        lacks = np.concatenate([lacks, lacks - column])
        fits = ((lacks >= 0) & (lacks <= near)).all(axis=1)
        parts, lacks = parts[fits], lacks[fits]
        if len(parts) > _MOST_PARTS:
            return None
    over = residue.left[0] - parts.sum(axis=1)
    free = int(np.count_nonzero(residue.unknown)) - cells.size
    possible: npt.NDArray[np.bool_] = parts[(over >= 0) & (over <= free)]
    return possible
