"""Board: where the mines lie, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep import render
from ndsweep.checks import check_memory, checked_array, checked_cell, checked_first_cell, checked_spec
from ndsweep.engine import grid
from ndsweep.engine.deal import Dealer
from ndsweep.engine.flood import flood
from ndsweep.engine.labels import boxes, label, label_memory
from ndsweep.engine.planes import Layout
from ndsweep.engine.regions import region_sizes
from ndsweep.engine.streams import Purpose, first_cells_of, stream_keys
from ndsweep.spec import Cell, CellError, Spec, SpecError, checked_int, checked_shape

_LABELLED = 1 << 14  # cells; the openings of a small grid are labelled once, in a larger one single ones are flooded


@dataclass(frozen=True, eq=False)
class Openings:
    """The openings of a board: connected regions of safe cells with hint 0.

    Attributes
    ----------
    labels : int32 array of the grid's shape
        The number of the opening that each cell belongs to, 1 .. count, and 0 elsewhere.
    count : int
        Number of openings.

    Examples
    --------
    >>> import ndsweep as nd
    >>> openings = nd.Board.from_coords((1, 9), [(0, 4)]).openings
    >>> openings.labels
    array([[1, 1, 1, 0, 0, 0, 2, 2, 2]], dtype=int32)
    >>> openings.count
    2
    """

    labels: npt.NDArray[np.int32]
    count: int

    @cached_property
    def boxes(self) -> list[grid.Slices]:
        """The bounding box of each opening."""
        return boxes(self.labels)


class Board:
    """A layout of mines on a grid of one or more axes.

    Hints and openings are computed when they are first asked for and then kept.  All arrays
    are read-only and have the grid's shape.

    Parameters
    ----------
    mines : (n1, ..., nd) bool array
        True where a mine lies.  It is copied.

    Raises
    ------
    SpecError
        If the array is not boolean, or has no axes or an empty one.

    Examples
    --------
    >>> import numpy as np, ndsweep as nd
    >>> board = nd.Board(np.array([[True, False, False], [False, False, False]]))
    >>> board.hints
    array([[0, 1, 0],
           [1, 1, 0]], dtype=uint8)
    >>> print(board)
    * 1 .
    1 1 .
    """

    def __init__(self, mines: npt.NDArray[np.bool_]) -> None:
        array = checked_array("mines", mines)
        if array.dtype != np.bool_:
            raise SpecError(f"mines must be a boolean array. Got {array.dtype}.")
        checked_shape(array.shape)
        self._mines = _frozen(array.copy())

    @classmethod
    def from_coords(cls, shape: Iterable[int], coords: Iterable[Cell]) -> Board:
        """A board from the cells of its mines.

        Parameters
        ----------
        shape : sequence of int
            Sizes of the axes.
        coords : iterable of cells
            Coordinates (or flat indices) of the mines, each once.

        Returns
        -------
        Board

        Raises
        ------
        SpecError, CellError
            If the shape cannot be, or a mine lies outside or is given twice.

        Examples
        --------
        >>> import ndsweep as nd
        >>> print(nd.Board.from_coords((3, 3), [(0, 0), (2, 2)]))
        * 1 .
        1 2 1
        . 1 *
        """
        sizes = checked_shape(shape)
        check_memory(f"a board of shape {sizes}", int(np.prod(sizes, dtype=object)))
        mines = np.zeros(sizes, dtype=np.bool_)
        try:
            given = list(coords)
        except TypeError:
            raise CellError(f"coords must be the cells of the mines. Got {coords!r}.") from None
        for coord in given:
            cell = checked_cell(sizes, coord, "coords")
            if mines[cell]:
                raise CellError(f"coords must name each mine once. Got {cell} twice.")
            mines[cell] = True
        return cls(mines)

    @classmethod
    def deal(
        cls,
        spec: Spec,
        seed: int = 0,
        game: int = 0,
        first_cell: Cell | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Board:
        """The layout of game number ``game`` of a seed.

        Parameters
        ----------
        spec : Spec
            The kind of game.
        seed : int
            Any integer.
        game : int
            Number of the game, 0 or more.
        first_cell : cell, optional
            The cell that the first-click rule protects; by default the game's own random
            first cell.
        progress : callable, optional
            Is told now and then how many draws are made, and of how many; a large board takes
            seconds.

        Returns
        -------
        Board
            The same for the same arguments, whatever was dealt before; also the same as in
            any `Batch` or simulation.

        Raises
        ------
        SpecError
            If the first-click rule leaves too few cells for the mines at that first cell, or
            an argument is not of its kind.
        CellError
            If the first cell lies outside the grid.
        TooLargeError
            If the board does not fit in memory.

        Examples
        --------
        >>> import ndsweep as nd
        >>> board = nd.Board.deal(nd.BEGINNER, seed=7, game=123456)
        >>> board.n_mines
        10
        >>> board == nd.Board.deal(nd.BEGINNER, seed=7, game=123456)
        True
        """
        checked_spec(spec)
        seed, game = checked_int("seed", seed), checked_int("game", game, 0, 2**63 - 1)
        check_memory(f"a board of shape {spec.shape}", spec.size)
        numbers = np.array([game])
        first = checked_first_cell(spec, first_cell)
        if first is None:
            first = int(first_cells_of(seed, numbers, spec.size)[0])
        dealer = Dealer(Layout(spec.shape), spec.mines, spec.first)
        board = cls.__new__(cls)
        board._mines = _frozen(
            dealer.board(stream_keys(seed, Purpose.MINES, numbers), first, progress).reshape(spec.shape)
        )
        return board

    @property
    def mines(self) -> npt.NDArray[np.bool_]:
        """True where a mine lies."""
        return self._mines

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes."""
        return self._mines.shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self._mines.ndim

    @property
    def size(self) -> int:
        """Number of cells."""
        return self._mines.size

    @cached_property
    def n_mines(self) -> int:
        """Number of mines."""
        return int(np.count_nonzero(self._mines))

    @cached_property
    def hints(self) -> npt.NDArray[np.unsignedinteger[Any]]:
        """Number of mines among the neighbours of every cell, mines included.

        The smallest unsigned type that holds 3**ndim - 1: the n-d convolution of the mines
        with a kernel of ones, less the cell itself.
        """
        return _frozen(grid.hints_of(self._mines))

    @cached_property
    def openings(self) -> Openings:
        """The connected regions of safe cells with hint 0."""
        axes = sum(n > 1 for n in self.shape)
        check_memory(f"the openings of a grid with {axes} axes", label_memory(self.size, axes))
        labels, count = label((self.hints == 0) & ~self._mines)
        return Openings(_frozen(labels), count)

    def opening_sizes(self) -> npt.NDArray[np.int64]:
        """Number of cells of each opening, in the order of `openings`, without labels for the whole grid.

        Returns
        -------
        (count,) int64 array

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.Board.from_coords((1, 9), [(0, 3)]).opening_sizes()
        array([2, 4])
        """
        return region_sizes(self.shape, lambda rows: (self.hints[rows] == 0) & ~self._mines[rows])

    @property
    def has_openings(self) -> bool:
        """Whether the openings were computed."""
        return "openings" in vars(self)

    def __reduce__(self) -> tuple[type[Board], tuple[npt.NDArray[np.bool_]]]:
        return Board, (self._mines,)

    def __copy__(self) -> Board:
        return self  # nothing in it changes

    def __deepcopy__(self, memo: object) -> Board:
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.shape == other.shape and bool(np.array_equal(self._mines, other._mines))

    def __hash__(self) -> int:
        return hash((self.shape, self._mines.tobytes()))

    def __repr__(self) -> str:
        if self.size > 1000:
            return f"<Board of shape {self.shape} with {self.n_mines} mines>"
        coords = [tuple(int(x) for x in cell) for cell in np.argwhere(self._mines)]
        return f"Board.from_coords({self.shape}, {coords})"

    def __str__(self) -> str:
        return render.board_text(self._mines, self.hints)


