"""The vocabulary: what a game is (`Spec`), how it stands (`Status`), what a view shows, what can go wrong.

Every other module speaks in these words.  Arguments are validated here, once, at the
public door; the messages name the argument, what is allowed and what came.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

HIDDEN = -1
"""View code of a hidden cell without a flag."""

FLAG = -2
"""View code of a hidden cell with a flag."""

MINE = -3
"""View code of a mine that was opened."""

FIRST_RULES = ("any", "safe", "opening")
"""The first-click rules, each exactly uniform over the layouts that satisfy it."""

Cell = int | np.integer[Any] | Sequence[int] | npt.NDArray[np.integer[Any]]
"""A cell as an argument: its coordinates, or its flat index in C order."""


class SweepError(ValueError):
    """Anything that ndsweep refuses; the base of its errors.

    Examples
    --------
    >>> import ndsweep as nd
    >>> try:
    ...     nd.Spec((16, 30), 480)
    ... except nd.SweepError as error:
    ...     print(error)
    mines must be between 0 and 479 for shape (16, 30) with first='safe'. Got 480.
    """


class SpecError(SweepError):
    """A grid, a number of mines or a rule that cannot be.

    Examples
    --------
    >>> import ndsweep as nd
    >>> nd.Spec((9, 0), 1)
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: shape must have sizes of 1 or more. Got (9, 0).
    """


class CellError(SweepError):
    """A cell outside the grid, or cells in the wrong form.

    Examples
    --------
    >>> import ndsweep as nd
    >>> nd.Game.new(nd.BEGINNER).reveal((9, 0))
    Traceback (most recent call last):
    ...
    ndsweep.spec.CellError: cell must lie in 0..8 x 0..8. Got (9, 0).
    """


class PolicyError(SweepError):
    """An unknown policy, or a policy that chose what it may not.

    Examples
    --------
    >>> import ndsweep as nd
    >>> try:
    ...     nd.simulate(nd.BEGINNER, 10, policy="")
    ... except nd.PolicyError as error:
    ...     print(error)
    policy must be 'random', 'single-point', 'pairs', 'exact', 'exact+', or an object with a choose method. Got ''.
    """


class MergeError(SweepError):
    """Results that cannot be added.

    Examples
    --------
    >>> import ndsweep as nd
    >>> result = nd.simulate(nd.BEGINNER, 10)
    >>> result + result
    Traceback (most recent call last):
    ...
    ndsweep.spec.MergeError: results must not share games. Both hold games 0..9 of seed 0.
    """


class TooLargeError(SweepError):
    """A request that would not fit in memory, refused before anything is allocated.

    Examples
    --------
    >>> import ndsweep as nd
    >>> try:
    ...     nd.Board.deal(nd.Spec((10**6, 10**6), 10**6))
    ... except nd.TooLargeError as error:
    ...     print(str(error)[:60])
    the mines of a grid of shape (1000000, 1000000) would need 1
    """


class FormatError(SweepError):
    """A file that does not hold what it should.

    Examples
    --------
    >>> import ndsweep as nd
    >>> try:
    ...     nd.load("/dev/null")
    ... except nd.FormatError as error:
    ...     print(str(error)[:40])
    '/dev/null' must be in one of the format
    """


class StoreError(SweepError):
    """A store of a study that cannot be read or written.

    Examples
    --------
    >>> import ndsweep as nd
    >>> nd.Study.open("study.db")
    Traceback (most recent call last):
    ...
    ndsweep.spec.StoreError: store must be the file of a study. There is no 'study.db'.
    """


class Status(IntEnum):
    """How a game stands.

    Examples
    --------
    >>> import ndsweep as nd
    >>> nd.Game(nd.Board.from_coords((2, 2), [(0, 0)])).status
    <Status.PLAYING: 0>
    """

    PLAYING = 0
    WON = 1
    LOST = 2


@dataclass(frozen=True)
class Spec:
    """A kind of game: a grid, its number of mines and the rule of the first click.

    Parameters
    ----------
    shape : sequence of int
        Sizes of the axes, one to 32 of them, each 1 or more.
    mines : int
        Number of mines.
    first : {"safe", "any", "opening"}
        What the first cell of a game may be: no mine; anything; a cell whose neighbours
        hold no mine either.  The layouts that satisfy the rule are equally likely.

    Raises
    ------
    SpecError
        If no layout can satisfy the rule, or an argument is not of its kind.

    Examples
    --------
    >>> import ndsweep as nd
    >>> nd.Spec((10, 10, 10), 99)
    Spec(shape=(10, 10, 10), mines=99, first='safe')
    >>> nd.EXPERT
    Spec(shape=(16, 30), mines=99, first='safe')
    """

    shape: tuple[int, ...]
    mines: int
    first: str = "safe"

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", checked_shape(self.shape))
        object.__setattr__(self, "mines", checked_int("mines", self.mines))
        if not isinstance(self.first, str) or self.first not in FIRST_RULES:
            raise SpecError(f"first must be one of {', '.join(map(repr, FIRST_RULES))}. Got {in_short(self.first)}.")
        if self.first == "any":
            free = 0
        elif self.first == "safe":
            free = 1
        else:
            free = prod(min(n, 2) for n in self.shape)  # a corner has the fewest neighbours
        self._check_mines(free, "")

    @property
    def size(self) -> int:
        """Number of cells."""
        return prod(self.shape)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def most_free(self) -> int:
        """The largest number of cells that the first-click rule can keep free of mines."""
        return {"any": 0, "safe": 1, "opening": prod(min(n, 3) for n in self.shape)}[self.first]

    def check_first_cells(self, free: int, which: str) -> None:
        """Raises SpecError unless all mines fit beside ``free`` cells."""
        self._check_mines(free, f" and {which}")

    def _check_mines(self, free: int, which: str) -> None:
        most = self.size - free
        if not 0 <= self.mines <= most:
            raise SpecError(
                f"mines must be between 0 and {most} for shape {self.shape} with first={self.first!r}{which}."
                f" Got {in_short(self.mines)}."
                if most >= 0
                else f"shape {self.shape} has no room for first={self.first!r}{which}."
            )


# Checks at the public door -------------------------------------------------------------------


def integer(value: object) -> int:
    """The value as an int; TypeError unless it is an integer and no truth value.

    Examples
    --------
    >>> import numpy as np
    >>> integer(np.uint8(3))
    3
    """
    if isinstance(value, bool | np.bool_):
        raise TypeError
    return operator.index(value)  # type: ignore[arg-type]


def checked_int(name: str, value: object, low: int | None = None, high: int | None = None) -> int:
    """The value as an int; SpecError unless it is an integer between ``low`` and ``high``.

    Examples
    --------
    >>> checked_int("games", 3.5, low=0)
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: games must be an integer of 0 or more. Got 3.5.
    """
    allowed = "an integer"
    if low is not None:
        allowed = f"an integer of {low} or more" if high is None else f"an integer between {low} and {high}"
    try:
        number = integer(value)
    except TypeError:
        raise SpecError(f"{name} must be {allowed}. Got {in_short(value)}.") from None
    if (low is not None and number < low) or (high is not None and number > high):
        raise SpecError(f"{name} must be {allowed}. Got {in_short(number)}.")
    return number


def checked_shape(shape: object, name: str = "shape") -> tuple[int, ...]:
    """The shape as a tuple of ints, each 1 or more, one to 32 of them.

    Examples
    --------
    >>> checked_shape([16, 30])
    (16, 30)
    """
    try:
        if not isinstance(shape, Sequence | np.ndarray) or isinstance(shape, str | bytes):
            raise TypeError
        sizes = tuple(integer(n) for n in shape)
    except TypeError:
        raise SpecError(f"{name} must be a sequence of integers. Got {in_short(shape)}.") from None
    if not sizes:
        raise SpecError(f"{name} must have at least one axis. Got ().")
    if min(sizes) < 1:
        raise SpecError(f"{name} must have sizes of 1 or more. Got {in_short(sizes)}.")
    if len(sizes) > 32:
        raise SpecError(f"{name} must have at most 32 axes. Got {len(sizes)}.")
    return sizes


def checked_floats(name: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The values as an array; SpecError unless they are finite numbers in a row.

    Examples
    --------
    >>> checked_floats("x", [1, 2.5])
    array([1. , 2.5])
    """
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        array = np.empty((0, 0))
    if array.ndim != 1 or array.dtype.kind not in "iuf" or not np.isfinite(array).all():
        raise SpecError(f"{name} must be a sequence of finite numbers. Got {in_short(values)}.")
    return array.astype(np.float64)


def in_short(value: object) -> str:
    """The value as a line of text that is not long, for a message.

    Examples
    --------
    >>> in_short(list(range(100)))
    '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, ...'
    """
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # an integer of more digits than Python writes
        text = f"a number too long to write, in {type(value).__name__}"
    return text if len(text) <= 70 else f"{text[:67]}..."


# Presets ------------------------------------------------------------------------------------

BEGINNER = Spec((9, 9), 10)
"""9x9 with 10 mines."""

INTERMEDIATE = Spec((16, 16), 40)
"""16x16 with 40 mines."""

EXPERT = Spec((16, 30), 99)
"""16x30 with 99 mines."""

PRESETS = {"beginner": BEGINNER, "intermediate": INTERMEDIATE, "expert": EXPERT}
