"""Mine probabilities: what the oracles count, in any dimension, alone and in batches, with no overflow."""

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from itertools import product
from math import comb, prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import as_codes, as_dict, comb_view, stuck_view, views
from reference import FLAG, HIDDEN, MINE
from reference_exact import Component, brute_force, components, counted, known_mines, numbers_of, unknown_cells
from strategies import shapes

import ndsweep as nd

FACTS = json.loads((Path(__file__).parent / "data" / "probability_positions.json").read_text(encoding="utf-8"))
CLOSE = 1e-12


def as_objects(ways, shape):
    """The ways of each hidden cell as an array, 0 on open cells."""
    array = np.zeros(shape, dtype=object)
    for cell, n in ways.items():
        array[cell] = n
    return array


def assert_is(found, view, total, layouts, ways, trust_flags=False):
    """An exact answer has these counts, and all that holds in every position holds in it."""
    hidden = (view == HIDDEN) | (view == FLAG)
    assert found.exact is True
    assert type(found.layouts) is int
    assert found.layouts == layouts
    assert found.ways.dtype == object
    assert found.ways.shape == found.p.shape == found.stderr.shape == view.shape
    assert found.ways.tolist() == ways.tolist()
    assert {type(n) for n in found.ways.ravel()} == {int}
    assert found.p.dtype == found.stderr.dtype == np.float64
    for array in (found.p, found.stderr):
        np.testing.assert_array_equal(np.isnan(array), ~hidden)
    assert (found.stderr[hidden] == 0).all()
    p, n = found.p[hidden], found.ways[hidden]
    assert ((p >= 0) & (p <= 1)).all()
    assert ((p == 0) == (n == 0)).all()
    assert (p[n == layouts] == 1).all()
    assert (found.p[view == FLAG] == 1).all() or not trust_flags
    np.testing.assert_allclose(p, [k / layouts for k in n], rtol=0, atol=CLOSE)
    placed = int(total - np.count_nonzero(view == MINE))
    assert found.ways.sum() == layouts * placed
    np.testing.assert_allclose(p.sum(), placed, rtol=1e-10, atol=1e-10)


def assert_right(found, view, total, trust_flags=False):
    """An answer is what the oracle counts."""
    layouts, ways = counted(view.shape, as_dict(view), total, trust_flags)
    assert_is(found, view, total, layouts, as_objects(ways, view.shape), trust_flags)


def solved(view, total, trust_flags=False):
    """The answer for one view, once it is right."""
    found = nd.mine_probability(view, total, trust_flags)
    assert_right(found, view, total, trust_flags)
    return found


def one_of(batch, game):
    """The parts of one game of a batch that must be exactly those of the same view alone."""
    return batch.layouts[game], batch.ways[game].tolist(), bool(batch.exact[game])


def assert_batch_is(batch, alone):
    """A batch holds the same as its views one by one."""
    assert batch.exact.shape == batch.layouts.shape == (len(alone),)
    assert batch.exact.dtype == bool
    assert batch.layouts.dtype == batch.ways.dtype == object
    for game, one in enumerate(alone):
        assert type(batch.layouts[game]) is int
        assert one_of(batch, game) == (one.layouts, one.ways.tolist(), one.exact)
        np.testing.assert_allclose(batch.p[game], one.p, rtol=0, atol=CLOSE)
        np.testing.assert_array_equal(batch.stderr[game], one.stderr)


# Against the oracles ------------------------------------------------------------------------------


def every_view(shape):
    """The views of all games of a grid, each cell a mine, safe or open, with their mines; each once."""
    found = {}
    for states in product(("mine", "safe", "open"), repeat=prod(shape)):
        states = np.array(states).reshape(shape)
        view, total = as_codes(states == "mine", states == "open"), int((states == "mine").sum())
        found[view.tobytes(), total] = view
    return np.array(list(found.values())), np.array([total for _, total in found])


@pytest.mark.parametrize("shape", [(1,), (5,), (1, 5), (2, 3), (3, 1, 2), (1, 2, 1, 2)])
def test_every_view_of_a_tiny_grid_in_one_batch(shape):
    tiny, totals = every_view(shape)
    batch = nd.mine_probability(tiny, totals)
    assert batch.exact.all()
    for game, (view, total) in enumerate(zip(tiny, totals.tolist(), strict=True)):
        layouts, ways = brute_force(shape, as_dict(view), total)
        assert batch.layouts[game] == layouts
        assert batch.ways[game].tolist() == as_objects(ways, shape).tolist()


