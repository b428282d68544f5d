"""Confidence intervals of a win rate, each from wins, games and a level."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log1p, sqrt
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
"""The intervals by name."""


def _at_the_ends(wins: int, games: int, low: float, high: float) -> Interval:
    """The interval, from 0 with no win and up to 1 with wins alone."""
    return 0.0 if wins == 0 else low, 1.0 if wins == games else high
