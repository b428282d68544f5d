"""The struct-compatible games beside C: the layout of the compiler, the pointers, every move in 1-D to 5-D."""

import ctypes
import re
import subprocess
import sys
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reference import cells_of, hints_of, neighbours
from struct_c import EXACT, INIT, LOOSE, SELECT, compile_c, ints, layout_of, random_play, rows, structure
from struct_games import plays, select, started

import ndsweep as nd
from ndsweep.interop import cstruct

FIELDS = ("mined", "selected", "num_adjacent", "adjacent", "coords", "hint")

# As few pointers as a grid can do with: sides of 1 and 2 leave fewer neighbours than 3**ndim - 1.
TIGHT = [((1,), 1, 1), ((2,), 1, 1), ((2, 2), 3, 2), ((2, 2, 2), 7, 3), ((1, 2, 1, 2), 3, 4), ((1, 9, 1), 2, 3)]


# Layout ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("max_dim", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("max_adjacent", [1, 2, 7, 8, 26, 80, 242])
def test_the_layout_is_that_of_the_compiler(tmp_path, max_adjacent, max_dim):
    in_c = layout_of(tmp_path, max_adjacent, max_dim)
    dtype = nd.cell_dtype(max_adjacent, max_dim)
    assert isinstance(dtype, np.dtype)
    assert dtype.names == FIELDS
    assert {name: dtype.fields[name][1] for name in FIELDS} == {name: in_c[name] for name in FIELDS}
    assert (dtype.itemsize, dtype.alignment) == (in_c["size"], in_c["align"])
    assert dtype["mined"] == dtype["selected"] == dtype["num_adjacent"] == dtype["hint"] == np.dtype(np.intc)
    assert dtype["adjacent"].subdtype == (np.dtype(np.uintp), (max_adjacent,))
    assert dtype["coords"].subdtype == (np.dtype(np.intc), (max_dim,))
    assert (np.dtype(np.intc).itemsize, np.dtype(np.uintp).itemsize) == (in_c["int"], in_c["pointer"])
    assert ctypes.sizeof(structure(max_adjacent, max_dim)) == in_c["size"]


@pytest.mark.parametrize("ndim", range(1, 6))
def test_a_new_game_holds_zeros_only(ndim):
    shape = (2, 3, 1, 2, 2)[:ndim]
    game = nd.new_game(shape)
    assert game.shape == (prod(shape),)
    assert game.dtype == nd.cell_dtype(3**ndim - 1, ndim)
    assert not game.view(np.uint8).any()
    assert nd.new_game(shape, 300).dtype == nd.cell_dtype(300, ndim)
    assert nd.new_game(shape, max_dim=9).dtype == nd.cell_dtype(3**ndim - 1, 9)
    assert nd.new_game(np.array(shape), max_adjacent=300, max_dim=9).dtype == nd.cell_dtype(300, 9)


def test_the_four_names_are_those_of_the_module():
    for name in ("cell_dtype", "new_game", "init_game", "select_cell"):
        assert getattr(nd, name) is getattr(cstruct, name)
        assert name in nd.__all__


# Games of Python, judged by C -----------------------------------------------------------------


@given(plays())
@example(((1,), (2, 1), [], [(0,)] * 2))
@example(((1, 1, 1), (26, 3), [(0, 0, 0)], [(0, 0, 0)]))
def test_c_recounts_a_game_that_python_initialised(c_library, play):
    shape, sizes, mines, _ = play
    c = c_library(*sizes)
    game = started(shape, mines, sizes)
    assert c.recount(game, shape) == 0
    assert c.differences(game, c.new_game(shape, mines), shape) == 0


