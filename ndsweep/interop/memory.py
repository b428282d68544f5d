"""The cells of a game in memory: an array of ours, C's behind a pointer, or a buffer of bytes."""

from __future__ import annotations

import ctypes
import operator
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.interop.arguments import MOST, POINTER, short
from ndsweep.interop.cells import Cells, layout, most_adjacent
from ndsweep.spec import SpecError, checked_int


def checked_layout(max_adjacent: object, max_dim: object) -> np.dtype[np.void]:
    """The dtype of the struct; SpecError unless both sizes are integers of 1 or more that fit one."""
    sizes = [checked_int(name, n, 1, MOST) for name, n in (("max_adjacent", max_adjacent), ("max_dim", max_dim))]
    try:
        return layout(*sizes)
    except ValueError:
        raise SpecError(f"max_adjacent and max_dim must fit a struct. Got {sizes[0]} and {sizes[1]}.") from None


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


def check_set_up(cells: Cells, shape: tuple[int, ...]) -> None:
    """SpecError unless the first and the last cell are the corners of a game of this shape."""
    dtype_for(shape, *checked_dtype(cells.dtype))
    last, around = tuple((cells["coords"][-1][: len(shape)] + 1).tolist()), prod(min(n, 2) for n in shape) - 1
    if last != shape or (cells["num_adjacent"][[0, -1]] != around).any():
        raise SpecError(f"game must be set up by init_game with dim_sizes {shape}. Got cells that are not, or not so.")


def cells_of(game: Any, count: int, dim: int) -> Cells:
    """The first so many cells of a game, in place: of an array, of C memory, or of any writable buffer."""
    cells = _as_cells(game, count, dim)
    if cells.size < count:
        raise SpecError(f"game must hold {count} cells for these dim_sizes. Got {cells.size}.")
    check_writable(cells)
    if cells.ctypes.data % np.dtype(np.uintp).alignment:
        raise SpecError(f"game must be aligned as C aligns a struct with pointers. Got address {cells.ctypes.data:#x}.")
    return cells[:count]


def check_writable(cells: Cells) -> None:
    """SpecError for memory that is only to be read."""
    if not cells.flags.writeable:
        raise SpecError("game must be memory that can be written to. Got a read-only one.")


def at_address(address: Any, count: int, dtype: np.dtype[np.void]) -> Cells:
    """So many cells at an address, which is given as an integer or a C pointer."""
    value = address
    if isinstance(address, POINTER):
        value = ctypes.addressof(address.contents) if address else 0
    elif isinstance(address, ctypes.c_void_p):
        value = address.value or 0
    try:
        place = operator.index(value)
    except TypeError:
        place = 0
    if place <= 0 or isinstance(value, bool):
        raise SpecError(f"address must be that of the first cell, an integer or a C pointer. Got {address!r}.")
    return _viewed((ctypes.c_char * (count * dtype.itemsize)).from_address(place), dtype)


def checked_cells(game: Any) -> Cells:
    """The cells of an array of the struct, in one row; SpecError unless it is one."""
    if not isinstance(game, np.ndarray):
        raise SpecError(f"game must be an array of the dtype that cell_dtype gives. Got {short(game)}.")
    checked_dtype(game.dtype)
    if not game.flags.c_contiguous or not game.size:
        raise SpecError("game must be cells that lie in memory in one piece. Got none, gaps, or another order.")
    return np.asarray(game).reshape(-1)


def _as_cells(game: Any, count: int, dim: int) -> Cells:
    if isinstance(game, POINTER):
        return at_address(game, count, _struct_dtype(_element(type(game)._type_)))
    owner = getattr(game, "_obj", game)  # behind ctypes.byref
    owner = game.obj if isinstance(game, memoryview) else owner
    if issubclass(_element(type(owner)), ctypes.Structure):
        dtype, data = _struct_dtype(_element(type(owner))), _of_buffer(game if isinstance(game, memoryview) else owner)
        return data[: data.size // dtype.itemsize * dtype.itemsize].view(dtype)
    array = np.asarray(game) if isinstance(game, memoryview) else game
    if isinstance(array, np.ndarray) and array.dtype.names is not None:
        return checked_cells(array)
    return _of_bytes(game, count, dim)


def _element(kind: Any) -> Any:
    """The type of the elements of a ctypes array, however many dimensions it has; else the type itself."""
    while issubclass(kind, ctypes.Array):
        kind = kind._type_
    return kind


def checked_dtype(dtype: np.dtype[Any]) -> tuple[int, int]:
    """MAX_ADJACENT and MAX_DIM of a dtype; SpecError unless it is that of the struct."""
    try:
        sizes = dtype["adjacent"].shape[0], dtype["coords"].shape[0]
        if layout(*sizes) == dtype:
            return sizes
    except (KeyError, IndexError):
        pass
    raise SpecError(f"game must be an array of the dtype that cell_dtype gives. Got {short(dtype)}.")


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
        integers = {fields[name] for name in ("mined", "selected", "num_adjacent", "hint")} | {fields["coords"]._type_}
        if same and integers == {ctypes.c_int} and ctypes.sizeof(struct) == dtype.itemsize:
            return dtype
    except (KeyError, AttributeError):
        pass
    raise SpecError(f"game must point to the C struct, field by field. Got {struct.__name__}.")


def _of_bytes(game: Any, count: int, dim: int) -> Cells:
    """A buffer without fields, which must have room for just the cells of the smallest usual layout."""
    data, dtype = _of_buffer(game), layout(3**dim - 1, dim)
    if data.size != count * dtype.itemsize:
        raise SpecError(
            f"game without fields must have {count * dtype.itemsize} bytes, {count} cells of"
            f" cell_dtype{3**dim - 1, dim}; game_at takes other layouts. Got {data.size} bytes."
        )
    return data.view(dtype)


def _of_buffer(game: Any) -> npt.NDArray[np.uint8]:
    if not isinstance(game, ctypes.c_void_p):  # which is a buffer too, of its own 8 bytes
        try:
            return np.frombuffer(game, dtype=np.uint8)
        except (TypeError, ValueError, BufferError):
            pass
    raise SpecError(
        "game must be an array of cells, a pointer to the struct or a writable buffer; game_at takes addresses."
        f" Got {short(game)}."
    )
