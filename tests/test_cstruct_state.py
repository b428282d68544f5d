"""All state of a struct-compatible game is in its array: copies, files, memory of C, and games of ndsweep."""

import copy
import ctypes
import mmap
import pickle
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import cells_of, neighbours
from strategies import moves as game_moves
from strategies import specs
from struct_c import EXACT, LOOSE, ints, rows
from struct_games import plays, select, started

import ndsweep as nd
from ndsweep.interop import cstruct


def saved(game, folder):
    np.save(folder / "game.npy", game)
    return np.load(folder / "game.npy")


def mapped(game, folder):
    game.tofile(folder / "game.raw")
    return np.memmap(folder / "game.raw", dtype=game.dtype, mode="r+")


COPIES = {
    "copy": lambda game, folder: game.copy(),
    "deepcopy": lambda game, folder: copy.deepcopy(game),
    "pickle": lambda game, folder: pickle.loads(pickle.dumps(game)),
    "save and load": saved,
    "memory map": mapped,
    "bytes": lambda game, folder: np.frombuffer(bytearray(game.tobytes()), dtype=game.dtype),
}
each_copy = pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)

SHAPE, MINES = (4, 5, 3), [(0, 0, 0), (3, 4, 2), (2, 2, 1)]


# Copies and files -----------------------------------------------------------------------------


@each_copy
@pytest.mark.parametrize("sizes", [EXACT[3], LOOSE])
def test_a_copy_is_played_on_alone(c_library, tmp_path, make, sizes):
    c = c_library(*sizes)
    game = started(SHAPE, MINES, sizes)
    assert select(game, SHAPE, (1, 1, 1)) == 0
    pointers = game["adjacent"].tolist()
    other = make(game, tmp_path)
    del game  # nothing may depend on the first one
    assert other["adjacent"].tolist() == pointers
    judge = c.new_game(SHAPE, MINES)
    for move in [(1, 1, 1), (0, 4, 0), (3, 0, 2), (2, 4, 1), (2, 2, 1)]:
        assert select(other, SHAPE, move) == c.select_cell(judge, SHAPE, move)
        assert other["selected"].tolist() == [cell.selected for cell in judge]


@each_copy
def test_a_copy_does_not_touch_the_first(tmp_path, make):
    game = started(SHAPE, MINES)
    other = make(game, tmp_path)
    before = game.tobytes()
    assert select(other, SHAPE, (0, 4, 0)) == 0
    assert other["selected"].any()
    assert game.tobytes() == before
    cstruct.relink(other)
    assert select(other, SHAPE, (0, 0, 0)) == 1
    assert game.tobytes() == before
    assert select(game, SHAPE, (0, 4, 0)) == 0


@each_copy
@pytest.mark.parametrize("relinked", [False, True])
def test_a_loss_is_a_loss_in_every_copy(tmp_path, make, relinked):
    game = started(SHAPE, MINES)
    assert select(game, SHAPE, MINES[1]) == 1
    other = make(game, tmp_path)
    if relinked:
        cstruct.relink(other)
    before = other.tobytes()
    for move in [(1, 1, 1), MINES[1], MINES[0]]:
        with pytest.raises(nd.SweepError, match="lost"):
            select(other, SHAPE, move)
    assert other.tobytes() == before


@each_copy
@pytest.mark.parametrize("sizes", [EXACT[3], LOOSE])
def test_relink_makes_a_copy_whole_for_c(c_library, tmp_path, make, sizes):
    c = c_library(*sizes)
    game = started(SHAPE, MINES, sizes)
    select(game, SHAPE, (1, 1, 1))
    other = make(game, tmp_path)
    assert c.recount(other, SHAPE) > 0  # its pointers still name the first
    cstruct.relink(other)
    assert c.recount(other, SHAPE) == c.differences(game, other, SHAPE) == 0
    assert c.select_cell(other, SHAPE, (0, 4, 0)) == select(game, SHAPE, (0, 4, 0)) == 0
    assert c.differences(game, other, SHAPE) == 0
    before = other.tobytes()
    cstruct.relink(other)
    assert other.tobytes() == before


