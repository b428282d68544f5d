"""The table of a study: its columns, what its rows have in common, and its files."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ndsweep.extras import needed
from ndsweep.frames import arrow_table
from ndsweep.result import Result
from ndsweep.spec import SpecError
from ndsweep.tasks import Task

if TYPE_CHECKING:
    import pyarrow as pa

Row = dict[str, Any]

COLUMNS = (
    "shape", "dimensions", "cells", "length", "mines", "density", "first", "policy", "seed", "first_cell",
    "games", "wanted", "wins", "win_rate", "low", "high", "guesses", "reveals", "opened", "key",
)  # fmt: skip
"""The columns of a study's table."""

NUMBERS = ("density", "mines", "cells", "length", "dimensions")
"""The columns that a picture may run along."""

_SETTINGS = ("shape", "density", "first", "policy", "seed", "first_cell")
_TEXTS = ("shape", "first", "policy", "seed", "key")  # and numbers, in files that name their types
_FLOATS = ("length", "density", "win_rate", "low", "high")
_SIZES = ("cells", "length", "dimensions")


def row_of(task: Task, result: Result, wanted: int) -> Row:
    """A task and its result as a row.

    Examples
    --------
    >>> from ndsweep.spec import BEGINNER
    >>> row_of(Task(BEGINNER), Task(BEGINNER).nothing(), 100)["wanted"]
    100
    """
    spec = task.spec
    values = (
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
    return dict(zip(COLUMNS, values, strict=True))


def differing(rows: Iterable[Row], x: str) -> list[str]:
    """The settings in which rows differ, but for what x stands for.

    Along cells or lengths shapes differ, and those of two dimensions have no line in common.

    Examples
    --------
    >>> rows = [dict.fromkeys(COLUMNS, 0) | {"policy": name, "density": name} for name in ("pairs", "random")]
    >>> differing(rows, "density")
    ['policy']
    """
    names = [name for name in _SETTINGS if name != ("shape" if x in _SIZES else "density")]
    if x in ("cells", "length"):
        names.insert(0, "dimensions")
    return [name for name in names if len({row[name] for row in rows}) > 1]


def split(rows: Iterable[Row], names: Iterable[str]) -> dict[str, list[Row]]:
    """The rows by what they share, with these values as a label.

    Examples
    --------
    >>> list(split([{"dimensions": 2, "policy": "pairs"}], ["dimensions", "policy"]))
    ['2-D, pairs']
    """
    found: dict[str, list[Row]] = {}
    chosen = list(names)
    for row in rows:
        label = ", ".join(f"{row[name]}-D" if name == "dimensions" else str(row[name]) for name in chosen)
        found.setdefault(label, []).append(row)
    return found


def grouped(rows: Sequence[Row], x: str, group: str | Sequence[str] | None) -> dict[str, list[Row]]:
    """The rows by what they share besides x; SpecError where that leaves two at one x.

    Examples
    --------
    >>> rows = [dict.fromkeys(COLUMNS, 0) | {"policy": name} for name in ("pairs", "random")]
    >>> list(grouped(rows, "density", None))
    ['pairs', 'random']
    """
    names = [group] if isinstance(group, str) else group
    if unknown := [name for name in names or () if name not in COLUMNS]:
        raise SpecError(f"group must be one or some of {', '.join(COLUMNS)}. Got {unknown[0]!r}.")
    free = differing(rows, x)
    found = split(rows, free if names is None else names)
    for label, some in found.items():
        if len({row[x] for row in some}) < len(some):
            mixed = [*differing(some, x), "shape"][0]
            raise SpecError(f"group must hold {mixed!r} too: it differs within {label or 'the study'!r}.")
    return found


def played(rows: Iterable[Row], x: str) -> list[Row]:
    """The rows that have games; SpecError if there are none, or x is no column of numbers.

    Examples
    --------
    >>> played([{"games": 0}, {"games": 5}], "density")
    [{'games': 5}]
    """
    if x not in NUMBERS:
        raise SpecError(f"x must be one of {', '.join(NUMBERS)}. Got {x!r}.")
    found = [row for row in rows if row["games"]]
    if not found:
        raise SpecError("the study must have games. It has none yet.")
    return found


def arrow_of(rows: Sequence[Row]) -> pa.Table:
    """The rows as a table of Arrow; seeds are text, since they may be of any size.

    Examples
    --------
    >>> arrow_of([]).column_names == list(COLUMNS)
    True
    """
    with needed("a table of Arrow needs pyarrow", "arrow"):
        import pyarrow as pa
    columns = {name: [row[name] for row in rows] for name in COLUMNS}
    columns["seed"] = [str(seed) for seed in columns["seed"]]
    kinds = {
        name: pa.string() if name in _TEXTS else pa.float64() if name in _FLOATS else pa.int64() for name in COLUMNS
    }
    return arrow_table({name: pa.array(values, kinds[name]) for name, values in columns.items()})


# Files ---------------------------------------------------------------------------------------


def _write_csv(rows: list[Row], path: Path) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def _write_parquet(rows: list[Row], path: Path) -> None:
    with needed("a .parquet file needs pyarrow", "arrow"):
        from pyarrow import parquet
    parquet.write_table(arrow_of(rows), path)


WRITERS: dict[str, Callable[[list[Row], Path], None]] = {".csv": _write_csv, ".parquet": _write_parquet}
"""What writes a table, by the end of the file's name."""
