"""What hypothesis draws for files: boards, positions and games, and what makes two of them the same."""

import numpy as np
from hypothesis import strategies as st
from positions import positions
from strategies import layouts, moves

from ndsweep import Board, Game, Position


@st.composite
def standing_games(draw, flags=True):
    """Games in the middle, without moves; lost ones too."""
    ((mines, opened, flagged),) = zip(*draw(positions(most_games=1)), strict=True)
    if mines.any() and draw(st.booleans()):
        opened = opened.copy()
        opened.flat[int(mines.argmax())] = True
    return Game.resume(Board(mines), opened, flagged & ~opened if flags else None)


@st.composite
def played_games(draw):
    """Games with moves, from the start or from the middle."""
    if draw(st.booleans()):
        game = draw(standing_games())
    else:
        game = Game(Board(draw(layouts())), draw(st.none() | st.integers(0, 5)))
    for kind, cell in draw(moves(game.view.size, ["flag", "chord"])):
        getattr(game, kind)(cell)
    return game


@st.composite
def seen(draw, standing=standing_games):
    """Positions: of a game, of one with every cell open, or with nothing open; with and without their total."""
    game = draw(standing())
    every = np.ones(game.shape, bool)
    opened = draw(st.sampled_from([game, Game.resume(game.board, every), Game(game.board)]))
    return Position(opened.view, draw(st.sampled_from([game.n_mines, None])))


@st.composite
def flat_games(draw, flags=True):
    """Games in the middle on two axes."""
    game = draw(standing_games(flags))
    shape = (game.shape[0], -1)
    parts = (cells.reshape(shape) for cells in (game.board.mines, game.revealed, game.flagged))
    mines, opened, flagged = parts
    return Game.resume(Board(mines), opened, flagged)


boards = layouts().map(Board)
flat_boards = layouts().map(lambda mines: Board(mines.reshape(mines.shape[0], -1)))


def same(one, other):
    """Whether two objects are of one kind, and equal in all that can be asked of them."""
    if not isinstance(one, Game):
        return type(one) is type(other) and one == other
    return (
        isinstance(other, Game)
        and np.array_equal(one.view, other.view)
        and (one.status, one.n_flags, one.moves, one.board, one.flag_limit)
        == (other.status, other.n_flags, other.moves, other.board, other.flag_limit)
    )
