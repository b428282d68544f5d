"""BoardStats: numbers of many boards, a histogram of each and a row a board.  They add."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import STREAM_VERSION
from ndsweep.frames import arrow_table, data_frame, rows_of_arrow
from ndsweep.histogram import Histogram, checked_levels
from ndsweep.ranges import Range, in_order, joined
from ndsweep.spec import MergeError, Spec, SpecError, in_short

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from matplotlib.axes import Axes

Columns = dict[str, npt.NDArray[np.signedinteger[Any]]]

PER_REGION = ("opening_size", "island_size")
"""Names of the histograms that have an entry a region, not a board."""

QUANTILES = (0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999)
"""The quantiles that are told unless others are asked for."""


@dataclass(frozen=True, eq=False)
class BoardStats:
    """The statistics of boards of one grid.

    ``stats["bbbv"]`` is a column of numbers, one a board; ``stats.histogram("bbbv")`` says how
    often each came up.  Means and quantiles come from histograms, so they need no rows.

    Attributes
    ----------
    shape : tuple of int
        Sizes of the axes.
    boards : int
        How many boards.
    histograms : dict of str to Histogram
        For each number of a board, how many boards have how many of it; under ``opening_size``
        and ``island_size``, how many openings and islands have how many cells.
    columns : dict of str to (boards,) int array
        The numbers themselves; empty columns where rows were not kept.
    spec : Spec or None
        The kind of game that dealt them, or None for boards from elsewhere.
    ranges : tuple of (seed, start, stop)
        Which games they are; none for boards from elsewhere.
    stream_version : int
        The version of the random streams.

    Examples
    --------
    >>> import ndsweep as nd
    >>> stats = nd.board_stats(nd.BEGINNER, 1000, seed=1)
    >>> stats["bbbv"][:4], stats["openings"][:4]
    (array([ 9, 23, 14, 17], dtype=int32), array([2, 1, 2, 4], dtype=int32))
    >>> stats + nd.board_stats(nd.BEGINNER, 500, seed=1, start=1000) == nd.board_stats(nd.BEGINNER, 1500, seed=1)
    True
    """

    shape: tuple[int, ...]
    boards: int
    histograms: Mapping[str, Histogram]
    columns: Mapping[str, npt.NDArray[np.signedinteger[Any]]]
    spec: Spec | None = None
    ranges: tuple[Range, ...] = ()
    stream_version: int = field(default=STREAM_VERSION)

    def __post_init__(self) -> None:
        for column in self.columns.values():
            column.flags.writeable = False

    @property
    def names(self) -> tuple[str, ...]:
        """The numbers that each board has."""
        return tuple(self.columns)

    @property
    def has_rows(self) -> bool:
        """Whether a row was kept for every board."""
        return all(len(column) == self.boards for column in self.columns.values())

    @property
    def row_bytes(self) -> int:
        """Bytes that the row of a board takes."""
        return sum(column.itemsize for column in self.columns.values())

    def without_rows(self) -> BoardStats:
        """The same with histograms alone.

        Examples
        --------
        >>> import ndsweep as nd
        >>> stats = nd.board_stats(nd.BEGINNER, 10)
        >>> stats.without_rows() == nd.board_stats(nd.BEGINNER, 10, rows=False)
        True
        """
        # new arrays: empty views would keep the whole columns
        columns = {name: np.zeros(0, dtype=column.dtype) for name, column in self.columns.items()}
        return replace(self, columns=columns)

    def keys(self) -> tuple[str, ...]:
        """The names, so that ``dict(stats)`` is a table of columns."""
        return self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __getitem__(self, name: str) -> npt.NDArray[np.signedinteger[Any]]:
        """The column of a number; "hints" for all of ``hint_0``, ``hint_1``, .., side by side."""
        if not self.has_rows:
            raise SpecError(f"rows must be kept, with rows=True, for a column. None are kept of {self.boards} boards.")
        if name == "hints" and "hint_0" in self.columns:
            return np.stack([column for key, column in self.columns.items() if key.startswith("hint_")], axis=1)
        return self.columns[self._checked(name, self.columns)]

    def histogram(self, name: str) -> Histogram:
        """How often each number of some kind came up.

        Parameters
        ----------
        name : str
            One of ``names``, or "opening_size" or "island_size" for the sizes of all openings or
            islands, which are there if the largest are.

        Returns
        -------
        Histogram

        Raises
        ------
        SpecError
            If there is no such number.

        Examples
        --------
        >>> import ndsweep as nd
        >>> bbbv = nd.board_stats(nd.EXPERT, 2000, rows=False).histogram("bbbv")
        >>> bbbv.total, 172 < bbbv.mean < 175, bbbv.quantile(0.5)
        (2000, True, 172)
        """
        return self.histograms[self._checked(name, self.histograms)]

    def describe(self, quantiles: Iterable[float] = QUANTILES) -> dict[str, dict[str, float]]:
        """Mean, its standard error, standard deviation, least, quantiles and largest of each number.

        The sizes of regions have no standard error (NaN): those of one board are not independent.

        Parameters
        ----------
        quantiles : iterable of float
            Between 0 and 1; a quantile is the least number that so many of the boards do not exceed.

        Returns
        -------
        dict of str to dict
            By number, then by name: mean, se, sd, min, the quantiles as percentages, max.

        Raises
        ------
        SpecError
            If a quantile is not between 0 and 1.

        Examples
        --------
        >>> import ndsweep as nd
        >>> list(nd.board_stats(nd.EXPERT, 100, columns=["bbbv"]).describe([0.5])["bbbv"])
        ['mean', 'se', 'sd', 'min', '50%', 'max']
        """
        levels = checked_levels(quantiles)  # once: they may be a generator
        table = {name: histogram.describe(levels) for name, histogram in self.histograms.items()}
        for name in table.keys() & PER_REGION:  # regions of one board are not independent
            table[name]["se"] = float("nan")
        return table

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a table, one a board; without rows the table of `describe`, one row a number.

        Needs pandas (``pip install "ndsweep[pandas]"``).

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.board_stats(nd.BEGINNER, 3, columns=["bbbv", "zeros"]).to_pandas().shape
        (3, 2)
        """
        if self.has_rows:
            return data_frame(dict(self.columns))
        table = self.describe()
        return data_frame(list(table.values()), index=list(table))

    def to_arrow(self) -> pa.Table:
        """The rows as a table of Arrow that shares their memory; without rows the table of `describe`.

        Needs pyarrow (``pip install "ndsweep[arrow]"``).

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.board_stats(nd.BEGINNER, 3, columns=["bbbv", "zeros"]).to_arrow().column_names
        ['bbbv', 'zeros']
        """
        if self.has_rows:
            return arrow_table(self.columns)
        return rows_of_arrow([{"name": name, **row} for name, row in self.describe().items()])

    def hist(self, name: str = "bbbv", ax: Axes | None = None) -> Axes:
        """Draws the histogram of a number.

        Needs matplotlib (``pip install "ndsweep[plot]"``).

        Parameters
        ----------
        name : str
            As in `histogram`.
        ax : matplotlib Axes, optional
            Where to draw; a new figure if it is None.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        SpecError
            If there is no such number, or no board has it.

        Examples
        --------
        >>> import ndsweep as nd
        >>> ax = nd.board_stats(nd.BEGINNER, 100).hist("bbbv")
        >>> ax.get_xlabel()
        'bbbv'
        >>> import matplotlib.pyplot as plt
        >>> plt.close(ax.figure)
        """
        from ndsweep.bars import draw_counts

        what = f"{name.split('_')[0]}s" if name in PER_REGION else "boards"
        return draw_counts(self.histogram(name), name, what, ax)

    def __add__(self, other: BoardStats) -> BoardStats:
        """The statistics of the boards of both; MergeError if they differ in kind or share games."""
        if not isinstance(other, BoardStats):
            return NotImplemented
        for name in ("shape", "spec", "names", "stream_version"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise MergeError(f"statistics must have the same {name}. Got {in_short(mine)} and {in_short(theirs)}.")
        return BoardStats(
            self.shape,
            self.boards + other.boards,
            {name: self.histograms[name] + other.histograms[name] for name in self.histograms},
            _joined_columns(self, other),
            self.spec,
            joined(self.ranges + other.ranges),
            self.stream_version,
        )

    def __radd__(self, other: object) -> BoardStats:
        return self if other == 0 else NotImplemented  # the start of sum()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoardStats):
            return NotImplemented
        names = ("shape", "boards", "spec", "names", "ranges", "stream_version")
        return (
            all(getattr(self, name) == getattr(other, name) for name in names)
            and all(np.array_equal(self.columns[name], other.columns[name]) for name in self.names)
            and self.histograms == other.histograms
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        size = "x".join(map(str, self.shape))
        mines = "" if self.spec is None else f"/{self.spec.mines}"
        names = dict.fromkeys("hints" if name.startswith("hint_") else name for name in self.names)
        return f"<BoardStats of {self.boards} {size}{mines}: {', '.join(names)}>"

    def __str__(self) -> str:
        table = self.describe((0.01, 0.25, 0.5, 0.75, 0.99))
        seen = {name: row for name, row in table.items() if row["max"] or not name.startswith("hint_")}
        heads = list(next(iter(table.values())))
        lines = [["", *heads], *([name, *map(_shown, row.values())] for name, row in seen.items())]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            f"{line[0]:<{widths[0]}}  " + "  ".join(map(str.rjust, line[1:], widths[1:])) for line in lines
        )

    @staticmethod
    def _checked(name: object, known: Iterable[str]) -> str:
        if isinstance(name, str) and name in known:
            return name
        raise SpecError(f"name must be {', '.join(map(repr, known))}. Got {name!r}.")


def _joined_columns(one: BoardStats, other: BoardStats) -> Columns:
    """The rows of both in order of their ranges; none if either has not kept them."""
    if not (one.has_rows and other.has_rows):
        return dict(one.without_rows().columns)
    both = {name: np.concatenate([one.columns[name], other.columns[name]]) for name in one.columns}
    if not (one.ranges or other.ranges):
        return both
    parts = in_order(one.ranges + other.ranges)
    return {name: np.concatenate([rows[:0], *(rows[part] for part in parts)]) for name, rows in both.items()}


def _shown(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4f}"
