"""Arrays as text.

Rows run along the last axis, lines along the one before it; the slices of the axes before
those follow each other with a blank line and their coordinates.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.checks import checked_array
from ndsweep.render.codes import UNCOVERED, WRONG, array_of
from ndsweep.spec import FLAG, HIDDEN, MINE, SpecError

_VIEW_SIGNS = {HIDDEN: "#", FLAG: "F", MINE: "*", UNCOVERED: "*", WRONG: "X"}


def view_text(view: npt.NDArray[np.integer[Any]]) -> str:
    """A player's view as text: ``#`` hidden, ``F`` flag, ``*`` an opened mine, ``.`` hint 0, digits.

    Parameters
    ----------
    view : integer array of the grid's shape
        View codes.

    Examples
    --------
    >>> import numpy as np
    >>> print(view_text(np.array([[-1, -2, 1], [0, 12, -3]])))
     #  F  1
     . 12  *
    """
    return _slices(view_cells(view), array_of(view).shape)


def view_cells(view: npt.NDArray[np.integer[Any]]) -> list[str]:
    """The text of each cell of a player's view, in C order.

    Parameters
    ----------
    view : integer array of the grid's shape
        View codes.

    Examples
    --------
    >>> view_cells(np.array([-1, -2, 12, 0]))
    ['#', 'F', '12', '.']
    """
    return [_VIEW_SIGNS.get(int(code), _digit(int(code))) for code in array_of(view).flat]


def board_text(mines: npt.NDArray[np.bool_], hints: npt.NDArray[np.integer[Any]]) -> str:
    """A whole board as text: ``*`` for mines, ``.`` for hint 0, digits.

    Parameters
    ----------
    mines, hints : arrays of the grid's shape

    Examples
    --------
    >>> import numpy as np
    >>> print(board_text(np.array([True, False, False]), np.array([0, 1, 0])))
    * 1 .
    """
    mines, hints = checked_array("mines", mines), checked_array("hints", hints)
    if mines.shape != hints.shape or not mines.size or not mines.ndim:
        raise SpecError(f"mines and hints must have one shape, of a grid. Got {mines.shape} and {hints.shape}.")
    cells = ["*" if mined else _digit(int(hint)) for mined, hint in zip(mines.flat, hints.flat, strict=True)]
    return _slices(cells, mines.shape)


def _digit(hint: int) -> str:
    return str(hint) if hint else "."


def _slices(cells: list[str], shape: tuple[int, ...]) -> str:
    width = max(map(len, cells))
    *outer, lines, length = (1, *shape)[-max(len(shape), 2) :]
    rows = [" ".join(c.rjust(width) for c in cells[i : i + length]) for i in range(0, len(cells), length)]
    blocks = ["\n".join(rows[i : i + lines]) for i in range(0, len(rows), lines)]
    if len(blocks) == 1:
        return blocks[0]
    titles = (", ".join(map(str, index)) for index in np.ndindex(*outer))
    return "\n\n".join(f"[{title}]\n{block}" for title, block in zip(titles, blocks, strict=True))