@given(plays())
def test_the_fields_are_those_of_the_reference(play):
    shape, sizes, mines, _ = play
    game = started(shape, mines, sizes)
    cells, hints = cells_of(shape), hints_of(shape, set(mines))
    assert game["mined"].tolist() == [cell in mines for cell in cells]
    assert game["hint"].tolist() == [hints[cell] for cell in cells]
    assert [tuple(row) for row in game["coords"][:, : len(shape)].tolist()] == list(cells)
    assert not game["coords"][:, len(shape) :].any()
    assert not game["selected"].any()
    for index, cell in enumerate(cells):
        around = [cells.index(other) for other in neighbours(shape, cell)]
        assert game["num_adjacent"][index] == len(around)
        places = [game.ctypes.data + i * game.itemsize for i in around]
        assert game["adjacent"][index].tolist() == places + [0] * (sizes[0] - len(around))


@given(plays())
def test_every_select_is_that_of_c(c_library, play):
    shape, sizes, mines, moves = play
    c = c_library(*sizes)
    game, in_c = started(shape, mines, sizes), c.new_game(shape, mines)
    for move in moves:
        answer = select(game, shape, move)
        assert answer == c.select_cell(in_c, shape, move) == (move in mines)
        assert c.differences(game, in_c, shape) == 0
        if answer:
            break


@given(plays())
def test_c_drives_the_callbacks_in_its_own_memory(c_library, play):
    shape, sizes, mines, moves = play
    init, select_ = cstruct.callbacks(*sizes)
    assert c_library(*sizes).drive(init, select_, shape, mines, moves) == 0


@given(plays())
def test_each_side_goes_on_with_the_games_of_the_other(c_library, play):
    shape, sizes, mines, moves = play
    c = c_library(*sizes)
    by_c, by_python, judge = c.new_game(shape, mines), started(shape, mines, sizes), c.new_game(shape, mines)
    for turn, move in enumerate(moves):
        answer = c.select_cell(judge, shape, move)
        if turn % 3:
            assert select(by_c, shape, move) == c.select_cell(by_python, shape, move) == answer
        else:
            assert c.select_cell(by_c, shape, move) == select(by_python, shape, move) == answer
        assert c.differences(by_c, judge, shape) == c.differences(by_python, judge, shape) == 0
        if answer:
            break


@pytest.mark.parametrize(("shape", "max_adjacent", "max_dim"), TIGHT)
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_as_few_pointers_as_the_grid_needs(c_library, shape, max_adjacent, max_dim, share):
    c, (mines, moves) = c_library(max_adjacent, max_dim), random_play(shape, share, seed=4)
    game = started(shape, mines, (max_adjacent, max_dim))
    assert c.recount(game, shape) == 0
    init, select_ = cstruct.callbacks(max_adjacent, max_dim)
    assert c.drive(init, select_, shape, mines, moves) == 0


@pytest.mark.parametrize(
    ("shape", "share"),
    [((2000,), 0.1), ((40, 50), 0.12), ((12, 12, 12), 0.05), ((6, 5, 6, 7), 0.02), ((4, 4, 4, 4, 4), 0.01)],
)
def test_larger_games_to_their_last_safe_cell(c_library, shape, share):
    """Every safe cell in random order, then a mine: C has no winning, so it still answers 1."""
    c = c_library(*EXACT[len(shape)])
    mines, _ = random_play(shape, share, seed=5)
    game, in_c = started(shape, mines), c.new_game(shape, mines)
    assert c.recount(game, shape) == 0
    safe = sorted(set(cells_of(shape)) - set(mines), key=lambda cell: hash((7, *cell)))
    for turn, move in enumerate(safe[:300] + safe[-1:]):
        assert select(game, shape, move) == c.select_cell(in_c, shape, move) == 0
        assert turn % 50 or c.differences(game, in_c, shape) == 0
    for move in safe:
        c.select_cell(in_c, shape, move)
    for move in np.argwhere((game["selected"] == 0).reshape(shape) & (game["mined"] == 0).reshape(shape)).tolist():
        assert select(game, shape, move) == 0
    assert c.differences(game, in_c, shape) == 0
    assert game["selected"].sum() == prod(shape) - len(mines)
    assert select(game, shape, mines[0]) == c.select_cell(in_c, shape, mines[0]) == 1
    assert c.differences(game, in_c, shape) == 0


