"""One game as an environment of Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from ndsweep import BEGINNER, Game, Spec, Status
from ndsweep.frontends.env.rewards import Outcome, Reward
from ndsweep.frontends.env.setting import RENDER_MODES, ResetNeeded, Setting, checked_seed, fresh_seed
from ndsweep.spec import checked_int


class MinesweeperEnv(gymnasium.Env[npt.NDArray[Any], np.int64]):
    """One game: the view is the observation, a cell is the action.

    Parameters
    ----------
    spec : Spec
        The kind of game, in any dimension.  It must leave room for the first click anywhere.
    reward : {"progress", "win", "jumanji"} or callable
        The reward of a step, by name (see `ndsweep.frontends.env.rewards`) or a function of an
        `Outcome` that gives one number a game.
    flags : bool
        Whether flags are actions too: action ``size + cell`` sets or removes one.
    invalid : {"penalty", "terminate"}
        What an action without effect does (an open cell, or a flagged cell to open): the game
        stays as it is and the reward is a penalty, or the episode terminates as a lost one.
    max_episode_steps : int, optional
        The step that truncates an episode; none by default.
    mine_probability : bool
        Whether ``info["mine_probability"]`` holds `mine_probability` of the view, as a teacher:
        float64 of the grid's shape, 0 on open cells.
    render_mode : {"ansi", "rgb_array"}, optional
        What `render` gives: text, or an image.

    Raises
    ------
    SpecError
        If an argument is not of its kind.

    Notes
    -----
    - Observation: the view codes of all cells, int8 up to 4 axes, int16 up to 9, else int32.
    - ``info["action_mask"]``: int8, as ``action_space.sample(mask)`` takes it, 1 where an action
      has an effect.  It follows from the view alone, after the end too.
    - `reset` with a seed begins with game 0 of it, and each further `reset` goes on to the next
      number: the layout is that of `Game.new` with that seed and number, which `episode` tells.

    Examples
    --------
    >>> import ndsweep as nd
    >>> env = MinesweeperEnv(nd.Spec((2, 4), 1, first="opening"))
    >>> view, info = env.reset(seed=7)
    >>> view, reward, terminated, truncated, info = env.step(0)
    >>> view
    array([[ 0,  1, -1, -1],
           [ 0,  1, -1, -1]], dtype=int8)
    >>> reward, terminated, info["action_mask"]
    (0.5714285714285714, False, array([0, 0, 1, 1, 0, 0, 1, 1], dtype=int8))
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        spec: Spec = BEGINNER,
        *,
        reward: str | Reward = "progress",
        flags: bool = False,
        invalid: str = "penalty",
        max_episode_steps: int | None = None,
        mine_probability: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self._setting = Setting(spec, reward, flags, invalid, max_episode_steps, mine_probability, render_mode)
        self.render_mode = render_mode
        self.observation_space = self._setting.observation_space()
        self.action_space = self._setting.action_space()
        self._seed: int | None = None
        self._number = self._steps = 0
        self._game: Game | None = None
        self._ended = False

    @property
    def episode(self) -> tuple[int, int]:
        """The seed and the number of the game: `Game.new` of the spec with these is the game that is played."""
        if self._seed is None:
            raise ResetNeeded("reset must be called before there is an episode.")
        return self._seed, self._number

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Begins game 0 of a seed or, without a seed, the next one.

        Parameters
        ----------
        seed : int, optional
            0 or more.  An environment that never had one takes one that nobody knows.
        options : dict, optional
            Not used.

        Returns
        -------
        view, info

        Raises
        ------
        SpecError
            If the seed is none.
        """
        seed = checked_seed(seed)
        if seed is None and self._seed is None:
            seed = fresh_seed()
        super().reset(seed=seed)
        if seed is None:
            self._number += 1
        else:
            self._seed, self._number = seed, 0
        self._game = Game.new(self._setting.spec, *self.episode)
        self._steps, self._ended = 0, False
        return self._game.view, self._info(self._game)

    def step(self, action: np.int64 | int) -> tuple[npt.NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Opens a cell, or sets or removes a flag.

        Parameters
        ----------
        action : int
            The flat index of a cell to open; with ``flags`` also ``size`` and that, to flag it.

        Returns
        -------
        view, reward, terminated, truncated, info

        Raises
        ------
        SpecError
            If there is no such action.
        ResetNeeded
            Before the first reset, or after the end of an episode.
        """
        setting, game = self._setting, self._game
        chosen = checked_int("action", action, 0, setting.actions - 1)
        if game is None:
            raise ResetNeeded("reset must be called before step.")
        if self._ended:
            raise ResetNeeded("reset must be called after the end of an episode, before step.")
        self._steps += 1
        outcome = self._play(game, chosen)
        terminated = bool(outcome.ended[0])
        truncated = setting.max_episode_steps is not None and self._steps >= setting.max_episode_steps
        self._ended = terminated or truncated
        return game.view, float(setting.rewards(outcome)[0]), terminated, truncated, self._info(game)

    def _play(self, game: Game, action: int) -> Outcome:
        size, dealt = self._setting.spec.size, game.board is not None
        opened = game.reveal(action) if action < size else 0
        flagged = game.flag(action - size) if action >= size else 0
        idle = not opened and not flagged
        ended = game.status != Status.PLAYING or (idle and self._setting.invalid == "terminate")
        safe_left = self._setting.safe - int(np.count_nonzero(game.view >= 0))
        return Outcome(
            opened=np.array([opened]),
            flagged=np.array([flagged]),
            idle=np.array([idle]),
            first=np.array([not dealt and game.board is not None]),
            status=np.array([game.status], dtype=np.int8),
            ended=np.array([ended]),
            safe_left=np.array([safe_left]),
            safe=self._setting.safe,
        )

    def _info(self, game: Game) -> dict[str, Any]:
        view = game.view.reshape(1, -1)
        info: dict[str, Any] = {"action_mask": self._setting.masks(view)[0].astype(np.int8)}
        if self._setting.mine_probability:
            chances, known = self._setting.chances(view)
            if known[0]:
                info["mine_probability"] = chances[0]
        return info

    def render(self) -> Any:
        """The view as text or as an image, as ``render_mode`` says.

        Raises
        ------
        ResetNeeded
            Before the first reset.
        """
        if self._game is None:
            raise ResetNeeded("reset must be called before render.")
        return self._setting.frame(self._game.view)
