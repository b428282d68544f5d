"""Comparison: how two policies differ, game by game where they played the same games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from ndsweep.intervals import checked_level, newcombe, tango
from ndsweep.result import Result
from ndsweep.spec import SpecError


@dataclass(frozen=True, repr=False)
class Comparison:
    """Two policies side by side, made by `compare`.

    Attributes
    ----------
    a, b : str
        Names of the policies.
    games, wins : tuple of int
        Number of games compared and won, of a and of b.  In a paired comparison they are the
        games that both played, so that the two numbers of games are the same.
    both : int or None
        Number of games that both won; None where the games are not paired.
    reason : str
        Why the games are not paired; empty where they are.

    Examples
    --------
    >>> import ndsweep as nd
    >>> pairs, single = (nd.simulate(nd.BEGINNER, 2000, policy, records=True) for policy in ("pairs", "single-point"))
    >>> comparison = nd.compare(pairs, single)
    >>> comparison.paired, comparison.games
    (True, (2000, 2000))
    >>> comparison.only_a > comparison.only_b
    True
    """

    a: str
    b: str
    games: tuple[int, int]
    wins: tuple[int, int]
    both: int | None
    reason: str = ""

    @property
    def paired(self) -> bool:
        """Whether both played the games that are compared."""
        return self.both is not None

    @property
    def only_a(self) -> int | None:
        """Number of games that only the first won; None where the games are not paired."""
        return None if self.both is None else self.wins[0] - self.both

    @property
    def only_b(self) -> int | None:
        """Number of games that only the second won; None where the games are not paired."""
        return None if self.both is None else self.wins[1] - self.both

    @property
    def neither(self) -> int | None:
        """Number of games that neither won; None where the games are not paired."""
        return None if self.both is None else self.games[0] - sum(self.wins) + self.both

    @property
    def difference(self) -> float:
        """The win rate of a minus that of b; NaN if either has no games."""
        if not all(self.games):
            return float("nan")
        if self.both is not None:
            return (self.wins[0] - self.wins[1]) / self.games[0]
        return self.wins[0] / self.games[0] - self.wins[1] / self.games[1]

    @property
    def p_value(self) -> float:
        """How likely policies of one win rate differ as much or more; NaN where the games are not paired.

        Notes
        -----
        McNemar's test, exact: of the games that one policy alone won, each policy is as likely
        the winner.  Q. McNemar, "Note on the sampling error of the difference between correlated
        proportions or percentages", Psychometrika 12 (1947) 153-157.
        """
        if self.both is None:
            return float("nan")
        fewer, more = sorted(won - self.both for won in self.wins)
        return _two_tails(fewer, more)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """A confidence interval of the difference.

        Parameters
        ----------
        level : float
            Confidence level, between 0 and 1.

        Returns
        -------
        (low, high) : tuple of float
            Tango's score interval where the games are paired, else Newcombe's hybrid score
            interval.  (-1, 1) if either policy has no games.

        Raises
        ------
        SpecError
            If the level is not between 0 and 1.

        Notes
        -----
        T. Tango, "Equivalence test and confidence interval for the difference in proportions
        for the paired-sample design", Stat. Med. 17 (1998) 891-908.  R. G. Newcombe, "Interval
        estimation for the difference between independent proportions: comparison of eleven
        methods", Stat. Med. 17 (1998) 873-890, method 10.

        Examples
        --------
        >>> import ndsweep as nd
        >>> result = nd.simulate(nd.BEGINNER, 2000, records=True)
        >>> low, high = nd.compare(result, nd.simulate(nd.BEGINNER, 2000, "random", records=True)).interval()
        >>> 0 < low < high < 1
        True
        """
        level = checked_level(level)
        if not all(self.games):
            return -1.0, 1.0
        if self.both is None:
            return newcombe(self.wins[0], self.games[0], self.wins[1], self.games[1], level)
        return tango(self.wins[0] - self.both, self.wins[1] - self.both, self.games[0], level)

    def summary(self) -> dict[str, Any]:
        """The comparison by name, ready for JSON.

        Examples
        --------
        >>> import ndsweep as nd
        >>> result = nd.simulate(nd.BEGINNER, 100, records=True)
        >>> summary = nd.compare(result, result).summary()
        >>> summary["games"], summary["difference"], summary["p_value"]
        ([100, 100], 0.0, 1.0)
        """
        return {
            "a": self.a,
            "b": self.b,
            "paired": self.paired,
            "reason": self.reason,
            "games": list(self.games),
            "wins": list(self.wins),
            "both": self.both,
            "only_a": self.only_a,
            "only_b": self.only_b,
            "neither": self.neither,
            "difference": self.difference if all(self.games) else None,
            "interval_95": list(self.interval()),
            "p_value": self.p_value if self.paired else None,
        }

    def __repr__(self) -> str:
        low, high = self.interval()
        games = f"{self.games[0]} games of both" if self.paired else f"{self.games[0]} and {self.games[1]} games"
        test = f", p = {self.p_value:.3g}" if self.paired else ", not paired"
        return (
            f"<Comparison {self.a} - {self.b}: {games}, {self.difference:+.4%} (95 %: {low:+.4%} .. {high:+.4%}){test}>"
        )


def compare(a: Result, b: Result) -> Comparison:
    """Compares two results, game by game where both policies played the same games.

    Games of the same seed and number have the same layout whatever the policy.  A game that
    both win or both lose then says nothing about the difference, so that games
    in pairs tell more of it than as many independent games do.

    Parameters
    ----------
    a, b : Result
        Results of `simulate`, with ``records=True`` for a comparison game by game.

    Returns
    -------
    Comparison
        Of the games in both, if spec, first cell and version of the streams agree and both have
        records.  Else of all games, as independent samples; its ``reason`` says why.

    Raises
    ------
    SpecError
        If an argument is no result.

    Examples
    --------
    >>> import ndsweep as nd
    >>> pairs = nd.simulate(nd.BEGINNER, 3000, "pairs", seed=1, records=True)
    >>> single = nd.simulate(nd.BEGINNER, 2000, "single-point", seed=1, start=2000, records=True)
    >>> comparison = nd.compare(pairs, single)
    >>> comparison.games, comparison.reason
    ((1000, 1000), '')
    >>> nd.compare(pairs, nd.simulate(nd.BEGINNER, 2000, seed=1)).reason
    'The games of single-point have no records; records=True would pair them.'
    """
    for name, value in (("a", a), ("b", b)):
        if not isinstance(value, Result):
            raise SpecError(f"{name} must be a Result. Got {value!r}.")
    shared = list(_shared(a, b))
    reason = _why_not_paired(a, b, bool(shared))
    if reason:
        return Comparison(a.policy, b.policy, (a.games, b.games), (a.wins, b.wins), None, reason)
    games = wins_a = wins_b = both = 0
    for row_a, row_b, count in shared:
        won_a, won_b = a.records["won"][row_a : row_a + count], b.records["won"][row_b : row_b + count]
        games += count
        wins_a += int(np.count_nonzero(won_a))
        wins_b += int(np.count_nonzero(won_b))
        both += int(np.count_nonzero(won_a & won_b))
    return Comparison(a.policy, b.policy, (games, games), (wins_a, wins_b), both)


def _why_not_paired(a: Result, b: Result, share_games: bool) -> str:
    """A sentence; empty if the games can be paired."""
    for name, what in (("spec", "specs"), ("first_cell", "first cells"), ("stream_version", "versions of the streams")):
        if getattr(a, name) != getattr(b, name):
            return f"The {what} differ: {getattr(a, name)!r} and {getattr(b, name)!r}."
    if not share_games:
        return "No game is in both."
    bare = [result.policy for result in (a, b) if len(result.records) < result.games]
    return f"The games of {' and '.join(bare)} have no records; records=True would pair them." if bare else ""


def _shared(a: Result, b: Result) -> Iterator[tuple[int, int, int]]:
    """The runs of games that are in both: first row in a, first row in b, number of games."""
    left, right = _rows(a), _rows(b)
    i = j = 0
    while i < len(left) and j < len(right):
        (seed_a, start_a, stop_a, row_a), (seed_b, start_b, stop_b, row_b) = left[i], right[j]
        start, stop = max(start_a, start_b), min(stop_a, stop_b)
        if seed_a == seed_b and start < stop:
            yield row_a + start - start_a, row_b + start - start_b, stop - start
        if (seed_a, stop_a) <= (seed_b, stop_b):
            i += 1
        else:
            j += 1


def _rows(result: Result) -> list[tuple[int, int, int, int]]:
    """The ranges of a result in order, each with the number of its first row in the records."""
    first_rows = accumulate((stop - start for _, start, stop in result.ranges), initial=0)
    return sorted((*part, row) for part, row in zip(result.ranges, first_rows, strict=False))


def _two_tails(fewer: int, more: int) -> float:
    """How likely as many fair coins fall as unevenly, to either side."""
    from scipy.special import betainc

    return 1.0 if fewer == more else min(1.0, 2 * float(betainc(more, fewer + 1, 0.5)))
