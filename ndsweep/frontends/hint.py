"""What to do next in a game, and why: a wrong flag, a safe cell, a mine without its flag, or a guess."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import ndsweep as nd
from ndsweep.solver.closure import quick_rules

_LITTLE = 1e-9  # so that of equally likely mines one without a flag is named


@dataclass(frozen=True)
class Hint:
    """One move.

    Attributes
    ----------
    cell : tuple of int or None
        The cell that it is about; None where any cell is as good, or none is known.
    sentence : str
        What to do there, and why.

    Examples
    --------
    >>> Hint((5,), "(5,) is safe: all mines are known, 1 of them. Open it.").cell
    (5,)
    """

    cell: tuple[int, ...] | None
    sentence: str


def hint(game: nd.Game) -> Hint:
    """One move that is proved; where none is, the least likely mine.

    Parameters
    ----------
    game : Game
        A game that is not over.

    Returns
    -------
    Hint

    Examples
    --------
    >>> game = nd.Game(nd.Board.from_coords((6,), [4]))
    >>> hint(game)
    Hint(cell=None, sentence='Nothing is open yet, and nothing is proved: open any cell.')
    >>> opened = game.reveal(0)
    >>> hint(game)
    Hint(cell=(5,), sentence='(5,) is safe: all mines are known, 1 of them. Open it.')
    """
    if not game.revealed.any():
        return Hint(None, "Nothing is open yet, and nothing is proved: open any cell.")
    proved, flagged = nd.deduce(game.view, game.n_mines, quick_rules(len(game.shape))), game.flagged
    for cells, advice in (
        (proved.safe & flagged, "Take the flag away."),
        (proved.safe, "Open it."),
        (proved.mined & ~flagged, "Flag it."),
    ):
        if cells.any():
            first = int(np.where(cells, proved.steps, proved.steps.max() + 1).argmin())
            return Hint(_cell(game, first), f"{proved.explain(first)} {advice}")
    return _guess(game, "Nothing more is proved" if proved.complete else "Nothing more was found")


def _guess(game: nd.Game, why: str) -> Hint:
    """The hidden cell that is least likely a mine, and how likely that is."""
    try:
        found = nd.mine_probability(game.view, game.n_mines)
    except nd.TooLargeError:
        return Hint(None, f"{why}, and there are too many layouts to say more: guess.")
    cell = _cell(game, int(np.nanargmin(found.p + _LITTLE * game.flagged)))
    chance = f"{'' if found.exact else 'about '}{100 * found.p[cell]:.1f} %"
    return Hint(cell, f"{why}. {cell} is the least likely mine: {chance}.")


def _cell(game: nd.Game, place: int) -> tuple[int, ...]:
    return tuple(map(int, np.unravel_index(place, game.shape)))
