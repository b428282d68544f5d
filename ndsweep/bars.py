"""Bars: histograms of whole numbers, drawn with matplotlib from plain data, and what all pictures share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ndsweep.extras import needed
from ndsweep.histogram import Histogram
from ndsweep.spec import SpecError, in_short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Colours that all eyes tell apart."""

_MOST_BARS = 60
_MANY = 6  # lines whose legend is beside the picture


def draw_hist(values: npt.ArrayLike, won: npt.ArrayLike, name: str = "guesses", ax: Axes | None = None) -> Axes:
    """Draws a histogram of whole numbers, one a game: the share of games with each, lost ones on top of won ones.

    One bar a number; where the numbers differ by 60 or more, a bar for 2, 5, 10, 20 ... of
    them.  Needs matplotlib (``pip install "ndsweep[plot]"``).

    Parameters
    ----------
    values : array_like of int, shape (games,)
        What is counted in each game.
    won : array_like of bool, shape (games,)
        Whether it was won.
    name : str
        What is counted, for the axis.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if it is None.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = draw_hist([0, 1, 1, 3], [True, True, False, False], ax=Figure().subplots())
    >>> [float(bar.get_height()) for bar in ax.patches]  # won, then lost
    [0.25, 0.25, 0.0, 0.0, 0.0, 0.25, 0.0, 0.25]
    """
    numbers, wins = _checked_games(values, won)
    bars = _Bars.over(int(numbers.min()), int(numbers.max()))
    ax, floor = new_axes(ax), np.zeros(bars.count)
    for label, chosen, colour, hatch in (("won", wins, COLOURS[0], ""), ("lost", ~wins, COLOURS[4], "////")):
        share = bars.sums(numbers[chosen], np.ones(int(chosen.sum()))) / len(numbers)
        bars.draw(ax, share, floor, color=colour, hatch=hatch, label=label)
        floor += share
    whole_ticks(ax)
    finish(ax, bars.named(f"{name} a game"), "share of games")
    return ax


def draw_counts(histogram: Histogram, name: str, what: str = "boards", ax: Axes | None = None) -> Axes:
    """Draws a histogram that is counted already: the share with each number.

    Parameters
    ----------
    histogram : Histogram
        Of one number at least.
    name, what : str
        What is counted, and of what, for the axes.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if it is None.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = draw_counts(Histogram.of(np.array([2, 3, 3, 5])), "openings", ax=Figure().subplots())
    >>> [float(bar.get_height()) for bar in ax.patches]
    [0.25, 0.5, 0.0, 0.25]
    """
    if not histogram.total:
        raise SpecError(f"{name} must be counted for one of the {what} at least, for a picture. There are none.")
    bars = _Bars.over(int(histogram.values[0]), int(histogram.values[-1]))
    ax, share = new_axes(ax), bars.sums(histogram.values, histogram.counts) / histogram.total
    bars.draw(ax, share, np.zeros(bars.count), color=COLOURS[0])
    whole_ticks(ax)
    finish(ax, bars.named(name), f"share of {what}")
    return ax


@dataclass(frozen=True)
class _Bars:
    """Bars of ``step`` numbers each, not too many."""

    first: int
    step: int
    count: int

    @classmethod
    def over(cls, low: int, high: int) -> _Bars:
        """The bars of numbers from the least to the largest: 1, 2, 5, 10, 20, 50 ... of them share one."""
        power, numbers = 1, high - low + 1
        while numbers > 5 * power * _MOST_BARS:
            power *= 10
        step = next(step for step in (power, 2 * power, 5 * power) if numbers <= step * _MOST_BARS)
        first = low // step * step
        return cls(first, step, (high - first) // step + 1)

    def sums(self, numbers: npt.NDArray[np.int64], weights: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """The sum of weights in each bar."""
        sums = np.zeros(self.count)
        np.add.at(sums, (numbers - self.first) // self.step, weights)
        return sums

    def draw(self, ax: Axes, heights: npt.NDArray[np.float64], floor: npt.NDArray[np.float64], **looks: Any) -> None:
        edges = self.first + self.step * np.arange(self.count) - 0.5
        ax.bar(edges, heights, self.step, floor, align="edge", edgecolor="white", linewidth=0.5, **looks)

    def named(self, name: str) -> str:
        return name if self.step == 1 else f"{name} (bars of {self.step})"


def _checked_games(values: npt.ArrayLike, won: npt.ArrayLike) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """The number of each game and whether it was won; SpecError unless they are that."""
    numbers, wins = np.asarray(values), np.asarray(won)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or not numbers.size:
        raise SpecError(f"values must be a sequence of integers, one a game. Got {in_short(values)}.")
    if wins.shape != numbers.shape or wins.dtype != np.bool_:
        raise SpecError(f"won must be {len(numbers)} truth values, one a game. Got {in_short(won)}.")
    return numbers.astype(np.int64), wins


# What all pictures share ------------------------------------------------------------------------


def new_axes(ax: Axes | None) -> Axes:
    """The axes, or those of a new figure.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> new_axes(ax) is ax
    True
    """
    if ax is not None:
        return ax
    with needed("pictures need matplotlib", "plot"):
        import matplotlib.pyplot as plt
    return plt.subplots(layout="constrained")[1]


def whole_ticks(ax: Axes) -> None:
    """Ticks of x at whole numbers only.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> whole_ticks(Figure().subplots())
    """
    from matplotlib.ticker import MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))


def drawn(ax: Axes) -> int:
    """How many lines are there already: the next one looks different.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> drawn(Figure().subplots())
    0
    """
    return len(ax.get_legend_handles_labels()[1])


def finish(ax: Axes, xlabel: str, ylabel: str) -> None:
    """Percent, names, and a legend where there is more than one thing to tell apart.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> finish(ax, "mines", "share of games won")
    >>> ax.get_ylabel()
    'share of games won'
    """
    ax.yaxis.set_major_formatter(lambda y, _: f"{100 * y:.6g}%")
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(alpha=0.25)
    ax.set_axisbelow(True)
    if drawn(ax) > 1:
        outside: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1, 1)} if drawn(ax) > _MANY else {}
        ax.legend(frameon=False, fontsize="small", **outside)
