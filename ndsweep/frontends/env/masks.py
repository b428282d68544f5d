"""Actions drawn from a mask: what a random player does, and what exploring does."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ndsweep import SpecError

_DRAWS = 6  # a row, before the allowed actions of those that are left are counted


def random_actions(mask: npt.NDArray[np.bool_], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """One allowed action a row, each equally likely.

    ``envs.action_space.sample(mask)`` does the same row by row, in a hundred times the time.

    Parameters
    ----------
    mask : (n, actions) bool array
        As ``infos["action_mask"]``.
    rng : numpy Generator
        What is drawn from.

    Returns
    -------
    (n,) int64 array
        0 in a row that allows nothing.

    Raises
    ------
    SpecError
        If the mask is no boolean array of two axes.

    Examples
    --------
    >>> import numpy as np
    >>> mask = np.array([[False, True, False], [False, False, True]])
    >>> random_actions(mask, np.random.default_rng(0))
    array([1, 2])
    """
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.ndim != 2 or not mask.shape[1]:
        raise SpecError(f"mask must be a boolean array of shape (n, actions). Got {_kind(mask)}.")
    count = mask.shape[1]
    allowed = mask.reshape(-1)
    actions = np.zeros(len(mask), dtype=np.int64)
    left = np.arange(len(mask))
    for _ in range(_DRAWS):  # the first allowed one of some draws is as good as a draw among the allowed
        drawn = rng.integers(0, count, left.size, dtype=np.uint32)
        actions[left] = drawn
        left = left[~allowed.take(left * count + drawn)]
        if not left.size:
            return actions
    ranks = mask.take(left, axis=0).cumsum(axis=1, dtype=np.int32)
    chosen = rng.integers(0, np.maximum(ranks[:, -1], 1))
    actions[left] = (ranks > chosen[:, None]).argmax(axis=1)
    return actions


def _kind(mask: object) -> str:
    return f"{mask.dtype} of shape {mask.shape}" if isinstance(mask, np.ndarray) else type(mask).__name__
