"""Lookahead: how likely a guess and the move after it survive, for guesses in many positions.

After a guess its hint is known.  For each hint that it may have the position is solved again:
the number of layouts tells how likely the hint is, and the least mine probability how the next move
will fare; where a cell is safe then, it survives.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import Ints
from ndsweep.solver.chances import chances_of
from ndsweep.solver.guessing import Guesses
from ndsweep.solver.residue import Residue, as_plane, count_dtype
from ndsweep.solver.totals import Floats

Bools = npt.NDArray[np.bool_]

_MOST = 8  # guesses that are looked at in a position
_NEAR = 0.9  # as likely to be safe as the best one, times this
_SAME = 1e-9


def look_ahead(residue: Residue, guesses: Guesses, budget: int) -> tuple[Bools, Floats]:
    """The guesses that are best with the move after them, and how likely they are safe.

    Returns
    -------
    best : (k, width) bool array
    survival : (k,) float64 array
        How likely the cell itself is safe.
    """
    safe = 1 - residue.layout.lines(guesses.chances.mined)
    two = np.full(safe.shape, -np.inf)
    game, place = _first(guesses.best)
    two[game, place] = _two_moves(residue, guesses, game, place, budget)
    game, place = _others(residue, guesses, safe, two)
    two[game, place] = _two_moves(residue, guesses, game, place, budget)
    most = two.max(axis=1)
    best = two >= (most * (1 - _SAME))[:, None]
    best &= np.isfinite(two)
    chosen = best.argmax(axis=1)
    return best, safe[np.arange(len(safe)), chosen]


def _first(best: Bools) -> tuple[Ints, Ints]:
    """The first of the best guesses of each position."""
    game = np.flatnonzero(best.any(axis=1))
    return game, best[game].argmax(axis=1)


def _others(residue: Residue, guesses: Guesses, safe: Floats, two: Floats) -> tuple[Ints, Ints]:
    """More guesses that may be better: those that are safer than what the first one comes to in two moves."""
    lines = residue.layout.lines
    known = two.max(axis=1)
    floor = np.maximum(known * (1 + _SAME), guesses.survival * _NEAR)
    near = lines(residue.layout.add_up(residue.unknown.astype(count_dtype(residue.layout))))
    game, place = np.nonzero((safe >= floor[:, None]) & ~np.isfinite(two))
    order = np.lexsort((near[game, place], -np.round(safe[game, place], 9), game))
    game, place = game[order], place[order]
    rank = np.arange(game.size) - np.searchsorted(game, game)
    return game[rank < _MOST], place[rank < _MOST]


def _two_moves(residue: Residue, guesses: Guesses, game: Ints, place: Ints, budget: int) -> Floats:
    """How likely each guess and the move after it survive."""
    layout = residue.layout
    near = layout.add_up(residue.unknown.astype(count_dtype(layout)))[game * layout.width + place].astype(np.int64)
    guess = np.repeat(np.arange(game.size), near)  # a cell counts itself, so near - 1 is the highest hint
    hint = np.arange(guess.size) - np.repeat(np.cumsum(near) - near, near)
    opened = _opened(residue, game[guess], place[guess], hint)
    found = chances_of(opened, budget)
    least = np.fmin.reduce(layout.lines(found.mined), axis=1)
    logs = found.log_layouts - guesses.chances.log_layouts[game[guess]]
    share = np.exp(np.where(np.isnan(logs), -np.inf, logs))
    survives = np.where(np.isnan(least), 1, 1 - least)
    return np.bincount(guess, share * survives, minlength=game.size)


def _opened(residue: Residue, game: Ints, place: Ints, lacks: Ints) -> Residue:
    """Positions in which one cell more is open and lacks so many mines."""
    layout, index = residue.layout, np.arange(game.size)
    unknown, number, missing = (layout.lines(plane)[game] for plane in (residue.unknown, residue.number, residue.lacks))
    unknown[index, place], number[index, place], missing[index, place] = False, True, lacks
    return Residue(
        layout, as_plane(layout, unknown), as_plane(layout, number), as_plane(layout, missing), residue.left[game]
    )
