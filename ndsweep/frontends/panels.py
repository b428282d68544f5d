"""A grid of any dimension as text panels, one a slice, side by side as far as the terminal is wide."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_GAP = "   "


def panels(cells: npt.NDArray[Any], width: int, first: int = 0) -> str:
    """The slices of a grid with the numbers of their lines and columns.

    Parameters
    ----------
    cells : array of str of the grid's shape
        What each cell shows.
    width : int
        Characters of a line of the terminal; one panel a line where even that is too narrow.
    first : int
        Number of the first column, where these are not all.

    Returns
    -------
    str

    Examples
    --------
    >>> print(panels(np.array([[["#", "."], ["1", "F"]], [["#", "#"], ["2", "1"]]]), width=40))
    [0]       [1]
        0 1       0 1
    0   # .   0   # #
    1   1 F   1   2 1
    """
    *outer, lines, columns = (1, *cells.shape)[-max(cells.ndim, 2) :]
    wide = max(*map(len, cells.flat), len(str(first + columns - 1)))
    slices = cells.reshape(-1, lines, columns)
    titles = [str(list(index)) if index else "" for index in np.ndindex(*outer)]
    blocks = [_panel(title, rows.tolist(), wide, first) for title, rows in zip(titles, slices, strict=True)]
    fit = max(1, (width + len(_GAP)) // (len(blocks[0][0]) + len(_GAP)))
    bands = [blocks[first : first + fit] for first in range(0, len(blocks), fit)]
    return "\n\n".join("\n".join(map(_line, zip(*band, strict=True))) for band in bands)


def _panel(title: str, rows: list[list[str]], wide: int, first: int) -> list[str]:
    """The lines of one slice, all of one length."""
    left = len(str(len(rows) - 1)) if len(rows) > 1 else 0
    numbers = [str(number).rjust(left) if left else "" for number in range(len(rows))]
    head = [" " * left + _row(map(str, range(first, first + len(rows[0]))), wide)]
    body = [number + _row(row, wide) for number, row in zip(numbers, rows, strict=True)]
    size = max(len(title), len(head[0]))
    return [line.ljust(size) for line in ([title] if title else []) + head + body]


def _row(cells: Any, wide: int) -> str:
    return "   " + " ".join(cell.rjust(wide) for cell in cells)


def _line(parts: tuple[str, ...]) -> str:
    return _GAP.join(parts).rstrip()
