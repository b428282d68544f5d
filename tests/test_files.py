"""Games in files: the same game comes back, nothing is half written, and what is no game is refused."""

import json
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import positions
from strategies import layouts, moves, specs

from ndsweep import BEGINNER, Board, FormatError, Game, Spec, SpecError, load, save


def through_a_file(game, folder):
    path = folder / "game.json"
    save(game, path)
    return load(path)


def assert_same(again, game):
    np.testing.assert_array_equal(again.view, game.view)
    assert (again.status, again.n_flags, again.moves) == (game.status, game.n_flags, game.moves)
    assert (again.board, again.flag_limit, again.deals_from and again.board is None) == (
        game.board,
        game.flag_limit,
        game.deals_from and game.board is None,
    )


played = layouts().flatmap(lambda mines: st.tuples(st.just(mines), moves(mines.size, ["flag", "chord"])))


@given(played, st.none() | st.integers(0, 5))
def test_a_played_game_comes_back_with_its_moves(tmp_path_factory, board_and_moves, flag_limit):
    mines, steps = board_and_moves
    game = Game(Board(mines), flag_limit)
    for kind, cell in steps:
        getattr(game, kind)(cell)
    assert_same(through_a_file(game, tmp_path_factory.getbasetemp()), game)


@given(positions(most_games=1), st.integers(0, 59))
def test_a_game_that_began_in_the_middle_comes_back(tmp_path_factory, position, cell):
    ((mines, opened, flagged),) = zip(*position, strict=True)
    game = Game.resume(Board(mines), opened, flagged)
    game.reveal(cell % mines.size)
    assert_same(through_a_file(game, tmp_path_factory.getbasetemp()), game)


@given(specs(), st.integers(-(2**80), 2**80), st.integers(0, 2**40), st.data())
def test_a_game_that_is_not_dealt_deals_the_same_board(tmp_path_factory, spec, seed, number, data):
    game = Game.new(Spec(*spec), seed, number)
    game.flag(0)
    again = through_a_file(game, tmp_path_factory.getbasetemp())
    assert_same(again, game)
    cell = data.draw(st.integers(0, game.view.size - 1))
    for one in (game, again):
        one.flag(0)
        one.reveal(cell)
    assert_same(again, game)


def test_the_document_says_what_it_is(tmp_path):
    game = Game(Board.from_coords((2, 3), [(0, 2)]), flag_limit=4)
    game.flag((0, 2))
    game.reveal((0, 0))
    save(game, tmp_path / "game.json")
    assert json.loads((tmp_path / "game.json").read_text()) == {
        "format": "ndsweep",
        "version": 1,
        "kind": "game",
        "shape": [2, 3],
        "mines": [[0, 2]],
        "flag_limit": 4,
        "moves": [["flag", [0, 2]], ["reveal", [0, 0]]],
    }


def test_a_file_stays_whole_where_the_new_one_cannot_be_written(tmp_path, monkeypatch):
    path = tmp_path / "game.json"
    save(Game.new(BEGINNER), path)
    before = path.read_text()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        save(Game.new(BEGINNER, seed=5), path)
    assert path.read_text() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


