"""One game as a person plays it: with a clock, and a line that says what the last action did."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

import ndsweep as nd
from ndsweep.render.codes import codes_of

GUESSES = 10
"""Guesses of the autoplay."""

MOST_CELLS = 1_000_000
"""Cells that a window takes: far more than a person opens."""

Place = tuple[int, ...]


class Sitting:
    """A game, its clock and its last message.

    Parameters
    ----------
    spec : Spec
        The kind of game.
    seed, number : int
        Which game.
    clock : callable
        Gives seconds that never go back.

    Attributes
    ----------
    game : Game
        The play itself; every rule is there.
    message : str
        What the last action did; after the end, how the game ended.
    changed : bool
        Whether the last action changed anything.

    Raises
    ------
    SpecError, TooLargeError
        If the game has more cells than a window takes, or cannot be.

    Examples
    --------
    >>> sitting = Sitting(nd.Spec((1, 4), 1), seed=0)
    >>> sitting.flag((0, 1))
    >>> sitting.message, sitting.mines_left
    ('flag set', 0)
    """

    def __init__(self, spec: nd.Spec, seed: int, number: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        if spec.size > MOST_CELLS:
            raise nd.SpecError(f"a window takes at most {MOST_CELLS:,} cells. Got {spec.size:,} in shape {spec.shape}.")
        self.spec, self.seed, self.number = spec, seed, number
        self.game = nd.Game.new(spec, seed, number)
        self.message = "open a cell to begin" if not self.over else "won: no cell is safe"
        self._clock = clock
        self._started: float | None = None
        self._ended: float | None = None
        self.changed = False

    # What a person sees ----------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self.game.status != nd.Status.PLAYING

    @property
    def mines_left(self) -> int:
        """Mines less flags; below 0 with too many flags."""
        return self.spec.mines - self.game.n_flags

    @property
    def seconds(self) -> float:
        """Time from the first move to the end, or until now."""
        if self._started is None:
            return 0.0
        return (self._clock() if self._ended is None else self._ended) - self._started

    def picture(self) -> npt.NDArray[np.signedinteger[Any]]:
        """The view codes; after a loss with the other mines UNCOVERED and false flags WRONG.

        Examples
        --------
        >>> sitting = Sitting(nd.Spec((5,), 2, first="any"), seed=0)
        >>> sitting.game = nd.Game(nd.Board.from_coords((5,), [(0,), (4,)]))
        >>> sitting.flag((1,)), sitting.reveal((0,))
        (None, None)
        >>> sitting.picture()
        array([-3, -5, -1, -1, -4], dtype=int8)
        """
        return codes_of(self.game)

    # Actions ---------------------------------------------------------------------------------

    def reveal(self, cell: Place) -> None:
        """Opens a cell."""
        self._act(lambda: self.game.reveal(cell), "nothing to open here")

    def flag(self, cell: Place) -> None:
        """Sets or removes a flag."""
        self._act(lambda: self.game.flag(cell), "an open cell takes no flag")

    def chord(self, cell: Place) -> None:
        """Opens the other neighbours of a number that has all its flags."""
        self._act(lambda: self.game.chord(cell), "a number needs all its flags first")

    def chord_again(self, cell: Place) -> None:
        """The same for the second click of two: it is not missed where the first one did something."""
        self._act(lambda: self.game.chord(cell), self.message if self.changed else "a number needs all its flags first")

    def flag_mines(self) -> None:
        """Flags what the numbers prove to be mines."""
        self._act(self.game.flag_mines, "nothing to flag")

    def expose_neighbors(self) -> None:
        """Opens around the numbers that have all their flags."""
        self._act(self.game.expose_neighbors, "nothing to expose")

    def autoplay(self) -> None:
        """Guesses some cells, then alternates the two tools."""
        self._act(lambda: self.game.autoplay(GUESSES), "nothing left to play")

    def _act(self, act: Callable[[], object], nothing: str) -> None:
        """Lets the engine act, and says what changed."""
        if self.over:
            return
        before, hidden, flags = self._clock(), self._hidden(), self.game.n_flags
        try:
            act()
        except nd.SweepError as error:
            self.message = str(error)
            return
        opened, flagged = hidden - self._hidden(), self.game.n_flags - flags
        if self._started is None and (opened or flagged):
            self._started = before
        self.changed = bool(opened or flagged)
        self.message = said(opened, flagged) or nothing
        if self.over:
            self._ended = self._clock()
            won = self.game.status == nd.Status.WON
            self.message = f"{'won in' if won else 'lost after'} {self.seconds:.1f} s"

    def _hidden(self) -> int:
        return self.spec.size - int(np.count_nonzero(self.game.revealed))


def said(opened: int, flagged: int) -> str:
    """What changed, in words; empty where nothing did.

    Parameters
    ----------
    opened : int
        Cells opened.
    flagged : int
        Flags set, less those that were removed.

    Examples
    --------
    >>> said(12, 3), said(0, -1), said(1, 0), said(0, 0)
    ('12 cells opened, 3 flags set', 'flag removed', '1 cell opened', '')
    """
    cells = f"{opened} cell{'s' * (opened != 1)} opened" if opened else ""
    flags = {0: "", 1: "flag set", -1: "flag removed"}.get(flagged, f"{flagged} flags set")
    return ", ".join(filter(None, (cells, flags)))
