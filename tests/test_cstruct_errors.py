"""What the struct-compatible games refuse: each error names its argument, and what is refused changes nothing."""

import ctypes
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from struct_c import EXACT, ints, rows
from struct_games import plays, select, started

import ndsweep as nd
from ndsweep.interop import cstruct

SHAPE = (3, 4)
NOT_SIZES = [(3, 0), (3, -4), (), (3.0, 4), "34", None, 12, (3, None), ((3, 4), (3, 4))]
NOT_MINES = [
    ([(3, 0)], nd.CellError),
    ([(0, 4)], nd.CellError),
    ([(-1, 0)], nd.CellError),
    ([(0, -1)], nd.CellError),
    ([(2**40, 0)], nd.CellError),
    ([(0, 0, 0)], nd.CellError),
    ([(0,)], nd.CellError),
    ([0], nd.CellError),
    ([(0.5, 0)], nd.CellError),
    ([("0", "0")], nd.CellError),
    ([None], nd.CellError),
    ([(1, 2), (1, 2)], nd.CellError),
    ([(1, 2), (0, 0), (2, 3), (1, 2)], nd.CellError),
    (np.array([[1.0, 2.0]]), nd.CellError),
]


def refuses(call, name, error=nd.SweepError):
    """The call is refused with a message of one line that begins with, or has, the argument's name."""
    with pytest.raises(error, match=rf"(?i)\b{name}\b") as caught:
        call()
    assert isinstance(caught.value, nd.SpecError | nd.CellError)
    assert "\n" not in str(caught.value)


def refuses_init(name, game, *arguments, error=nd.SweepError):
    """And leaves the memory as it is."""
    before = bytes(game)
    refuses(lambda: nd.init_game(game, *arguments), name, error)
    assert bytes(game) == before


def dirty(cells=12, max_adjacent=8, max_dim=2):
    """Cells that hold garbage."""
    game = np.empty(cells, nd.cell_dtype(max_adjacent, max_dim))
    game.view(np.uint8)[:] = 0xA5
    return game


def zeroed():
    return nd.new_game(SHAPE)


# init_game ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dim", [1, 3, 0, -2, 2.0, "2", None])
def test_a_wrong_dim(dim):
    refuses_init("dim(_sizes)?", dirty(), dim, SHAPE, 0, [], error=nd.SpecError)


@pytest.mark.parametrize("sizes", NOT_SIZES, ids=repr)
def test_wrong_sizes(sizes):
    refuses_init("dim(_sizes)?", dirty(), 2, sizes, 0, [], error=nd.SpecError)
    refuses(lambda: nd.new_game(sizes), "dim_sizes", nd.SpecError)
    refuses(lambda: nd.select_cell(started(SHAPE, []), 2, sizes, (0, 0)), "dim(_sizes)?", nd.SpecError)


@pytest.mark.parametrize(("mined", "error"), NOT_MINES, ids=repr)
def test_wrong_mines(mined, error):
    refuses_init("mined_cells", dirty(), 2, SHAPE, len(mined), mined, error=error)


def test_wrong_mines_from_c():
    refuses_init("mined_cells", dirty(), 2, ints(SHAPE), 1, rows([(3, 0)]), error=nd.CellError)
    refuses_init("mined_cells", dirty(), 2, ints(SHAPE), 2, rows([(1, 1), (1, 1)]), error=nd.CellError)
    refuses_init("num_mines", dirty(), 2, ints(SHAPE), 13, ctypes.POINTER(ctypes.POINTER(ctypes.c_int))())
    refuses_init("dim_sizes", dirty(), 2, ints((3, -4)), 0, rows([]), error=nd.SpecError)


def test_null_from_c():
    nothing, no_rows = ctypes.POINTER(ctypes.c_int)(), ctypes.POINTER(ctypes.POINTER(ctypes.c_int))()
    refuses_init("dim_sizes", dirty(), 2, nothing, 0, [])
    refuses_init("mined_cells", dirty(), 2, SHAPE, 1, no_rows)
    refuses(lambda: nd.select_cell(started(SHAPE, []), 2, SHAPE, nothing), "coords")
    for null in (0, None, ctypes.c_void_p(), nothing):
        refuses(partial(cstruct.game_at, null, SHAPE), "address")


@pytest.mark.parametrize("count", [0, 2, -1, 13, 1.0, "1", None])
def test_a_number_of_mines_that_does_not_match(count):
    refuses_init("num_mines", dirty(), 2, SHAPE, count, [(0, 0)])


