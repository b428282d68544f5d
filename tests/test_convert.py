"""``ndsweep convert``: files from one format to another, and one line for what is wrong."""

import itertools
import re

import pytest

from ndsweep import Board, Game, Position, Spec, load, save
from ndsweep.frontends.cli import main

BOARD = Board.from_coords((2, 3), [(0, 2), (1, 0)])


@pytest.fixture
def convert(tmp_path, capsys, monkeypatch):
    """Runs the command in a folder; gives its exit code and what it said."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main(["convert", *arguments])
        out, err = capsys.readouterr()
        assert out == ""
        return code, err

    return run


def played():
    game = Game(BOARD)
    game.flag((0, 2))
    game.reveal((0, 0))
    return game


def test_a_board_goes_through_every_format_and_back(convert):
    save(BOARD, "a.mbf")
    names = ["a.mbf", "b.json", "c.npz", "d.txt", "e.nested", "f.board", "g.mbf"]
    for source, target in itertools.pairwise(names):
        assert convert(source, target) == (0, "")
        assert load(target) == BOARD
    with open("a.mbf", "rb") as first, open("g.mbf", "rb") as last:
        assert first.read() == last.read()


def test_formats_may_be_named(convert):
    save(BOARD, "a.mbf")
    assert convert("a.mbf", "plain", "--to", "text") == (0, "")
    with open("plain") as file:
        assert file.read() == "1 2 *\n* 2 1\n"
    assert convert("plain", "b", "--from", "text", "--to", "json") == (0, "")
    assert load("b") == BOARD


def test_parts_of_a_game_are_taken_where_they_are_asked_for(convert):
    save(played(), "game.json")
    code, err = convert("game.json", "a.mbf")
    assert code == 2
    assert "Got a Game: game.board has its mines" in err
    assert convert("game.json", "a.mbf", "--take", "board") == (0, "")
    assert load("a.mbf") == BOARD
    assert convert("game.json", "a.mine", "--take", "position") == (0, "")
    assert load("a.mine") == Position.of(played())
    assert convert("game.json", "a.board", "--take", "state") == (0, "")
    assert (str(load("a.board")), load("a.board").moves) == (str(played()), [])


def test_a_flag_limit_is_part_of_the_state_and_not_lost(convert):
    game = Game(BOARD, flag_limit=2)
    game.flag((0, 2))
    save(game, "game.json")
    assert convert("game.json", "b.npz", "--take", "state") == (0, "")
    assert (load("b.npz").flag_limit, load("b.npz").moves) == (2, [])
    code, err = convert("game.json", "a.board", "--take", "state")
    assert (code, "game must have no flag_limit for a .board file" in err) == (2, True)
    assert convert("game.json", "b.json", "--take", "position") == (0, "")
    code, err = convert("game.json", "a.board")
    assert (code, "stands as it does, without them and the flag_limit" in err) == (2, True)


def test_a_target_that_exists_is_replaced_but_never_its_source(convert, tmp_path):
    save(BOARD, "a.mbf")
    (tmp_path / "b.txt").write_text("old")
    assert convert("a.mbf", "b.txt") == (0, "")
    assert load("b.txt") == BOARD
    (tmp_path / "link.json").symlink_to("a.mbf")
    for target in ("a.mbf", "./a.mbf", "link.json"):
        code, err = convert("a.mbf", target)
        assert (code, "TARGET must be another file than SOURCE" in err) == (2, True)
    assert load("a.mbf") == BOARD


def test_what_fails_leaves_the_target_as_it_was(convert, tmp_path):
    save(Position([[1, -1]]), "a.json")
    (tmp_path / "b.mbf").write_bytes(b"old")
    assert convert("a.json", "b.mbf")[0] == 2
    assert (tmp_path / "b.mbf").read_bytes() == b"old"


def test_larger_grids_may_be_allowed(convert):
    save(Board.from_coords((4000, 4000), [(7, 7)]), "a.json")
    code, err = convert("a.json", "b.npz")
    assert (code, "most_cells allows more" in err) == (2, True)
    assert convert("a.json", "b.npz", "--most-cells", "16000000") == (0, "")
    assert load("b.npz", most_cells=16_000_000).n_mines == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.mbf", "b.json"], r"SOURCE 'none\.mbf' cannot be read: No such file"),
        ([".", "b.json"], r"SOURCE '\.' cannot be read: Is a directory"),
        (["bad.mbf", "b.json"], r"'bad\.mbf' must hold a board in MBF\. a header must have 4 bytes\. Got 3"),
        (["a.mbf", "b"], r"TARGET must end in one of \.json, .*\. Got 'b'"),
        (["a.mbf", "b.xml"], r"TARGET must end in one of"),
        (["a.mbf", "none/b.json"], r"TARGET 'none/b\.json' cannot be written: No such file"),
        (["a.mbf", ".", "--to", "json"], r"TARGET must name a file"),
        (["a.mbf", "b", "--to", "xml"], r"--to must be one of json, .* Got 'xml'"),
        (["a.mbf", "b.json", "--from", "mine"], r"byte|line 1 must be width"),
        (["a.mbf", "b.json", "--take", "mines"], r"--take must be one of board, position, state\. Got 'mines'"),
        (["a.mbf", "b.json", "--take", "board"], r"--take board must be of a game\. Got a Board"),
        (["new.json", "b.mbf", "--take", "board"], r"Got a game before its first reveal"),
        (["a.mbf", "b.json", "--most-cells", "x"], r"--most-cells must be an integer"),
        (["a.mbf", "b.json", "--most-cells", "5"], r"shape must have at most 5 cells here"),
        (["a.mbf", "b.json", "--most-cells", "-5"], r"--most-cells must be 0 or more"),
        (["a.mbf", "b.mine"], r"obj must be a Position for a \.mine file\. Got a Board"),
        (["a.mbf"], r"required: TARGET"),
        (["a.mbf", ""], r"TARGET must be the name of a file"),
        (["a.mbf", "b.json", "--to", "mbf"], r"TARGET must not end as another format for --to mbf\. Got 'b\.json'"),
        (["a.mbf", "b.json", "--from", "xml"], r"--from must be one of json, .* Got 'xml'"),
        (["plain", "b.json"], r"'plain' must be in one of the formats"),
        (["", "b.json"], r"SOURCE must be the name of a file"),
    ],
)
def test_what_is_wrong_is_one_line(convert, tmp_path, arguments, message):
    save(BOARD, "a.mbf")
    save(Game.new(Spec((2, 2), 1)), "new.json")
    (tmp_path / "plain").write_text("hello")
    (tmp_path / "bad.mbf").write_bytes(b"\1\1\0")
    code, err = convert(*arguments)
    assert (code, err.count("\n")) == (2, 1)
    assert re.search(message, err), err
    assert not (tmp_path / "b.json").exists()
