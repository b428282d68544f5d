"""The store keeps what it was given: whatever file it is, whichever write fails, whoever is killed."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from importlib import import_module
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ndsweep import STREAM_VERSION, FormatError, Spec, StoreError, Study, Task, collect, iter_collect, simulate

LEDGER, COLLECT = import_module("ndsweep.ledger"), import_module("ndsweep.collect")
TASKS = [Task(Spec((4, 4), 3)), Task(Spec((2, 3, 2), 2), "pairs", 5)]
GAMES = 120
EXPECTED = [simulate(task.spec, GAMES, task.policy, task.seed) for task in TASKS]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(COLLECT, "block_games", lambda *_: 40)
    monkeypatch.setattr(COLLECT, "_BETWEEN_WRITES", 0.0)


@pytest.fixture
def store(tmp_path):
    return tmp_path / "study.db"


def run(store, games=GAMES, **options):
    return collect(TASKS, games, store=store, progress=False, **options)


def change(store, *statements):
    with closing(sqlite3.connect(store)) as file, file:
        for statement in statements:
            file.execute(statement)


def unchanged(store):
    """The file's bytes, for comparison."""
    return store.read_bytes()


# Anybody can read it -------------------------------------------------------------------------


def test_the_file_can_be_read_with_sqlite_alone(store):
    study = run(store)
    with closing(sqlite3.connect(store)) as file:
        query = "SELECT task, sum(stop - start), sum(wins), sum(guesses) FROM blocks GROUP BY task ORDER BY task"
        found = file.execute(query).fetchall()
        keys = [key for (key,) in file.execute("SELECT key FROM tasks ORDER BY id")]
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert file.execute("SELECT stream_version FROM about").fetchone() == (STREAM_VERSION,)
    assert found == [(k, GAMES, r.wins, r.counts["guesses"]) for k, r in enumerate(study, 1)]
    assert keys == [task.key for task in TASKS]


# Wrong files ---------------------------------------------------------------------------------


def wrong_text(store):
    store.write_text("games won: all of them, " * 100)


def wrong_sqlite(store):
    change(store, "CREATE TABLE letters (a)")


def wrong_format(store):
    run(store)
    change(store, "PRAGMA user_version = 99")


def wrong_streams(store):
    run(store)
    change(store, "UPDATE about SET stream_version = 99")


def truncated(store):
    run(store)
    store.write_bytes(store.read_bytes()[:5000])


@pytest.mark.parametrize(
    ("spoil", "error", "message"),
    [
        (
            wrong_text,
            FormatError,
            "store must be the file of a study. .* is not, or is damaged: file is",
        ),
        (wrong_sqlite, FormatError, "store must be the file of a study. .* is another SQLite file"),
        (wrong_format, FormatError, "store must be in format 2. .* is in format 99"),
        (wrong_streams, FormatError, f"store must hold games of stream version {STREAM_VERSION}. .* those of 99"),
        (truncated, FormatError, "is not, or is damaged"),
        (lambda store: store.mkdir(), StoreError, "may not be opened"),
    ],
)
def test_wrong_files_are_refused_and_left_as_they_are(store, spoil, error, message):
    spoil(store)
    before = None if store.is_dir() else unchanged(store)
    for call in (run, Study.open):
        with pytest.raises(error, match=message):
            call(store)
        assert before is None or unchanged(store) == before


def test_a_file_that_is_not_there(store):
    with pytest.raises(StoreError, match=r"There is no '.*study.db'"):
        Study.open(store)
    assert not store.exists()
    with pytest.raises(StoreError, match="There is no such file or folder"):
        run(store.parent / "no" / "study.db")


def test_an_empty_file_is_a_new_store_to_write_and_none_to_read(store):
    store.touch()
    with pytest.raises(StoreError, match=r"'.*study.db' is empty"):
        Study.open(store)
    assert not store.stat().st_size
    assert list(run(store)) == EXPECTED


READ_ONLY = """
import sys, os, ndsweep as nd
if os.geteuid() == 0:
    os.setgid(65534); os.setuid(65534)
path = sys.argv[1]
print(nd.Study.open(path)[0].games)
try:
    nd.collect([nd.Spec((4, 4), 3)], 1000, store=path, progress=False)
except nd.StoreError as error:
    print(error)
"""


def test_a_file_that_can_only_be_read():
    """It can be looked at; to add to it is a clear error. Root may write anywhere, so another user tries."""
    with TemporaryDirectory() as folder:
        store = Path(folder, "study.db")
        run(store)
        before = unchanged(store)
        store.chmod(0o444)
        Path(folder).chmod(0o755)
        done = subprocess.run([sys.executable, "-c", READ_ONLY, store], capture_output=True, text=True, timeout=60)
        assert done.stdout.splitlines()[:1] == [str(GAMES)], done.stderr
        assert "cannot be used. It can only be read, or its folder. What it held before is kept." in done.stdout
        assert unchanged(store) == before


# A full disk, a lock, a failing write ----------------------------------------------------------


