"""What an environment is told once: the kind of game, what an action may be, what is rewarded and shown."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ndsweep import FLAG, HIDDEN, MINE, Spec, SpecError, SweepError, TooLargeError, mine_probability, render
from ndsweep.checks import checked_spec
from ndsweep.engine.grid import view_dtype
from ndsweep.frontends.env.rewards import Floats, Outcome, Reward, checked_reward, rewards_of
from ndsweep.spec import checked_int, in_short

RENDER_MODES = ("ansi", "rgb_array")
INVALID = ("penalty", "terminate")

Bools = npt.NDArray[np.bool_]
Views = npt.NDArray[Any]


class ResetNeeded(SweepError, gymnasium.error.ResetNeeded):
    """A step before the first reset, or after the end of an episode.

    Examples
    --------
    >>> from ndsweep.frontends.env import MinesweeperEnv
    >>> MinesweeperEnv().step(0)
    Traceback (most recent call last):
    ...
    ndsweep.frontends.env.setting.ResetNeeded: reset must be called before step.
    """


_BUDGET = 100_000  # states of a component, beyond which chances are estimated: a step must not take minutes


@dataclass(frozen=True)
class Setting:
    """The arguments that both environments share, checked.

    Examples
    --------
    >>> import ndsweep as nd
    >>> Setting(nd.BEGINNER, "win", False, "penalty", None, False, None).actions
    81
    """

    spec: Spec
    reward: str | Reward
    flags: bool
    invalid: str
    max_episode_steps: int | None
    mine_probability: bool
    render_mode: str | None

    def __post_init__(self) -> None:
        spec = checked_spec(self.spec)
        spec.check_first_cells(spec.most_free, "any first cell")
        if spec.mines == spec.size:
            raise SpecError(f"spec must leave a safe cell. Got {spec}.")
        checked_reward(self.reward)
        for name in ("flags", "mine_probability"):
            if not isinstance(getattr(self, name), bool):
                raise SpecError(f"{name} must be True or False. Got {in_short(getattr(self, name))}.")
        if self.invalid not in INVALID:
            raise SpecError(f"invalid must be {' or '.join(map(repr, INVALID))}. Got {in_short(self.invalid)}.")
        if self.max_episode_steps is not None:
            checked_int("max_episode_steps", self.max_episode_steps, 1)
        if self.render_mode is not None and self.render_mode not in RENDER_MODES:
            modes = ", ".join(map(repr, RENDER_MODES))
            raise SpecError(f"render_mode must be {modes} or None. Got {in_short(self.render_mode)}.")

    @property
    def actions(self) -> int:
        """Number of actions: a reveal of each cell and, with flags, a flag on each."""
        return self.spec.size * (1 + self.flags)

    @property
    def safe(self) -> int:
        """Number of safe cells."""
        return self.spec.size - self.spec.mines

    def observation_space(self) -> spaces.Box:
        """The views: from MINE to the largest hint that there can be."""
        shape = self.spec.shape
        dtype: Any = view_dtype(len(shape)).type
        most = min(self.spec.mines, prod(min(n, 3) for n in shape) - 1)
        return spaces.Box(MINE, most, shape, dtype)

    def action_space(self) -> spaces.Discrete:
        """The numbers of the actions."""
        return spaces.Discrete(self.actions)

    def masks(self, views: Views) -> Bools:
        """The actions that have an effect on each of some views, (n, size): (n, actions)."""
        hidden: Bools = views == HIDDEN
        return np.concatenate([hidden, hidden | (views == FLAG)], axis=1) if self.flags else hidden

    def chances(self, views: Views) -> tuple[Floats, Bools]:
        """The mine probabilities of views, (n, size): (n, *shape), 0 where open; and of which they are known, (n,).

        Few positions, of three and more dimensions, can neither be solved nor estimated within the budget.
        """
        games = views.reshape(-1, *self.spec.shape)
        chances, known = np.zeros(games.shape), np.ones(len(games), dtype=np.bool_)
        try:
            chances[...] = self._chances(games)
        except TooLargeError:
            for game, view in enumerate(games):
                try:
                    chances[game] = self._chances(view[None])[0]
                except TooLargeError:
                    known[game] = False
        return chances, known

    def _chances(self, games: Views) -> Floats:
        found = mine_probability(games, np.full(len(games), self.spec.mines), budget=_BUDGET)
        return np.nan_to_num(found.p)  # NaN is not equal to itself, which the checker minds

    def rewards(self, outcome: Outcome) -> Floats:
        """The rewards of a step, (n,)."""
        return rewards_of(checked_reward(self.reward), outcome)

    def frame(self, view: Views) -> Any:
        """One view as text or as an image; a warning of Gymnasium and None without a render mode."""
        if self.render_mode == "ansi":
            return render.view_text(view)
        if self.render_mode == "rgb_array":
            return render.image(view)
        modes = " or ".join(f"render_mode={mode!r}" for mode in RENDER_MODES)
        gymnasium.logger.warn(f"render shows nothing without a mode: make the environment with {modes}.")
        return None


def checked_seed(seed: object) -> int | None:
    """The seed of an environment; SpecError unless it is None or an integer of 0 or more, as Gymnasium has it.

    Examples
    --------
    >>> checked_seed(-1)
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: seed must be an integer of 0 or more. Got -1.
    """
    return None if seed is None else checked_int("seed", seed, 0)


def fresh_seed() -> int:
    """A seed that nobody knows beforehand.

    Examples
    --------
    >>> fresh_seed() != fresh_seed()
    True
    """
    entropy = np.random.SeedSequence().entropy
    return int(entropy)  # type: ignore[arg-type]
