"""Inference: what exact chances make of stuck games, in slots or of one view.

Every cell that is proved safe is opened and every proved mine flagged.  Where nothing is
safe, one of the best guesses is drawn from the game's own stream.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine import guesses
from ndsweep.engine.slots import Slots
from ndsweep.engine.streams import Ints, Purpose, Words, stream_keys
from ndsweep.solver.finish import MOST, finishing_cell
from ndsweep.solver.guessing import guesses_of
from ndsweep.solver.lookahead import look_ahead
from ndsweep.solver.residue import Residue, as_plane, count_dtype, residue_of
from ndsweep.solver.stuck import some_at_a_time, still_asked
from ndsweep.solver.totals import Floats
from ndsweep.spec import FLAG

Bools = npt.NDArray[np.bool_]

BUDGET = 50_000
"""How many states a component may have while games are played; beyond, its chances are estimated."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """What is to be done in each of some positions.

    Attributes
    ----------
    safe, mined : (k, width) bool arrays
        The cells that are proved safe, and mines.
    best : (k, width) bool array
        The best guesses where nothing is proved safe, all equally good.
    survival : (k,) float64 array
        How likely each of them is safe.
    """

    safe: Bools
    mined: Bools
    best: Bools
    survival: Floats


def verdict_on(residue: Residue, flagged: Bools, ahead: bool = False) -> Verdict:
    """What exact chances say of positions.

    Parameters
    ----------
    flagged : bool plane
        The known mines.
    ahead : bool
        Whether guesses are judged by what comes after them too.

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
    exact, mined = found.chances.exact, layout.lines(found.chances.mined)
    sure = (found.least == 0)[:, None]
    at_a_loss = ~exact & ~(found.least < 1)  # not even estimated: any cell, by what is known of all together
    unclear = layout.lines(residue.unknown) & np.isnan(mined)
    best = np.where(at_a_loss[:, None], unclear, found.best & ~sure)
    if ahead:
        rows = np.flatnonzero(exact & best.any(axis=1))
        best[rows] = _best_ahead(residue[rows], mined[rows], found.chances.log_layouts[rows], best[rows])
    chosen = 1 - mined[np.arange(len(best)), best.argmax(axis=1)]
    left = residue.left - (mined == 1).sum(axis=1)
    survival = np.where(at_a_loss, 1 - left / np.maximum(unclear.sum(axis=1), 1), chosen)
    return Verdict(found.best & sure, mined == 1, best, survival)


def _best_ahead(residue: Residue, mined: Floats, log_layouts: Floats, best: Bools) -> Bools:
    """The best guesses by best play where few layouts are left, else by the move after them too."""
    chosen = np.zeros_like(best)
    for row in np.flatnonzero(log_layouts < np.log(MOST + 0.5)):
        if (cell := finishing_cell(residue[row : row + 1])) is not None:
            chosen[row, cell] = True
    rows = np.flatnonzero(~chosen.any(axis=1))
    chosen[rows] = look_ahead(residue[rows], mined[rows], log_layouts[rows], best[rows], BUDGET)
    return chosen


def verdict_on_view(view: npt.NDArray[np.signedinteger[Any]], mines: int) -> Verdict:
    """The same for one view whose flags stand on mines, with the cells in C order.

    Examples
    --------
    >>> verdict_on_view(np.array([1, -1, -1, -1]), mines=2).mined
    array([[False,  True, False, False]])
    """
    return _verdict_on_view(view, mines, ahead=False)


def _verdict_on_view(view: npt.NDArray[np.signedinteger[Any]], mines: int, ahead: bool) -> Verdict:
    residue = residue_of(view[None], np.array([mines - int(np.count_nonzero(view == FLAG))]))
    flagged = np.zeros(residue.unknown.size, dtype=np.bool_)
    residue.layout.cells_of(flagged)[0] = view == FLAG
    verdict, places = verdict_on(residue, flagged, ahead), residue.layout.positions
    return Verdict(verdict.safe[:, places], verdict.mined[:, places], verdict.best[:, places], verdict.survival)


def verdict_ahead(view: npt.NDArray[np.signedinteger[Any]], mines: int) -> Verdict:
    """The same with an eye to what comes after a guess.

    Examples
    --------
    >>> verdict_ahead(np.array([-1, 1, -1, -1, -1]), mines=2).best
    array([[False, False,  True, False, False]])
    """
    return _verdict_on_view(view, mines, ahead=True)


def move_on(slots: Slots, stuck: Words) -> Ints:
    """Moves on in the stuck games, once these are half of all; gives their slots."""
    return some_at_a_time(slots, stuck, partial(_move, ahead=False))


def move_on_ahead(slots: Slots, stuck: Words) -> Ints:
    """The same, with an eye to what comes after a guess."""
    return some_at_a_time(slots, stuck, partial(_move, ahead=True))


def _move(slots: Slots, lanes: Ints, ahead: bool) -> None:
    """Moves on in the games in some slots."""
    layout = slots.layout
    mines, quiet = (layout.columns(plane, lanes) for plane in (slots.mines, slots.quiet))
    verdict = verdict_on(still_asked(slots, lanes), as_plane(layout, mines & quiet), ahead)
    game, place = np.nonzero(verdict.mined)
    slots.flag_proved(lanes[game], place)
    game, place = np.nonzero(verdict.safe)
    slots.open_proved(lanes[game], place)
    guessing = np.flatnonzero(verdict.best.any(axis=1))
    chosen = lanes[guessing]
    keys = stream_keys(slots.queue.seed, Purpose.GUESSES, slots.game[chosen])
    cells = guesses.pick(keys, slots.guesses(chosen), verdict.best[guessing][:, layout.positions])
    slots.open_guess(chosen, layout.positions[cells], verdict.survival[guessing])
