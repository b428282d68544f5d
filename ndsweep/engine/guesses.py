"""Uniformly random choices among the candidate cells of a game, from its own stream.

Guess number q of a game owns words 8q .. 8q+7 of its guess stream.  The first four hold
tries: bounded draws of a cell, of which the first candidate is the guess.  When no try
hits, the next word gives a rank: the guess is the candidate of that rank in C order.
Either way each candidate is equally likely.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import Ints, Words, below, bounded, cursors, words

TRY_WORDS = 4
GUESS_WORDS = 8


def pick(keys: Words, guesses: Ints, candidates: npt.NDArray[np.bool_]) -> Ints:
    """One candidate a game, from a (games, size) boolean array with a candidate in every row."""
    games, size = candidates.shape
    chosen = np.full(games, -1, dtype=np.int64)
    row = np.arange(games)
    for word in range(TRY_WORDS):
        tried = bounded(words(keys[row, None], (guesses[row] * GUESS_WORDS + word)[:, None]), size)
        hit = (tried < size) & candidates[row[:, None], np.minimum(tried, size - 1)]
        column = hit.argmax(axis=1)
        hits = hit.any(axis=1)
        chosen[row[hits]] = tried[hits, column[hits]]
        row = row[~hits]
    by_rank = cursors(keys[row], guesses[row] * GUESS_WORDS + TRY_WORDS)
    chosen[row] = pick_by_rank(by_rank, candidates[row])
    return chosen


def pick_by_rank(cursor: Words, candidates: npt.NDArray[np.bool_]) -> Ints:
    """The candidate of the drawn rank in each row."""
    games, width = candidates.shape
    places = np.flatnonzero(candidates)
    starts = np.searchsorted(places, np.arange(games + 1) * width)
    rank = below(cursor, np.diff(starts))
    picked: Ints = places[starts[:-1] + rank] - np.arange(games) * width
    return picked