@given(position=views(most_cells=40))
@settings(max_examples=150)
def test_any_view_of_a_game(position):
    view, mines = position
    solved(view, int(mines.sum()))


@given(data=st.data())
@settings(max_examples=30)
def test_the_total_need_not_be_that_of_the_game(data):
    """Every total that some layout has; the others are refused by name."""
    view, _ = data.draw(views(most_cells=20))
    for total in range(view.size + 1):
        if counted(view.shape, as_dict(view), total).layouts:
            solved(view, total)
        else:
            with pytest.raises(nd.SpecError) as caught:
                nd.mine_probability(view, total)
            assert names_the_total(str(caught.value), total)


PLAYED = [
    ((40,), 8),
    ((9, 9), 10),
    ((16, 16), 40),
    ((16, 30), 99),
    ((3, 30), 12),
    ((5, 5, 5), 8),
    ((6, 6, 6), 15),
    ((3, 3, 3, 3), 4),
    ((4, 4, 4, 4), 10),
    ((2, 3, 2, 3, 2), 6),
]


@pytest.mark.parametrize(("shape", "mines"), PLAYED)
def test_games_that_are_stuck(shape, mines):
    stuck = [stuck_view(shape, mines, seed, guesses) for seed in range(2) for guesses in (0, 2, 5)]
    alone = [solved(view, mines) for view in stuck]
    assert_batch_is(nd.mine_probability(np.array(stuck), mines, batch=True), alone)


def view_of_fact(fact):
    return np.array([[HIDDEN if code == "#" else int(code) for code in row] for row in fact["board"]])


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact["name"])
def test_published_values(fact):
    view = view_of_fact(fact)
    found = solved(view, fact["mines"])
    assert found.layouts == int(fact["n_solutions"])
    for cell in unknown_cells(as_dict(view)):
        expected = Fraction(fact["prob"].get(",".join(map(str, cell)), fact["prob_rest"]))
        assert Fraction(found.ways[cell], found.layouts) == expected
        assert abs(found.p[cell] - float(expected)) <= 1e-15


@pytest.mark.parametrize("seed", range(4))
def test_the_comb_is_solved_exactly(seed):
    view = comb_view(seed)
    (part,) = components(numbers_of(view.shape, as_dict(view)))
    assert len(set().union(*(number.around for number in part))) == 74
    solved(view, 75)


@pytest.mark.parametrize("shape", [(3, 120), (3, 1, 120), (120, 3)])
def test_a_long_open_row_between_two_hidden_ones(shape):
    mines = np.random.default_rng(3).random(shape) < 0.4
    opened = np.zeros(shape, dtype=bool)
    opened[(slice(None), 1) if shape[0] == 120 else (1,)] = True
    mines &= ~opened
    solved(as_codes(mines, opened), int(mines.sum()))


@pytest.mark.parametrize(
    ("shape", "mines", "opened"),
    [
        ((3, 3, 3, 3), 60, [(1, 1, 1, 1)]),
        ((3, 3, 3, 3), 60, [(1, 1, 1, 1), (0, 1, 1, 1), (0, 0, 0, 0)]),
        ((3, 3, 3, 3), 40, [(1, 1, 1, 1), (1, 1, 1, 0)]),
        ((3, 3, 3, 3, 3), 150, [(1, 1, 1, 1, 1), (0, 1, 1, 1, 1)]),
        ((2,) * 7, 100, [(0,) * 7]),
    ],
)
def test_numbers_far_above_eight(shape, mines, opened):
    layout, where = np.zeros(prod(shape), dtype=bool), np.zeros(shape, dtype=bool)
    where[tuple(np.transpose(opened))] = True
    layout[np.random.default_rng(1).permutation(np.flatnonzero(~where))[:mines]] = True
    view = as_codes(layout.reshape(shape), where)
    assert view.max() > 31
    solved(view, mines)


@pytest.mark.parametrize("guesses", [3, 6, 8])
def test_few_states_are_enough_for_wide_numbers_too(guesses):
    """A game in four dimensions: some 130 numbers tie 75 cells together, and the oracle meets 350 states."""
    view = stuck_view((4, 4, 4, 4), 13, seed=0, guesses=guesses)
    solved(view, 13)


# Estimates ----------------------------------------------------------------------------------------


