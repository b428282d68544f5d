"""No-guess boards: found where plain loops find them, proved, and as likely as each other."""

import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import FrozenInstanceError
from itertools import combinations

import numpy as np
import pytest
import reference
from reference import ReferenceGame, cells_of
from reference_rating import PROVERS, all_layouts, rated
from scipy.stats import chisquare

import ndsweep as nd
from ndsweep import puzzles
from ndsweep.engine import slots
from ndsweep.solver.search import SOLVABLE, solvable_games

RULES = {"single": ("single",), "pairs": ("single", "pairs"), "exact": tuple(PROVERS)}
POLICIES = {"single": "single-point", "pairs": "pairs", "exact": "exact"}
MANY = [
    nd.Spec((60,), 2, "opening"),
    nd.Spec((8, 8), 9),
    nd.Spec((5, 5), 4, "any"),
    nd.Spec((5, 5, 5), 8),
    nd.Spec((3, 4, 3, 4), 5),
]
TINY = [
    (nd.Spec((12,), 1), None),
    (nd.Spec((12,), 2, "opening"), 0),
    (nd.Spec((4, 4), 3), None),
    (nd.Spec((3, 5), 3, "any"), 0),
    (nd.Spec((3, 3, 3), 2), "corner"),
    (nd.Spec((1, 4, 1, 4), 3), 0),
    (nd.Spec((2, 2, 2, 2), 0), None),
]


def mine_cells(board):
    return {cell for cell in cells_of(board.shape) if board.mines[cell]}


def no_guess(candidates):
    raise AssertionError("a guess")


def is_solvable(board, first_cell, solvable):
    """Whether plain loops open a board without a guess, by some rules."""
    mines = mine_cells(board)
    return first_cell not in mines and rated(board.shape, mines, first_cell, RULES[solvable])[0] == 0


def first_cell_of(spec, seed, game, first_cell):
    """The first cell of a game, as coordinates."""
    if first_cell is None:
        first_cell = nd.Batch.deal(spec, 1, seed, game).first_cells[0]
    return cells_of(spec.shape)[0 if first_cell == "corner" else first_cell]


@pytest.mark.parametrize("solvable", SOLVABLE)
@pytest.mark.parametrize(("spec", "first_cell"), TINY, ids=str)
def test_the_puzzle_is_the_first_game_that_plain_loops_solve(spec, first_cell, solvable):
    games = []
    for game in range(60):
        cell = first_cell_of(spec, 5, game, first_cell)
        board = nd.Board.deal(spec, 5, game, cell)
        if is_solvable(board, cell, solvable):
            games.append(game)
    flat = 0 if first_cell == "corner" else first_cell
    assert solvable_games(spec, solvable, 5, 0, 60, flat).tolist() == games
    if games:
        puzzle = nd.generate(spec, solvable, first_cell, seed=5)
        assert (puzzle.game, puzzle.tries) == (games[0], games[0] + 1)
        assert puzzle.first_cell == first_cell_of(spec, 5, games[0], first_cell)
        assert puzzle.board == nd.Board.deal(spec, 5, games[0], puzzle.first_cell)


def test_the_rules_differ_on_these_grids():
    found = [[len(solvable_games(spec, rules, 5, 0, 60)) for spec, _ in TINY] for rules in SOLVABLE]
    assert found[0] != found[1] != found[2]


@pytest.mark.parametrize("solvable", SOLVABLE)
@pytest.mark.parametrize("spec", MANY, ids=str)
def test_the_search_finds_the_games_that_policies_win_without_a_guess(spec, solvable, monkeypatch):
    """In a few slots too, in each of which several games are played, one after the other."""
    games = 300
    records = nd.simulate(spec, games, POLICIES[solvable], seed=2, start=70, records=True).records
    won = records["won"] & (records["guesses"] == 0)
    for words in (128, 1):
        monkeypatch.setattr(slots, "_MOST_WORDS", words)
        np.testing.assert_array_equal(solvable_games(spec, solvable, 2, 70, 70 + games), records["game"][won])
    assert won.any() or solvable != "exact"


@pytest.mark.parametrize("solvable", ["pairs", "exact"])
@pytest.mark.parametrize("spec", MANY, ids=str)
def test_a_puzzle_is_opened_by_its_moves_and_by_its_rules_alone(spec, solvable):
    for seed in range(3):
        puzzle = nd.generate(spec, solvable, seed=seed)
        mines = mine_cells(puzzle.board)
        game = ReferenceGame(spec.shape, mines)
        for move in puzzle.moves:
            assert {"flag": game.flag, "reveal": game.reveal}[move.action](move.cell) > 0
        assert game.status == reference.WON
        assert len(mines) == spec.mines
        assert puzzle.rating == nd.rate(puzzle.board, puzzle.first_cell)
        if solvable == "pairs":
            game, _ = reference.play(spec.shape, mines, puzzle.first_cell, "pairs", no_guess)
            assert game.status == reference.WON
            assert puzzle.rating.hardest in ("none", "single", "pairs")


