"""What the numbers of one view prove, by counting.

Each rule takes a view in which every flag stands on a mine, and gives two boolean arrays of
the grid's shape: cells proved mines, cells proved safe, both among the hidden unflagged ones.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine import grid
from ndsweep.spec import FLAG, HIDDEN

MISSING = -9
"""Stands outside the grid in a padded view: neither a number nor hidden."""

Bools = npt.NDArray[np.bool_]
View = npt.NDArray[np.signedinteger[Any]]


def single_point(view: View) -> tuple[Bools, Bools]:
    """The two single-point rules.

    All hidden neighbours of a number that lacks as many flags are mines; all other hidden
    neighbours of a number that then has all its flags are safe.

    Examples
    --------
    >>> import numpy as np
    >>> mined, safe = single_point(np.array([1, -1, 1, -1]))
    >>> mined, safe
    (array([False,  True, False, False]), array([False, False, False,  True]))
    """
    hidden, flagged = view == HIDDEN, view == FLAG
    mined = grid.dilate((view > 0) & (_lacking(view, flagged) == _around(hidden))) & hidden
    complete = (view >= 0) & (_lacking(view, flagged | mined) == 0)
    return mined, grid.dilate(complete) & hidden & ~mined


def pairs(view: View) -> tuple[Bools, Bools]:
    """The comparison of two numbers a and b with overlapping neighbourhoods A and B.

    If a lacks as many flags more than b as A has hidden cells outside B, then these are
    mines, and the hidden cells of B outside A are safe.  Every offset of b from a up to 2 on
    every axis is compared.

    Examples
    --------
    >>> import numpy as np
    >>> mined, safe = pairs(np.array([[1, 2, 1], [-1, -1, -1]]))
    >>> mined.astype(int), safe.astype(int)
    (array([[0, 0, 0],
           [1, 0, 1]]), array([[0, 0, 0],
           [0, 0, 0]]))
    """
    ndim = view.ndim
    lacking = _lacking(view, view == FLAG)
    rim = np.pad(view, 3, constant_values=MISSING)  # three cells: b is up to 2 away, its neighbours 3
    hidden, number = rim == HIDDEN, rim >= 0
    lacking = np.pad(lacking, 3)
    mined, safe = np.zeros_like(hidden), np.zeros_like(hidden)
    near = set(product((-1, 0, 1), repeat=ndim))
    for offset in product(range(-2, 3), repeat=ndim):
        near_b = {tuple(x + y for x, y in zip(e, offset, strict=True)) for e in near}
        only_a, only_b = near - near_b, near_b - near
        count = sum((_shifted(hidden, e).astype(np.int64) for e in only_a), np.zeros(view.shape, dtype=np.int64))
        proof = _shifted(number, (0,) * ndim) & _shifted(number, offset)
        proof &= _shifted(lacking, (0,) * ndim) - _shifted(lacking, offset) == count
        for cells, target in ((only_a, mined), (only_b, safe)):
            for e in cells:
                part = _shifted(target, e)
                part |= proof & _shifted(hidden, e)
    inside = (slice(3, -3),) * ndim
    return mined[inside], safe[inside]


def _around(mask: Bools) -> npt.NDArray[np.int64]:
    """How many cells of a mask are in each cell's neighbourhood."""
    return grid.box_sum(mask, np.int64)


def _lacking(view: View, flagged: Bools) -> npt.NDArray[np.int64]:
    """How many mines each number lacks beside its flags."""
    return view - _around(flagged)


def _shifted(padded: npt.NDArray[Any], offset: tuple[int, ...]) -> npt.NDArray[Any]:
    """What lies at an offset of up to 3 from each cell, from an array padded by 3."""
    return padded[tuple(slice(3 + x, n - 3 + x) for x, n in zip(offset, padded.shape, strict=True))]
