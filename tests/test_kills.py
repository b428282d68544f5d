"""Fifty kills without warning, of a process that collects, of its workers, or of both: nothing is lost or doubled."""

import multiprocessing
import os
import random
import signal
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

from ndsweep import Spec, Study, Task, collect
from ndsweep.frontends.options import pool

COLLECT = import_module("ndsweep.collect")
TASKS = [Task(Spec((4, 4), mines), policy, 9) for mines in (2, 5) for policy in ("single-point", "pairs")]
GAMES = 64 * 50
KILLS = 50
NEEDS_PROC = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def work(store, workers):
    """What is killed."""
    with pool(workers) as executor:
        collect(TASKS, GAMES, executor, store, progress=False)


def children(parent):
    """The processes that a process has started, by the kernel's list."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(place.parent.name))
    return found


def kill(process):
    """Ends a process that was started here, or is the child of one."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def table(study, tmp_path):
    study.export(tmp_path / "table.csv")
    return (tmp_path / "table.csv").read_bytes()


def attempt(store):
    """A process that collects and is killed, or a worker of it, or both; whether it was still there, and its end."""
    process = multiprocessing.get_context("fork").Process(target=work, args=(store, random.choice([1, 2, 2])))
    process.start()
    time.sleep(random.uniform(0.0, 0.15))
    victims, was_there = children(process.pid), process.is_alive()
    kind = random.choice(["parent", "worker", "both"]) if victims else "parent"
    for victim in [process.pid] * (kind != "worker") + random.sample(victims, kind != "parent"):
        kill(victim)
    process.join(60)
    until = time.monotonic() + 20
    while any(is_there(victim) for victim in victims):
        assert time.monotonic() < until, "workers end with their parent"
        time.sleep(0.002)
    return was_there, process.exitcode == 0


def is_there(process):
    """Whether a process goes on; one that has ended may wait for long until it is taken note of."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@NEEDS_PROC
def test_fifty_kills_change_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(COLLECT, "block_games", lambda *_: 64)  # in the processes too, which are forked
    monkeypatch.setattr(COLLECT, "_BETWEEN_WRITES", 0.02)
    random.seed(2026)
    expected = collect(TASKS, GAMES, progress=False)
    wanted, kills, stores = table(expected, tmp_path), 0, 0
    while kills < KILLS:
        store, stores, done = tmp_path / f"{stores}.db", stores + 1, False
        while kills < KILLS and not done:
            was_there, done = attempt(store)
            kills += was_there
        work(store, 1)
        assert Study.open(store) == expected
        assert table(Study.open(store), tmp_path) == wanted
    assert stores < KILLS / 3


def leave_while_workers_die():
    """Leaves pools whose workers are killed at that moment, one of them with the lock for which the others wait."""
    for _ in range(30):
        with pool(3) as executor:
            list(executor.map(abs, range(-6, 0)))
            for victim in children(os.getpid())[:2]:
                kill(victim)


@NEEDS_PROC
def test_a_pool_can_be_left_whatever_its_workers_hold():
    process = multiprocessing.get_context("fork").Process(target=leave_while_workers_die)
    process.start()
    process.join(60)
    left = children(process.pid) if process.is_alive() else []
    for stuck in left and [process.pid, *left]:
        kill(stuck)
    process.join(10)
    assert process.exitcode == 0
