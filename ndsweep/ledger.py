"""The ledger of a study: one SQLite file with a row for every finished block of games.

A block is in it once, however often it was played.  Each change is one transaction, so that a
process may end at any moment: the file holds the change or it does not.  Claims say which blocks
are in whose hands; they only keep processes from playing the same ones, and are not to be relied on.
"""

from __future__ import annotations

import os
import platform
import secrets
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ndsweep.engine.slots import ENDED
from ndsweep.engine.streams import STREAM_VERSION
from ndsweep.npy import PathLike, checked_path
from ndsweep.result import Result
from ndsweep.spec import FormatError, StoreError
from ndsweep.tasks import Task

_APPLICATION = 0x6E647377  # "ndsw" in the header of the file, where SQLite keeps what a file is for
_FORMAT = 2
_PATIENCE = 60.0  # seconds to wait for another process that writes
_A_WHILE = 5.0  # seconds of it at a time
_STORED = ENDED.newbyteorder("<")

_TABLES = f"""
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_FORMAT};
CREATE TABLE about (stream_version INTEGER NOT NULL);
INSERT INTO about VALUES ({STREAM_VERSION});
CREATE TABLE tasks (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,    -- SHA-256 of the next
    task TEXT NOT NULL,          -- canonical JSON
    games INTEGER NOT NULL       -- how many were asked for last, or were enough
);
CREATE TABLE blocks (
    id INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES tasks,
    start INTEGER NOT NULL,      -- games start .. stop - 1
    stop INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    guesses INTEGER NOT NULL,
    reveals INTEGER NOT NULL,
    opened INTEGER NOT NULL,
    UNIQUE (task, start, stop)
);
CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES tasks,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    rows BLOB NOT NULL,          -- one a game, zlib
    UNIQUE (task, start, stop)
);
CREATE TABLE claims (
    task INTEGER NOT NULL REFERENCES tasks,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    owner TEXT NOT NULL,
    PRIMARY KEY (task, start, stop)
) WITHOUT ROWID;
"""
_NEWS = """
SELECT blocks.id, place, start, stop, wins, guesses, reveals, opened, NULL
FROM blocks CROSS JOIN wanted ON wanted.id = blocks.task WHERE blocks.id > ? ORDER BY blocks.id
"""
_NEWS_WITH_RECORDS = """
SELECT records.id, place, start, stop, wins, guesses, reveals, opened, rows
FROM records CROSS JOIN wanted ON wanted.id = records.task
CROSS JOIN blocks USING (task, start, stop) WHERE records.id > ? ORDER BY records.id
"""


class Span(NamedTuple):
    """Games start .. stop-1 of the task at a place in the list.

    Examples
    --------
    >>> Span(0, 100, 200).stop
    200
    """

    place: int
    start: int
    stop: int


@dataclass(frozen=True)
class Entry:
    """A block as the ledger has it.

    Examples
    --------
    >>> Entry(Span(0, 0, 10), (3, 20, 50, 700), None).counts[0]
    3
    """

    span: Span
    counts: tuple[int, int, int, int]
    """Games won, guesses, reveals, opened."""
    records: npt.NDArray[np.void] | None

    def result(self, task: Task) -> Result:
        """As the result of the task."""
        _, start, stop = self.span
        wins, guesses, reveals, opened = self.counts
        rows = np.empty(0, dtype=ENDED) if self.records is None else self.records
        games = stop - start
        return task.result(start, stop, rows, games=games, wins=wins, guesses=guesses, reveals=reveals, opened=opened)


