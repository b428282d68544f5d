"""The oracle of mine probabilities, against all layouts one by one, published values and another program."""

import json
from fractions import Fraction
from itertools import product
from math import comb, prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from needed import missing
from positions import as_codes, as_dict, comb_view, stuck_view, views
from reference import FLAG, HIDDEN, MINE, cells_of
from reference_exact import brute_force, components, counted, known_mines, numbers_of, proved, unknown_cells
from strategies import shapes

FACTS = json.loads((Path(__file__).parent / "data" / "probability_positions.json").read_text(encoding="utf-8"))


def the_same(view, total=None, trust_flags=False):
    """Both answers, once they agree."""
    codes = as_dict(view)
    slow, fast = brute_force(view.shape, codes, total, trust_flags), counted(view.shape, codes, total, trust_flags)
    assert fast == slow
    return fast


# Against all layouts ------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(1,), (6,), (1, 5), (2, 3), (3, 1, 2), (1, 2, 1, 2)])
def test_every_view_of_a_tiny_grid(shape):
    """Each cell is a mine, safe or open: every view of a game, with its number of mines and with all others."""
    seen = set()
    for states in product("mso", repeat=prod(shape)):
        states = np.array(states).reshape(shape)
        view = as_codes(states == "m", states == "o")
        if view.tobytes() not in seen:
            seen.add(view.tobytes())
            for total in (None, *range(prod(shape) + 1)):
                the_same(view, total)
            assert the_same(view, int((states == "m").sum())).layouts > 0


@given(position=views(most_cells=14))
@settings(max_examples=150)
def test_views_of_games(position):
    view, mines = position
    assert the_same(view, int(mines.sum())).layouts > 0
    assert the_same(view).layouts > 0


@given(position=views(most_cells=20))
@settings(max_examples=15)
def test_views_of_games_with_up_to_twenty_cells(position):
    view, mines = position
    the_same(view, int(mines.sum()))


@given(position=views(most_cells=14, true_flags=True))
@settings(max_examples=60)
def test_views_with_flags_that_are_trusted(position):
    view, mines = position
    layouts, ways = the_same(view, int(mines.sum()), trust_flags=True)
    assert all(ways[cell] == layouts for cell, code in as_dict(view).items() if code == FLAG)


@given(data=st.data())
@settings(max_examples=150)
def test_views_of_no_game(data):
    """Any codes at all: most fit no layout."""
    shape = data.draw(shapes(12))
    code = st.sampled_from([HIDDEN] * 8 + [FLAG, MINE, 0, 1, 1, 1, 2, 2, 3])
    codes = data.draw(st.lists(code, min_size=prod(shape), max_size=prod(shape)))
    total = data.draw(st.none() | st.integers(0, prod(shape)))
    the_same(np.array(codes).reshape(shape), total, data.draw(st.booleans()))


