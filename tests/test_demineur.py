"""The French console game: actions, ends, on a terminal and through pipes."""

import io
import os
import random
import re
import sys
from types import SimpleNamespace

import pytest
from reference import ReferenceGame
from terminal import Terminal, boards, piped, replayed, sessions, without_reader

from ndsweep.frontends.demineur import main

PROMPT = "Action (O c l, D c l ou Q) :"
MODULE = ("-m", "ndsweep.frontends.demineur")
CORNERS = ["4", "3", "0", "0", "3", "2"]  # mines at (0, 0) and (3, 2)
OPEN_CORNERS = ["M1  ", "1111", "  1M"]
on_unix = pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is needed")


@pytest.fixture
def demineur(monkeypatch, capsys):
    """Runs the command in this process; gives its exit code and what it printed."""

    def run(arguments, *lines):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = main(arguments)
        return code, *capsys.readouterr()

    return run


def without_time(shown):
    return re.sub(r"\d+,\d s", "... s", shown)


# On a terminal -------------------------------------------------------------------------------


@on_unix
def test_the_session_of_the_page_is_what_a_terminal_shows():
    ((command, *arguments), shown), *others = sessions("demineur.md")
    assert (command, others) == ("demineur", [])
    code, replay = replayed([*MODULE, *arguments], shown, re.escape(PROMPT))
    assert code == 0
    assert without_time(replay) == without_time(shown)


@on_unix
def test_the_game_with_mines_in_two_corners_is_won_on_a_terminal():
    with Terminal(*MODULE, *CORNERS) as terminal:
        assert boards(terminal.after(PROMPT, "O 3 0")) == [["....", "....", "...."]]
        assert boards(terminal.after(PROMPT, "D 0 0")) == [[".1  ", ".111", "...."]]
        shown = terminal.after(PROMPT, "o 0 2")
        assert boards(shown) == [["D1  ", ".111", "...."]]
        assert "Drapeaux restants : 1" in shown
        code, end = terminal.end()
    assert code == 0
    assert boards(end) == [["D1  ", "1111", "  1."]]
    assert re.search(r"\nGagné !\nTemps écoulé : \d+,\d s\n$", end)


@on_unix
def test_a_lost_game_on_a_terminal_shows_the_whole_board():
    with Terminal(*MODULE, *CORNERS) as terminal:
        terminal.after(PROMPT, "D 0 0")
        terminal.after(PROMPT, "D 3 0")
        terminal.after(PROMPT, "O 3 2")
        code, end = terminal.end()
    assert code == 0
    assert boards(end) == [OPEN_CORNERS]
    assert re.search(r"\nPerdu : c'était une mine\.\nTemps écoulé : \d+,\d s\n$", end)


@on_unix
def test_an_interrupt_on_a_terminal_ends_in_one_line():
    with Terminal(*MODULE, *CORNERS) as terminal:
        terminal.after(PROMPT, "O 3 0")
        assert terminal.interrupted(PROMPT) == (130, "^C\nPartie interrompue.\n")


@on_unix
def test_the_end_of_input_on_a_terminal_ends_in_one_line():
    with Terminal(*MODULE, *CORNERS) as terminal:
        terminal.after(PROMPT, "O 3 0")
        terminal.after(PROMPT, "\x04", end="")
        assert terminal.end() == (0, "\nFin de l'entrée : partie abandonnée.\n")


@on_unix
def test_a_terminal_may_send_anything():
    with Terminal(*MODULE, *CORNERS) as terminal:
        terminal.after(PROMPT, "\udcff\udcfe 1 1")
        assert "Action inconnue" in terminal.after(PROMPT, "Q")
        assert terminal.end() == (0, "Q\nPartie abandonnée.\n")


# Through pipes -------------------------------------------------------------------------------


def test_pipes_give_whole_lines_without_blanks_at_their_ends():
    ran = piped([*MODULE, *CORNERS], "o 3 0\nO 0 2")
    lines = ran.stdout.decode().splitlines()
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert lines.count(PROMPT) == 2
    assert [line for line in lines if line != line.rstrip()] == []
    assert boards(ran.stdout.decode())[-1] == [".1  ", "1111", "  1."]


