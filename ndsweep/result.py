"""Result: what a simulation counted.  Results add."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine.slots import ENDED
from ndsweep.engine.streams import STREAM_VERSION
from ndsweep.frames import arrow_table, data_frame, rows_of_arrow
from ndsweep.intervals import METHODS, checked_level
from ndsweep.ranges import Range, in_order, joined
from ndsweep.render.tables import listed, rate_bar
from ndsweep.spec import MergeError, Spec, SpecError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Result:
    """The outcome of simulated games of one kind under one policy.

    Attributes
    ----------
    spec : Spec
        The kind of game.
    policy : str
        Name of the policy.
    first_cell : int or None
        The flat first cell of every game, or None for each game's own random one.
    games, wins : int
        Number of games played and won.
    counts : dict of str to int
        Totals over all games.  ``guesses``: cells opened without a proof, the first cell not
        counted.  ``reveals``: cells that the policy opened itself, the first one and guesses
        included; all cells proved safe in one round count, though the flood of one may open
        another.  ``opened``: cells open at the end, the mine of a lost game included.
    records : structured array
        One row a game, in order of seed and number, with the fields game, won, guesses,
        reveals, opened, luck and hardest; no rows unless records were asked for, in both of two
        results that were added.  ``luck`` is the product of the chances that the guesses had of
        surviving, as the policy knew them: 1 without a guess, NaN where it was not asked for or
        a policy did not tell.
        ``hardest`` is the hardest rule that was needed: 0 none, 1 single-point where it opened a
        cell, 2 pairs where they proved something; policies of one's own have their own numbers.
    ranges : tuple of (seed, start, stop)
        Which games these are.
    stream_version : int
        The version of the random streams.

    Examples
    --------
    >>> import ndsweep as nd
    >>> first = nd.simulate(nd.BEGINNER, 1000, seed=3)
    >>> rest = nd.simulate(nd.BEGINNER, 1000, seed=3, start=1000)
    >>> first + rest == nd.simulate(nd.BEGINNER, 2000, seed=3)
    True
    """

    spec: Spec
    policy: str
    first_cell: int | None
    games: int
    wins: int
    counts: dict[str, int]
    records: npt.NDArray[np.void]
    ranges: tuple[Range, ...]
    stream_version: int = STREAM_VERSION

    def __post_init__(self) -> None:
        self.records.flags.writeable = False

    @classmethod
    def empty(cls, spec: Spec, policy: str, first_cell: int | None) -> Result:
        """The result of no games, which adds to any of its kind."""
        counts = dict.fromkeys(("guesses", "reveals", "opened"), 0)
        return cls(spec, policy, first_cell, 0, 0, counts, np.empty(0, dtype=ENDED), ())

    @property
    def win_rate(self) -> float:
        """Fraction of games won; NaN for no games."""
        return self.wins / self.games if self.games else float("nan")

    def interval(self, level: float = 0.95, method: str = "wilson") -> tuple[float, float]:
        """A confidence interval of the win rate.

        Parameters
        ----------
        level : float
            Confidence level, between 0 and 1.
        method : {"wilson", "jeffreys", "likelihood-ratio"}
            Wilson's score interval, the equal-tailed one of Jeffreys' prior, or the rates that
            a likelihood-ratio test does not reject.

        Returns
        -------
        (low, high) : tuple of float
            (0, 1) for no games.  From 0 with no win, up to 1 with wins alone.

        Raises
        ------
        SpecError
            If the level is not between 0 and 1, or there is no such method.

        Notes
        -----
        Wilson's and Jeffreys' are those that L. D. Brown, T. T. Cai and A. DasGupta recommend,
        "Interval estimation for a binomial proportion", Stat. Sci. 16 (2001) 101-133.

        Examples
        --------
        >>> import ndsweep as nd
        >>> result = nd.simulate(nd.BEGINNER, 1000)
        >>> low, high = result.interval()
        >>> 0 < low < high < 1
        True
        >>> [abs(end - low) < 1e-3 for end in (result.interval(0.95, "jeffreys")[0], low)]
        [True, True]
        """
        level = checked_level(level)
        if method not in METHODS:
            raise SpecError(f"method must be {', '.join(map(repr, METHODS))}. Got {method!r}.")
        return METHODS[method](self.wins, self.games, level) if self.games else (0.0, 1.0)

    def __add__(self, other: Result) -> Result:
        """The result of the games of both; MergeError if they differ in kind or share games."""
        if not isinstance(other, Result):
            return NotImplemented
        for name in ("spec", "policy", "first_cell", "stream_version"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise MergeError(f"results must have the same {name}. Got {mine!r} and {theirs!r}.")
        return Result(
            self.spec,
            self.policy,
            self.first_cell,
            self.games + other.games,
            self.wins + other.wins,
            {name: self.counts[name] + other.counts[name] for name in self.counts},
            _merged_records(self, other),
            joined(self.ranges + other.ranges),
            self.stream_version,
        )

    def __radd__(self, other: object) -> Result:
        return self if other == 0 else NotImplemented  # the start of sum()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        names = ("spec", "policy", "first_cell", "games", "wins", "counts", "ranges", "stream_version")
        same = all(getattr(self, name) == getattr(other, name) for name in names)
        return same and self.records.tobytes() == other.records.tobytes()  # NaN is like NaN here

    __hash__ = None  # type: ignore[assignment]

    def to_pandas(self) -> pd.DataFrame:
        """The records as a table, one row a game; without records one row of totals.

        Needs pandas (``pip install "ndsweep[pandas]"``).

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.simulate(nd.BEGINNER, 3, records=True).to_pandas().shape
        (3, 7)
        """
        if self.records.size or not self.games:
            return data_frame(self.records)
        return data_frame([self.summary()])

    def to_arrow(self) -> pa.Table:
        """The records as a table of Arrow, one row a game; without records one row of totals.

        Needs pyarrow (``pip install "ndsweep[arrow]"``).  What these games are, as `summary`
        tells it, is in the metadata of the schema as JSON under the key ``ndsweep``.

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.simulate(nd.BEGINNER, 3, records=True).to_arrow()["game"].to_pylist()
        [0, 1, 2]
        """
        about = self.summary()
        if self.records.size or not self.games:
            return arrow_table({name: self.records[name] for name in ENDED.names or ()}, about)
        totals = {name: value for name, value in about.items() if name != "ranges"}  # seeds may be of any size
        return rows_of_arrow([totals], about)

    def hist(self, name: str = "guesses", ax: Axes | None = None) -> Axes:
        """Draws a histogram of the records: the share of games with each number, lost ones on top of won ones.

        Needs matplotlib (``pip install "ndsweep[plot]"``).

        Parameters
        ----------
        name : {"guesses", "reveals", "opened", "hardest"}
            What is counted, see ``counts`` and ``records``.
        ax : matplotlib Axes, optional
            Where to draw; a new figure if it is None.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        SpecError
            If there is no such name, or no records were kept.

        Examples
        --------
        >>> import ndsweep as nd
        >>> ax = nd.simulate(nd.BEGINNER, 100, records=True).hist("guesses")
        >>> ax.get_xlabel()
        'guesses a game'
        >>> import matplotlib.pyplot as plt
        >>> plt.close(ax.figure)
        """
        from ndsweep.bars import draw_hist

        names = [*self.counts, "hardest"]
        if name not in names:
            raise SpecError(f"name must be {', '.join(map(repr, names))}. Got {name!r}.")
        if not self.games or len(self.records) < self.games:
            raise SpecError(f"records must be kept, with records=True. Got {len(self.records)} of {self.games} games.")
        return draw_hist(self.records[name], self.records["won"], name, ax)

    def summary(self) -> dict[str, Any]:
        """The totals by name, ready for JSON.

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.simulate(nd.BEGINNER, 100).summary()["games"]
        100
        """
        low, high = self.interval()
        return {
            "shape": list(self.spec.shape),
            "mines": self.spec.mines,
            "first": self.spec.first,
            "policy": self.policy,
            "first_cell": self.first_cell,
            "games": self.games,
            "wins": self.wins,
            "win_rate": self.win_rate if self.games else None,
            "interval_95": [low, high],
            **self.counts,
            "ranges": [list(part) for part in self.ranges],
            "stream_version": self.stream_version,
        }

    def _repr_html_(self) -> str:
        return listed(RATE_HEAD, [rate_row(self)])

    def __repr__(self) -> str:
        size = "x".join(map(str, self.spec.shape))
        low, high = self.interval()
        return (
            f"<Result {size}/{self.spec.mines} {self.policy}: {self.wins} of {self.games} won,"
            f" {self.win_rate:.4%} (95 %: {low:.4%} .. {high:.4%})>"
        )


RATE_HEAD = ("board", "mines", "policy", "games", "won", "", "95 %", "guesses a game")
"""What is in a `rate_row`."""


def rate_row(result: Result) -> tuple[str, ...]:
    """What was played and how often it was won, with a bar, as HTML.

    Examples
    --------
    >>> import ndsweep as nd
    >>> rate_row(nd.simulate(nd.BEGINNER, 0))
    ('9x9', '10', 'single-point', '0', '', '', '', '')
    """
    kind = ("x".join(map(str, result.spec.shape)), str(result.spec.mines), escape(result.policy))
    if not result.games:
        return (*kind, "0", "", "", "", "")
    low, high = result.interval()
    return (
        *kind,
        f"{result.games:,}",
        f"{100 * result.win_rate:.4g} %",
        rate_bar(result.win_rate, low, high),
        f"{100 * low:.4g} to {100 * high:.4g}",
        f"{result.counts['guesses'] / result.games:.3g}",
    )


def _merged_records(a: Result, b: Result) -> npt.NDArray[np.void]:
    """The rows of both in order of their ranges; none if either has not kept them."""
    if not (a.games and b.games):
        return (a if a.games else b).records
    if len(a.records) < a.games or len(b.records) < b.games:
        return np.empty(0, dtype=ENDED)
    both = np.concatenate([a.records, b.records])
    return np.concatenate([both[:0], *(both[part] for part in in_order(a.ranges + b.ranges))])
