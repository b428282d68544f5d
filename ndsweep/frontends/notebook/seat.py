"""A seat at a game: what a page shows of it, and what the page may ask."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import ndsweep as nd
from ndsweep.checks import checked_cell
from ndsweep.engine.boxes import neighbourhood
from ndsweep.frontends.hint import hint
from ndsweep.frontends.notebook.clock import clock_of
from ndsweep.frontends.window.sitting import said
from ndsweep.render.codes import codes_of

MOST_CELLS = 10_000
"""Cells that a page takes: each is an element of it."""

_ENDS = {nd.Status.WON: "won in", nd.Status.LOST: "lost after"}


class Seat:
    """What one page shows of a game, kept up to date, and what it asks of it.

    The page holds no rule: it asks, the game decides, and all that it knows is in `shown`.

    Parameters
    ----------
    game : Game
        The game, which others may play too.

    Attributes
    ----------
    message : str
        What the last move or question came to.
    overlay : bool
        Whether chances are asked for.
    show : callable
        Called with no argument after every change of what is shown.
    leave : callable
        Ends it.

    Raises
    ------
    SpecError
        If the game has more cells than a page takes.

    Examples
    --------
    >>> seat = Seat(nd.Game(nd.Board.from_coords((1, 4), [(0, 3)])))
    >>> seat.ask({"do": "press", "cell": 2})
    >>> seat.message, seat.game.moves
    ('1 cell opened', [('reveal', (0, 2))])
    >>> seat.ask({"do": "hint"})
    >>> seat.message
    '(0, 0) is safe: were it a mine, the 1 at (0, 2) and the 1 mine of the grid could not both hold. Open it.'
    """

    def __init__(self, game: nd.Game) -> None:
        if (size := game.view.size) > MOST_CELLS:
            raise nd.SpecError(f"a widget takes at most {MOST_CELLS:,} cells. Got {size:,} in shape {game.shape}.")
        self.game = game
        self.show: Callable[[], None] = lambda: None
        self._clock = clock_of(game)
        self._opened, self._flags = self._counts()
        self.message = "" if self._opened or self._over else "open a cell to begin"
        if self._over and self._clock.began:
            self.message = self._ending()
        self.overlay = False
        self._forget()
        self._asks: dict[str, Callable[[dict[str, Any]], None]] = {
            "press": self._press,
            "flag": lambda ask: self._move("flag", ask),
            "chord": lambda ask: self._move("chord", ask),
            "hint": self._hint,
            "overlay": self._overlay,
            "look": lambda ask: None,
        }
        self.leave = game.watch(self._told)
        _load()

    def shown(self) -> dict[str, Any]:
        """All that the page knows: by name, in types of JSON and bytes.

        ``view`` holds picture codes as int16, ``chances`` float32, none where they are
        not known, both little-endian; ``pointed`` is the flat cell of the last hint, or -1.
        """
        view = codes_of(self.game).astype("<i2")  # of so few cells no number is larger
        return {
            "shape": list(self.game.shape),
            "view": view.tobytes(),
            "status": self.game.status.name.lower(),
            "left": self.game.n_mines - self.game.n_flags,
            "message": self.message,
            "seconds": self._seconds,
            "ticks": self._clock.ticks,
            "pointed": self._pointed,
            "overlay": self.overlay,
            "chances": self._chances,
            "exact": self._exact,
        }

    def ask(self, ask: dict[str, Any]) -> None:
        """Does what the page asks for; what is refused or fails is said in the message.

        Parameters
        ----------
        ask : dict
            ``do``: "press" (open, or chord on an open number), "flag", "chord", all with a flat
            ``cell``, "hint", "overlay" with ``on``, or "look".  ``again`` marks the second of
            two clicks, which is not missed where the first one did something.
        """
        self._seconds = self._clock.seconds
        try:
            if not isinstance(ask, dict) or ask.get("do") not in self._asks:
                raise nd.SpecError(f"do must be one of {', '.join(self._asks)}. Got {ask!r}.")
            self._asks[ask["do"]](ask)
        except nd.SweepError as error:
            self.message = str(error)
        except Exception as error:  # where messages of a page are handled, it would vanish
            self.message = f"{type(error).__name__}: {error}"
        self.show()

    # Moves ---------------------------------------------------------------------------------------

    def _press(self, ask: dict[str, Any]) -> None:
        cell = checked_cell(self.game.shape, ask.get("cell"))
        self._move("chord" if self.game.view[cell] > 0 else "reveal", ask)

    def _move(self, kind: str, ask: dict[str, Any]) -> None:
        if not getattr(self.game, kind)(ask.get("cell")) and not (self._over or ask.get("again")):
            self.message = self._why_nothing(kind, checked_cell(self.game.shape, ask.get("cell")))

    def _why_nothing(self, kind: str, cell: tuple[int, ...]) -> str:
        """Why a move came to nothing."""
        view = self.game.view
        if kind == "reveal":
            return "nothing to open here"
        if kind == "flag":
            return "all flags are set" if view[cell] == nd.HIDDEN else "an open cell takes no flag"
        flags = np.count_nonzero(view[neighbourhood(self.game.shape, cell)] == nd.FLAG)
        return "nothing is left to open around it" if view[cell] == flags else "a number needs all its flags first"

    def _told(self, game: nd.Game) -> None:
        """Shows a move, whoever made it."""
        opened, flags = self._counts()
        self.message = self._ending() if self._over else said(opened - self._opened, flags - self._flags)
        self._opened, self._flags = opened, flags
        self._forget()
        self.show()

    def _counts(self) -> tuple[int, int]:
        return int(np.count_nonzero(self.game.revealed)), self.game.n_flags

    def _forget(self) -> None:
        """A hint and chances are of one position."""
        self._pointed, self._chances, self._exact = -1, b"", True
        self._seconds = self._clock.seconds

    # The end -------------------------------------------------------------------------------------

    @property
    def _over(self) -> bool:
        return self.game.status != nd.Status.PLAYING

    def _ending(self) -> str:
        return f"{_ENDS[self.game.status]} {self._clock.seconds:.1f} s"

    # What is proved, and what is likely ----------------------------------------------------------

    def _hint(self, ask: dict[str, Any]) -> None:
        if self._over:
            return
        found = hint(self.game)
        self.message = found.sentence
        self._pointed = -1 if found.cell is None else int(np.ravel_multi_index(found.cell, self.game.shape))

    def _overlay(self, ask: dict[str, Any]) -> None:
        """Shows or hides how likely each hidden cell is a mine; asked for again after a move."""
        self.overlay = False
        if not ask.get("on") or self._over:
            return
        if not self._chances:
            found = nd.mine_probability(self.game.view, self.game.n_mines)
            self._chances, self._exact = found.p.astype("<f4").tobytes(), bool(found.exact)
        self.overlay = True


@cache
def _load() -> None:
    """Loads now what the first move and the first questions would load while a person waits."""
    game = nd.Game(nd.Board.from_coords((2, 4), [(0, 3)]))
    game.reveal((0, 0))
    hint(game)
    nd.mine_probability(game.view, 1)
