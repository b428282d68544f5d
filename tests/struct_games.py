"""Struct-compatible games to be tested: what hypothesis draws, and short calls."""

from math import prod

from hypothesis import strategies as st
from struct_c import EXACT, LOOSE, random_play

import ndsweep as nd

MOST_SIDE = {1: 40, 2: 9, 3: 6, 4: 4, 5: 3}


@st.composite
def plays(draw):
    """A grid, the sizes of its struct, mines and moves."""
    ndim = draw(st.integers(1, 5))
    side = st.integers(1, MOST_SIDE[ndim])
    shape = tuple(draw(st.lists(side, min_size=ndim, max_size=ndim).filter(lambda s: prod(s) <= 250)))
    share = draw(st.sampled_from([0, 0.02, 0.1, 0.3, 1]) | st.floats(0, 1))
    return shape, draw(st.sampled_from([EXACT[ndim], LOOSE])), *random_play(shape, share, draw(st.integers(0, 2**32)))


def started(shape, mines, sizes=(None, None)):
    game = nd.new_game(shape, *sizes)
    assert nd.init_game(game, len(shape), shape, len(mines), mines) is None
    return game


def select(game, shape, cell):
    return nd.select_cell(game, len(shape), shape, cell)
