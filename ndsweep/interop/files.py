"""Games in files: one small JSON document, which says what it is and how the game went.

======================= ==============================================================
``format``, ``version`` "ndsweep" and 1
``kind``                "game"
``shape``               sizes of the axes
``mines``               coordinates of the mines; absent before the game is dealt
``deal``                what the game will be dealt from, where ``mines`` is absent:
                        ``mines`` (a number), ``first``, ``seed``, ``game``, and the
                        ``streams`` version that gives the layout
``flag_limit``          a number, or null
``start``               where the game did not begin with a hidden grid: coordinates of
                        the ``revealed`` and the ``flagged`` cells
``moves``               a list of "reveal", "flag" or "chord" with coordinates
======================= ==============================================================

A game is loaded by playing its moves again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.board import Board
from ndsweep.engine.streams import STREAM_VERSION
from ndsweep.game import Game
from ndsweep.npy import checked_path, replacing
from ndsweep.spec import FormatError, Spec, SpecError, SweepError, checked_shape

VERSION = 1
_MOVES = ("reveal", "flag", "chord")


def save(game: Game, path: str | os.PathLike[str]) -> None:
    """Writes a game with its moves to a file; all of it or nothing.

    Parameters
    ----------
    game : Game
        Any game; dealt or not, under way or at its end.
    path : path
        Where to write; a file that is there is replaced.

    Raises
    ------
    SpecError
        If it is no game, or the path names none that can be a file.
    OSError
        If the file cannot be written.

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
    if not isinstance(game, Game):
        raise SpecError(f"game must be a Game. Got {type(game).__name__}.")
    with replacing(path) as scratch:
        scratch.write_text(json.dumps(_document(game)) + "\n", encoding="utf-8")


def load(path: str | os.PathLike[str], most_cells: int | None = None) -> Game:
    """Reads a game that `save` wrote, and plays its moves again.

    Parameters
    ----------
    path : path
        Where to read.
    most_cells : int, optional
        A larger grid is refused, before there is memory for it.

    Returns
    -------
    Game
        With the same view, status and moves.

    Raises
    ------
    FormatError
        If the file holds no game of this format, or one that cannot be or is too large.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import ndsweep as nd, tempfile
    >>> game = nd.Game.new(nd.BEGINNER, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     nd.save(game, folder + "/game.json")
    ...     again = nd.load(folder + "/game.json")
    >>> again.reveal((4, 4)) == game.reveal((4, 4)), again.board == game.board
    (True, True)
    """
    source = checked_path(path)
    try:
        document = json.loads(source.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{str(source)!r} must hold a JSON document. {type(error).__name__}: {error}.") from None
    try:
        return _game(document, most_cells)
    except (SweepError, KeyError, TypeError, ValueError) as error:
        what = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise FormatError(f"{str(source)!r} must hold a game of ndsweep: {what}") from None


def _document(game: Game) -> dict[str, Any]:
    document: dict[str, Any] = {"format": "ndsweep", "version": VERSION, "kind": "game", "shape": list(game.shape)}
    if game.board is not None:
        document["mines"] = np.argwhere(game.board.mines).tolist()
    elif game.deals_from is not None:
        spec, seed, number = game.deals_from
        deal = {"mines": spec.mines, "first": spec.first, "seed": seed, "game": number, "streams": STREAM_VERSION}
        document["deal"] = deal
    document["flag_limit"] = game.flag_limit
    if game.resumed_from is not None:
        revealed, flagged = (np.argwhere(cells).tolist() for cells in game.resumed_from)
        document["start"] = {"revealed": revealed, "flagged": flagged}
    document["moves"] = [[kind, list(cell)] for kind, cell in game.moves]
    return document


def _game(document: Any, most_cells: int | None) -> Game:
    """The game of a document; some error if it is none."""
    if not isinstance(document, dict) or document.get("format") != "ndsweep" or document.get("kind") != "game":
        raise FormatError("format must be 'ndsweep' and kind 'game'.")
    if document["version"] != VERSION or document["version"] is True:
        raise FormatError(f"version must be {VERSION}. Got {document['version']!r}.")
    shape = checked_shape(document["shape"])
    if most_cells is not None and prod(shape) > most_cells:
        raise FormatError(f"shape must have at most {most_cells} cells here. Got {shape}.")
    game = _at_start(document, shape)
    for number, (kind, cell) in enumerate(document["moves"]):
        if kind not in _MOVES:
            raise FormatError(f"move {number} must be one of {', '.join(map(repr, _MOVES))}. Got {kind!r}.")
        move: Callable[[tuple[int, ...]], int] = getattr(game, kind)
        if not move(tuple(cell)):
            raise FormatError(f"move {number} must change something. Got {kind} {cell}.")
    return game


def _at_start(document: dict[str, Any], shape: tuple[int, ...]) -> Game:
    limit = document["flag_limit"]
    if "mines" not in document:
        deal = document["deal"]
        if deal["streams"] != STREAM_VERSION:
            raise FormatError(f"streams must be version {STREAM_VERSION}. Got {deal['streams']!r}.")
        spec = Spec(shape, deal["mines"], deal["first"])
        return Game.new(spec, deal["seed"], deal["game"], limit)
    board = Board.from_coords(shape, map(tuple, document["mines"]))
    if "start" not in document:
        return Game(board, limit)
    revealed, flagged = (_mask(shape, document["start"][name]) for name in ("revealed", "flagged"))
    return Game.resume(board, revealed, flagged, limit)


def _mask(shape: tuple[int, ...], cells: list[list[int]]) -> npt.NDArray[np.bool_]:
    return Board.from_coords(shape, map(tuple, cells)).mines
