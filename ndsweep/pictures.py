"""Pictures: win rates with their intervals, transitions and histograms, drawn with matplotlib from plain data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ndsweep.spec import SpecError, checked_floats, in_short
from ndsweep.transition import Transition, logistic

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = npt.NDArray[np.float64]

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKS = ("o", "s", "^", "D", "v", "P", "X", "<", "p", ">")  # as many as have no divisor in common with the colours
_STROKES = ("-", "-.", ":")
_GREY = "#888888"
_MOST_BARS = 60
_MARK: dict[str, Any] = {"markersize": 5.5, "markeredgecolor": "white", "markeredgewidth": 0.5}
_MANY = 6  # lines whose legend is beside the picture
_FAR = 8.0  # widths beyond which a rate is 0 or 1 to the eye


@dataclass(frozen=True, eq=False)
class Line:
    """Values with their intervals, to be drawn as one line.

    Parameters
    ----------
    label : str
        What the legend says.
    x, y : array_like of float, shape (points,)
        The points; they are kept in order of x.
    low, high : array_like of float, shape (points,)
        The interval of each y.
    transition : Transition, optional
        The curve that was fitted to the points.

    Examples
    --------
    >>> line = Line("16x16", [0.1, 0.2], [0.9, 0.3], [0.88, 0.27], [0.92, 0.33])
    >>> line.y
    array([0.9, 0.3])
    """

    label: str
    x: Floats
    y: Floats
    low: Floats
    high: Floats
    transition: Transition | None = None

    def __post_init__(self) -> None:
        arrays = {name: checked_floats(name, getattr(self, name)) for name in ("x", "y", "low", "high")}
        order = np.argsort(arrays["x"], kind="stable")
        if not len(order):
            raise SpecError("x must have at least one value. Got none.")
        for name, values in arrays.items():
            if len(values) != len(order):
                raise SpecError(f"{name} must have as many values as x, {len(order)}. Got {len(values)}.")
            object.__setattr__(self, name, values[order])


def draw_lines(
    lines: Iterable[Line], ax: Axes | None = None, *, xlabel: str = "mines per cell", ylabel: str = "games won"
) -> Axes:
    """Draws lines with their intervals as bands, and what was fitted to them as dashed curves.

    A tick and a bar at one half mark a midpoint and its interval, as far as the points reach.
    Needs matplotlib (``pip install "ndsweep[plot]"``).

    Parameters
    ----------
    lines : iterable of Line
        Told apart by colour, marker and stroke, however many they are.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if it is None.
    xlabel, ylabel : str
        What the axes say.  The axis of y counts in percent.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from ndsweep.pictures import Line, draw_lines
    >>> ax = draw_lines([Line("16x16", [0.1, 0.2], [0.9, 0.3], [0.88, 0.27], [0.92, 0.33])], Figure().subplots())
    >>> ax.get_ylabel()
    'games won'
    """
    lines, ax = _checked_lines(lines), _axes(ax)
    styles = [_style(k) for k, _ in enumerate(lines, _drawn(ax))]
    for line, style in zip(lines, styles, strict=True):
        _draw_line(ax, line, style)
    for line, style in zip(lines, styles, strict=True):
        if line.transition is not None:
            _draw_fit(ax, line, line.transition, style.colour)
    _finish_rates(ax, xlabel, ylabel)
    return ax


def draw_scaled(
    lines: Iterable[Line],
    ax: Axes | None = None,
    *,
    xlabel: str = "(x − midpoint) / width",  # noqa: RUF001
    ylabel: str = "games won",
) -> Axes:
    """Draws lines against their distance from the midpoint in widths, and the logistic curve they should fall on.

    Lines without a transition are left out.  Needs matplotlib (``pip install "ndsweep[plot]"``).

    Parameters
    ----------
    lines : iterable of Line
        With their transitions.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if it is None.
    xlabel, ylabel : str
        What the axes say.  The axis of y counts in percent.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    SpecError
        If no line has a transition.

    Examples
    --------
    >>> import ndsweep as nd
    >>> from matplotlib.figure import Figure
    >>> from ndsweep.pictures import Line, draw_scaled
    >>> x, won = [0.1, 0.15, 0.2, 0.25], [97, 78, 31, 4]
    >>> found = nd.fit_transition(x, won, [100] * 4)
    >>> y = [wins / 100 for wins in won]
    >>> ax = draw_scaled([Line("16x16", x, y, y, y, found)], Figure().subplots())
    >>> ax.get_xlabel()
    '(x − midpoint) / width'
    """
    fitted = [(line, line.transition) for line in _checked_lines(lines) if line.transition is not None]
    if not fitted:
        raise SpecError("lines must have one with a transition. Got none.")
    ax = _axes(ax)
    for k, (line, transition) in enumerate(fitted, _drawn(ax)):
        style, at = _style(k), (line.x - transition.midpoint) / transition.width
        bars = abs(np.stack([line.low, line.high]) - line.y)
        looks: dict[str, Any] = {"color": style.colour, "marker": style.mark, "label": line.label, **_MARK}
        ax.errorbar(at, line.y, bars, linestyle="none", elinewidth=1, **looks)
    for rises in sorted({transition.rises for _, transition in fitted}):
        at = np.linspace(-_FAR, _FAR, 321)
        ax.plot(at, logistic(at if rises else -at), "--", color=_GREY, zorder=1)
    ax.set_xlim(-_FAR, _FAR)
    _finish_rates(ax, xlabel, ylabel)
    return ax


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
    >>> from ndsweep.pictures import draw_hist
    >>> ax = draw_hist([0, 1, 1, 3], [True, True, False, False], ax=Figure().subplots())
    >>> [float(bar.get_height()) for bar in ax.patches]  # won, then lost
    [0.25, 0.25, 0.0, 0.0, 0.0, 0.25, 0.0, 0.25]
    """
    numbers, wins = _checked_games(values, won)
    low, high = int(numbers.min()), int(numbers.max())
    step = _bar_step(high - low + 1)
    first = low // step * step
    which = (numbers - first) // step
    bars = int(which.max()) + 1
    ax = _axes(ax)
    edges, floor = first + step * np.arange(bars) - 0.5, np.zeros(bars)
    for label, chosen, colour, hatch in (("won", wins, _COLOURS[0], ""), ("lost", ~wins, _COLOURS[4], "////")):
        share = np.bincount(which[chosen], minlength=bars) / len(numbers)
        looks: dict[str, Any] = {
            "color": colour,
            "hatch": hatch,
            "edgecolor": "white",
            "linewidth": 0.5,
            "label": label,
        }
        ax.bar(edges, share, step, floor, align="edge", **looks)
        floor += share
    _whole_ticks(ax)
    _finish(ax, f"{name} a game" if step == 1 else f"{name} a game (bars of {step})", "share of games")
    return ax


