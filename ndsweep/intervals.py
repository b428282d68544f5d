"""Confidence intervals from counts and a level: of a win rate, and of the difference of two."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, inf, log1p, sqrt
from numbers import Real
from statistics import NormalDist

from ndsweep.spec import SpecError

Interval = tuple[float, float]

_NEARLY = 1 - 2**-53


def checked_level(level: float) -> float:
    """The confidence level as a float; SpecError unless it is between 0 and 1.

    Examples
    --------
    >>> checked_level(95)
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: level must be between 0 and 1. Got 95.
    """
    if not isinstance(level, Real) or not 0.5 < (1 + level) / 2 < 1:
        raise SpecError(f"level must be between 0 and 1. Got {level!r}.")
    return float(level)


def quantile(level: float) -> float:
    """How many standard errors a normal variable is off at the most, with that probability.

    Examples
    --------
    >>> round(quantile(0.95), 6)
    1.959964
    """
    return NormalDist().inv_cdf((1 + level) / 2)


def student_quantile(level: float, freedom: int) -> float:
    """The same where the standard error is itself estimated, with so many degrees of freedom; infinite with none.

    Notes
    -----
    Student, "The probable error of a mean", Biometrika 6 (1908) 1-25.

    Examples
    --------
    >>> round(student_quantile(0.95, 1), 6), student_quantile(0.95, 0)
    (12.706205, inf)
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2)) if freedom else inf


def wilson(wins: int, games: int, level: float) -> Interval:
    """The score interval: the rates that a test with their own standard error does not reject.

    Notes
    -----
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    J. Am. Stat. Assoc. 22 (1927) 209-212.

    Examples
    --------
    >>> [round(end, 6) for end in wilson(4, 20, 0.95)]
    [0.080658, 0.416017]
    """
    z, p = quantile(level), wins / games
    spread = 1 + z * z / games
    centre = (p + z * z / (2 * games)) / spread
    half = z / spread * sqrt(p * (1 - p) / games + z * z / (4 * games * games))
    return _at_the_ends(wins, games, max(0.0, centre - half), min(1.0, centre + half))


def jeffreys(wins: int, games: int, level: float) -> Interval:
    """The equal-tailed interval of the posterior from Jeffreys' prior, a beta distribution of halves.

    Notes
    -----
    With no win it begins at 0 and with wins alone it ends at 1, as in L. D. Brown, T. T. Cai and
    A. DasGupta, "Interval estimation for a binomial proportion", Stat. Sci. 16 (2001) 101-133.

    Examples
    --------
    >>> [round(end, 3) for end in jeffreys(5, 10, 0.95)]
    [0.224, 0.776]
    """
    from scipy.special import betaincinv

    low, high = (float(betaincinv(wins + 0.5, games - wins + 0.5, (1 + sign * level) / 2)) for sign in (-1, 1))
    return _at_the_ends(wins, games, low, high)


def likelihood_ratio(wins: int, games: int, level: float) -> Interval:
    """The rates whose likelihood is not too far below that of the observed one, by the chi-square distribution.

    Notes
    -----
    S. S. Wilks, "The large-sample distribution of the likelihood ratio for testing composite
    hypotheses", Ann. Math. Stat. 9 (1938) 60-62.

    Examples
    --------
    >>> [round(end, 6) for end in likelihood_ratio(0, 30, 0.95)]
    [0.0, 0.062018]
    """
    from scipy.optimize import brentq

    won, lost, most = wins / games, (games - wins) / games, quantile(level) ** 2

    def excess(step: float) -> float:
        """How far the likelihood of a rate that is off by a step is beyond the limit."""
        below = wins * log1p(step / won) if wins else 0.0
        above = (games - wins) * log1p(-step / lost) if wins < games else 0.0
        return -2 * (below + above) - most

    def end(step: float) -> float:
        return won + float(brentq(excess, 0.0, step * _NEARLY, xtol=1e-300, rtol=1e-14))

    return max(end(-won), 0.0) if wins else 0.0, min(end(lost), 1.0) if wins < games else 1.0


