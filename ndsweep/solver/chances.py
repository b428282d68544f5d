"""Chances: how likely each unknown cell is a mine, for many positions at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from math import inf, log

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import Ints
from ndsweep.solver.certain import certain
from ndsweep.solver.chains import Chains, chains_of
from ndsweep.solver.counts import BUDGET, MOST_LOG, Counts, Limit, count
from ndsweep.solver.estimates import estimate
from ndsweep.solver.fronts import Front, front_of
from ndsweep.solver.residue import Residue
from ndsweep.solver.totals import Floats

_BLOCK_CELLS = 1 << 19  # of the positions that are solved together; fewer take as many calls
_BLOCK_BUDGET = 20_000  # states of a chain; with more, its position is solved alone
_LONE_LOG = 300.0  # of the weights of a position that is solved alone, as it would slow others down


class Beyond(IntEnum):
    """What is found out about a position that has too many states."""

    NOTHING = 0
    """All its chances are NaN."""
    PROOFS = 1
    """0 and 1 where those of its chains that are within the budget prove it, else NaN."""
    GUESSES = 2
    """Estimates too, where no cell is proved safe."""
    ESTIMATES = 3
    """Estimates too."""


@dataclass(frozen=True, eq=False)
class Chances:
    """The chances of many positions.

    Attributes
    ----------
    mined : float64 plane
        How likely each unknown cell is a mine; NaN elsewhere, and where no layout is possible.  0
        and 1 are always proved, even among estimates.
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
    residue: Residue,
    budget: int = BUDGET,
    seed: int = 0,
    look: Look | None = None,
    *,
    beyond: Beyond = Beyond.ESTIMATES,
) -> Chances:
    """The chances of positions, exact where their states are within the budget.

    Parameters
    ----------
    budget : int
        How many states each chain may have, all steps together.
    seed : int
        Of the estimates.
    look : callable, optional
        Sees every part that is counted.
    beyond : Beyond
        What becomes of a position with a chain that needs more.

    Examples
    --------
    >>> from ndsweep.solver.residue import residue_of
    >>> chances_of(residue_of(np.array([[1, -1, -1, -1]]), np.array([2]))).mined
    array([nan, nan, 1. , 0.5, 0.5, nan])
    """
    cells, games = residue.unknown.size, len(residue)
    found = Chances(np.full(cells, np.nan), {}, np.full(games, np.nan))
    block = max(1, _BLOCK_CELLS // residue.layout.width)
    for start in range(0, games, block):
        for counted in _counted(residue, np.arange(start, min(start + block, games)), budget):
            if counted.counts is None:
                if beyond != Beyond.NOTHING:
                    _look_beyond(found, int(counted.numbers[0]), counted.part, budget, seed, beyond)
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


def _look_beyond(found: Chances, number: int, part: Residue, budget: int, seed: int, beyond: Beyond) -> None:
    """Notes what is known of a position, alone in its part, that has too many states."""
    sure = certain(part, budget)
    if not sure.possible:
        found.log_layouts[number] = -inf
        return
    lines = part.layout.lines
    if beyond == Beyond.ESTIMATES or (beyond == Beyond.GUESSES and not sure.safe.any()):
        rest = part.without(sure.mined, sure.safe)
        lines(found.mined)[number], found.errors[number] = estimate(rest, budget, seed)
    for cells, chance in ((sure.mined, 1), (sure.safe, 0)):
        lines(found.mined)[number, lines(cells)[0]] = chance


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
