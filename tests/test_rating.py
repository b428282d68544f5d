"""Ratings: the guesses and the hardest rule of a board, and moves whose rules prove them."""

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import ReferenceGame, cells_of
from reference_rating import PROVERS, rated
from strategies import layouts

import ndsweep as nd

# Every layout of a grid, from a few first cells that no symmetry takes to each other.
CENSUS = [((7,), [0, 3]), ((2, 4), [1]), ((3, 3), [0]), ((2, 2, 2), [0]), ((1, 2, 3), [1]), ((2, 1, 1, 3), [0])]

# Shape, mines, games, first cell, and what the hardest rules of these boards are.
DEALT = [
    ((13,), 1, 30, 0, {"none", "count"}),
    ((4, 4), 3, 40, 0, {"single", "pairs", "exact", "guess"}),
    ((3, 5), 3, 15, 1, {"guess"}),
    ((3, 3, 3), 2, 30, 0, {"none", "single", "pairs", "exact", "guess"}),
    ((2, 3, 3), 3, 10, 8, {"guess"}),
    ((1, 4, 1, 4), 3, 30, 0, {"single", "pairs", "exact", "guess"}),
    ((2, 2, 2, 2), 4, 5, 0, {"guess"}),
]


def every_layout(shape):
    size = np.prod(shape)
    return (np.arange(2**size)[:, None] >> np.arange(size) & 1).astype(bool).reshape(-1, *shape)


def mine_cells(mines):
    return {cell for cell in cells_of(mines.shape) if mines[cell]}


@pytest.mark.parametrize(("shape", "first_cells"), CENSUS, ids=str)
def test_every_board_of_a_tiny_grid_is_rated_as_in_plain_loops(shape, first_cells):
    seen = set()
    for mines in every_layout(shape):
        for cell in first_cells:
            if not mines.flat[cell]:
                rating = nd.rate(nd.Board(mines), cell)
                expected = rated(shape, mine_cells(mines), cells_of(shape)[cell])
                assert (rating.guesses, rating.hardest) == expected, (mines, cell)
                assert rating.solvable == (rating.guesses == 0)
                seen.add(rating.hardest)
    assert {"none", "guess"} <= seen


@pytest.mark.parametrize(("shape", "mines", "games", "first", "seen"), DEALT, ids=str)
def test_dealt_boards_are_rated_as_in_plain_loops(shape, mines, games, first, seen):
    found = set()
    for game in range(games):
        board = nd.Board.deal(nd.Spec(shape, mines), 1, game, first)
        rating = nd.rate(board, first)
        assert (rating.guesses, rating.hardest) == rated(shape, mine_cells(board.mines), cells_of(shape)[first])
        found.add(rating.hardest)
    assert seen <= found


@given(mines=layouts(most_cells=48, most_share=0.35), pick=st.integers(0, 2**20))
@settings(max_examples=40)
def test_every_move_is_proved_by_its_rule(mines, pick):
    """Before each move, what is open and flagged is enough for the rule that it names."""
    free = np.flatnonzero(~mines)
    if not free.size:
        return
    first = int(free[pick % free.size])
    rating = nd.rate(nd.Board(mines), first)
    game = ReferenceGame(mines.shape, mine_cells(mines))
    assert rating.moves[0] == nd.Move(cells_of(mines.shape)[first], "reveal", "first")
    for move in rating.moves:
        view = {cell: game.code(cell) for cell in cells_of(mines.shape)}
        assert bool(mines[move.cell]) == (move.action == "flag")
        if move.rule in ("single", "pairs", "count"):
            mined, safe = PROVERS[move.rule](mines.shape, view, int(mines.sum()))
            assert move.cell in (mined if move.action == "flag" else safe)
        assert {"flag": game.flag, "reveal": game.reveal}[move.action](move.cell) > 0
    assert game.status == reference.WON
    assert sum(rating.counts.values()) == len(rating.moves)
    assert rating.guesses == rating.counts.get("guess", 0)


@given(mines=layouts(most_cells=48, most_share=0.3))
@settings(max_examples=20)
def test_a_rule_comes_only_where_the_easier_ones_are_stuck(mines):
    if mines.flat[0]:
        return
    game = ReferenceGame(mines.shape, mine_cells(mines))
    before = None
    for move in nd.rate(nd.Board(mines), "corner").moves:
        if move.rule != before:
            view = {cell: game.code(cell) for cell in cells_of(mines.shape)}
            easier = list(PROVERS)[: (*PROVERS, "guess").index(move.rule)] if move.rule != "first" else []
            for rule in set(easier) - {"exact"}:
                assert PROVERS[rule](mines.shape, view, int(mines.sum())) == (set(), set())
        before = move.rule
        {"flag": game.flag, "reveal": game.reveal}[move.action](move.cell)


@given(mines=layouts(most_cells=40, most_share=0.4))
@settings(max_examples=20)
def test_numbers_of_the_board_go_with_the_rating(mines):
    if mines.flat[0]:
        return
    rating = nd.rate(nd.Board(mines), 0)
    stats = nd.measure(nd.Board(mines), ["bbbv", "openings"])
    assert (rating.bbbv, rating.openings) == (stats["bbbv"][0], stats["openings"][0])


@pytest.mark.parametrize("shape", [(3,), (2, 2), (2, 1, 2), (1, 2, 1, 2)])
def test_a_board_without_a_safe_cell_or_without_a_mine_needs_no_rule(shape):
    full = nd.rate(nd.Board(np.ones(shape, dtype=bool)), 0)
    assert (full.solvable, full.hardest, full.moves, full.bbbv) == (True, "none", (), 0)
    empty = nd.rate(nd.Board(np.zeros(shape, dtype=bool)), "corner")
    assert (empty.solvable, empty.hardest, len(empty.moves), empty.openings) == (True, "none", 1, 1)


def test_a_rating_has_a_short_repr():
    board = nd.Board.from_coords((2, 2), [0])
    assert repr(nd.rate(board, 3)) == "<Rating from (1, 1): 2 guesses, hardest guess, 3BV 3>"


BOARD = nd.Board.from_coords((2, 3), [(0, 2)])


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((BOARD.mines, 0), {}, nd.SpecError, r"board must be a Board\. Got ndarray"),
        ((BOARD, (0, 2)), {}, nd.CellError, r"first_cell must be a cell without a mine\. Got \(0, 2\)"),
        ((BOARD, 2), {}, nd.CellError, r"first_cell must be a cell without a mine\. Got \(0, 2\)"),
        ((BOARD, (2, 0)), {}, nd.CellError, r"first_cell must lie in 0\.\.1 x 0\.\.2\. Got \(2, 0\)"),
        ((BOARD, None), {}, nd.CellError, r"first_cell must be coordinates or a flat index, in integers\. Got None"),
        ((BOARD, "middle"), {}, nd.CellError, r"first_cell must be coordinates"),
        ((BOARD, 0), {"budget": 0}, nd.SpecError, r"budget must be an integer of 1 or more\. Got 0"),
    ],
)
def test_rate_says_what_it_takes(arguments, options, error, message):
    with pytest.raises(error, match=message):
        nd.rate(*arguments, **options)


def test_a_position_beyond_the_budget_is_no_proof():
    board = nd.Board.deal(nd.EXPERT, game=1, first_cell=0)
    with pytest.raises(nd.TooLargeError, match=r"budget must be larger"):
        nd.rate(board, 0, budget=5)
    assert not nd.rate(board, 0).solvable
