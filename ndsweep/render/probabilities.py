"""Probabilities that are to be drawn over a view."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ndsweep.checks import first_where
from ndsweep.spec import SpecError


def checked_probability(probability: object, shape: tuple[int, ...]) -> npt.NDArray[np.float64] | None:
    """Mine probabilities of the grid's shape, or None; SpecError unless they are between 0 and 1, or NaN.

    Examples
    --------
    >>> checked_probability([0.5, 1.5], (2,))
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: probability must be between 0 and 1, or NaN. Got 1.5 at (1,).
    """
    if probability is None:
        return None
    try:
        chances = np.asarray(probability, dtype=np.float64)
    except (TypeError, ValueError):
        raise SpecError(f"probability must be an array of numbers. Got {type(probability).__name__}.") from None
    if chances.shape != shape:
        raise SpecError(f"probability must have the shape of the grid, {shape}. Got {chances.shape}.")
    wrong = (chances < 0) | (chances > 1)
    if wrong.any():
        cell = first_where(wrong)
        raise SpecError(f"probability must be between 0 and 1, or NaN. Got {chances[cell]} at {cell}.")
    return chances
