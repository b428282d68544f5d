"""Bad input: every public door names the argument, what is allowed and what came, in a SweepError of its kind."""

import numpy as np
import pytest
from players import Uniform

import ndsweep
from ndsweep import (
    BEGINNER,
    EXPERT,
    Batch,
    Board,
    CellError,
    Game,
    MergeError,
    PolicyError,
    Spec,
    SpecError,
    SweepError,
    TooLargeError,
    compare,
    replay,
    simulate,
)

HUGE = Spec((10**7, 10**7), 5)
CROWDED = Spec((3, 3), 4, "opening")  # only its corners and edges leave room for the mines


def check(call, error, message):
    with pytest.raises(error, match=message) as caught:
        call()
    assert isinstance(caught.value, SweepError)
    assert "\n" not in str(caught.value)


def cases(error, *pairs):
    """Parameters of a test: each a call, its error and its message."""
    return pytest.mark.parametrize(("call", "error", "message"), [(call, error, message) for call, message in pairs])


# Specs ----------------------------------------------------------------------------------------


@cases(
    SpecError,
    (lambda: Spec((), 0), r"shape must have at least one axis\. Got \(\)"),
    (lambda: Spec((0,), 0), r"shape must have sizes of 1 or more\. Got \(0,\)"),
    (lambda: Spec((9, 0), 1), r"shape must have sizes of 1 or more\. Got \(9, 0\)"),
    (lambda: Spec((9, -9), 1), r"shape must have sizes of 1 or more\. Got \(9, -9\)"),
    (lambda: Spec((9.0, 9), 1), r"shape must be a sequence of integers\. Got \(9\.0, 9\)"),
    (lambda: Spec((9.5,), 1), r"shape must be a sequence of integers\. Got \(9\.5,\)"),
    (lambda: Spec(np.array([9.0, 9.0]), 1), r"shape must be a sequence of integers\. Got array"),
    (lambda: Spec(81, 1), r"shape must be a sequence of integers\. Got 81"),
    (lambda: Spec("99", 1), r"shape must be a sequence of integers\. Got '99'"),
    (lambda: Spec(None, 1), r"shape must be a sequence of integers\. Got None"),
    (lambda: Spec((9, None), 1), r"shape must be a sequence of integers\. Got \(9, None\)"),
    (lambda: Spec(((3, 3), (3, 3)), 1), r"shape must be a sequence of integers\. Got \(\(3, 3\)"),
    (lambda: Spec((1,) * 33, 0), r"shape must have at most 32 axes\. Got 33"),
)
def test_shapes(call, error, message):
    check(call, error, message)


@cases(
    SpecError,
    (lambda: Spec((16, 30), 480), r"mines must be between 0 and 479 for shape \(16, 30\) with first='safe'\. Got 480"),
    (lambda: Spec((16, 30), -1), r"mines must be between 0 and 479 .*Got -1"),
    (lambda: Spec((3, 3), 10, "any"), r"mines must be between 0 and 9 .*first='any'.*Got 10"),
    (lambda: Spec((3, 3), 6, "opening"), r"mines must be between 0 and 5 .*first='opening'.*Got 6"),
    (lambda: Spec((2, 2, 2), 1, "opening"), r"mines must be between 0 and 0 .*first='opening'.*Got 1"),
    (lambda: Spec((4, 1), 3, "opening"), r"mines must be between 0 and 2 .*first='opening'.*Got 3"),
    (lambda: Spec((1,), 1), r"mines must be between 0 and 0 .*Got 1"),
    (lambda: Spec((9, 9), 10.0), r"mines must be an integer\. Got 10\.0"),
    (lambda: Spec((9, 9), "10"), r"mines must be an integer\. Got '10'"),
    (lambda: Spec((9, 9), None), r"mines must be an integer\. Got None"),
)
def test_mines(call, error, message):
    check(call, error, message)


@pytest.mark.parametrize("first", ["", "Safe", "corner", None, 1, ["safe"]])
def test_first_click_rules(first):
    check(lambda: Spec((9, 9), 10, first), SpecError, r"first must be one of 'any', 'safe', 'opening'\. Got ")


