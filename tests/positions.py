"""Games in the middle: random positions, positions of games that are stuck, and slots of the plane engine.

`slots_at` is the only place of the tests that knows the planes of `ndsweep.engine.slots.Slots`.
"""

import numpy as np
from hypothesis import strategies as st
from reference import FLAG, HIDDEN, cells_of, single_point
from strategies import layouts

from ndsweep import MINE, Board, Game, Spec, deduce
from ndsweep.engine.deal import Dealer
from ndsweep.engine.planes import Layout, mask_of, word_count
from ndsweep.engine.slots import Queue, Slots


@st.composite
def positions(draw, most_cells=60, most_games=3):
    """Mines, open cells and flags of a few games of one grid, (games, *shape) each.

    Either floods have run as in a game, or any safe cells are open; any mines have flags.
    """
    one = draw(layouts(most_cells, most_share=0.5))
    games = draw(st.integers(1, most_games))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    mines = random.permuted(np.broadcast_to(one.reshape(-1), (games, one.size)), axis=1).reshape(games, *one.shape)
    share = draw(st.floats(0, 1))
    opened = random.random(mines.shape) < share
    if draw(st.booleans()):
        opened = np.array([_flooded(m, o) for m, o in zip(mines, opened, strict=True)])
    flagged = random.random(mines.shape) < draw(st.floats(0, 1))
    return mines, opened & ~mines, flagged & mines


def _flooded(mines, wanted):
    """What is open after a few reveals of safe cells."""
    game = Game(Board(mines))
    for cell in np.flatnonzero(wanted & ~mines)[::5]:
        game.reveal(int(cell))
    return game.revealed


@st.composite
def stuck_positions(draw, most_cells=40, most_games=3):
    """Positions in which the single-point rules prove nothing more."""
    stuck = [_played_on(*one) for one in zip(*draw(positions(most_cells, most_games)), strict=True)]
    return tuple(np.array(part) for part in zip(*stuck, strict=True))


def _played_on(mines, opened, flagged):
    """The position once the single-point rules have opened and flagged all they can."""
    while True:
        mined, safe = single_point(mines.shape, view_of(mines, opened, flagged))
        if not mined and not safe:
            return mines, opened, flagged
        opened, flagged = opened | as_array(mines.shape, safe), flagged | as_array(mines.shape, mined)


def view_of(mines, opened, flagged):
    """The view of one position as a dict of codes."""
    hints = Board(mines).hints
    codes = np.where(flagged, FLAG, np.where(opened, hints.astype(int), HIDDEN))
    return {cell: int(codes[cell]) for cell in cells_of(mines.shape)}


def as_array(shape, cells):
    """A set of cells as a boolean array."""
    array = np.zeros(shape, dtype=bool)
    for cell in cells:
        array[cell] = True
    return array


# Views for mine probabilities ---------------------------------------------------------------------


@st.composite
def views(draw, most_cells=20, true_flags=False):
    """A view of a game as an array of codes, and its mines: flags stand anywhere, some mines may be open."""
    ((mines, opened, flagged),) = zip(*draw(positions(most_cells, most_games=1)), strict=True)
    view = as_codes(mines, opened)
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if draw(st.booleans()):
        view[mines & (random.random(mines.shape) < 0.3)] = MINE
    if not true_flags and draw(st.booleans()):
        flagged = random.random(mines.shape) < 0.3
    view[flagged & (view == HIDDEN)] = FLAG
    return view, mines


def as_codes(mines, opened):
    """The view of a layout with these safe cells open, as an array."""
    return np.where(opened, Board(mines).hints.astype(int), HIDDEN)


def as_dict(view):
    """An array of codes as the reference reads it."""
    return dict(zip(cells_of(view.shape), view.ravel().tolist(), strict=True))


def stuck_view(shape, mines, seed=0, guesses=0):
    """A game played by the single-point rules until they prove nothing; the first guesses there were lucky."""
    board = Board.deal(Spec(shape, mines), seed=seed, first_cell=tuple(n // 2 for n in shape))
    game = Game(board)
    game.reveal(tuple(n // 2 for n in shape))
    random = np.random.default_rng(seed)
    while True:
        proved = np.flatnonzero(deduce(game.view).safe)
        safe = np.flatnonzero(~game.revealed & ~board.mines)
        if not proved.size and not (guesses and safe.size):
            return np.array(game.view)
        if not proved.size:
            proved, guesses = random.permutation(safe)[:1], guesses - 1
        for cell in proved:
            game.reveal(int(cell))


def comb_view(seed=0):
    """The comb: 10x21 with 75 mines, every other cell of two rows open, and of a third the first four.

    Its 26 numbers are one component with a front of 74 unknown cells.
    """
    opened = np.zeros((10, 21), dtype=bool)
    opened[0, ::2] = opened[2, ::2] = opened[4, :8:2] = True
    closed = np.flatnonzero(~opened)
    mines = np.zeros(opened.size, dtype=bool)
    mines[np.random.default_rng(seed).permutation(closed)[:75]] = True
    return as_codes(mines.reshape(opened.shape), opened)


# Slots --------------------------------------------------------------------------------------------


def slots_at(mines, opened, flagged):
    """Slots whose games stand at these positions, all floods complete."""
    games = len(mines)
    layout = Layout(mines.shape[1:])

    def plane(cells):
        return layout.pack(cells.reshape(games, -1))

    slots = Slots(Queue(Dealer(layout, 0, "any"), 0, 0, 0, None), word_count(games))
    hints = np.array([Board(one).hints for one in mines])
    slots.mines, slots.safe, slots.zeros = plane(mines), plane(~mines), plane(~mines & (hints == 0))
    slots.done, slots.quiet = ~plane(~mines & ~opened), ~plane(mines & ~flagged)
    slots.seated = slots.active = mask_of(np.arange(games), slots.words)
    return slots


def position_of(slots, mines):
    """The open cells and the flags of the games in slots, (games, *shape) each."""
    lanes = np.arange(len(mines))
    done, quiet = (slots.layout.unpack(plane, lanes).reshape(mines.shape) for plane in (slots.done, slots.quiet))
    return done & ~mines, quiet & mines
