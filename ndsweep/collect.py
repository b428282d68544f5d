"""Collecting: the games of many tasks, block by block, through a store that survives what may happen."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from numbers import Real

from ndsweep.executors import checked_executor, outcomes, workers_of
from ndsweep.intervals import checked_level, quantile
from ndsweep.ledger import Entry, Ledger, Span
from ndsweep.npy import PathLike
from ndsweep.progress import Progress
from ndsweep.result import Result
from ndsweep.simulate import block_games, check_records, play_block
from ndsweep.spec import PolicyError, SpecError, StoreError, checked_int
from ndsweep.study import Study
from ndsweep.tasks import Task, checked_tasks
from ndsweep.tracks import Limit, Rota, Track

_BETWEEN_WRITES = 0.25  # seconds; small blocks are written some at a time
_LEAST_LOOKED_AT = 1000  # games
_MOST = 2**63 - 1
_LITTLE = 1e-9


@dataclass(frozen=True, eq=False)
class Part:
    """Games that were added to a task: what `iter_collect` yields.

    Attributes
    ----------
    index : int
        The task's place in the list of tasks.
    task : Task
    result : Result
        Of the games that follow those of the task's parts before.
    over : bool
        Whether the task has enough games with them.

    Examples
    --------
    >>> import ndsweep as nd
    >>> next(nd.iter_collect([nd.BEGINNER], 100, progress=False)).over
    True
    """

    index: int
    task: Task
    result: Result
    over: bool


def collect(
    tasks: Iterable[object],
    games: int,
    executor: Executor | None = None,
    store: PathLike | None = None,
    progress: bool = True,
    *,
    seconds: float | None = None,
    half_width: float | None = None,
    level: float = 0.95,
    records: bool = False,
) -> Study:
    """Plays games of many tasks; what is in the store already is not played again.

    The result of a task is that of `simulate` for its first games.  It depends on the tasks, on
    ``games`` and on ``half_width`` alone: not on the executor, on what is in the store, on
    interruptions, or on other processes that work on the same store at the same time.

    Parameters
    ----------
    tasks : sequence of Task
        What to play, as from `grid`; also specs, or tuples of the arguments of `Task`.
    games : int
        Number of games of each task.
    executor : concurrent.futures.Executor, optional
        Where blocks of games are played; it is used, not shut down.  No more than two blocks a
        worker are under way.  Without one they are played here, on one core.
    store : path, optional
        A file where finished blocks are kept, made if it is not there.
    progress : bool
        Whether to show a progress bar on standard error (plain lines without tqdm).
    seconds : float, optional
        No block is begun later than this; tasks may then have fewer games, or none.
    half_width : float, optional
        A task ends sooner, after whole blocks of games, once the interval of its win rate is no
        wider than twice this.  The end then depends on the outcome: see Notes.
    level : float
        Confidence level of that interval.
    records : bool
        Whether to keep a row for each game, in the store too: some bytes a game.

    Returns
    -------
    Study
        The results of the tasks, in their order.

    Raises
    ------
    SweepError
        If an argument is not of its kind.
    FormatError, StoreError
        If the store is another file, of another stream version, or cannot be read or written.
    MergeError
        If a worker has another version of the streams, or a policy of another name.

    Notes
    -----
    An interval holds what it promises for a number of games that was fixed beforehand.  To stop
    by the clock does little harm: blocks are whole, and how long a block takes hardly depends on
    its wins.  To stop at a half-width looks at the outcome: rates near 0 and 1 stop sooner when by
    chance they look more extreme than they are.  The interval is looked at after whole blocks, at
    least 1,000 games each, which keeps this small, but for a figure to publish take a fixed number.

    Examples
    --------
    >>> import ndsweep as nd
    >>> study = nd.collect(nd.grid([(8, 8), (4, 4, 4)], [0.1, 0.2]), 500, progress=False)
    >>> [result.games for result in study.results]
    [500, 500, 500, 500]
    >>> study.results[0] == nd.simulate(nd.Spec((8, 8), 6), 500)
    True
    """
    collector = Collector(tasks, games, executor, store, progress, seconds, half_width, level, records)
    results = [task.nothing() for task in collector.tasks]
    wanted = [collector.limit.games for _ in collector.tasks]
    with closing(collector.parts()) as parts:
        for part in parts:
            results[part.index] += part.result
            if part.over:
                wanted[part.index] = results[part.index].games
    return Study(tuple(collector.tasks), tuple(results), tuple(wanted))


def iter_collect(
    tasks: Iterable[object],
    games: int,
    executor: Executor | None = None,
    store: PathLike | None = None,
    progress: bool = True,
    *,
    seconds: float | None = None,
    half_width: float | None = None,
    level: float = 0.95,
    records: bool = False,
) -> Generator[Part, None, None]:
    """The same as `collect`, but yields after each block of games.

    A part is in the store when it is yielded.  First come the parts that were in the store before,
    at most one a task.  The parts of a task come in order of their games; they add to its result.
    Closing the generator ends the work: blocks that have not begun are called off.

    Parameters
    ----------
    tasks, games, executor, store, progress, seconds, half_width, level, records
        As in `collect`.

    Yields
    ------
    Part
        Index of the task, the task, the result of these games, and whether the task is over.

    Raises
    ------
    SweepError
        As `collect`.

    Examples
    --------
    >>> import ndsweep as nd
    >>> for part in nd.iter_collect([(nd.BEGINNER, "pairs")], 200, progress=False):
    ...     print(part.task, part.result.games, part.over)
    9x9/10 safe pairs, seed 0 200 True
    """
    return Collector(tasks, games, executor, store, progress, seconds, half_width, level, records).parts()


class Collector:
    """One call of `collect`; its arguments are checked when it is made.

    Examples
    --------
    >>> from ndsweep.spec import BEGINNER
    >>> collector = Collector([BEGINNER], 200, progress=False)
    >>> sum(part.result.games for part in collector.parts())
    200
    """

    def __init__(
        self,
        tasks: Iterable[object],
        games: int,
        executor: Executor | None = None,
        store: PathLike | None = None,
        progress: bool = True,
        seconds: float | None = None,
        half_width: float | None = None,
        level: float = 0.95,
        records: bool = False,
    ) -> None:
        self.tasks, self.executor = checked_tasks(tasks), checked_executor(executor)
        most = checked_int("games", games, 0, _MOST)
        self.limit = Limit(most, _checked_positive("half_width", half_width), checked_level(level))
        self.records, self.store, self.progress = bool(records), store, bool(progress)
        self._bar = Progress(0, False)
        until = _checked_positive("seconds", seconds)
        self._until = None if until is None else time.monotonic() + until
        for task in self.tasks if store is not None else ():
            _check_name(task)
        if records:
            check_records(most * len(self.tasks))

    def stop(self) -> None:
        """Begins no more blocks; `parts` ends when those under way have ended."""
        self._until = 0.0

    def parts(self) -> Generator[Part, None, None]:
        """The parts, as `iter_collect` yields them."""
        with Ledger(self.store) as ledger:
            ledger.enrol(self.tasks, self.limit.games, self.records)
            work = Work(ledger, self._tracks(), self.is_late, self.records)
            try:
                yield from self._parts(work)
            finally:
                work.end()

    def _parts(self, work: Work) -> Generator[Part, None, None]:
        yield from work.stored()
        with Progress(work.total, self.progress, work.done) as self._bar:
            with closing(outcomes(self.executor, play_block, work.jobs(), self.is_late)) as ended:
                for span, result in ended:
                    yield from work.note(span, result)
                    self._bar.reach(work.done, work.total)
            yield from work.rest()
            self._bar.reach(work.done, work.total)

    def _tracks(self) -> list[Track]:
        """A track for each task, with the size of its blocks."""
        half_width = self.limit.half_width
        blocks = -(-4 * workers_of(self.executor) // max(1, len(self.tasks))) if self.executor is not None else 0
        tracks = []
        for place, task in enumerate(self.tasks):
            block = block_games(task, self.limit.games, blocks)
            if half_width is not None:  # the same wherever it runs, since the task may end after any block
                enough = quantile(self.limit.level) ** 2 / (4 * half_width**2)
                block = max(_LEAST_LOOKED_AT, min(int(enough) // 16, block_games(task, _MOST)))
            tracks.append(Track(place, task, self.limit, block))
        return tracks

    def say(self, line: str) -> None:
        """Prints a line above the progress bar."""
        self._bar.say(line)

    def is_late(self) -> bool:
        """Whether no more blocks are to be begun."""
        return self._until is not None and time.monotonic() >= self._until


class Work:
    """What is stored, what is in hand, and what comes next; all of it goes through the ledger.

    Examples
    --------
    >>> from ndsweep.spec import BEGINNER
    >>> with Ledger(None) as ledger:
    ...     ledger.enrol([Task(BEGINNER)], games=300)
    ...     work = Work(ledger, [Track(0, Task(BEGINNER), Limit(300), block=200)], lambda: False, False)
    ...     [span.stop for span, job in work.jobs()]
    [200, 300]
    """

    def __init__(self, ledger: Ledger, tracks: list[Track], is_late: Callable[[], bool], records: bool) -> None:
        self.ledger, self.tracks, self.is_late, self.records = ledger, tracks, is_late, records
        self.rota = Rota(tracks)
        self.done, self.total = 0, sum(track.limit.games for track in tracks)
        self._claimed: deque[Span] = deque()
        self._in_hand: set[Span] = set()
        self._finished: list[tuple[Span, Result]] = []
        self._parts: list[Part] = []
        self._wrote = float("-inf")

    def stored(self) -> list[Part]:
        """What was stored before, in one part a task."""
        self._exchange(0)
        found: dict[int, Part] = {}
        for part in self._taken():
            before = found[part.index].result if part.index in found else part.task.nothing()
            found[part.index] = replace(part, result=before + part.result)
        return list(found.values())

    def jobs(self) -> Iterator[tuple[Span, tuple[Task, int, int, bool]]]:
        """Blocks to play, each with its span, until there are none or it is late."""
        while not self.is_late():
            if not self._claimed:
                self._exchange(self._ahead)
                if not self._claimed:
                    return
            span = self._claimed.popleft()
            if not (track := self.tracks[span.place]).is_over:
                yield span, (track.task, span.start, span.stop, self.records)

    def note(self, span: Span, result: Result) -> list[Part]:
        """Takes a finished block; gives the parts that have become known, once they are stored.

        MergeError if it is of another kind: from a worker with other streams, or another policy.
        """
        self._finished.append((span, self.tracks[span.place].task.nothing() + result))
        if not self._claimed or not self._is_soon():
            self._exchange(self._ahead)
        return self._taken()

    def rest(self) -> list[Part]:
        """Stores what has not been stored, and gives the last parts."""
        self._exchange(0)
        return self._taken()

    def end(self) -> None:
        """Stores what can be stored after an error, and gives back what was claimed."""
        with suppress(StoreError), self.ledger.change():
            self.ledger.put(self._finished)
            self.ledger.release()

    @property
    def _ahead(self) -> int:
        """How many blocks to claim: one for each that is finished, to leave others some; more if that was soon."""
        return max(1, len(self._finished) * (2 if self._is_soon() else 1))

    def _is_soon(self) -> bool:
        """Whether it is too soon to write again."""
        return time.monotonic() - self._wrote < _BETWEEN_WRITES

    def _taken(self) -> list[Part]:
        parts, self._parts = self._parts, []
        return parts

    def _exchange(self, ahead: int) -> None:
        """One transaction: writes what is finished, learns what is new, claims until so many blocks lie ready."""
        with self.ledger.change():
            self.ledger.put(self._finished)
            self._learn(self.ledger.news())
            self._claim(ahead)
        self._in_hand.difference_update(span for span, _ in self._finished)
        self._finished, self._wrote = [], time.monotonic()

    def _learn(self, news: list[Entry]) -> None:
        touched: dict[int, list[Entry]] = {}
        for entry in news:
            if not self.tracks[entry.span.place].is_over:
                touched.setdefault(entry.span.place, []).append(entry)
        for place, entries in touched.items():
            self._advance(self.tracks[place], entries)

    def _advance(self, track: Track, entries: list[Entry]) -> None:
        before = track.covered
        for entry in entries:
            track.take(entry)
        parts = track.advance()
        self.done += track.covered - before
        ends = [False] * (len(parts) - 1) + [track.is_over]
        self._parts += [Part(track.place, track.task, part, end) for part, end in zip(parts, ends, strict=False)]
        if track.is_over:
            self.total += track.games - track.limit.games
            self.ledger.settle(track.place, track.games)

    def _claim(self, ahead: int) -> None:
        others, spans = self.ledger.claimed(), []
        while len(self._claimed) < ahead and (span := self.rota.next(others, self._in_hand)) is not None:
            spans.append(span)
            self._claimed.append(span)
            self._in_hand.add(span)
        self.ledger.claim(spans)


def _checked_positive(name: str, value: float | None) -> float | None:
    """The number, or None; SpecError unless it is 1e-9 or more."""
    if value is None:
        return None
    if not isinstance(value, Real) or isinstance(value, bool) or not _LITTLE <= value < float("inf"):
        raise SpecError(f"{name} must be a number of {_LITTLE} or more. Got {value!r}.")
    return float(value)


def _check_name(task: Task) -> None:
    """PolicyError unless the policy has a name to be stored under."""
    if not isinstance(task.policy, str) and not isinstance(getattr(task.policy, "name", None), str):
        raise PolicyError(
            "a policy of your own must have a name to be stored, a string that changes when the policy does."
            f" Got {task.policy_name} without one."
        )
