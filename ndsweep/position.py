"""Position: what a player sees, without the board behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ndsweep import render
from ndsweep.checks import check_memory, checked_array, first_where
from ndsweep.engine import counting
from ndsweep.engine.counting import View
from ndsweep.engine.grid import view_dtype
from ndsweep.engine.store import frozen
from ndsweep.render.codes import Codes, Part
from ndsweep.spec import FLAG, HIDDEN, MINE, SpecError, checked_int, checked_shape

_SHOWN = 1000  # cells that repr still lists
_BYTES_A_CELL = 40  # while its numbers are checked; 64 where there are many short axes


@runtime_checkable
class Played(Protocol):
    """What a position needs of a game.

    Examples
    --------
    >>> import ndsweep as nd
    >>> isinstance(nd.Game.new(nd.BEGINNER), Played)
    True
    """

    @property
    def view(self) -> View:
        """The view codes of all cells."""
        ...

    @property
    def n_mines(self) -> int:
        """Number of mines."""
        ...


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """A player's view of some board, and the number of its mines where that is known.

    Parameters
    ----------
    view : (n1, ..., nd) integer array-like
        View codes: the hint of each open cell, `HIDDEN`, `FLAG`, or `MINE` for a mine that was
        opened.  It is copied, and from then on read-only, in the type of views.
    mines : int, optional
        Number of mines of the whole grid; None if it is unknown.

    Raises
    ------
    SpecError
        If a code is none, a hint is less than the opened mines around it or more than these and
        the hidden cells around it, or no such number of mines can be.  Flags are marks of the
        player, and may be wrong.
    TooLargeError
        If there is no memory to check it.

    Examples
    --------
    >>> import ndsweep as nd
    >>> position = nd.Position([[1, nd.FLAG, nd.HIDDEN], [1, 1, nd.HIDDEN]], mines=1)
    >>> print(position)
    1 F #
    1 1 #
    >>> position == nd.Position(position.view, mines=1)
    True
    >>> nd.Position([[2, nd.HIDDEN]])
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: view must be that of some layout of mines. Got 2 at (0, 0), beside 0 mines and 1 more \
cells that may hold one.
    """

    view: View
    mines: int | None = None

    def __post_init__(self) -> None:
        known = checked_view(self.view)
        view = known.astype(view_dtype(known.ndim))
        known[known == FLAG] = HIDDEN
        known[known == MINE] = FLAG
        check_numbers(known)
        mines = None if self.mines is None else checked_int("mines", self.mines, 0, known.size)
        check_total(known, mines)
        object.__setattr__(self, "view", frozen(view))
        object.__setattr__(self, "mines", mines)

    def __reduce__(self) -> tuple[type[Position], tuple[View, int | None]]:
        return Position, (self.view, self.mines)  # so that the view of a copy is read-only too

    def __copy__(self) -> Position:
        return self  # nothing in it changes

    def __deepcopy__(self, memo: object) -> Position:
        return self

    @classmethod
    def of(cls, game: Played) -> Position:
        """What the player of a game sees, with the number of its mines.

        Parameters
        ----------
        game : Game
            Any game, dealt or not.

        Returns
        -------
        Position

        Raises
        ------
        SpecError
            If it is no game.

        Examples
        --------
        >>> import ndsweep as nd
        >>> game = nd.Game(nd.Board.from_coords((1, 4), [(0, 3)]))
        >>> game.flag((0, 3)), game.reveal((0, 2))
        (1, 1)
        >>> nd.Position.of(game)
        Position([[-1, -1, 1, -2]], mines=1)
        """
        if not isinstance(game, Played):
            raise SpecError(f"game must be a Game. Got {type(game).__name__}.")
        return cls(game.view, game.n_mines)

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes."""
        return self.view.shape

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.mines == other.mines and np.array_equal(self.view, other.view)

    def __hash__(self) -> int:
        return hash((self.shape, self.mines, self.view.tobytes()))

    def __repr__(self) -> str:
        if self.view.size > _SHOWN:
            return f"<Position of shape {self.shape} with {int((self.view < 0).sum())} cells not open>"
        return f"Position({self.view.tolist()}, mines={self.mines})"

    def __str__(self) -> str:
        return render.view_text(self.view)

    def _repr_html_(self) -> str:
        return render.html(self, caption=None if self.mines is None else f"{self.mines:,} mines")

    def _picture(self, part: Part) -> Codes:
        return self.view[part]


# What any view must be -----------------------------------------------------------------------


def checked_view(view: object, batch: bool = False) -> npt.NDArray[np.int64]:
    """The codes of a view, or of many with games on axis 0, to be written on; SpecError unless all are codes.

    Examples
    --------
    >>> checked_view([[0, 9]])
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: view must hold codes between -3 and 8. Got 9 at (0, 1).
    """
    array = checked_array("view", view)
    if array.dtype.kind not in "iu":
        raise SpecError(f"view must be an array of integers. Got {array.dtype}.")
    if batch and array.ndim < 2:
        raise SpecError(f"view must have games on axis 0 and a grid behind it. Got shape {array.shape}.")
    shape = checked_shape(array.shape[1:] if batch else array.shape)
    check_memory(f"a position of shape {array.shape}", _BYTES_A_CELL * array.size)
    wrong = (array < MINE) | (array > 3 ** len(shape) - 1)
    if wrong.any():
        cell = first_where(wrong)
        where = f"{cell[1:]} in game {cell[0]}" if batch else f"{cell}"
        raise SpecError(f"view must hold codes between {MINE} and {3 ** len(shape) - 1}. Got {array[cell]} at {where}.")
    return array.astype(np.int64)


def check_numbers(known: npt.NDArray[np.int64]) -> None:
    """SpecError at a number that has too many mines around it, or too few cells for them.

    ``known`` is a view whose flags stand on the cells that are known to be mines.

    Examples
    --------
    >>> check_numbers(np.array([1, HIDDEN, HIDDEN]))
    """
    lacking, hidden = counting.lacking(known, known == FLAG), counting.around(known == HIDDEN)
    wrong = (known >= 0) & ((lacking < 0) | (lacking > hidden))
    if wrong.any():
        cell = first_where(wrong)
        mines = int(known[cell] - lacking[cell])
        raise SpecError(
            f"view must be that of some layout of mines. Got {known[cell]} at {cell}, beside"
            f" {mines} mines and {hidden[cell]} more cells that may hold one."
        )


def check_total(known: npt.NDArray[np.int64], total: int | None) -> None:
    """SpecError where more mines are known than there are, or fewer cells are left than mines.

    Examples
    --------
    >>> check_total(np.array([1, HIDDEN, HIDDEN]), 3)
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: mines must be between 0 and 2 for this view. Got 3.
    """
    mines, hidden = (int(np.count_nonzero(known == code)) for code in (FLAG, HIDDEN))
    if total is not None and not mines <= total <= mines + hidden:
        raise SpecError(f"mines must be between {mines} and {mines + hidden} for this view. Got {total}.")
