"""How much a file may ask for: a few bytes can name a grid that fills the memory."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from ndsweep.checks import check_memory
from ndsweep.spec import FormatError

MOST_CELLS = 10_000_000
"""Cells that any file may ask for."""

CELLS_A_BYTE = 64
"""Cells that a larger file may ask for, for each of its bytes."""

MOST_BYTES = 1 << 25
"""Bytes that are read of a file: what they say takes some twenty times as much memory."""


@dataclass(frozen=True)
class Bound:
    """What a file of so many bytes may ask for.

    Attributes
    ----------
    size : int
        Number of bytes of the file, or characters of the text.
    most_cells : int or None
        What the caller allows; None for the limits of this module.

    Examples
    --------
    >>> Bound(200).check((1000, 1000))
    >>> Bound(200).check((9000, 9000))
    Traceback (most recent call last):
    ...
    ndsweep.spec.FormatError: shape must have at most 10000000 cells for 200 bytes, unless most_cells allows more. \
Got (9000, 9000).
    """

    size: int
    most_cells: int | None = None

    def check(self, shape: tuple[int, ...]) -> None:
        """FormatError, or TooLargeError, unless a grid of this shape may be made.

        Examples
        --------
        >>> Bound(200, most_cells=80).check((9, 9))
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
        most = max(MOST_CELLS, CELLS_A_BYTE * self.size)
        if cells > most:
            allowed = f"at most {most} cells for {self.size} bytes, unless most_cells allows more"
            raise FormatError(f"shape must have {allowed}. Got {shape}.")


def most_bytes(most_cells: int | None) -> int:
    """How many bytes a file may have: more than `MOST_BYTES` only for a caller who allows many cells.

    Examples
    --------
    >>> most_bytes(None) == most_bytes(1000) == 2**25
    True
    """
    return max(MOST_BYTES, CELLS_A_BYTE * (most_cells or 0))
