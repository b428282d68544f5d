"""Inference: what exact chances make of stuck games, in slots or of one view.

Every cell that is proved safe is opened and every proved mine flagged.  Where nothing is
safe, one of the best guesses is drawn from the game's own stream.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ndsweep.engine import guesses
from ndsweep.engine.planes import Layout, count_bits, lanes_of
from ndsweep.engine.slots import Slots
from ndsweep.engine.streams import Ints, Purpose, Words, stream_keys
from ndsweep.solver.chances import Chances
from ndsweep.solver.guessing import Guesses, guesses_of
from ndsweep.solver.lookahead import look_ahead
from ndsweep.solver.residue import Residue, as_plane, count_dtype, residue_of
from ndsweep.spec import FLAG

Bools = npt.NDArray[np.bool_]

BUDGET = 50_000
"""How many states a component may have while games are played; beyond, its chances are estimated."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """What is to be done in each of some games.

    Attributes
    ----------
    safe, mined : (k, width) bool arrays
        The cells that are proved safe, and mines.
    best : (k, width) bool array
        The best guesses, where nothing is safe.
    survival : (k,) float64 array
        How likely each of them is safe.
    """

    safe: Bools
    mined: Bools
    best: Bools
    survival: npt.NDArray[np.float64]


def verdict_on(residue: Residue, flagged: Bools, ahead: bool = False) -> Verdict:
    """What exact chances say of positions that the rules leave stuck.

    Parameters
    ----------
    flagged : bool plane
        The known mines.

    Examples
    --------
    >>> residue = residue_of(np.array([[1, -1, 1, -1]]), np.array([1]))
    >>> verdict = verdict_on(residue, np.zeros(residue.unknown.size, dtype=bool))
    >>> np.flatnonzero(verdict.safe[0]), np.flatnonzero(verdict.mined[0])
    (array([4]), array([2]))
    """
    layout = residue.layout
    beside = layout.add_up(flagged.astype(count_dtype(layout))) > 0
    found = guesses_of(residue, beside, BUDGET, seed=0)
    exact, chances = found.chances.exact[:, None], layout.lines(found.chances.mined)
    sure = exact & (found.survival == 1)[:, None]
    unknown = layout.lines(residue.unknown)
    at_a_loss = np.isnan(found.survival)  # not even an estimate: any cell, and what is known of all of them
    best = np.where(at_a_loss[:, None], unknown, found.best)
    survival = np.where(at_a_loss, 1 - residue.left / unknown.sum(axis=1), found.survival)
    best = best & ~sure
    if ahead:
        rows = np.flatnonzero(exact[:, 0] & best.any(axis=1))
        some = Guesses(
            Chances(as_plane(layout, chances[rows]), np.zeros(0), found.chances.log_layouts[rows]), best[rows], survival[rows]
        )
        best[rows], survival[rows] = look_ahead(residue[rows], some, BUDGET)
    return Verdict(found.best & sure, (chances == 1) & exact, best, survival)


def verdict_on_view(view: npt.NDArray[np.signedinteger], mines: int) -> Verdict:
    """The same for one view whose flags stand on mines; the cells in C order.

    Examples
    --------
    >>> verdict_on_view(np.array([1, -1, -1, -1]), mines=2).mined
    array([[False,  True, False, False]])
    """
    residue = residue_of(view[None], np.array([mines - int(np.count_nonzero(view == FLAG))]))
    flagged = np.zeros(residue.unknown.size, dtype=np.bool_)
    residue.layout.cells_of(flagged)[0] = view == FLAG
    verdict, places = verdict_on(residue, flagged), residue.layout.positions
    return Verdict(verdict.safe[:, places], verdict.mined[:, places], verdict.best[:, places], verdict.survival)


def move_on(slots: Slots, stuck: Words, ahead: bool = False) -> Ints:
    """Moves on in the stuck games, once these are at least half of all; gives their slots."""
    if 2 * count_bits(stuck) < count_bits(slots.active):
        return np.empty(0, dtype=np.int64)
    lanes, layout = lanes_of(stuck), slots.layout
    done, quiet, safe, mines = (
        layout.columns(plane, lanes) for plane in (slots.done, slots.quiet, slots.safe, slots.mines)
    )
    unflagged = as_plane(layout, ~quiet)
    residue = Residue(
        layout,
        as_plane(layout, ~(done & quiet)),
        as_plane(layout, done & safe),
        layout.add_up(unflagged.astype(np.int16)),
        (~quiet).sum(axis=1),
    )
    verdict = verdict_on(residue, as_plane(layout, mines & quiet), ahead)
    game, place = np.nonzero(verdict.mined)
    slots.flag_proved(lanes[game], place)
    game, place = np.nonzero(verdict.safe)
    slots.open_proved(lanes[game], place)
    guessing = np.flatnonzero(verdict.best.any(axis=1))
    chosen = lanes[guessing]
    keys = stream_keys(slots.queue.seed, Purpose.GUESSES, slots.game[chosen])
    cells = guesses.pick(keys, slots.guesses(chosen), verdict.best[guessing][:, layout.positions])
    slots.open_guess(chosen, layout.positions[cells], verdict.survival[guessing])
    return lanes
