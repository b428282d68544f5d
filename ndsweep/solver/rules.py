"""What the numbers of one view prove, by counting.

Each rule takes a view in which every flag stands on a mine, and gives two boolean arrays of
the grid's shape: cells proved mines, cells proved safe, both among the hidden unflagged ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine import counting, grid
from ndsweep.engine.counting import View
from ndsweep.engine.grid import Bools
from ndsweep.spec import FLAG, HIDDEN

_RIM = 3  # cells around a padded view: b is up to 2 away from a, its neighbours 3
_MISSING = -9  # stands in the rim: neither a number nor hidden


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
    mined = counting.forced(view, hidden, flagged)
    return mined, grid.dilate(counting.complete(view, flagged | mined)) & hidden & ~mined


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
    centre, near = (0,) * view.ndim, set(product((-1, 0, 1), repeat=view.ndim))
    lacking, unknown = counting.lacking(view, view == FLAG), counting.around(view == HIDDEN)
    rim = np.pad(view, _RIM, constant_values=_MISSING)
    hidden, number = rim == HIDDEN, rim >= 0
    missing, unseen = np.pad(lacking, _RIM), np.pad(unknown, _RIM)
    mined, safe = np.zeros_like(hidden), np.zeros_like(hidden)
    for offset, common in _overlaps(hidden.astype(np.int64)):
        proof = _shifted(number, centre) & _shifted(number, offset)
        proof &= lacking - _shifted(missing, offset) == unknown - common
        proof &= (unknown > common) | (_shifted(unseen, offset) > common)  # else there is no cell to prove
        if proof.any():
            near_b = {tuple(x + y for x, y in zip(e, offset, strict=True)) for e in near}
            for cells, target in ((near - near_b, mined), (near_b - near, safe)):
                for e in cells:
                    part = _shifted(target, e)
                    part |= proof & _shifted(hidden, e)
    return _shifted(mined, centre), _shifted(safe, centre)


def count(view: View, mines: int) -> tuple[Bools, Bools]:
    """The number of all mines: the hidden cells are safe if all are known, and mines if as many lack.

    Examples
    --------
    >>> import numpy as np
    >>> mined, safe = count(np.array([1, -2, -1, -1]), mines=1)
    >>> mined, safe
    (array([False, False, False, False]), array([False, False,  True,  True]))
    """
    hidden, left = view == HIDDEN, mines - int(np.count_nonzero(view == FLAG))
    nothing = np.zeros_like(hidden)
    if left == 0:
        return nothing, hidden
    return (hidden if left == np.count_nonzero(hidden) else nothing), nothing


def _overlaps(
    padded: npt.NDArray[np.int64], offset: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], npt.NDArray[np.int64]]]:
    """For each offset of b from a, the sum over the cells that neighbour both; axis by axis."""
    axis = len(offset)
    if axis == padded.ndim:
        yield offset, padded
        return
    reach = min(2, padded.shape[axis] - 2 * _RIM - 1)
    for x in range(-reach, reach + 1):
        layers = (_along(padded, axis, k) for k in range(max(-1, x - 1), min(1, x + 1) + 1))
        yield from _overlaps(np.sum(list(layers), axis=0), (*offset, x))


def _along(padded: npt.NDArray[Any], axis: int, step: int) -> npt.NDArray[Any]:
    """What lies so many steps along an axis from each cell; takes the rim of that axis away."""
    stop = padded.shape[axis] - _RIM + step
    return padded[(slice(None),) * axis + (slice(_RIM + step, stop),)]


def _shifted(padded: npt.NDArray[Any], offset: tuple[int, ...]) -> npt.NDArray[Any]:
    """What lies at an offset from each cell."""
    for axis, step in enumerate(offset):
        padded = _along(padded, axis, step)
    return padded