@pytest.mark.parametrize("typed", ["", "O 3 0\n", "O 3 0", "O", "\n\n\n"])
def test_the_end_of_input_ends_cleanly(typed):
    ran = piped([*MODULE, *CORNERS], typed)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.decode().endswith(f"{PROMPT}\nFin de l'entrée : partie abandonnée.\n")


def test_bytes_that_are_no_text_are_an_unknown_action():
    ran = piped([*MODULE, *CORNERS], b"\xff\xfe\x00 1 1\nO \xc3 1\nQ\n")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.decode().count("Action inconnue") == 1
    assert ran.stdout.decode().count("deux entiers") == 1


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1:strict"},
    ],
)
def test_a_terminal_without_accents_gets_the_game_all_the_same(environment):
    ran = piped([*MODULE, *CORNERS], "é\nO 0 0\n".encode(), **environment)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert boards(ran.stdout.decode("latin-1"))[-1] == OPEN_CORNERS
    wrong = piped([*MODULE, "0", "1", "1"], **environment)
    assert wrong.returncode == 2
    assert wrong.stderr.count(b"\n") == 1


def test_a_closed_pipe_is_no_traceback():
    assert without_reader([*MODULE, "50", "50", "900"], "D 0 0\n" * 2000) == (1, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a full device is needed")
def test_output_that_cannot_be_written_is_told_in_one_line():
    script = "import sys; sys.stdout = open('/dev/full', 'w'); from ndsweep.frontends.demineur import main; "
    ran = piped(["-c", f"{script}sys.exit(main(['3', '3', '1']))"])
    assert (ran.returncode, ran.stderr.decode()) == (1, "demineur : impossible d'écrire l'affichage\n")


@pytest.mark.parametrize(
    ("stream", "told"), [("stdin", (0, "")), ("stdout", (1, "demineur : impossible d'écrire l'affichage\n"))]
)
def test_a_closed_stream_is_no_traceback(stream, told):
    script = (
        f"import sys; sys.{stream} = None; from ndsweep.frontends.demineur import main; sys.exit(main(['3', '3', '1']))"
    )
    ran = piped(["-c", script], "Q\n")
    assert (ran.returncode, ran.stderr.decode()) == told


def test_a_terminal_that_is_gone_is_the_end_of_input(monkeypatch, capsys):
    class Gone(io.StringIO):
        def readline(self, *_):
            raise OSError(5, "Input/output error")

    monkeypatch.setattr("sys.stdin", Gone())
    assert main(CORNERS) == 0
    assert capsys.readouterr().out.endswith("Fin de l'entrée : partie abandonnée.\n")


# Actions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "Action inconnue. Attendu : O c l (ouvrir), D c l (drapeau) ou Q (quitter)."),
        ("X 0 0", "Action inconnue."),
        ("0 0", "Action inconnue."),
        ("OO 0 0", "Action inconnue."),
        ("Q 0", "Action inconnue."),
        ("Quitter", "Action inconnue."),
        ("O 2 0" + " " * 3000 + "x", "Action inconnue."),
        ("x" + " " * 2500 + "O 2 0", "Action inconnue."),
        ("O" * 100_000, "Action inconnue."),
        ("O", "Attendu après O : deux entiers, la colonne et la ligne, et rien d'autre."),
        ("O 1", "Attendu après O : deux entiers"),
        ("d 1", "Attendu après D : deux entiers"),
        ("O 2 0 0", "Attendu après O : deux entiers"),
        ("O 2 0 Q", "Attendu après O : deux entiers"),
        ("O a b", "Attendu après O : deux entiers"),
        ("O 2,0", "Attendu après O : deux entiers"),
        ("O 2 1.0", "Attendu après O : deux entiers"),
        ("O 4 0", "La case (4, 0) est hors du plateau : colonne de 0 à 3, ligne de 0 à 2."),
        ("O 0 3", "La case (0, 3) est hors du plateau"),
        ("O -1 0", "La case (-1, 0) est hors du plateau"),
        ("D 0 -1", "La case (0, -1) est hors du plateau"),
        ("D 4 0", "La case (4, 0) est hors du plateau"),
        ("O 0 99999999999999999999", "La case (0, 99999999999999999999) est hors du plateau"),
        ("O 1 1", "La case (1, 1) est déjà ouverte."),
        ("D 1 1", "La case (1, 1) est déjà ouverte."),
        ("O 0 0", "La case (0, 0) porte un drapeau : D 0 0 le retire."),
        ("D 0 2", "Il ne reste pas de drapeau."),
    ],
)
def test_what_cannot_be_done_is_said_and_asked_again(demineur, line, message):
    before = ["O 1 1", "D 0 0", "D 3 2"]
    code, out, err = demineur(CORNERS, *before, line, "D 0 0", "Q")
    last = out.split("Drapeaux restants : 0\n")[1].split("\n\n")[0]
    assert (code, err) == (0, "")
    assert last.startswith(f"{PROMPT}\n{message}")
    assert last.endswith(f"\n{PROMPT}")
    assert last.count("\n") == 2
    assert boards(out)[-2:] == [["D...", ".1..", "...D"], ["....", ".1..", "...D"]]