class Hasty(sqlite3.Connection):
    """Does not wait for the disk."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        super().execute("PRAGMA synchronous = OFF")


class Failing(Hasty):
    """Fails at one write, then works again."""

    left = 0

    def _count(self, statement):
        words = ("INSERT", "UPDATE", "DELETE", "CREATE", "PRAGMA app", "PRAGMA user_version =", "BEGIN", "COMMIT")
        if statement.lstrip().startswith(words):
            Failing.left -= 1
            if Failing.left == 0:
                error = sqlite3.OperationalError("disk I/O error")
                error.sqlite_errorcode = sqlite3.SQLITE_IOERR
                raise error

    def execute(self, statement, *arguments):
        self._count(statement)
        return super().execute(statement, *arguments)

    def executemany(self, statement, *arguments):
        self._count(statement)
        return super().executemany(statement, *arguments)


def connected_by(kind, connect=sqlite3.connect):
    return lambda *arguments, **options: connect(*arguments, factory=kind, **options)


@pytest.mark.parametrize("records", [False, True])
def test_every_write_fails_once(tmp_path, monkeypatch, records):
    """Whichever it is: the error is clear, what was yielded is stored, and the same call goes on."""
    expected = collect(TASKS, GAMES, progress=False, records=records)
    monkeypatch.setattr(LEDGER.sqlite3, "connect", connected_by(Failing))
    played, play = [], COLLECT.play_block
    monkeypatch.setattr(COLLECT, "play_block", lambda job: played.append(job) or play(job))
    for number in count(1):
        store, yielded, said = tmp_path / f"{number}.db", 0, ""
        played.clear()
        Failing.left = number
        try:
            for part in iter_collect(TASKS, GAMES, store=store, progress=False, records=records):
                yielded += part.result.games
        except StoreError as error:
            said = str(error)
        Failing.left = 0
        if played:  # what was finished is stored after the error
            kept = sum(result.games for result in Study.open(store, records))
            assert kept == 40 * len(played) >= yielded
        study = collect(TASKS, GAMES, store=store, progress=False, records=records)
        assert study == expected == Study.open(store, records)
        if not said:
            break
        assert "The disk failed to read or write. What it held before is kept." in said
    assert number > 50


class Full(Hasty):
    """A disk with room for the tables and little more."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        super().execute("PRAGMA max_page_count = 12")


def test_a_full_disk(store, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(LEDGER.sqlite3, "connect", connected_by(Full))
        with pytest.raises(StoreError, match=r"The disk is full. What it held before is kept."):
            run(store, 10**6)
    assert sum(result.games for result in Study.open(store)) > 40
    assert list(run(store)) == EXPECTED


def test_a_store_that_is_held_by_another(store, monkeypatch):
    run(store, 40)
    monkeypatch.setattr(LEDGER, "_PATIENCE", 0.1)
    with closing(sqlite3.connect(store)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="Another process has been writing to it"):
            run(store)
    assert list(run(store)) == EXPECTED


def test_a_store_that_is_held_for_a_while_is_waited_for(store):
    run(store, 40)
    other = sqlite3.connect(store, check_same_thread=False, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    timer = threading.Timer(0.5, lambda: other.execute("ROLLBACK"))
    timer.start()
    assert list(run(store)) == EXPECTED
    timer.join()
    other.close()


def test_a_store_that_is_deleted_while_it_is_in_use(store):
    work = iter_collect(TASKS, GAMES, store=store, progress=False)
    next(work)
    store.unlink()
    with pytest.raises(StoreError, match="was moved or deleted while it was in use"):
        list(work)


def test_a_file_may_have_any_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (":memory:", "file:x?mode=ro", "a b'c"):
        assert list(run(name)) == EXPECTED == list(Study.open(tmp_path / name))


def test_a_store_can_be_copied_and_moved(store, tmp_path):
    run(store, 80)
    copy = tmp_path / "копия ?#%.db"
    shutil.copy(store, copy)
    os.rename(store, tmp_path / "moved")
    assert list(run(copy)) == EXPECTED
    assert list(run(tmp_path / "moved")) == EXPECTED


# Once, however often ---------------------------------------------------------------------------


def test_a_block_that_was_played_twice_is_in_the_store_once(store):
    run(store, 40)
    span = LEDGER.Span(0, 0, 40)
    with closing(sqlite3.connect(store)) as file:
        before = file.execute("SELECT * FROM blocks").fetchall()
    with LEDGER.Ledger(store) as ledger:
        ledger.enrol(TASKS, 40)
        with ledger.change():
            ledger.put([(span, simulate(Spec((4, 4), 4), 40))])  # wrong on purpose: what is there stays
        assert len(ledger.news()) == 2
        assert ledger.news() == []
    with closing(sqlite3.connect(store)) as file:
        assert file.execute("SELECT * FROM blocks").fetchall() == before


def test_claims_are_seen_by_others_and_given_back(store):
    spans = {LEDGER.Span(0, 0, 40), LEDGER.Span(1, 40, 80)}
    with LEDGER.Ledger(store) as one, LEDGER.Ledger(store) as other:
        for ledger in (one, other):
            ledger.enrol(TASKS, 120)
        with one.change():
            one.claim(spans)
        assert (one.claimed(), other.claimed()) == (set(), spans)
        with other.change():
            other.put([(LEDGER.Span(0, 0, 40), EXPECTED[0])])
        assert other.claimed() == {LEDGER.Span(1, 40, 80)}
        with one.change():
            one.release()
        assert other.claimed() == set()


def test_claims_of_a_process_that_is_gone_do_not_count(store):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with LEDGER.Ledger(store) as one, LEDGER.Ledger(store) as other:
        for ledger in (one, other):
            ledger.enrol(TASKS, 120)
        one.owner = ":".join([one.owner.rsplit(":", 2)[0], str(gone.pid), "0"])
        with one.change():
            one.claim([LEDGER.Span(0, 0, 40)])
        assert other.claimed() == set()
        one.owner = "elsewhere:1:0"
        with one.change():
            one.claim([LEDGER.Span(0, 0, 40)])
        assert other.claimed() == {LEDGER.Span(0, 0, 40)}
