"""What is typed on the command line: numbers, places of pictures, and the worker processes that it asks for."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from multiprocessing import parent_process
from pathlib import Path
from threading import Thread

from ndsweep.spec import SpecError

MOST_WORKERS = 256
_PICTURES = (".png", ".svg", ".pdf")


def integer(name: str, text: str) -> int:
    """The number that is written, 1e6 too.

    Examples
    --------
    >>> integer("--games", "1e6")
    1000000
    """
    try:
        return int(text)
    except ValueError:
        pass
    try:
        if (number := float(text)).is_integer() and abs(number) < 1 << 53:
            return int(number)
    except ValueError:
        pass
    raise SpecError(f"{name} must be an integer. Got {text[:40]!r}.")


def number(name: str, text: str, low: float, high: float, allowed: str) -> float:
    """The number that is written, between two others.

    Examples
    --------
    >>> number("--density", "0.5", 0, 1, "a number between 0 and 1")
    0.5
    """
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise SpecError(f"{name} must be {allowed}. Got {text!r}.")
    return value


def first_cell_in(text: str) -> tuple[int, ...] | str | None:
    """The first cell that is written: None for random, "corner", or coordinates.

    Examples
    --------
    >>> first_cell_in("random"), first_cell_in("corner"), first_cell_in("3,4")
    (None, 'corner', (3, 4))
    """
    if text in ("random", "corner"):
        return None if text == "random" else text
    try:
        return tuple(int(x) for x in text.split(","))
    except ValueError:
        raise SpecError(f"--first-cell must be random, corner, or coordinates such as 3,4. Got {text!r}.") from None


def workers_in(text: str | None) -> int:
    """The number of workers that is written; by default as many as there are cores.

    Examples
    --------
    >>> workers_in("4")
    4
    """
    count = _cores() if text is None else integer("--workers", text)
    if not 1 <= count <= MOST_WORKERS:
        raise SpecError(f"--workers must be between 1 and {MOST_WORKERS}. Got {count}.")
    return count


def check_picture(name: str, path: str) -> None:
    """SpecError unless a picture can be drawn and kept there; before any work for it is done.

    Examples
    --------
    >>> check_picture("--plot", "growth.txt")
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: --plot must name a file that ends with .png or .svg or .pdf. Got 'growth.txt'.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise SpecError(f'{name} needs matplotlib: pip install "ndsweep[plot]".') from None
    if Path(path).suffix.lower() not in _PICTURES:
        raise SpecError(f"{name} must name a file that ends with {' or '.join(_PICTURES)}. Got {path!r}.")
    folder = Path(path).absolute().parent
    if Path(path).is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise SpecError(f"{name} must name a file in a folder that can be written. Got {path!r}.")


@contextmanager
def pool(workers: int) -> Iterator[Executor | None]:
    """Worker processes, or None for one worker: this process.

    An interrupt is for the parent, which ends the workers; they end when it does, however it ends.

    Examples
    --------
    >>> with pool(1) as executor:
    ...     executor is None
    True
    """
    if workers == 1:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(workers, initializer=_begin) as executor:
        try:
            yield executor
        finally:  # all is in, or lost; one that was killed may have left the others a lock to wait for, for ever
            processes = list((executor._processes or {}).values())
            executor.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()


def _begin() -> None:
    """Prepares a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Waits for the parent to end: a pool whose parent was killed would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
