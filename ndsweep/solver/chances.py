"""Chances: how likely each unknown cell is a mine, for many positions at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, log

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import Ints
from ndsweep.solver.chains import Chains, chains_of
from ndsweep.solver.counts import Counts, Limit, count
from ndsweep.solver.estimates import estimate
from ndsweep.solver.fronts import Front, front_of
from ndsweep.solver.residue import Residue
from ndsweep.solver.totals import Floats

BUDGET = 1_000_000
"""How many states each chain of a position may have, all steps together."""

MOST_LOG = 600.0
"""The largest logarithm of weights whose products float64 can hold."""

_BLOCK_CELLS = 1 << 19  # of the positions that are solved together; fewer take as many calls
_BLOCK_BUDGET = 20_000  # states of a chain; with more, its position is solved alone
_LONE_LOG = 300.0  # of the weights of a position that is solved alone, as it would slow others down


@dataclass(frozen=True, eq=False)
class Chances:
    """The chances of many positions.

    Attributes
    ----------
    mined : float64 plane
        How likely each unknown cell is a mine; NaN elsewhere, and where no layout is possible.
    errors : dict of (width,) float64 arrays
        The standard errors of the estimates, by the numbers of their positions.
    log_layouts : (k,) float64 array
        The logarithm of the number of layouts: -inf where none is possible, NaN of an estimate.
    """

    mined: Floats
    errors: dict[int, Floats]
    log_layouts: Floats

    @property
    def exact(self) -> npt.NDArray[np.bool_]:
        """(k,) bool array: which positions are no estimates."""
        return ~np.isnan(self.log_layouts)


@dataclass(frozen=True, eq=False)
class Counted:
    """Positions that were counted side by side.

    Attributes
    ----------
    numbers, rows : int64 arrays
        Which of all positions are done with this, and where they are among those of the part.
    part, front, chains : Residue, Front, Chains
        The positions of the part.
    counts : Counts or None
        What their layouts come to; None for one position that is beyond the budget.
    """

    numbers: Ints
    rows: Ints
    part: Residue
    front: Front
    chains: Chains
    counts: Counts | None


Look = Callable[[Counted, Floats], None]
"""Sees what was counted, and the lines of the chances, before it is forgotten."""


def chances_of(
    residue: Residue, budget: int = BUDGET, seed: int = 0, look: Look | None = None, *, estimates: bool = True
) -> Chances:
    """The chances of positions, exact where their states are within the budget.

    Parameters
    ----------
    budget : int
        How many states each chain may have, all steps together; a position with a chain that
        needs more is estimated.
    seed : int
        Of the estimates.
    look : callable, optional
        Sees every part that is counted.
    estimates : bool
        Whether there are any; else the chances of such a position are NaN.

    Examples
    --------
    >>> from ndsweep.solver.residue import residue_of
    >>> chances_of(residue_of(np.array([[1, -1, -1, -1]]), np.array([2]))).mined
    array([nan, nan, 1. , 0.5, 0.5, nan])
    """
    cells, games = residue.unknown.size, len(residue)
    found = Chances(np.full(cells, np.nan), {}, np.full(games, -np.inf))
    block = max(1, _BLOCK_CELLS // residue.layout.width)
    lines = residue.layout.lines
    for start in range(0, games, block):
        for counted in _counted(residue, np.arange(start, min(start + block, games)), budget):
            if counted.counts is None:
                number = int(counted.numbers[0])
                found.log_layouts[number] = np.nan
                if estimates:
                    lines(found.mined)[number], found.errors[number] = estimate(counted.part, budget, seed)
            else:
                mined = _write(found, counted, counted.counts)
                if look is not None:
                    look(counted, mined)
    return found


def _counted(residue: Residue, numbers: Ints, budget: int) -> Iterator[Counted]:
    """Counts the layouts of some positions, side by side where none is too large or has too many states."""
    part, alone = residue if numbers.size == len(residue) else residue[numbers], numbers.size == 1
    front = front_of(part)
    log_front = np.log(2) * np.bincount(front.position, front.size, minlength=numbers.size)
    again = (log_front > _LONE_LOG) & (not alone)
    if again.any():
        if not again.all():
            yield from _counted(residue, numbers[~again], budget)
    else:
        chains = chains_of(front)
        exact = bool((log_front > MOST_LOG).any())
        limit = Limit(budget if alone else min(budget, _BLOCK_BUDGET), chains.length.size)
        counts = count(front, chains, part.left, limit, exact, rounded=True)
        over = np.bincount(chains.position, limit.over, minlength=numbers.size) > 0
        steep = (log_front + counts.spread > MOST_LOG) & (not exact)
        if alone and steep.any():
            counts = count(front, chains, part.left, Limit(budget, chains.length.size), exact=True, rounded=True)
        again = (over | steep) & (not alone)
        rows = np.flatnonzero(~again)
        yield Counted(numbers[rows], rows, part, front, chains, None if alone and over.any() else counts)
    for number in numbers[again]:
        yield from _counted(residue, number[None], budget)


def _write(found: Chances, counted: Counted, counts: Counts) -> Floats:
    """Notes the chances of counted positions, and gives the lines of the whole part."""
    lines, rows = counted.part.layout.lines, counted.rows
    possible = (counts.layouts > 0) & ~counted.front.wrong
    mined = lines(counted.front.spread_out(counted.part, *counts.chances))
    if not possible.all():
        mined[~possible] = np.nan
    lines(found.mined)[counted.numbers] = mined if rows.size == len(mined) else mined[rows]
    logs = np.array([log(layouts) if layouts else -inf for layouts in counts.layouts.tolist()]) + counts.scale
    found.log_layouts[counted.numbers] = np.where(possible, logs, -inf)[rows]
    return mined
