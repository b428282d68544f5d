"""Boards and games as nested lists, as the HyperMines labs keep them, as JSON or as Python writes them.

A board is a list of lists and so on, an axis each, of ``'.'`` or ``'m'`` for a mine and the hint
elsewhere.  A game is a dict:

================== ============================================================================
``dimensions``     sizes of the axes
``board``          the nested lists
``visible``        nested lists, true where a cell is open; ``mask`` in older labs, or ``hidden``,
                   true where it is not
``state``          "ongoing", "victory" or "defeat"; "won" or "lost" in some labs
================== ============================================================================

Other keys are ignored, with numbers, words without backslashes, and lists and dicts of these: students
add what they like.  There are no flags and no moves.

Source: the labs HyperMines, Mines and Mice-sleeper of the MIT courses 6.009 and 6.101, as their
code is public.
"""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.board import Board
from ndsweep.engine.store import read as read_store
from ndsweep.game import Game
from ndsweep.interop.bounds import Bound
from ndsweep.interop.hints import board_of
from ndsweep.interop.kept import Kept, refused, state_board
from ndsweep.interop.strict_json import parsed
from ndsweep.spec import MINE, FormatError, SpecError, Status, checked_shape, in_short

_JSON = {"True": "true", "False": "false", "None": "null"}
_BRACKETS = str.maketrans("()", "[]")
_PYTHON = re.compile(r"['(TFN]")
_WORDS = re.compile(r"""'[^'\\\n]*'|"[^"\\\n]*"|True|False|None""")
_LAST_COMMA = re.compile(r",(?=[ \t\r\n]*[\])}])")
_BEGINS = re.compile(r"[\[(][\[( \t\r\n]*['\"0-9]")
_STATES = {
    Status.PLAYING: ("ongoing",),
    Status.WON: ("victory", "won"),
    Status.LOST: ("defeat", "lost"),
}
_OPEN = {"visible": True, "mask": True, "hidden": False}
_LARGEST = 2**62  # what a hint may not reach, to fit the array


def write(obj: Kept) -> str:
    """A board as nested lists, or a game as it stands as a dict, in JSON; SpecError where something would be lost.

    Examples
    --------
    >>> print(write(Board.from_coords((2, 2), [(0, 0)])), end="")
    [[".", 1], [1, 1]]
    """
    if isinstance(obj, Board):
        return json.dumps(_lists(obj)) + "\n"
    if not isinstance(obj, Game):
        raise refused(obj, (Board, Game), "nested lists")
    board = state_board(obj, "nested lists")
    if obj.n_flags:
        raise SpecError(f"game must have no flags for nested lists, which would lose them. Got {obj.n_flags}.")
    document = {
        "dimensions": list(obj.shape),
        "board": _lists(board),
        "visible": obj.revealed.tolist(),
        "state": _STATES[obj.status][0],
    }
    return json.dumps(document) + "\n"


def read(text: str, bound: Bound) -> Board | Game:
    """The board in nested lists, or the game in a dict; FormatError if the text holds neither.

    Examples
    --------
    >>> read("[['.', 1], [1, 1],]", Bound())
    Board.from_coords((2, 2), [(0, 0)])
    >>> text = "{'dimensions': (2,), 'board': ['.', 1], 'mask': [False, True], 'state': 'victory'}"
    >>> print(read(text, Bound()))
    # 1
    """
    value = parsed(_as_json(text.removeprefix("\ufeff")), fractions=True)
    return _game(value, bound) if isinstance(value, dict) else _board(value, bound)


def looks(text: str) -> bool:
    """Whether a text begins as such lists or such a dict do.

    Examples
    --------
    >>> looks("[['.', 1]]"), looks('{"board": []}'), looks('{"format": "ndsweep"}')
    (True, True, False)
    """
    start = text.removeprefix("\ufeff").lstrip()
    if start.startswith("{"):
        return '"format"' not in start and ("'board'" in start or '"board"' in start)
    return _BEGINS.match(start) is not None


def _as_json(text: str) -> str:
    """A text of Python's lists, tuples, dicts and plain words as JSON; a quote in a word alone moves what follows."""
    plain = _WORDS.sub(_word, text.translate(_BRACKETS)) if _PYTHON.search(text) else text
    return _LAST_COMMA.sub(" ", plain)


def _word(found: re.Match[str]) -> str:
    word = found[0]
    return json.dumps(word[1:-1], ensure_ascii=False) if word[0] == "'" else _JSON.get(word, word)


def _lists(board: Board) -> Any:
    hints = read_store(board.hints, ()).astype(object)
    hints[read_store(board.mines, ())] = "."
    return hints.tolist()


def _leaves(value: Any, what: str) -> tuple[tuple[int, ...], list[Any]]:
    """The shape of nested lists and what lies in them, in C order; FormatError where they are ragged."""
    shape: list[int] = []
    level = [value]
    while level and all(isinstance(part, list) for part in level):
        sizes = {len(part) for part in level}
        if len(sizes) > 1:
            depth = f"at depth {len(shape) + 1}"
            raise FormatError(f"{what} must have lists of one length {depth}. Got {min(sizes)} and {max(sizes)}.")
        shape.append(sizes.pop())
        checked_shape(shape)
        level = [inner for part in level for inner in part]
    if any(isinstance(part, list | dict) for part in level) or not shape:
        raise FormatError(f"{what} must be lists of one depth. Got {in_short(value)}.")
    return tuple(shape), level


def _board(value: Any, bound: Bound) -> Board:
    shape, leaves = _leaves(value, "board")
    bound.check(shape)
    for index, leaf in enumerate(leaves):
        if leaf not in (".", "m") and (type(leaf) is not int or not 0 <= leaf < _LARGEST):
            cell = tuple(int(x) for x in np.unravel_index(index, shape))
            raise FormatError(f"the cell at {cell} must be '.', 'm' or a number. Got {in_short(leaf)}.")
    codes = np.array([leaf if type(leaf) is int else MINE for leaf in leaves], dtype=np.int64)
    return board_of(codes.reshape(shape))


def _game(value: dict[str, Any], bound: Bound) -> Game:
    for key in ("dimensions", "board", "state"):
        if key not in value:
            raise FormatError(f"a game must have dimensions, board and state. {key!r} is missing.")
    board = _board(value["board"], bound)
    sizes = value["dimensions"]
    if sizes != list(board.shape) or any(type(n) is not int for n in sizes):
        raise FormatError(f"dimensions must be {list(board.shape)}, as board has. Got {in_short(value['dimensions'])}.")
    game = Game.resume(board, _opened(value, board.shape))
    states = _STATES[game.status]
    if board.n_mines == board.size and game.status != Status.LOST:
        states += _STATES[Status.PLAYING]  # the labs look for a win after a move only
    if value["state"] not in states:
        names = " or ".join(map(repr, states))
        raise FormatError(f"state must be {names}, as the open cells have it. Got {in_short(value['state'])}.")
    return game


def _opened(value: dict[str, Any], shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """The open cells of a game, by whatever name it has for them."""
    names = [name for name in _OPEN if name in value]
    if len(names) != 1:
        raise FormatError(f"a game must have one of {', '.join(map(repr, _OPEN))}. Got {names or 'none'}.")
    found, leaves = _leaves(value[names[0]], names[0])
    if found != shape or any(type(leaf) is not bool for leaf in leaves):
        raise FormatError(f"{names[0]} must hold true or false for each cell of {shape}. Got another list.")
    return np.array([leaf is _OPEN[names[0]] for leaf in leaves], dtype=np.bool_).reshape(shape)
