"""Games in the middle: random positions with all flags on mines, and slots of the plane engine that stand at them.

`slots_at` is the only place of the tests that knows the planes of `ndsweep.engine.slots.Slots`.
"""

import numpy as np
from hypothesis import strategies as st
from reference import FLAG, HIDDEN, cells_of, single_point
from strategies import layouts

from ndsweep import Board, Game
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
