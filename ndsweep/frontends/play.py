"""``ndsweep play``: a game of any dimension in the terminal."""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

import ndsweep as nd
from ndsweep.frontends.console import ask, integer, run
from ndsweep.frontends.hint import hint
from ndsweep.frontends.panels import panels
from ndsweep.render import view_cells

_MOST_CELLS = 100_000  # more than anybody scrolls through
_HELP = """\
CELL         open a cell: its coordinates as in the panels, such as {cell}; o CELL too
f CELL       set or remove a flag
c CELL       chord: open around a number that has all its flags
h            hint: a cell that is proved, and why; else the least likely mine
n            a new game
s FILE       save the game
l FILE       load a game
q            quit
?            this list
an empty line shows the game again"""


def play(game: nd.Game) -> int:
    r"""Plays a game on standard input and output, and further ones as the player asks.

    Parameters
    ----------
    game : Game
        Where to begin; a new game has the next number of its seed.

    Returns
    -------
    int
        The exit code: 0, 130 after Ctrl-C, 1 where output cannot be written.

    Raises
    ------
    SpecError
        If the game has more cells than a terminal is for.

    Examples
    --------
    >>> from io import StringIO
    >>> from unittest.mock import patch
    >>> with patch("sys.stdin", StringIO("h\n0\nq\n")):
    ...     play(nd.Game(nd.Board.from_coords((6,), [4])))
    <BLANKLINE>
       0 1 2 3 4 5
       # # # # # #
    1 mine, 0 flags. A cell to open it, or f c h n s l q; ? says what they do.
    >
    Nothing is open yet, and nothing is proved: open any cell.
    >
    <BLANKLINE>
       0 1 2 3 4 5
       . . . 1 # #
    1 mine, 0 flags
    >
    0
    """
    _check_size(game.view.size)
    return run(
        lambda: _Session(game).run(), ended="", interrupted="Interrupted.", unwritable="ndsweep: error: cannot write"
    )


def load(path: str) -> int:
    """Goes on with a game that was saved.

    Parameters
    ----------
    path : str
        Name of the file.

    Returns
    -------
    int
        As of `play`.

    Raises
    ------
    SpecError, FormatError
        If the file cannot be read, or holds no game that a terminal is for.

    Examples
    --------
    >>> load("/no/such/file")
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: --load must name a file that can be read. /no/such/file: No such file or directory.
    """
    try:
        game = _loaded(path)
    except OSError as error:
        raise nd.SpecError(f"--load must name a file that can be read. {path}: {error.strerror}.") from None
    return play(game)


