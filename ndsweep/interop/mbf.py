"""Boards in ``.mbf`` files, as Minesweeper clones exchange them.

======= ==================================================
byte    what it is
======= ==================================================
0, 1    width and height, 1 to 255
2, 3    number of mines, the higher byte first
4, 5    column and row of the first mine, from 0 on
6, 7    of the second mine, and so on; nothing follows
======= ==================================================

Source: ``getFormatMBF`` in ``Board.js`` of github.com/DavidNHill/JSMinesweeper, which writes them.
"""

from __future__ import annotations

import numpy as np

from ndsweep.board import Board
from ndsweep.engine.store import read as read_store
from ndsweep.interop.bounds import Bound
from ndsweep.interop.kept import Kept, only, two_axes
from ndsweep.spec import FormatError

_HEAD, _SIDE = 4, 255


def write(obj: Kept) -> bytes:
    """The bytes of a board; SpecError if it is none, or not of two axes up to 255.

    Examples
    --------
    >>> write(Board.from_coords((2, 3), [(0, 2), (1, 0)])).hex(" ")
    '03 02 00 02 02 00 00 01'
    """
    board = only(obj, Board, "a .mbf file")
    two_axes(board.shape, "a .mbf file", _SIDE)
    mines = np.argwhere(read_store(board.mines, ()))
    height, width = board.shape
    return bytes([width, height, *divmod(len(mines), 256)]) + mines[:, ::-1].astype(np.uint8).tobytes()


def read(data: bytes, bound: Bound) -> Board:
    """The board in some bytes; FormatError if they are no such file.

    Examples
    --------
    >>> print(read(bytes.fromhex("03 02 00 02 02 00 00 01"), Bound()))
    1 2 *
    * 2 1
    """
    if len(data) < _HEAD:
        raise FormatError(f"a header must have {_HEAD} bytes. Got {len(data)}.")
    width, height, count = data[0], data[1], 256 * data[2] + data[3]
    if not width or not height:
        raise FormatError(f"bytes 0 and 1, width and height, must be between 1 and {_SIDE}. Got {width} and {height}.")
    if len(data) != _HEAD + 2 * count:
        raise FormatError(f"a file with {count} mines must have {_HEAD + 2 * count} bytes. Got {len(data)}.")
    bound.check((height, width))
    mines = np.zeros((height, width), dtype=np.bool_)
    for start in range(_HEAD, len(data), 2):
        x, y = data[start : start + 2]
        if x >= width or y >= height:
            raise FormatError(
                f"bytes {start} and {start + 1}, column and row of a mine, must be less than {width} and {height}."
                f" Got {x} and {y}."
            )
        if mines[y, x]:
            raise FormatError(f"bytes {start} and {start + 1} must name another mine. Got {x} and {y} a second time.")
        mines[y, x] = True
    return Board(mines)


def fits(data: bytes) -> bool:
    r"""Whether some bytes have the length that they should have as such a file.

    Examples
    --------
    >>> fits(bytes(range(1, 9))), fits(b"\x03\x02\x00\x00")
    (False, True)
    """
    return len(data) >= _HEAD and len(data) == _HEAD + 2 * (256 * data[2] + data[3])