def estimated(view, total, budget, seed):
    """An estimate that has the form of one, or None where it is refused."""
    try:
        found = nd.mine_probability(view, total, budget=budget, seed=seed)
    except nd.TooLargeError:
        return None
    assert found.exact is False
    assert found.layouts is None
    assert found.ways is None
    hidden = view < 0
    for array in (found.p, found.stderr):
        assert array.dtype == np.float64
        np.testing.assert_array_equal(np.isnan(array), ~hidden)
    assert ((found.p[hidden] >= 0) & (found.p[hidden] <= 1) & (found.stderr[hidden] >= 0)).all()
    np.testing.assert_allclose(found.p[hidden].sum(), total, rtol=1e-9)
    return found


def wide_view(seed=2):
    """Every other cell of every other row open: too many states for a budget of 10,000."""
    opened = np.zeros((12, 21), dtype=bool)
    opened[:8:2, ::2] = True
    mines = np.zeros(opened.size, dtype=bool)
    mines[np.random.default_rng(seed).permutation(np.flatnonzero(~opened))[:60]] = True
    return as_codes(mines.reshape(opened.shape), opened), 60


def test_beyond_the_budget_it_is_an_estimate_the_same_for_the_same_seed():
    view, total = wide_view()
    once, again = (estimated(view, total, 10_000, seed=1) for _ in range(2))
    assert once is not None
    assert once.p.tobytes() == again.p.tobytes()
    assert once.stderr.tobytes() == again.stderr.tobytes()


@pytest.mark.parametrize("budget", [1, 3000, 10_000])
def test_an_estimate_is_about_as_good_as_it_says(budget):
    """It may be refused; it may not be sure of what is wrong, nor take a cell for safe that is not."""
    view, total = wide_view()
    exact = nd.mine_probability(view, total)
    assert_right(exact, view, total)
    unsure = (exact.p > 0) & (exact.p < 1)
    for found in (estimated(view, total, budget, seed) for seed in range(4)):
        if found is not None:
            errors = (found.p - exact.p)[unsure]
            assert (found.stderr[unsure] > 0).all()
            assert ((found.p > 0) & (found.p < 1))[unsure].all()
            assert np.sqrt(np.mean((errors / found.stderr[unsure]) ** 2)) < 4
            assert found.p[exact.p == 0].max(initial=0) < 1e-300


def test_one_estimate_in_a_batch_leaves_the_others_exact():
    wide, total = wide_view()
    batch = nd.mine_probability(np.array([np.full(wide.shape, HIDDEN), wide]), total, batch=True, budget=10_000)
    assert batch.exact.tolist() == [True, False]
    assert batch.layouts.tolist() == [comb(wide.size, total), None]
    assert set(batch.ways[1].ravel().tolist()) == {None}
    assert_right(nd.mine_probability(wide, total), wide, total)


# Closed forms -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "mines"), [(100, 2000), (100, 9000), (1000, 20_000)])
def test_an_open_corner_of_a_large_grid(side, mines):
    view, rest = np.full((side, side), HIDDEN), side * side - 4
    view[0, 0] = 1
    found = nd.mine_probability(view, mines)
    assert found.layouts == 3 * comb(rest, mines - 1)
    assert found.ways[0, 1] * 3 == found.layouts
    corner = np.zeros(view.shape, dtype=bool)
    corner[:2, :2] = True
    p_corner, p_rest = float(Fraction(1, 3)), float(Fraction(mines - 1, rest))
    assert np.nanmax(np.abs(found.p[corner] - p_corner)) <= 1e-15
    assert np.abs(found.p[~corner] - p_rest).max() <= 1e-15
    assert np.isnan(found.p).sum() == 1
    assert (found.ways[~corner] == found.ways[50, 50]).all()
    assert found.ways[50, 50] == 3 * comb(rest - 1, mines - 2)


def chain(cells, free):
    """Hidden cells in line with a 1 between each two, then free cells: one of every two hidden cells has a mine."""
    view = np.full(2 * cells - 1 + free, HIDDEN)
    view[1 : 2 * cells - 2 : 2] = 1
    return view