METHODS: dict[str, Callable[[int, int, float], Interval]] = {
    "wilson": wilson,
    "jeffreys": jeffreys,
    "likelihood-ratio": likelihood_ratio,
}
"""The intervals of a win rate by name."""


def newcombe(wins_a: int, games_a: int, wins_b: int, games_b: int, level: float) -> Interval:
    """The hybrid score interval of the difference of two win rates of independent games.

    Notes
    -----
    R. G. Newcombe, "Interval estimation for the difference between independent proportions:
    comparison of eleven methods", Stat. Med. 17 (1998) 873-890, method 10: the distances from
    each rate to the ends of its own Wilson interval, added as right-angled sides are.

    Examples
    --------
    >>> [round(end, 4) for end in newcombe(56, 70, 48, 80, 0.95)]
    [0.0524, 0.3339]
    """
    a, b = wins_a / games_a, wins_b / games_b
    (low_a, high_a), (low_b, high_b) = wilson(wins_a, games_a, level), wilson(wins_b, games_b, level)
    low, high = a - b - hypot(a - low_a, high_b - b), a - b + hypot(high_a - a, b - low_b)
    return max(-1.0, low), min(1.0, high)


def tango(only_a: int, only_b: int, games: int, level: float) -> Interval:
    """The score interval of the difference of two win rates on the same games.

    Parameters
    ----------
    only_a, only_b : int
        Number of games that only the first won, and that only the second won.
    games : int
        Number of games, those that both or neither won included.
    level : float
        Confidence level.

    Notes
    -----
    T. Tango, "Equivalence test and confidence interval for the difference in proportions for
    the paired-sample design", Stat. Med. 17 (1998) 891-908: the differences that a test with the
    standard error of the likeliest rates of that difference does not reject.

    Examples
    --------
    >>> [round(end, 3) for end in tango(0, 1, 44, 0.90)]
    [-0.096, 0.037]
    """
    return -_tango_high(only_b, only_a, games, level), _tango_high(only_a, only_b, games, level)


def _at_the_ends(wins: int, games: int, low: float, high: float) -> Interval:
    """The interval, from 0 with no win and up to 1 with wins alone."""
    return 0.0 if wins == 0 else low, 1.0 if wins == games else high


def _tango_high(more: int, fewer: int, games: int, level: float) -> float:
    """The upper end of Tango's interval of ``(more - fewer) / games``."""
    from scipy.optimize import brentq

    seen, squared = (more - fewer) / games, quantile(level) ** 2
    if more == games:
        return 1.0
    if more + fewer == 0 or fewer == games:  # no variance where the search would begin; the equation is linear
        return seen + (1 + abs(seen)) * squared / (games + squared)

    def excess(step: float) -> float:
        """How far the test of a difference that is off by a step is beyond the limit."""
        return games * step * step - squared * _paired_variance(more / games, fewer / games, seen + step)

    step = float(brentq(excess, 0.0, 2.0, xtol=1e-300, rtol=1e-14, maxiter=1000))  # beyond 1, whatever rounds
    return min(1.0, seen + step)


def _paired_variance(a: float, b: float, difference: float) -> float:
    """The variance of one pair's difference under the likeliest rates that differ so much.

    ``a`` and ``b`` are the shares of pairs that only one of the two won, as seen.
    """
    if difference < 0:
        a, b, difference = b, a, -difference
    # The likeliest share that only b wins solves 2 x^2 + linear x - product = 0. Here no term is
    # taken from one of its own size, not even where x is nearly nothing.
    linear, product = (2 - a + b) * difference - a - b, b * difference * (1 - difference)
    root = sqrt(linear * linear + 8 * max(0.0, product))
    only_b = 2 * product / (linear + root) if linear > 0 else (root - linear) / 4
    return max(0.0, 2 * only_b + difference * (1 - difference))