def reach(
    board: Board, cell: tuple[int, ...], flags: Callable[[grid.Slices], npt.NDArray[np.bool_]]
) -> Iterator[tuple[grid.Slices, npt.NDArray[np.bool_]]]:
    """What a flood from a cell with hint 0 reaches around flags, which it does not pass.

    Parameters
    ----------
    board : Board
        The layout.
    cell : tuple of int
        A safe cell with hint 0.
    flags : callable
        Where flags stand in a box of the grid.

    Yields
    ------
    box : tuple of slice
        A part of the grid.
    reached : bool array of the box's shape
        True for the opening of the cell and its border, as far as the flood comes.

    Examples
    --------
    >>> board = Board.from_coords((1, 6), [(0, 5)])
    >>> for box, reached in reach(board, (0, 0), lambda box: np.array([[False, True] + [False] * 4])[box]):
    ...     print(reached)
    [[ True  True False False False]]
    """
    if board.size > _LABELLED and not board.has_openings:
        return flood(board.shape, cell, lambda box: (board.hints[box] == 0) & ~(board.mines[box] | flags(box)))
    number = board.openings.labels[cell]
    box = grid.grown(board.shape, board.openings.boxes[number - 1])
    region = board.openings.labels[box] == number
    flagged = region & flags(box)
    if flagged.any():
        labels, _ = label(region & ~flagged)
        region = labels == labels[tuple(x - s.start for x, s in zip(cell, box, strict=True))]
    return iter([(box, grid.dilate(region))])


def _frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.flags.writeable = False
    return array
