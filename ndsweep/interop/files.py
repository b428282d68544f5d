"""Boards, positions and games in files and texts: the door to the formats, which docs/formats.md lists."""

from __future__ import annotations

import os

from ndsweep.board import Board
from ndsweep.game import Game
from ndsweep.interop.bounds import Bound, most_bytes
from ndsweep.interop.formats import FORMATS, named, of_content, of_suffix
from ndsweep.interop.kept import Kept
from ndsweep.npy import checked_path, replacing
from ndsweep.position import Position
from ndsweep.spec import FormatError, SpecError, SweepError, checked_int


def save(obj: Kept, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Writes a board, a position or a game to a file; all of it or nothing.

    Parameters
    ----------
    obj : Board, Position or Game
        What to keep.  A game is kept with its moves; dealt or not, under way or at its end.
    path : path
        Where to write; a file that is there is replaced.
    format : {"json", "npz", "text", "nested", "mbf", "board", "mine"}, optional
        By default what the name ends in: .json, .npz, .txt, .nested, .mbf, .board or .mine, and
        JSON for any other name.

    Raises
    ------
    SpecError
        If it is nothing that can be saved, the format would lose some of it, or the path names
        none that can be a file.
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
    with replacing(path) as scratch:
        scratch.write_bytes(data)


def load(path: str | os.PathLike[str], most_cells: int | None = None, format: str | None = None) -> Kept:
    """Reads a board, a position or a game from a file.

    Parameters
    ----------
    path : path
        Where to read.
    most_cells : int, optional
        A larger grid is refused, before there is memory for it.  By default a file may ask for
        10 million cells and have 16 MiB.
    format : {"json", "npz", "text", "nested", "mbf", "board", "mine"}, optional
        By default what the name ends in, and what the content looks like where that says nothing.

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
        data = file.read(limit + 1)
    if len(data) > limit:
        raise FormatError(f"{str(source)!r} must have at most {limit} bytes, unless most_cells allows more.")
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
    >>> print(nd.dumps(nd.Board.from_coords((2, 3), [(0, 0)]), "text"), end="")
    * 1 .
    1 1 .
    """
    return FORMATS[named(format, text_only=True)].write(_checked(obj)).decode()


def loads(text: str, format: str | None = None, most_cells: int | None = None) -> Kept:
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
    array([False, False, False])
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
        raise FormatError(f"text must have at most {most_bytes(most)} bytes, unless most_cells allows more.")
    name = format or of_content(data)
    return _read(data, name if FORMATS[name].is_text else "json", most, "text")


def _checked(obj: object) -> Kept:
    if not isinstance(obj, Board | Position | Game):
        raise SpecError(f"obj must be a Board, a Position or a Game. Got {type(obj).__name__}.")
    return obj


def _most(most_cells: object) -> int | None:
    return None if most_cells is None else checked_int("most_cells", most_cells, 0)


def _read(data: bytes, name: str, most: int | None, source: str) -> Kept:
    """What some bytes hold; every refusal is a FormatError that names their source."""
    format = FORMATS[name]
    try:
        return format.read(data, Bound(most))
    except SweepError as error:
        raise FormatError(f"{source} must hold {format.what}. {error}") from None
