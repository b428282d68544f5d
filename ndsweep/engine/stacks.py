"""Stacks: one small number a cell for many games, games first, with walls between what does not touch.

Each game lies in flat memory in C order, two cells of wall after every line of every axis, and a
margin in front of the first game and behind the last.  So every cell up to two steps away is one
constant distance away, and a pass over all games is one contiguous loop.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

_WALL = 2

Ints = npt.NDArray[np.int64]
Array = npt.NDArray[Any]


class Stack:
    """Where the cells of so many games lie.

    Attributes
    ----------
    width : int
        Length of one game in flat memory, walls included.
    margin : int
        The place of the first cell of the first game.
    near, far : (3**ndim, 1), (5**ndim, 1) int64 arrays
        Distances to the cells at most one and two steps away on every axis, in C order.
    """

    def __init__(self, shape: tuple[int, ...], games: int) -> None:
        self.shape, self.ndim, self.games = shape, len(shape), games
        self.walled = tuple(n + _WALL for n in shape)
        self.width = prod(self.walled)
        self.strides = [prod(self.walled[axis + 1 :]) for axis in range(self.ndim)]
        self.margin = _WALL * sum(self.strides)

    @cached_property
    def near(self) -> Ints:
        return self._distances(1)

    @cached_property
    def far(self) -> Ints:
        return self._distances(2)

    def _distances(self, steps: int) -> Ints:
        moves = np.array(list(product(range(-steps, steps + 1), repeat=self.ndim)), dtype=np.int64)
        return np.asarray(moves @ np.array([self.strides]).T)

    def zeros(self, dtype: npt.DTypeLike) -> Array:
        """A new flat array."""
        return np.zeros(self.games * self.width + 2 * self.margin, dtype=dtype)

    def rows(self, flat: Array) -> Array:
        """A flat array as (games, width), without margins."""
        return flat[self.margin : flat.size - self.margin].reshape(self.games, self.width)

    def grid(self, flat: Array) -> Array:
        """A flat array as one grid: the games one under the other along the first axis, with walls."""
        return self.rows(flat).reshape(-1, *self.walled[1:])

    def cells(self, flat: Array) -> Array:
        """A flat array as (games, *shape), without walls."""
        return self.rows(flat).reshape(self.games, *self.walled)[:, *(slice(n) for n in self.shape)]

    def joined(self, ufunc: np.ufunc, flat: Array) -> Array:
        """The join of every cell with its neighbours; anything on walls, which have to hold what changes no join."""
        for stride in self.strides:
            out = flat.copy()
            ufunc(out[stride:], flat[:-stride], out=out[stride:])
            ufunc(out[:-stride], flat[stride:], out=out[:-stride])
            flat = out
        return flat
