"""The board of a microcontroller game: one byte a cell.

======= =======================================
bits    meaning
======= =======================================
0 to 2  number of neighbouring mines, of a mine too
3       uncovered
4       marked
5, 6    unused, 0
7       mine
======= =======================================

Three bits hold 0 to 7.  A cell with 8 neighbouring mines is refused, or with ``eight="wrap"``
stored as 0 and counted again whenever the board is read, so that nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ndsweep.board import Board
from ndsweep.checks import checked_array, first_where
from ndsweep.game import Game
from ndsweep.interop.dealt import dealt_board
from ndsweep.spec import Cell, Spec, SpecError, checked_shape

NUMBER, UNCOVERED, MARKED, UNUSED, MINED = 0b111, 1 << 3, 1 << 4, 0b11 << 5, 1 << 7

Bytes = npt.NDArray[np.uint8]


def new(shape: tuple[int, ...], mines: int, seed: int = 0, game: int = 0, eight: str = "refuse") -> Bytes:
    """A new board: mines and numbers, nothing uncovered or marked.

    Parameters
    ----------
    shape : sequence of int
        Sizes of the axes.
    mines : int
        Number of mines; every layout is equally likely.
    seed, game : int
        Which layout: `Board.deal` of these with first-click rule "any".
    eight : {"refuse", "wrap"}
        What to do with 8 neighbouring mines.

    Returns
    -------
    uint8 array of the given shape

    Raises
    ------
    SpecError, TooLargeError
        If an argument is not of its kind, the mines do not fit, or a number does not.

    Examples
    --------
    >>> new((3, 4), mines=2, seed=1)
    array([[  1,   1,   1, 128],
           [128,   1,   1,   1],
           [  1,   1,   0,   0]], dtype=uint8)
    """
    return encode(Game(Board.deal(Spec(shape, mines, "any"), seed, game)), eight)


def encode(game: Game, eight: str = "refuse") -> Bytes:
    """A game as a byte board.

    Parameters
    ----------
    game : Game
        A game that is dealt.
    eight : {"refuse", "wrap"}
        What to do with 8 neighbouring mines: refuse the board, or store 0, which `decode`
        counts again.  More than 8, in 3 or more axes, are always refused.

    Returns
    -------
    uint8 array of the grid's shape

    Raises
    ------
    SpecError
        If the game is not dealt yet, or a number does not fit.

    Examples
    --------
    >>> import ndsweep as nd
    >>> game = nd.Game(nd.Board.from_coords((1, 4), [(0, 3)]))
    >>> game.reveal((0, 2)), game.flag((0, 3))
    (1, 1)
    >>> encode(game)
    array([[  0,   0,   9, 144]], dtype=uint8)
    """
    layout = dealt_board(game)
    if eight not in ("refuse", "wrap"):
        raise SpecError(f"eight must be 'refuse' or 'wrap'. Got {eight!r}.")
    hints, largest = layout.hints, 7 if eight == "refuse" else 8
    if (hints > largest).any():
        cell = first_where(hints > largest)
        advice = "; eight='wrap' stores 0 for 8" if hints.max() == 8 else ""
        raise SpecError(f"numbers must be 0 to {largest} to fit three bits{advice}. Got {hints[cell]} at {cell}.")
    board = (hints & NUMBER).astype(np.uint8)
    for mask, bit in ((game.revealed, UNCOVERED), (game.flagged, MARKED), (layout.mines, MINED)):
        board[mask] |= bit
    return board


def decode(board: Bytes) -> Game:
    """The game that a byte board holds.

    Parameters
    ----------
    board : uint8 array
        A byte board; a stored 0 stands for 8 too.

    Returns
    -------
    Game
        It goes on from there, without the moves that led there.

    Raises
    ------
    SpecError
        If the array is no byte board; the message says where.

    Examples
    --------
    >>> print(decode(np.array([[0, 0, 9, 144]], dtype=np.uint8)))
    # # 1 F
    """
    array = checked_array("board", board)
    if array.dtype != np.uint8:
        raise SpecError(f"board must be an array of uint8. Got {array.dtype}.")
    checked_shape(array.shape, "the shape of board")
    layout = Board((array & MINED) != 0)
    wrong = (array & NUMBER) != layout.hints
    wrong &= ((array & NUMBER) != 0) | (layout.hints != 8)
    _refuse(array, (array & UNUSED) != 0, lambda cell: "bits 5 and 6 must be 0")
    _refuse(array, wrong, lambda cell: f"the number must be {layout.hints[cell]}, as many mines are around")
    _refuse(array, (array & (UNCOVERED | MARKED)) == UNCOVERED | MARKED, lambda cell: "a marked cell must be covered")
    return Game.resume(layout, (array & UNCOVERED) != 0, (array & MARKED) != 0)


def uncover(board: Bytes, cell: Cell) -> npt.NDArray[np.int64]:
    """Uncovers a cell, and around a number of 0 its neighbourhood, and so on; in place.

    A marked or uncovered cell stays as it is, and so does everything after a mine was
    uncovered, or after all other cells were.

    Parameters
    ----------
    board : uint8 array
        A byte board that can be written to.
    cell : cell
        Coordinates or flat index.

    Returns
    -------
    (changed, ndim) int array
        Coordinates of the cells that changed, in C order: those that a device draws again.

    Raises
    ------
    SpecError, CellError
        If the array is no byte board; if the cell lies outside it.

    Examples
    --------
    >>> board = new((1, 5), mines=1, seed=1)
    >>> board
    array([[  1, 128,   1,   0,   0]], dtype=uint8)
    >>> uncover(board, (0, 4)).tolist(), board.tolist()
    ([[0, 2], [0, 3], [0, 4]], [[1, 128, 9, 8, 8]])
    """
    return _moved(board, lambda game: game.reveal(cell))


def mark(board: Bytes, cell: Cell) -> npt.NDArray[np.int64]:
    """Sets or removes the mark of a covered cell, in place.

    Parameters
    ----------
    board, cell
        As of `uncover`.

    Returns
    -------
    (changed, ndim) int array
        The coordinates of the cell, or none: an uncovered cell is not marked, and none is
        after the end.

    Raises
    ------
    SpecError, CellError
        As of `uncover`.

    Examples
    --------
    >>> board = new((1, 5), mines=1, seed=1)
    >>> mark(board, (0, 1)).tolist(), board.tolist()
    ([[0, 1]], [[1, 144, 1, 0, 0]])
    """
    return _moved(board, lambda game: game.flag(cell))


def _moved(board: Bytes, move: Callable[[Game], int]) -> npt.NDArray[np.int64]:
    """Makes a move on a board; gives the cells that changed."""
    if not isinstance(board, np.ndarray) or not board.flags.writeable:
        got = "a read-only array" if isinstance(board, np.ndarray) else type(board).__name__
        raise SpecError(f"board must be an array of uint8 that can be written to. Got {got}.")
    game = decode(board)
    move(game)
    state = np.where(game.revealed, UNCOVERED, 0) | np.where(game.flagged, MARKED, 0)
    changed = (board & (UNCOVERED | MARKED)) != state
    board[changed] = (board[changed] & ~np.uint8(UNCOVERED | MARKED)) | state[changed].astype(np.uint8)
    return np.argwhere(changed)


def _refuse(board: Bytes, wrong: npt.NDArray[np.bool_], rule: Callable[[tuple[int, ...]], str]) -> None:
    """SpecError at the first wrong cell."""
    if wrong.any():
        cell = first_where(wrong)
        raise SpecError(f"board must hold bytes of the game: {rule(cell)}. Got {board[cell]:#010b} at {cell}.")
