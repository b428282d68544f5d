"""Borrowed executors: Dask and MPI with real processes, pools, one's own; the same result, and little under way."""

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing, nullcontext
from dataclasses import replace
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from threading import Lock, Timer

import pytest
from needed import missing
from players import Uniform

import ndsweep as nd
from ndsweep.executors import outcomes, workers_of

OWN = Uniform()
OWN.name = "uniform 1"
TASKS = [(nd.EXPERT, "single-point"), (nd.BEGINNER, OWN, 3), (nd.Spec((4, 4, 4), 8), "pairs", 2)]
GAMES = 20_000
BILLION = 10**9
UNDER_WAY = 2  # blocks a worker, at most


class Counted(Executor):
    """Another executor, with a count of what is under way in it."""

    def __init__(self, inner):
        self.inner, self.lock, self.under_way, self.peak = inner, Lock(), 0, 0

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def submit(self, call, /, *arguments):
        with self.lock:
            self.under_way += 1
            self.peak = max(self.peak, self.under_way)
        future = self.inner.submit(call, *arguments)
        future.add_done_callback(self.ended)
        return future

    def ended(self, future):
        with self.lock:
            self.under_way -= 1


class Plain(Executor):
    """What an executor must have and no more: it works at once, and does not say how many workers it has."""

    def submit(self, call, /, *arguments):
        future = Future()
        future.set_result(call(*arguments))
        return future


class Lazy(Executor):
    """Does the first few pieces of work that it gets, and no more."""

    def __init__(self, diligence, workers=1):
        self.diligence, self._max_workers, self.futures = diligence, workers, []

    def submit(self, call, /, *arguments):
        self.futures.append(Future())
        if len(self.futures) <= self.diligence:
            self.futures[-1].set_result(call(*arguments))
        return self.futures[-1]


class OldInstallation(Plain):
    """Its workers have an ndsweep with other streams."""

    def submit(self, call, /, *arguments):
        return super().submit(lambda *given: replace(call(*given), stream_version=0), *arguments)


@pytest.fixture(scope="module")
def local():
    return nd.collect(TASKS, GAMES, records=True, progress=False)


# Any executor ---------------------------------------------------------------------------------

EXECUTORS = {
    "spawned processes": lambda: ProcessPoolExecutor(2, mp_context=get_context("spawn")),
    "processes of a fork server": lambda: ProcessPoolExecutor(2, mp_context=get_context("forkserver")),
    "threads": lambda: ThreadPoolExecutor(3),
    "plain": Plain,
}


@pytest.mark.parametrize("kind", EXECUTORS)
def test_any_executor_gives_what_one_core_gives(kind, local, tmp_path):
    with EXECUTORS[kind]() as executor:
        assert nd.collect(TASKS, GAMES, executor, tmp_path / "study.db", progress=False, records=True) == local
        assert nd.simulate(nd.EXPERT, GAMES, executor=executor, records=True) == local[0]
    assert nd.Study.open(tmp_path / "study.db", records=True).results == local.results


@pytest.mark.parametrize(
    ("make", "workers"),
    [(nullcontext, 1), (lambda: ThreadPoolExecutor(5), 5), (lambda: ProcessPoolExecutor(4), 4), (Plain, 16)],
)
def test_workers_are_counted(make, workers):
    with make() as executor:
        assert workers_of(executor) == workers


def test_of_a_billion_games_a_few_blocks_a_worker_are_under_way():
    with ThreadPoolExecutor(2) as threads:
        executor = Counted(threads)
        with closing(nd.iter_collect([(nd.EXPERT, OWN)], BILLION, executor, progress=False)) as parts:
            assert [next(parts).result.games < 10_000 for _ in range(3)] == [True] * 3
        assert executor.peak == 2 * UNDER_WAY


def test_workers_that_come_later_get_work_and_those_that_go_are_missed(monkeypatch):
    monkeypatch.setattr("ndsweep.executors._BETWEEN_LOOKS", 0.0)
    executor = Lazy(1)
    with closing(outcomes(executor, abs, ((place, place) for place in range(1000)))) as ended:
        handed_out = []
        for done, workers in enumerate((1, 10, 2)):
            executor._max_workers = workers
            if done:
                executor.futures[done].set_result(None)
            next(ended)
            handed_out.append(len(executor.futures))
    assert handed_out == [UNDER_WAY, 1 + 10 * UNDER_WAY, 1 + 10 * UNDER_WAY]


def test_when_it_is_late_what_may_have_begun_is_waited_for():
    executor = Lazy(1)
    alarm = Timer(0.3, lambda: executor.futures[1].set_result("late"))
    with closing(outcomes(executor, str, [(0, 0), (1, 1), (2, 2)], lambda: True)) as ended:
        assert next(ended) == (0, "0")
        alarm.start()
        assert next(ended) == (1, "late")
    assert len(executor.futures) == UNDER_WAY + 1


def test_long_blocks_that_end_together_are_stored_though_no_other_ends():
    executor = Lazy(3)
    alarm = Timer(20, lambda: [future.set_exception(TimeoutError()) for future in executor.futures[3:]])
    alarm.start()
    try:
        with closing(nd.iter_collect([(nd.EXPERT, OWN)], BILLION, executor, progress=False)) as parts:
            assert [next(parts).result.games > 0 for _ in range(3)] == [True] * 3
    finally:
        alarm.cancel()


