"""Rewards: what the steps of many games did, and functions of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep import SpecError, Status
from ndsweep.spec import in_short

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one step did in each of n games.

    Attributes
    ----------
    opened : (n,) int64 array
        Cells that the step opened, those of a flood and the mine of a lost game included.
    flagged : (n,) int64 array
        +1 where it set a flag, -1 where it removed one, else 0.
    idle : (n,) bool array
        Whether the action had no effect: it chose an open cell, or a flagged one to open.
    first : (n,) bool array
        Whether it was the first reveal of the game, by which the game was dealt.
    status : (n,) int8 array
        The `Status` after the step.
    ended : (n,) bool array
        Whether the episode terminates: won, lost, or an idle action where these terminate.
    safe_left : (n,) int64 array
        Safe cells that are hidden after the step.
    safe : int
        Safe cells of a game in all.

    Examples
    --------
    Any function of it that gives n numbers is a reward, as this one: the cells opened, if the first click is
    not counted.

    >>> import numpy as np, ndsweep as nd
    >>> from ndsweep.frontends.env import MinesweeperVectorEnv
    >>> def later(outcome):
    ...     return np.where(outcome.first | outcome.lost, 0, outcome.opened)
    >>> envs = MinesweeperVectorEnv(2, nd.Spec((9,), 1), reward=later)
    >>> _ = envs.reset(seed=0)
    >>> envs.step(np.array([0, 4]))[1]
    array([0., 0.])
    """

    opened: npt.NDArray[np.int64]
    flagged: npt.NDArray[np.int64]
    idle: npt.NDArray[np.bool_]
    first: npt.NDArray[np.bool_]
    status: npt.NDArray[np.int8]
    ended: npt.NDArray[np.bool_]
    safe_left: npt.NDArray[np.int64]
    safe: int

    @property
    def won(self) -> npt.NDArray[np.bool_]:
        """Whether the step won the game, (n,)."""
        return np.asarray(self.status == Status.WON)

    @property
    def lost(self) -> npt.NDArray[np.bool_]:
        """Whether the episode terminates and is not won, (n,)."""
        return np.asarray(self.ended & (self.status != Status.WON))


Reward = Callable[[Outcome], npt.ArrayLike]


def win(outcome: Outcome, *, penalty: float = 0.1) -> Floats:
    """1 for a won game, -1 for a lost one, else 0, and ``-penalty`` for an action without effect.

    Examples
    --------
    >>> import numpy as np, ndsweep as nd
    >>> from ndsweep.frontends.env import MinesweeperEnv
    >>> env = MinesweeperEnv(nd.Spec((1, 3), 2), reward="win")
    >>> _ = env.reset(seed=0)
    >>> env.step(1)[1]
    1.0
    """
    return _ends(outcome, outcome.won.astype(np.float64), penalty)


def progress(outcome: Outcome, *, penalty: float = 0.1) -> Floats:
    """The share of all safe cells that the step opened, -1 for a lost game, ``-penalty`` without effect.

    A won game sums up to 1, but for penalties.

    Examples
    --------
    >>> import ndsweep as nd
    >>> from ndsweep.frontends.env import MinesweeperEnv
    >>> env = MinesweeperEnv(nd.Spec((2, 2), 2), reward="progress")
    >>> _ = env.reset(seed=0)
    >>> env.step(1)[1], env.step(1)[1]
    (0.5, -0.1)
    """
    return _ends(outcome, outcome.opened / outcome.safe, penalty)


def jumanji(outcome: Outcome, *, penalty: float = 0.0) -> Floats:
    """1 for each step that opens a safe cell, however many a flood opens, else 0.

    So does Minesweeper in jumanji reward by default (Bonnet et al., "Jumanji: a diverse suite of
    scalable reinforcement learning environments in JAX", ICLR 2024), where an action without
    effect ends the episode too: ``invalid="terminate"`` here.

    Examples
    --------
    >>> import ndsweep as nd
    >>> from ndsweep.frontends.env import MinesweeperEnv
    >>> env = MinesweeperEnv(nd.Spec((8,), 1, first="opening"), reward="jumanji")
    >>> _ = env.reset(seed=0)
    >>> env.step(0)[1]
    1.0
    """
    safe = (outcome.opened > 0) & ~outcome.lost
    reward: Floats = safe - penalty * outcome.idle
    return reward


def _ends(outcome: Outcome, reward: Floats, penalty: float) -> Floats:
    """The reward of a step, with what a step without effect and a lost game have instead."""
    reward[outcome.idle] = -penalty
    reward[outcome.lost] = -1
    return reward


REWARDS: dict[str, Reward] = {"win": win, "progress": progress, "jumanji": jumanji}
"""The rewards by name."""


def checked_reward(reward: object) -> Reward:
    """The function of a reward; SpecError unless it is callable or the name of one.

    Examples
    --------
    >>> checked_reward("win") is win
    True
    """
    if isinstance(reward, str) and reward in REWARDS:
        return REWARDS[reward]
    if not callable(reward):
        names = ", ".join(map(repr, REWARDS))
        raise SpecError(f"reward must be {names} or a function of an Outcome. Got {in_short(reward)}.")
    return reward


def rewards_of(reward: Reward, outcome: Outcome) -> Floats:
    """The rewards of a step, (n,); SpecError unless the function gives one number a game.

    Examples
    --------
    >>> import numpy as np
    >>> none = np.zeros(2, dtype=int)
    >>> outcome = Outcome(none, none, none > 0, none > 0, none, none > 0, none, 8)
    >>> rewards_of(lambda outcome: [1], outcome)
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: reward must give 2 numbers, one a game. Got int64 of shape (1,).
    """
    values: Any = np.asarray(reward(outcome))
    if values.shape != outcome.opened.shape or values.dtype.kind not in "biuf":
        games = len(outcome.opened)
        raise SpecError(f"reward must give {games} numbers, one a game. Got {values.dtype} of shape {values.shape}.")
    return np.array(values, dtype=np.float64)