@each_copy
def test_neighbours_of_copies(tmp_path, make):
    game = started(SHAPE, MINES, LOOSE)
    other = make(game, tmp_path)
    cells = cells_of(SHAPE)
    for index, cell in enumerate(cells):
        expected = [cells.index(near) for near in neighbours(SHAPE, cell)]
        assert cstruct.neighbours(game, index).tolist() == cstruct.neighbours(other, index).tolist() == expected
    assert np.issubdtype(cstruct.neighbours(other, np.int64(3)).dtype, np.integer)
    cstruct.relink(other)
    assert cstruct.neighbours(other, 0).tolist() == cstruct.neighbours(game, 0).tolist()


def test_a_cell_alone_has_no_neighbours():
    assert cstruct.neighbours(started((1, 1), []), 0).tolist() == []


def test_a_game_can_be_initialised_again(c_library):
    game = started(SHAPE, MINES)
    select(game, SHAPE, MINES[0])
    nd.init_game(game, 3, (5, 3, 4), 1, [(4, 2, 3)])
    assert c_library(*EXACT[3]).recount(game, (5, 3, 4)) == 0
    assert select(game, (5, 3, 4), (0, 0, 0)) == 0


def test_taking_back_what_was_selected_takes_back_the_loss():
    """The array is all there is: what C may clear, Python may clear."""
    game = started(SHAPE, MINES)
    assert select(game, SHAPE, MINES[0]) == 1
    game["selected"] = 0
    assert select(game, SHAPE, MINES[1]) == 1


def test_python_refuses_to_go_on_after_a_loss_in_c(c_library):
    c = c_library(*EXACT[3])
    game = started(SHAPE, MINES)
    assert c.select_cell(game, SHAPE, MINES[2]) == 1
    with pytest.raises(nd.SweepError, match="lost"):
        select(game, SHAPE, (1, 1, 1))


def test_fields_are_views():
    game = started((3, 3), [(1, 1)])
    grid = game.reshape(3, 3)
    assert np.shares_memory(game["hint"], game)
    grid["selected"][0, 2] = 1
    assert game[2]["selected"] == 1
    assert select(game, (3, 3), (0, 1)) == 0
    assert grid["selected"].tolist() == [[0, 1, 1], [0, 0, 0], [0, 0, 0]]
    assert grid["hint"].tolist() == [[1, 1, 1], [1, 0, 1], [1, 1, 1]]


# Kinds of memory and arguments ----------------------------------------------------------------


def array_of(c, cells):
    return nd.new_game((cells,), c.max_adjacent, c.max_dim)


