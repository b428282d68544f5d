"""``ndsweep play``: any dimension in the terminal, hints that hold, files, and every odd answer."""

import io
import re
import subprocess
import sys

import numpy as np
import pytest
from terminal import Terminal, piped, replayed, sessions

from ndsweep import (
    HIDDEN,
    Board,
    Game,
    Position,
    Spec,
    SpecError,
    Status,
    TooLargeError,
    deduce,
    load,
    mine_probability,
    save,
)
from ndsweep.frontends.cli import main
from ndsweep.frontends.panels import panels
from ndsweep.frontends.play import play
from ndsweep.render import view_cells

on_unix = pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is needed")
CLOSED = "import sys; sys.stdout = None; from ndsweep.frontends.cli import main; raise SystemExit(main(['play']))"
CUBE = Board.from_coords((3, 3, 3), [(0, 0, 0)])


@pytest.fixture
def played(monkeypatch, capsys):
    """Plays in this process; gives what was shown after each line that was typed."""

    def run(game, *lines):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = play(game)
        out, err = capsys.readouterr()
        assert (code, err) == (0, "")
        return out.split("\n>\n")

    return run


def text_of(view, width=80):
    """A view in panels."""
    return panels(np.array(view_cells(view), dtype=object).reshape(view.shape), width)


# On a terminal ---------------------------------------------------------------------------------


@on_unix
def test_the_session_of_the_page_is_what_a_terminal_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ((command, *arguments), shown), *others = sessions("play.md")
    assert (command, others) == ("ndsweep", [])
    assert replayed(["-m", "ndsweep", *arguments], shown, ">") == (0, shown)
    assert load("game.json").moves[-1] == ("chord", (1, 0, 0))


@on_unix
def test_hints_alone_win_a_game_on_a_terminal():
    """From one opening on, a player who does what the hints say: flags, and opens, to the end."""
    with Terminal("-m", "ndsweep", "play", "5x5", "--mines", "3", "--seed", "2") as terminal:
        terminal.after(">", "0 0")
        for _ in range(40):
            shown = terminal.after(">", "h")
            if "Won" in shown:
                break
            cell, what = re.search(r"\((\d, \d)\) is (safe|a mine): ", terminal.after(">", "")).groups()
            terminal.after(">", ("f " if what == "a mine" else "") + cell)
        assert "Won after" in shown
        terminal.after(">", "q")
        assert terminal.end()[0] == 0


@on_unix
@pytest.mark.parametrize(("key", "code", "said"), [("\x03", 130, "Interrupted."), ("\x04", 0, "")])
def test_interrupts_and_the_end_of_input_are_no_traceback(key, code, said):
    with Terminal("-m", "ndsweep", "play", "2x2x2", "--mines", "1") as terminal:
        terminal.after(">", key, end="")
        ended, shown = terminal.end()
    assert (ended, shown.replace("^C", "").strip()) == (code, said)


