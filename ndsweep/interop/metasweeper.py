"""Boards and games in ``.board`` files: MINESWEEPER-BOARD v0.1, the text form of Metasweeper.

After two lines of header and lines of ``key: value`` come a section ``[real]`` with ``*`` and
digits, the mines, or a section ``[view]``, what the player sees, or both:

======== ===========================================
``U ?``  hidden; the mark ``?`` is read as hidden too
``F``    flag
``X``    a mine that was opened
``@ *``  a mine that is shown at the end; read as hidden
``#``    a flag that is shown to be wrong at the end; read as a flag
======== ===========================================

What ``@`` and ``#`` tell is checked: numbers, and the total, must be right with a mine there and with none.

Source: the specification in github.com/eee555/Metasweeper, MINESWEEPER-BOARD Specification v0.1;
both of its renders are read, ascii is written.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ndsweep.board import Board
from ndsweep.checks import first_where
from ndsweep.engine.store import read as read_store
from ndsweep.game import Game
from ndsweep.interop.bounds import Bound
from ndsweep.interop.hints import board_of, check_count
from ndsweep.interop.kept import Kept, known_mines, state_board, two_axes
from ndsweep.interop.rows import grid_of, lines_of, text_rows, whole_number
from ndsweep.position import Position, check_numbers, check_total
from ndsweep.spec import FLAG, HIDDEN, MINE, FormatError, in_short

_HEAD = "# MINESWEEPER-BOARD v0.1"
_SHOWN_MINE, _WRONG_FLAG = -4, -5  # what a view shows after the end only
_REAL = {"*": MINE}
_VIEW = {"U": HIDDEN, "?": HIDDEN, "F": FLAG, "X": MINE, "@": _SHOWN_MINE, "*": _SHOWN_MINE, "#": _WRONG_FLAG}
_EMOJI = str.maketrans({"⬜": "U", "🚩": "F", "❓": "?", "💥": "X", "❌": "#", "\ufe0f": None, "\u20e3": None})
_MINES = {"[real]": "*", "[view]": "@"}  # the sign of a bomb, which as an emoji is the same in both


@dataclass
class _Parts:
    """What a file says, as far as it is read."""

    numbers: dict[str, int] = field(default_factory=dict)
    sections: dict[str, npt.NDArray[np.int8]] = field(default_factory=dict)
    render: str = "ascii"


def write(obj: Kept) -> str:
    """The text of a board, of a position, or of a game as it stands; SpecError where something would be lost.

    Examples
    --------
    >>> print(write(Board.from_coords((2, 3), [(0, 0)])), end="")
    # MINESWEEPER-BOARD v0.1
    # Render: ascii
    <BLANKLINE>
    rows: 2
    columns: 3
    mines: 1
    game_mode: classic
    <BLANKLINE>
    [real]
    *10
    110
    """
    where = "a .board file"
    two_axes(obj.shape, where)
    board = obj if isinstance(obj, Board) else state_board(obj, where) if isinstance(obj, Game) else None
    mines = known_mines(obj, where) if isinstance(obj, Position) else obj.n_mines
    rows, columns = obj.shape
    lines = [_HEAD, "# Render: ascii", "", f"rows: {rows}", f"columns: {columns}", f"mines: {mines}"]
    lines.append("game_mode: classic")
    if board is not None:
        codes = np.where(read_store(board.mines, ()), MINE, read_store(board.hints, ()).astype(np.int64))
        lines += ["", "[real]", *text_rows(codes, _REAL)]
    if not isinstance(obj, Board):
        lines += ["", "[view]", *text_rows(obj.view, _VIEW)]
    return "\n".join(lines) + "\n"


def read(text: str, bound: Bound) -> Kept:
    """A Board from ``[real]``, a Position from ``[view]``, a Game from both; FormatError if it is no such text.

    Examples
    --------
    >>> text = write(Position([[1, -1], [-2, -1]], mines=1))
    >>> print(read(text, Bound()))
    1 #
    F #
    """
    parts = _parts(text, bound)
    real, view = (parts.sections.get(name) for name in ("[real]", "[view]"))
    board = None if real is None else board_of(real)
    if board is not None:
        check_count(parts.numbers["mines"], board)
        return board if view is None else _game(board, view)
    if view is None:
        raise FormatError("a section [real] or [view] is missing.")
    _check_shown(view, parts.numbers["mines"])
    return Position(_as_seen(view), parts.numbers["mines"])


def looks(text: str) -> bool:
    """Whether a text begins as such a file does.

    Examples
    --------
    >>> looks("# MINESWEEPER-BOARD v0.2"), looks("##1")
    (True, False)
    """
    return text.removeprefix("\ufeff").lstrip().startswith("# MINESWEEPER-BOARD")


def _parts(text: str, bound: Bound) -> _Parts:
    """Reads line by line; a row may begin with a # as a comment does, so sections are read whole."""
    lines, parts, number = lines_of(text, bound.most_lines), _Parts(), 1
    if lines[0].strip() != _HEAD:
        raise FormatError(f"line 1 must be {_HEAD!r}. Got {in_short(lines[0])}.")
    while number < len(lines):
        number += 1
        line = lines[number - 1].strip()
        if line in _MINES:
            number += _read_section(parts, line, lines, number, bound)
        elif line.startswith("#"):
            _read_comment(parts, line, number)
        elif line:
            _read_field(parts, line, number)
    return parts


