"""What the public door checks: cells, arrays, specs, levels, memory.

Each check is made once, where an argument comes in; the rooms behind trust what they get.
"""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine.boxes import neighbourhood
from ndsweep.engine.memory import available_memory
from ndsweep.spec import CellError, Spec, SpecError, TooLargeError, checked_int, in_short, integer

_A_LITTLE = 1 << 24  # bytes; looking what is available takes longer than a small board


def checked_spec(spec: object) -> Spec:
    """The spec; SpecError unless it is one.

    Examples
    --------
    >>> checked_spec("expert")
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: spec must be a Spec. Got 'expert'.
    """
    if not isinstance(spec, Spec):
        raise SpecError(f"spec must be a Spec. Got {spec!r}.")
    return spec


def checked_array(name: str, values: object) -> npt.NDArray[Any]:
    """The values as an array; SpecError unless they form one.

    Examples
    --------
    >>> checked_array("mines", [[1], [2, 3]])
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: mines must form an array. Got rows of different lengths.
    """
    try:
        return np.asarray(values)
    except ValueError:
        raise SpecError(f"{name} must form an array. Got rows of different lengths.") from None


def checked_mask(name: str, values: object, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """The values as a boolean array of the grid's shape; SpecError unless they are one.

    Examples
    --------
    >>> checked_mask("revealed", [[True, False]], (1, 2))
    array([[ True, False]])
    """
    array = checked_array(name, values)
    if array.dtype != np.bool_ or array.shape != shape:
        raise SpecError(f"{name} must be a boolean array of shape {shape}. Got {array.dtype} of shape {array.shape}.")
    return array


def first_where(mask: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    """The first cell in C order where a mask is true, for a message that names it.

    Examples
    --------
    >>> first_where(np.array([[False, False], [True, True]]))
    (1, 0)
    """
    return tuple(int(x) for x in np.unravel_index(int(mask.argmax()), mask.shape))


def checked_range(start: object, games: object, name: str = "games") -> tuple[int, int]:
    """The first number and the count of games; SpecError unless all their numbers fit 63 bits.

    Examples
    --------
    >>> checked_range(5, 10)
    (5, 10)
    """
    count, end = checked_int(name, games, 0), 2**63 - 1
    if count > end:
        raise SpecError(f"{name} must be an integer between 0 and {end}. Got {count}.")
    return checked_int("start", start, 0, end - count), count


def checked_cell(shape: tuple[int, ...], cell: object, name: str = "cell") -> tuple[int, ...]:
    """The coordinates of a cell that is given by coordinates or by its flat index.

    Examples
    --------
    >>> checked_cell((3, 4), 5), checked_cell((3, 4), (1, 1))
    ((1, 1), (1, 1))
    """
    try:
        place: tuple[int, ...] = (integer(cell),)
        bounds: tuple[int, ...] = (prod(shape),)
    except TypeError:
        try:
            place = tuple(integer(x) for x in cell)  # type: ignore[attr-defined]
        except TypeError:
            raise CellError(f"{name} must be coordinates or a flat index, in integers. Got {in_short(cell)}.") from None
        bounds = shape
    if len(place) != len(bounds):
        raise CellError(f"{name} must have {len(shape)} coordinates for shape {shape}. Got {in_short(place)}.")
    if not all(0 <= x < n for x, n in zip(place, bounds, strict=True)):
        ranges = " x ".join(f"0..{n - 1}" for n in bounds)
        raise CellError(f"{name} must lie in {ranges}. Got {in_short(place if bounds is shape else place[0])}.")
    return place if bounds is shape else tuple(int(x) for x in np.unravel_index(place[0], shape))


def checked_first_cell(spec: Spec, first_cell: object) -> int | None:
    """The flat first cell, or None for a random one; SpecError where the mines do not fit beside it.

    Examples
    --------
    >>> from ndsweep.spec import BEGINNER
    >>> checked_first_cell(BEGINNER, (1, 0))
    9
    """
    if first_cell is None:
        spec.check_first_cells(spec.most_free, "a random first cell")
        return None
    cell = checked_cell(spec.shape, first_cell, "first_cell")
    around = prod(box.stop - box.start for box in neighbourhood(spec.shape, cell))
    spec.check_first_cells({"any": 0, "safe": 1, "opening": around}[spec.first], f"first_cell={cell}")
    return int(np.ravel_multi_index(cell, spec.shape))


def checked_cells(cells: object, games: int, size: int, lowest: int, name: str = "cells") -> npt.NDArray[np.int64]:
    """One flat cell index a game, between ``lowest`` and size - 1.

    Examples
    --------
    >>> checked_cells([0, 9], games=2, size=9, lowest=-1)
    Traceback (most recent call last):
    ...
    ndsweep.spec.CellError: cells must lie in -1..8. Got 9 for game 1.
    """
    array = checked_array(name, cells)
    if array.dtype.kind not in "iu" or array.shape != (games,):
        raise CellError(
            f"{name} must be integers of shape ({games},), a flat cell index a game."
            f" Got {array.dtype} of shape {array.shape}."
        )
    outside = (array < lowest) | (array >= size)
    if outside.any():
        game = int(outside.argmax())
        raise CellError(f"{name} must lie in {lowest}..{size - 1}. Got {array[game]} for game {game}.")
    return array.astype(np.int64)


def checked_indices(games: object, count: int, name: str = "games") -> npt.NDArray[np.int64]:
    """Indices of games, between 0 and count - 1.

    Examples
    --------
    >>> checked_indices(range(3), count=3)
    array([0, 1, 2])
    """
    array = checked_array(name, games)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise SpecError(f"{name} must be a sequence of integers. Got {array.dtype} of shape {array.shape}.")
    outside = (array < 0) | (array >= count)
    if outside.any():
        raise SpecError(f"{name} must lie in 0..{count - 1}. Got {array[outside.argmax()]}.")
    return array.astype(np.int64)


def check_memory(what: str, needed: int, instead: str = "") -> None:
    """TooLargeError unless so many bytes are available; a little is taken to be.

    ``instead`` is a sentence on the way that would work.

    Examples
    --------
    >>> check_memory("a small board", 81)
    """
    if needed >= _A_LITTLE:
        _check_room(what, needed, "of memory", available_memory(), instead)


def check_disk(what: str, needed: int, folder: str | os.PathLike[str]) -> None:
    """TooLargeError unless a folder has room for so many bytes, if there is such a folder.

    Examples
    --------
    >>> check_disk("a small file", 81, ".")
    """
    with suppress(OSError):
        _check_room(what, needed, f"of the disk of {os.fspath(folder)!r}", shutil.disk_usage(folder).free, "")


def _check_room(what: str, needed: int, place: str, available: int, instead: str) -> None:
    if needed > available:
        text = f"{what} would need {_bytes(needed)} {place}. {_bytes(available)} are available. {instead}"
        raise TooLargeError(text.rstrip())


def checked_threads(executor: object) -> ThreadPoolExecutor | None:
    """The executor; SpecError unless it is None or has threads: other processes would write to copies.

    Examples
    --------
    >>> checked_threads(4)
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: executor must be a ThreadPoolExecutor. Got int.
    """
    if executor is None or isinstance(executor, ThreadPoolExecutor):
        return executor
    raise SpecError(f"executor must be a ThreadPoolExecutor. Got {type(executor).__name__}.")


def _bytes(count: int) -> str:
    if count >= 10**300:  # which is no float
        return "more than 10^300 B"
    amount, units = float(count), iter(("B", "kB", "MB", "GB", "TB", "PB"))
    unit = next(units)
    while amount >= 1000 and unit != "PB":
        amount, unit = amount / 1000, next(units)
    return f"{amount:.1f} {unit}"
