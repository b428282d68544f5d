"""The census: every layout of every tiny grid, its hints, its openings and every first reveal."""

from functools import cache
from math import prod

import numpy as np
import pytest
from reference import ReferenceGame, cells_of, hints_of, openings_of

from ndsweep import Batch, Board, Game

SHAPES = [(1,), (2,), (5,), (9,), (13,), (1, 7), (2, 2), (2, 3), (3, 3), (2, 5), (3, 4)]
SHAPES += [(1, 1, 1), (2, 2, 2), (3, 1, 3), (2, 3, 2), (1, 2, 1, 3), (2, 2, 1, 3)]
SHAPES += [(16,), (3, 5), (4, 4), (2, 2, 4), (2, 2, 2, 2)]  # a sample of these
MOST_LAYOUTS = 2**13
SAMPLE = 300


@cache
def layouts(shape):
    """Every layout of a grid, (layouts, *shape); of a larger grid those with few mines or safe cells, and a sample."""
    size = prod(shape)
    numbers = np.arange(2**size)
    if numbers.size > MOST_LAYOUTS:
        few = np.minimum(np.bitwise_count(numbers), size - np.bitwise_count(numbers)) <= 2
        sample = np.random.default_rng(0).choice(numbers, SAMPLE, replace=False)
        numbers = np.union1d(numbers[few], sample)
    return (numbers[:, None] >> np.arange(size) & 1).astype(bool).reshape(-1, *shape)


def mine_cells(mines):
    return {cell for cell in cells_of(mines.shape) if mines[cell]}


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_census_is_complete(shape):
    found = np.unique(layouts(shape), axis=0)
    assert len(found) == len(layouts(shape))
    assert len(found) == 2 ** prod(shape) or 2 ** prod(shape) > MOST_LAYOUTS


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_hints_of_every_layout(shape):
    every = layouts(shape)
    expected = [list(hints_of(shape, mine_cells(mines)).values()) for mines in every]
    np.testing.assert_array_equal(Batch(every).hints.reshape(len(every), -1), expected)
    np.testing.assert_array_equal([Board(mines).hints.reshape(-1) for mines in every], expected)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_openings_of_every_layout(shape):
    for mines in layouts(shape):
        expected = openings_of(shape, mine_cells(mines))
        openings = Board(mines).openings
        assert openings.count == len(expected)
        for opening in expected:
            (label,) = {int(openings.labels[cell]) for cell in opening}
            assert np.count_nonzero(openings.labels == label) == len(opening)
        assert np.count_nonzero(openings.labels) == sum(map(len, expected))


@cache
def first_reveals(shape):
    """What the reference opens, shows and says after each first reveal of each layout."""
    size, every = prod(shape), layouts(shape)
    opened = np.zeros((size, len(every)), dtype=int)
    status = np.zeros_like(opened)
    views = np.zeros((size, len(every), size), dtype=int)
    for i, mines in enumerate(every):
        for c, cell in enumerate(cells_of(shape)):
            game = ReferenceGame(shape, mine_cells(mines))
            opened[c, i], status[c, i], views[c, i] = game.reveal(cell), game.status, game.view()
    return opened, status, views.reshape(size, len(every), *shape)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_first_reveal_of_a_batch(shape):
    every = layouts(shape)
    for cell, (opened, status, views) in enumerate(zip(*first_reveals(shape), strict=True)):
        batch = Batch(every)
        np.testing.assert_array_equal(batch.reveal(np.full(len(every), cell)), opened)
        np.testing.assert_array_equal(batch.status, status)
        np.testing.assert_array_equal(batch.views(), views)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_first_reveal_of_a_game(shape):
    opened, status, views = first_reveals(shape)
    for i, mines in enumerate(layouts(shape)):
        board = Board(mines)
        for cell in range(board.size):
            game = Game(board)
            assert game.reveal(cell) == opened[cell, i]
            assert game.status == status[cell, i]
            assert np.array_equal(game.view, views[cell, i])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_moves_of_all_games_of_a_batch_are_independent(shape):
    """The same layouts in another order and with another cell in each game open the same."""
    opened, status, _ = first_reveals(shape)
    order = np.random.default_rng(1).permutation(len(layouts(shape)))
    cells = np.random.default_rng(2).integers(0, prod(shape), order.size)
    batch = Batch(layouts(shape)[order])
    np.testing.assert_array_equal(batch.reveal(cells), opened[cells, order])
    np.testing.assert_array_equal(batch.status, status[cells, order])
