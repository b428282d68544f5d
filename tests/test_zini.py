"""ZiNi: the number that a slow player of the definition counts, in any dimension and any scan order."""

import json
from itertools import product
from math import factorial, prod
from pathlib import Path

import numpy as np
import pytest
import reference_zini
from hypothesis import given, settings
from hypothesis import strategies as st
from needed import missing
from reference import ReferenceGame, cells_of, neighbours, openings_of
from strategies import layouts, shapes

import ndsweep as nd
from ndsweep.engine import premiums
from ndsweep.engine.premiums import least_zini_of, zini_memory, zini_of

FACTS = json.loads((Path(__file__).parent / "data" / "zini.json").read_text(encoding="utf-8"))
TINY = [(9,), (1, 8), (3, 3), (2, 5), (2, 2, 2), (3, 1, 3), (2, 2, 1, 2)]


def cells_with_mines(mines):
    return {tuple(int(x) for x in cell) for cell in np.argwhere(mines)}


def expected(mines):
    return reference_zini.zini(mines.shape, cells_with_mines(mines))


def expected_least(mines):
    return min(reference_zini.zinis(mines.shape, cells_with_mines(mines)))


def bbbv(mines):
    return reference_zini.bbbv(mines.shape, cells_with_mines(mines))


def first_premiums(mines):
    """The premiums before the first step, of safe cells; below zero is below zero."""
    greedy = premiums._Greedy(mines.reshape(1, *mines.shape))
    return np.maximum(greedy.stack.cells(greedy.premiums)[0][~mines], -1).tolist()


def expected_premiums(mines):
    game = ReferenceGame(mines.shape, cells_with_mines(mines))
    parts = reference_zini.bbbv_parts(game.shape, game.mines)
    safe = [cell for cell in cells_of(game.shape) if cell not in game.mines]
    return [max(reference_zini.premium(game, parts, cell), -1) for cell in safe]


def board_of(text):
    return nd.Board(np.array([[cell == "*" for cell in row] for row in text.split()]))


def every_layout(shape):
    return np.array(list(product([False, True], repeat=prod(shape)))).reshape(-1, *shape)


@st.composite
def stacks(draw, most_cells=40):
    """Some layouts of one shape, of different shares of mines."""
    shape = draw(shapes(most_cells))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shares = draw(st.lists(st.floats(0, 1), min_size=1, max_size=5))
    return np.stack([rng.random(shape) < share for share in shares])


# By hand ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "clicks", "why"),
    [
        (".", 1, "one click opens all"),
        ("*", 0, "there is nothing to open"),
        ("*.*", 1, "a left click: the flags would cost two"),
        ("*.. ... ...", 1, "one opening and its border"),
        ("*. ..", 3, "one of three numbers is opened, flagged and chorded: no dearer, and the premium is 0"),
        ("... .*. ...", 5, "of 8 numbers 5 in three clicks, 2 by a chord beside the flag, 1 by another chord"),
        ("*.. .*. ...", 4, "of 7 numbers the last of the second row opens 5 in three clicks, a chord the others"),
        ("*..* .... *..*", 5, "of 8 numbers 7 in four clicks, two of them flags, and a left click"),
        ("*.. ... ..*", 2, "two openings, with all numbers on their borders"),
        ("..*.. ..*.. .....", 3, "two openings, and a number between their borders"),
    ],
)
def test_tiny_boards_by_hand(text, clicks, why):
    assert nd.zini(board_of(text)) == clicks, why


def test_the_scan_decides_between_equal_premiums():
    board = board_of("*..*. .....")
    assert nd.zini(board) == nd.zini(board, orders="c") == 6
    assert nd.zini(board, orders="all") == 5


def test_a_flag_that_serves_twice_is_paid_once():
    mines = np.zeros((3, 3, 3), dtype=bool)
    mines[1, 1, 1] = True  # 26 numbers; the middle of a face opens 17 of them
    assert nd.zini(nd.Board(mines)) == expected(mines) < bbbv(mines) == 26


# The slow player ----------------------------------------------------------------------------------


@settings(deadline=None, max_examples=150)
@given(stacks())
def test_many_boards_at_once_are_the_slow_player_on_each(mines):
    assert zini_of(mines).tolist() == [expected(one) for one in mines]


