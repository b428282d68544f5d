"""What C passes as integers: sizes, coordinates and mines, from Python values or from behind pointers."""

from __future__ import annotations

import ctypes
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.spec import CellError, SpecError, SweepError, checked_int, checked_shape

MOST = 2**31 - 1
"""The largest int of C."""

POINTER = ctypes._Pointer
"""What `ctypes.POINTER` makes are subclasses of this."""


def number(name: str, value: Any, low: int, high: int) -> int:
    """An integer, of ctypes too.

    Examples
    --------
    >>> number("dim", ctypes.c_int(2), 1, 32)
    2
    """
    return checked_int(name, value.value if isinstance(value, ctypes._SimpleCData) else value, low, high)


def checked_sizes(dim_sizes: Any) -> tuple[int, ...]:
    """The shape; SpecError unless the sizes are 1 or more and the cells can be counted in an int.

    Examples
    --------
    >>> checked_sizes([3, 4])
    (3, 4)
    """
    shape = checked_shape(np.asarray(dim_sizes) if isinstance(dim_sizes, ctypes.Array) else dim_sizes, "dim_sizes")
    if prod(shape) > MOST:
        raise SpecError(f"dim_sizes must give at most {MOST} cells. Got {shape}.")
    return shape


def sizes_of(dim: Any, dim_sizes: Any) -> tuple[int, ...]:
    """The shape as C gives it; SpecError unless there are ``dim`` sizes.

    Examples
    --------
    >>> sizes_of(2, (ctypes.c_int * 2)(3, 4))
    (3, 4)
    """
    return checked_sizes(integers("dim_sizes", dim_sizes, number("dim", dim, 1, 32)))


def mines(mined_cells: Any, count: int, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """The mines as an array of the grid's shape; CellError for one outside the grid, or one that comes twice.

    Examples
    --------
    >>> mines([(0, 1)], 1, (1, 3))
    array([[False,  True, False]])
    """
    places = coordinates("mined_cells", mined_cells, count, len(shape))
    outside = ((places < 0) | (places >= shape)).any(axis=1)
    if outside.any():
        ranges = " x ".join(f"0..{n - 1}" for n in shape)
        raise CellError(f"mined_cells must lie in {ranges}. Got {tuple(places[outside.argmax()].tolist())}.")
    mined = np.zeros(shape, dtype=np.bool_)
    mined[tuple(places.astype(np.int64).T)] = True
    if np.count_nonzero(mined) < count:
        cells, times = np.unique(places, axis=0, return_counts=True)
        raise CellError(f"mined_cells must name each mine once. Got {tuple(cells[times.argmax()].tolist())} twice.")
    return mined


def integers(name: str, values: Any, count: int, error: type[SweepError] = SpecError) -> list[int]:
    """So many integers from a sequence, an array, or a C pointer to int.

    Examples
    --------
    >>> integers("dim_sizes", (ctypes.c_int * 2)(3, 4), 2)
    [3, 4]
    """
    if isinstance(values, POINTER):
        return _behind(name, values, count)
    array = _array(name, values, error)
    if array.shape != (count,) or (count and array.dtype.kind not in "iu"):
        raise error(f"{name} must be an integer for each of {count} axes. Got {short(values)}.")
    return [int(x) for x in array]


def coordinates(name: str, values: Any, count: int, dim: int) -> npt.NDArray[np.integer[Any]]:
    """The coordinates of so many cells, (count, dim), from a sequence, an array, or a C pointer to int pointers.

    Examples
    --------
    >>> coordinates("mined_cells", [(0, 1), (2, 0)], 2, 2).shape
    (2, 2)
    """
    if values is None and count == 0:  # NULL, as in C
        values = []
    if isinstance(values, POINTER):
        rows = [_behind(name, row, dim) for row in _behind(name, values, count)]
        return np.array(rows, dtype=np.int64).reshape(count, dim)
    if isinstance(values, ctypes.Array) and issubclass(values._type_, POINTER):
        values = [_behind(name, row, dim) for row in values]
    array = _array(name, values, CellError)
    if array.ndim == 0 or len(array) != count:
        got = len(array) if array.ndim else short(values)
        raise CellError(f"{name} must be as many cells as num_mines={count}. Got {got}.")
    if array.size == 0 and count == 0:
        return np.empty((0, dim), dtype=np.int64)
    if array.shape != (count, dim) or array.dtype.kind not in "iu":
        raise CellError(f"{name} must be {dim} integers a mine. Got {array.dtype} values of shape {array.shape}.")
    return array


def _behind(name: str, pointer: Any, count: int) -> list[Any]:
    if count and not pointer:
        raise SpecError(f"{name} must point to {count} values. Got NULL.")
    return [pointer[i] for i in range(count)]


def _array(name: str, values: Any, error: type[SweepError]) -> npt.NDArray[Any]:
    try:
        return np.asarray(values)
    except (ValueError, TypeError):
        raise error(f"{name} must be integers that form an array. Got {short(values)}.") from None


def short(value: object) -> str:
    """A value in one line of a message.

    Examples
    --------
    >>> short("x" * 100)[-5:]
    'xx...'
    """
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
