"""Lookahead: how likely a guess and the move after it survive, for guesses in many positions.

After a guess its hint is known.  For each hint that it may have the position is solved again:
the number of layouts tells how likely that hint is, and the least mine probability how the next move
will fare; where a cell is safe then, it survives.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import Ints
from ndsweep.solver.chances import chances_of
from ndsweep.solver.elimination import sums_of
from ndsweep.solver.residue import Residue, as_plane, count_dtype
from ndsweep.solver.totals import Floats

Bools = npt.NDArray[np.bool_]

_MOST = 8  # guesses that are looked at in a position, beside the first
_NEAR = 0.897  # as safe as the safest, times this; no fraction that chances are likely to have
_CELLS = 1 << 19  # of positions after a guess that are looked at together
_SAME = 1e-9  # chances whose ratio is nearer to 1 differ by rounding


def look_ahead(residue: Residue, mined: Floats, log_layouts: Floats, best: Bools, budget: int) -> Bools:
    """The guesses that are the likeliest to survive together with the move after them.

    Those are looked at that are safer than what one of the best guesses comes to in two moves, and at
    most 8 of them: the safest, and of these the ones with the fewest unknown neighbours.

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
    two_moves = np.full(mined.shape, -np.inf)
    game, place = np.arange(len(best)), best.argmax(axis=1)
    two_moves[game, place] = _survival(residue, log_layouts, game, place, budget)
    game, place = _rivals(residue, 1 - mined, two_moves)
    two_moves[game, place] = _survival(residue, log_layouts, game, place, budget)
    chosen: Bools = two_moves >= two_moves.max(axis=1, keepdims=True) * (1 - _SAME)
    return chosen


def _rivals(residue: Residue, safe: Floats, two_moves: Floats) -> tuple[Ints, Ints]:
    """The guesses that may be better than the one whose survival in two moves is known."""
    layout = residue.layout
    near = layout.lines(layout.add_up(residue.unknown.astype(count_dtype(layout))))
    least = np.maximum(two_moves.max(axis=1) * (1 + _SAME), np.fmax.reduce(safe, axis=1) * _NEAR)
    game, place = np.nonzero((safe >= least[:, None]) & np.isneginf(two_moves))
    order = np.lexsort((place, near[game, place], -np.round(safe[game, place], 9), game))
    game, place = game[order], place[order]
    rank = np.arange(game.size) - np.searchsorted(game, game)
    return game[rank < _MOST], place[rank < _MOST]


def _survival(residue: Residue, log_layouts: Floats, game: Ints, place: Ints, budget: int) -> Floats:
    """How likely each guess and the move after it survive; some guesses at a time."""
    layout = residue.layout
    near = layout.add_up(residue.unknown.astype(count_dtype(layout)))[game * layout.width + place].astype(np.int64)
    turn = np.cumsum(near) * layout.width // _CELLS
    parts = np.split(np.arange(game.size), np.flatnonzero(np.diff(turn)) + 1)
    found = [_survival_of(residue, log_layouts, game[part], place[part], near[part], budget) for part in parts]
    return np.concatenate(found)


def _survival_of(residue: Residue, log_layouts: Floats, game: Ints, place: Ints, near: Ints, budget: int) -> Floats:
    layout = residue.layout
    guess = np.repeat(np.arange(game.size), near)  # a cell counts itself, so the highest hint is one less
    hint = np.arange(guess.size) - np.repeat(np.cumsum(near) - near, near)
    found = chances_of(_opened(residue, game[guess], place[guess], hint), budget)
    least = np.fmin.reduce(layout.lines(found.mined), axis=1)
    logs = found.log_layouts - log_layouts[game[guess]]
    share = np.exp(np.where(np.isnan(logs), -np.inf, logs))
    survives: Floats = share * np.where(np.isnan(least), 1, 1 - least)
    return sums_of(guess, survives, game.size)


def _opened(residue: Residue, game: Ints, place: Ints, lacks: Ints) -> Residue:
    """Positions with one more cell open, which lacks so many mines."""
    layout, index = residue.layout, np.arange(game.size)
    unknown, number, missing = (layout.lines(plane)[game] for plane in (residue.unknown, residue.number, residue.lacks))
    unknown[index, place], number[index, place], missing[index, place] = False, True, lacks
    return Residue(
        layout, as_plane(layout, unknown), as_plane(layout, number), as_plane(layout, missing), residue.left[game]
    )
