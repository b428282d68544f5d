"""Floods from one cell: windows, labels and sweeps all reach what the naive search reaches."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import connected, neighbours
from strategies import layouts

from ndsweep.engine import flood as flooding
from ndsweep.engine import regions, sweeps
from ndsweep.engine.flood import flood, flood_labels
from ndsweep.engine.labels import label
from ndsweep.engine.sweeps import Sweeps


@st.composite
def masks(draw):
    """A mask of any density in 1-D to 4-D, and one of its cells."""
    mask = ~draw(layouts(most_cells=160))
    mask.flat[draw(st.integers(0, mask.size - 1))] = True
    cells = np.argwhere(mask).tolist()
    return mask, tuple(draw(st.sampled_from(cells)))


def plain(mask, cell):
    """What is reached, as an array."""
    region = connected(mask.shape, set(map(tuple, np.argwhere(mask).tolist())), cell)
    reached = region | {other for one in region for other in neighbours(mask.shape, one)}
    return as_mask(mask.shape, reached)


def as_mask(shape, cells):
    mask = np.zeros(shape, dtype=bool)
    mask[tuple(np.transpose(sorted(cells)))] = True
    return mask


def whole(shape, parts):
    """The parts as one mask; each cell comes at most once."""
    mask, times = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=int)
    for box, reached in parts:
        mask[box] |= reached
        times[box] += 1
    assert times.max(initial=0) <= 1
    return mask


@pytest.mark.parametrize("block", [1, 20, 10**6])
@given(one=masks())
def test_sweeps_find_the_region_and_what_it_reaches(block, one):
    mask, cell = one
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweeps, "_BLOCK", block)
        found = Sweeps(mask.shape, lambda rows: mask[rows]).flood(cell)
    assert found is not None  # so few cells cannot wind too much
    np.testing.assert_array_equal(whole(mask.shape, found), plain(*one))


@pytest.mark.parametrize(("least_slab", "labelled"), [(0, 0), (10**9, 0), (10**9, 10**9)])
@pytest.mark.parametrize("first_window", [1, 30, 10**6])
@given(one=masks())
@settings(max_examples=40)
def test_windows_grow_until_the_region_lies_within(least_slab, labelled, first_window, one):
    mask, cell = one
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flooding, "LEAST_SLAB", least_slab)
        patch.setattr(flooding, "_LABELLED", labelled)
        patch.setattr(regions, "_BLOCK", first_window)
        patch.setattr(regions, "_SLABS", 1)
        patch.setattr(flooding, "_FIRST_WINDOW", first_window)
        found = whole(mask.shape, flood(mask.shape, cell, lambda box: mask[box]))
    np.testing.assert_array_equal(found, plain(mask, cell))


@pytest.mark.parametrize("first_window", [1, 30, 10**6])
@given(one=masks())
@settings(max_examples=40)
def test_windows_grow_in_labels_too(first_window, one):
    mask, cell = one
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flooding, "_FIRST_WINDOW", first_window)
        found = whole(mask.shape, flood_labels(mask.shape, cell, label(mask)[0]))
    np.testing.assert_array_equal(found, plain(mask, cell))


def snake(turns):
    """A corridor that goes up and down, wall beside wall."""
    mask = np.zeros((40, 2 * turns), dtype=bool)
    mask[:, ::2] = True
    mask[0, 1::4] = mask[-1, 3::4] = True
    return mask


@pytest.mark.parametrize("labelled", [0, 1 << 22])
def test_a_region_that_winds_too_much_is_labelled(labelled, monkeypatch):
    monkeypatch.setattr(flooding, "_LABELLED", labelled)
    monkeypatch.setattr(regions, "_BLOCK", 3000)
    monkeypatch.setattr(regions, "_SLABS", 1)
    mask = snake(200)
    assert Sweeps(mask.shape, lambda rows: mask[rows]).flood((0, 0)) is None
    assert whole(mask.shape, flood(mask.shape, (0, 0), lambda box: mask[box])).all()


def test_a_small_region_in_a_large_grid_is_looked_for_in_a_small_window():
    seen = []
    mask = np.zeros((5000, 5000), dtype=bool)
    mask[2000:2040, 2000:2040] = True

    def passable(box):
        seen.append(mask[box].size)
        return mask[box]

    ((box, reached),) = flood((5000, 5000), (2020, 2020), passable)
    assert np.count_nonzero(reached) == 42 * 42
    assert sum(seen) < 20_000
    assert [side.start <= 1999 and side.stop >= 2041 for side in box] == [True, True]
