"""Guessing: which unknown cells are best to open where none is safe.

Those of the least mine probability; of these the ones that are the most likely to have hint 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import Ints, Words, mix
from ndsweep.solver.chances import Beyond, Chances, Counted, chances_of
from ndsweep.solver.counts import Counts
from ndsweep.solver.queries import Queries, log_layouts
from ndsweep.solver.residue import Residue
from ndsweep.solver.totals import Floats

Bools = npt.NDArray[np.bool_]

_SAME = 1e-9  # chances whose ratio is nearer to 1 differ by rounding
_FREE, _GAME = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1342543DE82EF95)  # odd numbers, for names


@dataclass(frozen=True, eq=False)
class Guesses:
    """The best guesses of many positions.

    Attributes
    ----------
    chances : Chances
        How likely each cell is a mine.
    best : (k, width) bool array
        The best cells to open.
    least : (k,) float64 array
        How likely each of them is a mine; NaN where no cell is unknown, or no chance is known.
    """

    chances: Chances
    best: Bools
    least: Floats


def guesses_of(residue: Residue, beside: Bools, budget: int, seed: int) -> Guesses:
    """The best guesses of positions.

    Parameters
    ----------
    beside : bool plane
        The cells with a known mine among their neighbours, which cannot have hint 0.
    budget, seed : int
        As for `chances_of`; among the cells of an estimate hint 0 does not count.

    Examples
    --------
    >>> from ndsweep.solver.residue import residue_of
    >>> residue = residue_of(np.array([[1, -1, 1, -1, -1, -1, -1]]), np.array([2]))
    >>> guesses = guesses_of(residue, np.zeros(residue.unknown.size, dtype=bool), 1000, seed=0)
    >>> guesses.least, np.flatnonzero(guesses.best[0]) - residue.layout.reach
    (array([0.]), array([3]))
    """
    lines = residue.layout.lines
    worse = np.zeros(lines(residue.unknown).shape, dtype=np.bool_)

    def look(counted: Counted, mined: Floats) -> None:
        if counted.counts is not None and counted.counts.layouts.dtype != object:
            game, places = _ties(mined, counted.rows)
            number = np.full(len(mined), -1)
            number[counted.rows] = counted.numbers
            may_be = ~lines(beside)[number[game], places]
            chance = np.zeros(game.size)
            chance[may_be] = _hint_zero(counted, counted.counts, game[may_be], places[may_be])
            best = np.zeros(len(mined))
            np.maximum.at(best, game, chance)
            less = chance < best[game] * (1 - _SAME)
            worse[number[game[less]], places[less]] = True

    chances = chances_of(residue, budget, seed, look, beyond=Beyond.GUESSES)
    least, cells = _least(lines(chances.mined))
    return Guesses(chances, cells & ~worse, least)


def _least(mined: Floats) -> tuple[Floats, Bools]:
    """The least chance of each position, and the cells that have it."""
    least = np.fmin.reduce(mined, axis=1)
    return least, mined <= least[:, None] * (1 + _SAME)


def _ties(mined: Floats, rows: Ints) -> tuple[Ints, Ints]:
    """The cells that share the least chance of a position, which is not 0, with another one: positions and places."""
    least, cells = _least(mined)
    tied = np.zeros(len(mined), dtype=np.bool_)
    tied[rows] = (least[rows] > 0) & (cells[rows].sum(axis=1) > 1)
    game, places = np.nonzero(cells & tied[:, None])
    return game, places


def _hint_zero(counted: Counted, counts: Counts, game: Ints, places: Ints) -> Floats:
    """How likely each cell, with no known mine beside it, has hint 0; 0 where another one is known to be likelier.

    The cell and its unknown neighbours must be safe.  Where all of them are free, their number
    alone counts: the fewer, the likelier.  No cell with as many free ones or more that has
    others besides is likelier.
    """
    layout, front = counted.part.layout, counted.front
    around = (game * layout.width + places)[:, None] + np.append(layout.offsets, 0)
    groups = front.groups_at(counted.part.unknown.size)[around]
    unknown = counted.part.unknown[around]
    free = (unknown & (groups < 0)).sum(axis=1)
    alone = ~(groups >= 0).any(axis=1)
    fewest = np.full(front.free.size, np.iinfo(np.int64).max)
    np.minimum.at(fewest, game[alone], free[alone])
    kept = np.flatnonzero((free < fewest[game]) | (alone & (free == fewest[game])))
    names = _names(groups[kept]) + game[kept].astype(np.uint64) * _GAME + free[kept].astype(np.uint64) * _FREE
    _, first, which = np.unique(names, return_index=True, return_inverse=True)
    chosen = kept[first]
    query, column = np.nonzero(groups[chosen] >= 0)
    queries = Queries(game[chosen], free[chosen], query, groups[chosen][query, column])
    logs = log_layouts(queries, counted.chains, counts, front.free, counted.part.left)
    with np.errstate(divide="ignore"):
        all_of_them = np.log(counts.layouts) + counts.scale
    chance = np.zeros(game.size)
    chance[kept] = np.exp(logs - all_of_them[game[chosen]])[which]
    return chance


def _names(groups: Ints) -> Words:
    """A name of 64 bits for the groups in each row; -1 stands for none."""
    names = mix((groups + 1).astype(np.uint64))
    names[groups < 0] = 0
    sums: Words = names.sum(axis=1)
    return sums
