"""Certainty: the unknown cells that hold a mine in every layout of a position, and those that do in none."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import Ints
from ndsweep.solver.chains import Chains, chains_of
from ndsweep.solver.counts import BUDGET, MOST_LOG, Counts, Limit, count
from ndsweep.solver.elimination import Judge
from ndsweep.solver.fronts import Front, front_of
from ndsweep.solver.residue import ANY, Residue, simplified

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Certain:
    """What is true in every layout of a position.

    Attributes
    ----------
    mined, safe : bool planes
        The unknown cells with a mine in every layout, and those with one in none.
    possible : bool
        Whether there is a layout, as far as that was found out.
    complete : bool
        Whether that is all; else some chain has more states than the budget, and the rest was
        looked at without the number of all mines.
    """

    mined: Mask
    safe: Mask
    possible: bool
    complete: bool


def certain(residue: Residue, budget: int = BUDGET) -> Certain:
    """What is true in every layout of one position.

    Every chain is looked at by itself.  The number of all mines joins them only where it
    leaves out a layout of the front or settles the free cells.

    Parameters
    ----------
    residue : Residue
        One position.
    budget : int
        How many states each chain may have, all steps together.

    Examples
    --------
    >>> from ndsweep.solver.residue import residue_of
    >>> found = certain(residue_of(np.array([[1, -1, -1, -1, 1]]), np.array([2])))
    >>> np.flatnonzero(found.mined) - 1, np.flatnonzero(found.safe) - 1, found.complete
    (array([1, 3]), array([2]), True)
    """
    rest, mined, safe = simplified(residue)
    front = front_of(rest)
    chains = chains_of(front)
    label = np.empty_like(front.group, shape=front.size.size)
    label[chains.groups] = chains.chain
    alone = replace(front, position=label, free=np.zeros_like(chains.length))
    left, free = int(rest.left[0]), int(front.free[0])
    counted = left > ANY // 2
    most = left if counted else front.cells.size
    found, over = _each_alone(alone, chains, budget, most, by_mines=counted)
    complete = not over.any()
    if counted and not complete:
        found, over = _each_alone(alone, chains, budget, front.cells.size, by_mines=False)
    possible = not front.wrong.any() and bool((found.layouts > 0)[~over].all())
    always, never = (found.safe == 0) & ~over[label], (found.mined == 0) & ~over[label]
    all_free = no_free = False
    if counted and complete and possible and not _any_total(found, left, free):
        found = _counted(front, chains, rest.left, lambda states: None)  # no more states than before
        possible = bool(found.layouts[0] > 0)
        always, never = found.safe == 0, found.mined == 0
        all_free, no_free = not found.free_safe[0], not found.free_mined[0]
    for cells, of_groups, of_free in ((mined, always, all_free), (safe, never, no_free)):
        if of_free:
            loose = rest.unknown.copy()
            loose[front.cells] = False
            cells |= loose
        cells[front.cells] |= of_groups[front.group]
    return Certain(mined, safe, possible, complete)


def is_impossible(residue: Residue, budget: int = BUDGET) -> bool:
    """Whether one position is known to have no layout.

    Parameters
    ----------
    residue : Residue
        One position.
    budget : int
        How many states each chain may have, all steps together; with more, nothing is known.

    Examples
    --------
    >>> from ndsweep.solver.residue import residue_of
    >>> [is_impossible(residue_of(np.array([[1, -1, 1, -1]]), np.array([mines]))) for mines in (1, 2)]
    [False, True]
    """
    rest, _, _ = simplified(residue)
    front = front_of(rest)
    if front.wrong.any():
        return True
    chains = chains_of(front)
    limit = Limit(budget, chains.length.size)
    counts = _counted(front, chains, rest.left, limit, by_mines=bool(rest.left[0] > ANY // 2))
    return not counts.layouts[0] and not limit.over.any()


def _each_alone(front: Front, chains: Chains, budget: int, most: int, by_mines: bool) -> tuple[Counts, Mask]:
    """The layouts of each chain as a position of its own, with so many mines at most; and which were given up."""
    number = chains.length.size
    limit = Limit(budget, number)
    chains = replace(chains, position=np.arange(number))
    return _counted(front, chains, np.full(number, ANY), limit, np.full(number, most), by_mines), limit.over


def _any_total(alone: Counts, left: int, free: int) -> bool:
    """Whether the free cells can make up for any number of mines on the chains, and are not all alike."""
    reached = alone.final.of(np.flatnonzero(alone.final.weight > 0))
    chains = alone.layouts.size
    fewest, most = np.full(chains, np.iinfo(np.int64).max), np.zeros(chains, dtype=np.int64)
    np.minimum.at(fewest, reached.chain, reached.mines)
    np.maximum.at(most, reached.chain, reached.mines)
    return bool(most.sum() < left < fewest.sum() + free)


def _counted(
    front: Front, chains: Chains, left: Ints, judge: Judge, most: Ints | None = None, by_mines: bool = True
) -> Counts:
    """Weights that are 0 only where there is no layout, or where the judge has dropped states."""
    log_front = np.log(2) * np.bincount(front.position, front.size, minlength=left.size)
    if not (log_front > MOST_LOG).any():
        counts = count(front, chains, left, judge, most=most, by_mines=by_mines)
        if not (counts.spread > MOST_LOG).any():
            return counts
        if isinstance(judge, Limit):
            judge.spent[:] = 0
    return count(front, chains, left, judge, exact=True, most=most, by_mines=by_mines)