@pytest.mark.parametrize("sizes", [(7, 2), (1, 2), (8, 1), (7, 9)])
def test_structs_too_small_for_the_grid(sizes):
    name = "max_adjacent" if sizes[0] < 8 else "max_dim"
    refuses_init(name, dirty(12, *sizes), 2, SHAPE, 0, [], error=nd.SpecError)
    refuses(lambda: nd.new_game(SHAPE, *sizes), name, nd.SpecError)
    refuses(lambda: cstruct.from_game(nd.Game(nd.Board.from_coords(SHAPE, [])), *sizes), name, nd.SpecError)


def test_one_pointer_less_than_the_grid_needs():
    for shape, least in [((3,), 2), ((2, 2), 3), ((2, 3), 5), ((2, 2, 2), 7), ((1, 5, 3), 8)]:
        game = dirty(15, least - 1, 3)
        refuses_init("max_adjacent", game, len(shape), shape, 0, [], error=nd.SpecError)


@pytest.mark.parametrize("bad", [0, -1, 2.0, "8", 10**12], ids=repr)
def test_sizes_of_structs_that_cannot_be(bad):
    refuses(lambda: nd.cell_dtype(bad, 2), "max_adjacent")
    refuses(lambda: nd.cell_dtype(8, bad), "max_dim")
    if bad != 10**12:
        refuses(lambda: nd.new_game(SHAPE, bad), "max_adjacent")


def test_a_buffer_too_small():
    refuses_init("game", dirty(11), 2, SHAPE, 0, [], error=nd.SpecError)
    refuses_init("game", bytearray(12 * 96 - 1), 2, SHAPE, 0, [], error=nd.SpecError)
    refuses_init("game", bytearray(0), 2, SHAPE, 0, [], error=nd.SpecError)
    refuses(lambda: select(started(SHAPE, [])[:11], SHAPE, (0, 0)), "game", nd.SpecError)


@pytest.mark.parametrize("game", [bytes(12 * 96), None, 7, "game", [0] * 12, object()], ids=lambda g: type(g).__name__)
def test_what_is_no_memory_of_cells(game):
    refuses(lambda: nd.init_game(game, 2, SHAPE, 0, []), "game", nd.SpecError)
    refuses(lambda: select(game, SHAPE, (0, 0)), "game", nd.SpecError)


def test_arrays_that_are_not_of_cells():
    other = np.dtype([("mined", np.intc), ("selected", np.intc)])
    shuffled = np.dtype({"names": nd.cell_dtype(8, 2).names, "formats": ["i4"] * 3 + ["8u8", "2i4", "i4"]})
    big_endian = nd.cell_dtype(8, 2).newbyteorder(">")
    for dtype in (other, shuffled, big_endian):
        refuses_init("game", np.zeros(12, dtype), 2, SHAPE, 0, [], error=nd.SpecError)
    refuses_init("game", nd.new_game((24,), 8, 2)[::2], 2, SHAPE, 0, [], error=nd.SpecError)


def test_a_read_only_game():
    game = started(SHAPE, [])
    game.flags.writeable = False
    refuses_init("game", game, 2, SHAPE, 0, [], error=nd.SpecError)
    refuses(lambda: select(game, SHAPE, (0, 0)), "game", nd.SpecError)
    refuses(lambda: select(memoryview(game), SHAPE, (0, 0)), "game", nd.SpecError)
    refuses(lambda: cstruct.relink(game), "game", nd.SpecError)
    assert cstruct.neighbours(game, 0).tolist() == [1, 4, 5]
    assert cstruct.to_game(game, SHAPE).status == nd.Status.PLAYING


def test_a_game_too_large_is_refused_at_once():
    with pytest.raises(nd.SweepError, match=r"memory|dim_sizes"):
        nd.new_game((10**6, 10**6))
    with pytest.raises(nd.SweepError, match=r"memory|dim_sizes|max_adjacent"):
        nd.new_game((3,) * 30)


# select_cell ----------------------------------------------------------------------------------


COORDS = [(3, 0), (0, 4), (-1, 0), (0, -4), (2**40, 0), (0,), (0, 0, 0), (), 0, None, (0.0, 1.0), "00", (0, None)]


