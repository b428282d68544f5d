"""Picture codes: view codes, and two more for what a lost game shows."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ndsweep.checks import checked_array, first_where
from ndsweep.spec import FLAG, HIDDEN, SpecError

Codes = npt.NDArray[np.signedinteger[Any]]
Part = tuple[slice, ...]

UNCOVERED = -4
"""Picture code of a mine that is shown though it was not opened."""

WRONG = -5
"""Picture code of a flag that stood on no mine, shown after a loss."""


@runtime_checkable
class Drawn(Protocol):
    """What can be drawn: a board, a game, a position."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes of the grid."""
        ...

    def _picture(self, part: Part) -> Codes:
        """The picture codes of a part of the grid, or of every so many of its cells."""
        ...


def uncovered(view: Codes, mines: npt.NDArray[np.bool_]) -> Codes:
    """The picture codes of a lost game: its other mines are UNCOVERED, false flags WRONG.

    Parameters
    ----------
    view : integer array
        View codes.
    mines : bool array of the same shape

    Returns
    -------
    integer array of the same type

    Examples
    --------
    >>> import numpy as np
    >>> uncovered(np.array([-3, -2, -1, -1]), np.array([True, False, False, True]))
    array([-3, -5, -1, -4])
    """
    picture = view.copy()
    picture[mines & (view == HIDDEN)] = UNCOVERED
    picture[~mines & (view == FLAG)] = WRONG
    return picture


def shape_of(board: object) -> tuple[int, ...]:
    """The shape of what is to be drawn; SpecError unless it can be.

    Examples
    --------
    >>> import numpy as np
    >>> shape_of(np.array([[-1, 0, 2]]))
    (1, 3)
    """
    return board.shape if isinstance(board, Drawn) else array_of(board).shape


def codes_of(board: object, part: Part = ()) -> Codes:
    """The picture codes of a board, game or position, or of an array of codes.

    Parameters
    ----------
    board : Board, Game, Position or integer array
    part : tuple of slice
        Which cells; by default all.

    Examples
    --------
    >>> import ndsweep as nd
    >>> codes_of(nd.Board.from_coords((1, 4), [(0, 0)]))
    array([[-4,  1,  0,  0]], dtype=int8)
    """
    return board._picture(part) if isinstance(board, Drawn) else _checked(array_of(board)[part])


def array_of(board: object) -> Codes:
    """An array of integers as it is; SpecError unless it is one.

    Examples
    --------
    >>> array_of([[1, 700]])
    array([[  1, 700]])
    """
    array = checked_array("board", board)
    if array.dtype.kind not in "iu" or not array.ndim or not array.size:
        raise SpecError(
            "board must be a Board, Game, Position or an array of view codes."
            f" Got {array.dtype} of shape {array.shape}."
        )
    return array


def _checked(array: Codes) -> Codes:
    """The same array; SpecError unless all are picture codes."""
    most = 3**array.ndim - 1
    wrong = (array < WRONG) | (array > most)
    if wrong.any():
        cell = first_where(wrong)
        raise SpecError(f"board must hold codes between {WRONG} and {most}. Got {array[cell]} at {cell}.")
    return array