@pytest.mark.parametrize("spec", [nd.Spec((4, 4), 3), nd.Spec((3, 3, 3), 2), nd.Spec((3, 1, 4, 2), 2)], ids=str)
def test_every_cell_of_an_exact_puzzle_is_safe_in_all_layouts_that_fit(spec):
    hardest = set()
    for start in range(0, 200, 10):
        try:
            puzzle = nd.generate(spec, "exact", seed=1, start=start, tries=10)
        except nd.UnsolvableError:
            continue
        hardest.add(puzzle.rating.hardest)
        game = ReferenceGame(spec.shape, mine_cells(puzzle.board))
        for move in puzzle.moves:
            if move.rule != "first":
                view = {cell: game.code(cell) for cell in cells_of(spec.shape)}
                fit = all_layouts(spec.shape, spec.mines, view)
                assert {move.cell in layout for layout in fit} == {move.action == "flag"}
            {"flag": game.flag, "reveal": game.reveal}[move.action](move.cell)
    assert "exact" in hardest


@pytest.mark.parametrize(("spec", "first_cell"), [(nd.Spec((3, 4), 2), 0), (nd.Spec((2, 3, 3), 2), 0)], ids=str)
def test_all_layouts_that_pass_are_equally_likely(spec, first_cell):
    cell = cells_of(spec.shape)[first_cell]
    boards = [nd.Board.from_coords(spec.shape, mines) for mines in combinations(cells_of(spec.shape), spec.mines)]
    passing = {board: 0 for board in boards if is_solvable(board, cell, "pairs")}
    start, draws = 0, 15 * len(passing)
    for _ in range(draws):
        puzzle = nd.generate(spec, "pairs", first_cell, seed=11, start=start)
        passing[puzzle.board] += 1
        start = puzzle.game + 1
    assert len(passing) >= 4
    assert sum(passing.values()) == draws
    assert chisquare(list(passing.values())).pvalue > 0.001


@pytest.mark.parametrize("solvable", SOLVABLE)
@pytest.mark.parametrize(("spec", "tries"), [(nd.Spec((2, 2), 1), 50), (nd.Spec((1, 2, 1, 2), 2), 1000)], ids=str)
def test_where_no_layout_can_be_that_is_said(spec, tries, solvable):
    with pytest.raises(nd.UnsolvableError, match=rf"Got none in {tries} of [x2-]*.*There is none at all\.$"):
        nd.generate(spec, solvable, tries=tries)


@pytest.mark.parametrize("rule", ["any", "safe", "opening"])
@pytest.mark.parametrize("shape", [(5,), (2, 3), (2, 2, 2), (1, 3, 1, 2)])
def test_every_layout_of_a_first_cell_is_looked_at(shape, rule):
    for mines in range(3):
        every = [set(layout) for layout in combinations(cells_of(shape), mines)]
        for number, cell in enumerate(cells_of(shape)):
            wanted = [m for m in every if cell not in m and reference.satisfies(shape, m, cell, rule)]
            if wanted:
                looked_at = map(mine_cells, puzzles._layouts(nd.Spec(shape, mines, rule), number))
                assert sorted(map(sorted, looked_at)) == sorted(map(sorted, wanted))


def test_that_none_was_found_does_not_mean_that_there_is_none():
    few = nd.Spec((3, 3), 2, "any")  # all its layouts are looked at
    bad = next(game for game in range(50) if game not in solvable_games(few, "exact", 0, 0, 50, 0))
    with pytest.raises(nd.UnsolvableError, match=r"Got none in 1 of 3x3/2, first 'any'\.$"):
        nd.generate(few, "exact", 0, start=bad, tries=1)
    with pytest.raises(nd.UnsolvableError, match=r"Got none in 200 of 16x16/120, first 'safe'\.$"):
        nd.generate(nd.Spec((16, 16), 120), tries=200)


