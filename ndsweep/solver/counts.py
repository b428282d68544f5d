"""Counts: the layouts of many positions, and how many of them have a mine on each cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import Ints
from ndsweep.solver.chains import Chains, fields_of
from ndsweep.solver.elimination import Elimination, Judge, States, Weights, eliminate, trace_back
from ndsweep.solver.fronts import Front
from ndsweep.solver.residue import ANY
from ndsweep.solver.totals import Floats, sums_along, totals_of

BUDGET = 1_000_000
"""How many states each chain of a position may have, all steps together."""

MOST_LOG = 600.0
"""The largest logarithm of weights whose products float64 can hold."""


@dataclass(frozen=True, eq=False)
class Counts:
    """What the layouts of many positions come to, as weights that share a factor in each position.

    Attributes
    ----------
    mined, safe : (groups,) arrays
        All cells of a group taken together, the weight of mines and of safe cells.
    free_mined, free_safe : (k,) arrays
        The same for the free cells of a position.
    layouts, scale : (k,) arrays
        The weight of all layouts, and the logarithm of the factor that it lacks.
    spread : (k,) float64 array
        The logarithm of the ratio that weights may come to.
    done, final : Elimination, States
        How the chains were counted, and what they came to.
    rest : (states,) array
        For each final state, the weight of all that goes with it.
    """

    mined: Weights
    safe: Weights
    free_mined: Weights
    free_safe: Weights
    layouts: Weights
    scale: Floats
    spread: Floats
    done: Elimination
    final: States
    rest: Weights

    @property
    def chances(self) -> tuple[Floats, Floats]:
        """How likely a cell of each group and a free cell of each position is a mine; NaN where there is none."""
        return _share(self.mined, self.safe), _share(self.free_mined, self.free_safe)


class Limit:
    """Gives up the chains that have more states than a budget, all steps together.

    Attributes
    ----------
    spent : (chains,) int64 array
        How many states each chain has had.

    Examples
    --------
    >>> limit = Limit(2, chains=2)
    >>> states = States(np.array([0, 0, 0, 1]), np.empty((0, 4)), np.zeros(4), np.ones(4))
    >>> limit(states), limit.over
    (array([0., 0., 0., 1.]), array([ True, False]))
    """

    def __init__(self, budget: int, chains: int) -> None:
        self.budget, self.spent = budget, np.zeros(chains, dtype=np.int64)

    def __call__(self, states: States) -> Floats | None:
        """0 for the states of chains that are over the budget."""
        self.spent += np.bincount(states.chain, minlength=self.spent.size)
        return np.where(self.over[states.chain], 0.0, 1.0) if self.over.any() else None

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which chains were given up."""
        return self.spent > self.budget


def count(
    front: Front,
    chains: Chains,
    left: Ints,
    judge: Judge,
    exact: bool = False,
    *,
    most: Ints | None = None,
    by_mines: bool = True,
    rounded: bool = False,
) -> Counts:
    """Counts the layouts of positions side by side.

    Parameters
    ----------
    left : (k,) int64 array
        How many mines there are in each position, or `ANY`.
    judge : callable
        Keeps the states within bounds.
    exact : bool
        Whether weights are Python integers, and complete.
    most : (k,) int64 array, optional
        How many mines a chain of each position may have; by default as many as are left.
    by_mines : bool
        Whether the states tell how many mines there are; where any number may be left, they need
        not.
    rounded : bool
        Whether integers of thousands of digits, the ways of the free cells, may be rounded to
        some sixty.

    Examples
    --------
    >>> from ndsweep.solver.chains import chains_of
    >>> from ndsweep.solver.fronts import front_of
    >>> from ndsweep.solver.residue import residue_of
    >>> front = front_of(residue_of(np.array([[1, -1, -1, -1]]), np.array([2])))
    >>> counts = count(front, chains_of(front), np.array([2]), lambda states: None, exact=True)
    >>> counts.layouts, counts.chances
    (array([2], dtype=object), (array([1.]), array([0.5])))
    """
    most = np.where(left < ANY // 2, front.cells.size, left) if most is None else most
    done = eliminate(chains, fields_of(front, chains), most[chains.position], judge, exact, by_mines)
    final = done.final
    totals = totals_of(final, chains.position, front.free, left, rounded)
    rest = totals.rest(final.chain.size)
    weights = trace_back(chains, done, rest)
    mined, safe = (np.empty_like(weight) for weight in weights)
    mined[chains.groups], safe[chains.groups] = weights
    layouts = totals.front * totals.free
    over = (left - totals.least)[:, None] - np.arange(layouts.shape[1])
    any_number = left[:, None] < ANY // 2
    over, under = np.where(any_number, 1, over), np.where(any_number, 1, front.free[:, None] - over)
    some = (front.free > 0)[:, None]
    return Counts(
        mined,
        safe,
        sums_along(layouts * (over * some)),
        sums_along(layouts * (under * some)),
        sums_along(layouts),
        totals.scale,
        totals.spread + np.log(2) * np.bincount(front.position, front.size, minlength=front.free.size),
        done,
        final,
        rest,
    )


def _share(mined: Weights, safe: Weights) -> Floats:
    """The share of the mines, exactly 0 or 1 where there are none or nothing else; NaN where there is no layout."""
    both = mined + safe
    share = np.full(both.size, np.nan)
    some = np.flatnonzero(both)
    share[some] = mined[some] / both[some]
    share[(share == 0) & (mined > 0)] = np.nextafter(0, 1)  # not impossible, however unlikely
    share[(share == 1) & (safe > 0)] = np.nextafter(1, 0)
    return share
