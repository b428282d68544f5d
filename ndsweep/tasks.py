"""Tasks: what is to be played, with everything that decides the outcome; and grids of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.checks import check_memory, checked_first_cell, checked_spec
from ndsweep.engine.streams import STREAM_VERSION
from ndsweep.policies import NAMED, Policy, checked_policy
from ndsweep.result import Result
from ndsweep.spec import Cell, FormatError, PolicyError, Spec, SpecError, checked_int, checked_shape

_DIGITS = 4000  # Python writes no more than 4,300 unless it is told to
_TOO_LONG = 10**_DIGITS


@dataclass(frozen=True)
class Absent:
    """A policy of which the name is known alone, as in a store that is read.

    Examples
    --------
    >>> Absent("mine").choose(None, None)
    Traceback (most recent call last):
    ...
    ndsweep.spec.PolicyError: policy 'mine' is known by its name alone and cannot choose; give the task the policy.
    """

    name: str

    def choose(self, views: object, turn: object) -> npt.ArrayLike:
        """Cannot."""
        raise PolicyError(
            f"policy {self.name!r} is known by its name alone and cannot choose; give the task the policy."
        )


@dataclass(frozen=True)
class Task:
    """Games of one kind under one policy, of one seed: what a `Result` is the outcome of.

    Parameters
    ----------
    spec : Spec
        The kind of game.
    policy : {"single-point", "pairs", "random"} or Policy
        Which cell next, as in `simulate`.
    seed : int
        Which games.
    first_cell : cell, "corner" or None
        The first cell of every game, kept as a flat index; by default each game's own random one.

    Raises
    ------
    SweepError
        If an argument is not of its kind.

    Examples
    --------
    >>> import ndsweep as nd
    >>> task = nd.Task(nd.BEGINNER, "pairs", seed=7)
    >>> task.key[:12]
    'b616ebb182d4'
    """

    spec: Spec
    policy: str | Policy = "single-point"
    seed: int = 0
    first_cell: Cell | str | None = None

    def __post_init__(self) -> None:
        checked_spec(self.spec)
        checked_policy(self.policy)
        check_memory(f"games of shape {self.spec.shape}", self.spec.size)
        object.__setattr__(self, "seed", checked_int("seed", self.seed))
        corner = isinstance(self.first_cell, str) and self.first_cell == "corner"
        object.__setattr__(self, "first_cell", checked_first_cell(self.spec, 0 if corner else self.first_cell))

    @property
    def policy_name(self) -> str:
        """The name of the policy in results; one of your own that is named as one of ours is marked."""
        if isinstance(self.policy, str):
            return self.policy
        name = str(getattr(self.policy, "name", type(self.policy).__qualname__))
        is_marked = isinstance(self.policy, Absent)
        return f"own {name}" if not is_marked and name.removeprefix("own ") in NAMED else name

    @property
    def flat_cell(self) -> int | None:
        """The flat first cell, or None for a random one."""
        return self.first_cell  # type: ignore[return-value]

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides the outcome, ready for JSON."""
        return {
            "shape": list(self.spec.shape),
            "mines": self.spec.mines,
            "first": self.spec.first,
            "policy": self.policy_name,
            "seed": self.seed,
            "first_cell": self.flat_cell,
            "stream_version": STREAM_VERSION,
        }

    @property
    def text(self) -> str:
        """The identity as canonical JSON: names in order, no spaces, ASCII."""
        if abs(self.seed) >= _TOO_LONG:
            raise SpecError(f"seed must have less than {_DIGITS + 1} digits in a study. Got one of more.")
        return json.dumps(self.identity, sort_keys=True, separators=(",", ":"))

    @property
    def key(self) -> str:
        """SHA-256 of the canonical JSON, in hexadecimal digits."""
        return hashlib.sha256(self.text.encode("ascii")).hexdigest()

    @classmethod
    def from_text(cls, text: str) -> Task:
        """The task of a canonical JSON; a policy that is not one of ours is known by its name alone."""
        try:
            known = json.loads(text)
            policy = known["policy"] if known["policy"] in NAMED else Absent(known["policy"])
            return cls(Spec(known["shape"], known["mines"], known["first"]), policy, known["seed"], known["first_cell"])
        except (ValueError, LookupError, TypeError):
            error = f"store must be the file of a study. It holds a task that cannot be read: {text[:80]!r}."
            raise FormatError(error) from None

    def result(self, start: int, stop: int, rows: npt.NDArray[np.void], **totals: int) -> Result:
        """The result of games start .. stop-1, from the totals by name and the rows that are kept."""
        rows.flags.writeable = False
        games, wins = totals.pop("games"), totals.pop("wins")
        ranges = ((self.seed, start, stop),) if stop > start else ()
        return Result(self.spec, self.policy_name, self.flat_cell, games, wins, totals, rows, ranges)

    def nothing(self) -> Result:
        """The result of no games."""
        return Result.empty(self.spec, self.policy_name, self.flat_cell)

    def __str__(self) -> str:
        size = "x".join(map(str, self.spec.shape))
        cell = "" if self.flat_cell is None else f", first cell {self.flat_cell}"
        return f"{size}/{self.spec.mines} {self.spec.first} {self.policy_name}, seed {self.seed}{cell}"


