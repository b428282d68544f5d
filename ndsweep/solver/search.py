"""The search for no-guess boards: many games at once on bit planes, each given up where its first guess would be."""

from __future__ import annotations

import numpy as np

from ndsweep.checks import check_memory
from ndsweep.engine import rounds
from ndsweep.engine.deal import Dealer
from ndsweep.engine.pairs import Pairs
from ndsweep.engine.planes import Layout, lanes_of, mask_of
from ndsweep.engine.slots import Queue, Slots
from ndsweep.engine.streams import Ints, Words
from ndsweep.solver.chances import Beyond, chances_of
from ndsweep.solver.stuck import some_at_a_time, still_asked
from ndsweep.spec import Spec

SOLVABLE = ("single", "pairs", "exact")
"""The rules by which boards can be told to be solvable, each with those before it."""


def solvable_games(spec: Spec, solvable: str, seed: int, start: int, stop: int, first_cell: int | None = None) -> Ints:
    """The numbers of the games start .. stop-1 that are won from their first cell without a guess.

    Parameters
    ----------
    spec : Spec
        The kind of game.
    solvable : {"single", "pairs", "exact"}
        By which rules.
    seed, start, stop : int
        Which games.
    first_cell : int, optional
        The flat first cell of all; by default each game's own random one.

    Returns
    -------
    int64 array
        In order.

    Examples
    --------
    >>> from ndsweep.spec import BEGINNER
    >>> solvable_games(BEGINNER, "pairs", seed=0, start=0, stop=10)
    array([0, 1, 6, 9])
    """
    layout = Layout(spec.shape)
    dealer, by_pairs = Dealer(layout, spec.mines, spec.first), solvable != "single"
    words = Slots.words_for(layout, stop - start)
    needed = Slots.memory(dealer, words) + (Pairs.memory(layout, words) if by_pairs else 0)
    check_memory(f"playing games of shape {spec.shape}", needed)
    slots = Slots(Queue(dealer, seed, start, stop, first_cell), words)
    player = rounds.Player(slots, rounds.single_point, by_pairs, prove if solvable == "exact" else give_up)
    found = []
    while True:
        if slots.want_reseating():
            found.append(slots.game[lanes_of(slots.won & slots.seated)])
            slots.reseat()
            if not slots.seated.any():
                return np.sort(np.concatenate(found))
        player.round()


def give_up(slots: Slots, stuck: Words) -> Ints:
    """Ends the stuck games, which would have to guess, as lost; gives their slots."""
    slots.active &= ~stuck
    return lanes_of(stuck)


def prove(slots: Slots, stuck: Words) -> Ints:
    """Opens and flags in the stuck games what all numbers and the total prove; gives up those without a safe cell.

    Waits until half of the games in play are stuck, and gives the slots of those that were.
    """
    return some_at_a_time(slots, stuck, _prove)


def _prove(slots: Slots, lanes: Ints) -> None:
    """The same for the games in some slots."""
    chance = slots.layout.lines(chances_of(still_asked(slots, lanes), beyond=Beyond.PROOFS).mined)
    game, place = np.nonzero(chance == 1)
    slots.flag_proved(lanes[game], place)
    safe = chance == 0
    game, place = np.nonzero(safe)
    slots.open_proved(lanes[game], place)
    give_up(slots, mask_of(lanes[~safe.any(axis=1)], slots.words))