@pytest.mark.parametrize(
    ("shape", "cells", "mines"),
    [((3000,), 1500, 750), ((1, 3000), 1500, 751), ((3000, 1), 1499, 751), ((1, 3000, 1, 1), 1451, 770)],
)
def test_a_line_of_three_thousand_cells(shape, cells, mines):
    free = 3000 - (2 * cells - 1)
    view = chain(cells, free).reshape(shape)
    first, other = comb(free, mines - (cells + 1) // 2), comb(free, mines - cells // 2)
    found = nd.mine_probability(view, mines)
    assert found.layouts == first + other
    ways = found.ways.ravel()
    assert set(ways[0 : 2 * cells - 1 : 4].tolist()) == {first}
    assert set(ways[2 : 2 * cells - 1 : 4].tolist()) == {other}
    assert sum(ways.tolist()) == mines * found.layouts
    assert abs(found.p.ravel()[0] - first / found.layouts) <= CLOSE


def test_five_hundred_components_that_share_the_mines():
    """Each of them holds one mine, or two: by Vandermonde's identity the layouts are one binomial."""
    parts, free, mines = 500, 500, 900
    view = np.append(np.tile([-1, 1, -1, 1, -1], parts), np.full(free, HIDDEN))
    found = nd.mine_probability(view, mines)
    layouts, one_mine = comb(parts + free, mines - parts), comb(parts + free - 1, mines - parts)
    assert found.layouts == layouts
    assert (
        found.ways[: 5 * parts].reshape(parts, 5).tolist()
        == [[layouts - one_mine, 0, one_mine, 0, layouts - one_mine]] * parts
    )
    expected = float(Fraction(one_mine, layouts))
    assert np.abs(found.p[2 : 5 * parts : 5] - expected).max() <= CLOSE


def unlikely(stages):
    """A view of two kinds of layouts: one layout with a mine in the first cell, and 2 to the power of the stages.

    A stage is x + a = 1, a + b + c = 2, b + c + y = 2 and y + z = 1, where z is the x of the next.
    Without a mine in x it is b or c that has one.  Opened mines are the walls that part the numbers.
    """
    start = 7 * np.arange(stages)[:, None]
    mines, number, unknown = np.ones((2, 7 * stages), dtype=bool), *np.zeros((2, 2, 7 * stages), dtype=bool)
    number[1, start + np.array([1, 3, 4, 6])] = True
    number[1, -1] = False  # after the last stage nothing follows
    unknown[0, start + np.array([0, 2, 3, 4, 5])] = True
    mines[0, start + np.array([2, 5])] = mines[number] = False
    return np.where(unknown, HIDDEN, np.where(number, as_codes(mines, number), MINE)), int(mines.sum())


def test_what_is_not_impossible_never_has_probability_zero():
    """A cell is safe only if it is a mine in no layout; here it is one in less than any float above 0."""
    stages = 1100
    view, mines = unlikely(stages)
    found = nd.mine_probability(view, mines)
    assert found.layouts == 1 + 2**stages
    assert found.ways[0, :6].tolist() == [1, 0, 2**stages, 1 + 2 ** (stages - 1), 1 + 2 ** (stages - 1), 2**stages]
    assert 0 < found.p[0, 0] < 1e-300
    assert 1 - 1e-15 < found.p[0, 2] < 1
    assert abs(found.p[0, 3] - 0.5) <= CLOSE
    assert solved(*unlikely(5)).layouts == 33


# Flags and opened mines ---------------------------------------------------------------------------


@given(position=views(most_cells=30))
@settings(max_examples=60)
def test_flags_are_marks_and_change_nothing(position):
    view, mines = position
    bare, total = np.where(view == FLAG, HIDDEN, view), int(mines.sum())
    with_flags, without = nd.mine_probability(view, total), nd.mine_probability(bare, total)
    assert with_flags.p.tobytes() == without.p.tobytes()
    assert with_flags.ways.tolist() == without.ways.tolist()
    assert with_flags.layouts == without.layouts


@given(position=views(most_cells=40, true_flags=True))
@settings(max_examples=100)
def test_trusted_flags_are_mines(position):
    view, mines = position
    found = solved(view, int(mines.sum()), trust_flags=True)
    assert (found.p[view == FLAG] == 1).all()
    assert (found.ways[view == FLAG] == found.layouts).all()


def test_a_wrong_flag_is_a_contradiction_only_where_it_is_trusted():
    view = np.array([FLAG, 1, FLAG, HIDDEN])
    assert nd.mine_probability(view, 1).p.tolist()[::2] == [0.5, 0.5]
    with pytest.raises(nd.SpecError, match=r"1 at \(1,\)"):
        nd.mine_probability(view, 2, trust_flags=True)
    with pytest.raises(nd.SpecError, match=r"mines .*\b1\b"):
        nd.mine_probability(np.array([FLAG, FLAG, HIDDEN]), 1, trust_flags=True)


@pytest.mark.parametrize("shape", [(5,), (1, 5), (5, 1, 1), (1, 1, 5, 1)])
def test_an_opened_mine_is_known_and_open(shape):
    view = np.array([MINE, 2, HIDDEN, HIDDEN, HIDDEN]).reshape(shape)
    found = solved(view, 3)
    np.testing.assert_array_equal(found.p.ravel(), [np.nan, np.nan, 1, 0.5, 0.5])
    assert found.ways.ravel().tolist() == [0, 0, 2, 1, 1]


# Batches ------------------------------------------------------------------------------------------


@st.composite
def batches(draw, most_cells=25, most_games=6):
    """Views of several games of one grid, each with a number of mines of its own."""
    first, mines = draw(views(most_cells))
    games = draw(st.integers(1, most_games))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    stack, totals = [first], [int(mines.sum())]
    for _ in range(games - 1):
        layout = random.random(first.shape) < random.uniform(0, 0.5)
        stack.append(as_codes(layout, ~layout & (random.random(first.shape) < random.uniform(0, 1))))
        totals.append(int(layout.sum()))
    return np.array(stack), np.array(totals)


@given(batch=batches(), trust=st.booleans(), data=st.data())
@settings(max_examples=40)
def test_a_batch_is_its_views_one_by_one_in_any_order_and_company(batch, trust, data):
    stack, totals = batch
    trust = trust and bool(counted(stack.shape[1:], as_dict(stack[0]), totals[0], True).layouts)
    alone = [nd.mine_probability(view, int(total), trust) for view, total in zip(stack, totals, strict=True)]
    assert_right(alone[0], stack[0], int(totals[0]), trust)
    order = data.draw(st.lists(st.integers(0, len(stack) - 1), min_size=1, max_size=8))
    again = nd.mine_probability(stack[order], totals[order], trust)
    assert_batch_is(again, [alone[game] for game in order])
    assert_batch_is(nd.mine_probability(stack, totals, trust, batch=True), alone)


def test_one_number_of_mines_does_for_a_batch_that_says_so():
    stack = np.array([[[-1, -1], [-1, 2]], [[-1, -1], [-1, -1]]])
    alone = [nd.mine_probability(view, 2) for view in stack]
    assert_batch_is(nd.mine_probability(stack, 2, batch=True), alone)
    solved(stack, 2)  # without the word it is one view of three axes


def test_a_batch_of_one_is_a_batch_still():
    batch = nd.mine_probability(np.array([[1, -1, -1]]), np.array([1]))
    assert batch.p.shape == (1, 3)
    assert batch.layouts.tolist() == batch.exact.tolist() == [1]
    assert batch.ways.tolist() == [[0, 1, 0]]


def test_a_batch_of_no_games():
    batch = nd.mine_probability(np.zeros((0, 2, 3), dtype=int), np.zeros(0, dtype=int))
    assert batch.p.shape == batch.ways.shape == batch.stderr.shape == (0, 2, 3)
    assert batch.layouts.shape == batch.exact.shape == (0,)


def test_many_positions_at_once():
    """More than fit one block, each as the oracle has it."""
    stuck = [stuck_view((9, 9), 10, seed, guesses=2) for seed in range(20)]
    expected = [counted((9, 9), as_dict(view), 10) for view in stuck]
    batch = nd.mine_probability(np.array(stuck * 75), 10, batch=True)
    for start in range(0, 1500, 20):
        assert batch.layouts[start : start + 20].tolist() == [layouts for layouts, _ in expected]
    for game in (*range(20), *range(1480, 1500)):
        assert batch.ways[game].tolist() == as_objects(expected[game % 20].ways, (9, 9)).tolist()
        np.testing.assert_allclose(batch.p[game], batch.p[game % 20], rtol=0, atol=CLOSE)


# The smallest and the emptiest --------------------------------------------------------------------


@pytest.mark.parametrize("ndim", range(1, 7))
@pytest.mark.parametrize(
    ("code", "mines", "p"), [(HIDDEN, 0, 0.0), (HIDDEN, 1, 1.0), (0, 0, np.nan), (MINE, 1, np.nan)]
)
def test_a_grid_of_one_cell(ndim, code, mines, p):
    found = solved(np.full((1,) * ndim, code), mines)
    np.testing.assert_array_equal(found.p.ravel(), [p])
    assert found.layouts == 1


@pytest.mark.parametrize("shape", [(6,), (2, 3), (1, 3, 2), (3, 1, 2, 1)])
@pytest.mark.parametrize("code", [HIDDEN, FLAG])
def test_without_a_number_all_cells_are_alike(shape, code):
    for mines in range(7):
        found = solved(np.full(shape, code), mines)
        assert found.layouts == comb(6, mines)
        np.testing.assert_allclose(found.p, mines / 6, rtol=0, atol=1e-15)


@pytest.mark.parametrize("shape", [(9,), (3, 3), (2, 2, 3), (2, 2, 1, 3)])
def test_without_a_hidden_cell_there_is_one_layout(shape):
    found = solved(np.zeros(shape, dtype=int), 0)
    assert found.layouts == 1
    assert np.isnan(found.p).all()
    mines = np.random.default_rng(2).random(shape) < 0.4
    solved(np.where(mines, MINE, as_codes(mines, ~mines)), int(mines.sum()))


@pytest.mark.parametrize("shape", [(9,), (3, 3), (2, 2, 3), (2, 2, 1, 3)])
def test_all_mines_and_all_mines_but_one(shape):
    assert (solved(np.full(shape, HIDDEN), prod(shape)).p == 1).all()
    mines = np.ones(shape, dtype=bool)
    mines.flat[0] = False
    assert np.nanmin(solved(as_codes(mines, ~mines), prod(shape) - 1).p) == 1


# The same again -----------------------------------------------------------------------------------


def test_a_hundred_runs_are_identical():
    view = stuck_view((16, 16), 40, seed=3, guesses=5)
    runs = [nd.mine_probability(view, 40) for _ in range(100)]
    assert len({(one.p.tobytes(), one.layouts, str(one.ways.tolist())) for one in runs}) == 1


IN_ANOTHER_PROCESS = """
import hashlib, sys
import numpy as np, ndsweep as nd
view = np.array(eval(sys.stdin.read()))
one = nd.mine_probability(view, 75)
print(hashlib.sha256(one.p.tobytes() + str((one.layouts, one.ways.tolist())).encode()).hexdigest())
"""


def test_no_order_of_hashes_matters():
    view = str(comb_view().tolist())
    digests = {
        subprocess.run(
            [sys.executable, "-c", IN_ANOTHER_PROCESS],
            input=view,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, ">i4"])
def test_any_integers_and_any_memory_layout_will_do(dtype):
    view = stuck_view((6, 7), 8, seed=1, guesses=2)
    expected = nd.mine_probability(view.astype(np.int64), 8)
    for same in (view.astype(dtype), np.asfortranarray(view.astype(dtype)), view.astype(dtype)[::-1, ::-1][::-1, ::-1]):
        same.flags.writeable = False
        assert nd.mine_probability(same, np.int64(8)).p.tobytes() == expected.p.tobytes()
    assert nd.mine_probability(view.tolist(), 8).ways.tolist() == expected.ways.tolist()


def test_the_view_is_left_as_it_was():
    view = np.array([[MINE, 2, FLAG], [HIDDEN, HIDDEN, HIDDEN]])
    before = view.copy()
    nd.mine_probability(view, 2)
    nd.mine_probability(view, 2, trust_flags=True)
    assert (view == before).all()


def test_an_answer_cannot_be_changed():
    found = nd.mine_probability(np.array([1, -1, -1]), 1)
    with pytest.raises(AttributeError):
        found.layouts = 2


# Views that fit no layout -------------------------------------------------------------------------


def named_numbers(message, view):
    """The cells of a view that a message names together with the number they show."""
    named = re.findall(r"(\d+) at \((\d+(?:, \d+)*),?\)", message)
    cells = [(int(number), tuple(int(x) for x in cell.split(", "))) for number, cell in named]
    return {cell for number, cell in cells if len(cell) == view.ndim and view[cell] == number}


def impossible_numbers(view, trust_flags=False):
    """The numbers of the components that no layout fits, whatever the total."""
    parts = components(numbers_of(view.shape, as_dict(view), trust_flags))
    return {number.cell for part in parts if not Component(part).ways_by_mines for number in part}


def names_the_total(message, total):
    return bool(re.search(rf"\bwith {total} mines\b|\bmines .*\b{total}\b", message))


def assert_says_what_is_wrong(message, view, total, trust_flags=False):
    """It names the total only where the numbers can hold, or more or less mines are known than can be."""
    wrong = impossible_numbers(view, trust_flags)
    known, unknown = len(known_mines(as_dict(view), trust_flags)), len(unknown_cells(as_dict(view), trust_flags))
    if not named_numbers(message, view) & wrong:
        assert names_the_total(message, total)
        assert not wrong or not known <= total <= known + unknown


JOINTLY = [
    ([2, -1, -1], 1),
    ([-1, 0, 2, -1], 1),
    ([1, -1, 2, -1, 0], 1),
    ([1, -1, 1, -1, 1], 2),
    ([[1, 2], [-1, -1]], 1),
    ([[-1, -1, 1], [-1, 2, -1], [-1, 3, -1]], 3),
    ([[-1, 1, -1, -1], [-1, -1, 2, 1], [0, 0, -1, -1]], 2),
    ([[2, -1, -1, 1], [-1, 3, -1, -1], [-1, 3, -1, -1]], 5),
    ([[-1, 2, -1, -1], [2, 3, -1, 3], [-1, -1, -1, -1], [-1, 3, -1, 1]], 6),
    ([[[-1, 6, -1], [4, -1, -1]], [[-1, 7, -1], [-1, -1, -1]]], 7),
    ([[[2, 3, -1], [-1, -1, -1]], [[-1, 3, -1], [2, 4, -1]]], 3),
    ([[[[-1, 9], [-1, -1]], [[8, -1], [-1, -1]]], [[[-1, 9], [9, -1]], [[-1, -1], [-1, -1]]]], 9),
    ([[[[4, 4], [-1, 4]], [[-1, -1], [-1, 4]]], [[[-1, -1], [-1, 3]], [[4, -1], [4, -1]]]], 4),
    ([1, *chain(50, 0), 1], 25),
    ([1, *chain(100, 0), 1], 50),
]


@pytest.mark.parametrize(("view", "total"), JOINTLY)
def test_numbers_that_cannot_hold_together_are_named(view, total):
    view = np.array(view)
    with pytest.raises(nd.SpecError) as caught:
        nd.mine_probability(view, total)
    assert named_numbers(str(caught.value), view) & impossible_numbers(view)


@pytest.mark.parametrize("shape_of", [lambda n: (1, n), lambda n: (n, 1, 1), lambda n: (1, 1, n, 1)])
def test_they_are_named_in_any_dimension(shape_of):
    view = np.array([1, *chain(6, 0), 1])
    test_numbers_that_cannot_hold_together_are_named(view.reshape(shape_of(view.size)), 3)


def fork():
    """One unknown cell, and three others of which all are mines or none, as it is none or is one: 1 mine, or 3."""
    view = np.full((3, 5), MINE)
    view[0] = [HIDDEN, 3, HIDDEN, 3, HIDDEN]
    view[1, 2], view[2, 2] = 5, HIDDEN
    return view


@pytest.mark.parametrize(
    ("view", "totals"),
    [
        ([-1, 1, -1], [0, 2, 3]),
        ([1, -1, -1, -1], [0, 4]),
        ([[1, -1], [-1, -1]], [0, 2, 3]),
        ([[[-1, 3], [-1, -1]]], [0, 1, 2]),
        ([[[[0, -1, -1]]]], [2]),
        ([-1, 1, -1, -1, 1, -1, -1], [0, 1, 4]),
        ([MINE, 2, -1, -1], [0, 1, 4]),
        (np.array([0, 0, 0]), [1, 3]),
        (np.array([MINE, MINE]), [0, 1]),
        (fork(), [7, 8, 10, 12, 15]),
    ],
)
def test_totals_that_cannot_be_are_named(view, totals):
    """Also where the totals of the layouts leave a gap."""
    view = np.array(view)
    for total in totals:
        with pytest.raises(nd.SpecError) as caught:
            nd.mine_probability(view, total)
        assert_says_what_is_wrong(str(caught.value), view, total)


def test_the_fork_takes_one_mine_or_three():
    view = fork()
    assert [solved(view, total).layouts for total in (9, 11)] == [1, 1]


@given(data=st.data())
@settings(max_examples=200)
def test_a_view_is_refused_exactly_if_no_layout_fits_it(data):
    """Any codes at all, with flags trusted or not."""
    shape = data.draw(shapes(16))
    code = st.sampled_from([HIDDEN] * 10 + [FLAG, MINE, 0, 1, 1, 1, 2, 2, 3][: 6 if len(shape) == 1 else None])
    view = np.array(data.draw(st.lists(code, min_size=prod(shape), max_size=prod(shape)))).reshape(shape)
    total, trust = data.draw(st.integers(0, view.size)), data.draw(st.booleans())
    refused_exactly_if_no_layout_fits(view, total, trust)


@given(position=views(most_cells=40), data=st.data())
@settings(max_examples=100)
def test_one_number_changed_is_refused_exactly_if_no_layout_fits(position, data):
    view, mines = position
    numbers = np.argwhere(view >= 0)
    if len(numbers):
        cell = tuple(numbers[data.draw(st.integers(0, len(numbers) - 1))])
        view[cell] = min(max(view[cell] + data.draw(st.sampled_from([-1, 1])), 0), 3**view.ndim - 1)
        refused_exactly_if_no_layout_fits(view, int(mines.sum()), trust_flags=False)


def refused_exactly_if_no_layout_fits(view, total, trust_flags):
    if counted(view.shape, as_dict(view), total, trust_flags).layouts:
        solved(view, total, trust_flags)
        return
    with pytest.raises(nd.SpecError) as caught:
        nd.mine_probability(view, total, trust_flags)
    assert_says_what_is_wrong(str(caught.value), view, total, trust_flags)


@pytest.mark.parametrize(("view", "total"), [one for one in JOINTLY if np.size(one[0]) < 100])
def test_in_a_batch_the_game_is_named_too(view, total):
    view = np.array(view)
    fine = np.full(view.shape, HIDDEN)
    for game in range(3):
        stack = np.array([fine] * game + [view] + [fine] * (2 - game))
        with pytest.raises(nd.SpecError, match=rf"\bgame {game}\b") as caught:
            nd.mine_probability(stack, np.array([total] * 3))
        assert named_numbers(str(caught.value), view) & impossible_numbers(view)


@pytest.mark.parametrize(("view", "total"), [([-1, 1, -1], 2), ([1, -1, -1, -1], 4), (fork(), 10)])
def test_in_a_batch_the_game_of_a_wrong_total_is_named(view, total):
    stack = np.array([np.full_like(view, HIDDEN), view, view])
    with pytest.raises(nd.SpecError, match=r"\bgame 1\b") as caught:
        nd.mine_probability(stack, np.array([1, total, total]))
    assert names_the_total(str(caught.value), total)


# Arguments ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "message"),
    [
        ([[0.5, -1]], r"^view must be an array of integers\. Got float64"),
        ([[True, False]], r"^view must be an array of integers\. Got bool"),
        ([["1", "#"]], r"^view must be an array of integers"),
        ([[1], [1, -1]], r"^view must form an array"),
        ([[9, -1]], r"^view must hold codes between -3 and 8\. Got 9 at \(0, 0\)"),
        ([-1, -4], r"^view must hold codes between -3 and 2\. Got -4 at \(1,\)"),
        (np.full((2, 2, 2), 27), r"^view must hold codes between -3 and 26\. Got 27"),
        (np.array([2**63 + 1], dtype=np.uint64), r"Got 9223372036854775809 at \(0,\)"),
        (3, "axis"),
        (np.zeros((0, 3), dtype=int), "1 or more"),
    ],
)
def test_what_is_no_view_is_refused(view, message):
    with pytest.raises(nd.SpecError, match=message):
        nd.mine_probability(view, 1)


