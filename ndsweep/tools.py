"""The deduction tools of a game: what the numbers and the flags on the board force, done for the player."""

from __future__ import annotations

import secrets
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ndsweep.engine import counting, grid
from ndsweep.engine.boxes import neighbourhood
from ndsweep.engine.guesses import pick
from ndsweep.engine.streams import Purpose, stream_keys
from ndsweep.spec import FLAG, HIDDEN, Cell, Spec, Status, checked_int


class _Playable(Protocol):
    """What the tools need of a game."""

    @property
    def status(self) -> Status: ...
    @property
    def moves(self) -> list[tuple[str, tuple[int, ...]]]: ...
    @property
    def deals_from(self) -> tuple[Spec, int, int] | None: ...
    @property
    def view(self) -> npt.NDArray[np.signedinteger[Any]]: ...
    def reveal(self, cell: Cell) -> int: ...
    def flag(self, cell: Cell) -> int: ...
    def chord(self, cell: Cell) -> int: ...
    def flag_mines(self) -> bool: ...
    def expose_neighbors(self) -> bool: ...


class Tools:
    """Moves that follow from single numbers; a game provides the view and the moves themselves.

    The tools trust the flags, as a player does who uses them: a wrong flag can lose the game.
    """

    def flag_mines(self: _Playable) -> bool:
        """Flags every cell that must be a mine, until there is none without a flag.

        Such a cell is a hidden neighbour of a number whose hidden neighbours are exactly the
        mines that it lacks beside its flags.

        Returns
        -------
        bool
            Whether a flag was set.

        Examples
        --------
        >>> import ndsweep as nd
        >>> game = nd.Game(nd.Board.from_coords((1, 5), [(0, 2)]))
        >>> game.reveal((0, 0)), game.flag_mines(), game.flag_mines()
        (2, True, False)
        >>> print(game)
        . 1 F # #
        """
        changed = False
        while True:
            view = self.view
            mines = counting.forced(view, view == HIDDEN, view == FLAG)
            if not sum(self.flag(_cell(mine)) for mine in np.argwhere(mines)):
                return changed
            changed = True

    def expose_neighbors(self: _Playable) -> bool:
        """Opens the hidden unflagged neighbours of every number whose mines are all flagged, until none is left.

        Each number is a chord: if there are mines among its neighbours (a wrong flag), only
        these open and the game is lost.

        Returns
        -------
        bool
            Whether a cell was opened.

        Examples
        --------
        >>> import ndsweep as nd
        >>> game = nd.Game(nd.Board.from_coords((2, 4), [(0, 3)]))
        >>> game.reveal((0, 0)), game.flag((0, 3)), game.expose_neighbors(), game.status
        (6, 1, True, <Status.WON: 1>)
        """
        changed = False
        while True:
            view = self.view
            numbers = counting.complete(view, view == FLAG) & grid.dilate(view == HIDDEN)
            if not sum(_expose(self, _cell(number)) for number in np.argwhere(numbers)):
                return changed
            changed = True

    def autoplay(self: _Playable, guesses: int = 10, seed: int | None = None) -> Status:
        """Makes random guesses, then alternates the two tools until they are stuck.

        Parameters
        ----------
        guesses : int
            How many hidden unflagged cells are opened at random first; fewer when the game
            ends before.
        seed : int, optional
            Decides the guesses, together with the moves made so far.  By default a game of
            `Game.new` makes those of its own seed and number, another game any.

        Returns
        -------
        Status
            How the game then stands.

        Raises
        ------
        SpecError
            If an argument is no integer, or the number of guesses is below 0.

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.Game.new(nd.BEGINNER, seed=0).autoplay(guesses=2)
        <Status.WON: 1>
        """
        number = 0
        if seed is None:
            _, seed, number = self.deals_from or (None, secrets.randbits(64), 0)
        keys = stream_keys(checked_int("seed", seed), Purpose.GUESSES, np.array([number]))
        for _ in range(checked_int("guesses", guesses, 0)):
            hidden = (self.view == HIDDEN).reshape(1, -1)
            if self.status != Status.PLAYING or not hidden.any():
                break
            self.reveal(int(pick(keys, np.array([len(self.moves)]), hidden)[0]))
        while self.flag_mines() | self.expose_neighbors():
            pass
        return self.status


def _expose(game: _Playable, number: tuple[int, ...]) -> int:
    """Opens the neighbours of a number that has all its flags; of a 0 too, which is no chord."""
    view = game.view
    if view[number]:
        return game.chord(number)
    box = neighbourhood(view.shape, number)
    near = np.argwhere(view[box] == HIDDEN) + [side.start for side in box]
    return sum(game.reveal(_cell(cell)) for cell in near)


def _cell(index: npt.NDArray[np.int64]) -> tuple[int, ...]:
    return tuple(map(int, index))
