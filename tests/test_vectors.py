"""The vectors of docs/vectors: in step with the reference, and the engines agree with every one."""

import json

import numpy as np
import pytest
from make_vectors import FOLDER, documents
from scipy.ndimage import label

from ndsweep import Batch, Board, Game, Status

FILES = {file.name: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.json"))}
DOCUMENTS = {name: json.loads(text) for name, text in FILES.items()}
BOARDS = [board for document in DOCUMENTS.values() for board in document.get("boards", [])]
GAMES = [game for document in DOCUMENTS.values() for game in document.get("games", [])]
EVERY_BOARD = pytest.mark.parametrize("vector", BOARDS, ids=[board["name"] for board in BOARDS])
EVERY_GAME = pytest.mark.parametrize("vector", GAMES, ids=[game["name"] for game in GAMES])
STATUS = {"playing": Status.PLAYING, "won": Status.WON, "lost": Status.LOST}


def board_of(vector):
    return Board.from_coords(vector["shape"], vector["mines"])


def batch_of(vector):
    return Batch(board_of(vector).mines[None])


def place_of(vector, cell):
    return int(np.ravel_multi_index(cell, vector["shape"]))


# The files ------------------------------------------------------------------------------------


def test_the_files_are_what_the_reference_says():
    """After a change that is meant: `python tests/make_vectors.py`."""
    assert documents() == FILES


def test_the_files_are_small_and_of_every_dimension():
    assert sum(map(len, FILES.values())) < 300_000
    assert {len(board["shape"]) for board in BOARDS} == {len(game["shape"]) for game in GAMES} == set(range(1, 7))
    assert all(document["format"] == "ndsweep-vectors" and document["version"] == 1 for document in DOCUMENTS.values())
    assert max(max(board["hints"]) for board in BOARDS) == 728


def test_the_games_show_every_kind_of_move_with_every_kind_of_end():
    shown = {(s["move"], min(s["returned"], 2), s["status"]) for game in GAMES for s in game["steps"]}
    moves = {("reveal", opened, status) for opened in (0, 1, 2) for status in ("playing", "won")}
    moves |= {("chord", opened, status) for opened in (0, 1, 2) for status in ("playing", "won", "lost")}
    moves |= {("flag", set_, "playing") for set_ in (-1, 0, 1)} | {("flag", 0, "won"), ("flag", 0, "lost")}
    assert shown == moves | {("reveal", 0, "lost"), ("reveal", 1, "lost")}
    assert {game["status"] for game in GAMES} == {"playing", "won"}


# Boards ---------------------------------------------------------------------------------------


@EVERY_BOARD
def test_a_board_has_the_hints_and_openings(vector):
    board = board_of(vector)
    assert board.shape == tuple(vector["shape"])
    assert board.n_mines == len(vector["mines"])
    assert np.argwhere(board.mines).tolist() == vector["mines"]
    assert board.hints.reshape(-1).tolist() == vector["hints"]
    labels = board.openings.labels.reshape(-1)
    assert [np.flatnonzero(labels == 1 + i).tolist() for i in range(board.openings.count)] == vector["openings"]
    assert board.opening_sizes().tolist() == [len(opening) for opening in vector["openings"]]
    assert np.count_nonzero(labels) == vector["zeros"]
    counts = np.bincount(board.hints[~board.mines], minlength=3**board.ndim)
    assert counts.tolist() == vector["hint_histogram"]


@EVERY_BOARD
def test_a_batch_has_the_hints(vector):
    batch = batch_of(vector)
    assert batch.hints.reshape(-1).tolist() == vector["hints"]
    assert batch.board(0) == board_of(vector)


@EVERY_BOARD
def test_a_board_is_won_with_its_bbbv_and_no_fewer_reveals(vector):
    """One reveal an opening leaves just the isolated numbers hidden, and each of these needs its own."""
    game, batch = Game(board_of(vector)), batch_of(vector)
    for opening in vector["openings"]:
        assert game.status == batch.status[0] == Status.PLAYING
        assert game.reveal(opening[-1]) == batch.reveal([opening[-1]])[0] >= len(opening)
    np.testing.assert_array_equal(batch.views()[0], game.view)
    hidden = ~game.revealed & ~game.board.mines
    assert np.flatnonzero(hidden).tolist() == vector["isolated"]
    for place in vector["isolated"]:
        assert game.status == batch.status[0] == Status.PLAYING
        assert game.reveal(place) == batch.reveal([place])[0] == 1
    assert game.status == batch.status[0] == Status.WON
    assert len(vector["openings"]) + len(vector["isolated"]) == vector["bbbv"]


@EVERY_BOARD
def test_islands_are_the_connected_regions_of_isolated_numbers(vector):
    shape = tuple(vector["shape"])
    isolated = np.zeros(shape, bool)
    isolated.reshape(-1)[vector["isolated"]] = True
    labels, count = label(isolated, np.ones((3,) * len(shape)))
    assert [np.flatnonzero(labels == 1 + i).tolist() for i in range(count)] == vector["islands"]


# Games ----------------------------------------------------------------------------------------


@EVERY_GAME
def test_a_game_goes_as_written(vector):
    game = Game(board_of(vector), vector["flag_limit"])
    view = np.full(game.view.size, -1)
    assert game.status == STATUS[vector["status"]]
    for step in vector["steps"]:
        assert getattr(game, step["move"])(step["cell"]) == step["returned"]
        assert game.status == STATUS[step["status"]]
        for place, code in step["changed"]:
            view[place] = code
        np.testing.assert_array_equal(game.view.reshape(-1), view)
    assert view.tolist() == vector["view"]


def steps_without_chords(vector):
    """The steps before the first chord that does something: a batch has none."""
    for step in vector["steps"]:
        if step["move"] == "chord" and step["changed"]:
            return
        if step["move"] != "chord":
            yield step


BATCHED = [game for game in GAMES if game["flag_limit"] is None]


@pytest.mark.parametrize("vector", BATCHED, ids=[game["name"] for game in BATCHED])
def test_a_batch_goes_as_written_until_a_chord(vector):
    """Three games, of which the middle one is played: the others stay as they are."""
    board = board_of(vector)
    batch = Batch(np.stack([board.mines] * 3))
    untouched = batch.views()[0].copy()
    view = np.full(board.size, -1)
    assert batch.status[1] == STATUS[vector["status"]]
    for step in steps_without_chords(vector):
        returned = getattr(batch, step["move"])([-1, place_of(vector, step["cell"]), -1])
        assert returned.tolist() == [0, step["returned"], 0]
        assert batch.status[1] == STATUS[step["status"]]
        for place, code in step["changed"]:
            view[place] = code
        np.testing.assert_array_equal(batch.views()[1].reshape(-1), view)
    np.testing.assert_array_equal(batch.views([0, 2]), [untouched, untouched])


@EVERY_GAME
def test_a_game_goes_on_as_written_from_its_middle(vector):
    """Resumed after half of its steps, from what the view shows."""
    shape, half = vector["shape"], len(vector["steps"]) // 2
    view = np.full(int(np.prod(shape)), -1)
    for step in vector["steps"][:half]:
        for place, code in step["changed"]:
            view[place] = code
    view = view.reshape(shape)
    game = Game.resume(board_of(vector), (view >= 0) | (view == -3), view == -2, vector["flag_limit"])
    for step in vector["steps"][half:]:
        assert getattr(game, step["move"])(step["cell"]) == step["returned"]
        assert game.status == STATUS[step["status"]]
    assert game.view.reshape(-1).tolist() == vector["view"]
