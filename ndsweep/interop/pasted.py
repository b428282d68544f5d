"""Text as it is printed and as people paste it, in any dimension.

======== ==============================
``#``    hidden; so is ``?``
``F``    flag; so is ``f``
``*``    a mine, in a view one that was opened
``.``    hint 0; so is ``0``
digits   hints, with blanks between the cells where they have more than one
======== ==============================

A line is a row, an empty line ends a slice, and a line such as ``[0, 1]`` before a slice names
its place, as ``print`` of a board does.  Lines before the first slice may say what a picture
does not: ``shape: 5``, ``mines: 10``, ``kind: position``.

What has a ``#`` or an ``F`` is a `Position`, all else a `Board`: with digits, all its hints are
checked; with ``*`` and ``.`` alone it is a map of the mines.  ``-`` and ``_`` are refused: some
write them for hidden cells and some for empty ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from math import prod

import numpy as np
import numpy.typing as npt

from ndsweep.board import Board
from ndsweep.game import Game
from ndsweep.interop.bounds import Bound
from ndsweep.interop.hints import board_of, check_count
from ndsweep.interop.kept import Kept, refused
from ndsweep.interop.rows import lines_of, whole_number
from ndsweep.position import Position
from ndsweep.spec import FLAG, HIDDEN, MINE, FormatError, checked_shape, in_short

_SIGNS = {"#": HIDDEN, "?": HIDDEN, "F": FLAG, "f": FLAG, "*": MINE, ".": 0}
_KEY = re.compile(r"[ \t]*(shape|mines|kind)[ \t]*:(.*)")
_TITLE = re.compile(r"[ \t]*\[[ \t]*([0-9]{1,9}(?:[ \t]*,[ \t]*[0-9]{1,9})*)[ \t]*\][ \t]*")
_ROW = re.compile(r"[ \t]*[0-9.#?*Ff].*")
_FILLED = re.compile(r"[^\r\n]*[^ \t\r\n][^\r\n]*")  # a line that is not empty
_KNOWN = _SIGNS | {str(hint): hint for hint in range(10)}
_LARGEST = 16  # digits of the largest hint that a grid can have


@dataclass(slots=True)
class _Picture:
    """The lines of a text, and whether blanks divide them into cells: else each letter is one."""

    lines: list[str]
    apart: bool

    def cells(self, number: int) -> list[str] | str:
        """The cells of a line, counted from 1."""
        return _words(self.lines[number - 1]) if self.apart else self.lines[number - 1].strip(" \t")

    def place(self, number: int, index: int) -> str:
        """Where a cell of a line was read."""
        line = self.lines[number - 1]
        starts = [i for i, sign in enumerate(line) if sign not in " \t" and (i == 0 or line[i - 1] in " \t")]
        column = starts[index] if self.apart else starts[0] + index
        return f"line {number}, column {column + 1}"


@dataclass(slots=True)
class _Slice:
    """The lines between two empty ones, by number, and the place that a title gives them."""

    line: int
    title: tuple[int, ...] | None
    rows: list[int]


def write(obj: Kept) -> str:
    """The text of a board or a position, which `read` makes into the same again; SpecError for a game.

    Examples
    --------
    >>> print(write(Board.from_coords((4,), [0])), end="")
    shape: 4
    * 1 . .
    """
    if isinstance(obj, Game):
        raise refused(obj, (Board, Position), "a text")
    text, head = str(obj), []
    if not _tells_its_shape(obj):
        head.append(f"shape: {'x'.join(map(str, obj.shape))}")
    if isinstance(obj, Position):
        if not ((obj.view == HIDDEN) | (obj.view == FLAG)).any():
            head.append("kind: position")
        if obj.mines is not None:
            head.append(f"mines: {obj.mines}")
    return "\n".join([*head, text]) + "\n"


def read(text: str, bound: Bound) -> Board | Position:
    r"""The board or the position in a text; FormatError, with line and column, if it holds none.

    Examples
    --------
    >>> read("*1.\n11.", Bound())
    Board.from_coords((2, 3), [(0, 0)])
    >>> read("1#", Bound())
    Position([[1, -1]], mines=None)
    >>> read("1x", Bound())
    Traceback (most recent call last):
    ...
    ndsweep.spec.FormatError: line 1, column 2: a cell must be one of # F * . or a number. Got 'x'.
    """
    lines = lines_of(text, bound.most_lines)
    head, first = _head(lines)
    wanted = _wanted(head)
    slices = _slices(lines, first)
    rows = [number for part in slices for number in part.rows]
    picture = _Picture(lines, (wanted or (0,))[-1] == 1 or any(len(_words(lines[number - 1])) > 1 for number in rows))
    shape = _shape(picture, slices, wanted)
    bound.check(shape)
    codes = np.empty((len(rows), prod(shape) // len(rows)), dtype=np.int64)
    for index, number in enumerate(rows):
        codes[index] = _codes(picture, number)
    codes = codes.reshape(shape)
    mines = None if "mines" not in head else whole_number(head["mines"], "mines", 1)
    kind = head.get("kind")
    if kind not in (None, "board", "position"):
        raise FormatError(f"kind must be board or position. Got {in_short(kind)}.")
    hidden = (codes == HIDDEN) | (codes == FLAG)
    if kind == "position" or (kind is None and hidden.any()):
        return Position(codes, mines)
    if hidden.any():
        raise FormatError("a text of kind board must have no hidden cell and no flag. Got some.")
    return _board(codes, rows, picture, mines)


def looks(text: str) -> bool:
    r"""Whether a text begins as such a file does.

    Examples
    --------
    >>> looks("[0]\n1 *"), looks("{}"), looks("[0]")
    (True, False, False)
    """
    lines = [found[0] for found in islice(_FILLED.finditer(text.removeprefix("\ufeff")), 2)]
    if not lines or (_TITLE.fullmatch(lines[0]) and len(lines) == 1):
        return False
    return any(pattern.fullmatch(lines[0]) for pattern in (_KEY, _TITLE, _ROW))


def _tells_its_shape(obj: Board | Position) -> bool:
    """Whether the picture alone has one shape: not of one slice or row in more axes, nor of one cell a row."""
    shape = obj.shape
    return shape[-1] > 1 and (len(shape) == 2 or prod(shape[:-2]) > 1)


def _head(lines: list[str]) -> tuple[dict[str, str], int]:
    """What the lines before the first slice say, and the index of the line after them."""
    head: dict[str, str] = {}
    for index, line in enumerate(lines):
        found = _KEY.fullmatch(line)
        if found:
            if found[1] in head:
                raise FormatError(f"line {index + 1}: {found[1]} must be given once. Got it a second time.")
            head[found[1]] = found[2].strip(" \t")
        elif line.strip(" \t"):
            return head, index
    raise FormatError("a text must have rows of cells. Got none.")


def _wanted(head: dict[str, str]) -> tuple[int, ...] | None:
    if "shape" not in head:
        return None
    words = head["shape"].split("x")
    return checked_shape([whole_number(word.strip(" \t"), "shape", 1) for word in words[:99]])


def _words(line: str) -> list[str]:
    return [word for word in line.replace("\t", " ").split(" ") if word]


def _slices(lines: list[str], first: int) -> list[_Slice]:
    """The slices from a line on."""
    slices: list[_Slice] = []
    begins = True
    for number, line in enumerate(lines[first:], first + 1):
        row = line.strip(" \t")
        if row.startswith("[") and (title := _TITLE.fullmatch(row)):
            slices.append(_Slice(number, tuple(int(x) for x in title[1].split(",")), []))
        elif row:
            if begins:
                slices.append(_Slice(number, None, []))
            slices[-1].rows.append(number)
        begins = not row
    return slices


def _shape(picture: _Picture, slices: list[_Slice], wanted: tuple[int, ...] | None) -> tuple[int, ...]:
    """The shape of a picture; FormatError if it is ragged, or not of the shape that its head says."""
    lines = len(slices[0].rows)
    length = len(picture.cells(slices[0].rows[0])) if lines else 0
    for part in slices:
        if len(part.rows) != lines or not part.rows:
            rows = f"{max(lines, 1)} rows, as the first slice has"
            raise FormatError(f"line {part.line}: a slice must have {rows}. Got {len(part.rows)}.")
        for number in part.rows:
            if (found := len(picture.cells(number))) != length:
                raise FormatError(f"line {number} must have {length} cells, as the first row has. Got {found}.")
    titles = [part.title for part in slices]
    outer = _outer(slices) if any(titles) else (len(slices),) if len(slices) > 1 else ()
    shape = checked_shape((*outer, lines, length))
    if wanted is None:
        return shape
    known = _core(wanted) == _core(shape)
    if not known and not (not any(titles) and prod(wanted) == prod(shape) and (1, *wanted)[-2:] == shape[-2:]):
        raise FormatError(f"shape must be {shape}, as the picture has it. Got {wanted}.")
    return wanted


def _outer(slices: list[_Slice]) -> tuple[int, ...]:
    """The outer axes that the titles of slices count through, in C order."""
    last = slices[-1].title
    outer = () if last is None else tuple(x + 1 for x in last)
    if outer and prod(checked_shape(outer)) == len(slices):
        for part, place in zip(slices, np.ndindex(*outer), strict=True):
            if part.title != place:
                raise FormatError(f"line {part.line}: the slice must be that of {list(place)}. Got {_named(part)}.")
        return outer
    named = _named(slices[-1])
    raise FormatError(
        f"line {slices[-1].line}: the last of {len(slices)} slices must have their last place. Got {named}."
    )


def _named(part: _Slice) -> str:
    return "no title" if part.title is None else str(list(part.title))


def _core(shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape without its first axes of size 1, which a picture does not show."""
    return shape if not shape or shape[0] != 1 else _core(shape[1:])


