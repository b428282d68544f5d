"""Large boards, positions and games as arrays in a compressed ``.npz`` file, which `numpy.load` reads too.

=================== ===============================================================
``version``         1, of type int64, as all numbers are
``shape``           sizes of the axes
``mines``           of a board and a game: a bit for each cell in C order, the highest
                    bit of a byte first; the last byte ends in zeros
``view``            of a position: the view codes, in the grid's shape and the type of views
``n_mines``         of a position: the number of mines, -1 if it is not known
``moves``           of a game: a row for each move, 0 reveal, 1 flag, 2 chord, and the flat cell
``flag_limit``      of a game: -1 for none
``revealed``, ``flagged``  of a game that did not begin with a hidden grid: bits as of ``mines``
=================== ===============================================================

Which arrays there are tells what it is.  Every array's size follows from ``shape``, so what is
compressed is read no further than that, and nothing is unpickled.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.board import Board
from ndsweep.engine.grid import view_dtype
from ndsweep.engine.store import read as read_store
from ndsweep.game import Game
from ndsweep.interop.bounds import Bound
from ndsweep.interop.kept import Kept
from ndsweep.interop.replay import MOVES, played
from ndsweep.position import Position
from ndsweep.spec import FormatError, SpecError, SweepError, checked_shape, in_short

VERSION = 1
_KINDS = {
    "board": {"version", "shape", "mines"},
    "position": {"version", "shape", "view", "n_mines"},
    "game": {"version", "shape", "mines", "moves", "flag_limit"},
    "game in the middle": {"version", "shape", "mines", "moves", "flag_limit", "revealed", "flagged"},
}
_MAGIC, _LONGEST = b"\x93NUMPY\x01\x00", 1000  # of a header, which numpy pads to 128 bytes
_HEADER = re.compile(
    rb"\{'descr': '([<|][a-z][0-9])', 'fortran_order': False, "
    rb"'shape': \(([0-9]{0,18}(?:, [0-9]{1,18})*),?\), \} *\n"
)
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # what numpy writes
_BAD = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError, ValueError, OSError)


def write(obj: Kept) -> bytes:
    """The bytes of a board, a position or a game; SpecError for a game that is not dealt.

    Examples
    --------
    >>> arrays = np.load(io.BytesIO(write(Board.from_coords((3, 3), [(0, 0)]))))
    >>> arrays["shape"], arrays["mines"]
    (array([3, 3]), array([128,   0], dtype=uint8))
    """
    arrays = {"version": np.int64(VERSION), "shape": np.array(obj.shape, dtype=np.int64)} | _arrays(obj)
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def read(data: bytes, bound: Bound) -> Kept:
    """The board, position or game in the bytes of a file; some SweepError if they hold none.

    Examples
    --------
    >>> data = write(Position([[1, -1]], mines=1))
    >>> read(data, Bound())
    Position([[1, -1]], mines=1)
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            return _Reader(file, bound).kept()
    except SweepError:
        raise
    except _BAD as error:
        raise FormatError(f"its archive is damaged. {type(error).__name__}: {in_short(str(error))[1:-1]}") from None


def looks(data: bytes) -> bool:
    """Whether some bytes begin as such a file does.

    Examples
    --------
    >>> looks(write(Board.from_coords((1, 1), []))), looks(b"P1")
    (True, False)
    """
    return data.startswith(b"PK\x03\x04")


def _arrays(obj: Kept) -> dict[str, Any]:
    if isinstance(obj, Position):
        return {"view": obj.view, "n_mines": np.int64(-1 if obj.mines is None else obj.mines)}
    board = obj if isinstance(obj, Board) else obj.board
    if board is None:
        raise SpecError("game must be dealt for a .npz file. Got one before its first reveal; a .json file keeps it.")
    arrays: dict[str, Any] = {"mines": _packed(read_store(board.mines, ()))}
    if isinstance(obj, Game):
        moves = [(MOVES.index(kind), np.ravel_multi_index(cell, obj.shape)) for kind, cell in obj.moves]
        arrays["moves"] = np.array(moves, dtype=np.int64).reshape(-1, 2)
        arrays["flag_limit"] = np.int64(_limit(obj.flag_limit))
        if obj.resumed_from is not None:
            arrays["revealed"], arrays["flagged"] = map(_packed, obj.resumed_from)
    return arrays