def test_a_link_stays_one_and_a_mode_stays_as_it_is(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "real").chmod(0o600)
    (tmp_path / "link").symlink_to("real")
    save(Game.new(BEGINNER), tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert load(tmp_path / "real").shape == (9, 9)
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o600
    long = tmp_path / ("n" * 250)
    save(Game.new(BEGINNER), long)
    assert load(long).shape == (9, 9)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are needed")
def test_what_is_no_plain_file_stays_what_it_is(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, ".", "/"):
        with pytest.raises(SpecError, match=r"path must name a file\. Got .*, which is something else"):
            save(Game.new(BEGINNER), path)
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("path", ["", "a\0b", b"bytes", None, 3])
def test_a_path_is_the_name_of_a_file(path):
    for call in (lambda: save(Game.new(BEGINNER), path), lambda: load(path)):
        with pytest.raises(SpecError, match=r"path must be the name of a file\. Got"):
            call()


def test_a_grid_may_be_refused_for_its_size_before_it_is_made(tmp_path):
    (tmp_path / "large").write_text(json.dumps(GOOD | {"shape": [100_000, 100_000], "mines": [], "moves": []}))
    with pytest.raises(FormatError, match=r"shape must have at most 1000 cells here\. Got \(100000, 100000\)"):
        load(tmp_path / "large", most_cells=1000)


def test_nothing_else_is_saved(tmp_path):
    with pytest.raises(SpecError, match=r"obj must be a Board, a Position or a Game\. Got Spec"):
        save(BEGINNER, tmp_path / "board.json")
    assert list(tmp_path.iterdir()) == []


GOOD = {
    "format": "ndsweep",
    "version": 1,
    "kind": "game",
    "shape": [2, 3],
    "mines": [[0, 2]],
    "flag_limit": None,
    "moves": [["reveal", [1, 0]]],
}
DEAL = {"mines": 2, "first": "safe", "seed": 0, "game": 0, "streams": 1}


def changed(**fields):
    return {name: value for name, value in (GOOD | fields).items() if value != "absent"}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "format must be 'ndsweep' and kind 'game'"),
        (changed(format="other"), "format must be 'ndsweep'"),
        (changed(kind="boards"), "kind 'game'"),
        (changed(kind="board"), "kind 'board' must have no key but .* Got 'flag_limit'"),
        (changed(version=2), r"version must be 1\. Got 2"),
        (changed(version=True), r"version must be 1\. Got True"),
        (changed(version="absent"), "'version' is missing"),
        (changed(shape="absent"), "'shape' is missing"),
        (changed(shape=[2, 0]), r"shape must have sizes of 1 or more"),
        (changed(shape="2x3"), r"shape must be a sequence of integers"),
        (changed(shape=[10**9, 10**9]), r"at most 10000000 cells"),
        (changed(mines=[[0, 3]]), r"cell 0 of mines must lie in"),
        (changed(mines=[[0, 2], [0, 2]]), r"each cell once"),
        (changed(mines=3), "."),
        (changed(mines=[[0, "x"]]), "cell 0 of mines must be coordinates"),
        (changed(flag_limit=-1), "flag_limit must be an integer of 0 or more"),
        (changed(flag_limit="absent"), "'flag_limit' is missing"),
        (changed(moves=[["open", [1, 0]]]), r"move 0 must be one of 'reveal', 'flag', 'chord'\. Got 'open'"),
        (changed(moves=[["reveal", [1, 0]], ["reveal", [1, 0]]]), r"move 1 must change something"),
        (changed(moves=[["reveal", [5, 0]]]), r"cell must lie in"),
        (changed(moves=[["reveal"]]), "."),
        (changed(moves=7), "."),
        (changed(start={"revealed": [[0, 0]]}), "'flagged' is missing"),
        (changed(start={"revealed": [[0, 0]], "flagged": [[0, 0]]}), "flagged must lie on hidden cells"),
        (changed(mines="absent"), "'deal' is missing"),
        (changed(mines="absent", deal=DEAL | {"streams": 2}), r"streams must be version 1\. Got 2"),
        (changed(mines="absent", deal=DEAL | {"mines": 6}), r"mines must be between 0 and 5"),
        (changed(mines="absent", deal=DEAL | {"seed": "x"}), r"seed must be an integer"),
    ],
)
def test_what_is_no_game_is_refused(tmp_path, document, message):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(GOOD))
    assert load(path).status.name == "PLAYING"
    path.write_text(json.dumps(document))
    with pytest.raises(FormatError, match=message) as caught:
        load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe\x00", b"[" * 100_000, b"nonsense"])
def test_what_is_no_document_is_refused(tmp_path, data):
    path = tmp_path / "game.json"
    path.write_bytes(data)
    with pytest.raises(FormatError, match="must hold a JSON document"):
        load(path)


def test_a_file_that_is_not_there_is_the_error_that_it_is(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nothing.json")
