"""Joins of cells with their neighbours slab by slab, and reveals that flood: the same as all at once, and as labels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import ReferenceGame, cells_of, neighbours, openings_of
from scipy import ndimage
from strategies import layouts, moves

from ndsweep import Board, Game, numbers
from ndsweep.engine import giants, grid, joins, regions, sweeps
from ndsweep.engine import labels as labels_module
from ndsweep.engine.joins import join


def plain_sums(values, ndim):
    """The sum over each cell and its neighbours, cell by cell."""
    sums = np.zeros(values.shape, dtype=int)
    for cell in cells_of(values.shape[:ndim]):
        for other in (cell, *neighbours(values.shape[:ndim], cell)):
            sums[cell] += values[other]
    return sums


@st.composite
def arrays(draw):
    """Masks in 1-D to 4-D, some with a further axis that is none of the grid."""
    one = draw(layouts(most_cells=90))
    games = draw(st.sampled_from([None, 1, 3]))
    if games is None:
        return one, one.ndim
    return np.random.default_rng(0).permuted(np.stack([one] * games, axis=-1), axis=0), one.ndim


@pytest.mark.parametrize("block", [1, 40, 300, 1 << 17])
@given(one=arrays())
@settings(max_examples=40)
def test_slabs_give_the_sums_and_unions_of_all_cells(block, one):
    values, ndim = one
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joins, "_BLOCK", block)
        sums, union = (np.full(values.shape, 77, dtype=np.uint8) for _ in range(2))
        join(np.add, values, sums, ndim)
        join(np.bitwise_or, values, union, ndim)
    expected = plain_sums(values, ndim)
    np.testing.assert_array_equal(sums, expected)
    np.testing.assert_array_equal(union, expected > 0)


@given(one=arrays())
@settings(max_examples=40)
def test_grids_that_would_be_mostly_walls_have_the_same_sums_and_differences(one):
    values, ndim = one
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joins, "_MOST_WALLS", 0)
        sums, hints = (np.full(values.shape, 77, dtype=np.uint8) for _ in range(2))
        join(np.add, values, sums, ndim)
        join(np.add, values, hints, ndim, last=np.subtract)
        parts = [
            np.full((1, *values.shape[1:]), 77, dtype=np.uint8) for _ in range(values.shape[0])
        ]  # a slab at a time, from those around it
        for slab, part in enumerate(parts):
            box = (slice(slab, slab + 1), *(slice(0, n) for n in values.shape[1:ndim]))
            join(np.add, values, part, ndim, box)
    expected = plain_sums(values, ndim)
    np.testing.assert_array_equal(sums, expected)
    np.testing.assert_array_equal(hints, expected - values)
    np.testing.assert_array_equal(np.concatenate(parts), expected)


@pytest.mark.parametrize("shape", [(2,) * 17, (3,) * 11, (2, 1) * 9 + (200,)])
def test_grids_of_many_axes_have_the_hints_of_a_few_mines(shape):
    mines = np.zeros(shape, bool)
    rng = np.random.default_rng(2)
    cells = [tuple(int(rng.integers(n)) for n in shape) for _ in range(4)]
    for cell in cells:
        mines[cell] = True
    assert mines.size > grid._SMALL
    expected = np.zeros(shape, int)
    for cell in {*cells}:
        expected[tuple(slice(max(x - 1, 0), x + 2) for x in cell)] += 1
    np.testing.assert_array_equal(Board(mines).hints, expected - mines)


@pytest.mark.parametrize("shape", [(70_000,), (300, 290), (2, 40_000), (40_000, 2), (41, 42, 43), (16, 17, 18, 19)])
def test_large_grids_have_the_same_hints_and_unions_as_small_ones(shape, monkeypatch):
    mines = np.random.default_rng(1).random(shape) < 0.2
    large = grid.hints_of(mines), grid.dilate(mines), grid.box_sum(mines, np.int64)
    monkeypatch.setattr(grid, "_SMALL", 10**9)
    for one, other in zip(
        large, (grid.hints_of(mines), grid.dilate(mines), grid.box_sum(mines, np.int64)), strict=True
    ):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype


played = layouts(most_cells=80, most_share=0.3).flatmap(
    lambda mines: st.tuples(st.just(mines), moves(mines.size, ["flag", "chord"], 20))
)


@given(played, st.booleans())
def test_reveals_that_flood_are_those_of_the_rules(board_and_moves, labelled):
    mines, steps = board_and_moves
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbers, "_LABELLED", 0)
        game = Game(Board(mines))
        if labelled:
            assert game.board.openings.count >= 0
        plain = ReferenceGame(mines.shape, set(map(tuple, np.argwhere(mines).tolist())))
        for kind, cell in steps:
            assert getattr(game, kind)(cell) == getattr(plain, kind)(cells_of(mines.shape)[cell])
        assert game.view.reshape(-1).tolist() == plain.view()
        assert ("openings" in vars(game.board)) == labelled


@pytest.mark.parametrize("block", [1, 12, 10**6])
@given(mines=layouts(most_cells=150, most_share=0.4))
@settings(max_examples=60)
def test_openings_are_counted_slab_by_slab(block, mines):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(regions, "_BLOCK", block)
        patch.setattr(regions, "_SLABS", 1)
        sizes = Board(mines).opening_sizes()
    openings = openings_of(mines.shape, set(map(tuple, np.argwhere(mines).tolist())))
    assert sizes.tolist() == [len(opening) for opening in sorted(openings, key=min)]
    labels = Board(mines).openings.labels
    assert sizes.tolist() == np.bincount(labels.reshape(-1))[1:].tolist()


@pytest.mark.parametrize("fewer", [1, 5, 10**9])  # nearly all cells are left after the first sweep, or none
@pytest.mark.parametrize("block", [1, 12, 10**6])
@given(mines=layouts(most_cells=150), inverted=st.booleans())
@settings(max_examples=60)
def test_a_giant_and_what_is_left_are_the_labels(fewer, block, mines, inverted):
    mask = mines ^ inverted
    expected = ndimage.label(mask, np.ones((3,) * mask.ndim))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("_LARGE", 0), ("_SAMPLED", 1), ("_MOST", 0), ("_FEW", 1), ("_FEWER", fewer)):
            patch.setattr(giants, name, value)
        patch.setattr(giants, "LEAST_SLAB", 0)
        patch.setattr(sweeps, "_BLOCK", block)
        giant = giants.giant_of(mask.shape, lambda rows: mask[rows])
        if giant is None:  # nothing where it is looked for
            assert not mask.all()
            return
        labels, count = regions.region_labels(mask)
        sizes = regions.region_sizes(mask.shape, lambda rows: mask[rows])
    np.testing.assert_array_equal(labels, expected[0])
    assert (count, labels.dtype) == (expected[1], np.int32)
    assert sizes.tolist() == np.bincount(expected[0].reshape(-1))[1:].tolist()


@pytest.mark.parametrize("shape", [(600, 500), (70, 60, 50), (20, 20, 20, 20)])
@pytest.mark.parametrize("share", [0.005, 0.02, 0.06, 0.12])
def test_openings_of_larger_boards(shape, share):
    layout = Board(np.random.default_rng(2).random(shape) < share)
    labels, count = ndimage.label((layout.hints == 0) & ~layout.mines, np.ones((3,) * len(shape)))
    np.testing.assert_array_equal(layout.openings.labels, labels)
    assert layout.openings.count == count
    assert layout.opening_sizes().tolist() == np.bincount(labels.reshape(-1))[1:].tolist()


def test_a_giant_is_found_where_there_is_one():
    """Else the labels above would have been tested twice."""
    layout = Board(np.random.default_rng(2).random((70, 60, 50)) < 0.02)
    zeros = (layout.hints == 0) & ~layout.mines
    assert giants.giant_of(layout.shape, lambda rows: zeros[rows]) is not None


@given(mines=layouts(most_cells=200, most_share=0.6))
def test_faces_joined_are_the_labels_of_all_neighbours(mines):
    """Any mask: its complement has regions that meet at corners only."""
    for mask in (mines, ~mines):
        expected = ndimage.label(mask, np.ones((3,) * mask.ndim))
        labels, count = labels_module._joined_faces(mask)
        assert count == expected[1]
        np.testing.assert_array_equal(labels, expected[0])


@pytest.mark.parametrize("shape", [(9, 8, 8, 9), (1, 9, 8, 1, 8, 9), (4, 4, 4, 4, 17)])
def test_labels_of_four_and_more_axes(shape):
    mask = np.random.default_rng(3).random(shape) < 0.04
    expected = ndimage.label(mask, np.ones((3,) * mask.ndim))
    labels, count = labels_module.label(mask)
    assert (count, labels.dtype) == (expected[1], np.int32)
    np.testing.assert_array_equal(labels, expected[0])
