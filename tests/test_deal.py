"""Dealing: every layout that satisfies the first-click rule is equally likely, and each game is one fixed layout."""

import json
from itertools import combinations
from math import comb, prod
from pathlib import Path

import numpy as np
import plain_streams
import pytest
from hypothesis import given
from hypothesis import strategies as st
from make_golden import GOLDEN, deal
from reference import cells_of, neighbours, satisfies
from scipy.stats import chisquare
from strategies import seeds, shapes, specs

from ndsweep import EXPERT, STREAM_VERSION, Batch, Board, Spec
from ndsweep.engine import marks
from ndsweep.engine.deal import Dealer, neighbours_of
from ndsweep.engine.planes import Layout

LEAST_P = 1e-4
# shape, mines, rule, first cell: corners and inner cells, few mines and more than half
TINY = [
    ((5,), 2, "any", (0,)),
    ((6,), 3, "safe", (0,)),
    ((6,), 3, "safe", (3,)),
    ((7,), 2, "opening", (0,)),
    ((7,), 2, "opening", (3,)),
    ((8,), 4, "opening", (4,)),
    ((2, 3), 3, "any", (1, 1)),
    ((2, 3), 5, "any", (0, 0)),
    ((3, 3), 2, "safe", (0, 0)),
    ((3, 3), 6, "safe", (1, 1)),
    ((3, 4), 2, "opening", (0, 0)),
    ((3, 4), 2, "opening", (1, 1)),
    ((3, 4), 7, "opening", (0, 3)),
    ((3, 5), 8, "opening", (2, 4)),
    ((2, 2, 2), 3, "safe", (1, 0, 1)),
    ((2, 2, 2), 5, "any", (0, 0, 0)),
    ((3, 1, 4), 2, "opening", (1, 0, 0)),
    ((3, 2, 3), 3, "opening", (0, 0, 0)),
    ((2, 2, 2, 2), 2, "safe", (0, 1, 0, 1)),
    ((2, 1, 2, 3), 7, "safe", (1, 0, 1, 1)),
    ((2, 2, 1, 3), 3, "opening", (0, 0, 0, 0)),
]
WHICH = pytest.mark.parametrize(("shape", "mines", "rule", "first"), TINY)


def flat(shape, cell):
    return int(np.ravel_multi_index(cell, shape))


def allowed_layouts(shape, mines, rule, first):
    """The number of each layout that satisfies the rule, by counting through all of them."""
    every = combinations(cells_of(shape), mines)
    allowed = [chosen for chosen in every if satisfies(shape, set(chosen), first, rule)]
    return [sum(1 << flat(shape, cell) for cell in chosen) for chosen in allowed]


def numbers_of(mines):
    """Layouts, (games, *shape), as one integer each."""
    rows = mines.reshape(len(mines), -1)
    return rows @ (1 << np.arange(rows.shape[1]))


def p_of_uniformity(numbers, allowed):
    """The p value of the chi-square test; all layouts that came up must be allowed."""
    found, counts = np.unique(numbers, return_counts=True)
    assert set(found.tolist()) <= set(allowed)
    missing = [0] * (len(allowed) - len(found))
    return chisquare([*counts, *missing]).pvalue if len(allowed) > 1 else 1.0


# Uniformity -----------------------------------------------------------------------------------


@WHICH
def test_batches_deal_every_allowed_layout_equally_often(shape, mines, rule, first):
    allowed = allowed_layouts(shape, mines, rule, first)
    games = 200 * len(allowed)
    batch = Batch.deal(Spec(shape, mines, rule), games, seed=11, first_cells=np.full(games, flat(shape, first)))
    assert p_of_uniformity(numbers_of(batch.mines), allowed) > LEAST_P


@WHICH
def test_boards_deal_every_allowed_layout_equally_often(shape, mines, rule, first):
    allowed = allowed_layouts(shape, mines, rule, first)
    games = range(max(12 * len(allowed), 500))
    dealt = [Board.deal(Spec(shape, mines, rule), seed=12, game=game, first_cell=first).mines for game in games]
    assert p_of_uniformity(numbers_of(np.array(dealt)), allowed) > LEAST_P