def test_games_of_other_streams_are_not_stored(tmp_path):
    with pytest.raises(nd.MergeError, match="stream_version"):
        nd.collect([nd.BEGINNER], 100, OldInstallation(), tmp_path / "study.db", progress=False)
    assert nd.Study.open(tmp_path / "study.db")[0].games == 0


# Dask -----------------------------------------------------------------------------------------

STUDY = [nd.EXPERT, (nd.BEGINNER, "pairs"), (nd.Spec((5, 5, 5), 12), "single-point", 7)]
STUDY_GAMES = 120_000


@pytest.fixture(scope="module")
def cluster():
    if find_spec("distributed") is None:
        missing('Dask is needed: pip install "ndsweep[dask]"')
    from distributed import LocalCluster

    with LocalCluster(n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture
def client(cluster):
    from distributed import Client

    with Client(cluster) as client:
        client.wait_for_workers(3)
        yield client


def kill_one_at_work(cluster, client):
    """Kills a worker that has blocks in hand; gives its process.  All are stopped first, so that they stay there."""
    processes = {worker.worker_address: worker.pid for worker in cluster.workers.values()}
    for process in processes.values():
        os.kill(process, signal.SIGSTOP)
    time.sleep(0.3)  # what was sent before arrives
    in_hand = client.processing()
    victim = max(processes, key=lambda address: len(in_hand[address]))
    for address, process in processes.items():
        os.kill(process, signal.SIGKILL if address == victim else signal.SIGCONT)
    assert in_hand[victim]
    return processes[victim]


@pytest.mark.skipif(os.name != "posix", reason="stops processes by signals")
def test_a_dask_worker_is_killed_and_the_result_is_the_same(cluster, client, tmp_path):
    executor, store = Counted(client.get_executor(pure=False)), tmp_path / "study.db"
    with closing(nd.iter_collect(STUDY, STUDY_GAMES, executor, store, progress=False)) as parts:
        next(parts)
        killed = kill_one_at_work(cluster, client)
        assert sum(1 for _ in parts) > 3
    assert executor.peak <= 3 * UNDER_WAY
    client.wait_for_workers(3)
    assert workers_of(executor) == 3
    assert killed not in [worker.pid for worker in cluster.workers.values()]
    local = nd.collect(STUDY, STUDY_GAMES, progress=False)
    assert nd.Study.open(store) == local
    assert nd.simulate(nd.EXPERT, STUDY_GAMES, executor=executor) == local[0]


def test_dask_gives_what_one_core_gives(client, local, tmp_path):
    executor = client.get_executor()
    assert nd.collect(TASKS, GAMES, executor, tmp_path / "study.db", progress=False, records=True) == local


def test_a_study_on_dask_can_be_left_and_taken_up_at_once(client):
    executor = client.get_executor()
    for blocks in range(4):
        with closing(nd.iter_collect([nd.EXPERT], STUDY_GAMES, executor, progress=False)) as parts:
            assert [next(parts).over for _ in range(blocks)] == [False] * blocks
    assert nd.collect([nd.EXPERT], STUDY_GAMES, executor, progress=False)[0].games == STUDY_GAMES


def test_dask_tries_again_what_failed_in_a_call_before(client, tmp_path):
    executor, path = client.get_executor(), tmp_path / "file"
    with pytest.raises(FileNotFoundError) as kept:
        list(outcomes(executor, Path.read_text, [(0, path)]))
    path.write_text("here now")
    assert list(outcomes(executor, Path.read_text, [(0, path)])) == [(0, "here now")]
    assert kept.value.filename == str(path)  # Dask keeps an outcome as long as somebody keeps the error


def test_of_a_billion_games_dask_holds_a_few_blocks_a_worker(client):
    executor = Counted(client.get_executor())
    with closing(nd.iter_collect([(nd.EXPERT, OWN)], BILLION, executor, progress=False)) as parts:
        assert next(parts).result.games < 10_000
    assert executor.peak == 3 * UNDER_WAY


# MPI ------------------------------------------------------------------------------------------

SCRIPT = """
import os
import sys

from mpi4py.futures import MPIPoolExecutor

import ndsweep as nd
from ndsweep.executors import workers_of

if __name__ == "__main__":
    with MPIPoolExecutor() as executor:
        nd.collect([nd.EXPERT, (nd.BEGINNER, "pairs", 5)], 50_000, executor, sys.argv[1], progress=False, records=True)
        print(os.getpid(), workers_of(executor))
"""
OPEN_MPI = {  # refuses root and more processes than cores, else
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


def mpiexec():
    """The program beside this Python, of a wheel, or that of the system."""
    beside = Path(sys.executable).with_name("mpiexec")
    found = str(beside) if beside.exists() else shutil.which("mpiexec")
    if found is None or find_spec("mpi4py") is None:
        missing("mpi4py and an MPI are needed: pip install mpi4py mpich")
    return found


def test_mpi_gives_what_one_core_gives(tmp_path):
    script, store = tmp_path / "study.py", tmp_path / "study.db"
    script.write_text(SCRIPT)
    command = [mpiexec(), "-n", "3", sys.executable, "-m", "mpi4py.futures", str(script), str(store)]
    done = subprocess.run(command, env=OPEN_MPI | os.environ, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[1:] == ["2"]  # printed once, by the one process that runs the script
    local = nd.collect([nd.EXPERT, (nd.BEGINNER, "pairs", 5)], 50_000, progress=False, records=True)
    assert nd.Study.open(store, records=True) == local