@pytest.mark.parametrize("line", ["O 3 0", "o 3 0", "  O   3 0  ", "\tO\t3\t0", "O 3 +0", "O 03 00", "O 3\u00a00"])
def test_an_action_is_one_line_in_either_case_with_any_blanks(demineur, line):
    assert boards(demineur(CORNERS, line, "q")[1])[-1] == [".1  ", ".111", "...."]


def test_flags_are_set_and_removed_and_never_more_than_mines(demineur):
    _, out, _ = demineur(CORNERS, "D 1 0", "D 2 0", "D 3 0", "D 1 0", "D 3 0", "Q")
    assert re.findall(r"restants : (\d+)", out) == ["2", "1", "0", "1", "0"]
    assert out.count("Il ne reste pas de drapeau.") == 1
    assert boards(out)[-1] == ["..DD", "....", "...."]
    assert all("".join(board).count("D") <= 2 for board in boards(out))


def test_a_flag_on_an_open_cell_is_told_as_such_even_without_flags_left(demineur):
    _, out, _ = demineur(["3", "1", "2", "0"], "D 2 0", "O 1 0", "D 1 0", "Q")
    assert "La case (1, 0) est déjà ouverte." in out
    assert "Il ne reste pas" not in out


def test_zeros_open_their_neighbours_but_neither_open_nor_pass_a_flag(demineur):
    _, out, _ = demineur(["7", "1", "0", "0"], "D 3 0", "O 6 0", "Q")
    assert boards(out)[-1] == ["...D   "]


def test_a_game_that_is_left_says_so(demineur):
    code, out, _ = demineur(CORNERS, "Q", "O 0 0")
    assert code == 0
    assert out.endswith(f"{PROMPT}\nPartie abandonnée.\n")


# Ends ----------------------------------------------------------------------------------------


def test_a_loss_shows_mines_under_flags_and_what_is_under_wrong_flags(demineur):
    _, out, _ = demineur(CORNERS, "D 0 0", "D 3 0", "O 3 2")
    assert boards(out)[-2:] == [["D..D", "....", "...."], OPEN_CORNERS]


def test_a_win_shows_the_board_as_it_stands(demineur):
    _, out, _ = demineur(CORNERS, "D 3 2", "O 0 2", "O 3 0")
    assert boards(out)[-1] == [".1  ", "1111", "  1D"]
    assert "Gagné" in out


@pytest.mark.parametrize(("seconds", "shown"), [(12.34, "12,3"), (0.04, "0,0"), (3599.96, "3600,0")])
@pytest.mark.parametrize(("line", "word"), [("O 2 0", "Gagné !"), ("O 0 0", "Perdu : c'était une mine.")])
def test_both_ends_show_the_time_of_the_monotonic_clock(demineur, monkeypatch, seconds, shown, line, word):
    readings = iter([1000.0, 1000.0 + seconds])
    clock = SimpleNamespace(monotonic=readings.__next__)
    monkeypatch.setattr("ndsweep.frontends.demineur.time", clock)
    _, out, _ = demineur(["3", "1", "0", "0"], line)
    assert out.endswith(f"\n{word}\nTemps écoulé : {shown} s\n")
    assert list(readings) == []


