"""What notebooks and videos show: an expert board as HTML, SVG and pixels."""

import numpy as np
import pytest

import ndsweep as nd
from ndsweep import render


@pytest.fixture(scope="module")
def game():
    """An expert game in the middle."""
    game = nd.Game(nd.Board.deal(nd.EXPERT, seed=18, first_cell=(8, 15)))
    game.reveal((8, 15))
    while game.flag_mines() or game.expose_neighbors():
        pass
    return game


def test_html(rate, game):
    """Goal: at most 5 ms, for an expert board in a notebook."""
    rate(game._repr_html_, 1, "ms a picture")


def test_html_of_probabilities(rate, game):
    """Goal: at most 10 ms, once the chances are known."""
    rate(nd.mine_probability(game.view, 99)._repr_html_, 1, "ms a picture")


def test_svg(rate, game):
    """Goal: at most 10 ms."""
    rate(lambda: render.svg(game), 1, "ms a picture")


def test_image(rate, game):
    """Goal: at most 10 ms, for a frame of a video."""
    rate(lambda: render.image(game, cell=26), 1, "ms a picture")


def test_html_of_a_large_board(rate):
    """Goal: at most 500 ms for a million cells, hints not counted."""
    board = nd.Board(np.random.default_rng(0).random((1000, 1000)) < 0.15)
    rate(board._repr_html_, 1, "ms a picture")