def serpentine(rows, columns):
    """Walls of mines that leave one opening, which winds from the first row to the last."""
    starts = {row: 3 * (turn % 2) for turn, row in enumerate(range(3, rows - 3, 4))}
    return [(row, start + x) for row, start in starts.items() for x in range(columns - 3)]


FORMS = {
    "serpentine": ((83, 61), serpentine(83, 61)),
    "serpentine across": ((61, 83), [(x, y) for y, x in serpentine(83, 61)]),
    "a line": ((1, 5000), [(0, 4000)]),
    "a column": ((5000, 1, 1), [(4000, 0, 0)]),
    "two planes": ((2, 70, 70), [(0, x, 35) for x in range(70)]),
    "2-D, many": ((150, 200), 0.08),
    "3-D, many": ((25, 25, 25), 0.03),
    "4-D, many": ((10, 9, 10, 9), 0.015),
    "5-D, many": ((6, 5, 6, 5, 4), 0.004),
}


@pytest.mark.parametrize(("shape", "mines"), FORMS.values(), ids=FORMS)
def test_floods_of_every_form(c_library, shape, mines):
    """Openings that wind, touch the border or each other; single numbers before, the rest after."""
    c = c_library(*EXACT[len(shape)])
    found, moves = random_play(shape, mines if isinstance(mines, float) else 0, seed=8, moves=40)
    mines = found or mines
    game, in_c = started(shape, mines), c.new_game(shape, mines)
    assert c.differences(game, in_c, shape) == 0
    hints = game["hint"].reshape(shape)
    for move in sorted(set(moves) - set(mines), key=lambda cell: -hints[cell]):
        assert select(game, shape, move) == c.select_cell(in_c, shape, move) == 0
        assert c.differences(game, in_c, shape) == 0


@pytest.mark.parametrize("ndim", range(1, 6))
def test_without_mines_one_select_opens_all(c_library, ndim):
    shape = (3, 2, 4, 1, 3)[:ndim]
    game = started(shape, [])
    assert select(game, shape, (0,) * ndim) == 0
    assert game["selected"].all()
    before = game.tobytes()
    assert select(game, shape, (1,) + (0,) * (ndim - 1)) == 0  # selected before: nothing happens
    assert game.tobytes() == before
    assert c_library(*EXACT[ndim]).recount(game, shape) == 0


@pytest.mark.parametrize("ndim", range(1, 6))
def test_with_mines_everywhere_every_select_loses(c_library, ndim):
    shape = (3, 2, 4, 1, 3)[:ndim]
    for cell in cells_of(shape)[::5]:
        game = started(shape, cells_of(shape)[::-1])
        assert c_library(*EXACT[ndim]).recount(game, shape) == 0
        assert select(game, shape, cell) == 1
        assert game["selected"].sum() == game["selected"].reshape(shape)[cell] == 1


def test_a_mine_without_mined_neighbours_does_not_flood():
    game = started((5, 5), [(2, 2)])
    assert game["hint"].reshape(5, 5)[2, 2] == 0
    assert select(game, (5, 5), (2, 2)) == 1
    assert np.flatnonzero(game["selected"]).tolist() == [12]


# Callbacks ------------------------------------------------------------------------------------


def as_c_calls_them(max_adjacent, max_dim):
    """The two callbacks by their addresses alone, with signatures of our own."""
    kept = cstruct.callbacks(max_adjacent, max_dim)
    return kept, *(make(ctypes.cast(f, ctypes.c_void_p).value) for make, f in zip((INIT, SELECT), kept, strict=True))


