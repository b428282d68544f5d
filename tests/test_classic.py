"""The 9x9 console game: menu, answers, ends, on a terminal and through pipes."""

import io
import re
import sys

import numpy as np
import pytest
from terminal import Terminal, boards, piped, replayed, sessions, without_reader

from ndsweep import BEGINNER, Board, Game, Status
from ndsweep.frontends.classic import play

MENU, BOTH, COLUMN = "Your choice:", "Row and column (1 to 9):", "Column (1 to 9):"
SCRIPT = ("-c", "from ndsweep.frontends.classic import play; raise SystemExit(play(seed=124))")
FIRST = Board.deal(BEGINNER, seed=124, game=0, first_cell=(4, 4))  # that of the page: won by three checks
WIN = ("1", "5 5", "6 9", "7 6")
UNCHECKED = ["*" * 9] * 9
on_unix = pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is needed")


@pytest.fixture
def classic(monkeypatch, capsys):
    """Plays in this process; gives the exit code and what was shown."""

    def run(*lines, seed=124):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = play(seed)
        out, err = capsys.readouterr()
        assert err == ""
        return code, out

    return run


def with_mines(view, mines):
    """The lines of a board at the end of a game."""
    signs = np.where(mines, "X", np.where(view < 0, "*", np.where(view == 0, " ", view.astype(str))))
    return ["".join(line) for line in signs]


# On a terminal -------------------------------------------------------------------------------


@on_unix
def test_the_session_of_the_page_is_what_a_terminal_shows():
    ((command, *arguments), shown), *others = sessions("classic.md")
    assert (command, others) == ("ndsweep", [])
    prompts = "|".join(re.escape(prompt) for prompt in (MENU, BOTH, COLUMN))
    assert replayed(["-m", "ndsweep", *arguments], shown, prompts) == (0, shown)


@on_unix
def test_a_game_is_won_and_the_next_one_lost_on_a_terminal():
    mined = next(zip(*np.nonzero(Board.deal(BEGINNER, seed=124, game=1, first_cell=(0, 0)).mines), strict=True))
    with Terminal(*SCRIPT) as terminal:
        assert "1  play\n0  quit\n" in terminal.after(MENU, WIN[0])
        for line in WIN[1:]:
            terminal.after(BOTH, line)
        won = terminal.after(MENU, "1")
        assert boards(terminal.after(BOTH, "1 1")) == [UNCHECKED]
        terminal.after(BOTH, f"{mined[0] + 1} {mined[1] + 1}")
        lost = terminal.after(MENU, "0")
        assert terminal.end() == (0, "0\n")
    assert "\nYou win!\n" in won
    assert boards(won) == [with_mines(FIRST.hints.astype(int), FIRST.mines)]
    assert "\nA mine! You lose.\n" in lost
    assert sum(line.count("X") for line in boards(lost)[0]) == 10


@on_unix
@pytest.mark.parametrize("answers", [[], [(MENU, "1")], [(MENU, "1"), (BOTH, "5")]])
def test_interrupts_and_the_end_of_input_end_in_one_line(answers):
    prompt = (MENU, BOTH, COLUMN)[len(answers)]
    for interrupt in (False, True):
        with Terminal(*SCRIPT) as terminal:
            for asked, typed in answers:
                terminal.after(asked, typed)
            if interrupt:
                assert terminal.interrupted(prompt) == (130, "^C\nInterrupted.\n")
            else:
                terminal.after(prompt, "\x04", end="")
                assert terminal.end() == (0, "\nEnd of input.\n")


# Through pipes -------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["", "x", "1", "1\n", "1\n5", "1\n5 5\n", "1\n\n"])
def test_the_end_of_input_ends_cleanly(typed):
    ran = piped(SCRIPT, typed)
    lines = ran.stdout.decode().splitlines()
    assert (ran.returncode, ran.stderr, lines[-1]) == (0, b"", "End of input.")
    assert [line for line in lines if line != line.rstrip()] == []


