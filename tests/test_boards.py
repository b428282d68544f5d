"""Boards and games as values: arrays that cannot be changed, reprs that can be evaluated, text to look at."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from strategies import layouts

import ndsweep as nd
from ndsweep import Batch, Board, Game, Openings, Spec
from ndsweep.render import board_text, view_text


@given(layouts())
def test_arrays_of_a_board_are_read_only_and_its_own(mines):
    board = Board(mines)
    for array in (board.mines, board.hints, board.openings.labels):
        assert array.shape == board.shape == mines.shape
        assert not array.flags.writeable
    before = board.mines.copy()
    mines ^= True
    np.testing.assert_array_equal(board.mines, before)


@given(layouts())
def test_arrays_of_a_batch_are_read_only_and_views_are_new(mines):
    batch = Batch(np.array([mines, ~mines]))
    assert not batch.mines.flags.writeable
    assert not batch.hints.flags.writeable
    for new in (batch.views, lambda: batch.views([0, 1]), lambda: batch.status):
        array = new()
        array[...] = 7
        assert (new() != 7).all()


def test_views_of_a_game_are_new():
    game = Game.new(nd.BEGINNER)
    game.view[...] = 5
    game.revealed[...] = game.flagged[...] = True
    assert (game.view == nd.HIDDEN).all()


@given(layouts())
def test_the_repr_of_a_board_makes_it_again(mines):
    board = Board(mines)
    again = eval(repr(board), {"Board": Board})
    assert again == board
    assert hash(again) == hash(board)
    assert pickle.loads(pickle.dumps(board)) == board


def test_the_repr_of_a_spec_makes_it_again():
    spec = Spec((4, 4, 4), 8, "opening")
    assert eval(repr(spec), {"Spec": Spec}) == spec == pickle.loads(pickle.dumps(spec))


def test_the_repr_of_a_large_board_is_short():
    assert len(repr(Board.deal(Spec((100, 100), 500)))) < 100


def test_boards_of_other_shapes_or_mines_differ():
    boards = [Board.from_coords(shape, [0]) for shape in [(6,), (1, 6), (2, 3), (3, 2)]] + [
        Board.from_coords((6,), [1])
    ]
    assert len(set(boards)) == 5
    assert boards[0] != "a board"
    assert Board.from_coords((2, 3), [(1, 2)]) == Board.from_coords((2, 3), [5]) == Board.from_coords((2, 3), [[1, 2]])


def test_openings_are_numbered_from_one():
    openings = Board.from_coords((1, 9), [(0, 4)]).openings
    assert isinstance(openings, Openings)
    assert openings.labels.tolist() == [[1, 1, 1, 0, 0, 0, 2, 2, 2]]
    assert (openings.count, openings.labels.dtype) == (2, np.int32)


@pytest.mark.parametrize(
    ("view", "text"),
    [
        ([-1, -2, -3, 0, 1], "# F * . 1"),
        ([[0, 1], [8, -1]], ". 1\n8 #"),
        ([[10, -1], [0, 3]], "10  #\n .  3"),
        ([[[0], [1]], [[2], [-2]]], "[0]\n.\n1\n\n[1]\n2\nF"),
        ([[[[1]], [[2]]]], "[0, 0]\n1\n\n[0, 1]\n2"),
    ],
)
def test_views_as_text(view, text):
    assert view_text(np.array(view)) == text


@given(layouts(most_cells=40))
def test_a_board_as_text_shows_every_cell(mines):
    board = Board(mines)
    text = board_text(board.mines, board.hints)
    signs = [sign for line in text.splitlines() if not line.startswith("[") for sign in line.split()]
    assert text == str(board)
    assert signs.count("*") == board.n_mines
    assert len(signs) == board.size


@given(layouts(most_cells=40))
def test_games_and_batches_have_short_reprs(mines):
    for value in (Game(Board(mines)), Batch(mines[None])):
        assert len(repr(value)) < 120
        assert "\n" not in repr(value)