def grid(
    shapes: Sequence[Any],
    densities: float | Iterable[float] | None = None,
    policies: str | Policy | Iterable[str | Policy] = "single-point",
    first: str | Iterable[str] = "safe",
    *,
    mines: int | Iterable[int] | None = None,
    seed: int = 0,
    first_cell: Cell | str | None = None,
) -> list[Task]:
    """Tasks for every combination of shape, number of mines, first-click rule and policy.

    Parameters
    ----------
    shapes : shape or sequence of shapes
        Sizes of the axes.
    densities : float or sequence of float
        Mines a cell, between 0 and 1; the number of mines is the nearest whole one.  Densities that
        come to the same number of mines are one setting.
    policies : policy or sequence of policies
        As in `simulate`.
    first : rule or sequence of rules
        First-click rules, as in `Spec`.
    mines : int or sequence of int
        Numbers of mines, in place of densities.
    seed, first_cell
        As in `simulate`, the same for all.

    Returns
    -------
    list of Task
        The last argument varies fastest: shapes, mines, first-click rules, policies.

    Raises
    ------
    SweepError
        If an argument is not of its kind, or a combination cannot be.

    Examples
    --------
    >>> import ndsweep as nd
    >>> for task in nd.grid([(8, 8), (4, 4, 4)], [0.1, 0.2], ["single-point", "pairs"])[:3]:
    ...     print(task)
    8x8/6 safe single-point, seed 0
    8x8/6 safe pairs, seed 0
    8x8/13 safe single-point, seed 0
    """
    if (densities is None) == (mines is None):
        raise SpecError("densities or mines must be given, and not both.")
    sizes = _shapes(shapes)
    counts = {size: _mines(size, densities, mines) for size in sizes}
    rules, chosen = _each("first", first, str), _each("policies", policies, str | Policy)
    specs = (Spec(size, count, rule) for size in sizes for count, rule in product(counts[size], rules))
    return [Task(spec, policy, seed, first_cell) for spec in specs for policy in chosen]


def checked_tasks(tasks: object) -> list[Task]:
    """The tasks, from tasks, specs or tuples of a task's arguments; SpecError where two are the same.

    Examples
    --------
    >>> from ndsweep.spec import BEGINNER
    >>> checked_tasks([BEGINNER, (BEGINNER, "pairs")])[1].policy
    'pairs'
    """
    given = [tasks] if isinstance(tasks, Task | Spec) else tasks
    if not isinstance(given, Iterable) or isinstance(given, str | bytes):
        raise SpecError(f"tasks must be a sequence of tasks. Got {tasks!r}.")
    found = [_task(item) for item in given]
    places: dict[str, int] = {}
    for place, task in enumerate(found):
        if places.setdefault(task.key, place) != place:
            raise SpecError(f"tasks must differ. Numbers {places[task.key]} and {place} are both {task}.")
    return found


def _task(item: object) -> Task:
    if isinstance(item, Task):
        return item
    if isinstance(item, Spec):
        return Task(item)
    if isinstance(item, tuple) and 1 <= len(item) <= 4:
        return Task(*item)
    raise SpecError(f"tasks must hold tasks, specs, or tuples (spec, policy, seed). Got {item!r}.")


def _each(name: str, values: Any, kind: Any) -> list[Any]:
    """The values in order, each once; one value alone is a list of one."""
    if isinstance(values, kind):
        return [values]
    if not isinstance(values, Iterable):
        raise SpecError(f"{name} must be one or a sequence of them. Got {values!r}.")
    found: list[Any] = []
    for value in values:
        if not any(value is one or (type(value) is type(one) and value == one) for one in found):
            found.append(value)
    if not found:
        raise SpecError(f"{name} must not be empty.")
    return found


def _shapes(shapes: Any) -> list[tuple[int, ...]]:
    if not isinstance(shapes, Iterable) or isinstance(shapes, str | bytes):
        raise SpecError(f"shapes must be a sequence of shapes. Got {shapes!r}.")
    sizes = list(shapes)
    alone = sizes and not any(isinstance(size, Iterable) for size in sizes)
    return _each("shapes", [checked_shape(size, "shapes") for size in ([sizes] if alone else sizes)], ())


def _mines(shape: tuple[int, ...], densities: Any, mines: Any) -> list[int]:
    """The numbers of mines of a shape."""
    if densities is None:
        return [checked_int("mines", count, 0) for count in _each("mines", mines, int | np.integer)]
    counts = []
    for density in _each("densities", densities, Real):
        share = float(density) if isinstance(density, Real) and not isinstance(density, bool) else -1.0
        if not 0 <= share <= 1:
            raise SpecError(f"densities must be numbers between 0 and 1. Got {density!r}.")
        counts.append(round(share * prod(shape)))
    return _each("densities", counts, ())
