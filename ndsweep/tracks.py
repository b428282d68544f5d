"""Tracks: how far each task of a study is, which games to play next, and when it is enough."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import deque
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from ndsweep.intervals import wilson
from ndsweep.ledger import Entry, Ledger, Span
from ndsweep.npy import PathLike
from ndsweep.result import Result
from ndsweep.tasks import Task


@dataclass(frozen=True)
class Limit:
    """When a task has enough games.

    Attributes
    ----------
    games : int
        The most that are played.
    half_width : float or None
        Fewer are enough once the interval of the win rate, at ``level``, is not wider than twice this.

    Examples
    --------
    >>> Limit(10_000, half_width=0.05).is_met(wins=250, games=500)
    True
    """

    games: int
    half_width: float | None = None
    level: float = 0.95

    def is_met(self, wins: int, games: int) -> bool:
        """Whether so many games are enough."""
        if self.half_width is None or not 0 < games < self.games:
            return games >= self.games
        low, high = wilson(wins, games, self.level)
        return high - low <= 2 * self.half_width


@dataclass
class Track:
    """One task on its way.

    Its result grows from game 0 on without gaps, so that it does not depend on who is faster.
    With a half-width it may end only where blocks of the same call would: a block of another
    division that reaches across such a place is not used.

    Examples
    --------
    >>> from ndsweep.spec import BEGINNER
    >>> track = Track(0, Task(BEGINNER), Limit(250), block=100)
    >>> track.hand_out(()), track.hand_out(()), track.hand_out(()), track.hand_out(())
    (Span(place=0, start=0, stop=100), Span(place=0, start=100, stop=200), Span(place=0, start=200, stop=250), None)
    """

    place: int
    task: Task
    limit: Limit
    block: int
    found: dict[int, Entry] = field(default_factory=dict)
    """The longest block that is stored from each game on."""
    starts: list[int] = field(default_factory=list)
    counted: int = 0
    """Games in all blocks that were of use."""
    handed: int = 0
    """The games before this one are stored or in somebody's hands."""
    games: int = 0
    """How many of the first games are stored without a gap."""
    wins: int = 0
    """Of these."""

    @property
    def is_over(self) -> bool:
        """Whether enough games are stored; it may end only where a block of its own does."""
        ends_here = self.games % self.block == 0 or self.games == self.limit.games
        return ends_here and self.limit.is_met(self.wins, self.games)

    def take(self, entry: Entry) -> int:
        """Notes a stored block; gives the games in it, or 0 if it is of no use."""
        _, start, stop = entry.span
        across = self.limit.half_width is not None and start // self.block != (stop - 1) // self.block
        if stop > self.limit.games or across:
            return 0
        if start in self.found:
            if stop <= self.found[start].span.stop:
                return 0
        else:
            insort(self.starts, start)
        self.found[start] = entry
        self.counted += stop - start
        return stop - start

    def advance(self) -> list[Result]:
        """The results of stored blocks that now follow the first games without a gap."""
        parts: list[Result] = []
        while not self.is_over and (entry := self.found.pop(self.games, None)) is not None:
            parts.append(entry.result(self.task))
            self.games, self.wins = entry.span.stop, self.wins + entry.counts[0]
        return parts

    def hand_out(self, others: Container[Span]) -> Span | None:
        """The next block that nobody has, or None when there is none."""
        while self.handed < self.limit.games and not self.is_over:
            start = max(self.handed, self.games)
            if start in self.found:
                self.handed = self.found[start].span.stop
                continue
            span = self._gap(start)
            self.handed = span.stop
            if span.start < span.stop and span not in others:
                return span
        return None

    def _gap(self, start: int) -> Span:
        """The games from there to the end of their block, or to what is stored."""
        stop = min((start // self.block + 1) * self.block, self.limit.games)
        following = bisect_right(self.starts, start)
        return Span(self.place, start, min([stop, *self.starts[following : following + 1]]))


def stored(path: PathLike, records: bool = False) -> list[tuple[Task, Result, int]]:
    """Each task of a store, the result of its first games, and how many are wanted; in the order they came.

    Examples
    --------
    >>> stored("no/such/file")
    Traceback (most recent call last):
    ...
    ndsweep.spec.StoreError: store must be the file of a study. There is no 'no/such/file'.
    """
    with Ledger(path, new=False) as ledger:
        known, entries = ledger.tasks(), ledger.entries(records)
    tasks = [Task.from_text(text) for text, _ in known]
    blocks: list[list[Entry]] = [[] for _ in tasks]
    for entry in entries:
        if entry.span.stop <= known[entry.span.place][1]:
            blocks[entry.span.place].append(entry)
    return [
        (task, sum((entry.result(task) for entry in _chain(found)), task.nothing()), wanted)
        for task, found, (_, wanted) in zip(tasks, blocks, known, strict=True)
    ]


def _chain(entries: list[Entry]) -> Iterator[Entry]:
    """Blocks from game 0 on, each where the one before ends, as far as they lead."""
    furthest: dict[int, tuple[int, Entry]] = {}
    for entry in sorted(entries, key=lambda entry: -entry.span.start):
        _, start, stop = entry.span
        end = furthest[stop][0] if stop in furthest else stop
        if start not in furthest or end > furthest[start][0]:
            furthest[start] = (end, entry)
    place = 0
    while place in furthest:
        entry = furthest[place][1]
        yield entry
        place = entry.span.stop


class Rota:
    """Whose turn it is: a block of each task, then the next of each, so that a table fills evenly.

    What others have claimed is left to them until nothing else is left; then it is handed out all
    the same, since they may never finish it.

    Examples
    --------
    >>> from ndsweep.spec import BEGINNER
    >>> rota = Rota([Track(place, Task(BEGINNER), Limit(150), block=100) for place in range(2)])
    >>> [(span.place, span.start) for span in iter(lambda: rota.next(set(), set()), None)][:4]
    [(0, 0), (1, 0), (0, 100), (1, 100)]
    """

    def __init__(self, tracks: list[Track]) -> None:
        self.tracks, self.queue, self.is_last_round = tracks, deque(tracks), False

    def next(self, others: set[Span], mine: set[Span]) -> Span | None:
        """The next block to play, or None when all are stored or in hands."""
        while True:
            while self.queue:
                track = self.queue.popleft()
                if (span := track.hand_out(mine if self.is_last_round else others)) is not None:
                    self.queue.append(track)
                    return span
            if self.is_last_round:
                return None
            self._begin_last_round()

    def _begin_last_round(self) -> None:
        self.is_last_round = True
        self.queue.extend(track for track in self.tracks if not track.is_over)
        for track in self.queue:
            track.handed = track.games