@settings(deadline=None, max_examples=60)
@given(layouts(most_cells=60, most_share=0.5))
def test_the_door_is_the_slow_player(mines):
    assert nd.zini(nd.Board(mines)) == expected(mines)


@settings(deadline=None, max_examples=25)
@given(layouts(most_cells=18, most_share=0.6))
def test_the_least_is_that_of_every_scan_by_the_slow_player(mines):
    assert nd.zini(nd.Board(mines), orders="all") == expected_least(mines)


@pytest.mark.parametrize("shape", TINY, ids=str)
def test_every_layout_of_a_tiny_grid(shape):
    mines = every_layout(shape)
    assert zini_of(mines).tolist() == [expected(one) for one in mines]


@pytest.mark.parametrize("shape", [(5,), (2, 4), (3, 1, 2), (1, 2, 1, 3)], ids=str)
def test_every_layout_of_a_tiny_grid_in_every_order(shape):
    mines = every_layout(shape)
    assert least_zini_of(mines).tolist() == [expected_least(one) for one in mines]


@pytest.mark.parametrize(("shape", "share"), [((12, 20), 0.15), ((6, 7, 6), 0.05), ((4, 4, 4, 4), 0.04)], ids=str)
def test_middling_boards_are_the_slow_player(shape, share):
    mines = np.random.default_rng(3).random((6, *shape)) < share
    assert zini_of(mines).tolist() == [expected(one) for one in mines]


@pytest.mark.parametrize(("shape", "share", "seed"), [((4, 4, 4), 0.13, 2), ((6, 6, 6), 0.08, 31)], ids=str)
def test_a_number_on_the_border_of_three_openings(shape, share, seed):
    mines = np.random.default_rng(seed).random(shape) < share
    openings = openings_of(shape, cells_with_mines(mines))
    beside = [sum(bool(zeros & set(neighbours(shape, cell))) for zeros in openings) for cell in cells_of(shape)]
    assert {2, 3} <= set(beside)
    assert first_premiums(mines) == expected_premiums(mines)
    assert nd.zini(nd.Board(mines)) == expected(mines)


@given(layouts())
def test_the_first_premiums_are_those_of_the_slow_player(mines):
    assert first_premiums(mines) == expected_premiums(mines)


@pytest.mark.parametrize(("shape", "share"), [((8, 10), 0.2), ((3, 4, 3), 0.15)], ids=str)
def test_middling_boards_in_every_order(shape, share):
    mines = np.random.default_rng(4).random((4, *shape)) < share
    assert least_zini_of(mines).tolist() == [expected_least(one) for one in mines]


def test_the_best_scan_may_run_through_the_axes_in_another_order():
    board = board_of(".*..* .*... ..*..")
    mirrored = [np.flip(board.mines, axes) for axes in ((), 0, 1, (0, 1))]
    assert nd.zini(board, orders="all") < zini_of(np.stack(mirrored)).min()


def test_there_are_n_factorial_times_two_to_the_n_orders():
    for ndim in range(1, 4):
        orders = list(reference_zini.orders_of((2,) * ndim))
        assert len({tuple(order) for order in orders}) == len(orders) == factorial(ndim) * 2**ndim


# What always holds --------------------------------------------------------------------------------


@given(stacks(most_cells=96))
def test_zini_is_at_most_the_3bv_and_the_least_at_most_any(mines):
    any_order, least = zini_of(mines), least_zini_of(mines)
    assert (least <= any_order).all()
    assert (any_order <= [bbbv(one) for one in mines]).all()
    assert ((least > 0) == (~mines).reshape(len(mines), -1).any(axis=1)).all()


@given(stacks(), st.data())
def test_the_least_is_the_same_in_a_mirror_and_on_its_side(mines, data):
    axes = data.draw(st.permutations(range(1, mines.ndim)))
    mirrored = np.flip(mines.transpose(0, *axes), data.draw(st.sets(st.sampled_from(axes)).map(tuple)))
    assert least_zini_of(mirrored).tolist() == least_zini_of(mines).tolist()


@given(layouts(most_cells=24, most_share=0.5), st.data())
def test_a_turned_board_in_a_turned_scan_takes_as_many_clicks(mines, data):
    axes = data.draw(st.permutations(range(mines.ndim)))
    scan = sorted(cells_of(mines.shape), key=lambda cell: [cell[axis] for axis in axes])
    clicks = reference_zini.zini(mines.shape, cells_with_mines(mines), scan)
    assert nd.zini(nd.Board(mines.transpose(axes))) == clicks