MEMORY = {
    "array": array_of,
    "grid": lambda c, cells: array_of(c, cells).reshape(4, -1, 3),
    "larger": lambda c, cells: array_of(c, cells + 5),
    "part": lambda c, cells: array_of(c, cells + 5)[2 : cells + 2],
    "view of memory": lambda c, cells: memoryview(array_of(c, cells)),
    "ctypes array": lambda c, cells: (c.Cell * cells)(),
    "ctypes grid": lambda c, cells: (c.Cell * (cells // 4) * 4)(),
    "ctypes pointer": lambda c, cells: ctypes.cast((c.Cell * cells)(), ctypes.POINTER(c.Cell)),
}
RAW = {
    "bytearray": bytearray,
    "bytes of NumPy": lambda size: np.zeros(size, dtype=np.uint8),
    "bytes of ctypes": lambda size: (ctypes.c_char * size)(),
    "view": lambda size: memoryview(bytearray(size)),
    "map": lambda size: mmap.mmap(-1, size),
}


def as_array(c, game, cells):
    """Any memory as an array, without ndsweep."""
    if isinstance(game, ctypes._Pointer):
        kept, game = game, (c.Cell * cells).from_address(ctypes.cast(game, ctypes.c_void_p).value)
        game.kept = kept
    array = np.frombuffer(game, dtype=np.uint8, count=cells * ctypes.sizeof(c.Cell))
    return array.view(nd.cell_dtype(c.max_adjacent, c.max_dim))


def check_play(c, game):
    """Plays in some memory as C does, from both sides, and leaves what lies behind as it is."""
    cells = prod(SHAPE)
    assert nd.init_game(game, 3, SHAPE, 3, MINES) is None
    array, judge = as_array(c, game, cells), c.new_game(SHAPE, MINES)
    assert c.recount(array, SHAPE) == 0
    for move in [(2, 2, 2), (0, 4, 0), (2, 2, 1)]:
        assert select(game, SHAPE, move) == c.select_cell(judge, SHAPE, move)
        assert c.differences(array, judge, SHAPE) == 0


@pytest.mark.parametrize("sizes", [EXACT[3], LOOSE])
@pytest.mark.parametrize("make", MEMORY.values(), ids=MEMORY)
def test_memory_that_says_what_its_cells_are(c_library, make, sizes):
    c = c_library(*sizes)
    check_play(c, make(c, prod(SHAPE)))


@pytest.mark.parametrize("make", RAW.values(), ids=RAW)
def test_plain_bytes_hold_cells_of_the_usual_sizes(c_library, make):
    c = c_library(*EXACT[3])
    check_play(c, make(prod(SHAPE) * ctypes.sizeof(c.Cell)))


@pytest.mark.parametrize("place", ["part", "larger"])
def test_cells_beside_the_game_stay(c_library, place):
    start = 2 if place == "part" else 0
    game = nd.new_game((prod(SHAPE) + 5,), *EXACT[3])
    game.view(np.uint8)[:] = 0xA5
    part = game[start : start + prod(SHAPE)] if place == "part" else game
    nd.init_game(part, 3, SHAPE, 3, MINES)
    select(part, SHAPE, (0, 4, 0))
    assert c_library(*EXACT[3]).recount(game.ctypes.data + start * game.itemsize, SHAPE) == 0
    cells = game.view(np.uint8).reshape(game.size, -1)
    assert (cells[:start] == 0xA5).all()
    assert (cells[start + prod(SHAPE) :] == 0xA5).all()


@pytest.mark.parametrize("as_address", [int, ctypes.c_void_p, lambda a: ctypes.cast(a, ctypes.POINTER(ctypes.c_int))])
@pytest.mark.parametrize("sizes", [EXACT[3], LOOSE])
def test_an_array_over_memory_of_c(c_library, as_address, sizes):
    c = c_library(*sizes)
    address = c.c.new_garbage(prod(SHAPE))
    given = (None, None) if sizes == EXACT[3] else sizes
    game = cstruct.game_at(as_address(address), SHAPE, *given)
    assert (game.ctypes.data, game.size, game.dtype) == (address, prod(SHAPE), nd.cell_dtype(*sizes))
    check_play(c, game)
    assert c.recount(address, SHAPE) == 0
    c.c.free_garbage(address)


ARGUMENTS = {
    "lists": lambda values: (list(values[0]), [list(cell) for cell in values[1]]),
    "arrays": lambda values: (np.array(values[0]), np.array(values[1])),
    "small arrays": lambda values: (np.array(values[0], np.uint8), np.array(values[1], np.int8)),
    "strided arrays": lambda values: (np.repeat(values[0], 2)[::2], np.repeat(values[1], 2, axis=0)[::2]),
    "NumPy integers": lambda values: (tuple(map(np.int16, values[0])), [tuple(map(np.int64, c)) for c in values[1]]),
    "ctypes arrays": lambda values: (ints(values[0]), [ints(cell) for cell in values[1]]),
    "pointers": lambda values: (ctypes.cast(ints(values[0]), ctypes.POINTER(ctypes.c_int)), rows(values[1])),
    "pointer to pointers": lambda values: (
        ctypes.cast(ints(values[0]), ctypes.POINTER(ctypes.c_int)),
        ctypes.cast(rows(values[1]), ctypes.POINTER(ctypes.POINTER(ctypes.c_int))),
    ),
}


@pytest.mark.parametrize("form", ARGUMENTS.values(), ids=ARGUMENTS)
def test_forms_of_the_arguments(c_library, form):
    sizes, mined = form((SHAPE, MINES))
    c, game = c_library(*EXACT[3]), nd.new_game(SHAPE)
    nd.init_game(game, 3, sizes, 3, mined)
    judge = c.new_game(SHAPE, MINES)
    assert c.differences(game, judge, SHAPE) == 0
    for move in [(2, 2, 2), (0, 4, 0), (2, 2, 1)]:
        coords, _ = form((move, MINES))
        assert nd.select_cell(game, 3, sizes, coords) == c.select_cell(judge, SHAPE, move)
        assert c.differences(game, judge, SHAPE) == 0


NO_MINES = {
    "list": [],
    "array of no rows": np.empty((0, 2), int),
    "empty array": np.array([]),
    "no pointers": rows([]),
    "NULL": ctypes.POINTER(ctypes.POINTER(ctypes.c_int))(),
}


@pytest.mark.parametrize("mined", NO_MINES.values(), ids=NO_MINES)
def test_forms_of_no_mines(mined):
    game = nd.new_game((3, 3))
    nd.init_game(game, 2, (3, 3), 0, mined)
    assert not game["mined"].any()


# Games of ndsweep -----------------------------------------------------------------------------


@given(specs(), st.data(), st.booleans())
def test_games_go_to_structs_and_back(c_library, spec, data, loose):
    shape, mines, first = spec
    game = nd.Game(nd.Board.deal(nd.Spec(shape, mines, first), seed=data.draw(st.integers(0, 99))))
    for kind, cell in data.draw(game_moves(prod(shape), ["flag", "chord"], most=15)):
        getattr(game, kind)(cell)
    sizes = LOOSE if loose else EXACT[len(shape)]
    array = cstruct.from_game(game, *(sizes if loose else ()))
    assert array.dtype == nd.cell_dtype(*sizes)
    assert array.shape == (prod(shape),)
    assert array["selected"].reshape(shape).tolist() == game.revealed.astype(int).tolist()
    in_c = c_library(*sizes).new_game(shape, [tuple(cell) for cell in np.argwhere(game.board.mines).tolist()])
    for cell, open_ in zip(in_c, game.revealed.flat, strict=True):
        cell.selected = int(open_)
    assert c_library(*sizes).differences(array, in_c, shape) == 0
    for back in (cstruct.to_game(array, shape), cstruct.to_game(array.copy(), dim_sizes=shape)):
        assert back.board == game.board
        assert back.status == game.status
        assert back.n_flags == 0
        np.testing.assert_array_equal(back.view, np.where(game.flagged, nd.HIDDEN, game.view))
    if not loose:
        np.testing.assert_array_equal(cstruct.to_game(array).view, back.view)


@given(plays())
def test_structs_go_to_games_and_back(play):
    shape, sizes, mines, moves = play
    array = started(shape, mines, sizes)
    game = nd.Game(nd.Board.from_coords(shape, mines))
    for move in moves:
        if game.status != nd.Status.PLAYING:
            break
        game.reveal(move)
        select(array, shape, move)
    back = cstruct.to_game(array, shape)
    assert (back.status, back.board) == (game.status, game.board)
    np.testing.assert_array_equal(back.view, game.view)
    again = cstruct.from_game(back, *sizes)
    cstruct.relink(array)
    for name in ("mined", "selected", "num_adjacent", "coords", "hint"):
        np.testing.assert_array_equal(again[name], array[name])


@pytest.mark.parametrize("status", nd.Status)
def test_a_game_from_a_struct_goes_on_or_not(status):
    shape, mines = (1, 6), [(0, 2)]
    array = started(shape, mines)
    select(array, shape, {nd.Status.LOST: (0, 2)}.get(status, (0, 5)))
    if status == nd.Status.WON:
        select(array, shape, (0, 0))
    game = cstruct.to_game(array)
    assert game.status == status
    assert game.reveal((0, 1)) == (1 if status == nd.Status.PLAYING else 0)
    assert game.reveal((0, 0)) == (1 if status == nd.Status.PLAYING else 0)
    assert game.status == (nd.Status.WON if status == nd.Status.PLAYING else status)
    assert array["selected"].sum() == {nd.Status.PLAYING: 3, nd.Status.WON: 5, nd.Status.LOST: 1}[status]


def test_a_lost_game_in_a_struct_is_lost_there_too():
    game = nd.Game(nd.Board.from_coords((2, 3), [(0, 0)]))
    game.reveal((0, 0))
    array = cstruct.from_game(game)
    with pytest.raises(nd.SweepError, match="lost"):
        select(array, (2, 3), (1, 1))
