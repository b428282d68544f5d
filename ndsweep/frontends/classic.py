"""The 9x9 console game of ``ndsweep classic``."""

from __future__ import annotations

import secrets
from itertools import count

import numpy as np

import ndsweep as nd
from ndsweep.frontends.console import ask, framed, integer, run

_SIGNS = {nd.HIDDEN: "*", nd.MINE: "X", 0: " "}
_SIZE = nd.BEGINNER.shape[0]


def play(seed: int | None = None) -> int:
    r"""Shows the menu and plays games of 9x9 cells with 10 mines, until the player has enough.

    The mines are dealt at the first cell that is checked, and never under it.

    Parameters
    ----------
    seed : int, optional
        The games are numbers 0, 1, ... of this seed; by default of a new one.

    Returns
    -------
    int
        The exit code: 0, 130 after Ctrl-C, 1 where output cannot be written.

    Examples
    --------
    >>> from io import StringIO
    >>> from unittest.mock import patch
    >>> with patch("sys.stdin", StringIO("7\n0\n")):
    ...     play()
    <BLANKLINE>
    Minesweeper
    1  play
    0  quit
    Your choice:
    Input error: 1 or 0, please.
    Your choice:
    0
    """
    return run(
        lambda: _menu(secrets.randbits(64) if seed is None else seed),
        ended="End of input.",
        interrupted="Interrupted.",
        unwritable="ndsweep: error: cannot write",
    )


def _menu(seed: int) -> int:
    for number in count():
        print("", "Minesweeper", "1  play", "0  quit", sep="\n")
        while (choice := ask("Your choice:")) not in ("0", "1"):
            print("Input error: 1 or 0, please.")
        if choice == "0":
            break
        _play_game(nd.Game.new(nd.BEGINNER, seed, number))
    return 0


def _play_game(game: nd.Game) -> None:
    while game.status == nd.Status.PLAYING:
        print("", framed(game.view, _SIGNS, 1), sep="\n")
        while not game.reveal(_ask_cell()):
            print("Already checked.")
    mines = False if game.board is None else game.board.mines
    print("", framed(np.where(mines, nd.MINE, game.view), _SIGNS, 1), sep="\n")
    print("You win!" if game.status == nd.Status.WON else "A mine! You lose.")


def _ask_cell() -> tuple[int, int]:
    """The cell that the player names, counted from 0: row and column on one line or on two."""
    while True:
        numbers = _numbers(ask(f"Row and column (1 to {_SIZE}):"), most=2)
        while len(numbers) == 1:
            numbers += _numbers(ask(f"Column (1 to {_SIZE}):"), most=1)
        if numbers:
            return numbers[0] - 1, numbers[1] - 1


def _numbers(line: str, most: int) -> list[int]:
    """The numbers of a line; none, and a word why, if they cannot be meant."""
    numbers = [integer(word) for word in line.split()]
    known = [number for number in numbers if number is not None]
    if not 1 <= len(numbers) <= most or len(known) < len(numbers):
        print("Input error: a row and a column, please." if most > 1 else "Input error: a column, please.")
        return []
    if not all(1 <= number <= _SIZE for number in known):
        print(f"Out of range: 1 to {_SIZE}, please.")
        return []
    return known
