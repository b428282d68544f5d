"""Memory: how much a process may still take, and arrays that are used again."""

from __future__ import annotations

import os
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt


class Workspace:
    """Arrays by name, used again and again: fresh pages cost more than the work done on them."""

    def __init__(self) -> None:
        self._arrays: dict[str, npt.NDArray[Any]] = {}

    def array(self, name: str, shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """An array of that shape with any content, for use until the name is asked for again."""
        size, old = prod(shape), self._arrays.get(name)
        if old is None or old.size < size or old.dtype != np.dtype(dtype):
            old = self._arrays[name] = np.empty(size, dtype=dtype)
        return old[:size].reshape(shape)


def available_memory() -> int:
    """Bytes that can still be allocated; a very large number where the system does not tell."""
    return max(0, min(_system(), _control_group()))


def _system() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 1 << 62


def _control_group() -> int:
    """What a container's memory limit leaves (control groups, version 2 and 1)."""
    for folder, limit, used in (
        ("/sys/fs/cgroup", "memory.max", "memory.current"),
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
    ):
        try:
            most = int(Path(folder, limit).read_text())
            return most - int(Path(folder, used).read_text())
        except (OSError, ValueError):  # no such file, or the word "max"
            continue
    return 1 << 62
