"""Boards that are written with their hints: the hints must be those of the mines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.board import Board
from ndsweep.checks import first_where
from ndsweep.spec import HIDDEN, MINE, FormatError


def board_of(codes: npt.NDArray[np.integer[Any]], place: Callable[[tuple[int, ...]], str] | None = None) -> Board:
    """The board whose mines have the code `MINE`; FormatError where another cell has a hint that is not its own.

    Parameters
    ----------
    codes : (n1, ..., nd) int array
        `MINE`, a hint, or `HIDDEN` for a safe cell whose hint is not told.
    place : callable, optional
        Tells where a cell was read, for the message.

    Examples
    --------
    >>> board_of(np.array([[MINE, 1, 0]]))
    Board.from_coords((1, 3), [(0, 0)])
    >>> board_of(np.array([[MINE, 2, 0]]))
    Traceback (most recent call last):
    ...
    ndsweep.spec.FormatError: the hint at (0, 1) must be 1, the number of mines around it. Got 2.
    """
    board = Board(codes == MINE)
    wrong = ~board.mines & (codes != HIDDEN) & (codes != board.hints)
    if wrong.any():
        cell = first_where(wrong)
        where = f"{place(cell)}: " if place else ""
        mines = int(board.hints[cell])
        raise FormatError(
            f"{where}the hint at {cell} must be {mines}, the number of mines around it. Got {codes[cell]}."
        )
    return board


def check_count(given: int, board: Board) -> None:
    """FormatError unless the board has as many mines as a file says.

    Examples
    --------
    >>> check_count(2, Board.from_coords((2, 2), [(0, 0)]))
    Traceback (most recent call last):
    ...
    ndsweep.spec.FormatError: mines must be 1, as many as the grid holds. Got 2.
    """
    if given != board.n_mines:
        raise FormatError(f"mines must be {board.n_mines}, as many as the grid holds. Got {given}.")