def test_pipes_and_odd_bytes():
    done = piped(("-m", "ndsweep", "play", "9", "--mines", "1", "--seed", "1"), b"\xff\xfe\n" + b"1 " * 5000 + b"\nq\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"1 coordinates name a cell") == 1
    assert done.stdout.count(b"1 mine, 0 flags") == 2  # a line that is too long is none


# Moves -----------------------------------------------------------------------------------------


def test_cells_open_by_their_coordinates(played):
    _, shown, *_ = played(Game(CUBE), "2,2 2", "q")
    assert text_of(Game(CUBE).view) not in shown
    game = Game(CUBE)
    game.reveal((2, 2, 2))
    assert text_of(game.view).replace("#", "*") in shown
    assert shown.rstrip().endswith("n for a new game, q to quit.")
    assert "Won after" in shown


def test_a_loss_shows_all_mines_and_where_it_was(played):
    game = Game(Board.from_coords((2, 4), [(0, 0), (1, 3)]))
    _, flagged, lost, *_ = played(game, "f 1 2", "o 1 3", "q")
    assert "2 mines, 1 flag\n" in flagged + "\n"
    assert "0   * # # #\n1   # # ! X\n" in lost
    assert re.search(r"Lost at \(1, 3\) after \d+\.\d s: X the mine that was opened, \* others, ! a flag on none", lost)


def test_the_rules_are_those_of_the_game(played):
    game = Game(Board.from_coords((3, 3), [(0, 0), (2, 2)]))
    answers = played(game, "1 1", "c 1 1", "1 1", "f 0 0", "0 0", "f 2 2", "c 1 1", "0 1", "f 0 1", "q")
    assert answers[2].startswith("A chord is for an open number")
    assert answers[3] == "(1, 1) is open already."
    assert answers[5] == "(0, 0) has a flag: f takes it away."
    assert "Won after" in answers[7]
    assert answers[8] == answers[9] == "The game is over: n for a new one."
    assert [kind for kind, _ in game.moves] == ["reveal", "flag", "flag", "chord"]


def test_a_new_game_is_the_next_of_its_seed(played, tmp_path):
    for number, path in enumerate((tmp_path / "0", tmp_path / "1")):
        played(Game.new(Spec((4, 4), 3), seed=9), *["n"] * number, "1 1", f"s {path}", "q")
        expected = Game.new(Spec((4, 4), 3), seed=9, game=number)
        expected.reveal((1, 1))
        assert load(path).board == expected.board


def test_a_new_game_after_a_loaded_board_is_of_the_same_kind(played):
    answers = played(Game(CUBE), "n", "2 2 2", "q")
    assert "1 mine, 0 flags" in answers[1]
    full = played(Game(Board(np.ones((1, 2), dtype=bool))), "n", "q")
    assert "Won.\n" in full[1]


def test_an_empty_line_shows_the_game_again(played):
    answers = played(Game(CUBE), "0 0 1", "", "  ", "q")
    assert answers[1] == answers[2] == answers[3]
    assert "1 mine, 0 flags" in answers[1]


@pytest.mark.parametrize("line", ["x", "1 1", "1 1 1 1", "f", "f 1 1", "1.5 1 1", "o", "fly me", "1_0 1 1"])
def test_what_names_no_cell_is_told(played, line):
    assert played(Game(CUBE), line, "q")[1] == "3 coordinates name a cell, such as 1 1 1. ? tells the commands."


@pytest.mark.parametrize("line", ["3 0 0", "f -1 0 0", "c 0 0 99999999999999999999"])
def test_a_cell_outside_is_told(played, line):
    assert re.match(r"cell must lie in 0\.\.2 x 0\.\.2 x 0\.\.2\. Got \(", played(Game(CUBE), line, "q")[1])


def test_help_tells_every_command(played):
    _, text, *_ = played(Game(CUBE), "?", "QUIT")
    assert [line.split()[0] for line in text.splitlines()] == ["CELL", "f", "c", "h", "n", "s", "l", "q", "?", "an"]


# Hints -----------------------------------------------------------------------------------------


def test_hints_name_wrong_flags_first_then_safe_cells_then_mines(played):
    game = Game(Board.from_coords((1, 6), [(0, 2), (0, 5)]))
    game.reveal((0, 0))  # . 1 # # # #
    game.flag((0, 3))
    assert played(game, "h", "q")[1].startswith("(0, 2) is a mine: the 1 at (0, 1) has no other hidden neighbour. Flag")
    game = Game(Board.from_coords((3, 4), [(0, 0), (0, 3)]))
    game.reveal((2, 0))
    game.reveal((2, 3))
    game.flag((0, 1))
    hint = played(game, "h", "q")[1]
    proved = re.match(r"\(0, (\d)\) is safe: .* Take the flag away\.", hint)
    assert (proved is None) or proved.group(1) == "1"


def test_a_flag_on_a_safe_cell_is_told(played):
    game = Game(Board.from_coords((1, 5), [(0, 0)]))
    game.reveal((0, 1))
    game.reveal((0, 3))
    game = Game.resume(game.board, np.array([[False, True, False, False, True]]), np.array([[0, 0, 0, 1, 0]], bool))
    assert played(game, "h", "q")[1] == "(0, 3) is safe: the 0 at (0, 4) has no mines. Take the flag away."


def test_hints_where_nothing_is_open_or_left(played):
    answers = played(Game(CUBE), "h", "0 0 1", "h", "2 2 2", "h", "q")
    assert answers[1] == "Nothing is open yet, and nothing is proved: open any cell."
    assert answers[3] == (
        "(0, 2, 0) is safe: were it a mine, the 1 at (0, 0, 1) and the 1 mine of the grid could not both hold. Open it."
    )
    assert answers[5] == "The game is over: n for a new one."
    game = Game.resume(Board.from_coords((1, 8), [(0, 1)]), np.arange(8)[None] == 0)
    hint = "(0, 2) is safe: all mines are known, 1 of them. Open it."
    assert played(game, "h", "q")[1] == hint


def test_where_nothing_is_proved_the_least_likely_mine_is_named(played):
    """1 # / # #: a mine in one of three; a flag alone says nothing, but another cell is as good."""
    game = Game(Board.from_coords((2, 2), [(1, 1)]))
    answers = played(game, "0 0", "h", "f 0 1", "h", "q")
    assert answers[2] == "Nothing more is proved. (0, 1) is the least likely mine: 33.3 %."
    assert answers[4] == "Nothing more is proved. (1, 0) is the least likely mine: 33.3 %."
    seven = played(Game(Board.from_coords((2,) * 7, [5, 9, 77])), "0 0 0 0 0 0 0", "h", "q")[2]
    assert seven == "Nothing more is proved. (0, 0, 0, 0, 0, 0, 1) is the least likely mine: 2.4 %."


def test_hints_prove_by_contradiction_what_pairs_do_not(played):
    """. 1 # / 1 2 # / # # #: the 1s leave no mine of the 2 for the corner."""
    game = Game(Board.from_coords((3, 3), [(0, 2), (2, 0)]))
    hint = played(game, "0 0", "h", "q")[2]
    assert hint == (
        "(2, 2) is safe: were it a mine, the 1 at (0, 1), the 1 at (1, 0) and the 2 at (1, 1) could not all hold."
        " Open it."
    )


def test_a_hint_beyond_the_budget_says_so(played, monkeypatch):
    def refuse(*args):
        raise TooLargeError("no estimate")

    monkeypatch.setattr("ndsweep.deduce", lambda *args: deduce(*args, budget=1))
    monkeypatch.setattr("ndsweep.mine_probability", lambda *args: mine_probability(*args, budget=2))
    game = Game(Board.from_coords((3, 3), [(0, 2), (2, 0)]))
    hint = played(game, "0 0", "h", "q")[2]
    assert re.fullmatch(r"Nothing more was found\. \(\d, \d\) is the least likely mine: about \d+\.\d %\.", hint)
    monkeypatch.setattr("ndsweep.mine_probability", refuse)
    hint = played(game, "h", "q")[1]
    assert hint == "Nothing more was found, and there are too many layouts to say more: guess."


# Files -----------------------------------------------------------------------------------------


def test_files_that_cannot_be_had_are_told(played, tmp_path):
    (tmp_path / "text").write_text("no game")
    lines = (
        "s",
        "l",
        f"s {tmp_path}/none/game",
        f"l {tmp_path}/none",
        f"s {tmp_path}",
        f"l {tmp_path}/text",
        "s .",
        "q",
    )
    _, *answers = played(Game(CUBE), *lines)
    assert answers[:2] == ["s takes the name of a file.", "l takes the name of a file."]
    assert answers[2].endswith("No such file or directory.")
    assert answers[2].startswith("Cannot write")
    assert answers[3].startswith("Cannot read")
    assert answers[4].startswith("path must name a file") == answers[6].startswith("path must name a file") is True
    assert "must be in one of the formats" in answers[5]


def test_any_name_will_do_for_a_saved_game(played, tmp_path):
    assert played(Game(CUBE), "f 0 0 0", f"s {tmp_path}/game.txt", "q")[2] == f"Saved to {tmp_path}/game.txt."
    assert load(tmp_path / "game.txt").moves == [("flag", (0, 0, 0))]


def test_a_board_in_a_file_is_played_and_a_position_is_not(played, tmp_path):
    save(CUBE, tmp_path / "cube.txt")
    assert "\nWon after" in "".join(played(Game.new(Spec((2, 2), 1)), f"l {tmp_path}/cube.txt", "2 2 2", "q"))
    save(Position([[1, -1]]), tmp_path / "view.txt")
    assert "must hold a game or a board. Got a position" in played(Game(CUBE), f"l {tmp_path}/view.txt", "q")[1]


def test_a_saved_game_goes_on_from_the_command_line(tmp_path, monkeypatch, capsys):
    game = Game(CUBE)
    game.flag((0, 0, 0))
    save(game, tmp_path / "game")
    monkeypatch.setattr("sys.stdin", io.StringIO("2 2 2\nq\n"))
    assert main(["play", "--load", str(tmp_path / "game")]) == 0
    assert "Won after" in capsys.readouterr().out


def test_a_file_may_be_at_home_and_must_not_be_too_large(played, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert played(Game(CUBE), "s ~/game", "q")[1] == "Saved to ~/game."
    save(Game.new(Spec((400, 400), 5)), tmp_path / "large")
    assert "at most 100000 cells here" in played(Game(CUBE), "l ~/large", "q")[1]
    assert main(["play", "--load", str(tmp_path / "large")]) == 2


def test_a_finished_game_is_loaded_without_a_time(played, tmp_path):
    game = Game(CUBE)
    game.reveal((2, 2, 2))
    save(game, tmp_path / "game")
    assert "\nWon.\n" in played(Game(CUBE), f"l {tmp_path}/game", "q")[1]


def test_output_that_is_closed_is_told():
    done = subprocess.run([sys.executable, "-P", "-c", CLOSED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "ndsweep: error: cannot write: standard output is closed\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["9x9", "--load", "/nothing/here"], r"--load takes the game from a file, without kind\. Got '9x9'"),
        (["--seed", "zzz", "--load", "/nothing/here"], r"without seed\. Got 'zzz'"),
        (["٣x٣", "--mines", "1"], r"sizes such as 16x30"),
        (["--load", "/nothing/here"], r"--load must name a file that can be read\. /nothing/here: No such file"),
        (["--load", "/dev/null"], "must be in one of the formats"),
        (["8x8x8"], r"--mines is needed with a shape"),
        (["8x8x8", "--mines", "512"], r"mines must be between 0 and 511"),
        (["400x400", "--mines", "9"], r"in the terminal must have at most 100000 cells\. Got 160000"),
        (["--seed", "x"], r"--seed must be an integer"),
    ],
)
def test_what_cannot_be_played_is_one_line(capsys, arguments, message):
    assert main(["play", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert re.search(message, err)


def test_the_engine_says_how_large_a_game_may_be():
    with pytest.raises(SpecError, match="at most 100000 cells"):
        play(Game.new(Spec((400, 400), 1)))


# Panels ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(7,), (12, 3), (2, 3, 4), (2, 2, 3, 11), (1, 2, 1, 2, 2)])
@pytest.mark.parametrize("width", [1, 60, 500])
def test_panels_show_every_cell_once_under_its_number(shape, width):
    view = np.arange(np.prod(shape)).reshape(shape) - 3
    text = text_of(view, width)
    flat = view.reshape(-1, *((1, *shape)[-2:]))
    for title, cells in zip(np.ndindex(*shape[:-2]), flat, strict=True):
        alone = text_of(cells if len(shape) > 1 else cells[0], 500).splitlines()
        assert len(alone) == len(cells) + 1
        assert len(shape) <= 2 or str(list(title)) in text
    numbers = [int(word) for word in re.findall(r"\b\d+\b", re.sub(r"\[.*?\]", "", text))]
    assert set(range(1, view.max() + 1)) <= set(numbers)
    assert (text.count("#"), text.count("F"), text.count("*"), text.count(".")) == (1, 1, 1, 1)
    alone = max(map(len, text_of(view, 1).splitlines()))
    assert max(map(len, text.splitlines())) <= max(width, alone)


def test_hidden_cells_stay_hidden():
    assert text_of(np.full((2, 2), HIDDEN)).split() == ["0", "1", "0", "#", "#", "1", "#", "#"]
    assert Game(CUBE).status == Status.PLAYING
