"""C arguments as arrays: integers and coordinates behind pointers, and the cells in memory that C owns."""

from __future__ import annotations

import ctypes
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.interop.cells import Cells, layout, most_adjacent
from ndsweep.spec import CellError, SpecError, SweepError, checked_int, checked_shape

_MOST = 2**31 - 1  # the largest int
_POINTER = ctypes._Pointer  # what ctypes.POINTER(...) makes are subclasses of this


def checked_layout(max_adjacent: object, max_dim: object) -> np.dtype[np.void]:
    """The dtype of the struct; SpecError unless both sizes are integers of 1 or more that fit one."""
    sizes = (checked_int(name, n, 1, _MOST) for name, n in (("max_adjacent", max_adjacent), ("max_dim", max_dim)))
    try:
        return layout(*sizes)
    except ValueError:
        raise SpecError(f"max_adjacent and max_dim must fit a struct. Got {max_adjacent} and {max_dim}.") from None


def checked_sizes(dim_sizes: Any) -> tuple[int, ...]:
    """The shape; SpecError unless the sizes are 1 or more and the cells can be counted in an int."""
    shape = checked_shape(np.asarray(dim_sizes) if isinstance(dim_sizes, ctypes.Array) else dim_sizes, "dim_sizes")
    if prod(shape) > _MOST:
        raise SpecError(f"dim_sizes must give at most {_MOST} cells. Got {shape}.")
    return shape


def sizes_of(dim: Any, dim_sizes: Any) -> tuple[int, ...]:
    """The shape as C gives it; SpecError unless there are ``dim`` sizes."""
    return checked_sizes(integers("dim_sizes", dim_sizes, checked_int("dim", dim, 1, 32)))


def dtype_for(shape: tuple[int, ...], max_adjacent: int | None, max_dim: int | None) -> np.dtype[np.void]:
    """The dtype; SpecError unless a cell has room for its neighbours and coordinates."""
    dim, most = len(shape), most_adjacent(shape)
    max_adjacent = 3**dim - 1 if max_adjacent is None else max_adjacent
    max_dim = dim if max_dim is None else max_dim
    dtype = checked_layout(max_adjacent, max_dim)
    if max_adjacent < most:
        raise SpecError(f"max_adjacent must be at least {most} for sizes {shape}. Got {max_adjacent}.")
    if max_dim < dim:
        raise SpecError(f"max_dim must be at least {dim} for sizes {shape}. Got {max_dim}.")
    return dtype