def _limit(flag_limit: int | None) -> int:
    if flag_limit is not None and flag_limit >= 2**63:
        raise SpecError(f"flag_limit must fit 64 bits for a .npz file. Got {flag_limit}.")
    return -1 if flag_limit is None else flag_limit


def _packed(cells: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    return np.packbits(cells.reshape(-1))


class _Reader:
    """The arrays of one file, each checked before there is memory for it."""

    def __init__(self, file: zipfile.ZipFile, bound: Bound) -> None:
        self.file, self.bound = file, bound
        names = [info.filename for info in file.infolist()]
        kinds = [kind for kind, arrays in _KINDS.items() if sorted(f"{name}.npy" for name in arrays) == sorted(names)]
        if not kinds:
            raise FormatError(f"its arrays must be those of a board, a position or a game. Got {in_short(names)}.")
        for info in file.infolist():
            if info.compress_type not in _METHODS:
                raise FormatError(f"its arrays must be stored or deflated. Got method {info.compress_type}.")
        self.kind = kinds[0]

    def kept(self) -> Kept:
        version = self.number("version")
        if version != VERSION:
            raise FormatError(f"version must be {VERSION}. Got {version}.")
        shape = checked_shape(self.array("shape", (None,), np.int64, 32).tolist())
        self.bound.check(shape)
        if self.kind == "position":
            view = self.array("view", shape, view_dtype(len(shape)), prod(shape))
            mines = self.number("n_mines")
            return Position(view, None if mines == -1 else mines)
        board = Board(self.bits("mines", shape))
        return board if self.kind == "board" else self.game(board)

    def game(self, board: Board) -> Game:
        limit = self.number("flag_limit")
        moves = self.array("moves", (None, 2), np.int64, 2 * self.bound.most_moves)
        if ((moves[:, 0] < 0) | (moves[:, 0] >= len(MOVES))).any():
            raise FormatError("moves must begin with 0, 1 or 2 each. Got another number.")
        flag_limit = None if limit == -1 else limit
        if self.kind == "game":
            game = Game(board, flag_limit)
        else:
            revealed, flagged = (self.bits(name, board.shape) for name in ("revealed", "flagged"))
            game = Game.resume(board, revealed, flagged, flag_limit)
        return played(game, ((MOVES[kind], int(cell)) for kind, cell in moves))

    def bits(self, name: str, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
        size = prod(shape)
        packed = self.array(name, ((size + 7) // 8,), np.uint8, size)
        cells = np.unpackbits(packed)
        if cells[size:].any():
            raise FormatError(f"the last byte of {name} must end in zeros after {size} cells. Got {packed[-1]}.")
        return cells[:size].view(np.bool_).reshape(shape)

    def number(self, name: str) -> int:
        return int(self.array(name, (), np.int64, 1))

    def array(self, name: str, wanted: tuple[int | None, ...], dtype: npt.DTypeLike, most: int) -> npt.NDArray[Any]:
        """An array of one type and shape, None for any size, and at most so many numbers."""
        with self.file.open(f"{name}.npy") as file:
            start = file.read(len(_MAGIC) + 2)
            length = int.from_bytes(start[-2:], "little")
            header = _HEADER.fullmatch(file.read(min(length, _LONGEST))) if start[: len(_MAGIC)] == _MAGIC else None
            if header is None:
                raise FormatError(f"{name} must be a .npy array, version 1.0, in C order. Got another header.")
            shape = tuple(int(n) for n in header[2].replace(b",", b" ").split())
            fits = len(shape) == len(wanted) and all(w in (None, n) for n, w in zip(shape, wanted, strict=True))
            kind = np.dtype(dtype).newbyteorder("<").str
            if not fits or header[1].decode() != kind or prod(shape) > most:
                sizes = str(tuple("any" if n is None else n for n in wanted)).replace("'any'", "any")
                found = f"{header[1].decode()} of {shape}"
                raise FormatError(f"{name} must be {kind} of shape {sizes}, at most {most} numbers. Got {found}.")
            needed = prod(shape) * np.dtype(dtype).itemsize
            content = file.read(needed + 1)
        if len(content) != needed:
            raise FormatError(f"{name} must have {needed} bytes, as its header says. Got {len(content)} or more.")
        return np.frombuffer(content, dtype=kind).astype(dtype).reshape(shape)
