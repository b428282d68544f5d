"""Slots: many games in play at once, each replaced by the next as soon as it ends.

Four planes are all that the rules ask for.  ``safe`` and ``zeros`` (cells without a mine,
cells of an opening) stay as dealt.  ``done`` is set unless the cell is safe and hidden, and
``quiet`` unless it is a mine without a flag; so a cell is open where safe and done, flagged
where mine and quiet, and a candidate for a guess where either bit is clear.  Both only gain
bits, and both are set on walls, which makes them ready for erosion.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ndsweep.engine import guesses
from ndsweep.engine.deal import Dealer
from ndsweep.engine.planes import (
    LANES,
    Layout,
    count_bits,
    count_lanes,
    expand,
    get_bits,
    lane_bits,
    lanes_of,
    mask_of,
    set_bits,
    word_count,
)
from ndsweep.engine.streams import (
    ALL,
    Ints,
    Purpose,
    Words,
    bounded,
    cursors,
    draws_per_word,
    first_cells_of,
    mix,
    stream_keys,
    stride,
    words_between,
)

AND, OR, XOR, NOT = np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert

ENDED = np.dtype(
    [
        ("game", "i8"),
        ("won", "?"),
        ("guesses", "i4"),
        ("reveals", "i4"),
        ("opened", "i4"),
        ("luck", "f8"),
        ("hardest", "u1"),
    ]
)
"""One row for each game that has ended."""

HARDEST = ("none", "single-point", "pairs", "exact")
"""What ``hardest`` means: the number of a rule."""

_PLANES = 11
_PLANE_BYTES = 200_000  # of the planes of all slots: a dozen of them work in a second-level cache
_MOST_WORDS = 128
_SLOT_ARRAYS = 8
_FREE_SHARE = 3  # new games are seated once one slot in so many is free
_LAST_SHARE = 4  # the last games move together once they take one slot in so many


class Queue:
    """The games start .. stop-1 of a seed, handed out in order."""

    def __init__(self, dealer: Dealer, seed: int, start: int, stop: int, first_cell: int | None) -> None:
        self.dealer, self.seed, self.next, self.stop, self.first_cell = dealer, seed, start, stop, first_cell

    @property
    def left(self) -> int:
        """How many games have not been handed out."""
        return self.stop - self.next

    def take(self, count: int) -> Ints:
        """The numbers of the next games, at most ``count``."""
        games = np.arange(self.next, min(self.next + count, self.stop))
        self.next += games.size
        return games

    def first_cells(self, games: Ints) -> Ints:
        """The given first cell for all games, or the random one of each game."""
        if self.first_cell is None:
            return first_cells_of(self.seed, games, self.dealer.layout.size)
        return np.full(games.size, self.first_cell, dtype=np.int64)


class Slots:
    """``words`` words of slots for games of one kind, fed from a queue.

    Masks of one bit a slot: ``seated`` (holds a game), ``active`` (its game has not ended),
    ``won``, ``by_rank`` (its tries are used up, so its next guess is drawn by rank),
    ``helpless`` (stuck, and known to be beyond the comparison of pairs), ``paired`` (that
    comparison has proved something in it), ``inferred`` (more than that has proved a cell of it
    safe).  ``luck`` is kept if it is asked for.
    """

    def __init__(self, queue: Queue, words: int, keeps_luck: bool = False) -> None:
        self.queue, self.words = queue, words
        self.layout = layout = queue.dealer.layout
        self.mines, self.safe, self.zeros, self.fresh, self.chosen = (layout.plane(words) for _ in range(5))
        self.done, self.quiet = layout.plane(words, ALL), layout.plane(words, ALL)
        self.scratch = [layout.plane(words) for _ in range(4)]
        self.seated, self.active, self.won = np.zeros((3, words), dtype=np.uint64)
        self.by_rank, self.helpless, self.paired, self.inferred = np.zeros((4, words), dtype=np.uint64)
        # a grid without a safe cell is won before the first reveal
        self.first_reveals = int(queue.dealer.mines < layout.size)
        slots = words * LANES
        self.line = np.arange(slots) // LANES * layout.width
        self.bit = lane_bits(np.arange(slots))
        self.game, self.first = np.zeros((2, slots), dtype=np.int64)
        self.keeps_luck, self.luck = keeps_luck, np.ones(slots)
        # in the guess stream: where it starts, the next guess, the next word of its tries
        self.start, self.turn, self.cursor = np.zeros((3, slots), dtype=np.uint64)

    @staticmethod
    def words_for(layout: Layout, games: int) -> int:
        """How many words of slots are best for so many games."""
        return max(1, min(_PLANE_BYTES // (8 * layout.width), _MOST_WORDS, word_count(games)))

    @staticmethod
    def memory(dealer: Dealer, words: int) -> int:
        """Bytes that so many words of slots take."""
        return 8 * words * (_PLANES * dealer.layout.width + _SLOT_ARRAYS * LANES) + dealer.memory(words)

    def guesses(self, lanes: Ints) -> Ints:
        """How many guesses the games in these slots have made."""
        return words_between(self.start[lanes], self.turn[lanes]) // guesses.GUESS_WORDS

    # Games come and go -----------------------------------------------------------------

    def totals(self) -> dict[str, int]:
        """Totals over the games that have ended and still sit in their slots."""
        ended = self.seated & ~self.active
        lanes = lanes_of(ended)
        wins = int(count_bits(ended & self.won))
        mask, scratch = self.scratch[:2]
        expand(ended, self.layout.lines(mask))
        AND(self.chosen, mask, out=scratch)
        chosen = count_bits(scratch)
        AND(mask, self.done, out=mask)
        AND(mask, self.safe, out=mask)
        made = int(self.guesses(lanes).sum())
        return {
            "games": lanes.size,
            "wins": wins,
            "guesses": made,
            "reveals": self.first_reveals * lanes.size + made + chosen,
            "opened": count_bits(mask) + lanes.size - wins,
        }

    def rows(self) -> npt.NDArray[np.void]:
        """One row for each game that has ended and still sits in its slot."""
        lanes = lanes_of(self.seated & ~self.active)
        rows = np.empty(lanes.size, dtype=ENDED)
        rows["game"] = self.game[lanes]
        rows["won"] = is_in(lanes, self.won)
        rows["guesses"] = self.guesses(lanes)
        lines = self.layout.lines
        rows["reveals"] = self.first_reveals + rows["guesses"] + count_lanes(lines(self.chosen))[lanes]
        AND(self.safe, self.done, out=self.scratch[0])
        rows["opened"] = count_lanes(lines(self.scratch[0]))[lanes] + ~rows["won"]
        rows["luck"] = self.luck[lanes] if self.keeps_luck else np.where(rows["guesses"], np.nan, 1)
        helped = mask_of(lanes, self.words) & OR.reduce(lines(self.chosen), axis=1)
        rows["hardest"] = np.where(is_in(lanes, self.paired), 2, is_in(lanes, helped))
        rows["hardest"][is_in(lanes, self.inferred)] = 3
        return rows

    def want_reseating(self) -> bool:
        """Whether enough slots are free to seat games, or to move the last games together."""
        slots, active = self.game.size, count_bits(self.active)
        if self.queue.left:
            return _FREE_SHARE * (slots - active) >= slots
        return active == 0 or (self.words > 1 and _LAST_SHARE * active <= slots)

    def reseat(self) -> None:
        """Seats the next games of the queue wherever no game is active; moves the last ones together."""
        if self.queue.left:
            self._seat()
        else:
            self._close_ranks()

    def _close_ranks(self) -> None:
        """Keeps the active games alone, in as few words as hold them."""
        lanes, gather = lanes_of(self.active), self.layout.gather
        if not lanes.size:
            self.seated.fill(0)
            return
        for name in ("mines", "safe", "zeros", "fresh", "chosen"):
            setattr(self, name, gather(getattr(self, name), lanes))
        for name in ("done", "quiet"):
            setattr(self, name, gather(getattr(self, name), lanes, ALL))
        for name in ("game", "first", "start", "turn", "cursor", "luck"):
            setattr(self, name, np.resize(getattr(self, name)[lanes], word_count(lanes.size) * LANES))
        self.words = word_count(lanes.size)
        for name in ("by_rank", "helpless", "paired", "inferred"):
            setattr(self, name, mask_of(np.flatnonzero(is_in(lanes, getattr(self, name))), self.words))
        self.active = mask_of(np.arange(lanes.size), self.words)
        self.seated = self.active.copy()
        self.won = np.zeros(self.words, dtype=np.uint64)
        self.scratch = [self.layout.plane(self.words) for _ in self.scratch]

    def _seat(self) -> None:
        """Seats the next games of the queue wherever no game is active."""
        layout, lines, (keep, scratch) = self.layout, self.layout.lines, self.scratch[:2]
        expand(self.active, lines(keep))
        for plane in (self.mines, self.quiet, self.done, self.fresh, self.chosen):
            AND(plane, keep, out=plane)
        seats = self._place()
        NOT(self.mines, out=keep)
        AND(lines(keep), layout.grid, out=lines(self.safe))
        layout.spread(AND, keep, self.zeros, scratch)
        AND(self.zeros, self.safe, out=self.zeros)
        OR(self.quiet, keep, out=self.quiet)
        OR(self.done, NOT(self.safe, out=scratch), out=self.done)
        self.seated = self.active | mask_of(seats, self.words)
        self.by_rank &= self.active
        self.paired &= self.active
        self.inferred &= self.active
        self._start(seats)

    def _place(self) -> Ints:
        """Lays the mines of the next games in the free slots and gives these slots."""
        layout, queue, free = self.layout, self.queue, lanes_of(~self.active)
        games = queue.take(free.size)
        seats = free[: games.size]
        first_cells = queue.first_cells(games)
        keys = stream_keys(queue.seed, Purpose.MINES, games)
        mines = queue.dealer.deal(keys, first_cells, seats, self.words)
        layout.write(self.mines, mines)
        self.game[seats] = games
        self.first[seats] = layout.positions[first_cells] + self.line[seats]
        self.start[seats] = cursors(stream_keys(queue.seed, Purpose.GUESSES, games), 0)
        return seats

    def _start(self, seats: Ints) -> None:
        """Opens the first cell of each new game."""
        self.turn[seats] = self.cursor[seats] = self.start[seats]
        self.luck[seats] = 1
        unlucky = get_bits(self.mines, self.first[seats], seats)
        lucky = seats[~unlucky]
        for plane in (self.done, self.fresh):
            set_bits(plane, self.first[lucky], lucky)
        self.active |= mask_of(lucky, self.words)
        self.won = np.zeros(self.words, dtype=np.uint64) if self.first_reveals else mask_of(seats, self.words)

    # Moves -----------------------------------------------------------------------------

    def take_wins(self, stuck: Words) -> Words:
        """Ends the stuck games that have no hidden safe cell, and gives the others."""
        won: Words = stuck & AND.reduce(self.layout.lines(self.done), axis=1)
        self.won |= won
        self.active &= ~won
        return stuck ^ won

    def guess(self, stuck: Words) -> Ints:
        """Takes each stuck game one step towards its guess: a word of tries, or the choice by rank.

        Games that need a rank wait until enough of them have gathered: the choice by rank
        looks at their whole grids, the tries only at the cells they hit.  Gives the slots of
        the games that have guessed.
        """
        hidden = self.scratch[0]  # a candidate's bit is clear
        AND(self.done, self.quiet, out=hidden)
        waiting = stuck & self.by_rank
        guessed = self._try(lanes_of(stuck & ~self.by_rank), hidden)
        if waiting.any() and (count_bits(waiting) >= self.words or not (self.active & ~waiting).any()):
            chosen = lanes_of(waiting)
            self._choose(chosen, hidden)
            guessed = np.concatenate([guessed, chosen])
        return guessed

    def _try(self, lanes: Ints, hidden: Words) -> Ints:
        """Tries the cells of the next word of each game and opens the first candidate."""
        cursor, bits = self.cursor.take(lanes), self.bit.take(lanes)
        places = self.layout.places.take(bounded(mix(cursor), self.layout.size))
        tries = draws_per_word(self.layout.size)
        places += np.repeat(self.line.take(lanes), tries)
        blocked = (hidden.take(places) & np.repeat(bits, tries)).astype(np.bool_).reshape(-1, tries)
        missed, misses = blocked[:, 0], np.arange(0, places.size, tries)
        for column in range(1, tries):
            misses += missed
            missed = missed & blocked[:, column]
        hit, failed = ~missed, lanes[missed]
        lanes = lanes[hit]
        self._count_luck(lanes)
        self._open_guess(lanes, places[misses[hit]], bits[hit])
        self.cursor[failed] += stride(1)
        out_of_tries = self.cursor[failed] - self.turn[failed] == stride(guesses.TRY_WORDS)
        self.by_rank |= mask_of(failed[out_of_tries], self.words)
        return lanes

    def _choose(self, lanes: Ints, hidden: Words) -> None:
        """Opens the candidate of the drawn rank in each game."""
        candidates = ~self.layout.columns(hidden, lanes)
        places = guesses.pick_by_rank(self.cursor[lanes], candidates) + self.line[lanes]
        self.by_rank &= ~mask_of(lanes, self.words)
        self._count_luck(lanes)
        self._open_guess(lanes, places, self.bit[lanes])

    def open_proved(self, lanes: Ints, places: Ints) -> None:
        """Opens cells that were proved safe by more than the rules on planes, each in its slot."""
        for plane in (self.done, self.fresh, self.chosen):
            set_bits(plane, places + self.line[lanes], lanes)
        self.inferred |= mask_of(lanes, self.words)

    def flag_proved(self, lanes: Ints, places: Ints) -> None:
        """Flags cells that were proved mines."""
        set_bits(self.quiet, places + self.line[lanes], lanes)

    def open_guess(self, lanes: Ints, places: Ints, survival: npt.NDArray[np.float64]) -> None:
        """Opens a cell in each slot that may be a mine, but is safe by so much."""
        self.luck[lanes] *= survival
        self._open_guess(lanes, places + self.line[lanes], self.bit[lanes])

    def _open_guess(self, lanes: Ints, places: Ints, bits: Words) -> None:
        """Opens the guessed cells; a mine ends its game."""
        turn = self.turn.take(lanes) + stride(guesses.GUESS_WORDS)
        self.turn[lanes] = self.cursor[lanes] = turn
        mined = (self.mines.take(places) & bits).astype(np.bool_)
        self.active &= ~mask_of(lanes[mined], self.words)
        safe = ~mined
        places, bits = places[safe], bits[safe]
        for plane in (self.done, self.fresh):
            np.add.at(plane, places, bits)

    def _count_luck(self, lanes: Ints) -> None:
        """Notes the chance that a uniformly random candidate is no mine, as the player knows it: it can count both."""
        if not self.keeps_luck:
            return
        safe, mines = (
            self.layout.width - np.add.reduce(self.layout.columns(plane, lanes).view(np.uint8), axis=1, dtype=np.uint32)
            for plane in (self.done, self.quiet)
        )
        self.luck[lanes] *= 1 - mines / (mines + safe)


def is_in(lanes: Ints, mask: Words) -> npt.NDArray[np.bool_]:
    """Whether each lane is set in a mask of one bit a game."""
    found: npt.NDArray[np.bool_] = (mask[lanes // LANES] & lane_bits(lanes)) != 0
    return found
