"""Lookahead: what a guess comes to with the move after it, for guesses in many positions.

After a guess its hint is known.  For each hint that it may have the position is solved again:
the number of layouts tells how likely that hint is, and the least mine probability how the next move
will fare; where a cell is safe then, it survives, and there is progress.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import Ints
from ndsweep.solver.chances import Beyond, chances_of
from ndsweep.solver.elimination import sums_of
from ndsweep.solver.residue import Residue, as_plane, count_dtype
from ndsweep.solver.totals import Floats

Bools = npt.NDArray[np.bool_]

_MOST = 8  # guesses that are looked at in a position, beside the first
_NEAR = 0.897  # as safe as the safest, times this; no fraction that chances are likely to have
_CELLS = 1 << 19  # of positions after a guess that are looked at together
_SAME = 1e-9  # chances whose ratio is nearer to 1 differ by rounding
_PROGRESS = 0.2  # what a safe cell afterwards is worth beyond one survival; 0.1 to 0.5 win about as often, 0 less


def look_ahead(residue: Residue, mined: Floats, log_layouts: Floats, best: Bools, budget: int) -> Bools:
    """The guesses that are worth most: the chance to survive with the next move, and a fifth of that of progress.

    Besides one of the best guesses, those are looked at that are nearly as safe and may be worth
    more, at most 8 of them: the safest, and of these the ones with the fewest unknown neighbours.

    Parameters
    ----------
    residue : Residue
        Positions in which nothing is safe.
    mined : (k, width) float64 array
        How likely each unknown cell is a mine, NaN elsewhere.
    log_layouts : (k,) float64 array
        The logarithm of the number of layouts of each position.
    best : (k, width) bool array
        The best guesses as far as they alone are concerned, one or more in each position.
    budget : int
        As for `chances_of`.

    Returns
    -------
    (k, width) bool array

    Examples
    --------
    >>> from ndsweep.solver.residue import residue_of
    >>> residue = residue_of(np.array([[-1, 1, -1, -1, -1]]), np.array([2]))
    >>> chances = chances_of(residue)
    >>> mined = residue.layout.lines(chances.mined)
    >>> look_ahead(residue, mined, chances.log_layouts, mined == 0.5, 1000)[:, residue.layout.positions]
    array([[False, False,  True,  True, False]])
    """
    safe, worth = 1 - mined, np.full(mined.shape, -np.inf)
    game, place = np.arange(len(best)), best.argmax(axis=1)
    worth[game, place] = _worth(residue, safe, log_layouts, game, place, budget)
    game, place = _rivals(residue, safe, worth)
    worth[game, place] = _worth(residue, safe, log_layouts, game, place, budget)
    chosen: Bools = worth >= worth.max(axis=1, keepdims=True) * (1 - _SAME)
    return chosen


def _rivals(residue: Residue, safe: Floats, worth: Floats) -> tuple[Ints, Ints]:
    """The guesses that may be better than the one whose worth is known."""
    layout = residue.layout
    near = layout.lines(layout.add_up(residue.unknown.astype(count_dtype(layout))))
    least = np.maximum(worth.max(axis=1) * (1 + _SAME) / (1 + _PROGRESS), np.fmax.reduce(safe, axis=1) * _NEAR)
    game, place = np.nonzero((safe >= least[:, None]) & np.isneginf(worth))
    order = np.lexsort((place, near[game, place], -np.round(safe[game, place], 9), game))
    game, place = game[order], place[order]
    rank = np.arange(game.size) - np.searchsorted(game, game)
    return game[rank < _MOST], place[rank < _MOST]


def _worth(residue: Residue, safe: Floats, log_layouts: Floats, game: Ints, place: Ints, budget: int) -> Floats:
    """What each guess is worth, the next move in mind; some guesses at a time."""
    layout = residue.layout
    near = layout.add_up(residue.unknown.astype(count_dtype(layout)))[game * layout.width + place].astype(np.int64)
    turn = np.cumsum(near) * layout.width // _CELLS
    parts = np.split(np.arange(game.size), np.flatnonzero(np.diff(turn)) + 1)
    found = [_worth_of(residue, safe, log_layouts, game[part], place[part], near[part], budget) for part in parts]
    return np.concatenate(found)


def _worth_of(
    residue: Residue, safe: Floats, log_layouts: Floats, game: Ints, place: Ints, near: Ints, budget: int
) -> Floats:
    """The same; if a hint leads beyond the budget, the next move counts as safe as the safest is now."""
    layout = residue.layout
    guess = np.repeat(np.arange(game.size), near)  # a cell counts itself, so the highest hint is one less
    hint = np.arange(guess.size) - np.repeat(np.cumsum(near) - near, near)
    opened = _opened(residue, game[guess], place[guess], hint)
    found = chances_of(opened, budget, beyond=Beyond.NOTHING)
    least = np.fmin.reduce(layout.lines(found.mined), axis=1)
    least[layout.lines(opened.unknown).sum(axis=1) == opened.left] = 0  # only mines are left, or nothing: won
    logs = found.log_layouts - log_layouts[game[guess]]
    share = np.exp(np.where(np.isnan(logs), -np.inf, logs))
    least[share == 0] = 1  # no such hint
    worth = sums_of(guess, share * np.where(least == 0, 1 + _PROGRESS, 1 - least), game.size)
    beyond = sums_of(guess, np.isnan(logs), game.size) > 0
    unseen = np.where(beyond, np.maximum(safe[game, place] - sums_of(guess, share, game.size), 0), 0)
    unseen_worth: Floats = unseen * np.fmax.reduce(safe, axis=1)[game]
    return worth + unseen_worth


def _opened(residue: Residue, game: Ints, place: Ints, lacks: Ints) -> Residue:
    """Positions with one more cell open, which lacks so many mines."""
    layout, index = residue.layout, np.arange(game.size)
    unknown, number, missing = (layout.lines(plane)[game] for plane in (residue.unknown, residue.number, residue.lacks))
    unknown[index, place], number[index, place], missing[index, place] = False, True, lacks
    return Residue(
        layout, as_plane(layout, unknown), as_plane(layout, number), as_plane(layout, missing), residue.left[game]
    )