@pytest.mark.parametrize("mines", [-1, 5, 2**70, -(2**70), 1.5, "1", None])
def test_what_is_no_number_of_mines_is_refused(mines):
    with pytest.raises(nd.SpecError, match=r"^mines must be "):
        nd.mine_probability(np.full((2, 2), HIDDEN), mines)


@pytest.mark.parametrize("mines", [[1], [1, 1, 1], [[1, 1]], [1.5, 1], [1, -1], [5, 1], ["1", "1"], [1, 2**70]])
def test_what_are_no_numbers_of_mines_for_a_batch_are_refused(mines):
    with pytest.raises(nd.SpecError, match=r"^mines must "):
        nd.mine_probability(np.full((2, 2, 2), HIDDEN), np.array(mines))


@pytest.mark.parametrize("mines", [[1, 1, 5], [1, 1, -1]])
def test_the_game_of_an_impossible_number_of_mines_is_named(mines):
    with pytest.raises(nd.SpecError, match=rf"^mines must .*Got {mines[2]}.*\bgame 2\b"):
        nd.mine_probability(np.full((3, 4), HIDDEN), np.array(mines))


def test_a_batch_needs_an_axis_of_games():
    with pytest.raises(nd.SpecError):
        nd.mine_probability(np.full(3, HIDDEN), 1, batch=True)
    with pytest.raises(nd.SpecError):
        nd.mine_probability(np.full((3, 3), HIDDEN), np.array([1, 1, 1]), batch=False)


def test_a_code_of_a_batch_must_fit_the_dimension_of_its_games():
    with pytest.raises(nd.SpecError, match=r"codes between -3 and 2\. Got 3"):
        nd.mine_probability(np.array([[3, -1, -1]]), np.array([1]))