class Ledger:
    """A ledger that is open; without a path it is kept in memory.

    Parameters
    ----------
    path : path or None
        A file that is there, or one to be made.
    new : bool
        Whether it may be made.

    Raises
    ------
    FormatError
        If the file is none of these, or of games from other streams.
    StoreError
        If it cannot be read or written.

    Examples
    --------
    >>> from ndsweep.spec import BEGINNER
    >>> from ndsweep.simulate import play_block
    >>> task = Task(BEGINNER)
    >>> with Ledger(None) as ledger:
    ...     ledger.enrol([task], games=300)
    ...     with ledger.change():
    ...         ledger.put([(Span(0, 0, 300), play_block((task, 0, 300, False)))])
    ...     [entry.span.stop for entry in ledger.news()]
    [300]
    """

    def __init__(self, path: PathLike | None, new: bool = True) -> None:
        self.name = "memory" if path is None else os.fspath(checked_path(path, "store"))
        self.owner = f"{platform.node()}:{os.getpid()}:{secrets.token_hex(8)}"
        self._ids: list[int] = []
        self._seen, self._news = 0, _NEWS
        if path is not None and not new and not (os.path.exists(path) and os.path.getsize(path)):
            what = f"{self.name!r} is empty" if os.path.exists(path) else f"There is no {self.name!r}"
            raise StoreError(f"store must be the file of a study. {what}.")
        with self._clear():
            place = ":memory:" if path is None else os.path.abspath(path)  # a file may have that name too
            # a generator goes from thread to thread, though never in two at once
            self._file = sqlite3.connect(place, timeout=_A_WHILE, isolation_level=None, check_same_thread=False)
        try:
            with self._clear():
                self._file.execute("PRAGMA temp_store = MEMORY")
                self._check()
        except BaseException:
            self._file.close()
            raise

    def _check(self) -> None:
        """Sees that the file is a ledger of these streams, or makes it one if it is empty."""
        if not self._one("PRAGMA schema_version"):
            with self.change():
                if not self._one("PRAGMA schema_version"):  # else another process was faster
                    for statement in _TABLES.split(";"):
                        self._file.execute(statement)
        kind, version = self._one("PRAGMA application_id"), self._one("PRAGMA user_version")
        if kind != _APPLICATION:
            raise FormatError(f"store must be the file of a study. {self.name!r} is another SQLite file.")
        if version != _FORMAT:
            raise FormatError(f"store must be in format {_FORMAT}. {self.name!r} is in format {version}.")
        if (streams := self._one("SELECT stream_version FROM about")) != STREAM_VERSION:
            raise FormatError(
                f"store must hold games of stream version {STREAM_VERSION}. {self.name!r} holds those of {streams}."
            )

    def _one(self, query: str) -> int:
        return int(self._file.execute(query).fetchone()[0])

    # One transaction -----------------------------------------------------------------------------

    @contextmanager
    def change(self) -> Iterator[None]:
        """A transaction: all that is done within is kept, or none of it."""
        with self._clear():
            self._wait_for("BEGIN IMMEDIATE")
            try:
                yield
                self._wait_for("COMMIT")
            except BaseException:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                raise

    def _wait_for(self, statement: str) -> None:
        """Does it once no other process is in the way; in between an interrupt is heard."""
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                self._file.execute(statement)
                return
            except sqlite3.OperationalError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise

    def enrol(self, tasks: Sequence[Task], games: int, records: bool = False) -> None:
        """Says which tasks the calls to come are about, and how many games of each are wanted."""
        rows = [(task.key, task.text, games) for task in tasks]
        with self.change():
            self._file.executemany(
                "INSERT INTO tasks (key, task, games) VALUES (?, ?, ?)"
                " ON CONFLICT (key) DO UPDATE SET games = excluded.games WHERE games != excluded.games",
                rows,
            )
            known = dict(self._file.execute("SELECT key, id FROM tasks"))
            self._follow([known[key] for key, _, _ in rows], records)

    def _follow(self, ids: list[int], records: bool) -> None:
        """Says which tasks are meant by places 0, 1, ..."""
        self._ids, self._seen, self._news = ids, 0, _NEWS_WITH_RECORDS if records else _NEWS
        self._file.execute("CREATE TEMP TABLE wanted (id INTEGER PRIMARY KEY, place INTEGER NOT NULL)")
        self._file.executemany("INSERT INTO wanted VALUES (?, ?)", zip(ids, range(len(ids)), strict=True))

    def put(self, blocks: Iterable[tuple[Span, Result]]) -> None:
        """Adds finished blocks, and their records if they have them; what is there already stays."""
        for span, result in blocks:
            key = self._key(span)
            counts = (result.wins, result.counts["guesses"], result.counts["reveals"], result.counts["opened"])
            self._file.execute("INSERT OR IGNORE INTO blocks VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", key + counts)
            if self._news is _NEWS_WITH_RECORDS:
                rows = zlib.compress(result.records.astype(_STORED).tobytes(), 1)
                self._file.execute("INSERT OR IGNORE INTO records VALUES (NULL, ?, ?, ?, ?)", (*key, rows))
            self._file.execute("DELETE FROM claims WHERE task = ? AND start = ? AND stop = ?", key)

    def news(self) -> list[Entry]:
        """The blocks of the tasks that have come since the last call, whoever played them."""
        with self._clear():
            found = self._file.execute(self._news, (self._seen,)).fetchall()
        if found:
            self._seen = found[-1][0]
        return [Entry(Span(*row[1:4]), row[4:8], _unpacked(row[8])) for row in found]

    def claimed(self) -> set[Span]:
        """The blocks that are in the hands of others, those of processes known to be dead left out."""
        query = "SELECT owner, place, start, stop FROM claims CROSS JOIN wanted ON wanted.id = task WHERE owner != ?"
        return {Span(*row[1:]) for row in self._file.execute(query, (self.owner,)) if not _is_dead(row[0])}

    def claim(self, spans: Iterable[Span]) -> None:
        """Takes blocks into the own hands."""
        rows = [(*self._key(span), self.owner) for span in spans]
        self._file.executemany("INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?)", rows)

    def release(self) -> None:
        """Gives back what is in the own hands."""
        self._file.execute("DELETE FROM claims WHERE owner = ?", (self.owner,))

    def settle(self, place: int, games: int) -> None:
        """Says that so many games of a task were enough."""
        self._file.execute("UPDATE tasks SET games = ? WHERE id = ?", (games, self._ids[place]))

    def _key(self, span: Span) -> tuple[int, int, int]:
        return (self._ids[span.place], span.start, span.stop)

    # Reading all of it ---------------------------------------------------------------------------

    def tasks(self) -> list[tuple[str, int]]:
        """Every task as JSON and how many games of it are wanted, in the order they came."""
        with self._clear():
            return self._file.execute("SELECT task, games FROM tasks ORDER BY id").fetchall()

    def entries(self, records: bool = False) -> list[Entry]:
        """Every block; the places are those of `tasks`."""
        with self._clear():
            self._follow([number for (number,) in self._file.execute("SELECT id FROM tasks ORDER BY id")], records)
        return self.news()

    # Errors --------------------------------------------------------------------------------------

    @contextmanager
    def _clear(self) -> Iterator[None]:
        """Says clearly what SQLite says shortly."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            details = getattr(error, "sqlite_errorcode", 0)
            code = details & 0xFF
            if details == _MOVED:
                raise StoreError(f"store {self.name!r} was moved or deleted while it was in use.") from error
            if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                text = f"store must be the file of a study. {self.name!r} is not, or is damaged: {error}."
                raise FormatError(text) from error
            said = _REASONS.get(code, f"SQLite says: {error}.")
            raise StoreError(f"store {self.name!r} cannot be used. {said} What it held before is kept.") from error

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


_MOVED = 1032  # SQLITE_READONLY_DBMOVED, a name that Python lacks
_REASONS = {
    sqlite3.SQLITE_FULL: "The disk is full.",
    sqlite3.SQLITE_READONLY: "It can only be read, or its folder.",
    sqlite3.SQLITE_CANTOPEN: "There is no such file or folder, or it may not be opened.",
    sqlite3.SQLITE_PERM: "It may not be opened.",
    sqlite3.SQLITE_BUSY: f"Another process has been writing to it for {_PATIENCE:.0f} seconds.",
    sqlite3.SQLITE_IOERR: "The disk failed to read or write.",
}


def _unpacked(rows: bytes | None) -> npt.NDArray[np.void] | None:
    return None if rows is None else np.frombuffer(zlib.decompress(rows), dtype=_STORED).astype(ENDED)


def _is_dead(owner: str) -> bool:
    """Whether the owner of a claim is known to be dead: a process of this computer that is not there."""
    host, number, _ = owner.rsplit(":", 2)
    if os.name != "posix" or host != platform.node():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    return False
