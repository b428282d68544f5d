"""Steps a second of the Gymnasium vector environment beside those of Minesweeper in jumanji (JAX).

    python benchmarks/bench_env.py            two minutes
    python benchmarks/bench_env.py --quick    half a minute; rough

Goal: 10 times as many as jumanji at 10x10/10, batches of 1024 and 4096, and at 16x30/99; the aim is
1,000,000 steps a second at 10x10/10.

Both play random valid actions, drawn from the mask of the step before, and drawing is counted on both
sides; both begin the next game in the step that ends one (jumanji's wrapper, ``SAME_STEP`` here) and
reward the same. Mines lie anywhere, also under the first click. Ours gives every step's views, masks,
rewards and last views to Python; jumanji's steps run in one jitted `jax.lax.scan`, from which nothing
comes out before its end. Ours floods, theirs opens one cell a step, so our games end twice as often.

One core: the process is pinned to it before JAX starts, which is told to use one thread. Both sides run
in turn, round after round, by processor time; a figure is a median, a ratio the median of the rounds'
ratios.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np

import ndsweep as nd

CASES = (((10, 10), 10, 1024), ((10, 10), 10, 4096), ((16, 30), 99, 1024), ((16, 30), 99, 4096))
LEAST, AIM = 10, 1_000_000
ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
_RANKS_FROM = 200  # cells; jumanji draws by rank from here on, the quicker way there


class Ours:
    """Random play in our environment."""

    def __init__(self, shape: tuple[int, ...], mines: int, batch: int, mode: str = "SAME_STEP") -> None:
        from gymnasium.vector import AutoresetMode

        from ndsweep.frontends.env import MinesweeperVectorEnv, random_actions

        spec = nd.Spec(shape, mines, first="any")
        self.envs = MinesweeperVectorEnv(
            batch, spec, reward="jumanji", invalid="terminate", autoreset_mode=AutoresetMode[mode]
        )
        self.draw, self.rng = random_actions, np.random.default_rng(0)
        self.infos = self.envs.reset(seed=0)[1]

    def run(self, steps: int) -> None:
        for _ in range(steps):
            actions = self.draw(self.infos["action_mask"], self.rng)
            *_, self.infos = self.envs.step(actions)


class Theirs:
    """The same in jumanji: jitted, vectorised, with its own autoreset, steps in a scan."""

    def __init__(self, shape: tuple[int, int], mines: int, batch: int, steps: int) -> None:
        import jax
        from jumanji.environments import Minesweeper
        from jumanji.environments.logic.minesweeper.generator import UniformSamplingGenerator
        from jumanji.wrappers import VmapAutoResetWrapper

        generator = UniformSamplingGenerator(*shape, mines)
        self.jax, self.batch, self.columns, self.steps, self.round = jax, batch, shape[1], steps, 0
        self.env = VmapAutoResetWrapper(Minesweeper(generator=generator))
        self.draw = by_rank if shape[0] * shape[1] >= _RANKS_FROM else by_number
        self.play = jax.jit(self._play)
        self.state = jax.jit(self.env.reset)(jax.random.split(jax.random.PRNGKey(0), batch))
        self.run()  # compiles

    def _play(self, start: Any, key: Any) -> Any:
        jax = self.jax

        def step(carry: Any, key: Any) -> tuple[Any, None]:
            state, timestep, total = carry
            mask = timestep.observation.action_mask.reshape(self.batch, -1)
            cells = self.draw(jax, key, mask)
            state, timestep = self.env.step(state, jax.numpy.stack([cells // self.columns, cells % self.columns], 1))
            return (state, timestep, total + timestep.reward.sum()), None

        keys = jax.random.split(key, self.steps)
        (state, timestep, total), _ = jax.lax.scan(step, (*start, 0.0), keys)
        return (state, timestep), total

    def run(self) -> None:
        self.round += 1
        self.state, total = self.play(self.state, self.jax.random.PRNGKey(self.round))
        self.jax.block_until_ready((self.state, total))


def by_number(jax: Any, key: Any, mask: Any) -> Any:
    """The allowed action with the largest random number."""
    return jax.numpy.argmax(jax.random.uniform(key, mask.shape) * mask, axis=1)


def by_rank(jax: Any, key: Any, mask: Any) -> Any:
    """The allowed action of a random rank."""
    ranks = jax.numpy.cumsum(mask, axis=1)
    rank = (jax.random.uniform(key, (len(mask),)) * ranks[:, -1]).astype(int)
    return jax.numpy.argmax(ranks > rank[:, None], axis=1)


def rate(run: Callable[[], None], steps: int) -> float:
    from bench_cstruct import seconds

    return steps / seconds(run)


def line(case: tuple[tuple[int, int], int, int], rounds: int, steps: int, beside: bool) -> str:
    shape, mines, batch = case
    ours, alone = Ours(shape, mines, batch), Ours(shape, mines, batch, "NEXT_STEP")
    ours.run(20)
    alone.run(20)
    few = max(4, steps // (20 if shape == (10, 10) else 60))
    theirs = Theirs(shape, mines, batch, few) if beside else None
    rates: list[list[float]] = [[], [], []]
    for _ in range(rounds):
        rates[0].append(rate(partial(ours.run, steps), steps * batch))
        rates[1].append(rate(partial(alone.run, steps), steps * batch))
        if theirs is not None:
            rates[2].append(rate(theirs.run, few * batch))
    what = f"{'x'.join(map(str, shape))}/{mines}, {batch} games"
    text = f"{what:<26}{median(rates[0]):>13,.0f}{median(rates[1]):>13,.0f}"
    goal = f"at least {LEAST}" + (f", aim {AIM:,}" if shape == (10, 10) else "")
    if theirs is None:
        return f"{text}{'':>22}  {goal}"
    ratio = median(a / b for a, b in zip(rates[0], rates[2], strict=True))
    reached = "reached" if ratio >= LEAST else "short"
    if shape == (10, 10) and median(rates[0]) >= AIM:
        reached += ", aim too"
    return f"{text}{median(rates[2]):>13,.0f}{ratio:>9.1f}  {goal:<28}{reached}"


def has_jumanji() -> bool:
    try:
        import jumanji  # noqa: F401
    except ImportError:
        return False
    return True


def main(words: list[str] | None = None) -> int:
    """Prints the table."""
    from compare import machine, one_core

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="runs of each, in turn (default 5)")
    parser.add_argument("--quick", action="store_true", help="half a minute; rough, jumanji on the first line alone")
    arguments = parser.parse_args(words)
    rounds, steps = (1, 100) if arguments.quick else (arguments.rounds, 300)
    os.environ.setdefault("XLA_FLAGS", ONE_THREAD)
    with one_core():
        beside = has_jumanji()
        lines = [line(case, rounds, steps, beside and not (arguments.quick and i)) for i, case in enumerate(CASES)]
    print(machine(), f"medians of {rounds} runs of each, in turn; steps a second, actions drawn", "", sep="\n")
    print(f"{'':<26}{'ours':>13}{'NEXT_STEP':>13}{'jumanji':>13}{'ratio':>9}", *lines, sep="\n")
    if not beside:
        print("bench_env.py: without jumanji (pip install jumanji) there is nothing beside ours.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
