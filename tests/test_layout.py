"""The bit layout is a contract: docs/layout.md states it, and its own parser reads our planes."""

import re
from pathlib import Path

import numpy as np
import pytest

from ndsweep import Batch
from ndsweep.engine.planes import Layout, word_count

PAGE = Path(__file__).parent.parent / "docs" / "layout.md"
SHAPES = [(1,), (7,), (1, 5), (3, 4), (4, 1, 3), (2, 3, 4), (1, 1, 1), (2, 3, 1, 2), (3, 2, 2, 3)]
GAMES = [1, 63, 64, 65, 200]


def parser():
    """The function ``read_plane`` of the page."""
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code, "the page holds the reference parser in a python block"
    names = {}
    exec(code[1], names)
    return names["read_plane"]


def random_mines(shape, games):
    return np.random.default_rng(games).random((games, *shape)) < 0.3


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_parser_reads_the_mines_of_a_batch(shape, games):
    mines = random_mines(shape, games)
    np.testing.assert_array_equal(parser()(Batch(mines)._mines, shape, games), mines)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_parser_reads_open_cells_and_flags(shape):
    games = 100
    batch = Batch(random_mines(shape, games))
    size = batch.mines[0].size
    batch.flag(np.arange(games) % size)
    batch.reveal(np.arange(games) * 7 % size)
    views = batch.views()
    np.testing.assert_array_equal(parser()(batch._flagged, shape, games), views == -2)
    np.testing.assert_array_equal(parser()(batch._opened, shape, games), (views >= 0) | (views == -3))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_plane_holds_nothing_but_its_games(shape):
    games = 70
    batch = Batch(np.ones((games, *shape), dtype=bool))
    set_bits = int(np.bitwise_count(batch._mines).sum())
    assert set_bits == batch.mines.size


@pytest.mark.parametrize("shape", SHAPES)
def test_tail_lanes_are_never_counted(shape):
    """The games of a batch open as many cells with company in their word as without."""
    mines = random_mines(shape, 64)
    cells = np.arange(64) % mines[0].size
    whole = Batch(mines).reveal(cells)
    for games in (1, 5, 63):
        np.testing.assert_array_equal(Batch(mines[:games]).reveal(cells[:games]), whole[:games])


@pytest.mark.parametrize("shape", SHAPES)
def test_a_plane_has_the_size_that_the_page_says(shape):
    strides = [int(np.prod([m + 1 for m in shape[axis + 1 :] if m > 1])) for axis in range(len(shape))]
    reach = sum(stride for n, stride in zip(shape, strides, strict=True) if n > 1)
    width = reach + 1 + sum((n - 1) * stride for n, stride in zip(shape, strides, strict=True))
    for games in GAMES:
        plane = Batch(random_mines(shape, games))._mines
        assert plane.dtype == np.uint64
        assert plane.shape == (-(-games // 64) * width + reach,)


@pytest.mark.parametrize("shape", SHAPES)
def test_pack_and_unpack_are_inverse(shape):
    games, layout = 130, Layout(shape)
    cells = random_mines(shape, games).reshape(games, -1)
    plane = layout.pack(cells)
    np.testing.assert_array_equal(layout.unpack(plane, np.arange(games)), cells)
    np.testing.assert_array_equal(layout.octets(plane)[:, :games].T, cells)
    assert layout.lines(plane).shape[0] == word_count(games) == 3
