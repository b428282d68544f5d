"""The counts of one view: how many mines each number lacks, and what follows from one number alone.

A view holds the hint of each open cell, a number of 0 or more; what else it holds is named by masks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine.grid import Bools, box_sum, dilate

Counts = npt.NDArray[np.int64]
View = npt.NDArray[np.signedinteger[Any]]


def around(mask: Bools) -> Counts:
    """How many cells of a mask are in each cell's neighbourhood."""
    return box_sum(mask, np.int64)


def lacking(view: View, flagged: Bools) -> Counts:
    """How many mines each number lacks beside its flags."""
    return view - around(flagged)


def complete(view: View, flagged: Bools) -> Bools:
    """The numbers that lack no mine: all other hidden cells around them are safe."""
    return np.asarray((view >= 0) & (lacking(view, flagged) == 0))


def forced(view: View, hidden: Bools, flagged: Bools) -> Bools:
    """The hidden cells around a number that lacks as many mines: all of them are mines."""
    full = (view > 0) & (lacking(view, flagged) == around(hidden))
    return dilate(full) & hidden
