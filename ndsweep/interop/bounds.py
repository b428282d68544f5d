"""How much a file may ask for: a few bytes can name a grid that fills the memory."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from ndsweep.checks import check_memory
from ndsweep.spec import FormatError

MOST_CELLS = 10_000_000
"""Cells that a file may ask for, unless the caller allows more."""

MOST_BYTES = 1 << 24
"""Bytes that are read of a file: what they say takes up to fifty times as much memory."""


_BYTES_A_CELL = 64  # more than any format takes for a cell and the moves on it


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
                raise FormatError(f"shape must have at most {self.most_cells} cells here. Got {shape}.")
            return
        check_memory(f"a grid of shape {shape}", cells)
        if cells > MOST_CELLS:
            raise FormatError(
                f"shape must have at most {MOST_CELLS} cells, unless most_cells allows more. Got {shape}."
            )


def most_bytes(most_cells: int | None) -> int:
    """How many bytes a file may have: more than `MOST_BYTES` only for a caller who allows many cells.

    Examples
    --------
    >>> most_bytes(None) == most_bytes(1000) == 2**24
    True
    """
    return max(MOST_BYTES, _BYTES_A_CELL * (most_cells or 0))