class _Session:
    """The games of one player, one after the other."""

    def __init__(self, game: nd.Game) -> None:
        self._begin(game)
        self.commands: dict[str, Callable[[str], str | None]] = {
            "f": lambda cell: self._move("flag", cell),
            "c": lambda cell: self._move("chord", cell),
            "o": lambda cell: self._move("reveal", cell),
            "h": self._hint,
            "n": self._new,
            "s": self._save,
            "l": self._load,
            "?": self._help,
        }

    def _begin(self, game: nd.Game) -> None:
        self.game = game
        self.started = time.monotonic() if game.status == nd.Status.PLAYING else None

    def run(self) -> int:
        self._show("A cell to open it, or f c h n s l q; ? says what they do.")
        while (line := ask(">")).lower() not in ("q", "quit"):
            word, _, rest = line.partition(" ")
            known = self.commands.get(word.lower())
            said = known(rest.strip()) if known else self._move("reveal", line) if line else None
            if said is None:
                self._show()
            else:
                print(said)
        return 0

    def _show(self, further: str = "") -> None:
        """Shows the game, at its end with all mines."""
        game = self.game
        print("", panels(_shown(game), shutil.get_terminal_size().columns), sep="\n")
        if game.status == nd.Status.PLAYING:
            print(
                f"{_count(game.n_mines, 'mine')}, {_count(game.n_flags, 'flag')}" + (f". {further}" if further else "")
            )
            return
        taken = "" if self.started is None else f" after {time.monotonic() - self.started:.1f} s"
        hit = np.argwhere(game.view == nd.MINE).tolist()
        if hit:
            print(f"Lost at {tuple(hit[0])}{taken}: X the mine that was opened, * others, ! a flag on none.")
        else:
            print(f"Won{taken}.")
        print("n for a new game, q to quit.")

    # Each command gives what to say, or None where the game is to be shown.

    def _move(self, kind: str, text: str) -> str | None:
        cell = _cell(text)
        if cell is None or len(cell) != len(self.game.shape):
            return f"{len(self.game.shape)} coordinates name a cell, such as {self._example()}. ? tells the commands."
        if self.game.status != nd.Status.PLAYING:
            return "The game is over: n for a new one."
        try:
            return None if getattr(self.game, kind)(cell) else self._why_not(kind, cell)
        except nd.SweepError as error:
            return str(error)

    def _why_not(self, kind: str, cell: tuple[int, ...]) -> str:
        if kind == "chord":
            return "A chord is for an open number with as many flags around it, and hidden cells left."
        return f"{cell} has a flag: f takes it away." if self.game.flagged[cell] else f"{cell} is open already."

    def _hint(self, rest: str) -> str:
        """One move that is proved, and why: a wrong flag, a safe cell, or a mine without its flag."""
        if self.game.status != nd.Status.PLAYING:
            return "The game is over: n for a new one."
        return hint(self.game).sentence

    def _new(self, rest: str) -> None:
        self._begin(_next(self.game))

    def _save(self, path: str) -> str:
        if not path:
            return "s takes the name of a file."
        try:
            nd.save(self.game, os.path.expanduser(path), format="json")
        except OSError as error:
            return f"Cannot write {path}: {error.strerror}."
        except nd.SweepError as error:
            return str(error)
        return f"Saved to {path}."

    def _load(self, path: str) -> str | None:
        if not path:
            return "l takes the name of a file."
        try:
            self._begin(_loaded(os.path.expanduser(path)))
        except OSError as error:
            return f"Cannot read {path}: {error.strerror}."
        except nd.SweepError as error:
            return str(error)
        return None

    def _help(self, rest: str) -> str:
        return _HELP.format(cell=self._example())

    def _example(self) -> str:
        return " ".join(str(n // 2) for n in self.game.shape)


def _shown(game: nd.Game) -> npt.NDArray[np.object_]:
    """What each cell shows: at the end all mines, the one that was opened, and flags on none."""
    shown = np.array(view_cells(game.view), dtype=object).reshape(game.shape)
    if game.status != nd.Status.PLAYING and game.board is not None:
        mines = game.board.mines
        shown[game.view == nd.MINE] = "X"
        shown[mines & (game.view == nd.HIDDEN)] = "*"
        shown[~mines & game.flagged] = "!"
    return shown


def _cell(text: str) -> tuple[int, ...] | None:
    """The coordinates in a line, separated by blanks or commas; None unless all are integers."""
    numbers = [integer(word) for word in text.replace(",", " ").split()]
    known = tuple(number for number in numbers if number is not None)
    return known if len(known) == len(numbers) else None


def _loaded(path: str) -> nd.Game:
    """The game in a file, or a new one on the board in it."""
    found = nd.load(path, most_cells=_MOST_CELLS)
    if isinstance(found, nd.Position):
        raise nd.SpecError(f"{path!r} must hold a game or a board. Got a position, which does not tell its mines.")
    return nd.Game(found) if isinstance(found, nd.Board) else found


def _check_size(cells: int) -> None:
    if cells > _MOST_CELLS:
        raise nd.SpecError(f"a game in the terminal must have at most {_MOST_CELLS} cells. Got {cells}.")


def _next(game: nd.Game) -> nd.Game:
    """A new game of the same kind: the next of its seed, or one on a new layout."""
    if game.deals_from is not None:
        spec, seed, number = game.deals_from
        return nd.Game.new(spec, seed, number + 1, game.flag_limit)
    first = "safe" if game.n_mines < game.view.size else "any"
    return nd.Game.new(nd.Spec(game.shape, game.n_mines, first), secrets.randbits(64), 0, game.flag_limit)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")