@pytest.mark.parametrize("shape", [(18,), (4, 5), (2, 3, 3), (2, 2, 2, 2), (2, 1, 2, 2, 2), (1, 2, 2, 1, 2, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_random_views_up_to_six_dimensions(shape, seed):
    random = np.random.default_rng(seed)
    mines = random.random(shape) < 0.3
    view = as_codes(mines, ~mines & (random.random(shape) < 0.3))
    the_same(view, int(mines.sum()))


@given(position=views(most_cells=12), known_total=st.booleans())
@settings(max_examples=60)
def test_what_is_proved_is_what_all_layouts_share(position, known_total):
    view, mines = position
    total = int(mines.sum()) if known_total else None
    layouts, ways = brute_force(view.shape, as_dict(view), total)
    mined, safe = proved(view.shape, as_dict(view), total)
    assert mined == {cell for cell in ways if ways[cell] == layouts}
    assert safe == {cell for cell in ways if ways[cell] == 0}
    assert all(mines[cell] for cell in mined)
    assert not any(mines[cell] for cell in safe)


def test_nothing_is_proved_where_no_layout_fits():
    assert proved((3,), as_dict(np.array([1, -1, 1])), 2) == (set(), set())


# Positions from play ------------------------------------------------------------------------------

PLAYED = [
    ((40,), 8),
    ((9, 9), 10),
    ((16, 16), 40),
    ((16, 30), 99),
    ((5, 5, 5), 8),
    ((6, 6, 6), 15),
    ((3, 3, 3, 3), 4),
    ((4, 4, 4, 4), 10),
]


@pytest.mark.parametrize(("shape", "mines"), PLAYED)
@pytest.mark.parametrize("guesses", [0, 4])
def test_the_mines_add_up_in_games_that_are_stuck(shape, mines, guesses):
    for seed in range(3):
        view = as_dict(stuck_view(shape, mines, seed, guesses))
        layouts, ways = counted(shape, view, mines)
        assert layouts >= 1
        assert sum(ways.values()) == layouts * mines
        assert all(0 <= n <= layouts for n in ways.values())


@pytest.mark.parametrize(("shape", "mines"), [((12,), 3), ((4, 5), 4), ((2, 3, 3), 2), ((2, 2, 2, 2), 2)])
@pytest.mark.parametrize("guesses", [0, 2])
def test_small_games_that_are_stuck(shape, mines, guesses):
    for seed in range(4):
        assert the_same(stuck_view(shape, mines, seed, guesses), mines).layouts >= 1


@pytest.mark.parametrize("seed", range(3))
def test_the_comb_has_one_front_of_74_cells(seed):
    view = comb_view(seed)
    (part,) = components(numbers_of(view.shape, as_dict(view)))
    assert len(part) == 26
    assert len(set().union(*(number.around for number in part))) == 74
    layouts, ways = counted(view.shape, as_dict(view), 75)
    assert sum(ways.values()) == 75 * layouts > 0


# Closed forms -------------------------------------------------------------------------------------


def test_an_open_corner_on_a_large_grid():
    view = np.full((100, 100), HIDDEN)
    view[0, 0] = 1
    layouts, ways = counted(view.shape, as_dict(view), 2000)
    assert layouts == 3 * comb(9996, 1999)
    assert Fraction(ways[0, 1], layouts) == Fraction(1, 3)
    assert Fraction(ways[50, 50], layouts) == Fraction(1999, 9996)


def test_a_line_of_three_thousand_cells():
    view = np.full(3001, HIDDEN)
    view[1::2] = 1
    assert counted(view.shape, as_dict(view)).layouts == 2
    assert counted(view.shape, as_dict(view), 751).ways[0,] == 1
    assert counted(view.shape, as_dict(view), 749).layouts == 0


# Published values ---------------------------------------------------------------------------------


def view_of_fact(fact):
    rows = [[HIDDEN if code == "#" else int(code) for code in row] for row in fact["board"]]
    return np.array(rows)


def published(fact, cell):
    where = ",".join(map(str, cell))
    return Fraction(fact["prob"].get(where, fact["prob_rest"]))


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact["name"])
def test_published_values(fact):
    view = view_of_fact(fact)
    layouts, ways = counted(view.shape, as_dict(view), fact["mines"])
    assert layouts == int(fact["n_solutions"])
    assert {cell: Fraction(n, layouts) for cell, n in ways.items()} == {cell: published(fact, cell) for cell in ways}


# Another program ----------------------------------------------------------------------------------

MS_HIDDEN = 10  # its code of a hidden cell; hints are as here


def of_another_program():
    try:
        from ms_toollib import cal_probability_onboard
    except ImportError:
        missing('ms-toollib is needed: pip install "ndsweep[test]"')
    return cal_probability_onboard


def assert_another_program_agrees(view, total):
    """It knows no flags and no opened mines, and takes a total below 1 for a density."""
    found, (fewest, mines, most) = of_another_program()(np.where(view == HIDDEN, MS_HIDDEN, view).tolist(), total)
    layouts, ways = counted(view.shape, as_dict(view), total)
    expected = [ways.get(cell, 0) / layouts for cell in cells_of(view.shape)]
    np.testing.assert_allclose(np.ravel(found), expected, rtol=0, atol=1e-9)
    assert fewest <= mines == total <= most


@pytest.mark.parametrize(
    ("shape", "mines"), [((9, 9), 10), ((8, 12), 20), ((16, 16), 40), ((16, 30), 99), ((3, 30), 12)]
)
@pytest.mark.parametrize("guesses", [0, 2, 5])
def test_another_program_finds_the_same_in_games_that_are_stuck(shape, mines, guesses):
    for seed in range(4):
        assert_another_program_agrees(stuck_view(shape, mines, seed, guesses), mines)


@given(position=views(most_cells=60))
@settings(max_examples=100)
def test_another_program_finds_the_same_in_any_view(position):
    view, mines = position
    if view.ndim != 2:
        view, mines = view.reshape(1, -1), mines.reshape(1, -1)
        view = as_codes(mines, view >= 0)
    view = np.where(view < 0, HIDDEN, view)
    if mines.any() and (view == HIDDEN).any():
        assert_another_program_agrees(view, int(mines.sum()))


def test_what_is_unknown_and_what_is_known():
    view = as_dict(np.array([HIDDEN, FLAG, MINE, 2]))
    assert unknown_cells(view) == [(0,), (1,)]
    assert unknown_cells(view, trust_flags=True) == [(0,)]
    assert known_mines(view) == {(2,)}
    assert known_mines(view, trust_flags=True) == {(1,), (2,)}
