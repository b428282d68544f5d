"""Cubes: the results of a study as arrays with named axes, for xarray, which is imported where one is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ndsweep.extras import needed
from ndsweep.spec import SpecError, in_short
from ndsweep.table import Row

if TYPE_CHECKING:
    import xarray as xr

AXES = ("shape", "density", "first", "policy")
"""The axes of a cube unless others are asked for."""

SETTINGS = ("shape", "density", "mines", "first", "policy", "seed", "first_cell")
"""The columns that may be axes: what decides the outcome of a task."""

_COUNTS = ("games", "wanted", "wins", "guesses", "reveals", "opened")
_RATES = ("win_rate", "low", "high")
_OF_SHAPE = ("dimensions", "cells", "length")
_SORTED = ("density", "mines")
_OF_ANY_SIZE = ("seed", "first_cell")  # seeds are of any size, and some first cells are no numbers

Place = tuple[int, ...]


def cube(rows: Sequence[Row], dims: Sequence[str] = AXES, densities: Iterable[float] | None = None) -> xr.Dataset:
    """The rows of a study's table as a dataset; see `Study.to_xarray`.

    Examples
    --------
    >>> cube([], ["shape", "mines"])["games"].shape
    (0, 0)
    """
    with needed("to_xarray needs xarray", "xarray"):
        import xarray as xr
    axes = _checked_axes(dims)
    nominal = None if densities is None else _checked_densities(densities, axes)
    rows = [{**row, **{name: _named(row[name]) for name in _OF_ANY_SIZE}} for row in rows]
    coords = {name: nominal if name == "density" and nominal is not None else _values(rows, name) for name in axes}
    places = _placed(rows, coords, nominal)
    shape = tuple(len(values) for values in coords.values())
    names = [*_COUNTS, *_RATES, *(name for name in _SORTED if name not in axes)]
    variables = {name: (axes, _filled(places, name, shape)) for name in names}
    labels: dict[str, Any] = {name: _as_array(values) for name, values in coords.items()}
    if "shape" in axes:
        firsts = {row["shape"]: row for row in reversed(rows)}
        for name in _OF_SHAPE:
            values = [firsts[size][name] for size in coords["shape"]]
            labels[name] = ("shape", np.array(values, dtype=np.float64 if name == "length" else np.int64))
    return xr.Dataset(variables, labels, _shared(rows, axes))


def _named(value: object) -> str:
    return "random" if value is None else str(value)


def _checked_axes(dims: Sequence[str]) -> list[str]:
    names = list(dims) if isinstance(dims, Iterable) and not isinstance(dims, str) else [dims]
    if not all(name in SETTINGS and names.count(name) == 1 for name in names):
        raise SpecError(f"dims must be some of {', '.join(SETTINGS)}, each once. Got {in_short(dims)}.")
    return names


def _checked_densities(densities: Iterable[float], axes: list[str]) -> list[float]:
    if "density" not in axes:
        raise SpecError(f"densities must go with 'density' in dims. Got {', '.join(axes)}.")
    try:
        found = sorted({float(density) for density in densities})
    except (TypeError, ValueError):
        found = [-1.0]
    if not all(0 <= density <= 1 for density in found):
        raise SpecError(f"densities must be numbers between 0 and 1. Got {in_short(densities)}.")
    return found


def _values(rows: Iterable[Row], name: str) -> list[Any]:
    """The values of a column, each once: numbers by size, names as they come."""
    found = list(dict.fromkeys(row[name] for row in rows))
    return sorted(found) if name in _SORTED else found


def _as_array(values: list[Any]) -> npt.NDArray[Any]:
    return np.array(values, dtype=None if values else np.float64)


def _placed(rows: Iterable[Row], coords: dict[str, list[Any]], nominal: list[float] | None) -> dict[Place, Row]:
    """The row of each place; SpecError where two meet."""
    indices = {name: {value: index for index, value in enumerate(values)} for name, values in coords.items()}
    found: dict[Place, Row] = {}
    for row in rows:
        for place in _places(row, indices, nominal):
            other = found.setdefault(place, row)
            if other is not row:
                _refuse(row, other, coords)
    return found


def _places(row: Row, indices: dict[str, dict[Any, int]], nominal: list[float] | None) -> Iterator[Place]:
    """Where a row belongs: in one place, or in all those of the densities that come to its mines."""
    choices = []
    for name, index in indices.items():
        if name == "density" and nominal is not None:
            fits = [i for i, density in enumerate(nominal) if round(density * row["cells"]) == row["mines"]]
            if not fits:
                raise SpecError(
                    f"densities must hold that of every task. Got none for {row['mines']} mines of {row['shape']}."
                )
            choices.append(fits)
        else:
            choices.append([index[row[name]]])
    return product(*choices)


def _refuse(row: Row, other: Row, coords: dict[str, list[Any]]) -> None:
    """SpecError that names a setting in which two rows differ that meet in one place."""
    for name in SETTINGS:
        if name not in coords and row[name] != other[name]:
            raise SpecError(
                f"dims must hold {name!r} too: {in_short(other[name])} and {in_short(row[name])} meet in one place."
            )
    raise SpecError(f"tasks must differ. Two are {row['shape']} with {row['mines']} mines and {row['policy']!r}.")


def _filled(places: dict[Place, Row], name: str, shape: Place) -> npt.NDArray[Any]:
    """A column over all places: 0 games where nothing was played, and NaN for what they would tell."""
    values = np.zeros(shape, dtype=np.int64) if name in _COUNTS else np.full(shape, np.nan)
    for place, row in places.items():
        if row[name] is not None:
            values[place] = row[name]
    return values


def _shared(rows: Sequence[Row], axes: list[str]) -> dict[str, Any]:
    """The settings that all rows share, besides the axes."""
    values = {name: _values(rows, name) for name in SETTINGS if name not in axes}
    return {name: found[0] for name, found in values.items() if len(found) == 1}
