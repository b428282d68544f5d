"""Arrays in ``.npy`` files: memory-mapped, and never half-written.

A file is made beside its place and takes it when it is complete, so that what was there stays
whole until then.  Its blocks are reserved first: a full disk is an error, not a broken map.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ndsweep.checks import check_disk, check_memory
from ndsweep.engine.boxes import rows_of, whole
from ndsweep.engine.store import BLOCK, Store, frozen, part_of, read, write
from ndsweep.spec import FormatError, SpecError, SweepError, checked_shape, in_short

PathLike = str | os.PathLike[str]


def checked_path(path: object, name: str = "path") -> Path:
    """The path; SpecError unless it names something.

    Examples
    --------
    >>> checked_path("")
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: path must be the name of a file. Got ''.
    """
    text = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(text, str) or not text or "\0" in text or not _has_bytes(text):
        raise SpecError(f"{name} must be the name of a file. Got {in_short(path)}.")
    return Path(text)


def _has_bytes(name: str) -> bool:
    """Whether the file system has a way to write a name."""
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return False
    return True


@contextmanager
def replacing(path: PathLike, name: str = "path") -> Iterator[Path]:
    """A new file's name, for the time of its making; then it takes the place of ``path``, or is gone after an error.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(folder + "/new.txt") as scratch:
    ...         _ = scratch.write_text("all of it")
    ...     Path(folder, "new.txt").read_text()
    'all of it'
    """
    target = Path(os.path.realpath(checked_path(path, name)))  # where a link leads, so that it stays one
    if target.exists() and not target.is_file():
        raise SpecError(f"{name} must name a file. Got {os.fspath(path)!r}, which is something else.")
    scratch = target.parent / f".ndsweep-{secrets.token_hex(8)}"
    try:
        yield scratch
        if target.exists():
            shutil.copymode(target, scratch)
        os.replace(scratch, target)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
    finally:
        scratch.unlink(missing_ok=True)


def save_array(path: PathLike, store: Store) -> None:
    """Writes an array to a file some slabs at a time; all of it or nothing.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_array(folder + "/array.npy", np.arange(3))
    ...     np.load(folder + "/array.npy")
    array([0, 1, 2])
    """
    with replacing(path) as scratch, open(scratch, "wb") as file:
        _begin(file, store.shape, store.dtype)
        for rows in rows_of(store.shape, BLOCK):
            file.write(np.ascontiguousarray(read(store, (rows,))).data)
        file.flush()
        os.fsync(file.fileno())


def create_array(path: Path, shape: tuple[int, ...], dtype: npt.DTypeLike) -> np.memmap[Any, Any]:
    """A map of a new file that is full of zeros.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     create_array(Path(folder, "new.npy"), (2, 2), np.uint8).tolist()
    [[0, 0], [0, 0]]
    """
    with open(path, "w+b") as file:
        _begin(file, shape, dtype)
        return np.memmap(file, dtype, "r+", file.tell(), shape)


def scratch_array(folder: PathLike, shape: tuple[int, ...], dtype: npt.DTypeLike) -> np.memmap[Any, Any]:
    """A map of a file without a name, full of zeros: it is gone when the map is.

    Examples
    --------
    >>> scratch_array(tempfile.gettempdir(), (3,), np.int8).tolist()
    [0, 0, 0]
    """
    size = prod(shape) * np.dtype(dtype).itemsize
    check_disk(f"a file for an array of shape {shape}", size, folder)
    with tempfile.TemporaryFile(dir=folder) as file:
        _reserve(file, size)
        return np.memmap(file, dtype, "r+", 0, shape)


def open_array(path: PathLike, dtype: npt.DTypeLike, mode: str = "r") -> np.memmap[Any, Any]:
    """A map of the array in a file; FormatError unless it is one of that type, and the file is complete.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_array(folder + "/array.npy", np.arange(3))
    ...     open_array(folder + "/array.npy", np.int64).tolist()
    [0, 1, 2]
    """
    source = checked_path(path)
    with open(source, "rb" if mode == "r" else "r+b") as file:
        size, wanted = os.fstat(file.fileno()).st_size, np.dtype(dtype)
        try:
            shape, in_columns, found = _header(file)
            checked_shape(shape)
        except (SweepError, ValueError, TypeError, SyntaxError) as error:
            raise FormatError(f"{str(source)!r} must be a .npy file with a grid. {error}") from None
        if found != wanted or (in_columns and len(shape) > 1):
            order = " in Fortran order" if in_columns else ""
            raise FormatError(f"{str(source)!r} must hold {wanted} in C order. Got {found}{order}.")
        whole = file.tell() + prod(shape) * found.itemsize
        if size != whole:
            raise FormatError(f"{str(source)!r} must have {whole} bytes, as its header says. Got {size}.")
        return np.memmap(file, found, mode, file.tell(), shape)  # type: ignore[call-overload, no-any-return]


def check_place(
    what: str, name: str, out: PathLike | Store | None, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> None:
    """Some error unless an array can be kept there: see `filled` for what is given.

    Examples
    --------
    >>> check_place("mines", "out", np.zeros((2, 2)), (2, 2), np.dtype(np.bool_))
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: out must have shape (2, 2) and type bool. Got (2, 2) and float64.
    """
    needed = prod(shape) * dtype.itemsize
    if out is None:
        instead = f"{name}='{what}.npy' keeps them in a file, as a memory map."
        check_memory(f"the {what} of a grid of shape {shape}", needed, instead)
    elif isinstance(out, str | os.PathLike):
        check_disk(f"the {what} of a grid of shape {shape}", needed, checked_path(out, name).parent)
    else:
        _checked_store(name, out, shape, dtype)


def filled(
    what: str,
    name: str,
    out: PathLike | Store | None,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    work: Callable[[Store], None] = lambda _: None,
    value: int | None = None,
    writable: bool = False,
) -> Store:
    """The array that some work fills: a new one in memory, a map of a new file, or one that is given.

    Parameters
    ----------
    what : str
        What it holds, in one word that can be the name of a file.
    name, out
        The argument that says where it is kept.
    shape, dtype
        What it must be.
    work : callable, optional
        Gets the array, full of ``value`` or anything, and writes to it.
    writable : bool
        Else an array that comes back can only be read.

    Examples
    --------
    >>> def second(array):
    ...     array[1] = 1
    >>> filled("numbers", "out", None, (3,), np.dtype(np.int8), second)
    array([0, 1, 0], dtype=int8)
    """
    check_place(what, name, out, shape, dtype)
    if isinstance(out, str | os.PathLike):
        with replacing(out, name) as scratch:
            mapped = create_array(scratch, shape, dtype)
            if value:
                _fill(mapped, value)
            work(mapped)
            mapped.flush()
            del mapped  # some systems rename no file that is mapped
        return open_array(out, dtype, "r+" if writable else "r")
    array: Store
    if out is None:
        array = np.full(shape, value, dtype) if value else np.zeros(shape, dtype)
    else:
        array = out
        if value is not None:
            _fill(array, value)
    work(array)
    return frozen(array.view()) if isinstance(array, np.ndarray) and not writable else array


def checked_store(name: str, store: Any, others: str = "") -> Store:
    """The store; SpecError unless it has a shape and a type, and can be sliced.

    Examples
    --------
    >>> checked_store("mines", [[True]])
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: mines must be an array, a memory map or another array that takes slices. Got list.
    """
    if not all(hasattr(store, attribute) for attribute in ("shape", "dtype", "__getitem__")):
        kinds = f"{others}an array, a memory map or another array that takes slices"
        raise SpecError(f"{name} must be {kinds}. Got {type(store).__name__}.")
    found: Store = store
    return found


def _checked_store(name: str, store: Any, shape: tuple[int, ...], dtype: npt.DTypeLike) -> Store:
    """The store; SpecError unless it can be filled with such an array."""
    found = checked_store(name, store, "a path, ")
    if tuple(found.shape) != shape or found.dtype != np.dtype(dtype):
        wanted = f"shape {shape} and type {np.dtype(dtype)}"
        raise SpecError(f"{name} must have {wanted}. Got {tuple(found.shape)} and {found.dtype}.")
    if isinstance(store, np.ndarray):
        if not store.flags.writeable:
            raise SpecError(f"{name} must be an array that can be written. Got one that is only to be read.")
    elif not _keeps(found):
        raise SpecError(f"{name} must keep what is written to it. Got a {type(store).__name__} that does not.")
    return found


def _keeps(store: Store) -> bool:
    """Whether a cell holds what is written to it; in the end what it held before."""
    cell, found = (0,) * len(store.shape), []
    try:
        before = int(store[cell])
        for value in (1, 0, before):
            store[cell] = value
            found.append(int(store[cell]))
    except (TypeError, ValueError, AttributeError, OSError):  # as stores say that they are only to be read
        return False
    return found == [1, 0, before]


def _fill(store: Store, value: int) -> None:
    for rows in rows_of(store.shape, BLOCK):
        part = part_of(store, (rows, *whole(store.shape[1:])))
        part.fill(value)
        write(store, (rows,), part)


def _header(file: BinaryIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = np.lib.format.read_magic(file)
    if version == (1, 0):
        return np.lib.format.read_array_header_1_0(file)
    if version == (2, 0):
        return np.lib.format.read_array_header_2_0(file)
    raise ValueError(f"Its version must be 1.0 or 2.0. Got {version[0]}.{version[1]}.")


def _begin(file: BinaryIO, shape: tuple[int, ...], dtype: npt.DTypeLike) -> None:
    """Writes the header of an array, and has the disk keep the bytes that follow."""
    descr = np.lib.format.dtype_to_descr(np.dtype(dtype))
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": tuple(shape)})
    file.flush()
    _reserve(file, file.tell() + prod(shape) * np.dtype(dtype).itemsize)


def _reserve(file: BinaryIO, size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
        return
    place = file.tell()
    for start in range(place, size, BLOCK):
        file.write(bytes(min(BLOCK, size - start)))
    file.seek(place)
