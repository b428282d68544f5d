"""Regions that are counted by shrinking them are those that are labelled, whatever their form."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from ndsweep.engine.planes import Layout
from ndsweep.engine.shrink import count_regions, is_quick


def counted(masks):
    """The number of regions of each mask, (games, rows, columns)."""
    layout = Layout(masks.shape[1:])
    return count_regions(layout, layout.pack(masks.reshape(len(masks), -1)))[: len(masks)].tolist()


def labelled(masks):
    return [ndimage.label(mask, structure=np.ones((3, 3)))[1] for mask in masks]


def test_every_mask_of_a_small_grid():
    masks = np.array(list(product([False, True], repeat=12))).reshape(-1, 3, 4)
    assert counted(masks) == labelled(masks)


@given(
    st.tuples(st.integers(2, 14), st.integers(2, 14)), st.integers(1, 130), st.floats(0, 1), st.integers(0, 2**32 - 1)
)
def test_random_masks(shape, games, share, seed):
    masks = np.random.default_rng(seed).random((games, *shape)) < share
    assert counted(masks) == labelled(masks)


def corners(size):
    """Nested corners that all vanish in the last cell, one after another: more than a few to count there."""
    mask = np.zeros((size, size), dtype=bool)
    for side in range(0, size, 2):
        mask[side, side:] = mask[side:, side] = True
    return mask[::-1, ::-1]


def spiral(size):
    """One long line."""
    mask, (row, column), (down, right) = np.zeros((size, size), dtype=bool), (0, 0), (0, 1)
    for length in range(size - 1, 0, -2):
        for _ in range(4):
            for _ in range(length):
                mask[row, column] = True
                row, column = row + down, column + right
            down, right = right, -down
        row, column = row + 1, column + 1
        mask[row, column - 1] = length > 2
    return mask


@pytest.mark.parametrize("turn", range(8))
@pytest.mark.parametrize(
    "form", [corners(25), spiral(24), np.eye(17, dtype=bool), np.indices((9, 9)).sum(axis=0) % 2 == 0]
)
def test_forms_that_take_long(form, turn):
    mask = np.rot90(form, turn)
    mask = mask[None] if turn < 4 else mask[None, :, ::-1]
    assert counted(mask) == labelled(mask)


@pytest.mark.parametrize(
    ("shape", "games", "quick"),
    [
        ((5,), 64, False),
        ((5, 5), 64, True),
        ((5, 1, 5), 64, True),
        ((5, 5, 5), 64, False),
        ((5, 5), 63, False),
        ((2, 20_000), 64, False),
    ],
)
def test_it_is_for_many_boards_of_two_axes_that_are_not_long(shape, games, quick):
    assert is_quick(Layout(shape), games) == quick