def _checked_lines(lines: Iterable[Line]) -> list[Line]:
    """The lines; SpecError unless there is one at least and all are Lines."""
    if not isinstance(lines, Iterable):
        raise SpecError(f"lines must be a sequence of Lines. Got {type(lines).__name__}.")
    found = list(lines)
    for line in found:
        if not isinstance(line, Line):
            raise SpecError(f"lines must be Lines. Got {type(line).__name__}.")
    if not found:
        raise SpecError("lines must hold at least one line. Got none.")
    return found


def _checked_games(values: npt.ArrayLike, won: npt.ArrayLike) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """The number of each game and whether it was won; SpecError unless they are that."""
    numbers, wins = np.asarray(values), np.asarray(won)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or not numbers.size:
        raise SpecError(f"values must be a sequence of integers, one a game. Got {in_short(values)}.")
    if wins.shape != numbers.shape or wins.dtype != np.bool_:
        raise SpecError(f"won must be {len(numbers)} truth values, one a game. Got {in_short(won)}.")
    return numbers.astype(np.int64), wins


def _bar_step(numbers: int) -> int:
    """How many numbers share a bar, so that there are not too many bars: 1, 2, 5, 10, 20, 50 ..."""
    power = 1
    while True:
        for step in (power, 2 * power, 5 * power):
            if numbers <= step * _MOST_BARS:
                return step
        power *= 10


def _axes(ax: Axes | None) -> Axes:
    """The axes, or those of a new figure."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError('pictures need matplotlib: pip install "ndsweep[plot]"') from None
    return plt.subplots(layout="constrained")[1]


class _Style(NamedTuple):
    """How a line looks."""

    colour: str
    mark: str
    stroke: str


def _style(k: int) -> _Style:
    """The looks of the k-th line: no two of the first seventy are the same, and no two neighbours share a mark."""
    turn, colour = divmod(k, len(_COLOURS))
    return _Style(_COLOURS[colour], _MARKS[k % len(_MARKS)], _STROKES[turn % len(_STROKES)])


def _drawn(ax: Axes) -> int:
    """How many lines are there already: the next one looks different."""
    return len(ax.get_legend_handles_labels()[1])


def _draw_line(ax: Axes, line: Line, style: _Style) -> None:
    """The points of a line, joined, and the band of their intervals."""
    ax.fill_between(line.x, line.low, line.high, color=style.colour, alpha=0.2, linewidth=0)
    looks: dict[str, Any] = {"color": style.colour, "marker": style.mark, "label": line.label, **_MARK}
    ax.plot(line.x, line.y, style.stroke, linewidth=1.2, **looks)


def _draw_fit(ax: Axes, line: Line, found: Transition, colour: str) -> None:
    """The curve over the points, and the midpoint with its interval as far as the points reach."""
    first, last = float(line.x[0]), float(line.x[-1])
    at = np.linspace(first, last, 201)
    ax.plot(at, found.rate(at), "--", color=colour, linewidth=1)
    if first <= found.midpoint <= last:
        ends = [max(found.low, first), min(found.high, last)]
        ax.plot(ends, [0.5, 0.5], "-", color=colour, linewidth=3, solid_capstyle="butt")
        ax.plot([found.midpoint], [0.5], "|", color=colour, markersize=12, markeredgewidth=1.5)


def _whole_ticks(ax: Axes) -> None:
    """Ticks of x at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))


def _finish_rates(ax: Axes, xlabel: str, ylabel: str) -> None:
    """Room for whole marks at the lowest and the highest rate, and the rest."""
    top = float(ax.dataLim.y1) or 1.0
    ax.set_ylim(-0.02 * top, 1.02 * top)
    _finish(ax, xlabel, ylabel)


def _finish(ax: Axes, xlabel: str, ylabel: str) -> None:
    """Percent, names, and a legend where there is more than one thing to tell apart."""
    ax.yaxis.set_major_formatter(lambda y, _: f"{100 * y:.6g}%")
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(alpha=0.25)
    ax.set_axisbelow(True)
    if _drawn(ax) > 1:
        outside: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1, 1)} if _drawn(ax) > _MANY else {}
        ax.legend(frameon=False, fontsize="small", **outside)