@pytest.mark.parametrize("first", ["any", "safe", "opening"])
@pytest.mark.parametrize("shape", [(1,), (2,), (5,), (1, 1), (2, 3), (2, 2, 2), (1, 3, 4), (2, 1, 2, 3)])
def test_the_largest_number_of_mines_can_be_dealt_and_one_more_is_refused(shape, first):
    size, corner = int(np.prod(shape)), int(np.prod([min(n, 2) for n in shape]))
    most = size - {"any": 0, "safe": 1, "opening": corner}[first]
    assert Board.deal(Spec(shape, most, first), first_cell=0).n_mines == most
    check(lambda: Spec(shape, most + 1, first), SpecError, rf"mines must be between 0 and {most} ")


def test_a_spec_is_frozen_and_hashable():
    assert len({Spec((9, 9), 10), Spec([9, 9], 10), Spec(np.array([9, 9]), np.int8(10)), BEGINNER}) == 1
    with pytest.raises(AttributeError):
        BEGINNER.mines = 11


# Boards ---------------------------------------------------------------------------------------


@cases(
    SpecError,
    (lambda: Board(np.zeros((3, 3), dtype=int)), r"mines must be a boolean array\. Got int64"),
    (lambda: Board(np.zeros((3, 3), dtype=np.uint8)), r"mines must be a boolean array\. Got uint8"),
    (lambda: Board([[0, 1], [1, 0]]), r"mines must be a boolean array\. Got int64"),
    (lambda: Board(None), r"mines must be a boolean array\. Got object"),
    (lambda: Board("*.."), r"mines must be a boolean array\. Got <U3"),
    (lambda: Board(np.array(True)), r"shape must have at least one axis\. Got \(\)"),
    (lambda: Board(np.zeros((3, 0), dtype=bool)), r"shape must have sizes of 1 or more\. Got \(3, 0\)"),
    (lambda: Board.from_coords((), []), r"shape must have at least one axis"),
    (lambda: Board.from_coords((0, 2), []), r"shape must have sizes of 1 or more\. Got \(0, 2\)"),
    (lambda: Board.from_coords((2.0, 2), []), r"shape must be a sequence of integers\. Got \(2\.0, 2\)"),
)
def test_layouts(call, error, message):
    check(call, error, message)


@cases(
    CellError,
    (lambda: Board.from_coords((3, 4), [(0, 4)]), r"coords must lie in 0\.\.2 x 0\.\.3\. Got \(0, 4\)"),
    (lambda: Board.from_coords((3, 4), [(0, 0), (-1, 0)]), r"coords must lie in .*Got \(-1, 0\)"),
    (lambda: Board.from_coords((3, 4), [12]), r"coords must lie in 0\.\.11\. Got 12"),
    (lambda: Board.from_coords((3, 4), [(0,)]), r"coords must have 2 coordinates for shape \(3, 4\)\. Got \(0,\)"),
    (lambda: Board.from_coords((3, 4), [(0.5, 1)]), r"coords must be coordinates.*integers\. Got \(0\.5, 1\)"),
    (lambda: Board.from_coords((3, 4), ["a1"]), r"coords must be coordinates.*integers\. Got 'a1'"),
    (lambda: Board.from_coords((3, 4), [(1, 1), (0, 0), 5]), r"coords must name each cell once\. Got \(1, 1\) twice"),
)
def test_coordinates_of_mines(call, error, message):
    check(call, error, message)