@pytest.mark.parametrize(("shape", "mines", "rule"), [((9, 9), 10, "safe"), ((30,), 20, "any"), ((4, 4, 4), 5, "safe")])
def test_each_cell_of_a_larger_grid_is_mined_equally_often(shape, mines, rule):
    """With random first cells every cell has the same chance, under these rules."""
    games = 20_000
    counts = Batch.deal(Spec(shape, mines, rule), games, seed=4).mines.sum(axis=0).reshape(-1)
    share = mines / prod(shape)
    deviations = (counts - games * share) / np.sqrt(games * share * (1 - share))
    assert np.abs(deviations).max() < 5


def test_seeds_deal_as_uniformly_as_games():
    allowed = allowed_layouts((2, 3), 2, "safe", (0, 0))
    dealt = [Board.deal(Spec((2, 3), 2), seed=seed, game=5, first_cell=0).mines for seed in range(-1500, 1500)]
    assert p_of_uniformity(numbers_of(np.array(dealt)), allowed) > LEAST_P


def test_consecutive_games_are_independent():
    """Pairs of layouts of neighbouring games are as uniform as the layouts."""
    mines = Batch.deal(Spec((4,), 2, "any"), 60_000, seed=8).mines
    numbers = numbers_of(mines)
    pairs = numbers[:-1:2] * 16 + numbers[1::2]
    assert comb(4, 2) ** 2 == len(np.unique(pairs))
    assert chisquare(np.unique(pairs, return_counts=True)[1]).pvalue > LEAST_P


# Every game -----------------------------------------------------------------------------------


@given(specs(), seeds)
def test_a_layout_has_exactly_its_mines_and_satisfies_the_rule(kind, seed):
    shape, mines, rule = kind
    batch = Batch.deal(Spec(*kind), 70, seed)
    assert (batch.mines.reshape(70, -1).sum(axis=1) == mines).all()
    for game in (0, 69):
        first = cells_of(shape)[batch.first_cells[game]]
        mined = {cell for cell in cells_of(shape) if batch.mines[game][cell]}
        assert satisfies(shape, mined, first, rule)


@given(specs(), seeds, st.integers(0, 2**62), st.data())
def test_the_mines_are_the_first_distinct_valid_cells_of_the_stream(kind, seed, game, data):
    first = data.draw(st.integers(0, prod(kind[0]) - 1))
    expected = sorted(plain_streams.layout(*kind, seed, game, first))
    assert np.flatnonzero(Board.deal(Spec(*kind), seed, game, first).mines).tolist() == expected
    lane = Batch.deal(Spec(*kind), 1, seed, game, [first])
    assert np.flatnonzero(lane.mines).tolist() == expected


@pytest.mark.parametrize("shape", [(64, 65), (5000,)])
def test_grids_with_wider_draws_are_dealt_by_the_same_definition(shape):
    spec = Spec(shape, 40)
    batch = Batch.deal(spec, 3, seed=1)
    for game, first in enumerate(batch.first_cells.tolist()):
        expected = sorted(plain_streams.layout(shape, 40, "safe", 1, game, first))
        assert np.flatnonzero(batch.mines[game]).tolist() == expected
        assert np.flatnonzero(Board.deal(spec, 1, game).mines).tolist() == expected


@given(shapes())
def test_neighbours_of_are_those_of_the_reference(shape):
    found = neighbours_of(shape, np.arange(prod(shape)))
    for cell, row in zip(cells_of(shape), found, strict=True):
        expected = sorted(flat(shape, c) for c in (cell, *neighbours(shape, cell)))
        assert sorted(row[row < prod(shape)].tolist()) == expected


