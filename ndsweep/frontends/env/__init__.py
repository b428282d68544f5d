"""Minesweeper for learning: environments of Gymnasium, one game or thousands at once, in any dimension.

Importing this module registers ``ndsweep/Minesweeper-v0``.  It needs Gymnasium
(``pip install "ndsweep[rl]"``).  docs/training.md tells how to use it.

Examples
--------
>>> import gymnasium
>>> import ndsweep.frontends.env
>>> envs = gymnasium.make_vec("ndsweep/Minesweeper-v0", num_envs=3)
>>> observations, infos = envs.reset(seed=5)
>>> observations.shape
(3, 9, 9)
"""

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode as AutoresetMode
except ImportError:
    raise ImportError('ndsweep.frontends.env needs gymnasium of 1.1 or later: pip install "ndsweep[rl]"') from None

from ndsweep.frontends.env.masks import random_actions
from ndsweep.frontends.env.rewards import REWARDS, Outcome
from ndsweep.frontends.env.setting import ResetNeeded
from ndsweep.frontends.env.single import MinesweeperEnv
from ndsweep.frontends.env.vector import MinesweeperVectorEnv

__all__ = ["REWARDS", "MinesweeperEnv", "MinesweeperVectorEnv", "Outcome", "ResetNeeded", "random_actions"]

ID = "ndsweep/Minesweeper-v0"
"""The name under which `gymnasium.make` and `gymnasium.make_vec` know the environment."""

if ID not in gymnasium.registry:
    gymnasium.register(
        id=ID,
        entry_point="ndsweep.frontends.env:MinesweeperEnv",
        vector_entry_point="ndsweep.frontends.env:MinesweeperVectorEnv",
    )
