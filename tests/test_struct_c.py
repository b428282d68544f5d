"""The C proof itself: its game is that of the plain reference, its walk notices whatever is wrong."""

import ctypes

import pytest
from reference import PLAYING, ReferenceGame, cells_of, hints_of, neighbours
from struct_c import EXACT, INIT, LOOSE, SELECT, random_play

SHAPES = [
    (1,),
    (2,),
    (9,),
    (1, 1),
    (1, 6),
    (4, 5),
    (2, 1, 3),
    (3, 4, 3),
    (3, 2, 1, 4),
    (2, 2, 2, 2, 2),
    (3, 3, 1, 3, 2),
]
CASES = [(shape, share, sizes) for shape in SHAPES for share in (0, 0.15, 1) for sizes in (EXACT[len(shape)], LOOSE)]


@pytest.mark.parametrize(("shape", "share", "sizes"), CASES)
def test_init_is_that_of_the_reference(c_library, shape, share, sizes):
    c = c_library(*sizes)
    mines, _ = random_play(shape, share, seed=1)
    game = c.new_game(shape, mines)
    cells, hints = cells_of(shape), hints_of(shape, set(mines))
    for cell, found in zip(cells, game, strict=True):
        assert found.mined == (cell in mines)
        assert found.selected == 0
        assert found.hint == hints[cell]
        assert tuple(found.coords) == cell + (0,) * (c.max_dim - len(shape))
        around = [cells.index(other) for other in neighbours(shape, cell)]
        assert found.num_adjacent == len(around)
        places = [ctypes.addressof(game[i]) for i in around]
        assert [ctypes.addressof(p.contents) for p in found.adjacent if p] == places
    assert c.recount(game, shape) == 0


@pytest.mark.parametrize(("shape", "share", "sizes"), CASES)
def test_selects_are_those_of_the_reference(c_library, shape, share, sizes):
    c = c_library(*sizes)
    mines, moves = random_play(shape, share, seed=2)
    game, plain = c.new_game(shape, mines), ReferenceGame(shape, mines)
    for move in moves:
        assert c.select_cell(game, shape, move) == (move in mines)
        if plain.status != PLAYING:
            break
        plain.reveal(move)
        assert {cell for cell, found in zip(cells_of(shape), game, strict=True) if found.selected} == plain.opened


@pytest.mark.parametrize(("shape", "share", "sizes"), CASES)
def test_the_driver_agrees_with_its_own_functions(c_library, shape, share, sizes):
    c = c_library(*sizes)
    mines, moves = random_play(shape, share, seed=3)
    assert c.drive(c.c.init_game, c.c.select_cell, shape, mines, moves) == 0


def test_the_driver_names_the_call_that_went_wrong(c_library):
    c = c_library(*EXACT[2])
    shape, mines, moves = (4, 5), [(0, 0)], [(0, 1), (3, 4), (2, 2)]
    calls = []

    @SELECT
    def forgetful(game, dim, sizes, coords):
        calls.append(1)
        return 0 if len(calls) == 2 else c.c.select_cell(game, dim, sizes, coords)

    @SELECT
    def lying(game, dim, sizes, coords):
        return c.c.select_cell(game, dim, sizes, coords) or 1

    @INIT
    def beyond(game, dim, sizes, num_mines, mined):
        c.c.init_game(game, dim, sizes, num_mines, mined)
        ctypes.memset(game + 20 * ctypes.sizeof(c.Cell), 0, 1)

    @INIT
    def idle(game, dim, sizes, num_mines, mined):
        pass

    assert c.drive(c.c.init_game, forgetful, shape, mines, moves) == 3
    assert c.drive(c.c.init_game, lying, shape, mines, moves) == 2
    assert c.drive(beyond, c.c.select_cell, shape, mines, moves) == -2
    assert c.drive(idle, c.c.select_cell, shape, mines, moves) == 1


def spoil_hint(game):
    game[5].hint += 1


def spoil_mine(game):
    game[5].mined ^= 1


def spoil_count(game):
    game[5].num_adjacent -= 1


def spoil_coords(game):
    game[5].coords[1] += 1


def spoil_null(game):
    game[5].adjacent[2] = None


def spoil_twice(game):
    game[5].adjacent[2] = game[5].adjacent[1]


def spoil_order(game):
    around = game[5].adjacent
    first, second = (ctypes.addressof(around[i].contents) for i in (0, 1))
    around[0], around[1] = (ctypes.pointer(type(game[5]).from_address(a)) for a in (second, first))


def spoil_far(game):
    game[5].adjacent[0] = ctypes.pointer(game[19])


def spoil_place(game):
    elsewhere = type(game).from_buffer_copy(game)
    game[5].adjacent[0] = ctypes.pointer(elsewhere[0])
    game.kept = elsewhere


def spoil_unused(game):
    game[0].adjacent[7] = ctypes.pointer(game[1])


SPOILS = [spoil_hint, spoil_mine, spoil_count, spoil_coords, spoil_null, spoil_twice, spoil_order, spoil_far]


@pytest.mark.parametrize("spoil", [*SPOILS, spoil_place, spoil_unused])
def test_the_walk_notices_what_is_wrong(c_library, spoil):
    c, shape = c_library(*EXACT[2]), (4, 5)
    game = c.new_game(shape, [(1, 1), (2, 3)])
    assert c.recount(game, shape) == 0
    spoil(game)
    assert c.recount(game, shape) > 0
    assert c.differences(game, c.new_game(shape, [(1, 1), (2, 3)]), shape) > 0


def test_the_walk_notices_memory_that_was_never_initialised(c_library):
    c = c_library(*EXACT[3])
    address = c.c.new_garbage(24)
    assert c.recount(address, (2, 3, 4)) > 0
    c.c.free_garbage(address)
    assert c.recount((c.Cell * 24)(), (2, 3, 4)) > 0
