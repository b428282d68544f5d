"""Bad input of odder kinds: truth values for numbers, ragged lists, what is no spec at all, and no games."""

import numpy as np
import pytest

from ndsweep import (
    BEGINNER,
    Batch,
    Board,
    CellError,
    Game,
    Spec,
    SpecError,
    Status,
    SweepError,
    TooLargeError,
    simulate,
)

RAGGED = [[True], [True, False]]


def check(call, error, message):
    with pytest.raises(error, match=message) as caught:
        call()
    assert isinstance(caught.value, SweepError)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: Spec((True, 3), 1), SpecError, r"shape must be a sequence of integers\. Got \(True, 3\)"),
        (lambda: Spec((3, 3), True), SpecError, r"mines must be an integer\. Got True"),
        (lambda: Game.new(BEGINNER).reveal(True), CellError, r"cell must be coordinates.*Got True"),
        (lambda: Game.new(BEGINNER).reveal((True, 0)), CellError, r"cell must be coordinates.*Got \(True, 0\)"),
        (lambda: simulate(BEGINNER, True), SpecError, r"games must be an integer of 0 or more\. Got True"),
    ],
)
def test_truth_values_are_no_numbers(call, error, message):
    check(call, error, message)


@pytest.mark.parametrize("spec", [(9, 9), "beginner", None, 9])
@pytest.mark.parametrize("call", [Board.deal, Game.new, lambda spec: Batch.deal(spec, 1)])
def test_what_is_no_spec_is_refused(call, spec):
    check(lambda: call(spec), SpecError, r"spec must be a Spec\. Got ")


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: Board(RAGGED), "mines"),
        (lambda: Batch(RAGGED), "mines"),
        (lambda: Batch.deal(BEGINNER, 2, first_cells=[[0], [1, 2]]), "first_cells"),
        (lambda: Batch.deal(BEGINNER, 2).reveal([[0], [1, 2]]), "cells"),
        (lambda: Batch.deal(BEGINNER, 2).flag([[0], [1, 2]]), "cells"),
        (lambda: Batch.deal(BEGINNER, 2).views([[0], [1, 2]]), "games"),
    ],
)
def test_ragged_lists_are_refused(call, name):
    check(call, SweepError, rf"{name} must ")


@pytest.mark.parametrize("coords", [None, 5])
def test_coordinates_that_are_no_cells(coords):
    check(lambda: Board.from_coords((3, 3), coords), SweepError, rf"coords must .*Got {coords}")


@pytest.mark.parametrize("executor", [5, "threads", object()])
def test_what_is_no_executor_is_refused(executor):
    check(lambda: simulate(BEGINNER, 10, executor=executor), SweepError, r"executor must .*Got ")


@pytest.mark.parametrize("level", ["95 %", None])
def test_levels_that_are_no_numbers(level):
    check(lambda: simulate(BEGINNER, 5).interval(level), SpecError, rf"level must be .*Got {level!r}")


@pytest.mark.parametrize("rule", ["any", "safe", "opening"])
def test_no_games_are_a_batch_too(rule):
    for batch in (Batch.deal(Spec((3, 3), 0, rule), 0), Batch(np.zeros((0, 3, 3), dtype=bool))):
        nothing = np.zeros(0, dtype=int)
        assert len(batch) == 0
        assert batch.reveal(nothing).shape == batch.flag(nothing).shape == batch.status.shape == (0,)
        assert batch.views().shape == batch.mines.shape == batch.hints.shape == (0, 3, 3)


@pytest.mark.parametrize("rule", ["any", "safe", "opening"])
def test_no_games_of_any_rule_are_a_result(rule):
    assert simulate(Spec((3, 3), 0, rule), 0).games == 0


def test_too_many_games_are_told_as_such():
    check(lambda: Batch.deal(BEGINNER, 2**63), SweepError, r"games |would need")


def test_axes_of_size_1_cost_nothing():
    """Openings of a grid with the largest number of axes."""
    game = Game(Board.from_coords((1,) * 31 + (5,), [4]))
    assert game.reveal(0) == 4
    assert game.status == Status.WON


def test_openings_that_would_not_fit_in_memory_are_refused():
    check(lambda: Board.from_coords((2,) * 25, []).openings, TooLargeError, "would need")