@pytest.mark.parametrize("environment", [{}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_bytes_that_are_no_text_are_input_errors(environment):
    ran = piped(SCRIPT, b"\xff\n1\n\xc3 \xfe\n\xe9\n5\n\xff\n5\n", **environment)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.count(b"Input error") == 4


def test_a_closed_pipe_is_no_traceback():
    assert without_reader(SCRIPT, "1\n" + "5 5\n" * 5000) == (1, "")


# Menu ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["2", "-1", "a", "play", "", " ", "1 0", "01", "1.0", "10", "é", "1" * 5000])
def test_anything_but_1_and_0_is_an_input_error_and_asked_again(classic, line):
    code, out = classic(line, "0")
    assert code == 0
    assert out.endswith(f"{MENU}\nInput error: 1 or 0, please.\n{MENU}\n")
    assert boards(out) == []


@pytest.mark.parametrize("line", ["0", " 0 ", "0\t"])
def test_0_quits(classic, line):
    assert classic(line, "1") == (0, f"\nMinesweeper\n1  play\n0  quit\n{MENU}\n")


# Answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "message", "prompt"),
    [
        (["0 5"], "Out of range: 1 to 9, please.", BOTH),
        (["5 10"], "Out of range: 1 to 9, please.", BOTH),
        (["-5 5"], "Out of range: 1 to 9, please.", BOTH),
        (["10"], "Out of range: 1 to 9, please.", BOTH),
        (["5", "0"], "Out of range: 1 to 9, please.", COLUMN),
        (["a 5"], "Input error: a row and a column, please.", BOTH),
        (["5 five"], "Input error: a row and a column, please.", BOTH),
        (["5 5 5"], "Input error: a row and a column, please.", BOTH),
        (["5.0 5"], "Input error: a row and a column, please.", BOTH),
        (["5,5"], "Input error: a row and a column, please.", BOTH),
        ([""], "Input error: a row and a column, please.", BOTH),
        (["5 " * 5000], "Input error: a row and a column, please.", BOTH),
        (["9" * 5000], "Input error: a row and a column, please.", BOTH),
        (["5", "x"], "Input error: a column, please.", COLUMN),
        (["5", ""], "Input error: a column, please.", COLUMN),
        (["5", "5 5"], "Input error: a column, please.", COLUMN),
        (["3 3"], "Already checked.", BOTH),
        (["3", "3"], "Already checked.", BOTH),
    ],
)
def test_a_wrong_answer_is_said_and_asked_again(classic, lines, message, prompt):
    code, out = classic("1", "3 3", *lines)
    assert code == 0
    assert out.endswith(f"\n{message}\n{prompt}\nEnd of input.\n")
    assert len(boards(out)) == 2  # at the start and after the first check


@pytest.mark.parametrize("lines", [["4 7"], ["4", "7"], ["  4\t7 "], ["x", "4", "0", "7"], ["4 0", "4 7"]])
def test_a_cell_is_named_on_one_line_or_on_two_row_first(classic, lines):
    game = Game.new(BEGINNER, seed=5)
    game.reveal((3, 6))
    _, out = classic("1", *lines, seed=5)
    assert boards(out) == [UNCHECKED, with_mines(game.view, False)]


def test_rows_and_columns_are_numbered_from_1_to_9(classic):
    lines = classic("1")[1].split("\n\n")[1].splitlines()
    assert lines[0] == "    1 2 3 4 5 6 7 8 9"
    assert [line[0] for line in lines[2:11]] == list("123456789")


# Games ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(25))
def test_whole_games_follow_the_engine(classic, seed):
    """Checks cell after cell: the same cells as a game of the engine opens, to the same end."""
    game, lines = Game.new(BEGINNER, seed=seed), []
    shown = [with_mines(game.view, False)]
    for place in np.random.default_rng(seed).permutation(81):
        lines.append(f"{place // 9 + 1} {place % 9 + 1}")
        if game.status == Status.PLAYING and game.reveal(int(place)):
            shown.append(with_mines(game.view, game.board.mines if game.status else False))
        if game.status:
            break
    code, out = classic("1", *lines, "0", seed=seed)
    assert code == 0
    assert boards(out) == shown
    assert sum(line.count("X") for line in shown[-1]) == 10
    assert ("You win!" in out, "You lose" in out) == (game.status == Status.WON, game.status == Status.LOST)
    assert out.count(MENU) == 2


@pytest.mark.parametrize("cell", [(1, 1), (9, 9), (5, 1)])
def test_the_first_cell_is_never_a_mine(classic, cell):
    for seed in range(30):
        assert "You lose" not in classic("1", f"{cell[0]} {cell[1]}", seed=seed)[1]


def test_games_without_a_seed_differ(classic):
    shown = [boards(classic("1", "5 5", "1 1", "1 9", "9 1", "9 9", seed=None)[1])[-1] for _ in range(4)]
    assert len({tuple(board) for board in shown}) > 1


def test_the_games_of_one_visit_differ(classic):
    _, out = classic(*WIN, *WIN, *WIN)
    ends = re.findall(r"You win!|You lose", out)
    assert ends[0] == "You win!"
    assert len({tuple(board) for board in boards(out)}) > len(WIN) + 1