@pytest.mark.parametrize("make", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_executor_changes_nothing(make):
    """Where puzzles are rare, and where each worker finds some at once."""
    with make(2) as executor:
        for spec, tries in ((nd.EXPERT, 30_000), (nd.BEGINNER, 200)):
            alone = nd.generate(spec, "single", "corner", seed=3, start=500, tries=tries)
            shared = nd.generate(spec, "single", "corner", seed=3, start=500, tries=tries, executor=executor)
            assert (shared.game, shared.moves, shared.tries) == (alone.game, alone.moves, alone.tries)
            assert (alone.tries > 64) == (spec == nd.EXPERT)


def test_blocks_change_nothing(monkeypatch):
    spec, found = nd.Spec((9, 9), 14), []
    for block in (1, 7, 5000):
        monkeypatch.setattr(puzzles, "_FIRST_BLOCK", block)
        found.append(nd.generate(spec, "single", seed=4))
    assert len({puzzle.game for puzzle in found}) == 1
    assert found[0].tries > 7


def test_the_last_try_counts_and_no_further_one():
    puzzle = nd.generate(nd.EXPERT, "pairs", seed=9)
    assert nd.generate(nd.EXPERT, "pairs", seed=9, tries=puzzle.tries).game == puzzle.game
    with pytest.raises(nd.UnsolvableError, match=rf"Got none in {puzzle.tries - 1} of 16x30/99"):
        nd.generate(nd.EXPERT, "pairs", seed=9, tries=puzzle.tries - 1)
    after = nd.generate(nd.EXPERT, "pairs", seed=9, start=puzzle.game + 1)
    assert after.game > puzzle.game


def test_games_that_are_over_at_the_start_are_puzzles_without_a_rule():
    for spec, moves in ((nd.Spec((2, 3), 0), 1), (nd.Spec((2, 3), 6, "any"), 0), (nd.Spec((2, 1, 3), 5), 1)):
        puzzle = nd.generate(spec, "single")
        assert (len(puzzle.moves), puzzle.rating.hardest, puzzle.game) == (moves, "none", 0)


def test_a_puzzle_is_a_value():
    puzzle = nd.generate(nd.BEGINNER, first_cell=(4, 4), seed=1)
    again = pickle.loads(pickle.dumps(puzzle))
    assert (again.board, again.moves, repr(again)) == (puzzle.board, puzzle.moves, repr(puzzle))
    with pytest.raises(FrozenInstanceError):
        puzzle.game = 3
    game = puzzle.begin()
    assert game.moves == [("reveal", (4, 4))]


def test_an_error_of_the_search_does_not_pass(monkeypatch):
    """What is found is proved again by counting."""
    monkeypatch.setattr(puzzles, "solvable_games", lambda *job: np.array([job[3]]))
    with pytest.raises(
        nd.SweepError, match=r"the search for 'single' must find only what these rules prove\. Got game 0"
    ):
        nd.generate(nd.EXPERT, "single")


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (("expert",), {}, nd.SpecError, r"spec must be a Spec\. Got 'expert'"),
        ((nd.BEGINNER, "easy"), {}, nd.SpecError, r"solvable must be one of 'single', 'pairs', 'exact'\. Got 'easy'"),
        ((nd.BEGINNER, ["pairs"]), {}, nd.SpecError, r"solvable must be one of"),
        ((nd.BEGINNER, "pairs", (9, 0)), {}, nd.CellError, r"first_cell must lie in 0\.\.8 x 0\.\.8\. Got \(9, 0\)"),
        ((nd.BEGINNER, "pairs", "middle"), {}, nd.CellError, r"first_cell must be coordinates"),
        ((nd.BEGINNER,), {"seed": 0.5}, nd.SpecError, r"seed must be an integer\. Got 0\.5"),
        ((nd.BEGINNER,), {"tries": 0}, nd.SpecError, r"tries must be an integer of 1 or more\. Got 0"),
        ((nd.BEGINNER,), {"tries": 1e4}, nd.SpecError, r"tries must be an integer of 1 or more\. Got 10000\.0"),
        ((nd.BEGINNER,), {"start": -1}, nd.SpecError, r"start must be an integer between 0 and"),
        ((nd.BEGINNER,), {"start": 2**63 - 1}, nd.SpecError, r"start must be an integer between 0 and"),
        ((nd.BEGINNER,), {"executor": 2}, nd.SpecError, r"executor must have a submit method"),
        ((nd.Spec((4, 4), 10, "opening"),), {}, nd.SpecError, r"first='opening' and a random first cell"),
        ((nd.Spec((10**6, 10**6), 5),), {}, nd.TooLargeError, r"would need"),
    ],
)
def test_generate_says_what_it_takes(arguments, options, error, message):
    with pytest.raises(error, match=message):
        nd.generate(*arguments, **options)