@cases(
    SpecError,
    (lambda: Board.deal(BEGINNER, 1.5), r"seed must be an integer\. Got 1\.5"),
    (lambda: Board.deal(BEGINNER, "7"), r"seed must be an integer\. Got '7'"),
    (lambda: Board.deal(BEGINNER, None), r"seed must be an integer\. Got None"),
    (lambda: Board.deal(BEGINNER, 0, -1), r"game must be an integer between 0 and \d+\. Got -1"),
    (lambda: Board.deal(BEGINNER, 0, 2**63), r"game must be an integer between 0 and \d+\. Got 9223372036854775808"),
    (lambda: Board.deal(BEGINNER, 0, 1.0), r"game must be an integer.*Got 1\.0"),
    (lambda: Board.deal(CROWDED), r"mines must be between 0 and 0 .*first='opening' and a random first cell\. Got 4"),
    (lambda: Board.deal(CROWDED, first_cell=(1, 1)), r"mines must be .*first='opening' and first_cell=.*Got 4"),
)
def test_dealing_boards(call, error, message):
    check(call, error, message)


@cases(
    CellError,
    (lambda: Board.deal(BEGINNER, first_cell=(9, 0)), r"first_cell must lie in 0\.\.8 x 0\.\.8\. Got \(9, 0\)"),
    (lambda: Board.deal(BEGINNER, first_cell=-1), r"first_cell must lie in 0\.\.80\. Got -1"),
    (lambda: Board.deal(BEGINNER, first_cell=(1, 2, 3)), r"first_cell must have 2 coordinates .*Got \(1, 2, 3\)"),
    (lambda: Board.deal(BEGINNER, first_cell=(1.0, 2)), r"first_cell must be coordinates.*Got \(1\.0, 2\)"),
    (lambda: Board.deal(BEGINNER, first_cell="corner"), r"first_cell must be coordinates.*Got 'corner'"),
)
def test_first_cells_of_boards(call, error, message):
    check(call, error, message)


# Games ----------------------------------------------------------------------------------------


@cases(
    SpecError,
    (lambda: Game(np.zeros((3, 3), dtype=bool)), r"board must be a Board\. Got ndarray"),
    (lambda: Game(BEGINNER), r"board must be a Board\. Got Spec"),
    (lambda: Game(Board.deal(BEGINNER), -1), r"flag_limit must be an integer of 0 or more\. Got -1"),
    (lambda: Game(Board.deal(BEGINNER), 1.5), r"flag_limit must be an integer of 0 or more\. Got 1\.5"),
    (lambda: Game.new(BEGINNER, flag_limit="no"), r"flag_limit must be an integer of 0 or more\. Got 'no'"),
    (lambda: Game.new(BEGINNER, seed=0.5), r"seed must be an integer\. Got 0\.5"),
    (lambda: Game.new(BEGINNER, game=-1), r"game must be an integer between 0 and \d+\. Got -1"),
    (lambda: Game.new(CROWDED).reveal((1, 1)), r"mines must be .*first='opening' and first_cell=.*Got 4"),
)
def test_new_games(call, error, message):
    check(call, error, message)


@pytest.mark.parametrize("move", ["reveal", "flag", "chord"])
@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ((9, 0), r"cell must lie in 0\.\.8 x 0\.\.8\. Got \(9, 0\)"),
        ((0, 9), r"cell must lie in 0\.\.8 x 0\.\.8\. Got \(0, 9\)"),
        ((-1, 0), r"cell must lie in 0\.\.8 x 0\.\.8\. Got \(-1, 0\)"),
        (81, r"cell must lie in 0\.\.80\. Got 81"),
        (-1, r"cell must lie in 0\.\.80\. Got -1"),
        ((1,), r"cell must have 2 coordinates for shape \(9, 9\)\. Got \(1,\)"),
        ((), r"cell must have 2 coordinates for shape \(9, 9\)\. Got \(\)"),
        ((1, 1, 1), r"cell must have 2 coordinates for shape \(9, 9\)\. Got \(1, 1, 1\)"),
        ((1.0, 1), r"cell must be coordinates or a flat index, in integers\. Got \(1\.0, 1\)"),
        (1.0, r"cell must be coordinates or a flat index, in integers\. Got 1\.0"),
        (None, r"cell must be coordinates or a flat index, in integers\. Got None"),
        ("a1", r"cell must be coordinates or a flat index, in integers\. Got 'a1'"),
        ((slice(None), 0), r"cell must be coordinates or a flat index, in integers\. Got \(slice"),
        (np.array([1.0, 1.0]), r"cell must be coordinates or a flat index, in integers\. Got array"),
    ],
)
def test_cells_of_moves(move, cell, message):
    game = Game.new(BEGINNER)
    check(lambda: getattr(game, move)(cell), CellError, message)
    game.reveal(0)
    before = game.view
    check(lambda: getattr(game, move)(cell), CellError, message)
    np.testing.assert_array_equal(game.view, before)