@pytest.mark.parametrize("rule", ["any", "safe", "opening"])
@pytest.mark.parametrize("shape", [(1,), (7,), (3, 4), (2, 3, 2), (2, 1, 2, 3)])
def test_every_possible_number_of_mines_is_dealt(shape, rule):
    """From none to as many as fit, with every first cell: no hang, no mine too few."""
    size = prod(shape)
    for first in cells_of(shape):
        kept_free = {"any": 0, "safe": 1, "opening": 1 + len(neighbours(shape, first))}[rule]
        for mines in range(size - kept_free + 1):
            board = Board.deal(Spec(shape, mines, rule), seed=2, first_cell=first)
            batch = Batch.deal(Spec(shape, mines, rule), 3, seed=2, first_cells=[flat(shape, first)] * 3)
            assert board.n_mines == mines == batch.mines[2].sum()
            assert rule == "any" or not (batch.mines[:, *first].any() or board.mines[first])


def test_more_than_half_is_dealt_by_drawing_safe_cells():
    layout = Layout((3, 3))
    assert [Dealer(layout, mines, "any").draws_safe_cells for mines in (0, 4, 5, 9)] == [False, False, True, True]


def test_games_and_seeds_differ():
    boards = {Board.deal(EXPERT, seed, game) for seed in (-1, 0, 1, 2**64) for game in (0, 1, 2**40)}
    assert len(boards) == 12


@pytest.mark.parametrize("seed", [-1, -(10**40), 10**40, 2**64, 2**63 - 1, np.int64(3), np.uint8(3)])
def test_any_integer_is_a_seed(seed):
    board = Board.deal(EXPERT, seed)
    assert board == Batch.deal(EXPERT, 2, seed).board(0) == Board.deal(EXPERT, int(seed))


def test_the_order_of_dealing_does_not_matter():
    forth = [Board.deal(EXPERT, 5, game) for game in range(20)]
    back = [Board.deal(EXPERT, 5, game) for game in reversed(range(20))]
    assert forth == back[::-1]


def test_a_first_cell_may_be_coordinates_or_a_flat_index():
    for cell in ((3, 4), 94, np.array([3, 4]), np.int32(94), [3, 4]):
        assert Board.deal(EXPERT, 1, 2, cell) == Board.deal(EXPERT, 1, 2, (3, 4))


def test_the_largest_game_number_can_be_dealt():
    last = 2**63 - 2
    assert Batch.deal(EXPERT, 1, start=last).board(0) == Board.deal(EXPERT, game=last)


# Streams of version 1 -------------------------------------------------------------------------


def golden():
    return json.loads(Path(GOLDEN).read_text(encoding="utf-8"))


def test_the_golden_layouts_are_of_this_stream_version():
    """A change of the streams needs a new STREAM_VERSION, and then `python tests/make_golden.py`."""
    assert golden()["stream_version"] == STREAM_VERSION


@pytest.mark.parametrize("case", golden()["layouts"], ids=lambda case: f"{case['shape']}-{case['seed']}-{case['game']}")
def test_layouts_are_those_that_the_stream_version_promises(case):
    """These cells are pinned: games that were published under this version stay what they are."""
    asked = {key: case[key] for key in ("shape", "mines", "first", "seed", "game", "first_cell")}
    assert deal(**asked) == case


# Large boards ----------------------------------------------------------------------------------


@given(specs(), st.integers(0, 2**40), st.sampled_from([3, 50, 1 << 20]))
def test_a_board_is_the_same_however_its_draws_are_counted(spec, seed, block):
    expected = Board.deal(Spec(*spec), seed)
    for few in (0, 10**12):  # counted one by one in every round, or in none
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(marks, "_FEW", few)
            patch.setattr(marks, "_BLOCK", block)
            assert Board.deal(Spec(*spec), seed) == expected


@pytest.mark.parametrize("mines", [0, 1, 3_000, 30_000, 60_000])
def test_progress_is_told_up_to_the_end(mines, monkeypatch):
    monkeypatch.setattr(marks, "_BLOCK", 1000)
    told = []
    spec = Spec((251, 251), mines)
    board = Board.deal(spec, seed=5, progress=lambda done, total: told.append((done, total)))
    assert board == Board.deal(spec, seed=5)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    drawn = min(mines, spec.size - 1 - mines)
    assert {total for _, total in told} == ({drawn} if drawn else set())
    assert len(told) >= drawn // 1000
    assert not told or told[-1][0] == drawn
