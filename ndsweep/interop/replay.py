"""A played game from where it began and its moves."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any

from ndsweep.game import Game
from ndsweep.spec import FormatError, SweepError, in_short

_MANY = 3**6  # cells of a neighbourhood

MOVES = ("reveal", "flag", "chord")
"""The moves of a game, by name."""


def played(game: Game, moves: Iterable[tuple[Any, Any]]) -> Game:
    """The game after some moves; FormatError at one that is none or changes nothing.

    Examples
    --------
    >>> from ndsweep.board import Board
    >>> print(played(Game(Board.from_coords((1, 3), [(0, 0)])), [("reveal", (0, 1))]))
    # 1 #
    """
    near = prod(min(n, 3) for n in game.shape)
    for number, (kind, cell) in enumerate(moves):
        if kind not in MOVES:
            raise FormatError(f"move {number} must be one of {', '.join(map(repr, MOVES))}. Got {in_short(kind)}.")
        try:
            changed = getattr(game, kind)(cell)
        except SweepError as error:
            raise FormatError(f"move {number}: {error}") from None
        if not changed:
            raise FormatError(f"move {number} must change something. Got {kind} {in_short(cell)}.")
        if not number and near > _MANY and game.board is not None:
            game.board.compute_hints()  # once for all moves, each of which would count most of the grid
    return game