def mines(mined_cells: Any, count: int, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """The mines as an array of the grid's shape; CellError for one outside the grid, or one that comes twice."""
    places = coordinates("mined_cells", mined_cells, count, len(shape))
    outside = ((places < 0) | (places >= shape)).any(axis=1)
    if outside.any():
        ranges = " x ".join(f"0..{n - 1}" for n in shape)
        raise CellError(f"mined_cells must lie in {ranges}. Got {_cell(places[outside.argmax()])}.")
    mined = np.zeros(shape, dtype=np.bool_)
    mined[tuple(places.T)] = True
    if np.count_nonzero(mined) < count:
        cells, times = np.unique(places, axis=0, return_counts=True)
        raise CellError(f"mined_cells must name each mine once. Got {_cell(cells[times.argmax()])} twice.")
    return mined


def _cell(place: npt.NDArray[np.int64]) -> tuple[int, ...]:
    return tuple(map(int, place))


def check_set_up(cells: Cells, shape: tuple[int, ...]) -> None:
    """SpecError unless the first and the last cell are the corners of a game of this shape."""
    dtype_for(shape, *checked_dtype(cells.dtype))
    last, around = _cell(cells["coords"][-1][: len(shape)] + 1), prod(min(n, 2) for n in shape) - 1
    if last != shape or (cells["num_adjacent"][[0, -1]] != around).any():
        raise SpecError(f"game must be set up by init_game with dim_sizes {shape}. Got other corners.")


def integers(name: str, values: Any, count: int, error: type[SweepError] = SpecError) -> list[int]:
    """So many integers from a sequence, an array, or a C pointer to int.

    Examples
    --------
    >>> integers("dim_sizes", (ctypes.c_int * 2)(3, 4), 2)
    [3, 4]
    """
    if isinstance(values, _POINTER):
        return _behind(name, values, count)
    array = _array(name, values, error)
    if array.shape != (count,) or (count and array.dtype.kind not in "iu"):
        raise error(f"{name} must be {count} integers, one an axis. Got {_short(values)}.")
    return [int(x) for x in array]


def coordinates(name: str, values: Any, count: int, dim: int) -> npt.NDArray[np.int64]:
    """The coordinates of so many cells, (count, dim), from a sequence, an array, or a C pointer to int pointers."""
    if isinstance(values, _POINTER):
        rows = [_behind(name, row, dim) for row in _behind(name, values, count)]
        return np.array(rows, dtype=np.int64).reshape(count, dim)
    if isinstance(values, ctypes.Array) and issubclass(values._type_, _POINTER):
        values = [_behind(name, row, dim) for row in values]
    array = _array(name, values, CellError)
    if array.ndim == 0 or len(array) != count:
        got = len(array) if array.ndim else _short(values)
        raise CellError(f"{name} must be as many cells as num_mines={count}. Got {got}.")
    if array.size == 0 and count == 0:
        return np.empty((0, dim), dtype=np.int64)
    if array.shape != (count, dim) or array.dtype.kind not in "iu":
        raise CellError(f"{name} must be {dim} integers a mine. Got {array.dtype} values of shape {array.shape}.")
    return array.astype(np.int64)


def cells_of(game: Any, count: int, dim: int) -> Cells:
    """The first so many cells of a game, in place: of an array, of C memory, or of any writable buffer."""
    cells = _as_cells(game, count, dim)
    if cells.size < count:
        raise SpecError(f"game must hold {count} cells for these dim_sizes. Got {cells.size}.")
    check_writable(cells)
    if cells.ctypes.data % np.dtype(np.uintp).alignment:
        raise SpecError("game must be aligned as C aligns a struct with pointers. Got an odd address.")
    return cells[:count]


def check_writable(cells: Cells) -> None:
    """SpecError for memory that is only to be read."""
    if not cells.flags.writeable:
        raise SpecError("game must be memory that can be written to. Got a read-only one.")


def at_address(address: Any, count: int, dtype: np.dtype[np.void]) -> Cells:
    """So many cells at an address, which is given as an integer or a C pointer."""
    if isinstance(address, _POINTER):
        address = ctypes.addressof(address.contents) if address else 0
    value = address.value if isinstance(address, ctypes.c_void_p) else address
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise SpecError(f"address must be that of the first cell, an integer or a C pointer. Got {address!r}.")
    return _viewed((ctypes.c_char * (count * dtype.itemsize)).from_address(value), dtype)


def checked_cells(game: Any) -> Cells:
    """The cells of an array of the struct, in one row; SpecError unless it is one."""
    if not isinstance(game, np.ndarray):
        raise SpecError(f"game must be an array of the dtype that cell_dtype gives. Got {_short(game)}.")
    checked_dtype(game.dtype)
    if not game.flags.c_contiguous or not game.size:
        raise SpecError("game must be cells that lie in memory in one piece. Got none, gaps, or another order.")
    return game.reshape(-1)


def _as_cells(game: Any, count: int, dim: int) -> Cells:
    if isinstance(game, _POINTER):
        return at_address(game, count, _struct_dtype(type(game)._type_))
    element: Any = type(game)
    while issubclass(element, ctypes.Array):
        element = element._type_
    if issubclass(element, ctypes.Structure):
        return _viewed(game, _struct_dtype(element)).reshape(-1)
    array = np.asarray(game) if isinstance(game, memoryview) else game
    if isinstance(array, np.ndarray) and array.dtype.names is not None:
        return checked_cells(array)
    return _of_bytes(game, count, dim)


def checked_dtype(dtype: np.dtype[Any]) -> tuple[int, int]:
    """MAX_ADJACENT and MAX_DIM of a dtype; SpecError unless it is that of the struct."""
    try:
        sizes = dtype["adjacent"].shape[0], dtype["coords"].shape[0]
        if layout(*sizes) == dtype:
            return sizes
    except (KeyError, IndexError):
        pass
    raise SpecError(f"game must be an array of the dtype that cell_dtype gives. Got {_short(dtype)}.")


def _viewed(buffer: Any, dtype: np.dtype[np.void]) -> Cells:
    cells: Cells = np.frombuffer(buffer, dtype=dtype)
    return cells


def _struct_dtype(struct: Any) -> np.dtype[np.void]:
    """The dtype of a ctypes Structure with the fields of the struct."""
    fields = dict(getattr(struct, "_fields_", ()))
    try:
        dtype = layout(fields["adjacent"]._length_, fields["coords"]._length_)
        places = {name: place[1] for name, place in (dtype.fields or {}).items()}
        same = places == {name: getattr(struct, name).offset for name in fields}
        if same and ctypes.sizeof(struct) == dtype.itemsize:
            return dtype
    except (KeyError, AttributeError):
        pass
    raise SpecError(f"game must point to the C struct, field by field. Got {struct.__name__}.")


def _of_bytes(game: Any, count: int, dim: int) -> Cells:
    """A buffer without fields, which must have room for just the cells of the smallest usual layout."""
    try:
        data = np.frombuffer(game, dtype=np.uint8)
    except (TypeError, ValueError, BufferError):
        raise SpecError(f"game must be an array of cells or a writable buffer. Got {_short(game)}.") from None
    dtype = layout(3**dim - 1, dim)
    if data.size != count * dtype.itemsize:
        raise SpecError(
            f"game without fields must have {count * dtype.itemsize} bytes, {count} cells of"
            f" cell_dtype{3**dim - 1, dim}; game_at takes other layouts. Got {data.size} bytes."
        )
    return data.view(dtype)


def _behind(name: str, pointer: Any, count: int) -> list[Any]:
    if count and not pointer:
        raise SpecError(f"{name} must point to {count} values. Got NULL.")
    return [pointer[i] for i in range(count)]


def _array(name: str, values: Any, error: type[SweepError]) -> npt.NDArray[Any]:
    try:
        return np.asarray(values)
    except (ValueError, TypeError):
        raise error(f"{name} must be integers that form an array. Got {_short(values)}.") from None


def _short(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