@given(layouts(most_cells=24), st.integers(0, 3), st.sampled_from(["c", "all"]))
def test_an_axis_of_size_one_changes_nothing(mines, axis, orders):
    further = np.expand_dims(mines, min(axis, mines.ndim))
    assert nd.zini(nd.Board(further), orders) == nd.zini(nd.Board(mines), orders)


@given(st.integers(0, 2**30), st.floats(0, 1))
def test_on_a_line_flags_never_pay(seed, share):
    mines = np.random.default_rng(seed).random(300) < share
    assert nd.zini(nd.Board(mines)) == bbbv(mines)


# How many at once ---------------------------------------------------------------------------------


@settings(max_examples=40)
@given(stacks(most_cells=24))
def test_blocks_do_not_matter(mines):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(premiums, "_CELLS", 1)
        in_turn = zini_of(mines).tolist(), least_zini_of(mines).tolist()
    assert in_turn == (zini_of(mines).tolist(), least_zini_of(mines).tolist())


@pytest.mark.parametrize("limit", ["_LONG", "_SHORT"])
@given(mines=stacks(most_cells=96))
def test_long_rows_and_many_openings_are_no_different(limit, mines):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(premiums, limit, 1)
        differently = zini_of(mines).tolist()
    assert differently == zini_of(mines).tolist()


def test_the_mines_are_left_as_they_were_and_no_games_are_none():
    mines = np.random.default_rng(1).random((3, 5, 6)) < 0.2
    before = mines.copy()
    zini_of(mines)
    least_zini_of(mines)
    assert (mines == before).all()
    assert zini_of(mines[:0]).shape == least_zini_of(mines[:0]).shape == (0,)


def test_a_board_in_a_file_and_one_in_memory_are_the_same(tmp_path):
    board = nd.Board.deal(nd.INTERMEDIATE, seed=2)
    board.save(tmp_path / "mines.npy")
    assert nd.zini(nd.Board.open(tmp_path / "mines.npy")) == nd.zini(board)


# Another program ----------------------------------------------------------------------------------


@pytest.mark.parametrize("fact", FACTS["boards"], ids=lambda fact: fact["board"][:40])
def test_another_program_that_scans_by_columns_finds_the_same(fact):
    mines = board_of(" ".join(fact["mines"])).mines
    found = zini_of(mines[None])[0], zini_of(mines.T[None])[0]
    assert found == (fact["cal_zini_of_transposed"], fact["cal_zini"])


def test_it_still_finds_the_same():
    try:
        from ms_toollib import cal_zini
    except ImportError:
        missing('ms-toollib is needed: pip install "ndsweep[test]"')
    rng = np.random.default_rng(8)
    for shape, share in product([(9, 9), (5, 14), (16, 30)], [0.1, 0.2, 0.3]):
        mines = rng.random((20, *shape)) < share
        boards = [np.where(one, -1, nd.Board(one).hints.astype(int)).tolist() for one in mines]
        by_columns = zini_of(mines.transpose(0, 2, 1)).tolist()
        assert by_columns == [cal_zini(board) for board in boards]


# Errors -------------------------------------------------------------------------------------------


def test_what_is_no_board_is_refused():
    with pytest.raises(nd.SpecError, match=r"^board must be a Board\. Got list\.$"):
        nd.zini([[True, False]])


@pytest.mark.parametrize("orders", ["first", "C", None, 8, ["c"], np.array(["c", "all"])])
def test_unknown_orders_are_refused(orders):
    with pytest.raises(nd.SpecError, match=r"^orders must be 'c' or 'all'\. Got "):
        nd.zini(nd.Board.deal(nd.BEGINNER), orders)


def test_what_does_not_fit_in_memory_is_refused(monkeypatch):
    board = nd.Board.deal(nd.Spec((600, 600), 1000))
    monkeypatch.setattr("ndsweep.checks.available_memory", lambda: zini_memory(board.shape) - 1)
    with pytest.raises(nd.TooLargeError, match=r"^the ZiNi of a grid of shape \(600, 600\) would need "):
        nd.zini(board)


def test_many_axes_are_refused_and_not_tried():
    with pytest.raises(nd.TooLargeError, match="the ZiNi of a grid of shape"):
        nd.zini(nd.Board(np.zeros((2,) * 18, dtype=bool)))
