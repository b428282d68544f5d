"""Lines of text that hold one row of a two-dimensional grid each, a character a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.spec import FormatError, in_short

_DIGITS = 9  # of a number; more than any that can be right
_HINTS = {str(hint): hint for hint in range(9)}


def lines_of(text: str) -> list[str]:
    r"""The lines of a text, whatever system ended them, without a byte order mark.

    Examples
    --------
    >>> lines_of("\ufeff1*\r\n11\n")
    ['1*', '11', '']
    """
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


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


def grid_of(
    lines: Sequence[str], first: int, shape: tuple[int, int], signs: Mapping[str, int]
) -> npt.NDArray[np.int64]:
    """The codes of a grid whose rows are the lines from number ``first`` on, counted from 1.

    Digits from 0 to 8 are hints; ``signs`` tells what the other characters are.

    Examples
    --------
    >>> grid_of(["2x1x1", "1H"], 2, (1, 2), {"H": -1})
    array([[ 1, -1]])
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
    known = _HINTS | dict(signs)
    grid = []
    for number, line in enumerate(lines[first - 1 : first - 1 + rows], first):
        row = line.strip(" \t")
        if len(row) != columns:
            raise FormatError(f"line {number} must have {columns} cells. Got {len(row)}.")
        try:
            grid.append([known[sign] for sign in row])
        except KeyError as error:
            column = line.index(error.args[0]) + 1
            others = ", ".join(map(repr, signs))
            allowed = f"a digit from 0 to 8 or {others}"
            raise FormatError(
                f"line {number}, column {column}: a cell must be {allowed}. Got {error.args[0]!r}."
            ) from None
    return np.array(grid, dtype=np.int64)


def text_rows(codes: npt.NDArray[np.integer[Any]], signs: Mapping[str, int]) -> list[str]:
    """The lines of a grid: hints as digits, other codes as the first of their signs.

    Examples
    --------
    >>> text_rows(np.array([[1, -1]]), {"H": -1})
    ['1H']
    """
    letters = {code: sign for sign, code in reversed(list(signs.items()))}
    return ["".join(letters.get(code, str(code)) for code in row) for row in codes.tolist()]
