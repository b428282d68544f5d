"""Policies of one's own, at the top of a module of their own so that other processes can load them."""

import numpy as np
import reference
from reference import FLAG, cells_of

from ndsweep import HIDDEN


class Uniform:
    """The policy "random", written as one's own."""

    def choose(self, views, turn):
        hidden = views == HIDDEN
        return turn.pick(hidden, 1 - turn.spec.mines / hidden.reshape(len(views), -1).sum(axis=1))


class OneByOne:
    """Single point with one cell a turn; where nothing is proved it guesses among what may be safe."""

    def choose(self, views, turn):
        proofs = [self._proof(view) for view in views]
        candidates = np.array([np.zeros_like(rest) if safe else rest for safe, rest in proofs])
        guesses = turn.pick(
            candidates,
            [
                1.0 if safe else 1 - (turn.spec.mines - (view == HIDDEN).sum() + rest.sum()) / rest.sum()
                for view, (safe, rest) in zip(views, proofs, strict=True)
            ],
        )
        turn.hardest[[bool(safe) for safe, _ in proofs]] = 1
        known = np.array([np.ravel_multi_index(min(safe), views.shape[1:]) if safe else -1 for safe, _ in proofs])
        return np.where(known >= 0, known, guesses)

    def _proof(self, view):
        """The cells proved safe, and as an array the hidden cells that are not proved mines."""
        shape = view.shape
        codes = {cell: int(view[cell]) for cell in cells_of(shape)}
        while True:
            mined, safe = reference.single_point(shape, codes)
            codes.update(dict.fromkeys(mined, FLAG))
            if safe or not mined:
                return safe, np.array([codes[cell] == HIDDEN for cell in cells_of(shape)]).reshape(shape)


class Noted:
    """Another policy, with a note of each game's cells."""

    def __init__(self, policy):
        self.policy, self.notes = policy, {}

    def choose(self, views, turn):
        cells = self.policy.choose(views, turn)
        for game, cell in zip(turn.games, cells, strict=True):
            self.notes.setdefault(int(game), []).append(int(cell))
        return cells