@pytest.mark.parametrize("coords", [*COORDS, np.array([0.0, 1.0]), np.zeros((2, 2), int)], ids=repr)
def test_wrong_coordinates(coords):
    game = started(SHAPE, [(0, 0)])
    before = bytes(game)
    refuses(lambda: select(game, SHAPE, coords), "coords", nd.CellError)
    assert bytes(game) == before


@pytest.mark.parametrize("make", [zeroed, dirty])
def test_select_before_init(make):
    game = make()
    before = bytes(game)
    refuses(lambda: select(game, SHAPE, (0, 0)), "game", nd.SpecError)
    assert bytes(game) == before


@pytest.mark.parametrize("other", [(4, 3), (2, 6), (2, 4), (1, 4), (1, 1), (1, 12), (2, 2), (12,), (4,), (1,), (3,)])
def test_select_with_other_sizes(other):
    game = started(SHAPE, [(0, 0)], EXACT[3])
    before = bytes(game)
    refuses(lambda: select(game, other, (0,) * len(other)), "dim_sizes", nd.SpecError)
    assert bytes(game) == before


@given(plays(), st.data())
def test_any_other_sizes_are_noticed(play, data):
    shape, sizes, mines, _ = play
    other = tuple(data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=sizes[1])))
    longest = max(len(shape), len(other))
    if np.prod(other) > np.prod(shape) or 3 ** len(other) - 1 > sizes[0]:
        return
    if other + (1,) * (longest - len(other)) == shape + (1,) * (longest - len(shape)):
        return
    game = started(shape, mines, sizes)
    refuses(lambda: select(game, other, (0,) * len(other)), "dim_sizes", nd.SpecError)


def test_select_with_a_wrong_dim():
    game = started(SHAPE, [])
    for dim in (1, 3, 0, None, 2.0):
        refuses(partial(nd.select_cell, game, dim, SHAPE, (0, 0)), "dim(_sizes)?", nd.SpecError)


def test_select_after_the_loss():
    game = started(SHAPE, [(0, 0), (1, 1)])
    assert select(game, SHAPE, (2, 3)) == 0
    assert select(game, SHAPE, (1, 1)) == 1
    before = bytes(game)
    for move in [(1, 1), (0, 0), (2, 3), (0, 1)]:
        refuses(partial(select, game, SHAPE, move), "game", nd.SweepError)
    assert bytes(game) == before
    refuses(lambda: select(game, SHAPE, (3, 0)), "coords|game", nd.SweepError)


# The rest -------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", [12, -1, 0.0, None, (0, 0), 2**70], ids=repr)
def test_neighbours_of_no_cell(index):
    refuses(lambda: cstruct.neighbours(started(SHAPE, []), index), "index", nd.CellError)


@pytest.mark.parametrize("make", [zeroed, dirty])
def test_what_is_not_initialised(make):
    refuses(lambda: cstruct.to_game(make(), SHAPE), "game", nd.SpecError)
    refuses(lambda: cstruct.to_game(make()), r"(game|dim_sizes)", nd.SpecError)
    refuses(lambda: cstruct.relink(make()), "game", nd.SpecError)
    refuses(lambda: cstruct.neighbours(make(), 0), "game", nd.SpecError)


def test_a_game_that_is_not_dealt():
    refuses(lambda: cstruct.from_game(nd.Game.new(nd.BEGINNER)), "game", nd.SpecError)


@pytest.mark.parametrize("game", [None, nd.BEGINNER, nd.Board.from_coords((2, 2), [])], ids=repr)
def test_what_is_no_game(game):
    refuses(lambda: cstruct.from_game(game), "game", nd.SpecError)


def test_to_game_with_other_sizes():
    refuses(lambda: cstruct.to_game(started(SHAPE, []), (4, 3)), "dim_sizes", nd.SpecError)
    refuses(lambda: cstruct.to_game(started(SHAPE, []), (3, 5)), "dim_sizes|game", nd.SpecError)


@pytest.mark.parametrize("address", ["7", 1.5, -8], ids=repr)
def test_what_is_no_address(address):
    refuses(lambda: cstruct.game_at(address, SHAPE), "address", nd.SpecError)


def test_refused_moves_change_nothing_in_between():
    game, judge = started(SHAPE, [(0, 0)]), started(SHAPE, [(0, 0)])
    for bad in COORDS:
        refuses(partial(select, game, SHAPE, bad), "coords")
    assert select(game, SHAPE, (2, 3)) == select(judge, SHAPE, (2, 3)) == 0
    assert game["selected"].tolist() == judge["selected"].tolist()
