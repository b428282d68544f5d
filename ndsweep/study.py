"""Study: the results of many tasks, as a table, a file and a picture."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ndsweep.npy import PathLike, checked_path, replacing
from ndsweep.result import Result
from ndsweep.spec import SpecError
from ndsweep.tasks import Task
from ndsweep.tracks import stored

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "shape", "dimensions", "cells", "length", "mines", "density", "first", "policy", "seed", "first_cell",
    "games", "wanted", "wins", "win_rate", "low", "high", "guesses", "reveals", "opened", "key",
)  # fmt: skip
"""The columns of a study's table."""


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

    def rows(self) -> list[dict[str, Any]]:
        """The table, a dictionary a task.

        ``length`` is the linear size, cells ** (1 / dimensions); ``low`` and ``high`` are the ends
        of the 95 % interval of the win rate; ``key`` is the identity of the task.

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.collect([nd.BEGINNER], 100, progress=False).rows()[0]["density"]
        0.12345679012345678
        """
        return [dict(zip(COLUMNS, _row(*pair), strict=True)) for pair in self._lines()]

    def to_pandas(self) -> pd.DataFrame:
        """The table, a row a task; see `rows`.

        Needs pandas (``pip install "ndsweep[pandas]"``).

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.collect(nd.grid([(8, 8)], [0.1, 0.2]), 100, progress=False).to_pandas()["mines"].tolist()
        [6, 13]
        """
        try:
            import pandas as pd
        except ImportError:
            raise ImportError('to_pandas needs pandas: pip install "ndsweep[pandas]"') from None
        return pd.DataFrame(self.rows(), columns=list(COLUMNS))

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
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "table.csv")
        ...     nd.collect([nd.BEGINNER], 100, progress=False).export(path)
        ...     print(open(path).readline()[:30])
        shape,dimensions,cells,length,
        """
        kind = checked_path(path).suffix.lower()
        if kind not in _WRITERS:
            raise SpecError(f"path must end in {' or '.join(_WRITERS)}. Got {os.fspath(path)!r}.")
        with replacing(path) as scratch:
            _WRITERS[kind](self.rows(), scratch)

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


def _row(task: Task, result: Result, wanted: int) -> tuple[Any, ...]:
    spec = task.spec
    return (
        "x".join(map(str, spec.shape)),
        spec.ndim,
        spec.size,
        spec.size ** (1 / spec.ndim),
        spec.mines,
        spec.mines / spec.size,
        spec.first,
        task.policy_name,
        task.seed,
        task.flat_cell,
        result.games,
        wanted,
        result.wins,
        result.win_rate if result.games else None,
        *result.interval(),
        *(result.counts[name] for name in ("guesses", "reveals", "opened")),
        task.key,
    )


def _write_csv(rows: list[dict[str, Any]], path: Path) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def _write_parquet(rows: list[dict[str, Any]], path: Path) -> None:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise ImportError('a .parquet file needs pyarrow: pip install "ndsweep[arrow]"') from None
    columns = {name: [row[name] for row in rows] for name in COLUMNS}
    columns["seed"] = [str(seed) for seed in columns["seed"]]  # of any size
    parquet.write_table(pa.table(columns), path)


_WRITERS = {".csv": _write_csv, ".parquet": _write_parquet}
