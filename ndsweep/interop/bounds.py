"""How much a file may ask for: a few bytes can name a grid that fills the memory."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from ndsweep.checks import check_memory
from ndsweep.spec import FormatError, in_short

MOST_CELLS = 10_000_000
"""Cells that a file may ask for, unless the caller allows more."""

MOST_BYTES = 1 << 24
"""Bytes that are read of a file: what is made of them takes up to forty times as much memory."""

MOST_LINES = 1_000_000
"""Lines that a text may have, unless the caller allows more cells: each takes far more memory than its letters."""

MOST_MOVES = 100_000
"""Moves that a game may have, unless the caller allows many cells: a move around flags may take a millisecond."""

_BYTES_A_CELL = 64  # more than any format takes for a cell and the moves on it
_MOVES_A_CELL = 4


@dataclass(frozen=True)
class Bound:
    """What a file may ask for.

    Attributes
    ----------
    most_cells : int or None
        What the caller allows; None for the limit of this module.

    Examples
    --------
    >>> Bound().check((1000, 1000))
    >>> Bound().check((9000, 9000))
    Traceback (most recent call last):
    ...
    ndsweep.spec.FormatError: shape must have at most 10000000 cells, unless most_cells allows more. Got (9000, 9000).
    """

    most_cells: int | None = None

    def check(self, shape: tuple[int, ...]) -> None:
        """FormatError, or TooLargeError, unless a grid of this shape may be made.

        Examples
        --------
        >>> Bound(most_cells=80).check((9, 9))
        Traceback (most recent call last):
        ...
        ndsweep.spec.FormatError: shape must have at most 80 cells here. Got (9, 9).
        """
        cells = prod(shape)
        if self.most_cells is not None:
            if cells > self.most_cells:
                raise FormatError(f"shape must have at most {self.most_cells} cells here. Got {in_short(shape)}.")
            check_memory(f"a grid of shape {in_short(shape)}", cells)
        elif cells > MOST_CELLS:
            allowed = f"at most {MOST_CELLS} cells, unless most_cells allows more"
            raise FormatError(f"shape must have {allowed}. Got {in_short(shape)}.")

    @property
    def most_lines(self) -> int:
        """How many lines a text may have.

        Examples
        --------
        >>> Bound().most_lines, Bound(most_cells=10**7).most_lines
        (1000000, 10000000)
        """
        return max(MOST_LINES, self.most_cells or 0)

    @property
    def most_moves(self) -> int:
        """How many moves a game may have, which are all played again.

        Examples
        --------
        >>> Bound().most_moves, Bound(most_cells=10**6).most_moves
        (100000, 4000000)
        """
        return max(MOST_MOVES, _MOVES_A_CELL * (self.most_cells or 0))


def most_bytes(most_cells: int | None) -> int:
    """How many bytes a file may have: more than `MOST_BYTES` only for a caller who allows many cells.

    Examples
    --------
    >>> most_bytes(None) == most_bytes(1000) == 2**24
    True
    """
    return max(MOST_BYTES, _BYTES_A_CELL * (most_cells or 0))
