"""The command ``demineur``: the French console game.

Cells are named (column, line) here, from (0, 0) at the top left, against the (line, column)
of the arrays behind; the turn is made where a cell comes in or goes out, and nowhere else.
"""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Sequence

import numpy as np

import ndsweep as nd
from ndsweep.frontends.console import ask, framed, integer, run

_SIGNS = {nd.HIDDEN: ".", nd.FLAG: "D", nd.MINE: "M", 0: " "}
_LARGEST = 100  # columns, lines
_FORMS = "demineur C L M, ou demineur C L c1 l1 c2 l2 ..."
_PROMPT = "Action (O c l, D c l ou Q) :"
_USAGE = f"""\
Usage : demineur C L M
        demineur C L c1 l1 c2 l2 ...

Joue au démineur sur un plateau de C colonnes et L lignes (de 1 à {_LARGEST}), avec
M mines placées au hasard, ou avec des mines aux positions (colonne, ligne)
données : (0, 0) est en haut à gauche.

À chaque tour :
  O c l   ouvre la case de la colonne c et de la ligne l
  D c l   y pose un drapeau, ou le retire
  Q       quitte

  .  case fermée        D  drapeau
  M  mine               1 à 8, ou rien : nombre de mines autour"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; gives its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments, by default those of the process.

    Returns
    -------
    int
        0 however the game ends, 2 where the arguments are wrong, 130 after Ctrl-C, 1 where
        output cannot be written.

    Examples
    --------
    >>> from io import StringIO
    >>> from unittest.mock import patch
    >>> with patch("sys.stdin", StringIO("q")):
    ...     main(["3", "1", "0", "0"])
    Colonnes : 3. Lignes : 1. Mines : 1.
    O c l ouvre, D c l pose ou retire un drapeau, Q quitte (c : colonne, l : ligne).
    <BLANKLINE>
        0 1 2
      +-------+
    0 | . . . |
      +-------+
    Drapeaux restants : 1
    Action (O c l, D c l ou Q) :
    Partie abandonnée.
    0
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    return run(
        lambda: _obey(arguments, secrets.randbits(64)),
        ended="Fin de l'entrée : partie abandonnée.",
        interrupted="Partie interrompue.",
        unwritable="demineur : impossible d'écrire l'affichage",
    )


def _obey(arguments: Sequence[str], seed: int) -> int:
    if not {"-h", "--help"}.isdisjoint(arguments):
        print(_USAGE)
        return 0
    try:
        board = board_of(arguments, seed)
    except nd.SweepError as error:
        print("demineur :", error, file=sys.stderr)
        return 2
    return play(board)


# Arguments -----------------------------------------------------------------------------------


def board_of(arguments: Sequence[str], seed: int) -> nd.Board:
    """The board that the arguments ask for.

    Parameters
    ----------
    arguments : sequence of str
        C L M, or C L and the columns and lines of the mines.
    seed : int
        What random mines are dealt from.

    Returns
    -------
    Board

    Raises
    ------
    SpecError, CellError
        If the arguments are wrong; the message is French, as the player reads it.

    Examples
    --------
    >>> print(board_of(["4", "3", "0", "0", "3", "2"], seed=1))
    * 1 . .
    1 1 1 1
    . . 1 *
    >>> board_of(["4", "3", "2"], seed=1).n_mines
    2
    """
    if len(arguments) < 3 or (len(arguments) > 3 and len(arguments) % 2):
        raise nd.SpecError(f"nombre d'arguments incorrect ({len(arguments)}) : il faut {_FORMS}")
    columns, lines, *rest = map(_checked_integer, arguments)
    for name, size in (("colonnes C", columns), ("lignes L", lines)):
        if not 1 <= size <= _LARGEST:
            raise nd.SpecError(f"le nombre de {name} doit être entre 1 et {_LARGEST}, pas {size}")
    if len(rest) > 1:
        return nd.Board.from_coords((lines, columns), _cells(columns, lines, rest))
    if not 0 <= rest[0] <= columns * lines:
        raise nd.SpecError(f"le nombre de mines M doit être entre 0 et {columns * lines}, pas {rest[0]}")
    return nd.Board.deal(nd.Spec((lines, columns), rest[0], first="any"), seed)


def _checked_integer(argument: str) -> int:
    number = integer(argument)
    if number is None:
        raise nd.SpecError(f"les arguments doivent être des entiers, pas {argument[:40]!r}")
    return number


def _cells(columns: int, lines: int, numbers: Sequence[int]) -> list[tuple[int, int]]:
    """The (line, column) cells of the mines."""
    positions = list(zip(numbers[::2], numbers[1::2], strict=True))
    seen: set[tuple[int, int]] = set()
    for column, line in positions:
        if not (0 <= column < columns and 0 <= line < lines):
            raise nd.CellError(f"la mine ({column}, {line}) est {_outside(columns, lines)}")
        if (column, line) in seen:
            raise nd.CellError(f"la mine ({column}, {line}) est donnée deux fois")
        seen.add((column, line))
    return [(line, column) for column, line in positions]


def _outside(columns: int, lines: int) -> str:
    return f"hors du plateau : colonne de 0 à {columns - 1}, ligne de 0 à {lines - 1}"


# The game ------------------------------------------------------------------------------------


def play(board: nd.Board) -> int:
    """Plays one game on standard input and output.

    Parameters
    ----------
    board : Board
        A board of two dimensions; as many flags are given as it has mines.

    Returns
    -------
    int
        The exit code, 0.

    Raises
    ------
    EOFError
        If the input ends before the game does.

    Examples
    --------
    >>> from io import StringIO
    >>> from unittest.mock import patch
    >>> with patch("sys.stdin", StringIO("o 2 0")):
    ...     play(nd.Board.from_coords((1, 3), [(0, 0)]))  # doctest: +ELLIPSIS
    Colonnes : 3. Lignes : 1. Mines : 1.
    ...
        0 1 2
      +-------+
    0 | . 1   |
      +-------+
    Gagné !
    Temps écoulé : ... s
    0
    """
    lines, columns = board.shape
    print(f"Colonnes : {columns}. Lignes : {lines}. Mines : {board.n_mines}.")
    print("O c l ouvre, D c l pose ou retire un drapeau, Q quitte (c : colonne, l : ligne).")
    game = nd.Game(board, flag_limit=board.n_mines)
    started = time.monotonic()
    while game.status == nd.Status.PLAYING:
        print("", framed(game.view, _SIGNS, 0), f"Drapeaux restants : {board.n_mines - game.n_flags}", sep="\n")
        if not _act(game):
            print("Partie abandonnée.")
            return 0
    _tell_end(board, game, time.monotonic() - started)
    return 0


def _act(game: nd.Game) -> bool:
    """Asks until an action is done; False for the one that quits."""
    while (words := ask(_PROMPT).upper().split()) != ["Q"]:
        refusal = _refusal(game, words)
        if refusal is None:
            return True
        print(refusal)
    return False


def _refusal(game: nd.Game, words: Sequence[str]) -> str | None:
    """Does an action; says why if it cannot be done."""
    if not words or words[0] not in ("O", "D"):
        return "Action inconnue. Attendu : O c l (ouvrir), D c l (drapeau) ou Q (quitter)."
    numbers = [integer(word) for word in words[1:]]
    if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
        return f"Attendu après {words[0]} : deux entiers, la colonne et la ligne, et rien d'autre."
    column, line = numbers[0], numbers[1]
    try:
        done = (game.reveal if words[0] == "O" else game.flag)((line, column))
    except nd.CellError:
        return f"La case ({column}, {line}) est {_outside(*game.shape[::-1])}."
    if done:
        return None
    if game.revealed[line, column]:
        return f"La case ({column}, {line}) est déjà ouverte."
    if words[0] == "O":
        return f"La case ({column}, {line}) porte un drapeau : D {column} {line} le retire."
    return "Il ne reste pas de drapeau."


def _tell_end(board: nd.Board, game: nd.Game, seconds: float) -> None:
    won = game.status == nd.Status.WON
    shown = game.view if won else np.where(board.mines, nd.MINE, board.hints.astype(np.int8))
    print("", framed(shown, _SIGNS, 0), "Gagné !" if won else "Perdu : c'était une mine.", sep="\n")
    print("Temps écoulé :", f"{seconds:.1f}".replace(".", ","), "s")


if __name__ == "__main__":
    sys.exit(main())
