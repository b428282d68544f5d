"""Boards, positions and games as one small JSON document, which says what it is.

======================= ==============================================================
``format``, ``version`` "ndsweep" and 1
``kind``                "board", "position" or "game"
``shape``               sizes of the axes
``mines``               of a board and a game: coordinates of the mines; absent before a
                        game is dealt.  Of a position: their number, or null
``view``                of a position: the view codes of all cells in C order
``deal``                what a game will be dealt from, where ``mines`` is absent:
                        ``mines`` (a number), ``first``, ``seed``, ``game``, and the
                        ``streams`` version that gives the layout
``flag_limit``          of a game: a number, or null
``start``               of a game that did not begin with a hidden grid: coordinates of
                        the ``revealed`` and the ``flagged`` cells
``moves``               of a game: a list of "reveal", "flag" or "chord" with coordinates
======================= ==============================================================

A game is loaded by playing its moves again.  docs/formats.schema.json is the JSON schema.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from ndsweep.board import Board
from ndsweep.engine.store import read as read_store
from ndsweep.engine.streams import STREAM_VERSION
from ndsweep.game import Game
from ndsweep.interop.bounds import Bound
from ndsweep.interop.kept import Kept
from ndsweep.interop.replay import played
from ndsweep.interop.strict_json import keys_of, list_of, parsed
from ndsweep.position import Position
from ndsweep.spec import FormatError, Spec, SpecError, checked_int, checked_shape, in_short

VERSION = 1
_HEAD = ("format", "version", "kind", "shape")
_DIGITS = 4300  # of a number; Python reads no longer one
_TOO_LONG = 10**_DIGITS
_DEAL = ("mines", "first", "seed", "game", "streams")


def write(obj: Kept) -> str:
    """The document of a board, a position or a game.

    Examples
    --------
    >>> print(write(Board.from_coords((2, 2), [(0, 1)])), end="")
    {"format": "ndsweep", "version": 1, "kind": "board", "shape": [2, 2], "mines": [[0, 1]]}
    """
    kind = next(kind.__name__.lower() for kind in (Board, Position, Game) if isinstance(obj, kind))
    document: dict[str, Any] = {"format": "ndsweep", "version": VERSION, "kind": kind, "shape": list(obj.shape)}
    if isinstance(obj, Board):
        document["mines"] = _coords(obj)
    elif isinstance(obj, Position):
        document |= {"view": obj.view.reshape(-1).tolist(), "mines": obj.mines}
    else:
        document |= _play(obj)
    return json.dumps(document) + "\n"


def read(text: str, bound: Bound) -> Kept:
    """The board, position or game of a document; some SweepError if it is none.

    Examples
    --------
    >>> text = write(Position([[1, -1]]))
    >>> read(text, Bound())
    Position([[1, -1]], mines=None)
    """
    document = parsed(text)
    known = isinstance(document, dict) and document.get("format") == "ndsweep"
    reader = _READERS.get(str(document.get("kind"))) if known else None
    if reader is None:
        raise FormatError("format must be 'ndsweep' and kind 'game', 'position' or 'board'.")
    if "version" not in document:
        raise FormatError("a document must have all its keys. 'version' is missing.")
    version = document["version"]
    if version != VERSION or version is True:
        raise FormatError(f"version must be {VERSION}. Got {in_short(version)}.")
    if "shape" not in document:
        raise FormatError("a document must have all its keys. 'shape' is missing.")
    shape = checked_shape(document["shape"])
    bound.check(shape)
    if (moves := len(list_of(document.get("moves", []), "moves"))) > bound.most_moves:
        allowed = f"at most {bound.most_moves} moves, unless most_cells allows more"
        raise FormatError(f"a game must have {allowed}. Got {moves}.")
    return reader(document, shape)


def looks(text: str) -> bool:
    """Whether a text begins as such a document does.

    Examples
    --------
    >>> looks(' {"format": "ndsweep"}'), looks("{'board': []}")
    (True, False)
    """
    start = text.removeprefix("\ufeff").lstrip()[:4000]
    return start.startswith("{") and '"format"' in start


def _coords(board: Board) -> Any:
    return np.argwhere(read_store(board.mines, ())).tolist()


def _kept(name: str, number: int) -> int:
    if abs(number) >= _TOO_LONG:
        raise SpecError(f"{name} must have at most {_DIGITS} digits for a JSON document. Got more.")
    return number


def _play(game: Game) -> dict[str, Any]:
    document: dict[str, Any] = {}
    if game.board is not None:
        document["mines"] = _coords(game.board)
    elif game.deals_from is not None:
        spec, seed, number = game.deals_from
        values = (spec.mines, spec.first, _kept("seed", seed), number, STREAM_VERSION)
        document["deal"] = dict(zip(_DEAL, values, strict=True))
    document["flag_limit"] = None if game.flag_limit is None else _kept("flag_limit", game.flag_limit)
    if game.resumed_from is not None:
        revealed, flagged = (np.argwhere(cells).tolist() for cells in game.resumed_from)
        document["start"] = {"revealed": revealed, "flagged": flagged}
    document["moves"] = [[kind, list(cell)] for kind, cell in game.moves]
    return document


def _board(document: dict[str, Any], shape: tuple[int, ...]) -> Board:
    keys_of(document, "a document of kind 'board'", (*_HEAD, "mines"))
    return _of_coords(shape, document["mines"], "mines")


def _of_coords(shape: tuple[int, ...], coords: Any, what: str) -> Board:
    return Board.from_coords(shape, [list_of(cell, f"a cell of {what}") for cell in list_of(coords, what)], what)


def _position(document: dict[str, Any], shape: tuple[int, ...]) -> Position:
    keys_of(document, "a document of kind 'position'", (*_HEAD, "view", "mines"))
    view = list_of(document["view"], "view")
    if len(view) != np.prod(shape, dtype=object):
        raise FormatError(f"view must have a code for each cell of {shape}. Got {len(view)}.")
    for index, code in enumerate(view):
        if type(code) is not int or abs(code) >= 2**62:
            raise FormatError(f"code {index} of view must be a view code. Got {in_short(code)}.")
    return Position(np.array(view, dtype=np.int64).reshape(shape), document["mines"])


def _game(document: dict[str, Any], shape: tuple[int, ...]) -> Game:
    keys_of(document, "a document of kind 'game'", (*_HEAD, "flag_limit", "moves"), ("mines", "deal", "start"))
    moves = []
    for number, move in enumerate(list_of(document["moves"], "moves")):
        if len(list_of(move, f"move {number}")) != 2:
            raise FormatError(f"move {number} must be a word and a cell. Got {in_short(move)}.")
        moves.append((move[0], tuple(list_of(move[1], f"the cell of move {number}"))))
    return played(_at_start(document, shape), moves)


def _at_start(document: dict[str, Any], shape: tuple[int, ...]) -> Game:
    limit = document["flag_limit"]
    if "mines" not in document:
        if "start" in document:
            raise FormatError("a game with a start must have mines. 'mines' is missing.")
        if "deal" not in document:
            raise FormatError("a game must have mines or what it is dealt from. 'deal' is missing.")
        deal = keys_of(document["deal"], "deal", _DEAL)
        if deal["streams"] != STREAM_VERSION or deal["streams"] is True:
            raise FormatError(f"streams must be version {STREAM_VERSION}. Got {in_short(deal['streams'])}.")
        return Game.new(
            Spec(shape, deal["mines"], deal["first"]), checked_int("seed", deal["seed"]), deal["game"], limit
        )
    if "deal" in document:
        raise FormatError("a game must have mines or what it is dealt from. Got both 'mines' and 'deal'.")
    board = _of_coords(shape, document["mines"], "mines")
    if "start" not in document:
        return Game(board, limit)
    start = keys_of(document["start"], "start", ("revealed", "flagged"))
    revealed, flagged = (_of_coords(shape, start[name], name).mines for name in ("revealed", "flagged"))
    return Game.resume(board, revealed, flagged, limit)


_READERS: dict[str, Callable[[dict[str, Any], tuple[int, ...]], Kept]] = {
    "board": _board,
    "position": _position,
    "game": _game,
}