# Batches --------------------------------------------------------------------------------------


@cases(
    SpecError,
    (lambda: Batch(np.zeros((5, 3, 3), dtype=int)), r"mines must be a boolean array with games on axis 0\. Got int64"),
    (lambda: Batch(np.zeros(5, dtype=bool)), r"mines must be a boolean array with games.*Got bool with 1 axes"),
    (lambda: Batch(None), r"mines must be a boolean array with games.*Got object"),
    (lambda: Batch(np.zeros((5, 0), dtype=bool)), r"shape must have sizes of 1 or more\. Got \(0,\)"),
    (lambda: Batch.deal(BEGINNER, -1), r"games must be an integer of 0 or more\. Got -1"),
    (lambda: Batch.deal(BEGINNER, 1.5), r"games must be an integer of 0 or more\. Got 1\.5"),
    (lambda: Batch.deal(BEGINNER, None), r"games must be an integer of 0 or more\. Got None"),
    (lambda: Batch.deal(BEGINNER, 1, "7"), r"seed must be an integer\. Got '7'"),
    (lambda: Batch.deal(BEGINNER, 1, start=-1), r"start must be an integer between 0 and \d+\. Got -1"),
    (lambda: Batch.deal(BEGINNER, 10, start=2**63 - 5), r"start must be an integer between 0 and \d+\. Got \d+"),
    (lambda: Batch.deal(CROWDED, 2), r"mines must be between 0 and 0 .*first='opening' and random first cells\. Got 4"),
    (lambda: Batch.deal(CROWDED, 2, first_cells=[0, 4]), r"mines must be .*and these first_cells\. Got 4"),
)
def test_making_batches(call, error, message):
    check(call, error, message)


BATCH_CELLS = [
    (lambda games: np.zeros(games), "float64"),
    (lambda games: np.zeros(games, dtype=bool), "bool"),
    (lambda games: [0.5] * games, "float64"),
    (lambda games: "a" * games, "<U"),
    (lambda games: None, "object"),
    (lambda games: 0, r"int64 of shape \(\)"),
    (lambda games: [0] * (games + 1), "int64 of shape"),
    (lambda games: np.zeros((games, 2), dtype=int), r"int64 of shape \(3, 2\)"),
    (lambda games: [2**64] * games, "object"),
]


@pytest.mark.parametrize(("cells", "came"), BATCH_CELLS)
def test_cells_of_batches_in_the_wrong_form(cells, came):
    batch, chosen = Batch.deal(BEGINNER, 3), cells(3)
    message = rf"cells must be integers of shape \(3,\), a flat cell index a game\. Got {came}"
    check(lambda: batch.reveal(chosen), CellError, message)
    check(lambda: batch.flag(chosen), CellError, message)
    if chosen is not None:
        check(lambda: Batch.deal(BEGINNER, 3, first_cells=chosen), CellError, f"first_{message}")


@pytest.mark.parametrize("outside", [81, -2, 2**62, -(2**62)])
def test_cells_of_batches_outside_the_grid(outside):
    batch = Batch.deal(BEGINNER, 3)
    message = rf"cells must lie in -1\.\.80\. Got {outside} for game 2"
    check(lambda: batch.reveal([0, -1, outside]), CellError, message)
    check(lambda: batch.flag([0, -1, outside]), CellError, message)
    assert (batch.views() == ndsweep.HIDDEN).all()


@pytest.mark.parametrize("outside", [81, -1])
def test_first_cells_of_batches_outside_the_grid(outside):
    message = rf"first_cells must lie in 0\.\.80\. Got {outside} for game 1"
    check(lambda: Batch.deal(BEGINNER, 2, first_cells=[0, outside]), CellError, message)