def _read_comment(parts: _Parts, line: str, number: int) -> None:
    key, colon, value = line[1:].partition(":")
    if colon and key.strip() == "Render":
        parts.render = value.strip()
        if parts.render not in ("ascii", "emoji"):
            raise FormatError(f"line {number}: Render must be ascii or emoji. Got {in_short(parts.render)}.")


def _read_field(parts: _Parts, line: str, number: int) -> None:
    key, colon, value = line.partition(":")
    key = key.strip()
    if not colon:
        raise FormatError(f"line {number} must be a comment, a section, or a key and its value. Got {in_short(line)}.")
    if key in ("rows", "columns", "mines"):
        if key in parts.numbers:
            raise FormatError(f"line {number}: {key} must be given once. Got it a second time.")
        parts.numbers[key] = whole_number(value.strip(), key, number)


def _read_section(parts: _Parts, name: str, lines: list[str], number: int, bound: Bound) -> int:
    """Reads the grid after the line of its name; gives the number of its rows."""
    if name in parts.sections:
        raise FormatError(f"line {number}: {name} must be given once. Got it a second time.")
    for key in ("rows", "columns", "mines"):
        if key not in parts.numbers:
            raise FormatError(f"line {number}: {key} must be given before {name}. Got none.")
    shape = parts.numbers["rows"], parts.numbers["columns"]
    bound.check(shape)
    if parts.render == "emoji":
        table = _EMOJI | {ord("💣"): _MINES[name]}
        last = number + shape[0] + 1
        lines = [*lines[:number], *(line.translate(table) for line in lines[number:last]), *lines[last:]]
    signs = _REAL if name == "[real]" else _VIEW
    parts.sections[name] = grid_of(lines, number + 1, shape, signs)
    after = number + shape[0]
    if len(lines) > after and len(row := lines[after].strip()) == shape[1] and set(row) <= {*signs, *"012345678"}:
        raise FormatError(f"line {after + 1} must not be a row after {shape[0]} rows. Got {in_short(row)}.")
    return shape[0]


def _as_seen(view: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """The view codes: what is shown after the end only was hidden."""
    return np.select([view == _SHOWN_MINE, view == _WRONG_FLAG], [HIDDEN, FLAG], view)


def _check_shown(view: npt.NDArray[np.int8], mines: int) -> None:
    """SpecError where numbers or the total contradict the mines and wrong flags that a view shows."""
    mined = (view == MINE) | (view == _SHOWN_MINE)
    safe = MINE  # a code that is neither a number nor hidden, as what stands there is known
    known = np.select([mined, view == FLAG, view == _WRONG_FLAG], [FLAG, HIDDEN, safe], view.astype(np.int64))
    check_numbers(known)
    check_total(known, mines)


def _game(board: Board, view: npt.NDArray[np.int8]) -> Game:
    """The game that stands as the view shows; FormatError where it contradicts the board."""
    mined = (view == MINE) | (view == _SHOWN_MINE)
    codes = np.where(board.mines, np.int8(MINE), board.hints.astype(np.int8))
    wrong = (mined & ~board.mines) | ((view == _WRONG_FLAG) & board.mines) | ((view >= 0) & (view != codes))
    if wrong.any():
        cell = first_where(wrong)
        shown, real = (text_rows(grid[cell].reshape(1, 1), signs)[0] for grid, signs in ((view, _VIEW), (codes, _REAL)))
        raise FormatError(f"[view] must agree with [real]. Got {shown!r} at {cell}, where [real] has {real!r}.")
    return Game.resume(board, (view >= 0) | (view == MINE), _as_seen(view) == FLAG)
