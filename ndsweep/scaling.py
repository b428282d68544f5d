"""Scaling: how the transitions of grids of several sizes change with the size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, inf, isfinite, sqrt

import numpy as np
import numpy.typing as npt

from ndsweep.intervals import checked_level, quantile, student_quantile
from ndsweep.spec import SpecError, checked_floats
from ndsweep.transition import Transition

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A value with its confidence interval.

    Examples
    --------
    >>> Estimate(-0.75, -0.8, -0.7).value
    -0.75
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Scaling:
    """How the transitions of grids of several sizes L change with the size.

    Attributes
    ----------
    width_exponent : Estimate
        a of width = width_factor * L**a; in percolation it is -1/nu.
    width_factor : float
        The width for L = 1.
    midpoint_exponent : Estimate
        a of midpoint = midpoint_factor * L**a.
    midpoint_factor : float
        The midpoint for L = 1.
    limit : Estimate
        The midpoint of width 0, to which it tends for large L if the width vanishes.
    drift : float
        How far the midpoint is from the limit, in widths: midpoint = limit + drift * width.
    points : int
        Number of transitions.
    level : float
        Confidence level of the intervals.

    Examples
    --------
    >>> import ndsweep as nd
    >>> x, games = [0.1, 0.15, 0.2, 0.25], [100] * 4
    >>> small, large = nd.fit_transition(x, [91, 70, 40, 15], games), nd.fit_transition(x, [97, 78, 31, 4], games)
    >>> scaling = nd.fit_scaling([10, 20], [small, large])
    >>> round(scaling.width_exponent.value, 3), round(scaling.limit.value, 3)
    (-0.707, 0.174)
    """

    width_exponent: Estimate
    width_factor: float
    midpoint_exponent: Estimate
    midpoint_factor: float
    limit: Estimate
    drift: float
    points: int
    level: float


def fit_scaling(sizes: npt.ArrayLike, transitions: Iterable[Transition], level: float = 0.95) -> Scaling:
    """Fits how midpoint and width of a transition change with the linear size of a grid.

    Parameters
    ----------
    sizes : array_like of float, shape (points,)
        Linear sizes L, the n-th root of the number of cells in n dimensions; at least two
        different ones, and three for intervals.
    transitions : iterable of Transition
        One for each size.
    level : float
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    Scaling
        With two sizes any laws fit exactly, and all intervals are infinite.

    Raises
    ------
    SpecError
        If an argument is not of its kind, there are fewer than two different sizes or widths, or
        a midpoint is not above 0 and so follows no power law.

    Notes
    -----
    Straight lines by least squares, weighted with the standard errors of the transitions: the
    logarithms of width and of midpoint against that of L, and midpoint against width.  The
    last counts the errors of both, those of the width times the drift.  Where the points scatter
    no more than these errors tell, the intervals take the normal quantile; where they scatter
    more, the errors are widened by as much and the intervals take Student's.

    D. Stauffer and A. Aharony, Introduction to Percolation Theory, 2nd ed. (1994), section 4.1:
    there the width vanishes like L**(-1/nu) and the midpoint tends to the threshold in
    proportion to the width.

    Examples
    --------
    >>> import ndsweep as nd
    >>> from dataclasses import replace
    >>> one = nd.fit_transition([0.1, 0.15, 0.2, 0.25], [97, 78, 31, 4], [100] * 4)
    >>> sizes = [10, 20, 40]
    >>> each = [replace(one, midpoint=0.12 + 0.2 / size, width=0.4 / size) for size in sizes]
    >>> scaling = nd.fit_scaling(sizes, each)
    >>> round(scaling.width_exponent.value, 9), round(scaling.limit.value, 9), round(scaling.drift, 9)
    (-1.0, 0.12, 0.5)
    """
    level = checked_level(level)
    lengths = np.log(_checked_sizes(sizes))
    midpoints, widths, midpoint_errors, width_errors = _checked_numbers(transitions, len(lengths))
    first_width, width_exponent = _line(lengths, np.log(widths), width_errors / widths, level)
    first_midpoint, midpoint_exponent = _line(lengths, np.log(midpoints), midpoint_errors / midpoints, level)
    _, drift = _line(widths, midpoints, midpoint_errors, level)
    limit, drift = _line(widths, midpoints, np.hypot(midpoint_errors, drift.value * width_errors), level)
    return Scaling(
        width_exponent=width_exponent,
        width_factor=exp(first_width.value),
        midpoint_exponent=midpoint_exponent,
        midpoint_factor=exp(first_midpoint.value),
        limit=limit,
        drift=drift.value,
        points=len(lengths),
        level=level,
    )


def _checked_sizes(sizes: npt.ArrayLike) -> Floats:
    """The sizes as an array; SpecError unless they are above 0 and not all the same."""
    lengths = checked_floats("sizes", sizes)
    if len(lengths) and lengths.min() <= 0:
        raise SpecError(f"sizes must be above 0. Got {lengths.min():g}.")
    if len(np.unique(lengths)) < 2:
        raise SpecError(f"sizes must have at least two different values. Got {len(np.unique(lengths))}.")
    return lengths


def _checked_numbers(transitions: Iterable[Transition], points: int) -> Floats:
    """Midpoints, widths and the errors of both, (4, points); SpecError unless lines can be fitted to them."""
    if not isinstance(transitions, Iterable):
        raise SpecError(f"transitions must be a sequence of Transitions. Got {type(transitions).__name__}.")
    found = list(transitions)
    for each in found:
        if not isinstance(each, Transition):
            raise SpecError(f"transitions must be Transitions. Got {type(each).__name__}.")
    if len(found) != points:
        raise SpecError(f"transitions must be {points}, one for each size. Got {len(found)}.")
    names = ("midpoint", "width", "midpoint_error", "width_error")
    numbers = np.array([[getattr(each, name) for each in found] for name in names])
    for name, row in zip(names, numbers, strict=True):
        for number in row:
            if not (isfinite(number) and number > 0):
                raise SpecError(f"transitions must have a {name} above 0. Got {number:g}.")
    if len(np.unique(numbers[1])) < 2:
        raise SpecError(f"transitions must have at least two different widths. Got {numbers[1, 0]:g} only.")
    return numbers


def _line(x: Floats, y: Floats, errors: Floats, level: float) -> tuple[Estimate, Estimate]:
    """The straight line through points with errors of y: its value at 0 and its slope."""
    weight = errors**-2.0
    x_mean, y_mean = np.average(x, weights=weight), np.average(y, weights=weight)
    spread = float(weight @ (x - x_mean) ** 2)
    slope = float(weight @ ((x - x_mean) * (y - y_mean))) / spread
    offset, freedom = float(y_mean - slope * x_mean), len(x) - 2
    excess = float(weight @ (y - offset - slope * x) ** 2) / freedom if freedom else inf
    reach = student_quantile(level, freedom) * sqrt(excess) if excess > 1 else quantile(level)
    offset_error = sqrt(1 / float(weight.sum()) + float(x_mean) ** 2 / spread)
    return _estimate(offset, reach * offset_error), _estimate(slope, reach / sqrt(spread))


def _estimate(value: float, reach: float) -> Estimate:
    return Estimate(value, value - reach, value + reach)
