"""ND-Minesweeper in C: the same `struct cell`, in an array that C and NumPy share.

The interface is that of a C program::

    struct cell {
        int mined; int selected; int num_adjacent;
        struct cell *adjacent[MAX_ADJACENT];
        int coords[MAX_DIM]; int hint;
    };
    void init_game(struct cell *game, int dim, int *dim_sizes, int num_mines, int **mined_cells);
    int select_cell(struct cell *game, int dim, int *dim_sizes, int *coords);

All state is in the cells: a game is lost when a mine is selected, whoever selected it.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.board import Board
from ndsweep.checks import check_memory, checked_cell
from ndsweep.engine import grid
from ndsweep.engine.flood import flood
from ndsweep.game import Game
from ndsweep.interop import arguments, memory, pointers
from ndsweep.interop import cells as layouts
from ndsweep.interop.cells import Cells
from ndsweep.interop.dealt import dealt_board
from ndsweep.spec import CellError, SpecError, SweepError


def cell_dtype(max_adjacent: int, max_dim: int) -> np.dtype[np.void]:
    """The C struct as a NumPy dtype, laid out as a C compiler does on this machine.

    Parameters
    ----------
    max_adjacent, max_dim : int
        MAX_ADJACENT and MAX_DIM, each 1 or more.

    Returns
    -------
    dtype
        With the fields mined, selected, num_adjacent, adjacent, coords and hint.

    Raises
    ------
    SpecError
        If a size is no integer of 1 or more.

    Examples
    --------
    >>> import ndsweep as nd
    >>> nd.cell_dtype(8, 2).itemsize
    96
    >>> nd.cell_dtype(8, 2).names
    ('mined', 'selected', 'num_adjacent', 'adjacent', 'coords', 'hint')
    """
    return memory.checked_layout(max_adjacent, max_dim)


def new_game(dim_sizes: Any, max_adjacent: int | None = None, max_dim: int | None = None) -> Cells:
    """Memory for a game, all zero.

    Parameters
    ----------
    dim_sizes : sequence of int
        Sizes of the axes.
    max_adjacent, max_dim : int, optional
        MAX_ADJACENT and MAX_DIM, by default 3**n - 1 and n for n axes.

    Returns
    -------
    (cells,) array of `cell_dtype`
        The cells in C order: ``game["hint"].reshape(dim_sizes)`` is a view of the grid's shape.

    Raises
    ------
    SpecError, TooLargeError
        If an argument is not of its kind, or too small; if the cells do not fit in arguments.

    Examples
    --------
    >>> import ndsweep as nd
    >>> game = nd.new_game((3, 4))
    >>> nd.init_game(game, 2, (3, 4), 1, [(0, 0)])
    >>> nd.select_cell(game, 2, (3, 4), (2, 3))
    0
    >>> game["selected"].reshape(3, 4)
    array([[0, 1, 1, 1],
           [1, 1, 1, 1],
           [1, 1, 1, 1]], dtype=int32)
    """
    shape = arguments.checked_sizes(dim_sizes)
    dtype = memory.dtype_for(shape, max_adjacent, max_dim)
    check_memory(f"a game of shape {shape} in structs of {dtype.itemsize} bytes", prod(shape) * dtype.itemsize)
    return np.zeros(prod(shape), dtype=dtype)


def init_game(game: Any, dim: int, dim_sizes: Any, num_mines: int, mined_cells: Any) -> None:
    """Sets up every cell: mines, neighbours, coordinates and hints; nothing is selected.

    The neighbours of a cell are in C order, unused entries of ``adjacent`` are NULL and
    unused coordinates 0.  Every cell has its hint, a mine too.

    Parameters
    ----------
    game : array of `cell_dtype`
        The cells.  Also a ctypes array of, or pointer to, a Structure with the fields of the
        struct, or a writable buffer of bytes that has just the size of `new_game`'s.
    dim : int
        Number of axes.
    dim_sizes : (dim,) ints
        Sizes of the axes; a C pointer to int too.
    num_mines : int
        Number of mines.
    mined_cells : (num_mines, dim) ints
        Coordinates of the mines; a C pointer to int pointers too.

    Raises
    ------
    SpecError
        If the sizes are not as ``dim`` says, or the cells are too few, or have too little
        room for neighbours or coordinates.
    CellError
        If a mine lies outside the grid or comes twice, or there are more or fewer.

    Examples
    --------
    >>> import ndsweep as nd
    >>> game = nd.new_game((2, 2, 2))
    >>> nd.init_game(game, dim=3, dim_sizes=(2, 2, 2), num_mines=1, mined_cells=[(0, 0, 0)])
    >>> game["hint"]
    array([0, 1, 1, 1, 1, 1, 1, 1], dtype=int32)
    """
    shape = arguments.sizes_of(dim, dim_sizes)
    cells = memory.cells_of(game, prod(shape), len(shape))
    memory.dtype_for(shape, *memory.checked_dtype(cells.dtype))
    count = arguments.number("num_mines", num_mines, 0, prod(shape))
    mines = arguments.mines(mined_cells, count, shape)
    layouts.write(cells, mines, grid.hints_of(mines))


def select_cell(game: Any, dim: int, dim_sizes: Any, coords: Any) -> int:
    """Selects a cell and, at hint 0, every neighbour, and so on from each neighbour with hint 0.

    Parameters
    ----------
    game, dim, dim_sizes
        As of `init_game`, which has set up the cells.
    coords : (dim,) ints
        Coordinates of the cell.

    Returns
    -------
    int
        1 if the cell holds a mine: it is marked selected and the game is lost.  Else 0, also
        for a cell that is selected already.

    Raises
    ------
    SpecError
        If the game was not set up with these sizes, or is lost.
    CellError
        If the cell lies outside the grid.

    Examples
    --------
    >>> import ndsweep as nd
    >>> game = nd.new_game((9,))
    >>> nd.init_game(game, 1, (9,), 1, [(4,)])
    >>> nd.select_cell(game, 1, (9,), (0,)), game["selected"].tolist()
    (0, [1, 1, 1, 1, 0, 0, 0, 0, 0])
    >>> nd.select_cell(game, 1, (9,), (4,))
    1
    """
    shape = arguments.sizes_of(dim, dim_sizes)
    cells = memory.cells_of(game, prod(shape), len(shape))
    memory.check_set_up(cells, shape)
    cell = checked_cell(shape, arguments.integers("coords", coords, len(shape), CellError), "coords")
    mined, selected = layouts.mined_and_selected(cells, shape)
    if (mined & selected).any():
        raise SpecError(f"game must not be lost. Got cell {cell} after a mine was selected.")
    chosen = cells["selected"].reshape(shape)
    if cells["hint"].reshape(shape)[cell] or mined[cell] or selected[cell]:
        chosen[cell] = 1
    else:
        for box, reached in flood(shape, cell, lambda box: grid.zeros_in(mined, box) & ~selected[box]):
            chosen[box] |= reached
    return int(mined[cell])


def neighbours(game: Cells, index: int) -> npt.NDArray[np.int64]:
    """The neighbours of a cell as flat indices, from its pointers.

    Parameters
    ----------
    game : array of `cell_dtype`
        The cells, set up by `init_game`, here or in C; a copy too, although its pointers still
        name the cells that it was copied from.
    index : int
        Flat index of a cell.

    Returns
    -------
    int array

    Examples
    --------
    >>> import ndsweep as nd
    >>> game = nd.new_game((3, 3))
    >>> nd.init_game(game, 2, (3, 3), 0, [])
    >>> neighbours(game.copy(), 0)
    array([1, 3, 4])
    """
    cells = memory.checked_cells(game)
    (place,) = checked_cell((cells.size,), index, "index")
    near = cells["adjacent"][place, : cells["num_adjacent"][place]]
    return (near.astype(np.int64) - pointers.start(cells)) // cells.itemsize


def relink(game: Cells) -> None:
    """Makes the pointers of a copied or loaded game name its own cells, for a C program that follows them.

    Parameters
    ----------
    game : array of `cell_dtype`
        The cells, set up before they were copied.

    Examples
    --------
    >>> import ndsweep as nd
    >>> game = nd.new_game((3, 3))
    >>> nd.init_game(game, 2, (3, 3), 0, [])
    >>> copy = game.copy()
    >>> relink(copy)
    >>> bool(copy["adjacent"][0, 0] == copy.ctypes.data + copy.itemsize)
    True
    """
    cells = memory.checked_cells(game)
    memory.check_writable(cells)
    pointers.link(cells, cells.ctypes.data - pointers.start(cells))


def game_at(address: Any, dim_sizes: Any, max_adjacent: int | None = None, max_dim: int | None = None) -> Cells:
    """The cells that C owns, as an array on the same memory.

    Parameters
    ----------
    address : int, c_void_p or C pointer
        Where the first cell lies.  C must keep the memory for as long as the array is used.
    dim_sizes, max_adjacent, max_dim
        As of `new_game`; the memory must hold all cells.

    Returns
    -------
    (cells,) array of `cell_dtype`

    Examples
    --------
    >>> import ndsweep as nd
    >>> game = nd.new_game((5,))
    >>> same = game_at(game.ctypes.data, (5,))
    >>> nd.init_game(same, 1, (5,), 1, [(2,)])
    >>> game["hint"]
    array([0, 1, 0, 1, 0], dtype=int32)
    """
    shape = arguments.checked_sizes(dim_sizes)
    return memory.at_address(address, prod(shape), memory.dtype_for(shape, max_adjacent, max_dim))


def from_game(game: Game, max_adjacent: int | None = None, max_dim: int | None = None) -> Cells:
    """A game of ndsweep in C structs; its flags are not kept, the struct has no place for them.

    Parameters
    ----------
    game : Game
        A game that is dealt.
    max_adjacent, max_dim
        As of `new_game`.

    Returns
    -------
    (cells,) array of `cell_dtype`

    Raises
    ------
    SpecError, TooLargeError
        If the game is not dealt yet, or as of `new_game`.

    Examples
    --------
    >>> import ndsweep as nd
    >>> game = nd.Game(nd.Board.from_coords((1, 4), [(0, 3)]))
    >>> game.reveal((0, 2))
    1
    >>> from_game(game)["selected"]
    array([0, 0, 1, 0], dtype=int32)
    """
    board = dealt_board(game)
    cells = new_game(board.shape, max_adjacent, max_dim)
    layouts.write(cells, board.mines, board.hints)
    cells["selected"] = game.revealed.reshape(-1)
    return cells


def to_game(game: Cells, dim_sizes: Any = None) -> Game:
    """The same play as a game of ndsweep: selected cells are open, and it goes on from there.

    Parameters
    ----------
    game : array of `cell_dtype`
        The cells, set up by `init_game`.
    dim_sizes : sequence of int, optional
        Sizes of the axes; by default one more than the coordinates of the last cell, all
        MAX_DIM of them.

    Returns
    -------
    Game

    Raises
    ------
    SpecError
        If the game was not set up, or with other sizes.

    Examples
    --------
    >>> import ndsweep as nd
    >>> game = nd.new_game((1, 4))
    >>> nd.init_game(game, 2, (1, 4), 1, [(0, 3)])
    >>> nd.select_cell(game, 2, (1, 4), (0, 0))
    0
    >>> print(to_game(game))
    . . 1 #
    """
    cells = memory.checked_cells(game)
    shape = arguments.checked_sizes(cells["coords"][-1] + 1 if dim_sizes is None else dim_sizes)
    if prod(shape) > cells.size or (dim_sizes is None and prod(shape) != cells.size):
        raise SpecError(f"dim_sizes must be the sizes of a game in {cells.size} cells. Got {shape}.")
    cells = cells[: prod(shape)]
    memory.check_set_up(cells, shape)
    mined, selected = ((cells[name] != 0).reshape(shape) for name in ("mined", "selected"))
    return Game.resume(Board(mined), selected)


def callbacks(max_adjacent: int, max_dim: int) -> tuple[Any, Any]:
    """The two functions for a C program that has its own cells, as C function pointers.

    Parameters
    ----------
    max_adjacent, max_dim : int
        MAX_ADJACENT and MAX_DIM of the program.

    Returns
    -------
    init_game, select_cell : ctypes function objects
        ``void (*)(struct cell *, int, int *, int, int **)`` and
        ``int (*)(struct cell *, int, int *, int *)``.  Keep them for as long as C may call
        them.  What is refused is said on standard error; `select_cell` then gives -1.

    Examples
    --------
    >>> import ctypes, ndsweep as nd
    >>> init, select = callbacks(2, 1)
    >>> game, sizes = nd.new_game((5,)), (ctypes.c_int * 1)(5)
    >>> init(game.ctypes.data, 1, sizes, 0, None)
    >>> select(game.ctypes.data, 1, sizes, (ctypes.c_int * 1)(3))
    0
    """
    dtype = cell_dtype(max_adjacent, max_dim)
    integer, integers = ctypes.c_int, ctypes.POINTER(ctypes.c_int)

    def on_cells(function: Callable[..., int | None], refused: int | None) -> Callable[..., int | None]:
        def call(address: int, dim: int, dim_sizes: Any, *rest: Any) -> int | None:
            try:
                count = prod(arguments.sizes_of(dim, dim_sizes))
                return function(memory.at_address(address, count, dtype), dim, dim_sizes, *rest)
            except Exception as error:  # C knows none, and goes on
                kind = "" if isinstance(error, SweepError) else f"{type(error).__name__}: "
                print(f"ndsweep: {kind}{error}", file=sys.stderr)
                return refused

        return call

    init = ctypes.CFUNCTYPE(None, ctypes.c_void_p, integer, integers, integer, ctypes.POINTER(integers))
    select = ctypes.CFUNCTYPE(integer, ctypes.c_void_p, integer, integers, integers)
    return init(on_cells(init_game, None)), select(on_cells(select_cell, -1))
