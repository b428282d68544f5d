"""Plans: a TOML file that names the grids of a study and how many games it takes."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from typing import Any

from ndsweep.npy import PathLike, checked_path
from ndsweep.spec import FormatError, SweepError, checked_int
from ndsweep.tasks import Task, grid

_TOP = {"games", "half_width", "level", "records", "grid"}
_GRID = {"shapes", "densities", "mines", "policies", "first", "first_cell", "seed"}
_RANGE = {"from", "to", "count"}


@dataclass(frozen=True)
class Plan:
    """What a plan asks for: the arguments of `collect`.

    Examples
    --------
    >>> Plan((), 1000).options
    {'half_width': None, 'level': 0.95, 'records': False}
    """

    tasks: tuple[Task, ...]
    games: int
    half_width: float | None = None
    level: float = 0.95
    records: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """The arguments besides tasks and games."""
        return {"half_width": self.half_width, "level": self.level, "records": self.records}


def read_plan(path: PathLike) -> Plan:
    """The plan in a TOML file.

    At the top stand ``games``, and if wanted ``half_width``, ``level`` and ``records``, as in
    `collect`.  Each ``[[grid]]`` holds the arguments of `grid`; ``densities`` and ``mines`` may also be
    ranges, ``{from = 0.01, to = 0.2, count = 20}``.  A task that is in two grids is played once.

    Parameters
    ----------
    path : path
        The file.

    Raises
    ------
    FormatError
        If it is no such plan; the message says where.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "plan.toml")
    ...     with open(path, "w") as file:
    ...         print("games = 100", "[[grid]]", "shapes = [[9, 9]]", "mines = [10, 12]", sep=chr(10), file=file)
    ...     [task.spec.mines for task in read_plan(path).tasks]
    [10, 12]
    """
    name = os.fspath(checked_path(path, "plan"))
    with open(name, "rb") as file:
        try:
            return _plan(tomllib.load(file))
        except (ValueError, RecursionError) as error:  # of TOML, of text that is no UTF-8, and ours
            raise FormatError(f"plan {name!r}: {error}") from None


def _plan(given: dict[str, Any]) -> Plan:
    _check_names("the top", given, _TOP)
    if "games" not in given:
        raise FormatError("games must be given, the number of games of each task.")
    grids = given.get("grid")
    if not isinstance(grids, list) or not grids or not all(isinstance(one, dict) for one in grids):
        raise FormatError("there must be a [[grid]] or more, each with shapes.")
    options = {name: given[name] for name in _TOP - {"grid"} if name in given}
    if not isinstance(given.get("records", False), bool):
        raise FormatError(f"records must be true or false. Got {given['records']!r}.")
    tasks = {task.key: task for number, one in enumerate(grids, 1) for task in _tasks(number, one)}
    return Plan(tuple(tasks.values()), checked_int("games", options.pop("games"), 1), **options)


def _tasks(number: int, given: dict[str, Any]) -> list[Task]:
    """The tasks of one grid."""
    _check_names(f"grid {number}", given, _GRID)
    if "shapes" not in given:
        raise FormatError(f"grid {number} must have shapes.")
    try:
        arguments = dict(given)
        if isinstance(cell := arguments.get("first_cell"), list):
            arguments["first_cell"] = tuple(cell)
        for name in ("densities", "mines"):
            if isinstance(values := arguments.get(name), dict):
                arguments[name] = _range(name, values)
        return grid(arguments.pop("shapes"), **arguments)
    except SweepError as error:
        raise FormatError(f"grid {number}: {error}") from None


def _range(name: str, given: dict[str, Any]) -> list[float]:
    """Numbers at equal distances, both ends included."""
    if set(given) != _RANGE or not all(isinstance(value, int | float) for value in given.values()):
        raise FormatError(f"{name} must be a list, or a table with the numbers from, to and count. Got {given}.")
    count = checked_int("count", given["count"], 2, 10_000)
    step = (given["to"] - given["from"]) / (count - 1)
    values = [given["from"] + step * k for k in range(count - 1)] + [given["to"]]
    return [round(value) for value in values] if name == "mines" else values


def _check_names(place: str, given: dict[str, Any], known: set[str]) -> None:
    if strange := sorted(set(given) - known):
        raise FormatError(f"{place} may have {', '.join(sorted(known))}. Got {strange[0]!r}.")
