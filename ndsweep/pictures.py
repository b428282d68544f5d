"""Pictures: win rates with their intervals, transitions and histograms, drawn with matplotlib from plain data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ndsweep.bars import COLOURS, drawn, finish, new_axes
from ndsweep.spec import SpecError, checked_floats
from ndsweep.transition import Transition, logistic

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = npt.NDArray[np.float64]

_MARKS = ("o", "s", "^", "D", "v", "P", "X", "<", "p", ">")  # as many as have no divisor in common with the colours
_STROKES = ("-", "-.", ":")
_GREY = "#888888"
_MARK: dict[str, Any] = {"markersize": 5.5, "markeredgecolor": "white", "markeredgewidth": 0.5}
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
    lines, ax = _checked_lines(lines), new_axes(ax)
    styles = [_style(k) for k, _ in enumerate(lines, drawn(ax))]
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
    ax = new_axes(ax)
    for k, (line, transition) in enumerate(fitted, drawn(ax)):
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


class _Style(NamedTuple):
    """How a line looks."""

    colour: str
    mark: str
    stroke: str


def _style(k: int) -> _Style:
    """The looks of the k-th line: no two of the first seventy are the same, and no two neighbours share a mark."""
    turn, colour = divmod(k, len(COLOURS))
    return _Style(COLOURS[colour], _MARKS[k % len(_MARKS)], _STROKES[turn % len(_STROKES)])


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


def _finish_rates(ax: Axes, xlabel: str, ylabel: str) -> None:
    """Room for whole marks at the lowest and the highest rate, and the rest."""
    top = float(ax.dataLim.y1) or 1.0
    ax.set_ylim(-0.02 * top, 1.02 * top)
    finish(ax, xlabel, ylabel)
