"""Openings that span the grid, against a search cell by cell; and layouts that grow with their number of mines."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import cells_of, hints_of, neighbours
from strategies import layouts, shapes

import ndsweep as nd


def spans(shape, mines, axis):
    """Whether a walk over safe cells with hint 0 leads from the first slab to the last, breadth first."""
    hints = hints_of(shape, mines)
    zeros = {cell for cell in cells_of(shape) if cell not in mines and hints[cell] == 0}
    front = {cell for cell in zeros if cell[axis] == 0}
    seen = set(front)
    while front:
        front = {near for cell in front for near in neighbours(shape, cell) if near in zeros} - seen
        seen |= front
    return any(cell[axis] == shape[axis] - 1 for cell in seen)


@given(layouts(most_share=0.3))
def test_spanning_is_what_a_search_cell_by_cell_finds(mines):
    openings = nd.Board(mines).openings
    taken = {tuple(int(x) for x in cell) for cell in np.argwhere(mines)}
    for axis in range(mines.ndim):
        assert openings.spans(axis) is spans(mines.shape, taken, axis)
    assert openings.spans() == openings.spans(0)


@pytest.mark.parametrize("ndim", [1, 2, 3, 4])
def test_a_wall_of_mines_stops_what_would_span(ndim):
    mines = np.zeros((6,) * ndim, dtype=bool)
    assert all(nd.Board(mines).openings.spans(axis) for axis in range(ndim))
    for axis in range(ndim):
        wall = mines.copy()
        wall.swapaxes(0, axis)[2] = True
        spanned = [nd.Board(wall).openings.spans(along) for along in range(ndim)]
        assert spanned == [along != axis for along in range(ndim)]


def test_two_openings_that_reach_one_end_each_span_nothing():
    mines = np.zeros((7, 3), dtype=bool)
    mines[3] = True
    assert nd.Board(mines).openings.count == 2
    assert not nd.Board(mines).openings.spans()


@pytest.mark.parametrize("axis", [-1, 2, 1.5, "x", None])
def test_an_axis_that_is_not_there(axis):
    with pytest.raises(nd.SpecError, match=r"axis must be an integer.* Got"):
        nd.Board.from_coords((3, 3), []).openings.spans(axis)


@given(shapes(), st.integers(0, 2**63 - 1), st.data())
def test_more_mines_of_a_game_lie_where_fewer_do(shape, game, data):
    """Up to half of the cells, with the first-click rule "any": so a game has one density where spanning ends."""
    size = int(np.prod(shape))
    fewer = data.draw(st.integers(0, size // 2))
    more = data.draw(st.integers(fewer, size // 2))
    few, many = (nd.Board.deal(nd.Spec(shape, count, "any"), game=game).mines for count in (fewer, more))
    assert not (few & ~many).any()


def test_more_mines_lie_where_fewer_do_on_a_large_board():
    boards = [
        nd.Board.deal(nd.Spec((700, 900), mines, "any"), seed=3).mines for mines in (500, 60_000, 60_100, 300_000)
    ]
    for few, many in pairwise(boards):
        assert not (few & ~many).any()
