"""Game: one play of one board."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.board import Board
from ndsweep.checks import check_memory, checked_cell, checked_mask, checked_spec, first_where
from ndsweep.engine.boxes import neighbourhood
from ndsweep.engine.counting import View
from ndsweep.engine.grid import view_dtype
from ndsweep.engine.store import Store, frozen, in_memory, read, write
from ndsweep.npy import PathLike, filled
from ndsweep.numbers import reach
from ndsweep.onlookers import Onlookers
from ndsweep.shown import Shown
from ndsweep.spec import FLAG, HIDDEN, MINE, Cell, CellError, Spec, SpecError, Status, checked_int
from ndsweep.tools import Tools


class Game(Tools, Onlookers, Shown):
    """One play of a board: reveal, flag, chord, until it is won or lost.

    Parameters
    ----------
    board : Board
        The layout.
    flag_limit : int, optional
        The largest number of flags at a time; none by default.
    view : path or array-like, optional
        Where the view is kept, for a grid that does not fit in memory: a new ``.npy`` file,
        which is memory-mapped, or an array of the grid's shape and the type of views, which is
        cleared and then written by the game alone.  A new array in memory by default.

    Attributes
    ----------
    moves : list of (str, tuple of int)
        The moves that changed something, in order: "reveal", "flag" or "chord", and the cell.

    Examples
    --------
    >>> import ndsweep as nd
    >>> game = nd.Game(nd.Board.from_coords((3, 5), [(0, 4)]))
    >>> game.flag((1, 1))
    1
    >>> game.reveal((0, 0))
    13
    >>> print(game)
    . . . 1 #
    . F . 1 1
    . . . . .
    >>> game.status
    <Status.PLAYING: 0>
    """

    def __init__(self, board: Board, flag_limit: int | None = None, view: PathLike | Store | None = None) -> None:
        if not isinstance(board, Board):
            raise SpecError(f"board must be a Board. Got {type(board).__name__}.")
        board.check_apart("view", view)
        self._begin(board.shape, board.n_mines, flag_limit, view)
        self._board: Board | None = board

    @classmethod
    def new(cls, spec: Spec, seed: int = 0, game: int = 0, flag_limit: int | None = None) -> Game:
        """A game that is dealt at its first reveal, by that cell and the first-click rule.

        Parameters
        ----------
        spec : Spec
            The kind of game.
        seed, game : int
            Which game: the layout is `Board.deal` of these with the first revealed cell.
        flag_limit : int, optional
            The largest number of flags at a time.

        Returns
        -------
        Game

        Raises
        ------
        SpecError, TooLargeError
            If an argument is not of its kind, or the game does not fit in memory.  What the
            first-click rule makes impossible at a cell is refused when that cell is revealed.

        Examples
        --------
        >>> import ndsweep as nd
        >>> game = nd.Game.new(nd.EXPERT, seed=1)
        >>> game.reveal((8, 15)) >= 1
        True
        >>> game.board == nd.Board.deal(nd.EXPERT, seed=1, first_cell=(8, 15))
        True
        """
        checked_spec(spec)
        source = spec, checked_int("seed", seed), checked_int("game", game, 0, 2**63 - 1)
        instead = "Game(Board.deal(..., out='mines.npy'), view='view.npy') keeps it in files, as memory maps."
        check_memory(f"a game of shape {spec.shape}", 3 * spec.size, instead)
        new = cls.__new__(cls)
        new._begin(spec.shape, spec.mines, flag_limit)
        new._board = None
        new._deals_from = source
        return new

    @classmethod
    def resume(
        cls,
        board: Board,
        revealed: npt.NDArray[np.bool_],
        flagged: npt.NDArray[np.bool_] | None = None,
        flag_limit: int | None = None,
    ) -> Game:
        """A game in the middle: it goes on from the cells that are open and the flags that stand.

        Parameters
        ----------
        board : Board
            The layout.
        revealed : bool array of the grid's shape
            True where a cell is open; an open mine means that the game is lost.
        flagged : bool array of the grid's shape, optional
            True where a flag stands, on hidden cells; none by default.
        flag_limit : int, optional
            The largest number of flags at a time.

        Returns
        -------
        Game
            Without the moves that led there.

        Raises
        ------
        SpecError
            If an array is not of its kind, or the flags are too many.
        CellError
            If there is a flag on an open cell.

        Examples
        --------
        >>> import ndsweep as nd
        >>> board = nd.Board.from_coords((1, 3), [(0, 0)])
        >>> game = nd.Game.resume(board, revealed=board.hints == 1)
        >>> print(game)
        # 1 #
        >>> game.reveal((0, 2)), game.status
        (1, <Status.WON: 1>)
        """
        game = cls(board, flag_limit)
        opened = checked_mask("revealed", revealed, board.shape)
        flags = checked_mask("flagged", np.zeros(board.shape, bool) if flagged is None else flagged, board.shape)
        game._flags = int(np.count_nonzero(flags))
        if (opened & flags).any():
            raise CellError(f"flagged must lie on hidden cells. Got {first_where(opened & flags)}, which is open.")
        if flag_limit is not None and game._flags > flag_limit:
            raise SpecError(f"flagged must hold at most flag_limit={flag_limit} flags. Got {game._flags}.")
        game._resumed_from = frozen(opened.copy()), frozen(flags.copy())
        view, mines = read(game._view, ()), read(board.mines, ())
        np.copyto(view, read(board.hints, ()), where=opened, casting="unsafe")
        view[opened & mines], view[flags] = MINE, FLAG
        game._safe_left = int(np.count_nonzero(~(opened | mines)))
        lost = bool((opened & mines).any())
        game._status = Status.LOST if lost else Status.PLAYING if game._safe_left else Status.WON
        return game

    def _begin(
        self, shape: tuple[int, ...], mines: int, flag_limit: int | None, view: PathLike | Store | None = None
    ) -> None:
        self.flag_limit = None if flag_limit is None else checked_int("flag_limit", flag_limit, 0)
        self._deals_from: tuple[Spec, int, int] | None = None
        self._resumed_from: tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]] | None = None
        self.moves: list[tuple[str, tuple[int, ...]]] = []
        self._view = filled("view", "view", view, shape, view_dtype(len(shape)), value=HIDDEN, writable=True)
        self._flags, self._mines, self._safe_left = 0, mines, prod(shape) - mines
        self._status = Status.PLAYING if self._safe_left else Status.WON

    # What the player sees --------------------------------------------------------------------

    @property
    def board(self) -> Board | None:
        """The board, or None before a game of `Game.new` is dealt."""
        return self._board

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes."""
        return tuple(self._view.shape)

    @property
    def status(self) -> Status:
        """Whether the game is being played, won or lost."""
        return self._status

    @property
    def view(self) -> View:
        """The view codes of all cells: the hint where open, HIDDEN, FLAG, or MINE.

        A new array; of a view that is a memory map the map, only to be read.
        """
        if isinstance(self._view, np.ndarray) and not in_memory(self._view):
            return frozen(self._view.view())
        return np.array(read(self._view, ()))

    @property
    def revealed(self) -> npt.NDArray[np.bool_]:
        """True where a cell is open, a mine that ended the game included."""
        return np.asarray(((view := read(self._view, ())) >= 0) | (view == MINE))

    @property
    def flagged(self) -> npt.NDArray[np.bool_]:
        """True where a flag stands."""
        return np.asarray(read(self._view, ()) == FLAG)

    @property
    def n_mines(self) -> int:
        """Number of mines, of a game that is not dealt yet too."""
        return self._mines

    @property
    def n_flags(self) -> int:
        """Number of flags."""
        return self._flags

    @property
    def deals_from(self) -> tuple[Spec, int, int] | None:
        """The spec, seed and number of a game of `Game.new`, else None."""
        return self._deals_from

    @property
    def resumed_from(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]] | None:
        """The open and the flagged cells that `Game.resume` began with, else None."""
        return self._resumed_from

    # Moves -----------------------------------------------------------------------------------

    def reveal(self, cell: Cell) -> int:
        """Opens a cell, and around a hint of 0 its whole opening and the border of that.

        A flagged or open cell stays as it is, and so does everything after the end.  The
        flood neither opens nor passes a flagged cell.

        Parameters
        ----------
        cell : cell
            Coordinates or flat index.

        Returns
        -------
        int
            Number of cells opened by the call; 1 if it is a mine, which loses the game.

        Raises
        ------
        CellError
            If the cell lies outside the grid.

        Examples
        --------
        >>> import ndsweep as nd
        >>> game = nd.Game(nd.Board.from_coords((1, 4), [(0, 3)]))
        >>> game.reveal((0, 0)), game.status
        (3, <Status.WON: 1>)
        """
        place = checked_cell(self.shape, cell)
        if self._status != Status.PLAYING or self._view[place] != HIDDEN:
            return 0
        board = self._open_board(place)
        return self._moved("reveal", place, self._open(board, place))

    def flag(self, cell: Cell) -> int:
        """Sets or removes a flag on a hidden cell.

        Parameters
        ----------
        cell : cell
            Coordinates or flat index.

        Returns
        -------
        int
            +1 if a flag was set, -1 if it was removed, 0 if the move was refused: on an open
            cell, after the end, or at the flag limit.

        Raises
        ------
        CellError
            If the cell lies outside the grid.

        Examples
        --------
        >>> import ndsweep as nd
        >>> game = nd.Game.new(nd.BEGINNER, flag_limit=1)
        >>> game.flag((0, 0)), game.flag((0, 1)), game.flag((0, 0))
        (1, 0, -1)
        """
        place = checked_cell(self.shape, cell)
        if self._status != Status.PLAYING:
            return 0
        if self._view[place] == FLAG:
            change = -1
        elif self._view[place] == HIDDEN and (self.flag_limit is None or self._flags < self.flag_limit):
            change = 1
        else:
            return 0
        self._view[place] = FLAG if change > 0 else HIDDEN
        self._flags += change
        return self._moved("flag", place, change)

    def chord(self, cell: Cell) -> int:
        """Opens the other neighbours of a number that has all its flags.

        On an open cell with a hint above 0 and exactly that many flagged neighbours, the
        hidden unflagged neighbours open, with their floods.  If there are mines among them,
        only those mines open and the game is lost.  Otherwise nothing happens.

        Parameters
        ----------
        cell : cell
            Coordinates or flat index.

        Returns
        -------
        int
            Number of cells opened by the call.

        Raises
        ------
        CellError
            If the cell lies outside the grid.

        Examples
        --------
        >>> import ndsweep as nd
        >>> game = nd.Game(nd.Board.from_coords((3, 3), [(0, 0)]))
        >>> game.reveal((1, 1)), game.flag((0, 0)), game.chord((1, 1))
        (1, 1, 7)
        """
        place = checked_cell(self.shape, cell)
        if self._status != Status.PLAYING or self._view[place] <= 0:
            return 0
        box = neighbourhood(self.shape, place)
        near = np.array(read(self._view, box))
        hidden = near == HIDDEN
        if np.count_nonzero(near == FLAG) != self._view[place] or not hidden.any():
            return 0
        board = self._open_board(place)
        mined = hidden & read(board.mines, box)
        chosen = (np.argwhere(mined if mined.any() else hidden) + [s.start for s in box]).tolist()
        opened = sum(self._open(board, tuple(cell)) for cell in chosen if self._view[tuple(cell)] == HIDDEN)
        return self._moved("chord", place, opened)

    # Opening ---------------------------------------------------------------------------------

    def _open_board(self, first_cell: tuple[int, ...]) -> Board:
        """The board, dealt for this first cell if there is none yet."""
        if self._board is None and self._deals_from is not None:
            self._board = Board.deal(*self._deals_from, first_cell)
        assert self._board is not None
        return self._board

    def _open(self, board: Board, cell: tuple[int, ...]) -> int:
        """Opens a hidden cell and what follows from it; gives the number of cells opened."""
        if board.mines[cell]:
            self._view[cell], self._status = MINE, Status.LOST
            return 1
        hint = board.hints_in(tuple(slice(x, x + 1) for x in cell)).item()
        if hint:
            self._view[cell] = hint
            opened = 1
        else:
            opened = self._open_opening(board, cell)
        self._safe_left -= opened
        if not self._safe_left:
            self._status = Status.WON
        return opened

    def _open_opening(self, board: Board, cell: tuple[int, ...]) -> int:
        """Opens the opening of a cell and its border, as far as flags let the flood pass."""
        opened = 0
        for box, reached in reach(board, cell, lambda box: read(self._view, box) == FLAG):
            view = read(self._view, box)
            reached &= view == HIDDEN
            np.copyto(view, board.hints_in(box), where=reached, casting="unsafe")
            write(self._view, box, view)
            opened += int(np.count_nonzero(reached))
        return opened

    def __getstate__(self) -> dict[str, Any]:  # of a copy, which has a view and moves of its own, and no onlookers
        return vars(self) | {"_view": np.array(read(self._view, ())), "moves": list(self.moves), "_watching": ()}
