"""Board: where the mines lie, and what follows from it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep import render
from ndsweep.checks import (
    check_memory,
    checked_array,
    checked_cell,
    checked_first_cell,
    checked_spec,
    checked_threads,
)
from ndsweep.engine import grid
from ndsweep.engine.boxes import rows_of
from ndsweep.engine.deal import Dealer
from ndsweep.engine.planes import Layout
from ndsweep.engine.store import BLOCK, Store, frozen, in_memory, read
from ndsweep.engine.streams import Purpose, first_cells_of, stream_keys
from ndsweep.npy import PathLike, check_place, checked_store, filled, open_array, save_array
from ndsweep.numbers import Numbers
from ndsweep.render.codes import UNCOVERED, Codes, Part
from ndsweep.spec import Cell, CellError, FormatError, Spec, SpecError, checked_int, checked_shape, in_short

_IN_A_FILE = "Board.deal(..., out='mines.npy') keeps the mines in a file, as a memory map."


class Board(Numbers):
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
        check_memory(f"a copy of mines of shape {array.shape}", array.size, "Board.wrap(mines) copies nothing.")
        self._mines: Store = frozen(np.array(array))
        self._path: str | None = None

    @classmethod
    def wrap(cls, mines: Store) -> Board:
        """A board on an array that stays where it is: a memory map, an array of Zarr, or one in memory.

        Parameters
        ----------
        mines : (n1, ..., nd) array-like of bool
            True where a mine lies.  Anything with a shape and a dtype that takes slices.  It is
            read some slabs of the first axis at a time, once here to count the mines, and must
            not change while the board is used.

        Returns
        -------
        Board

        Raises
        ------
        SpecError
            If the array is not boolean, or has no axes or an empty one, or bytes that are neither 0 nor 1.

        Examples
        --------
        >>> import numpy as np, ndsweep as nd
        >>> board = nd.Board.wrap(np.array([[True, False, False], [False, False, False]]))
        >>> board.n_mines, board.opening_sizes()
        (1, array([2]))
        """
        store = checked_store("mines", mines)
        if np.dtype(store.dtype) != np.bool_:
            raise SpecError(f"mines must be a boolean array. Got {store.dtype}.")
        checked_shape(store.shape)
        if isinstance(store, np.ndarray):
            store = frozen(store.view())
        return cls._over(store, _counted(store))

    @classmethod
    def open(cls, path: PathLike) -> Board:
        """The board in a file of `save`, as a memory map: it need not fit in memory.

        Parameters
        ----------
        path : path
            A ``.npy`` file with a boolean array.  It is read once to count the mines, and must
            not change while the board is used.

        Returns
        -------
        Board

        Raises
        ------
        FormatError
            If it is no such file, or its size is not what its header says.
        OSError
            If the file cannot be read.

        Examples
        --------
        >>> import ndsweep as nd, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     nd.Board.from_coords((1, 9), [(0, 3)]).save(folder + "/mines.npy")
        ...     board = nd.Board.open(folder + "/mines.npy")
        >>> board.n_mines, type(board.mines).__name__
        (1, 'memmap')
        """
        mines = open_array(path, np.bool_)
        try:
            board = cls._over(mines, _counted(mines))
        except SpecError as error:
            raise FormatError(f"{os.fspath(path)!r} must hold a board. {error}") from None
        board._lies_in(path)
        return board

    @classmethod
    def _over(cls, mines: Store, n_mines: int) -> Board:
        board = cls.__new__(cls)
        board._mines, board._path = mines, None
        vars(board)["n_mines"] = n_mines
        return board

    @classmethod
    def from_coords(cls, shape: Iterable[int], coords: Iterable[Cell], name: str = "coords") -> Board:
        """A board from the cells of its mines.

        Parameters
        ----------
        shape : sequence of int
            Sizes of the axes.
        coords : iterable of cells
            Coordinates (or flat indices) of the mines, each once; an integer array with a row each too.
        name : str
            What messages call the coordinates.

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
        check_memory(f"a board of shape {sizes}", prod(sizes), _IN_A_FILE)
        mines = np.zeros(sizes, dtype=np.bool_)
        try:
            rows = isinstance(coords, np.ndarray) and coords.dtype.kind in "iu" and coords.ndim == 2
            given = coords.tolist() if rows else list(coords)  # type: ignore[attr-defined]
        except TypeError:
            raise CellError(f"{name} must be the cells of the mines. Got {in_short(coords)}.") from None
        if given and all(_is_inside(coord, sizes) for coord in given):  # all at once if all is well
            mines[tuple(np.array(given, dtype=np.int64).T)] = True
            if np.count_nonzero(mines) == len(given):
                return cls._over(frozen(mines), len(given))
            mines[...] = False
        for number, coord in enumerate(given):
            cell = checked_cell(sizes, coord, f"cell {number} of {name}")
            if mines[cell]:
                raise CellError(f"{name} must name each cell once. Got {cell} twice.")
            mines[cell] = True
        return cls._over(frozen(mines), len(given))

    @classmethod
    def deal(
        cls,
        spec: Spec,
        seed: int = 0,
        game: int = 0,
        first_cell: Cell | None = None,
        progress: Callable[[int, int], None] | None = None,
        out: PathLike | Store | None = None,
        executor: Executor | None = None,
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
            Is told now and then how many draws are made, and of how many.  It may be told the
            end more than once, where draws fell on a taken cell, and nothing where none is made.
        out : path or array-like of bool, optional
            Where the mines are kept: a new ``.npy`` file, which is memory-mapped, or an array
            of the grid's shape that is written and then must not change.  A new array in memory
            by default.
        executor : ThreadPoolExecutor, optional
            Threads that share the work; the layout is the same.

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
        OSError
            If the file cannot be written; what was there stays as it was.

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
        check_place("mines", "out", out, spec.shape, np.dtype(np.bool_))
        threads, numbers = checked_threads(executor), np.array([game])
        first = checked_first_cell(spec, first_cell)
        if first is None:
            first = int(first_cells_of(seed, numbers, spec.size)[0])
        dealer, key = Dealer(Layout(spec.shape), spec.mines, spec.first), stream_keys(seed, Purpose.MINES, numbers)
        mines = filled(
            "mines",
            "out",
            out,
            spec.shape,
            np.dtype(np.bool_),
            lambda mines: dealer.board(mines, key, first, progress, threads),
            value=False,
        )
        board = cls._over(mines, spec.mines)
        if isinstance(out, str | os.PathLike):
            board._lies_in(out)
        return board

    def save(self, path: PathLike) -> None:
        """Writes the mines to a file, which `open` and `numpy.load` read: all of it or nothing.

        Parameters
        ----------
        path : path
            Where to write, ``.npy`` by custom; a file that is there is replaced.

        Raises
        ------
        SpecError
            If the path names none that can be a file.
        OSError
            If the file cannot be written; what was there stays as it was.

        Examples
        --------
        >>> import numpy as np, ndsweep as nd, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     nd.Board.from_coords((1, 3), [(0, 1)]).save(folder + "/mines.npy")
        ...     np.load(folder + "/mines.npy")
        array([[False,  True, False]])
        """
        save_array(path, self._mines)

    @cached_property
    def n_mines(self) -> int:
        """Number of mines."""
        return _counted(self._mines)

    def _lies_in(self, path: PathLike) -> None:
        """Keeps which file the mines lie in, for pickles."""
        self._path = os.path.realpath(path)
        self._state = _state_of(self._path)

    def __reduce__(self) -> tuple[Callable[..., Board], tuple[Any, ...]]:
        if self._path is not None:
            return _reopened, (self._path, self._state)
        return (Board if in_memory(self._mines) else Board.wrap), (self._mines,)

    def __copy__(self) -> Board:
        return self  # nothing in it changes

    def __deepcopy__(self, memo: object) -> Board:
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.shape == other.shape and all(
            np.array_equal(one, other) for one, other in zip(self._blocks(), other._blocks(), strict=True)
        )

    def __hash__(self) -> int:
        return hash((self.shape, *(block.tobytes() for block in self._blocks())))

    def _blocks(self) -> Iterator[npt.NDArray[np.bool_]]:
        """The mines, some slabs at a time."""
        return (read(self._mines, (rows,)) for rows in rows_of(self.shape, BLOCK))

    def __repr__(self) -> str:
        if self.size > 1000:
            return f"<Board of shape {self.shape} with {self.n_mines} mines>"
        coords = [tuple(int(x) for x in cell) for cell in np.argwhere(read(self._mines, ()))]
        return f"Board.from_coords({self.shape}, {coords})"

    def __str__(self) -> str:
        return render.board_text(read(self._mines, ()), read(self.hints, ()))

    def _repr_html_(self) -> str:
        return render.html(self, caption=f"{self.n_mines:,} mines")

    def _picture(self, part: Part) -> Codes:
        """All cells open, and mines uncovered; of a part the mines alone, as its hints would take those around it."""
        mines = read(self._mines, part)
        codes = np.zeros(mines.shape, dtype=grid.view_dtype(len(self.shape)))
        if not part:
            codes[...] = read(self.hints, ())
        codes[mines] = UNCOVERED
        return codes


def _is_inside(coord: Any, shape: tuple[int, ...]) -> bool:
    """Whether a cell is given by plain coordinates that lie in the grid."""
    if not isinstance(coord, list | tuple) or len(coord) != len(shape):
        return False
    return all(type(x) is int and 0 <= x < n for x, n in zip(coord, shape, strict=True))


def _state_of(path: str) -> tuple[int, int]:
    """What changes when a file is written again."""
    found = os.stat(path)
    return found.st_size, found.st_mtime_ns


def _reopened(path: str, state: tuple[int, int]) -> Board:
    """The board in a file, from a pickle; FormatError if the file is not the one that it was."""
    if _state_of(path) != state:
        raise FormatError(f"{path!r} must be the file of the board that was pickled. It was written again since.")
    return Board.open(path)


def _counted(mines: Store) -> int:
    """The number of mines; SpecError unless all bytes are 0 or 1, which a file need not have."""
    count = 0
    for rows in rows_of(mines.shape, BLOCK):
        part = read(mines, (rows,))
        if (largest := int(part.view(np.uint8).max())) > 1:
            raise SpecError(f"mines must have bytes of 0 or 1. Got {largest} in slabs {rows.start}..{rows.stop - 1}.")
        count += int(np.count_nonzero(part))
    return count