@pytest.mark.parametrize("i", [3, -1, 1.0, None, "0"])
def test_the_number_of_a_board_of_a_batch(i):
    check(lambda: Batch.deal(BEGINNER, 3).board(i), SpecError, r"i must be an integer between 0 and 2\. Got ")


@pytest.mark.parametrize(
    ("games", "message"),
    [
        ([3], r"games must lie in 0\.\.2\. Got 3"),
        ([0, -1], r"games must lie in 0\.\.2\. Got -1"),
        ([0.5], r"games must be a sequence of integers\. Got float64"),
        (0, r"games must be a sequence of integers\. Got int64 of shape \(\)"),
        ([True, False, True], r"games must be a sequence of integers\. Got bool"),
    ],
)
def test_games_whose_views_are_asked_for(games, message):
    check(lambda: Batch.deal(BEGINNER, 3).views(games), SweepError, message)


# Simulations ----------------------------------------------------------------------------------


@cases(
    SpecError,
    (lambda: simulate((9, 9), 5), r"spec must be a Spec\. Got \(9, 9\)"),
    (lambda: simulate("beginner", 5), r"spec must be a Spec\. Got 'beginner'"),
    (lambda: simulate(BEGINNER, -1), r"games must be an integer of 0 or more\. Got -1"),
    (lambda: simulate(BEGINNER, 1e6), r"games must be an integer of 0 or more\. Got 1000000\.0"),
    (lambda: simulate(BEGINNER, 1, seed=1.5), r"seed must be an integer\. Got 1\.5"),
    (lambda: simulate(BEGINNER, 1, start=-1), r"start must be an integer between 0 and \d+\. Got -1"),
    (lambda: simulate(BEGINNER, 10, start=2**63 - 3), r"start must be an integer between 0 and \d+\. Got \d+"),
    (lambda: simulate(BEGINNER, 1, slots=0), r"slots must be an integer of 1 or more\. Got 0"),
    (lambda: simulate(BEGINNER, 1, slots=6.4), r"slots must be an integer of 1 or more\. Got 6\.4"),
    (lambda: simulate(CROWDED, 1), r"mines must be between 0 and 0 .*and a random first cell\. Got 4"),
    (
        lambda: simulate(CROWDED, 1, first_cell=(1, 1)),
        r"mines must be .*first='opening' and first_cell=\(1, 1\)\. Got 4",
    ),
    (lambda: simulate(BEGINNER, 5).interval(0), r"level must be between 0 and 1\. Got 0"),
    (lambda: simulate(BEGINNER, 5).interval(1.0), r"level must be between 0 and 1\. Got 1\.0"),
    (lambda: simulate(BEGINNER, 5).interval(float("nan")), r"level must be between 0 and 1\. Got nan"),
    (lambda: simulate(BEGINNER, 5).interval(95), r"level must be between 0 and 1\. Got 95"),
    (lambda: compare(simulate(BEGINNER, 5), 0.5), r"b must be a Result\. Got 0\.5"),
    (lambda: compare("pairs", simulate(BEGINNER, 5)), r"a must be a Result\. Got 'pairs'"),
    (
        lambda: compare(simulate(BEGINNER, 5), simulate(BEGINNER, 5)).interval(1),
        r"level must be between 0 and 1\. Got 1",
    ),
    (lambda: replay("expert"), r"spec must be a Spec\. Got 'expert'"),
    (lambda: replay(BEGINNER, game=-1), r"game must be an integer between 0 and \d+\. Got -1"),
)
def test_simulations(call, error, message):
    check(call, error, message)


@pytest.mark.parametrize("policy", ["clever", "", "Pairs", None, 42, ["random"], Uniform, object()])
def test_policies(policy):
    names = r"policy must be .*'pairs', 'exact', 'exact\+', or an object with a choose method\. Got "
    check(lambda: simulate(BEGINNER, 1, policy), PolicyError, names)
    check(lambda: replay(BEGINNER, policy), PolicyError, names)


