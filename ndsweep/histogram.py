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

    @classmethod
    def of(cls, numbers: npt.NDArray[np.integer]) -> Histogram:
        """The histogram of an array of whole numbers.

        Examples
        --------
        >>> import numpy as np
        >>> Histogram.of(np.array([10**12, 0])).values
        array([            0, 1000000000000])
        """
        flat = np.asarray(numbers).reshape(-1).astype(np.int64, copy=False)
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
        return float(self.values @ self.counts) / self.total if self.total else float("nan")

    @property
    def sd(self) -> float:
        """Their standard deviation, that of a sample; 0 of one, NaN of none."""
        if not self.total:
            return float("nan")
        return sqrt(float(self.counts @ (self.values - self.mean) ** 2) / max(self.total - 1, 1))

    def share(self, below: float) -> float:
        """The share of numbers below a limit; NaN of none.

        Examples
        --------
        >>> import ndsweep as nd
        >>> bbbv = nd.board_stats(nd.EXPERT, 5000, columns=["bbbv"]).histogram("bbbv")
        >>> 0.02 < bbbv.share(below=140) < 0.06
        True
        """
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
        if not isinstance(level, int | float | np.number) or not 0 <= level <= 1:
            raise SpecError(f"level must be a number between 0 and 1. Got {in_short(level)}.")
        if not self.total:
            return float("nan")
        rank = max(1, ceil(float(level) * self.total * (1 - 1e-15)))  # 0.07 * 100 is more than 7
        return int(self.values[np.searchsorted(np.cumsum(self.counts), rank)])

    def describe(self, quantiles: Iterable[float]) -> dict[str, float]:
        """Mean, its standard error, standard deviation, least, quantiles and largest.

        Examples
        --------
        >>> import numpy as np
        >>> Histogram.of(np.array([1, 2, 2, 3])).describe([0.5])["50%"]
        2
        """
        levels = {"min": 0.0, **{f"{100 * level:.10g}%": level for level in quantiles}, "max": 1.0}
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
