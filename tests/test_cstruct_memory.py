"""The forms in which a program hands its cells, sizes and mines over, and what is refused of them."""

import ctypes
from ctypes import POINTER, Structure, byref, c_char, c_double, c_float, c_int, c_void_p, pointer

import numpy as np
import pytest

import ndsweep as nd
from ndsweep import CellError, SpecError
from ndsweep.interop import cstruct

SHAPE = (3, 4)
MINES = [(0, 0), (2, 3)]


def struct(max_adjacent=8, max_dim=2, mined=c_int, adjacent=None):
    """A Structure as a program would declare it."""

    class Cell(Structure):
        pass

    Cell._fields_ = [
        ("mined", mined),
        ("selected", c_int),
        ("num_adjacent", c_int),
        ("adjacent", (adjacent or POINTER(Cell)) * max_adjacent),
        ("coords", c_int * max_dim),
        ("hint", c_int),
    ]
    return Cell


def ours():
    game = nd.new_game(SHAPE)
    nd.init_game(game, 2, SHAPE, len(MINES), MINES)
    nd.select_cell(game, 2, SHAPE, (0, 3))
    return game


@pytest.mark.parametrize("sizes", [(8, 2), (11, 3)], ids=["tight", "loose"])
@pytest.mark.parametrize("adjacent", [None, c_void_p], ids=["typed", "void"])
@pytest.mark.parametrize(
    "hand_over",
    [
        lambda cells: cells,
        pointer,
        byref,
        memoryview,
        lambda cells: memoryview(cells).cast("B"),
        lambda cells: ctypes.cast(cells, POINTER(cells._type_)),
        lambda cells: pointer(cells[0]),
        lambda cells: (cells._type_ * 4 * 3).from_buffer(cells),
    ],
    ids=["array", "pointer", "byref", "view", "bytes", "cast", "first", "table"],
)
def test_cells_that_ctypes_owns_are_used_in_place(hand_over, adjacent, sizes):
    cells = (struct(*sizes, adjacent=adjacent) * 12)()
    game = hand_over(cells)
    nd.init_game(game, c_int(2), (c_int * 2)(*SHAPE), c_int(len(MINES)), MINES)
    assert nd.select_cell(game, 2, SHAPE, (0, 3)) == 0
    expected = ours()
    for name in ("mined", "selected", "num_adjacent", "hint"):
        assert [getattr(cell, name) for cell in cells] == expected[name].tolist()
    if adjacent is None:
        first = cells[0]
        near = [ctypes.addressof(first.adjacent[k].contents) for k in range(first.num_adjacent)]
        assert near == [ctypes.addressof(cells[k]) for k in (1, 4, 5)]


def test_a_larger_buffer_holds_a_game_at_its_beginning():
    cells = nd.new_game((20,), max_adjacent=8, max_dim=2)
    nd.init_game(cells, 2, SHAPE, len(MINES), MINES)
    nd.select_cell(cells, 2, SHAPE, (0, 3))
    assert not cells[12:].view(np.uint8).any()
    np.testing.assert_array_equal(cstruct.to_game(cells, SHAPE).view, cstruct.to_game(ours()).view)
    with pytest.raises(SpecError, match=r"dim_sizes must be the sizes of a game in 20 cells\. Got \(3, 7\)"):
        cstruct.to_game(cells, (3, 7))


def test_a_masked_array_and_a_recarray_are_arrays():
    for kind in (np.ma.array, lambda cells: cells.view(np.recarray)):
        cells = nd.new_game(SHAPE)
        nd.init_game(kind(cells), 2, SHAPE, len(MINES), MINES)
        np.testing.assert_array_equal(cells["hint"], ours()["hint"])


def test_null_is_no_mines():
    game = nd.new_game(SHAPE)
    nd.init_game(game, 2, SHAPE, 0, None)
    assert not game["hint"].any()
    with pytest.raises(CellError, match="mined_cells must be as many cells as num_mines=1"):
        nd.init_game(game, 2, SHAPE, 1, None)


def test_an_address_may_be_of_numpy_or_void():
    game = ours()
    for address in (np.int64(game.ctypes.data), c_void_p(game.ctypes.data), game.ctypes.data):
        assert cstruct.game_at(address, SHAPE)["hint"].tolist() == game["hint"].tolist()


@pytest.mark.parametrize("address", [0, -8, None, True, 1.5, "0x10", c_void_p()])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(SpecError, match=r"address must be that of the first cell"):
        cstruct.game_at(address, SHAPE)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (lambda: (struct(mined=c_float) * 12)(), r"game must point to the C struct, field by field\. Got Cell"),
        (lambda: (struct(mined=c_double) * 12)(), r"game must point to the C struct"),
        (lambda: (c_int * 500)(), r"game without fields must have 1152 bytes.*Got 2000 bytes"),
        (lambda: c_void_p(ours().ctypes.data), r"game must be an array of cells.*game_at takes addresses"),
        (lambda: pointer(c_int(3)), r"game must point to the C struct, field by field\. Got c_int"),
        (lambda: byref(struct()()), r"game must hold 12 cells for these dim_sizes\. Got 1"),
        (lambda: 5, r"game must be an array of cells"),
        (lambda: memoryview(b"x" * 1152), r"game must be memory that can be written to"),
        (lambda: (c_char * 1153)(), r"Got 1153 bytes"),
        (lambda: np.zeros(1160, np.uint8)[4:1156], r"game must be aligned as C aligns.*Got address 0x"),
    ],
)
def test_memory_that_is_no_game_is_refused(game, message):
    with pytest.raises(SpecError, match=message):
        nd.init_game(game(), 2, SHAPE, len(MINES), MINES)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((1.5, 2), r"max_adjacent must be an integer between 1 and 2147483647\. Got 1\.5"),
        (("2", 2), r"max_adjacent must be .*Got '2'"),
        ((True, 2), r"max_adjacent must be .*Got True"),
        ((0, 2), r"max_adjacent must be .*Got 0"),
        ((2, -1), r"max_dim must be .*Got -1"),
        ((2**31 - 1, 2**31 - 1), r"max_adjacent and max_dim must fit a struct\. Got 2147483647 and 2147483647"),
    ],
)
def test_sizes_of_the_struct_are_refused_by_name(sizes, message):
    with pytest.raises(SpecError, match=message):
        nd.cell_dtype(*sizes)


def test_a_mine_beyond_63_bits_is_named_as_it_came():
    mines = np.array([[0, 2**63 + 1]], dtype=np.uint64)
    with pytest.raises(CellError, match=r"mined_cells must lie in 0\.\.2 x 0\.\.3\. Got \(0, 9223372036854775809\)"):
        nd.init_game(nd.new_game(SHAPE), 2, SHAPE, 1, mines)


def test_pointers_of_a_part_of_a_game_are_not_guessed():
    game = ours()
    for call in (lambda part: cstruct.neighbours(part, 0), cstruct.relink):
        with pytest.raises(SpecError, match=r"game must begin with its first cell\. Got the one at \(0, 3\)"):
            call(game[3:].copy())
    assert cstruct.neighbours(game[:9], 0).tolist() == [1, 4, 5]
