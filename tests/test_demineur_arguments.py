"""The arguments of the French console game: the two modes, and what is wrong."""

import re

import numpy as np
import pytest
from terminal import piped

from ndsweep import Board, Spec
from ndsweep.frontends.demineur import board_of, main

MODULE = ("-m", "ndsweep.frontends.demineur")
OUTSIDE = "hors du plateau : colonne de 0 à 3, ligne de 0 à 2"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "nombre d'arguments incorrect (0) : il faut demineur C L M, ou demineur C L c1 l1 c2 l2 ..."),
        ("4", "nombre d'arguments incorrect (1)"),
        ("4 3", "nombre d'arguments incorrect (2)"),
        ("4 3 0 0 1", "nombre d'arguments incorrect (5)"),
        ("4 3 0 0 1 1 2", "nombre d'arguments incorrect (7)"),
        ("a 3 2", "les arguments doivent être des entiers, pas 'a'"),
        ("4 3.0 2", "les arguments doivent être des entiers, pas '3.0'"),
        ("4 3 deux", "les arguments doivent être des entiers, pas 'deux'"),
        ("4 3 1_0", "les arguments doivent être des entiers, pas '1_0'"),
        ("4 3 ٣", "les arguments doivent être des entiers, pas '٣'"),
        ("4 3 0 0 1 x", "les arguments doivent être des entiers, pas 'x'"),
        ("4 3 --seed 1", "les arguments doivent être des entiers, pas '--seed'"),
        ("4 3 " + "9" * 5000, "les arguments doivent être des entiers, pas '" + "9" * 40 + "'"),
        ("0 3 0", "le nombre de colonnes C doit être entre 1 et 100, pas 0"),
        ("101 3 2", "le nombre de colonnes C doit être entre 1 et 100, pas 101"),
        ("-4 3 2", "le nombre de colonnes C doit être entre 1 et 100, pas -4"),
        ("4 0 0", "le nombre de lignes L doit être entre 1 et 100, pas 0"),
        ("4 101 0 0", "le nombre de lignes L doit être entre 1 et 100, pas 101"),
        ("4 3 13", "le nombre de mines M doit être entre 0 et 12, pas 13"),
        ("4 3 -1", "le nombre de mines M doit être entre 0 et 12, pas -1"),
        ("4 3 0 0 4 0", f"la mine (4, 0) est {OUTSIDE}"),
        ("4 3 0 3", f"la mine (0, 3) est {OUTSIDE}"),
        ("4 3 -1 0", f"la mine (-1, 0) est {OUTSIDE}"),
        ("4 3 0 -1", f"la mine (0, -1) est {OUTSIDE}"),
        ("4 3 3 2 0 0 3 2", "la mine (3, 2) est donnée deux fois"),
    ],
)
def test_what_is_wrong_with_the_arguments_is_one_line_on_standard_error(capsys, arguments, message):
    code = main(arguments.split(" ") if arguments else [])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert re.fullmatch(r"demineur : [^\n]+\n", err)
    assert message in err


@pytest.mark.parametrize("odd", ["", "\n", "3\nx", "\udcff"])
def test_odd_arguments_stay_on_one_line(odd):
    ran = piped(["-c", f"from ndsweep.frontends.demineur import main; raise SystemExit(main(['4', '3', {odd!r}]))"])
    assert (ran.returncode, ran.stdout, ran.stderr.count(b"\n")) == (2, b"", 1)


def test_the_process_gives_the_exit_code():
    ran = piped([*MODULE, "4", "3"])
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.decode().startswith("demineur : nombre d'arguments incorrect (2)")


@pytest.mark.parametrize("arguments", [["-h"], ["--help"], ["4", "3", "-h"]])
def test_help_is_a_french_usage(capsys, arguments):
    code = main(arguments)
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    for text in ("Usage : demineur C L M", "demineur C L c1 l1 c2 l2", "drapeau", "au hasard"):
        assert text in out


def test_a_column_comes_before_its_line():
    assert board_of(["5", "2", "4", "1"], seed=0) == Board.from_coords((2, 5), [(1, 4)])


@pytest.mark.parametrize("mines", [0, 1, 6, 11, 12])
def test_random_mines_are_any_layout_of_the_engine(mines):
    dealt = [board_of(["4", "3", str(mines)], seed) for seed in range(100)]
    assert {board.n_mines for board in dealt} == {mines}
    assert dealt == [Board.deal(Spec((3, 4), mines, first="any"), seed) for seed in range(100)]
    anywhere = np.logical_or.reduce([board.mines for board in dealt])
    assert anywhere.all() == (mines > 0)
