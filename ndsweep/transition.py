"""Transition: where, and over what width, a win rate changes with density."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
import numpy.typing as npt

from ndsweep.intervals import checked_level, quantile, student_quantile
from ndsweep.spec import SpecError, checked_floats, in_short

Floats = npt.NDArray[np.float64]

_MOST_STEPS = 200  # of Newton's method; ten are usual
_CLOSE = 1e-10  # a step so small, by its square, leaves nothing to gain
_ENOUGH = 0.25  # of the gain that the slope at the beginning of a step promises
_ROUNDING = 1e-13  # of a likelihood
_STEEP = 700.0  # log-odds beyond which exp would overflow


@dataclass(frozen=True)
class Transition:
    """A logistic curve through win rates, 1 / (1 + exp((x - midpoint) / width)) where they fall.

    Attributes
    ----------
    midpoint : float
        Where the rate is a half.
    low, high : float
        Confidence interval of the midpoint; both infinite where the rates change too little to tell.
    width : float
        The scale of x, above 0.  One width before and after the midpoint the rates are 73 % and
        27 %; from 90 % to 10 % it takes 4.394 widths.
    rises : bool
        Whether the rate rises with x, as 1 / (1 + exp(-(x - midpoint) / width)).
    dispersion : float
        Pearson's chi-square a degree of freedom: about 1 where the points are off the curve by
        chance alone, more where the rates are not logistic.  NaN for two points.
    points : int
        Number of points with games.
    level : float
        Confidence level of the interval.
    midpoint_error, width_error : float
        Standard errors, widened like the interval.

    Examples
    --------
    >>> import ndsweep as nd
    >>> found = nd.fit_transition([0.1, 0.15, 0.2, 0.25], [97, 78, 31, 4], [100, 100, 100, 100])
    >>> round(found.midpoint, 3), round(found.low, 3), round(found.high, 3)
    (0.18, 0.173, 0.187)
    >>> round(found.width, 3), found.rises
    (0.023, False)
    """

    midpoint: float
    low: float
    high: float
    width: float
    rises: bool
    dispersion: float
    points: int
    level: float
    midpoint_error: float
    width_error: float

    def rate(self, x: npt.ArrayLike) -> Floats:
        """The curve at x, a number or an array.

        Examples
        --------
        >>> import ndsweep as nd
        >>> found = nd.fit_transition([0.1, 0.15, 0.2, 0.25], [97, 78, 31, 4], [100, 100, 100, 100])
        >>> found.rate([found.midpoint, found.midpoint + found.width]).round(3)
        array([0.5  , 0.269])
        """
        widths = (np.asarray(x, dtype=np.float64) - self.midpoint) / self.width
        return logistic(-widths if not self.rises else widths)


def logistic(odds: npt.ArrayLike) -> Floats:
    """The rate of log-odds, 1 / (1 + exp(-odds)), exact where it is close to 0 and without overflow.

    Examples
    --------
    >>> logistic([-1000, 0, 1000])
    array([0. , 0.5, 1. ])
    """
    result: Floats = np.exp(-np.logaddexp(0, np.negative(odds)))
    return result


def fit_transition(x: npt.ArrayLike, wins: npt.ArrayLike, games: npt.ArrayLike, level: float = 0.95) -> Transition:
    """Fits a logistic curve to win rates, by maximum likelihood.

    Parameters
    ----------
    x : array_like of float, shape (points,)
        Densities, or whatever the rates depend on, in any order; at least two different ones.
    wins, games : array_like of int, shape (points,)
        Games won and played at each.  A point without games does not count.
    level : float
        Confidence level of the interval of the midpoint, between 0 and 1.

    Returns
    -------
    Transition

    Raises
    ------
    SpecError
        If an argument is not of its kind, or no curve is the best: all games are won or none;
        wins and losses do not overlap, as when all games are won up to some x and none beyond,
        so that the steeper a curve, the better; or the rates neither rise nor fall.

    Notes
    -----
    The interval is Fieller's: all midpoints that a test of log-odds 0 there does not reject.  Unlike
    midpoint +- errors it need not be symmetric, and it is infinite when the slope itself may be 0.

    Win rates are not exactly logistic, and many games show it.  So a dispersion above 1 widens
    the standard errors by its root, and the interval then takes Student's quantile in place of
    the normal one (quasi-likelihood).  Two points fit any curve exactly; their errors are those of
    chance alone.  Points where all or no games are won tell little of the dispersion but count as
    degrees of freedom: choose densities within a few widths of the midpoint.

    E. C. Fieller, "Some problems in interval estimation", J. R. Stat. Soc. B 16 (1954) 175-185.
    P. McCullagh and J. A. Nelder, Generalized Linear Models, 2nd ed. (1989), sections 4.3-4.5.

    Examples
    --------
    >>> import ndsweep as nd
    >>> mines = [8, 11, 14, 17, 20, 23]
    >>> results = [nd.simulate(nd.Spec((9, 9), m), 1000) for m in mines]
    >>> found = nd.fit_transition([m / 81 for m in mines], [r.wins for r in results], [1000] * 6)
    >>> found.low < found.midpoint < found.high
    True
    >>> 0.13 < found.midpoint < 0.16
    True
    """
    level = checked_level(level)
    places, won, played = _checked_points(x, wins, games)
    centre, scale, slope = _overlap(places, won, played - won)
    inner = (places - centre) / scale
    _check_that_rates_change(inner, won, played)
    offset, slope = _most_likely(inner, won, played - won, slope)
    middle = -offset / slope
    spread = _Spread(slope, inner - middle, won, played)
    low, high = spread.fieller(level)
    midpoint = centre + scale * middle
    return Transition(
        midpoint=midpoint,
        low=midpoint + scale * low,
        high=midpoint + scale * high,
        width=scale / abs(slope),
        rises=slope > 0,
        dispersion=spread.dispersion,
        points=len(places),
        level=level,
        midpoint_error=scale * sqrt(spread.offset) / abs(slope),
        width_error=scale * sqrt(spread.slope) / slope**2,
    )


def _checked_points(x: npt.ArrayLike, wins: npt.ArrayLike, games: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
    """The points with games; SpecError unless they are points and there are wins and losses at two x or more."""
    places = checked_floats("x", x)
    won, played = _checked_counts("wins", wins), _checked_counts("games", games)
    if not len(places) == len(won) == len(played):
        lengths = f"{len(places)}, {len(won)} and {len(played)}"
        raise SpecError(f"x, wins and games must have the same length. Got {lengths}.")
    for each, most in zip(won, played, strict=True):
        if each > most:
            raise SpecError(f"wins must not be more than games. Got {each:.0f} of {most:.0f}.")
    kept = played > 0
    places, won, played = places[kept], won[kept], played[kept]
    if len(np.unique(places)) < 2:
        raise SpecError(f"x must have at least two different values with games. Got {len(np.unique(places))}.")
    if won.sum() in (0, played.sum()):
        raise SpecError(f"wins must be neither none nor all of the games. Got {won.sum():.0f} of {played.sum():.0f}.")
    return places, won, played


def _checked_counts(name: str, values: npt.ArrayLike) -> Floats:
    """The counts as an array of float; SpecError unless they are integers of 0 or more in a row."""
    array = checked_floats(name, values)
    if array.size and (np.asarray(values).dtype.kind not in "iu" or array.min() < 0):
        raise SpecError(f"{name} must be a sequence of integers of 0 or more. Got {in_short(values)}.")
    return array


def _overlap(x: Floats, wins: Floats, losses: Floats) -> tuple[float, float, float]:
    """Middle and length of the stretch of x where wins and losses overlap, and a slope to begin with.

    Seen from there no transition is steep, however small its share of all x.
    """
    won, lost = x[wins > 0], x[losses > 0]
    falling, rising = won.max() - lost.min(), lost.max() - won.min()
    if falling <= 0:
        ends = f"wins up to {won.max():.6g} and losses from {lost.min():.6g}"
    elif rising <= 0:
        ends = f"losses up to {lost.max():.6g} and wins from {won.min():.6g}"
    elif falling <= rising:
        return float(lost.min() + falling / 2), float(falling), -1.0
    else:
        return float(won.min() + rising / 2), float(rising), 1.0
    raise SpecError(f"wins and losses must overlap in x. Got {ends}.")


def _check_that_rates_change(x: Floats, wins: Floats, games: Floats) -> None:
    """SpecError where the best slope is 0: where x, weighted with wins or losses, has the same mean as with games."""
    away = x - np.average(x, weights=games)
    rarer = min(wins, games - wins, key=np.sum)  # the other ones might hide a slope in rounding errors
    if abs(away @ rarer) <= 1e-12 * abs(away).max() * rarer.sum():
        raise SpecError("wins must rise or fall with x. Got a best slope of 0.")


def _most_likely(x: Floats, wins: Floats, losses: Floats, slope: float) -> tuple[float, float]:
    """Offset and slope of the log-odds with the largest likelihood, by Newton's method from a slope.

    The likelihood is concave, so steps that are halved until they gain enough of what their slope
    promises lead to its only maximum.
    """
    at, steps = np.array([0.0, slope]), np.stack([np.ones_like(x), x])
    best = _log_likelihood(at @ steps, wins, losses)
    for _ in range(_MOST_STEPS):
        score, weight = _score_and_weight(at @ steps, wins, losses)
        uphill = steps @ score
        step = np.linalg.solve((steps * weight) @ steps.T, uphill)
        found = _log_likelihood((at + step) @ steps, wins, losses)
        while found < best + _ENOUGH * uphill @ step - _ROUNDING * abs(best):
            step /= 2
            found = _log_likelihood((at + step) @ steps, wins, losses)
        at, best = at + step, found
        if abs(step).max() <= _CLOSE * (1 + abs(at).max()):
            return float(at[0]), float(at[1])
    raise SpecError(f"wins must let a curve be found in {_MOST_STEPS} steps. Got no end.")


def _log_likelihood(odds: Floats, wins: Floats, losses: Floats) -> float:
    return -float(wins @ np.logaddexp(0, -odds) + losses @ np.logaddexp(0, odds))


def _score_and_weight(odds: Floats, wins: Floats, losses: Floats) -> tuple[Floats, Floats]:
    """For each point: wins beyond those expected, and their variance."""
    odds = np.clip(odds, -_STEEP, _STEEP)  # so that no variance is 0
    rate, rest = logistic(odds), logistic(-odds)
    return wins * rest - losses * rate, (wins + losses) * rate * rest


class _Spread:
    """Variances of the log-odds around the midpoint: of the offset there, of the slope, and of both together."""

    def __init__(self, best: float, x: Floats, wins: Floats, games: Floats) -> None:
        score, weight = _score_and_weight(best * x, wins, games - wins)
        self.best, self.freedom = best, len(x) - 2
        self.dispersion = float((score**2 / weight).sum()) / self.freedom if self.freedom else float("nan")
        widened = self.dispersion if self.dispersion > 1 else 1.0
        mean = float(np.average(x, weights=weight))
        self.slope = widened / float(weight @ (x - mean) ** 2)
        self.offset = widened / float(weight.sum()) + mean**2 * self.slope
        self.both = -mean * self.slope

    def fieller(self, level: float) -> tuple[float, float]:
        """How far below and above the midpoint the log-odds may still be 0."""
        most = (student_quantile(level, self.freedom) if self.dispersion > 1 else quantile(level)) ** 2
        lead = self.best**2 - most * self.slope
        if lead <= 0:
            return -inf, inf
        centre, reach = most * self.both, sqrt((most * self.both) ** 2 + lead * most * self.offset)
        return (centre - reach) / lead, (centre + reach) / lead