@pytest.mark.parametrize("first_cell", [(9, 9), -1, 81, "centre", 1.5, (1,), (0.5, 1)])
def test_first_cells_of_simulations(first_cell):
    check(lambda: simulate(BEGINNER, 1, first_cell=first_cell), CellError, r"first_cell must .*\. Got ")
    check(lambda: replay(BEGINNER, first_cell=first_cell), CellError, r"first_cell must .*\. Got ")


def test_bad_arguments_are_told_before_anything_is_played():
    for games in (0, 5):
        check(lambda games=games: simulate(BEGINNER, games, "clever"), PolicyError, "policy must be")
        check(lambda games=games: simulate(BEGINNER, games, first_cell=81), CellError, "first_cell must lie in")


# Too large ------------------------------------------------------------------------------------

LARGE = {
    "Board.deal": lambda spec: Board.deal(spec),
    "Board.deal, first cell": lambda spec: Board.deal(spec, first_cell=0),
    "Board.from_coords": lambda spec: Board.from_coords(spec.shape, []),
    "Game.new": lambda spec: Game.new(spec),
    "Batch.deal": lambda spec: Batch.deal(spec, 1),
    "Batch.deal, first cells": lambda spec: Batch.deal(spec, 1, first_cells=[0]),
    "simulate": lambda spec: simulate(spec, 1),
    "simulate, pairs": lambda spec: simulate(spec, 1, "pairs"),
    "simulate, own policy": lambda spec: simulate(spec, 1, Uniform()),
    "simulate, first cell": lambda spec: simulate(spec, 1, first_cell="corner"),
    "replay": lambda spec: replay(spec),
}


@pytest.mark.parametrize("call", LARGE.values(), ids=LARGE)
def test_what_does_not_fit_in_memory_is_refused(call):
    sizes = r"of shape \(10000000, 10000000\) would need [\d.]+ [TP]B of memory\. [\d.]+ \w*B are available"
    check(lambda: call(HUGE), TooLargeError, sizes)


@pytest.mark.parametrize("shape", [(2**40, 2**40), (2**63,), (2**20,) * 32])
@pytest.mark.parametrize("first", ["any", "safe", "opening"])
@pytest.mark.parametrize("call", LARGE.values(), ids=LARGE)
def test_sizes_beyond_machine_integers_are_refused_too(call, first, shape):
    check(lambda: call(Spec(shape, 5, first)), TooLargeError, r"would need [\d.]+ PB of memory\. [\d.]+ \w*B are av")


@pytest.mark.parametrize("call", LARGE.values(), ids=LARGE)
def test_the_limit_is_the_memory_that_is_available(call, monkeypatch):
    monkeypatch.setattr("ndsweep.checks._A_LITTLE", 0)
    monkeypatch.setattr("ndsweep.checks.available_memory", lambda: 400)
    check(
        lambda: call(EXPERT), TooLargeError, r"of shape \(16, 30\) would need [\d.]+ \w*B of memory\. 400\.0 B are av"
    )


def test_a_little_is_not_looked_up(monkeypatch):
    monkeypatch.setattr("ndsweep.checks.available_memory", lambda: pytest.fail("looked up"))
    Board.deal(EXPERT)


def test_many_games_and_many_slots_are_refused_too():
    check(lambda: Batch.deal(BEGINNER, 10**13), TooLargeError, r"a batch of 10000000000000 games .* would need")
    check(lambda: simulate(BEGINNER, 10**9, slots=10**12), TooLargeError, r"would need .* are available")


def test_available_memory_is_a_number_of_bytes():
    from ndsweep.engine.memory import available_memory

    assert 10**6 < available_memory() <= 1 << 62


# The family -----------------------------------------------------------------------------------


def test_every_error_is_a_value_error():
    assert issubclass(SweepError, ValueError)
    for error in (SpecError, CellError, PolicyError, MergeError, TooLargeError):
        assert issubclass(error, SweepError)
        assert error.__name__ in ndsweep.__all__
