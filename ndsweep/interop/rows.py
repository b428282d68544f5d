"""Lines of text that hold one row of a two-dimensional grid each, a character a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.checks import first_where
from ndsweep.spec import FormatError, in_short

_DIGITS = 9  # of a number; more than any that can be right
_TOGETHER = 1 << 16  # cells that are read at once
_NO_CODE = 127
_HINTS = {str(hint): hint for hint in range(9)}


def lines_of(text: str, most: int) -> list[str]:
    r"""The lines of a text, whatever system ended them, without a byte order mark; FormatError if they are too many.

    Examples
    --------
    >>> lines_of("\ufeff1*\r\n11\n", most=100)
    ['1*', '11', '']
    """
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if (count := plain.count("\n")) > most:
        raise FormatError(f"a text must have at most {most} lines, unless most_cells allows more. Got {count}.")
    return plain.split("\n")


def whole_number(word: str, what: str, line: int) -> int:
    """The number that a word is; FormatError unless it is one of a few plain digits.

    Examples
    --------
    >>> whole_number("²", "mines", line=3)
    Traceback (most recent call last):
    ...
    ndsweep.spec.FormatError: line 3: mines must be a number of at most 9 digits. Got '²'.
    """
    if not (word.isascii() and word.isdigit() and len(word) <= _DIGITS):
        raise FormatError(f"line {line}: {what} must be a number of at most {_DIGITS} digits. Got {in_short(word)}.")
    return int(word)


def grid_of(lines: Sequence[str], first: int, shape: tuple[int, int], signs: Mapping[str, int]) -> npt.NDArray[np.int8]:
    """The codes of a grid whose rows are the lines from number ``first`` on, counted from 1.

    Digits from 0 to 8 are hints; ``signs`` tells what the other characters are.

    Examples
    --------
    >>> grid_of(["2x1x1", "1H"], 2, (1, 2), {"H": -1})
    array([[ 1, -1]], dtype=int8)
    >>> grid_of(["2x1x1", "1-"], 2, (1, 2), {"H": -1})
    Traceback (most recent call last):
    ...
    ndsweep.spec.FormatError: line 2, column 2: a cell must be a digit from 0 to 8 or 'H'. Got '-'.
    """
    rows, columns = shape
    if rows < 1 or columns < 1:
        raise FormatError(f"a grid must have 1 or more rows and columns. Got {rows} and {columns}.")
    if len(lines) < first - 1 + rows:
        missing = f"line {len(lines)} must not be the last, after {len(lines) - first + 1} of {rows} rows"
        raise FormatError(f"{missing} of the grid.")
    table = np.full(256, _NO_CODE, dtype=np.int8)
    for sign, code in (_HINTS | dict(signs)).items():
        table[ord(sign)] = code
    grid = np.empty(shape, dtype=np.int8)
    step = max(_TOGETHER // columns, 1)
    for start in range(0, rows, step):
        part = lines[first - 1 + start : first - 1 + min(start + step, rows)]
        codes = table[_signs_of(part, first + start, columns)]
        if (codes == _NO_CODE).any():
            row, column = first_where(codes == _NO_CODE)
            line, others = part[row], ", ".join(map(repr, signs))
            column += len(line) - len(line.lstrip(" \t"))
            where = f"line {first + start + row}, column {column + 1}"
            raise FormatError(f"{where}: a cell must be a digit from 0 to 8 or {others}. Got {line[column]!r}.")
        grid[start : start + len(part)] = codes
    return grid


def _signs_of(lines: Sequence[str], first: int, columns: int) -> npt.NDArray[np.uint32]:
    """The characters of some rows, as the numbers that Unicode gives them up to 255; all later ones are 255."""
    rows = [line.strip(" \t") for line in lines]
    for number, row in enumerate(rows, first):
        if len(row) != columns:
            raise FormatError(f"line {number} must have {columns} cells. Got {len(row)}.")
    signs = np.frombuffer("".join(rows).encode("utf-32-le"), dtype="<u4").astype(np.uint32)
    return signs.clip(max=255).reshape(len(rows), columns)


def text_rows(codes: npt.NDArray[np.integer[Any]], signs: Mapping[str, int]) -> list[str]:
    """The lines of a grid: hints as digits, other codes as the first of their signs.

    Examples
    --------
    >>> text_rows(np.array([[1, -1]]), {"H": -1})
    ['1H']
    """
    letters = {code: sign for sign, code in reversed(list(signs.items()))}
    return ["".join(letters.get(code, str(code)) for code in row) for row in codes.tolist()]
