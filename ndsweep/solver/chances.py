"""Chances: how likely each unknown cell is a mine, for many positions at once."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import Ints
from ndsweep.solver.chains import chains_of
from ndsweep.solver.counts import Counts, Limit, count
from ndsweep.solver.estimates import estimate
from ndsweep.solver.fronts import Front, front_of
from ndsweep.solver.residue import Residue
from ndsweep.solver.totals import Floats

BUDGET = 1_000_000
"""How many states each chain of a position may have, all steps together."""

MOST_LOG = 600.0
"""The largest logarithm of weights whose products float64 can hold."""

_BLOCK_CELLS = 1 << 17  # of the positions that are solved together: their planes stay in the cache
_BLOCK_BUDGET = 20_000  # states of a chain; with more, its position is solved alone
_LONE_LOG = 300.0  # of the weights of a position that is solved alone, as it would slow others down


@dataclass(frozen=True, eq=False)
class Chances:
    """The chances of many positions.

    Attributes
    ----------
    mined : float64 plane
        How likely each unknown cell is a mine; NaN elsewhere, and where no layout is possible.
    error : float64 plane
        The standard error of an estimate, elsewhere 0.
    log_layouts : (k,) float64 array
        The logarithm of the number of layouts: -inf where none is possible, NaN of an estimate.
    """

    mined: Floats
    error: Floats
    log_layouts: Floats

    @property
    def exact(self) -> npt.NDArray[np.bool_]:
        """(k,) bool array: which positions are no estimates."""
        return ~np.isnan(self.log_layouts)


def chances_of(residue: Residue, budget: int = BUDGET, seed: int = 0) -> Chances:
    """The chances of positions, exact where their states are within the budget.

    Parameters
    ----------
    budget : int
        How many states each chain may have, all steps together; a position with a chain that
        needs more is estimated.
    seed : int
        Of the estimates.

    Examples
    --------
    >>> from ndsweep.solver.residue import residue_of
    >>> chances_of(residue_of(np.array([[1, -1, -1, -1]]), np.array([2]))).mined
    array([nan, nan, 1. , 0.5, 0.5, nan])
    """
    cells, games = residue.unknown.size, len(residue)
    found = Chances(np.full(cells, np.nan), np.zeros(cells), np.full(games, -np.inf))
    block = max(1, _BLOCK_CELLS // residue.layout.width)
    for start in range(0, games, block):
        _solve(residue, np.arange(start, min(start + block, games)), budget, seed, found)
    return found


def _solve(residue: Residue, numbers: Ints, budget: int, seed: int, found: Chances) -> None:
    """Finds the chances of some positions, side by side where none is too large or has too many states."""
    part, alone = residue[numbers], numbers.size == 1
    front = front_of(part)
    log_front = np.log(2) * np.bincount(front.position, front.size, minlength=numbers.size)
    large = log_front > _LONE_LOG
    if large.any() and not alone:
        _solve(residue, numbers[~large], budget, seed, found)
        _solve_each(residue, numbers[large], budget, seed, found)
        return
    chains = chains_of(front)
    limit = Limit(budget if alone else min(budget, _BLOCK_BUDGET), chains.length.size)
    exact = bool(log_front.max(initial=0) > MOST_LOG)
    counts = count(front, chains, part.left, limit, exact)
    over = np.bincount(chains.position, limit.over, minlength=numbers.size) > 0
    steep = log_front + counts.spread > MOST_LOG
    if alone and over.any():
        _estimate(residue, int(numbers[0]), budget, seed, found)
        return
    if alone and steep.any() and not exact:
        counts = count(front, chains, part.left, Limit(budget, chains.length.size), exact=True)
    kept = np.flatnonzero(alone | ~(over | steep))
    _write(found, numbers[kept], kept, part, front, counts)
    if not alone:
        _solve_each(residue, numbers[over | steep], budget, seed, found)


def _solve_each(residue: Residue, numbers: Ints, budget: int, seed: int, found: Chances) -> None:
    for number in numbers:
        _solve(residue, number[None], budget, seed, found)


def _write(found: Chances, numbers: Ints, kept: Ints, part: Residue, front: Front, counts: Counts) -> None:
    """Notes the chances of those positions of a part that are kept."""
    lines = part.layout.lines
    possible = (counts.layouts > 0) & ~front.wrong
    mined = lines(front.spread_out(part, *counts.chances))
    lines(found.mined)[numbers] = np.where(possible[:, None], mined, np.nan)[kept]
    logs = [log(layouts) if layouts else -inf for layouts in counts.layouts.tolist()] + counts.scale
    found.log_layouts[numbers] = np.where(possible, logs, -inf)[kept]


def _estimate(residue: Residue, number: int, budget: int, seed: int, found: Chances) -> None:
    lines = residue.layout.lines
    lines(found.mined)[number], lines(found.error)[number] = estimate(residue[number : number + 1], budget, seed)
    found.log_layouts[number] = np.nan
