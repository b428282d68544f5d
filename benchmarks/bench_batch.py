"""Many games at once: deal, hints, views, moves."""

import numpy as np
import pytest

import ndsweep as nd

PRESETS = {"9x9": nd.BEGINNER, "16x16": nd.INTERMEDIATE, "16x30": nd.EXPERT}
OTHERS = {"10x10x10": nd.Spec((10, 10, 10), 99), "4x4x4x4": nd.Spec((4, 4, 4, 4), 30)}
ALL = PRESETS | OTHERS
GAMES = 4096
boards = pytest.mark.parametrize("spec", ALL.values(), ids=ALL.keys())


@boards
def test_deal(rate, spec):
    """Goal: at most 0.6, 1.5 and 2.5 us a board in 2-D, 5 us beyond, the plane of zeros included."""
    rate(lambda: nd.Batch.deal(spec, GAMES, seed=1), GAMES, "us a board")


@pytest.mark.parametrize("first", ["any", "safe", "opening"])
def test_deal_by_first_click_rule(rate, first):
    """Goal: at least 300,000 boards/s under every rule."""
    spec = nd.Spec((16, 30), 99, first)
    rate(lambda: nd.Batch.deal(spec, GAMES, seed=1), GAMES, "boards/s")


@boards
def test_hints(rate, spec):
    """Goal: at most 1 ns a cell in 2-D, 2 ns beyond."""

    def fresh():
        return (nd.Batch.deal(spec, GAMES, seed=1),), {}

    rate(lambda batch: batch.hints, GAMES * spec.size, "ns a cell", setup=fresh)


def test_deal_with_hints(rate):
    """Goal: ten times ms-toollib's laymine, which compare.py measures beside it."""
    rate(lambda: nd.Batch.deal(nd.EXPERT, GAMES, seed=1).hints, GAMES, "boards/s")


@boards
def test_views(rate, spec):
    """Goal: at most 3 ns a cell, once the hints are there."""
    batch = nd.Batch.deal(spec, GAMES, seed=1)
    batch.reveal(batch.first_cells)
    _ = batch.hints
    rate(batch.views, GAMES * spec.size, "ns a cell")


@boards
def test_first_reveal(rate, spec):
    """Goal: at most 2 us a game in 2-D, 8 us beyond, floods included."""

    def fresh():
        batch = nd.Batch.deal(spec, GAMES, seed=1)
        return (batch, batch.first_cells), {}

    rate(lambda batch, cells: batch.reveal(cells), GAMES, "us a game", setup=fresh)


def test_reveal_without_flood(rate):
    """Goal: at most 0.5 us a game: next to a mine, where no flood runs."""
    mines = np.zeros((GAMES, 16, 30), dtype=bool)
    mines[:, 8, 15] = True

    def fresh():
        return (nd.Batch(mines), np.full(GAMES, 8 * 30 + 14)), {}

    rate(lambda batch, cells: batch.reveal(cells), GAMES, "us a game", setup=fresh)


def test_flag(rate):
    """Goal: at most 0.5 us a game."""
    batch, cells = nd.Batch.deal(nd.EXPERT, GAMES, seed=1), np.arange(GAMES) % 480
    rate(lambda: batch.flag(cells), GAMES, "us a game")


def test_one_board(rate):
    """Goal: at most 50 us to take one board out of a batch."""
    batch = nd.Batch.deal(nd.EXPERT, GAMES, seed=1)
    rate(lambda: [batch.board(i) for i in range(100)], 100, "us a board")