def _codes(picture: _Picture, number: int) -> list[int]:
    cells = picture.cells(number)
    try:
        return [_KNOWN[cell] for cell in cells]
    except KeyError:  # a hint of more than one digit, or no cell at all
        return [_code(picture, number, index, cell) for index, cell in enumerate(cells)]


def _code(picture: _Picture, number: int, index: int, cell: str) -> int:
    if cell in _KNOWN:
        return _KNOWN[cell]
    if cell.isascii() and cell.isdigit() and len(cell) <= _LARGEST:
        return int(cell)
    where = picture.place(number, index)
    raise FormatError(f"{where}: a cell must be one of # F * . or a number. Got {in_short(cell)}.")


def _board(codes: npt.NDArray[np.int64], rows: list[int], picture: _Picture, mines: int | None) -> Board:
    """The board of a picture: a map of its mines where it has no digit, else with all its hints."""
    length = codes.size // len(rows)

    def place(cell: tuple[int, ...]) -> str:
        row, column = divmod(int(np.ravel_multi_index(cell, codes.shape)), length)
        return picture.place(rows[row], column)

    digits = any(not set(picture.cells(number)) <= _SIGNS.keys() for number in rows)
    board = board_of(codes if digits else np.where(codes == MINE, MINE, HIDDEN), place)
    if mines is not None:
        check_count(mines, board)
    return board
