"""Histogram: how often each whole number came up.  Histograms add."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
import numpy.typing as npt

from ndsweep.spec import SpecError, in_short

Ints = npt.NDArray[np.int64]

_DENSE = 4  # numbers a value between the least and the largest, up to which counting beats sorting


@dataclass(frozen=True, eq=False)
class Histogram:
    """How often each whole number came up.

    Attributes
    ----------
    values : (k,) int64 array
        The numbers that came up, ascending.
    counts : (k,) int64 array
        How often each did, once at least.

    Examples
    --------
    >>> import numpy as np
    >>> histogram = Histogram.of(np.array([3, 5, 3]))
    >>> histogram.values, histogram.counts
    (array([3, 5]), array([2, 1]))
    >>> (histogram + histogram).total, histogram.share(4)
    (6, 0.6666666666666666)
    """

    values: Ints
    counts: Ints

    def __post_init__(self) -> None:
        for array in (self.values, self.counts):
            array.flags.writeable = False

    @classmethod
    def of(cls, numbers: npt.NDArray[np.integer]) -> Histogram:
        """The histogram of an array of whole numbers.

        Raises
        ------
        SpecError
            If they are no integers of 63 bits and a sign.

        Examples
        --------
        >>> import numpy as np
        >>> Histogram.of(np.array([10**12, 0])).values
        array([            0, 1000000000000])
        """
        flat = _checked_numbers(numbers)
        least, largest = (int(flat.min()), int(flat.max())) if flat.size else (0, -1)
        if largest - least > _DENSE * flat.size:
            values, counts = np.unique(flat, return_counts=True)
            return cls(values, counts)
        dense = np.bincount(flat - least)
        values = np.flatnonzero(dense)
        return cls(values + least, dense[values])

    @property
    def total(self) -> int:
        """How many numbers there are in all."""
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        """Their mean; NaN of none."""
        return float(self.values.astype(np.float64) @ self.counts) / self.total if self.total else float("nan")

    @property
    def sd(self) -> float:
        """Their standard deviation, that of a sample; 0 of one, NaN of none."""
        if not self.total:
            return float("nan")
        return sqrt(float(self.counts @ (self.values - self.mean) ** 2) / max(self.total - 1, 1))

    def share(self, below: float) -> float:
        """The share of numbers below a limit; NaN of none, SpecError unless the limit is a number.

        Examples
        --------
        >>> import ndsweep as nd
        >>> bbbv = nd.board_stats(nd.EXPERT, 5000, columns=["bbbv"]).histogram("bbbv")
        >>> 0.02 < bbbv.share(below=140) < 0.06
        True
        """
        if isinstance(below, bool) or not isinstance(below, int | float | np.integer | np.floating) or below != below:
            raise SpecError(f"below must be a number. Got {in_short(below)}.")
        return int(self.counts[self.values < below].sum()) / self.total if self.total else float("nan")

    def quantile(self, level: float) -> float:
        """The least number that the given share of the numbers does not exceed; NaN of none.

        Parameters
        ----------
        level : float
            Between 0 (the least number) and 1 (the largest).

        Raises
        ------
        SpecError
            If it is not.

        Examples
        --------
        >>> import numpy as np
        >>> Histogram.of(np.arange(1, 101)).quantile(0.25)
        25
        """
        level = _checked_level("level must be a number", level)
        if not self.total:
            return float("nan")
        rank = ceil(level * self.total * (1 - 1e-15))  # 0.07 * 100 is more than 7
        return int(self.values[np.searchsorted(np.cumsum(self.counts), rank)])

    def describe(self, quantiles: Iterable[float]) -> dict[str, float]:
        """Mean, its standard error, standard deviation, least, quantiles and largest.

        Examples
        --------
        >>> import numpy as np
        >>> Histogram.of(np.array([1, 2, 2, 3])).describe([0.5])["50%"]
        2
        """
        levels = {"min": 0.0, **{f"{100 * level:.10g}%": level for level in checked_levels(quantiles)}, "max": 1.0}
        error = self.sd / sqrt(self.total) if self.total else self.sd
        moments = {"mean": self.mean, "se": error, "sd": self.sd}
        return moments | {name: self.quantile(level) for name, level in levels.items()}

    def __add__(self, other: Histogram) -> Histogram:
        if not isinstance(other, Histogram):
            return NotImplemented
        values, place = np.unique(np.concatenate([self.values, other.values]), return_inverse=True)
        counts = np.zeros(values.size, dtype=np.int64)
        np.add.at(counts, place, np.concatenate([self.counts, other.counts]))
        return Histogram(values, counts)

    def __radd__(self, other: object) -> Histogram:
        return self if other == 0 else NotImplemented  # the start of sum()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Histogram):
            return NotImplemented
        return np.array_equal(self.values, other.values) and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Histogram of {self.total} numbers, {self.quantile(0)} .. {self.quantile(1)}, mean {self.mean:.6g}>"


def _checked_numbers(numbers: object) -> Ints:
    """The numbers in a row; SpecError unless they are integers that fit int64."""
    try:
        array = np.asarray(numbers)
    except ValueError:  # rows of different lengths
        array = np.empty(1, dtype=object)
    if array.size and array.dtype.kind not in "iu":
        raise SpecError(f"numbers must be integers. Got {in_short(numbers)}.")
    if array.dtype == np.uint64 and array.size and int(array.max()) >= 2**63:
        raise SpecError(f"numbers must be below 2**63. Got {array.max()}.")
    return array.reshape(-1).astype(np.int64, copy=False)


def checked_levels(quantiles: object) -> list[float]:
    """The levels of quantiles; SpecError unless they are numbers between 0 and 1.

    Examples
    --------
    >>> checked_levels([0, 0.5])
    [0.0, 0.5]
    """
    if isinstance(quantiles, str | bytes) or not isinstance(quantiles, Iterable):
        raise SpecError(f"quantiles must be numbers between 0 and 1. Got {in_short(quantiles)}.")
    return [_checked_level("quantiles must be numbers", level) for level in quantiles]


def _checked_level(rule: str, level: object) -> float:
    try:
        value = float("nan") if isinstance(level, bool | str | bytes) else float(level)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        value = float("nan")
    if not 0 <= value <= 1:
        raise SpecError(f"{rule} between 0 and 1. Got {in_short(level)}.")
    return abs(value)  # -0.0 too
