"""One large board: deal, hints, openings, the first reveal, in 2-D to 4-D."""

import pytest

import ndsweep as nd

GRIDS = {
    "1000x1000": nd.Spec((1000, 1000), 10_000),
    "100x100x100": nd.Spec((100, 100, 100), 30_000),
    "20x20x20x20": nd.Spec((20, 20, 20, 20), 1_600),
}
grids = pytest.mark.parametrize("spec", GRIDS.values(), ids=GRIDS.keys())


@grids
def test_deal(rate, spec):
    """Goal: at most 100 ns a mine."""
    rate(lambda: nd.Board.deal(spec, seed=1), spec.mines, "ns a mine")


def test_deal_half_full(rate):
    """Goal: at most 50 ns a mine where half of the cells are mines."""
    spec = nd.Spec((1000, 1000), 500_000)
    rate(lambda: nd.Board.deal(spec, seed=1), spec.mines, "ns a mine")


def test_deal_small(rate):
    """Goal: at most 100 us for one expert board alone."""
    rate(lambda: [nd.Board.deal(nd.EXPERT, seed=1, game=i) for i in range(100)], 100, "us a board")


@grids
def test_hints(rate, spec):
    """Goal: at most 1.5 ns a cell in 2-D, 3 in 3-D, 6 in 4-D: no dearer than separable sums of slices."""
    board = nd.Board.deal(spec, seed=1)
    rate(lambda fresh: fresh.hints, spec.size, "ns a cell", setup=lambda: ((nd.Board(board.mines),), {}))


@grids
def test_openings(rate, spec):
    """Goal: at most 12 ns a cell in 2-D, 40 in 3-D, 150 in 4-D: what `scipy.ndimage.label` takes."""
    board = nd.Board.deal(spec, seed=1)

    def fresh():
        new = nd.Board(board.mines)
        _ = new.hints
        return (new,), {}

    rate(lambda new: new.openings, spec.size, "ns a cell", setup=fresh)


@grids
def test_first_reveal(rate, spec):
    """Goal: at most 50 ns an opened cell in 2-D, 150 in 3-D, 250 in 4-D, hints and openings included."""
    board = nd.Board.deal(spec, seed=1)
    cell = largest_opening(board)
    opened = nd.Game(board).reveal(cell)
    rate(lambda game: game.reveal(cell), opened, "ns an opened cell", setup=lambda: ((fresh_game(board),), {}))


@grids
def test_reveal_again(rate, spec):
    """Goal: at most 10 ns an opened cell in 2-D, 20 in 3-D, 40 in 4-D, once hints and openings are there."""
    board = nd.Board.deal(spec, seed=1)
    cell = largest_opening(board)
    opened = nd.Game(board).reveal(cell)
    rate(lambda game: game.reveal(cell), opened, "ns an opened cell", setup=lambda: ((nd.Game(board),), {}))


def fresh_game(board):
    """A game on a board that has neither hints nor openings yet."""
    return nd.Game(nd.Board(board.mines))


def largest_opening(board):
    """A cell of the largest opening, as a flat index."""
    labels = board.openings.labels.reshape(-1)
    sizes = [(labels == i + 1).sum() for i in range(min(board.openings.count, 10))]
    return int((labels == sizes.index(max(sizes)) + 1).argmax())
