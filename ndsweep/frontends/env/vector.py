"""Many games at once as a vector environment of Gymnasium."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ndsweep import BEGINNER, Spec, SpecError, Status
from ndsweep.checks import check_memory, checked_array, checked_cells, checked_mask
from ndsweep.engine.fields import Fields, memory_of_fields
from ndsweep.engine.streams import Purpose, keys_of, stream_bases
from ndsweep.frontends.env.rewards import Outcome, Reward
from ndsweep.frontends.env.setting import RENDER_MODES, ResetNeeded, Setting, checked_seed, fresh_seed
from ndsweep.spec import checked_int, in_short

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Views = npt.NDArray[Any]


class MinesweeperVectorEnv(VectorEnv[Views, Ints, npt.NDArray[Any]]):
    """Many games of one kind in step, each of them as `MinesweeperEnv` plays it.

    Parameters
    ----------
    num_envs : int
        How many games are played at once.
    spec : Spec
        The kind of game, in any dimension.  It must leave room for the first click anywhere.
    autoreset_mode : AutoresetMode
        What follows the end of an episode, as Gymnasium defines it: the next step begins the
        next game, whatever its action, with a reward of 0 (``NEXT_STEP``); the same step does,
        and ``infos["final_obs"]`` and ``infos["final_info"]`` hold the last view and its info
        (``SAME_STEP``); or `reset` is called with ``options={"reset_mask": mask}``
        (``DISABLED``).
    reward, flags, invalid, max_episode_steps, mine_probability, render_mode
        As for `MinesweeperEnv`.

    Raises
    ------
    SpecError
        If an argument is not of its kind.
    TooLargeError
        If the games do not fit in memory.

    Notes
    -----
    - Observation: the views, (num_envs, *shape), new arrays that no later step changes.
    - ``infos["action_mask"]``: bool, (num_envs, actions), True where an action has an effect;
      ``infos["_action_mask"]`` is True throughout, after a reset of some games too.
    - Game i of ``reset(seed=s)`` has seed s + i, and its k-th episode from then on, counted from
      0, is game number k of that seed; `episodes` tells both.

    Examples
    --------
    >>> import numpy as np, ndsweep as nd
    >>> from ndsweep.frontends.env import random_actions
    >>> envs = MinesweeperVectorEnv(1000, nd.Spec((4, 4, 4), 8))
    >>> views, infos = envs.reset(seed=1)
    >>> rng, ended = np.random.default_rng(1), 0
    >>> for _ in range(20):
    ...     actions = random_actions(infos["action_mask"], rng)
    ...     views, rewards, terminated, truncated, infos = envs.step(actions)
    ...     ended += int(terminated.sum())
    >>> views.shape, ended > 1000
    ((1000, 4, 4, 4), True)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": list(RENDER_MODES),
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        spec: Spec = BEGINNER,
        *,
        reward: str | Reward = "progress",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        flags: bool = False,
        invalid: str = "penalty",
        max_episode_steps: int | None = None,
        mine_probability: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self._setting = Setting(spec, reward, flags, invalid, max_episode_steps, mine_probability, render_mode)
        self.num_envs = checked_int("num_envs", num_envs, 1)
        self.autoreset_mode = _checked_mode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        what = f"{self.num_envs} games of shape {spec.shape}"
        check_memory(what, memory_of_fields(spec.shape, spec.mines, spec.first, self.num_envs))
        self.single_observation_space = self._setting.observation_space()
        self.single_action_space = self._setting.action_space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._fields = Fields(spec.shape, spec.mines, spec.first, self.num_envs)
        self._seeds: list[int | None] = [None] * self.num_envs
        self._bases = np.zeros(self.num_envs, dtype=np.uint64)
        self._numbers = np.zeros(self.num_envs, dtype=np.int64)
        self._steps = np.zeros(self.num_envs, dtype=np.int64)
        self._ended = np.zeros(self.num_envs, dtype=np.bool_)

    @property
    def episodes(self) -> list[tuple[int, int]]:
        """The seed and the number of each game: `Game.new` of the spec with these is what is played there."""
        return [
            (seed, number) for seed, number in zip(self._seeds, self._numbers.tolist(), strict=True) if seed is not None
        ]

    # Resets --------------------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Views, dict[str, Any]]:
        """Begins game 0 of the seeds or, without seeds, the next games.

        Parameters
        ----------
        seed : int or list of int, optional
            The seed of game 0, with those after it for the others; or a seed each, None where
            a game is to go on to the next number.  Games that never had a seed take one that
            nobody knows.
        options : dict, optional
            ``"reset_mask"``, a bool array of shape (num_envs,): only these games are reset.

        Returns
        -------
        views, infos

        Raises
        ------
        SpecError
            If a seed or the mask is none.
        ResetNeeded
            If the mask leaves out a game that was never begun.
        """
        seeds = self._checked_seeds(seed)
        rows = self._checked_rows(options)
        super().reset(seed=seeds[0] if np.ndim(seed) == 0 else None)  # type: ignore[arg-type]
        if None in seeds and None in self._seeds:
            base = fresh_seed()
            new = [base + i if known is None else None for i, known in enumerate(self._seeds)]
            seeds = [given if given is not None else own for given, own in zip(seeds, new, strict=True)]
        given = [i for i in rows.tolist() if seeds[i] is not None]
        self._numbers[rows] += 1
        self._numbers[given] = 0
        for i in given:
            self._seeds[i] = seeds[i]
        self._bases[given] = stream_bases([s for i in given if (s := seeds[i]) is not None], Purpose.MINES)
        self._begin(rows)
        return self._observations(), self._infos()

    def _begin(self, rows: Ints) -> None:
        self._fields.start(rows, keys_of(self._bases[rows], self._numbers[rows]))
        self._steps[rows], self._ended[rows] = 0, False

    def _go_on(self, rows: Ints) -> None:
        """Begins the next game in some rows."""
        self._numbers[rows] += 1
        self._begin(rows)

    def _checked_seeds(self, seed: object) -> list[int | None]:
        if isinstance(seed, list | tuple | np.ndarray) and np.ndim(seed) == 1:
            if len(seed) != self.num_envs:
                raise SpecError(f"seed must be an integer or {self.num_envs} of them. Got {len(seed)}.")
            return [checked_seed(one) for one in seed]
        first = checked_seed(seed)
        return [None if first is None else first + i for i in range(self.num_envs)]

    def _checked_rows(self, options: dict[str, Any] | None) -> Ints:
        if not options or "reset_mask" not in options:
            return np.arange(self.num_envs)
        mask = checked_mask("reset_mask", options["reset_mask"], (self.num_envs,))
        if not mask.any():
            raise SpecError("reset_mask must be True for one game at the least. Got none.")
        if any(self._seeds[i] is None for i in np.flatnonzero(~mask)):
            raise ResetNeeded("reset must be called for all games before it is called with a reset_mask.")
        return np.flatnonzero(mask)

    # Steps ---------------------------------------------------------------------------------------

    def step(self, actions: npt.ArrayLike) -> tuple[Views, npt.NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """One action in each game.

        Parameters
        ----------
        actions : (num_envs,) int array
            The flat index of a cell to open; with ``flags`` also ``size`` and that, to flag it.

        Returns
        -------
        views, rewards, terminated, truncated, infos

        Raises
        ------
        CellError
            If there is not one action for each game.
        ResetNeeded
            Before the first reset, or after the end of an episode where nothing resets it.
        """
        self._check_begun()
        given = checked_array("actions", actions)
        if given.shape == (self.num_envs,) and given.dtype.kind in "iu":
            given = np.where(self._ended, 0, given)  # what a game that rests is told is not looked at
        chosen = checked_cells(given, self.num_envs, self._setting.actions, 0, "actions")
        resting = np.flatnonzero(self._ended)
        acting = np.flatnonzero(~self._ended)
        if resting.size:
            self._go_on(resting)
        outcome = self._play(acting, chosen[acting])
        terminated, truncated = outcome.ended.copy(), np.zeros(self.num_envs, dtype=np.bool_)
        if self._setting.max_episode_steps is not None:
            self._steps[acting] += 1
            truncated = self._steps >= self._setting.max_episode_steps
        self._ended = terminated | truncated  # before the rewards, which may fail
        rewards = self._setting.rewards(outcome)
        rewards[resting] = 0
        infos: dict[str, Any] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._ended.any():
            infos = self._final()
            self._go_on(np.flatnonzero(self._ended))
        return self._observations(), rewards, terminated, truncated, infos | self._infos()

    def _check_begun(self) -> None:
        if self._seeds[0] is None:
            raise ResetNeeded("reset must be called before step.")
        if self.autoreset_mode == AutoresetMode.DISABLED and self._ended.any():
            raise ResetNeeded(
                "reset must be called with options={'reset_mask': mask} for games that have ended, before step."
                f" Game {int(self._ended.argmax())} has."
            )

    def _play(self, acting: Ints, actions: Ints) -> Outcome:
        """What an action does in each of some rows; nothing in the others."""
        fields, size = self._fields, self._setting.spec.size
        opened, flagged = np.zeros((2, self.num_envs), dtype=np.int64)
        idle = np.zeros(self.num_envs, dtype=np.bool_)
        undealt = ~fields.dealt
        rows = acting
        if self._setting.flags:
            marks = actions >= size
            flagged[rows[marks]] = fields.flag(rows[marks], actions[marks] - size)
            rows, actions = rows[~marks], actions[~marks]
        opened[rows] = fields.reveal(rows, actions)
        idle[acting] = (opened[acting] == 0) & (flagged[acting] == 0)
        ended = fields.status != Status.PLAYING
        if self._setting.invalid == "terminate":
            ended |= idle
        first = undealt & fields.dealt
        status, left = fields.status.copy(), fields.safe_left.copy()
        return Outcome(opened, flagged, idle, first, status, ended, left, self._setting.safe)

    # What is told --------------------------------------------------------------------------------

    def _observations(self) -> Views:
        return self._fields.views.reshape(self.num_envs, *self._setting.spec.shape).copy()

    def _infos(self) -> dict[str, Any]:
        return self._told(np.arange(self.num_envs))

    def _told(self, rows: Ints) -> dict[str, Any]:
        """What is told of some rows, beside the observations: arrays for all, with the mask of these."""
        views = self._fields.views
        some = views if rows.size == self.num_envs else views[rows]
        told: dict[str, tuple[npt.NDArray[Any], Bools]] = {}
        told["action_mask"] = (self._setting.masks(some), np.ones(rows.size, dtype=np.bool_))
        if self._setting.mine_probability:
            told["mine_probability"] = self._setting.chances(some)
        infos: dict[str, Any] = {}
        for name, (values, known) in told.items():
            infos[name], infos[f"_{name}"] = values, np.zeros(self.num_envs, dtype=np.bool_)
            if rows.size < self.num_envs:
                infos[name] = np.zeros((self.num_envs, *values.shape[1:]), dtype=values.dtype)
                infos[name][rows] = values
            infos[f"_{name}"][rows] = known
        return infos

    def _final(self) -> dict[str, Any]:
        """The last views of the games that have ended, and what is told of them."""
        rows, views = np.flatnonzero(self._ended), np.full(self.num_envs, None)
        last = self._fields.views[rows].reshape(-1, *self._setting.spec.shape)
        views[rows] = np.fromiter(last, dtype=object, count=rows.size)
        masks = {name: self._ended.copy() for name in ("_final_obs", "_final_info")}
        return {"final_obs": views, "final_info": self._told(rows), **masks}

    def render(self) -> tuple[Any, ...] | None:
        """The views as texts or as images, as ``render_mode`` says.

        Raises
        ------
        ResetNeeded
            Before the first reset.
        """
        if self._seeds[0] is None:
            raise ResetNeeded("reset must be called before render.")
        if self.render_mode is None:
            self._setting.frame(self._fields.views[0])
            return None
        return tuple(self._setting.frame(view) for view in self._observations())


def _checked_mode(mode: object) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        modes = ", ".join(f"AutoresetMode.{one.name}" for one in AutoresetMode)
        raise SpecError(f"autoreset_mode must be one of {modes}. Got {in_short(mode)}.") from None
