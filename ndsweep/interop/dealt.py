"""Games whose cells another program stores: they must be dealt."""

from __future__ import annotations

from ndsweep.board import Board
from ndsweep.game import Game
from ndsweep.spec import SpecError


def dealt_board(game: object) -> Board:
    """The board of a game; SpecError unless it is a game that is dealt.

    Examples
    --------
    >>> dealt_board(Game(Board.from_coords((1, 3), [(0, 1)])))
    Board.from_coords((1, 3), [(0, 1)])
    """
    if not isinstance(game, Game) or game.board is None:
        raise SpecError(f"game must be a Game with a board, dealt by its first reveal. Got {game!r}.")
    return game.board
