"""Study: the results of many tasks, as a table, a file and a picture."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ndsweep.cubes import AXES, cube
from ndsweep.frames import data_frame
from ndsweep.intervals import checked_level, wilson
from ndsweep.npy import PathLike, checked_path, replacing
from ndsweep.pictures import Line, draw_lines, draw_scaled
from ndsweep.render.tables import listed
from ndsweep.result import RATE_HEAD, Result, rate_row
from ndsweep.scaling import Scaling, fit_scaling
from ndsweep.spec import SpecError
from ndsweep.table import COLUMNS, WRITERS, Row, arrow_of, differing, grouped, played, row_of, split
from ndsweep.tasks import Task
from ndsweep.tracks import stored
from ndsweep.transition import Transition, fit_transition

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import xarray as xr
    from matplotlib.axes import Axes

_SHOWN = 60  # tasks in a notebook
_NAMES = {"density": "mines per cell"}  # of columns, on the axis of a picture


@dataclass(frozen=True, eq=False)
class Study:
    """The results of many tasks, in their order.

    It is a sequence of results: ``len(study)``, ``study[0]``, ``for result in study``.

    Attributes
    ----------
    tasks : tuple of Task
        What was played.  A policy of your own that was read from a store is known by its name alone.
    results : tuple of Result
        The result of each.
    wanted : tuple of int
        How many games of each were asked for, or were enough.

    Examples
    --------
    >>> import ndsweep as nd
    >>> study = nd.collect(nd.grid([(8, 8), (4, 4, 4)], [0.1, 0.2]), 500, progress=False)
    >>> len(study), study[0].spec
    (4, Spec(shape=(8, 8), mines=6, first='safe'))
    """

    tasks: tuple[Task, ...]
    results: tuple[Result, ...]
    wanted: tuple[int, ...]

    @classmethod
    def open(cls, path: PathLike, records: bool = False) -> Study:
        """The study in a store, as far as it is.

        Parameters
        ----------
        path : path
            The file that `collect` got as its store.  It may be in use.
        records : bool
            Whether to read the rows of the games too; blocks without them are left out then.

        Returns
        -------
        Study
            For each task the result of its first games, up to as many as were asked for last.

        Raises
        ------
        FormatError, StoreError
            If there is no such file, or it is another one.

        Examples
        --------
        >>> import ndsweep as nd
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "study.db")
        ...     study = nd.collect([nd.BEGINNER], 300, store=path, progress=False)
        ...     nd.Study.open(path) == study
        True
        """
        found = stored(path, records)
        return cls(*(tuple(column) for column in zip(*found, strict=True))) if found else cls((), (), ())

    def rows(self) -> list[Row]:
        """The table, a dictionary a task.

        ``length`` is the linear size, cells ** (1 / dimensions); ``low`` and ``high`` are the ends
        of the 95 % interval of the win rate; ``key`` is the identity of the task.

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.collect([nd.BEGINNER], 100, progress=False).rows()[0]["density"]
        0.12345679012345678
        """
        return [row_of(*line) for line in self._lines()]

    def to_pandas(self) -> pd.DataFrame:
        """The table, a row a task; see `rows`.

        Needs pandas (``pip install "ndsweep[pandas]"``).

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.collect(nd.grid([(8, 8)], [0.1, 0.2]), 100, progress=False).to_pandas()["mines"].tolist()
        [6, 13]
        """
        return data_frame(self.rows(), columns=list(COLUMNS))

    def to_arrow(self) -> pa.Table:
        """The table, a row a task; see `rows`.  Seeds are text, since they may be of any size.

        Needs pyarrow (``pip install "ndsweep[arrow]"``).

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.collect(nd.grid([(8, 8)], [0.1, 0.2]), 100, progress=False).to_arrow()["mines"].to_pylist()
        [6, 13]
        """
        return arrow_of(self.rows())

    def to_xarray(self, dims: Sequence[str] = AXES, densities: Iterable[float] | None = None) -> xr.Dataset:
        """The table as arrays with named axes, a place for every combination of settings.

        Needs xarray (``pip install "ndsweep[xarray]"``).

        Parameters
        ----------
        dims : sequence of str
            The axes, some of "shape", "density", "mines", "first", "policy", "seed" and "first_cell".
        densities : sequence of float, optional
            The densities that `grid` was given, in place of the true ones.  The number of mines
            is whole, so that the true ones differ a little from shape to shape.

        Returns
        -------
        xarray.Dataset
            Variables ``games``, ``wanted``, ``wins``, ``guesses``, ``reveals``, ``opened``, 0
            in places where no task is; ``win_rate`` with its 95 % interval ``low`` and ``high``, NaN
            there; ``mines`` and ``density`` where they are no axes.  ``dimensions``, ``cells`` and
            ``length`` are coordinates of the shape.  Settings that all tasks share are attributes.

        Raises
        ------
        SpecError
            If there is no such axis, no density for a task, or two tasks meet in one place.

        Examples
        --------
        >>> import ndsweep as nd
        >>> study = nd.collect(nd.grid([(8, 8), (4, 4, 4)], [0.1, 0.2], ["random", "pairs"]), 500, progress=False)
        >>> data = study.to_xarray(["shape", "density", "policy"], densities=[0.1, 0.2])
        >>> dict(data.sizes)
        {'shape': 2, 'density': 2, 'policy': 2}
        >>> data.win_rate.sel(shape="8x8", policy="pairs").values > 0.5
        array([ True, False])
        """
        return cube(self.rows(), dims, densities)

    def export(self, path: PathLike) -> None:
        """Writes the table to a file, all of it or nothing.

        Parameters
        ----------
        path : path
            Ends in ``.csv``, or in ``.parquet`` (needs pyarrow, ``pip install "ndsweep[arrow]"``).

        Raises
        ------
        SpecError
            If it ends in anything else.

        Examples
        --------
        >>> import ndsweep as nd
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "table.csv")
        ...     nd.collect([nd.BEGINNER], 100, progress=False).export(path)
        ...     print(path.read_text()[:30])
        shape,dimensions,cells,length,
        """
        kind = checked_path(path).suffix.lower()
        if kind not in WRITERS:
            raise SpecError(f"path must end in {' or '.join(WRITERS)}. Got {os.fspath(path)!r}.")
        with replacing(path) as scratch:
            WRITERS[kind](self.rows(), scratch)

    # Transitions and pictures ------------------------------------------------------------------------

    def transitions(
        self, x: str = "density", group: str | Sequence[str] | None = None, level: float = 0.95
    ) -> dict[str, Transition]:
        """Where the win rate of each group changes with a column, and how sharply.

        Parameters
        ----------
        x : str
            A column of numbers.
        group : str or sequence of str, optional
            Columns that the tasks of a group share; by default all settings that differ, besides x.
        level : float
            Confidence level of the intervals.

        Returns
        -------
        dict of str to Transition
            By the group's values, as "16x30, pairs"; see `fit_transition`.

        Raises
        ------
        SpecError
            If a column is unknown, tasks of a group differ in more than x, or the rates of a group do not change.

        Examples
        --------
        >>> import ndsweep as nd
        >>> study = nd.collect(nd.grid([(8, 8), (4, 4, 4)], [0.05, 0.1, 0.15]), 500, progress=False)
        >>> {shape: round(found.midpoint, 2) for shape, found in study.transitions().items()}
        {'8x8': 0.15, '4x4x4': 0.07}
        """
        groups = grouped(played(self.rows(), x), x, group)
        return {name: _transition(name, x, rows, level) for name, rows in groups.items()}

    def scaling(self, x: str = "density", level: float = 0.95) -> dict[str, Scaling]:
        """How the transitions change with the size of the grid, for all shapes of a dimension at a time.

        Parameters
        ----------
        x, level
            As in `transitions`.

        Returns
        -------
        dict of str to Scaling
            By what the shapes have in common, as "2-D" or "3-D, pairs"; see `fit_scaling`.  The size
            is the column ``length``.

        Raises
        ------
        SpecError
            As `transitions`, or if there is one shape of a kind alone.

        Examples
        --------
        >>> import ndsweep as nd
        >>> study = nd.collect(nd.grid([(8, 8), (16, 16)], [0.08, 0.12, 0.16]), 1000, progress=False)
        >>> -1 < study.scaling()["2-D"].midpoint_exponent.value < 0
        True
        """
        rows = played(self.rows(), x)
        kinds = split(rows, ["dimensions", *(name for name in differing(rows, x) if name != "shape")])
        return {kind: _scaling(kind, x, some, level) for kind, some in kinds.items()}

    def plot(
        self,
        x: str = "density",
        group: str | Sequence[str] | None = None,
        ax: Axes | None = None,
        *,
        fit: bool = False,
        scaled: bool = False,
        level: float = 0.95,
    ) -> Axes:
        """Draws win rates with their intervals, a line for each group.

        Needs matplotlib (``pip install "ndsweep[plot]"``).

        Parameters
        ----------
        x, group
            As in `transitions`.
        ax : matplotlib Axes, optional
            Where to draw; a new figure if it is None.
        fit : bool
            Whether to draw the fitted logistic curves and their midpoints too, where rates change enough.
        scaled : bool
            Whether to draw all groups over their distance from the midpoint in widths, where
            logistic transitions fall on one curve.
        level : float
            Confidence level of the bands.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        SpecError
            As `transitions`.

        Examples
        --------
        >>> import ndsweep as nd
        >>> from matplotlib.figure import Figure
        >>> study = nd.collect(nd.grid([(8, 8), (4, 4, 4)], [0.05, 0.1, 0.15]), 500, progress=False)
        >>> ax = study.plot("density", "shape", Figure().subplots(), fit=True)
        >>> ax.get_xlabel()
        'mines per cell'
        """
        groups, level = grouped(played(self.rows(), x), x, group), checked_level(level)
        lines = [_line(name, x, rows, level, fit, scaled) for name, rows in groups.items()]
        return draw_scaled(lines, ax) if scaled else draw_lines(lines, ax, xlabel=_NAMES.get(x, x))

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, index: int) -> Result:
        return self.results[index]

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Study):
            return NotImplemented
        keys, others = ([task.key for task in study.tasks] for study in (self, other))
        return keys == others and self.results == other.results and self.wanted == other.wanted

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Study of {len(self)} tasks, {sum(result.games for result in self)} games>"

    def _repr_html_(self) -> str:
        rows = map(rate_row, self.results[:_SHOWN])
        return listed(RATE_HEAD, rows, f"{len(self) - _SHOWN:,} more tasks" if len(self) > _SHOWN else "")

    def __str__(self) -> str:
        return "\n".join(line(*row) for row in self._lines())

    def _lines(self) -> Iterator[tuple[Task, Result, int]]:
        return zip(self.tasks, self.results, self.wanted, strict=True)


def line(task: Task, result: Result, wanted: int) -> str:
    """A task and its result in one line.

    Examples
    --------
    >>> from ndsweep.spec import BEGINNER
    >>> line(Task(BEGINNER), Task(BEGINNER).nothing(), 100)
    '9x9/10 safe single-point, seed 0: no games of 100'
    """
    of = "" if result.games == wanted else f" of {wanted:,}"
    if not result.games:
        return f"{task}: no games{of}"
    low, high = result.interval()
    return f"{task}: {result.win_rate:.4%} won (95 %: {low:.4%} .. {high:.4%}), {result.games:,} games{of}"


def _transition(name: str, x: str, rows: list[Row], level: float) -> Transition:
    at, wins, games = ([row[column] for row in rows] for column in (x, "wins", "games"))
    try:
        return fit_transition(at, wins, games, level)
    except SpecError as error:
        raise SpecError(f"{name or 'the study'!r} has no transition to fit: {error}") from None


def _scaling(kind: str, x: str, rows: list[Row], level: float) -> Scaling:
    shapes = grouped(rows, x, "shape")
    found = [_transition(name, x, some, level) for name, some in shapes.items()]
    try:
        return fit_scaling([some[0]["length"] for some in shapes.values()], found, level)
    except SpecError as error:
        raise SpecError(f"{kind!r} has no scaling: {error}") from None


def _line(name: str, x: str, rows: list[Row], level: float, fit: bool, scaled: bool) -> Line:
    ends = np.array([wilson(row["wins"], row["games"], level) for row in rows])
    at, rates = (np.array([row[column] for row in rows]) for column in (x, "win_rate"))
    found = None
    with suppress(SpecError) if not scaled else nullcontext():  # rates that do not change are drawn without a curve
        found = _transition(name, x, rows, level) if fit or scaled else None
    return Line(name, at, rates, ends[:, 0], ends[:, 1], found)