def test_a_callback_tells_c_that_python_refuses(c_library):
    c, shape = c_library(*EXACT[2]), (3, 4)
    kept, init, select_ = as_c_calls_them(*EXACT[2])
    address = c.c.new_garbage(12)
    where = address, 2, ints(shape)
    assert select_(*where, ints((0, 0))) == -1  # not initialised
    init(*where, 1, rows([(0, 0)]))
    for coords in ((3, 0), (0, 4), (-1, 0), (2**31 - 1, -(2**31))):
        assert select_(*where, ints(coords)) == -1
    assert select_(address, 2, ints((4, 3)), ints((0, 0))) == -1
    assert select_(*where, ints((0, 1))) == 0
    assert select_(*where, ints((0, 0))) == 1
    assert select_(*where, ints((1, 1))) == -1  # after the loss
    in_c = c.new_game(shape, [(0, 0)])
    for move in ((0, 1), (0, 0)):
        c.select_cell(in_c, shape, move)
    assert c.differences(address, in_c, shape) == 0
    c.c.free_garbage(address)
    del kept


def test_a_callback_leaves_what_it_refuses(c_library):
    c = c_library(*EXACT[2])
    kept, init, select_ = as_c_calls_them(*EXACT[2])
    address = c.c.new_garbage(12)
    sizes, origin = ints((3, 4)), ints((0, 0, 0))
    init(address, 2, sizes, 1, rows([(3, 0)]))
    init(address, 2, sizes, 2, rows([(1, 1), (1, 1)]))
    init(address, 2, sizes, 13, rows([(0, 0)] * 13))
    init(address, 3, ints((2, 2, 3)), 0, rows([]))
    init(address, 2, ints((-3, 4)), 0, rows([]))
    init(None, 2, sizes, 0, rows([]))
    assert ctypes.string_at(address, 12 * ctypes.sizeof(c.Cell)) == b"\xa5" * 12 * ctypes.sizeof(c.Cell)
    init(address, 2, sizes, 0, None)
    assert c.recount(address, (3, 4)) == 0
    assert select_(address, 3, ints((2, 2, 3)), origin) == select_(address, 0, sizes, origin) == -1
    assert (
        select_(None, 2, sizes, origin) == select_(address, 2, None, origin) == select_(address, 2, sizes, None) == -1
    )
    assert select_(address, 2, sizes, origin) == 0
    c.c.free_garbage(address)
    del kept


@settings(max_examples=20)
@given(st.data())
def test_games_of_both_owners_side_by_side(c_library, data):
    """Four games at once, in memory of C and of NumPy, moves in any order: none disturbs another."""
    c = c_library(*LOOSE)
    games = []
    for number, shape in enumerate([(7,), (5, 6), (3, 4, 3), (5, 6)]):
        mines, moves = random_play(shape, 0.1, seed=number + 6)
        game = (c.Cell * prod(shape))() if number % 2 else nd.new_game(shape, *LOOSE)
        nd.init_game(game, len(shape), shape, len(mines), mines)
        games.append((game, c.new_game(shape, mines), shape, set(mines), iter(moves)))
    for game, in_c, shape, mines, moves in data.draw(st.lists(st.sampled_from(games), max_size=40)):
        move = next(moves, None)
        if move is None or move in mines:
            continue
        assert select(game, shape, move) == c.select_cell(in_c, shape, move)
        assert all(c.differences(a, b, shape) == 0 for a, b, shape, *_ in games)


# The page ----------------------------------------------------------------------------------------


def test_the_program_of_the_page_does_what_it_says(tmp_path):
    page = (Path(__file__).parent.parent / "docs" / "cstruct.md").read_text(encoding="utf-8")
    program, script, shown = re.search(
        r"in its memory:\n\n```c\n(.*?)```.*?```python\n(import ctypes.*?)```\n\n```\n(.*?)```", page, re.DOTALL
    ).groups()
    (tmp_path / "program.c").write_text(program)
    compile_c(tmp_path / "program.c", tmp_path / "program.so", 8, 2, "-shared", "-fPIC")
    ran = subprocess.run([sys.executable, "-P", "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr, ran.stdout) == (0, "", shown)
