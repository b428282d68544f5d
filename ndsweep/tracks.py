"""Tracks: how far each task of a study is, which games to play next, and when it is enough."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
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
    >>> track.hand_out([]), track.hand_out([Span(0, 120, 200)])
    (Span(place=0, start=0, stop=100), Span(place=0, start=100, stop=120))
    >>> track.hand_out([Span(0, 120, 200)]), track.hand_out([])
    (Span(place=0, start=200, stop=250), None)
    """

    place: int
    task: Task
    limit: Limit
    block: int
    games: int = 0
    """How many of the first games are stored without a gap."""
    wins: int = 0
    """Of these."""
    handed: int = 0
    """The games before this one are stored or in somebody's hands."""
    found: Chains = field(default_factory=lambda: Chains())
    """Blocks that are stored beyond the first games."""

    @property
    def is_over(self) -> bool:
        """Whether enough games are stored; it may end only where a block of its own does."""
        ends_here = self.games % self.block == 0 or self.games == self.limit.games
        return ends_here and self.limit.is_met(self.wins, self.games)

    @property
    def covered(self) -> int:
        """How many games are stored, those beyond a gap too."""
        return self.games if self.is_over else self.games + self.found.covered(self.games)

    def take(self, entry: Entry) -> None:
        """Notes a stored block, if it is of use."""
        _, start, stop = entry.span
        across = self.limit.half_width is not None and start // self.block != (stop - 1) // self.block
        if self.games <= start and stop <= self.limit.games and not across:
            self.found.add(entry)

    def advance(self) -> list[Result]:
        """The results of stored blocks that now follow the first games without a gap."""
        parts: list[Result] = []
        for entry in self.found.after(self.games):
            if self.is_over:
                break
            parts.append(entry.result(self.task))
            self.games, self.wins = entry.span.stop, self.wins + entry.counts[0]
        if parts:
            self.found.forget(self.games)
        return parts

    def hand_out(self, taken: Sequence[Span]) -> Span | None:
        """The next games that are neither stored nor taken, a block at most; None when there are none."""
        while self.handed < self.limit.games and not self.is_over:
            start = max(self.handed, self.games)
            end = max([self.found.end(start), *(span.stop for span in taken if span.start <= start)])
            if end > start:
                self.handed = end
                continue
            block = min((start // self.block + 1) * self.block, self.limit.games)
            stop = min([block, self.found.next_start(start, block), *(s.start for s in taken if s.start > start)])
            self.handed = stop
            return Span(self.place, start, stop)
        return None


class Chains:
    """Blocks of a task, and how far they lead, each beginning where the one before ends.

    Examples
    --------
    >>> chains = Chains(Entry(Span(0, start, stop), (0, 0, 0, 0), None) for start, stop in ((0, 5), (0, 3), (3, 9)))
    >>> chains.end(0), [entry.span.stop for entry in chains.after(0)], chains.covered(0)
    (9, [3, 9], 9)
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries = list(entries)
        self._ends: dict[int, tuple[int, Entry]] = {}
        self._starts: list[int] | None = None  # None while the ends are not known

    def add(self, entry: Entry) -> None:
        """Adds a block."""
        self._entries.append(entry)
        self._starts = None

    def forget(self, start: int) -> None:
        """Drops the blocks that begin sooner."""
        self._entries = [entry for entry in self._entries if entry.span.start >= start]
        self._starts = None

    def end(self, start: int) -> int:
        """Where the blocks from there on lead furthest; the start itself if none begins there."""
        self._look()
        return self._ends[start][0] if start in self._ends else start

    def after(self, start: int) -> Iterator[Entry]:
        """The blocks that lead there."""
        self._look()
        while start in self._ends:
            entry = self._ends[start][1]
            yield entry
            start = entry.span.stop

    def next_start(self, start: int, otherwise: int) -> int:
        """Where the next block after a game begins, if one does."""
        starts = self._look()
        place = bisect_right(starts, start)
        return starts[place] if place < len(starts) else otherwise

    def covered(self, start: int) -> int:
        """How many games from there on are in some block."""
        games, end = 0, start
        for entry in reversed(self._entries if self._look() else []):  # in order of their starts
            _, first, stop = entry.span
            games += max(0, stop - max(first, end))
            end = max(end, stop)
        return games

    def _look(self) -> list[int]:
        """Finds where blocks lead, from the last one backwards; gives the starts in order."""
        if self._starts is None:
            self._entries.sort(key=lambda entry: -entry.span.start)
            self._ends.clear()
            for entry in self._entries:
                _, start, stop = entry.span
                end = self._ends[stop][0] if stop in self._ends else stop
                if start not in self._ends or end > self._ends[start][0]:
                    self._ends[start] = (end, entry)
            self._starts = sorted(self._ends)
        return self._starts


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
    chains = [Chains() for _ in tasks]
    for entry in entries:
        if entry.span.stop <= known[entry.span.place][1]:
            chains[entry.span.place].add(entry)
    return [
        (task, sum((entry.result(task) for entry in chain.after(0)), task.nothing()), wanted)
        for task, chain, (_, wanted) in zip(tasks, chains, known, strict=True)
    ]


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

    def next(self, others: Iterable[Span], mine: Iterable[Span]) -> Span | None:
        """The next block to play, or None when all are stored or in hands."""
        while True:
            taken = _by_place(mine if self.is_last_round else others)
            while self.queue:
                track = self.queue.popleft()
                if (span := track.hand_out(taken.get(track.place, ()))) is not None:
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


def _by_place(spans: Iterable[Span]) -> dict[int, list[Span]]:
    places: dict[int, list[Span]] = {}
    for span in spans:
        places.setdefault(span.place, []).append(span)
    return places
