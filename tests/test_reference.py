"""The oracle itself, against boards that can be checked by eye."""

import pytest
from reference import LOST, MINE, PLAYING, WON, ReferenceGame, hints_of, neighbours, openings_of, pairs, satisfies
from reference import single_point as single_point_rules


@pytest.mark.parametrize(
    ("shape", "cell", "count"),
    [((5,), (0,), 1), ((5,), (2,), 2), ((3, 3), (0, 0), 3), ((3, 3), (1, 0), 5), ((3, 3), (1, 1), 8)]
    + [((3,) * n, (1,) * n, 3**n - 1) for n in (3, 4)]
    + [((1, 1, 1), (0, 0, 0), 0), ((1, 4, 1), (0, 1, 0), 2)],
)
def test_a_cell_has_up_to_three_to_the_n_less_one_neighbours(shape, cell, count):
    assert len(neighbours(shape, cell)) == len(set(neighbours(shape, cell))) == count


def test_hints_do_not_wrap_around():
    hints = hints_of((3, 4), {(0, 0)})
    assert list(hints.values()) == [0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0]


def test_openings_touch_diagonally():
    assert openings_of((1, 9), {(0, 4)}) == [{(0, 0), (0, 1), (0, 2)}, {(0, 6), (0, 7), (0, 8)}]
    diagonal = openings_of((4, 4), {(0, 3), (3, 0)})
    assert diagonal == [{(0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (2, 3), (3, 2), (3, 3)}]


def test_a_flag_cuts_the_flood():
    game = ReferenceGame((1, 7), set())
    assert game.flag((0, 3)) == 1
    assert game.reveal((0, 0)) == 3
    assert game.flag((0, 3)) == -1
    assert game.reveal((0, 3)) == 4
    assert game.status == WON


def test_a_flood_passes_open_zeros():
    game = ReferenceGame((1, 9), set())
    for cell in (2, 6):
        game.flag((0, cell))
    assert game.reveal((0, 4)) == 3
    game.flag((0, 2))
    assert game.reveal((0, 2)) == 3
    assert game.reveal((0, 8)) == 2
    assert (game.flag((0, 6)), game.reveal((0, 6)), game.status) == (-1, 1, WON)


def test_a_wrong_chord_opens_only_the_mines():
    game = ReferenceGame((3, 3), {(0, 0)})
    assert (game.reveal((1, 1)), game.flag((0, 1)), game.chord((1, 1))) == (1, 1, 1)
    assert game.status == LOST
    assert game.code((0, 0)) == MINE


def test_flags_do_not_win():
    game = ReferenceGame((1, 2), {(0, 1)}, flag_limit=1)
    assert (game.flag((0, 1)), game.flag((0, 0)), game.status) == (1, 0, PLAYING)


@pytest.mark.parametrize(("rule", "allowed"), [("any", 3), ("safe", 2), ("opening", 1)])
def test_first_click_rules(rule, allowed):
    layouts = [{(0, 0)}, {(0, 1)}, {(0, 2)}]
    assert sum(satisfies((1, 3), mines, (0, 0), rule) for mines in layouts) == allowed


def test_single_point_by_hand():
    view = {(0,): 1, (1,): -1, (2,): 1, (3,): -1}
    assert single_point_rules((4,), view) == ({(1,)}, {(3,)})


def test_pairs_by_hand():
    view = dict(zip([(r, c) for r in range(2) for c in range(3)], [1, 2, 1, -1, -1, -1], strict=True))
    assert pairs((2, 3), view) == ({(1, 0), (1, 2)}, set())


def test_pairs_prove_safe_cells_too():
    view = dict(zip([(r, c) for r in range(2) for c in range(4)], [1, 1, 1, -1, -1, -1, -1, -1], strict=True))
    mined, safe = pairs((2, 4), view)
    assert (mined, safe) == (set(), {(1, 2)})
