"""What hypothesis draws: grids of 1 to 4 axes, layouts, specs and moves."""

from math import prod

import numpy as np
from hypothesis import strategies as st

MOST_CELLS = 96
MOST_SIDE = {1: 40, 2: 9, 3: 4, 4: 3}


def shapes(most_cells=MOST_CELLS):
    """Grids of 1 to 4 axes; axes of size 1 come up often, because they are special."""

    def of_ndim(ndim):
        return st.tuples(*[st.integers(1, MOST_SIDE[ndim])] * ndim).filter(lambda shape: prod(shape) <= most_cells)

    return st.integers(1, 4).flatmap(of_ndim)


@st.composite
def layouts(draw, most_cells=MOST_CELLS, most_share=1.0):
    """A boolean array of mines of any share up to the given one."""
    shape = draw(shapes(most_cells))
    share = draw(st.floats(0, most_share))
    return np.random.default_rng(draw(st.integers(0, 2**32 - 1))).random(shape) < share


@st.composite
def specs(draw, most_cells=MOST_CELLS):
    """The shape, the number of mines and the first-click rule of a spec that any first cell satisfies."""
    shape = draw(shapes(most_cells))
    rule = draw(st.sampled_from(["any", "safe", "opening"]))
    kept_free = {"any": 0, "safe": 1, "opening": prod(min(n, 3) for n in shape)}[rule]
    return shape, draw(st.integers(0, prod(shape) - kept_free)), rule


seeds = st.integers(-(2**80), 2**80) | st.integers(-3, 3)


def cells(size):
    """Flat cells: any, or some of a few, so that moves meet on the same cells."""
    few = st.lists(st.integers(0, size - 1), min_size=1, max_size=5).map(st.sampled_from)
    return st.just(st.integers(0, size - 1)) | few


def moves(size, kinds, most=40):
    """A sequence of moves: a kind and a flat cell each."""
    kind = st.sampled_from(["reveal", *kinds])
    return cells(size).flatmap(lambda cell: st.lists(st.tuples(kind, cell), max_size=most))
