"""Boards, positions and games in files and texts: the door to the formats, which docs/formats.md lists."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import BinaryIO

from ndsweep.board import Board
from ndsweep.game import Game
from ndsweep.interop.bounds import Bound, most_bytes
from ndsweep.interop.formats import FORMATS, named, of_content, of_suffix
from ndsweep.interop.kept import Kept
from ndsweep.npy import checked_path, replacing
from ndsweep.position import Position
from ndsweep.spec import FormatError, SpecError, SweepError, checked_int, in_short

FILE_FORMATS: Mapping[str, str] = MappingProxyType({name: format.suffix for name, format in FORMATS.items()})
"""How the names of files end, by format: what ``format`` of `save` and `load` may be."""

_CHUNK = 1 << 20  # bytes that are read at a time
_NPY = b"\x93NUMPY"
_MORE = "unless most_cells allows more; a .npz file takes the fewest"


def save(obj: Kept, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Writes a board, a position or a game to a file; all of it or nothing.

    Parameters
    ----------
    obj : Board, Position or Game
        What to keep.  A game is kept with its moves; dealt or not, under way or at its end.  Of a
        grid of millions of cells ``.npz`` takes the smallest file: `load` needs ``most_cells`` to
        read a file of more than 16 MiB or a game of more than 100,000 moves.
    path : path
        Where to write; a file that is there is replaced.
    format : {"json", "npz", "text", "nested", "mbf", "board", "mine"}, optional
        By default what the name ends in: .json, .npz, .txt, .nested, .mbf, .board or .mine, and
        JSON for any other name.

    Raises
    ------
    SpecError
        If it is nothing that can be saved, the format would lose some of it, or the path names
        none that can be a file, or ends as the files of another format that `load` would take it for.
    OSError
        If the file cannot be written; what was there stays as it was.

    Examples
    --------
    >>> import ndsweep as nd, tempfile
    >>> game = nd.Game(nd.Board.from_coords((1, 4), [(0, 3)]))
    >>> game.reveal((0, 0))
    3
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     nd.save(game, folder + "/game.json")
    ...     print(nd.load(folder + "/game.json"))
    . . 1 #
    """
    target = checked_path(path)
    name = of_suffix(target) or "json" if format is None else named(format)
    data = FORMATS[name].write(_checked(obj))
    if (suffixed := of_suffix(target)) is not None and of_content(data, suffixed) != name:
        allowed = f"{FORMATS[name].suffix}, or in no suffix of another format, for format={name!r}"
        raise SpecError(f"path must end in {allowed}. Got {str(target)!r}.")
    with replacing(path) as scratch:
        scratch.write_bytes(data)


def load(path: str | os.PathLike[str], format: str | None = None, *, most_cells: int | None = None) -> Kept:
    """Reads a board, a position or a game from a file.

    Parameters
    ----------
    path : path
        Where to read.  A pipe is read to its end, as far as the limits allow, however long that takes.
    format : {"json", "npz", "text", "nested", "mbf", "board", "mine"}, optional
        By default what the name ends in, and what the content looks like where that says nothing.
    most_cells : int, optional
        A larger grid is refused, before there is memory for it.  By default a file may ask for
        10 million cells, have 16 MiB and a million lines, and hold a game of 100,000 moves; or,
        where that is more, have 64 bytes, a line and 4 moves for each cell that is allowed.

    Returns
    -------
    Board, Position or Game
        What the file holds; a game with the same view, status and moves.

    Raises
    ------
    FormatError
        If the file holds nothing of that format, or what cannot be or is too large.
    SpecError
        If there is no such format.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import ndsweep as nd, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     nd.save(nd.Board.from_coords((3, 3), [(0, 0)]), folder + "/board.mbf")
    ...     print(nd.load(folder + "/board.mbf"))
    * 1 .
    1 1 .
    . . .
    """
    source = checked_path(path)
    if format is not None:
        named(format)
    most = _most(most_cells)
    limit = most_bytes(most)
    with open(source, "rb") as file:
        data = _bytes_of(file, limit)
    if len(data) > limit:
        raise FormatError(f"{str(source)!r} must have at most {limit} bytes, {_MORE}.")
    return _read(data, format or of_content(data, of_suffix(source)), most, repr(str(source)))


def dumps(obj: Kept, format: str = "json") -> str:
    """A board, a position or a game as text.

    Parameters
    ----------
    obj : Board, Position or Game
        What to write.
    format : {"json", "text", "nested", "board", "mine"}
        The format.

    Returns
    -------
    str
        What `save` would write to a file.

    Raises
    ------
    SpecError
        If it is nothing that can be saved, or the format would lose some of it.

    Examples
    --------
    >>> import ndsweep as nd
    >>> print(nd.dumps(nd.Board.from_coords((2, 3), [(0, 0)]), format="text"), end="")
    * 1 .
    1 1 .
    """
    return FORMATS[named(format, text_only=True)].write(_checked(obj)).decode()


def loads(text: str, format: str | None = None, *, most_cells: int | None = None) -> Kept:
    """The board, position or game in a text.

    Parameters
    ----------
    text : str
        What `dumps` writes, or a board as it is pasted.
    format : {"json", "text", "nested", "board", "mine"}, optional
        By default what the text looks like.
    most_cells : int, optional
        As of `load`.

    Returns
    -------
    Board, Position or Game

    Raises
    ------
    FormatError
        If the text holds nothing of that format, or what cannot be or is too large.
    SpecError
        If there is no such format, or it is no text.

    Examples
    --------
    >>> import ndsweep as nd
    >>> position = nd.loads('''
    ... 1 1 1
    ... # # F
    ... ''')
    >>> nd.deduce(position.view).safe[1]
    array([ True, False,  True])
    """
    if not isinstance(text, str):
        raise SpecError(f"text must be a str. Got {type(text).__name__}.")
    if format is not None:
        named(format, text_only=True)
    most = _most(most_cells)
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise FormatError(f"text must be Unicode. Character {error.start} is half of a pair.") from None
    if len(data) > most_bytes(most):
        raise FormatError(f"text must have at most {most_bytes(most)} bytes, {_MORE}.")
    name = format or of_content(data)
    return _read(data, name if name and FORMATS[name].is_text else None, most, "text")


def _checked(obj: object) -> Kept:
    if not isinstance(obj, Board | Position | Game):
        raise SpecError(f"obj must be a Board, a Position or a Game. Got {type(obj).__name__}.")
    return obj


def _most(most_cells: object) -> int | None:
    return None if most_cells is None else checked_int("most_cells", most_cells, 0)


def _bytes_of(file: BinaryIO, limit: int) -> bytes:
    """What is in a file, up to a byte more than the limit; room is taken as it comes."""
    parts, size = [], 0
    while size <= limit and (part := file.read(min(_CHUNK, limit + 1 - size))):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _read(data: bytes, name: str | None, most: int | None, source: str) -> Kept:
    """What some bytes hold; every refusal is a FormatError that names their source."""
    if name is None:
        instead = " Board.open reads such a .npy file." if data.startswith(_NPY) else ""
        formats = ", ".join(map(repr, FORMATS))
        raise FormatError(f"{source} must be in one of the formats {formats}. Got {in_short(data[:40])}.{instead}")
    format = FORMATS[name]
    try:
        return format.read(data, Bound(most))
    except SweepError as error:
        raise FormatError(f"{source} must hold {format.what}. {error}") from None
