"""Trails: what games looked like before each move of their policies.

The games are those of `simulate`, and every position is a function of seed and game alone.
A named policy plays in slots here too, but floods end before the next move, so that there is
a position to look at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine.deal import Dealer
from ndsweep.engine.planes import Layout, lanes_of, mask_of
from ndsweep.engine.rounds import Player, flood
from ndsweep.engine.slots import OR, Queue, Slots, is_in
from ndsweep.engine.streams import Ints, Purpose, Words, below, cursors, stream_keys
from ndsweep.policies import Named, Policy, Turn, Views, checked_policy
from ndsweep.simulate import simulate
from ndsweep.tasks import Task

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Trail:
    """Positions of some games, in order of game and move.

    Attributes
    ----------
    game, move : (k,) int64 arrays
        Number of the game, and of the moves that its policy had made before.
    stuck : (k,) bool array
        Whether the policy guessed here.
    opened : (k, bytes) uint8 array
        Which cells were open: bits in C order, as `numpy.packbits` makes them.

    Examples
    --------
    >>> from ndsweep.spec import BEGINNER
    >>> trail = trail_of(Task(BEGINNER, "random"), 0, 2)
    >>> trail.game, trail.move, trail.opened.shape
    (array([0, 0, 0, 0, 1, 1, 1]), array([0, 1, 2, 3, 0, 1, 2]), (7, 11))
    """

    game: Ints
    move: Ints
    stuck: Bools
    opened: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return self.game.size

    def __getitem__(self, rows: slice | npt.NDArray[Any]) -> Trail:
        return Trail(self.game[rows], self.move[rows], self.stuck[rows], self.opened[rows])

    def one_each(self, seed: int) -> Trail:
        """A uniformly random position of each game that has any, drawn from the game's own stream."""
        games, starts, counts = np.unique(self.game, return_index=True, return_counts=True)
        return self[starts + below(cursors(stream_keys(seed, Purpose.EXAMPLES, games), 0), counts)]


@dataclass
class _Notes:
    """Positions as they come up."""

    start: int
    moves: Ints  # that each game has made
    only_stuck: bool
    parts: list[Trail] = field(default_factory=list)

    def add(self, games: Ints, stuck: Bools, look: Callable[[Ints], Bools]) -> None:
        """Notes that these games move on; ``look`` gives the open cells of some of them, (rows, size)."""
        made = self.moves[games - self.start]
        self.moves[games - self.start] += 1
        rows = np.flatnonzero(stuck) if self.only_stuck else np.arange(games.size)
        self.parts.append(Trail(games[rows], made[rows], stuck[rows], np.packbits(look(rows), axis=1)))

    def trail(self) -> Trail:
        """All of them in order."""
        names = ("game", "move", "stuck", "opened")
        whole = Trail(*(np.concatenate([getattr(part, name) for part in self.parts]) for name in names))
        return whole[np.lexsort((whole.move, whole.game))]


def trail_of(task: Task, start: int, stop: int, only_stuck: bool = False) -> Trail:
    """The positions of games start .. stop-1 before each move of the policy, or before its guesses alone.

    What a round of rules proves safe is one move of a named policy, and so is a guess; a cell is
    one of any other.  The first cell is open already.

    Examples
    --------
    >>> from ndsweep.spec import BEGINNER
    >>> trail_of(Task(BEGINNER), 0, 100).stuck.sum() == len(trail_of(Task(BEGINNER), 0, 100, only_stuck=True))
    np.True_
    """
    notes = _Notes(start, np.zeros(stop - start, dtype=np.int64), only_stuck)
    empty = np.zeros(0, dtype=np.int64)
    notes.add(empty, empty > 0, lambda rows: np.zeros((0, task.spec.size), dtype=np.bool_))
    policy = checked_policy(task.policy)
    if isinstance(policy, Named):
        _watch_planes(task, policy, start, stop, notes)
    else:
        watched = _Watched(policy, notes)
        simulate(task.spec, stop - start, watched, task.seed, start, first_cell=task.flat_cell)
    return notes.trail()


@dataclass
class _Watched:
    """A policy of one's own, and notes of what it sees."""

    policy: Policy
    notes: _Notes

    def choose(self, views: Views, turn: Turn) -> npt.ArrayLike:
        """What the policy chooses."""
        picks = turn.picks.copy()
        cells = self.policy.choose(views, turn)
        self.notes.add(turn.games, turn.picks > picks, lambda rows: views.reshape(len(views), -1)[rows] >= 0)
        return cells


def _watch_planes(task: Task, policy: Named, start: int, stop: int, notes: _Notes) -> None:
    """Plays games with a named policy in slots, as `simulate` does, and notes where they move on."""
    layout = Layout(task.spec.shape)
    dealer = Dealer(layout, task.spec.mines, task.spec.first)
    words = Slots.words_for(layout, stop - start)
    slots = Slots(Queue(dealer, task.seed, start, stop, task.flat_cell), words, policy.verdict is not None)
    player = Player(slots, policy.round, policy.pairs, policy.last)
    while True:
        if slots.want_reseating():
            slots.reseat()
            if not slots.seated.any():
                break
        while slots.fresh.any():
            flood(slots)
        done, turn, active = slots.done.copy(), slots.turn.copy(), slots.active.copy()
        player.round()
        guessed = mask_of(np.flatnonzero(slots.turn != turn), slots.words)
        lanes = lanes_of(active & (guessed | OR.reduce(layout.lines(slots.done ^ done), axis=1)))
        if lanes.size:
            notes.add(slots.game[lanes], is_in(lanes, guessed), partial(_opened, slots, done & slots.safe, lanes))


def _opened(slots: Slots, opened: Words, lanes: Ints, rows: Ints) -> Bools:
    return slots.layout.unpack(opened, lanes[rows])
