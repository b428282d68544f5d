"""Policies that misbehave, and what their results are called."""

import copy

import numpy as np
import pytest

from ndsweep import BEGINNER, Batch, Board, Game, PolicyError, simulate


class Uniform:
    def choose(self, views, turn):
        return turn.pick(views == -1)


class Named(Uniform):
    name = "pairs"


class Writing(Uniform):
    def choose(self, views, turn):
        views[...] = -1
        return np.zeros(len(views), dtype=int)


class Ragged:
    def choose(self, views, turn):
        return [[1], [1, 2]]


class NoMethod:
    choose = 5


def test_views_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        simulate(BEGINNER, 5, Writing())


def test_ragged_choices_are_refused():
    with pytest.raises(PolicyError, match="choose must give one cell a game"):
        simulate(BEGINNER, 5, Ragged())


def test_a_method_is_needed():
    with pytest.raises(PolicyError, match="policy must be"):
        simulate(BEGINNER, 5, NoMethod())


def test_own_policies_never_pass_for_named_ones():
    assert simulate(BEGINNER, 5, Uniform()).policy == "Uniform"
    assert simulate(BEGINNER, 5, Named()).policy == "own pairs"


def test_results_sum():
    parts = [simulate(BEGINNER, 50, start=start) for start in (0, 50, 100)]
    assert sum(parts) == simulate(BEGINNER, 150)


def test_copies_go_their_own_ways():
    game = Game(Board.from_coords((3, 3), [(0, 0)]))
    other = copy.copy(game)
    game.flag(0)
    assert (game.n_flags, other.n_flags, int(other.flagged.sum())) == (1, 0, 0)
    batch = Batch.deal(BEGINNER, 2)
    twin = copy.copy(batch)
    batch.reveal(batch.first_cells)
    assert (twin.views() == -1).all()
