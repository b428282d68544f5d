"""One small game, move by move: what a player at a keyboard or an agent in Python would feel."""

import numpy as np

import ndsweep as nd

GAMES = 100


def test_reveal_number(rate):
    """Goal: at most 10 us a move that opens one number."""
    board = nd.Board.deal(nd.EXPERT, seed=1)
    cells = [int(i) for i in np.flatnonzero((board.hints > 0) & ~board.mines)]

    def run(game):
        for cell in cells:
            game.reveal(cell)

    rate(run, len(cells), "us a move", setup=lambda: ((nd.Game(board),), {}))


def test_reveal_opening(rate):
    """Goal: at most 50 us a move that opens a whole opening."""
    boards = [nd.Board.deal(nd.EXPERT, seed=1, game=i) for i in range(GAMES)]
    cells = [int((board.openings.labels == 1).argmax()) for board in boards]
    for board in boards:
        _ = board.openings

    def run(games):
        for game, cell in zip(games, cells, strict=True):
            game.reveal(cell)

    rate(run, GAMES, "us a move", setup=lambda: (([nd.Game(board) for board in boards],), {}))


def test_new_game_and_first_reveal(rate):
    """Goal: at most 500 us from nothing to the first view: dealt, counted, labelled, opened."""

    def run():
        for i in range(GAMES):
            nd.Game.new(nd.EXPERT, seed=1, game=i).reveal((8, 15))

    rate(run, GAMES, "us a game")


def test_flag(rate):
    """Goal: at most 5 us a move."""
    game = nd.Game(nd.Board.deal(nd.EXPERT, seed=1))
    rate(lambda: [game.flag(cell) for cell in range(480)], 480, "us a move")


def test_chord(rate):
    """Goal: at most 50 us a move that opens the neighbours of a number."""
    board = nd.Board.from_coords((3, 3 * GAMES), [(0, 3 * i) for i in range(GAMES)])

    def fresh():
        game = nd.Game(board)
        for i in range(GAMES):
            game.flag((0, 3 * i))
            game.reveal((1, 3 * i))
        return (game,), {}

    rate(lambda game: [game.chord((1, 3 * i)) for i in range(GAMES)], GAMES, "us a move", setup=fresh)


def test_replay(rate):
    """Goal: at most 100 ms to play one game of a simulation again by counting."""
    rate(lambda: [nd.replay(nd.EXPERT, game=i) for i in range(10)], 10, "ms a game")
