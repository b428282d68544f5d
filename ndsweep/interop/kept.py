"""What formats can keep: what would be lost is refused, in words that say what to keep instead."""

from __future__ import annotations

from typing import TypeVar

from ndsweep.board import Board
from ndsweep.game import Game
from ndsweep.position import Position
from ndsweep.spec import SpecError

Kept = Board | Position | Game
"""What can be saved: where the mines lie, what a player sees, or a whole play."""

T = TypeVar("T", Board, Position)


def refused(obj: Kept, kinds: tuple[type, ...], where: str) -> SpecError:
    """The error that a format keeps other kinds of objects.

    Examples
    --------
    >>> print(refused(Game(Board.from_coords((1, 3), [])), (Board, Position), "a text"))
    obj must be a Board or a Position for a text. Got a Game: game.board has its mines, Position.of(game) its view.
    """
    instead = ""
    if isinstance(obj, Game):
        parts = {Board: "game.board has its mines", Position: "Position.of(game) its view"}
        instead = ": " + ", ".join(text for kind, text in parts.items() if kind in kinds)
    names = " or a ".join(kind.__name__ for kind in kinds)
    return SpecError(f"obj must be a {names} for {where}. Got a {type(obj).__name__}{instead}.")


def only(obj: Kept, kind: type[T], where: str) -> T:
    """The object; SpecError unless it is of the one kind that a format keeps whole.

    Examples
    --------
    >>> only(Board.from_coords((1, 3), []), Position, "a .mine file")
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: obj must be a Position for a .mine file. Got a Board.
    """
    if not isinstance(obj, kind):
        raise refused(obj, (kind,), where)
    return obj


def state_board(game: Game, where: str) -> Board:
    """The board of a game that is kept as it stands; SpecError if it has moves or a limit, or is not dealt.

    Examples
    --------
    >>> game = Game(Board.from_coords((1, 3), [(0, 0)]))
    >>> state_board(game, "a .board file") is game.board, game.flag(0)
    (True, 1)
    >>> state_board(game, "a .board file")
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: game must have no moves for a .board file, which would lose them. Got 1: \
Game.resume(game.board, game.revealed, game.flagged) stands as it does, without them.
    """
    if game.board is None:
        raise SpecError(f"game must be dealt for {where}. Got one before its first reveal.")
    if game.moves:
        lost = "them" if game.flag_limit is None else "them and the flag_limit"
        same = f"Game.resume(game.board, game.revealed, game.flagged) stands as it does, without {lost}"
        raise SpecError(f"game must have no moves for {where}, which would lose them. Got {len(game.moves)}: {same}.")
    if game.flag_limit is not None:
        raise SpecError(f"game must have no flag_limit for {where}, which would lose it. Got {game.flag_limit}.")
    return game.board


def two_axes(shape: tuple[int, ...], where: str, most: int | None = None) -> None:
    """SpecError unless a shape is that of a flat grid, with sides up to ``most``.

    Examples
    --------
    >>> two_axes((4, 4, 4), "a .mbf file")
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: shape must have two axes for a .mbf file. Got (4, 4, 4).
    """
    if len(shape) != 2:
        raise SpecError(f"shape must have two axes for {where}. Got {shape}.")
    if most is not None and max(shape) > most:
        raise SpecError(f"shape must have sides up to {most} for {where}. Got {shape}.")


def known_mines(position: Position, where: str) -> int:
    """The number of mines of a position; SpecError if it is not known.

    Examples
    --------
    >>> known_mines(Position([[1, -1]], mines=1), "a .mine file")
    1
    """
    if position.mines is None:
        raise SpecError(f"mines must be known for {where}, which says how many there are. Got a Position with None.")
    return position.mines
