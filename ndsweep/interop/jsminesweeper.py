"""Positions in ``.mine`` files, those of the solver JSMinesweeper.

The first line is ``WxHxM``: width, height, number of mines.  A line for each row follows, a
character for each cell: ``H`` hidden, ``F`` flag, ``?`` a mine that shows, and digits.

Source: ``getPositionData`` in ``Board.js`` and ``newBoardFromString`` in ``main.js`` of
github.com/DavidNHill/JSMinesweeper.
"""

from __future__ import annotations

import re

from ndsweep.interop.bounds import Bound
from ndsweep.interop.kept import Kept, known_mines, only, two_axes
from ndsweep.interop.rows import grid_of, lines_of, text_rows, whole_number
from ndsweep.position import Position
from ndsweep.spec import FLAG, HIDDEN, MINE, FormatError, in_short

_SIGNS = {"H": HIDDEN, "F": FLAG, "?": MINE}
_HEAD = re.compile(r"[ \t]*([0-9]+)x([0-9]+)x([0-9]+)[ \t]*", re.ASCII)


def write(obj: Kept) -> str:
    """The text of a position; SpecError if it is none, not of two axes, or of an unknown number of mines.

    Examples
    --------
    >>> print(write(Position([[1, -1, -2], [1, 2, -1]], mines=1)), end="")
    3x2x1
    1HF
    12H
    """
    position = only(obj, Position, "a .mine file")
    two_axes(position.shape, "a .mine file")
    mines, (height, width) = known_mines(position, "a .mine file"), position.shape
    return "\n".join([f"{width}x{height}x{mines}", *text_rows(position.view, _SIGNS)]) + "\n"


def read(text: str, bound: Bound) -> Position:
    r"""The position in a text; FormatError if it holds none.

    Examples
    --------
    >>> print(read("3x1x1\n1HF", Bound()))
    1 # F
    """
    lines = lines_of(text, bound.most_lines)
    head = _HEAD.fullmatch(lines[0])
    if not head:
        raise FormatError(f"line 1 must be width, height and mines, such as 30x16x99. Got {in_short(lines[0])}.")
    width, height, mines = (whole_number(word, "a size", 1) for word in head.groups())
    bound.check((height, width))
    grid = grid_of(lines, 2, (height, width), _SIGNS)
    for number, line in enumerate(lines[height + 1 :], height + 2):
        if line.strip(" \t"):
            raise FormatError(f"line {number} must be empty after {height} rows. Got {in_short(line)}.")
    return Position(grid, mines)


def looks(text: str) -> bool:
    """Whether a text begins as such a file does.

    Examples
    --------
    >>> looks("9x9x10"), looks("111")
    (True, False)
    """
    return _HEAD.match(text.removeprefix("\ufeff")) is not None
