"""Borrowed executors: work is handed to them a little at a time, and taken as it ends."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from typing import TypeVar

from ndsweep.spec import SpecError

Key = TypeVar("Key")
Job = TypeVar("Job")
Outcome = TypeVar("Outcome")

_UNKNOWN = 16  # workers of an executor that does not tell
_UNDER_WAY = 2  # jobs a worker: one in hand, and one waiting so that it never does
_BETWEEN_LOOKS = 1.0  # seconds; workers of a cluster come and go


def checked_executor(executor: object) -> Executor | None:
    """The executor; SpecError unless it is None or takes work as ``concurrent.futures.Executor`` does.

    Examples
    --------
    >>> checked_executor(4)
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: executor must have a submit method, as concurrent.futures.Executor has. Got 4.
    """
    if executor is None or callable(getattr(executor, "submit", None)):
        return executor  # type: ignore[return-value]
    raise SpecError(f"executor must have a submit method, as concurrent.futures.Executor has. Got {executor!r}.")


def workers_of(executor: Executor | None) -> int:
    """How many jobs an executor works on at once, as far as it tells; 1 without one.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> workers_of(ThreadPoolExecutor(3)), workers_of(None)
    (3, 1)
    """
    if executor is None:
        return 1
    for name in ("_max_workers", "num_workers"):  # of concurrent.futures, of mpi4py
        if isinstance(count := getattr(executor, name, None), int) and count > 0:
            return count
    threads = getattr(getattr(executor, "_client", None), "nthreads", None)  # of Dask
    return (sum(threads().values()) if callable(threads) else 0) or _UNKNOWN


def outcomes(
    executor: Executor | None,
    work: Callable[[Job], Outcome],
    jobs: Iterable[tuple[Key, Job]],
    is_late: Callable[[], bool] = lambda: False,
) -> Generator[tuple[Key, Outcome], None, None]:
    """The key of each job with its outcome, as they end; at most two a worker are under way at a time.

    Jobs are taken from the iterable when there is room for them, which grows and shrinks with the
    number of workers.  When the generator is closed or something fails, those that have not begun
    are called off.

    Parameters
    ----------
    executor : Executor or None
        Without one the work is done here, a job at a time.
    work : callable
        Gets a job; with processes both must be picklable.
    jobs : iterable of (key, job)
        May be without end.
    is_late : callable
        Whether jobs that have not begun are to be called off, if the executor tells which they are.

    Examples
    --------
    >>> list(outcomes(None, str, enumerate("abc")))
    [(0, 'a'), (1, 'b'), (2, 'c')]
    """
    if executor is None:
        for key, job in jobs:
            yield key, work(job)
        return
    source, most, next_look, call = iter(jobs), 0, time.monotonic(), secrets.token_hex(8)
    under_way: dict[Future[Outcome], Key] = {}
    try:
        while True:
            if time.monotonic() >= next_look:
                most, next_look = _UNDER_WAY * workers_of(executor), time.monotonic() + _BETWEEN_LOOKS
            for key, job in islice(source, max(0, most - len(under_way))):
                under_way[executor.submit(_worked, work, job, call)] = key
            if not under_way:
                return
            ended = wait(under_way, return_when=FIRST_COMPLETED).done
            for future in sorted(ended, key=_has_failed):  # what has not is not lost with what has
                yield under_way.pop(future), future.result()
            if is_late() and any(future.running() for future in under_way):  # Dask does not tell what has begun
                _call_off(under_way)
    finally:
        _call_off(under_way)


def _has_failed(future: Future[Outcome]) -> bool:
    return future.cancelled() or future.exception() is not None


def _call_off(under_way: dict[Future[Outcome], Key]) -> None:
    """Cancels the jobs that have not begun, and forgets them."""
    for future in [future for future in under_way if future.cancel()]:
        del under_way[future]


def _worked(work: Callable[[Job], Outcome], job: Job, call: str) -> Outcome:
    """What the work makes of the job.

    The call is told since Dask takes the same arguments for the same future, for one too that has
    failed, or was called off, in a call before.
    """
    return work(job)
