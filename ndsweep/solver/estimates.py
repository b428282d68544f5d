"""Estimates: the chances of a position that has too many states to count, by Monte Carlo over its layouts.

In several runs at once, states are thinned at random whenever there are too many: those of
large weight stay, of the others as many as there is room for, each the more likely the
larger its weight, and those that stay take over the weight of the others.  So every layout counts in
a run as much as it should on average (Fearnhead and Clifford, "On-line inference for hidden Markov
models via particle filters", 2003).  The differences between runs, and how many states are left
to tell of each cell, tell the standard error.
"""

from __future__ import annotations

import numpy as np

from ndsweep.solver.chains import Chains, chains_of
from ndsweep.solver.counts import Counts, count
from ndsweep.solver.elimination import States, flows
from ndsweep.solver.fronts import Front, front_of
from ndsweep.solver.residue import Residue
from ndsweep.solver.totals import Floats

RUNS = 16

_MOST_STEPS = 40_000  # of all runs; more would take a minute and come to nothing


class Thinning:
    """Keeps at most so many states of a chain after each step, and their weights at 1 or less.

    Attributes
    ----------
    scale : (chains,) float64 array
        The logarithm of what the weights of each chain have been divided by.
    """

    def __init__(self, most: int, chains: int, seed: int) -> None:
        self.most, self.random = most, np.random.default_rng(seed)
        self.scale = np.zeros(chains)

    def __call__(self, states: States) -> Floats:
        """By how much the weight of each state changes."""
        starts = np.flatnonzero(np.diff(states.chain, prepend=-1))
        if not starts.size:
            return np.ones(0)
        sizes = np.diff(starts, append=states.chain.size)
        largest = np.maximum.reduceat(states.weight, starts)
        self.scale[states.chain[starts]] += np.log(largest)
        factors = 1 / np.repeat(largest, sizes)
        for start, size in zip(starts, sizes, strict=True):
            if size > self.most:
                part = slice(start, start + size)
                factors[part] *= thinned(states.weight[part] * factors[part], self.most, self.random)
        return factors


def thinned(weight: Floats, most: int, random: np.random.Generator) -> Floats:
    """The factors by which weights change when only so many of them stay: 0, or 1 or more.

    Each factor is 1 on average, and at most one more stays than said.

    Examples
    --------
    >>> thinned(np.array([8.0, 1.0, 1.0, 1.0, 1.0]), 3, np.random.default_rng(1))
    array([1., 2., 0., 2., 0.])
    """
    falling = np.sort(weight)[::-1]
    rest = falling.sum() - np.concatenate([[0.0], np.cumsum(falling)])[:most]
    least = rest / (most - np.arange(most))  # the weight of the thinned if so many are kept as they are
    least = least[np.argmax(falling[:most] <= least)]
    stay = np.minimum(weight / least, 1)
    picked = np.diff(np.floor(np.cumsum(stay) + random.random()), prepend=0.0) > 0
    return np.where(picked | (stay == 1), 1 / stay, 0.0)


def estimate(residue: Residue, budget: int, seed: int) -> tuple[Floats, Floats]:
    """The chances of the unknown cells of one position, and their standard errors.

    Parameters
    ----------
    residue : Residue
        One position.
    budget : int
        How many states all runs may have together.

    Returns
    -------
    mined, error : (width,) float64 arrays
        A line of cells; NaN throughout where no run has found a layout.

    Examples
    --------
    >>> from ndsweep.solver.residue import residue_of
    >>> mined, error = estimate(residue_of(np.array([[1, -1, -1, -1]]), np.array([2])), 1000, seed=0)
    >>> mined.round(3), error.round(3)
    (array([nan, nan, 1. , 0.5, 0.5]), array([  nan,   nan, 0.042, 0.125, 0.125]))
    """
    copies = residue[np.zeros(RUNS, dtype=np.int64)]
    front = front_of(copies)
    chains = chains_of(front)
    steps = max(1, chains.groups.size)
    nothing = np.full(residue.layout.width, np.nan)
    if steps > _MOST_STEPS:
        return nothing, nothing
    thinning = Thinning(max(2, budget // steps), chains.length.size, seed)
    counts = count(front, chains, copies.left, thinning)
    scale = counts.scale + np.bincount(chains.position, thinning.scale, minlength=RUNS)
    found = counts.layouts > 0
    if not found.any():
        return nothing, nothing
    logs = np.log(counts.layouts[found]) + scale[found]
    weight = np.exp(logs - logs.max())[:, None] / np.exp(logs - logs.max()).sum()
    runs = residue.layout.lines(front.spread_out(copies, *counts.chances))[found]
    mined = (weight * runs).sum(axis=0)
    variance = (weight**2 * (runs - mined) ** 2).sum(axis=0) * (RUNS / (RUNS - 1))
    # runs may all err alike; a share of so few states is no better known than that of so many draws
    states = 1 / (weight**2 / residue.layout.lines(_states_behind(copies, front, chains, counts))[found]).sum(axis=0)
    share = (states * mined + 0.5) / (states + 1)
    mined = np.clip(mined, np.nextafter(0, 1), np.nextafter(1, 0))  # these states alone prove nothing
    return mined, np.sqrt(variance + share * (1 - share) / states)


def _states_behind(copies: Residue, front: Front, chains: Chains, counts: Counts) -> Floats:
    """How many states of equal weight would say as much about each unknown cell as those that are left.

    For the free cells, as many as for the group of the front that is known best.
    """
    total, squares = np.zeros((2, chains.groups.size))
    for moves, flow in flows(counts.done, counts.rest):
        total += np.bincount(moves.group, flow, minlength=total.size)
        squares += np.bincount(moves.group, flow**2, minlength=total.size)
    behind = np.ones(total.size)
    some = squares > 0
    behind[chains.groups[some]] = total[some] ** 2 / squares[some]
    best = np.ones(RUNS)
    np.maximum.at(best, front.position, behind)
    return front.spread_out(copies, behind, best)
