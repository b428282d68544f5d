"""Random numbers by name, on arrays that stay in cache."""

import numpy as np
import pytest

from ndsweep.engine.streams import Purpose, below, bounded, cursors, first_cells_of, stream_keys, words

GAMES, WORDS = 512, 32


@pytest.fixture
def keys():
    return stream_keys(1, Purpose.MINES, np.arange(GAMES))


def test_words(rate, keys):
    """Goal: at most 5 ns a word."""
    indices = np.arange(WORDS)

    def run():
        for _ in range(50):
            words(keys[:, None], indices)

    rate(run, 50 * GAMES * WORDS, "ns a word")


@pytest.mark.parametrize("n", [480, 1_000_000], ids=["16-bit", "32-bit"])
def test_bounded_draws(rate, keys, n):
    """Goal: at most 2.5 ns a draw of 16 bits, 4 ns of 32 bits, the words included."""
    indices = np.arange(WORDS)
    draws = bounded(words(keys[:, None], indices), n).size

    def run():
        for _ in range(50):
            bounded(words(keys[:, None], indices), n)

    rate(run, 50 * draws, "ns a draw")


def test_one_draw_a_game(rate):
    """Goal: at most 20 ns a draw below a number of its own, as for a choice by rank."""
    games = 10_000
    cursor, n = cursors(stream_keys(1, Purpose.GUESSES, np.arange(games)), 0), np.arange(games) % 480 + 1

    def run():
        for _ in range(50):
            below(cursor, n)

    rate(run, 50 * games, "ns a draw")


def test_first_cells(rate):
    """Goal: at most 30 ns a game, its key included."""
    numbers = np.arange(10_000)

    def run():
        for _ in range(50):
            first_cells_of(1, numbers, 480)

    rate(run, 50 * numbers.size, "ns a game")