@pytest.mark.parametrize(
    ("arguments", "lines", "last", "won"),
    [
        ("1 1 0", ["O 0 0"], [" "], True),
        ("1 1 1", [], ["."], True),
        ("1 1 0 0", [], ["."], True),
        ("3 2 6", [], ["...", "..."], True),
        ("3 2 0", ["O 1 1"], ["   ", "   "], True),
        ("2 1 0 0", ["O 0 0"], ["M1"], False),
        ("1 3 0 2", ["O 0 0"], [" ", "1", "."], True),
    ],
)
def test_small_and_full_boards(demineur, arguments, lines, last, won):
    code, out, err = demineur(arguments.split(), *lines)
    assert (code, err) == (0, "")
    assert boards(out)[-1] == last
    assert out.count(PROMPT) == len(lines)
    assert ("Gagné" in out, "Perdu" in out) == (won, not won)


def test_no_mines_no_flags(demineur):
    _, out, _ = demineur(["2", "2", "0"], "D 0 0", "O 0 0")
    assert "Drapeaux restants : 0\n" in out
    assert "Il ne reste pas de drapeau." in out


def test_a_board_of_a_hundred_by_a_hundred_has_its_numbers_above_below_and_at_the_left(demineur):
    _, out, _ = demineur(["100", "100", "99", "98"], "D 98 97", "O 0 0")
    first, flagged, last = boards(out)
    assert {len(board) for board in (first, flagged, last)} == {100}
    assert {len(line) for line in last} == {100}
    assert flagged[97][98] == "D"
    assert (last[97][98], last[97][99], last[98][99], last[99][99], last[0][0]) == ("D", "1", ".", ".", " ")
    lines = out.split("\n\n")[1].splitlines()
    tens, units = lines[:2]
    assert [tens[5::2][c] + units[5::2][c] for c in range(100)] == [f"{c:2}" for c in range(100)]
    assert [line[:2] for line in lines[3:103]] == [f"{c:2}" for c in range(100)]
    assert lines[104:106] == [tens, units]


# Random mines --------------------------------------------------------------------------------

EVERY_CELL = "".join(f"O {column} {line}\n" for column in range(12) for line in range(9))


def test_random_mines_are_as_many_as_asked_for_and_differ_between_runs():
    shown = [piped([*MODULE, "12", "9", "50"], EVERY_CELL).stdout.decode() for _ in range(3)]
    ends = [boards(out)[-1] for out in shown]
    assert all("Perdu" in out for out in shown)
    assert [sum(line.count("M") for line in end) for end in ends] == [50, 50, 50]
    assert len({tuple(end) for end in ends}) == 3


# Against the reference -----------------------------------------------------------------------

SIGNS = {-1: ".", -2: "D", -3: "M", 0: " "}


@pytest.mark.parametrize("seed", range(20))
def test_whole_games_show_what_the_reference_says(demineur, seed):
    rng = random.Random(seed)
    columns, lines = rng.randint(1, 8), rng.randint(1, 8)
    cells = [(line, column) for line in range(lines) for column in range(columns)]
    mines = rng.sample(cells, rng.randint(1, max(1, len(cells) // 5)))
    game, typed, expected = ReferenceGame((lines, columns), mines, flag_limit=len(mines)), [], []
    for _ in range(60):
        line, column = rng.choice(cells)
        action = rng.choice("OD")
        typed.append(f"{action} {column} {line}")
        if (game.reveal if action == "O" else game.flag)((line, column)):
            expected.append([SIGNS.get(code, str(code)) for code in game.view()])
    _, out, _ = demineur([str(x) for x in (columns, lines, *(x for cell in mines for x in cell[::-1]))], *typed)
    shown = [list("".join(board)) for board in boards(out)][1:]
    assert ("Perdu" in out) == bool(game.opened & game.mines)
    if "Perdu" in out:
        expected[-1] = [
            "M" if cell in game.mines else SIGNS.get(game.hints[cell], str(game.hints[cell])) for cell in cells
        ]
    assert shown == expected
