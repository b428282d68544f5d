"""Learns to play 6x6 with 5 mines from its own games, with NumPy alone, in a minute or two.

    python examples/learn.py
    python examples/learn.py --steps 300 --seed 7

A small network of two convolutions looks at the 5x5 cells around each hidden cell and says how likely
a mine is there.  The player opens the cell where it is least likely, and now and then a random one; the
reward of that step, 1 for a safe cell and 0 for a mine, is all that it learns from.  No rule of the game
is given to it, and neither the layout nor a probability.  The same seed learns the same, on the same
machine.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: threads would mostly wait for each other

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

import ndsweep as nd
from ndsweep.frontends.env import MinesweeperVectorEnv, random_actions

SPEC = nd.Spec((6, 6), 5)
GAMES = 256  # played at once
SIDE = 5  # of what the network sees, around a cell in the middle
WALL = 10  # what lies beyond the edge; 0 to 8 are hints and 9 is hidden
CODES = 11
NEAR, WIDE = 32, 64  # units that see the 3x3 cells around a cell, and those that see 3x3 of these
EXPLORE = 0.1  # of the actions are random ones
MEMORY, BATCH, BATCHES = 200_000, 512, 4  # steps that are remembered, steps in a batch, batches a step
RATE = 4e-3  # at first, and fading

Floats = npt.NDArray[np.float32]
Codes = npt.NDArray[np.uint8]


def walled(views: npt.NDArray[np.int8]) -> Codes:
    """Views as codes, with two walls around: (games, 10, 10)."""
    margin = SIDE // 2
    codes = np.where(views >= 0, views, 9).astype(np.uint8)
    return np.pad(codes, ((0, 0), (margin, margin), (margin, margin)), constant_values=WALL)


def patches_of(codes: Codes, cells: npt.NDArray[np.int64]) -> Codes:
    """What lies around one cell of each game, (games, 5, 5)."""
    windows = np.lib.stride_tricks.sliding_window_view(codes, (SIDE, SIDE), axis=(1, 2))
    return windows[np.arange(len(cells)), cells // windows.shape[2], cells % windows.shape[2]]


def around(values: Floats) -> Floats:
    """All values of the 3x3 places around each inner place, side by side: (n, h, w, c) to (n, h - 2, w - 2, 9 c)."""
    windows = np.lib.stride_tricks.sliding_window_view(values, (3, 3), axis=(1, 2)).transpose(0, 1, 2, 4, 5, 3)
    return windows.reshape(*windows.shape[:3], 9 * values.shape[3])


def turned(patches: Codes, rng: np.random.Generator) -> Codes:
    """Patches turned and mirrored by chance: a mine is as likely in each of the eight."""
    patches = np.rot90(patches, rng.integers(4), axes=(1, 2))
    return patches if rng.integers(2) else patches.transpose(0, 2, 1)


class Network:
    """Two convolutions with ReLU over one-hot codes, and a logit: is there a mine?  Taught by Adam."""

    def __init__(self, rng: np.random.Generator, batches: int) -> None:
        self.weights: list[Floats] = []
        for inputs, lit, units in ((9 * CODES, 9, NEAR), (9 * NEAR, 9 * NEAR, WIDE), (WIDE, WIDE, 1)):
            self.weights.append((np.sqrt(2 / lit) * rng.standard_normal((inputs, units))).astype(np.float32))
            self.weights.append(np.zeros(units, dtype=np.float32))
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.taught, self.batches = 0, batches

    def layers(self, codes: Codes) -> list[Floats]:
        """The inputs of each layer, and the logits of all cells that have two more around them."""
        near, near_bias, wide, wide_bias, last, last_bias = self.weights
        ones = around(np.eye(CODES, dtype=np.float32)[codes])
        seen = around(np.maximum(ones @ near + near_bias, 0))
        found = np.maximum(seen @ wide + wide_bias, 0)
        return [ones, seen, found, (found @ last + last_bias)[..., 0]]

    def logits(self, codes: Codes) -> Floats:
        """The larger, the likelier a mine: of (n, h, w) codes (n, h - 4, w - 4)."""
        return self.layers(codes)[-1]

    def teach(self, patches: Codes, mined: Floats) -> None:
        """One step down the logistic loss, from patches of 5x5."""
        ones, seen, found, logits = self.layers(patches)
        count, (_, _, wide, _, last, _) = len(mined), self.weights
        seen, found = seen.reshape(count, -1), found.reshape(count, -1)
        slope = (1 / (1 + np.exp(-logits.reshape(count, 1))) - mined[:, None]) / np.float32(count)
        slopes = [found.T @ slope, slope.sum(axis=0)]
        slope = (slope @ last.T) * (found > 0)
        slopes = [seen.T @ slope, slope.sum(axis=0), *slopes]
        slope = (slope @ wide.T) * (seen > 0)
        slope = slope.reshape(-1, NEAR)  # place by place
        slopes = [ones.reshape(len(slope), -1).T @ slope, slope.sum(axis=0), *slopes]
        self.descend(slopes)

    def descend(self, slopes: list[Floats]) -> None:
        """One step of Adam (Kingma and Ba, 2015), the shorter the later."""
        self.taught += 1
        rate = np.float32(RATE * max(0.05, 1 - self.taught / self.batches))
        for weight, slope, (mean, square) in zip(self.weights, slopes, self.moments, strict=True):
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope**2 - square)
            root = np.sqrt(square / np.float32(1 - 0.999**self.taught)) + np.float32(1e-8)
            weight -= rate * mean / np.float32(1 - 0.9**self.taught) / root


@dataclass
class Memory:
    """The last steps: what was seen around the cell that was opened, and whether it was a mine."""

    patches: Codes = field(default_factory=lambda: np.zeros((MEMORY, SIDE, SIDE), dtype=np.uint8))
    mined: Floats = field(default_factory=lambda: np.zeros(MEMORY, dtype=np.float32))
    seen: int = 0

    def add(self, patches: Codes, mined: npt.NDArray[np.bool_]) -> None:
        """Remembers some steps in the place of the oldest."""
        places = (self.seen + np.arange(len(mined))) % MEMORY
        self.patches[places], self.mined[places] = patches, mined
        self.seen += len(mined)

    def draw(self, rng: np.random.Generator) -> tuple[Codes, Floats]:
        """A batch of them."""
        places = rng.integers(0, min(self.seen, MEMORY), BATCH)
        return turned(self.patches[places], rng), self.mined[places]


def least_likely(network: Network, codes: Codes, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """In each game the hidden cell where the network sees the least of a mine."""
    logits = network.logits(codes).reshape(mask.shape)
    return np.where(mask, logits, np.inf).argmin(axis=1)


def environment(games: int) -> MinesweeperVectorEnv:
    return MinesweeperVectorEnv(games, SPEC, reward="jumanji", autoreset_mode=AutoresetMode.SAME_STEP)


def learn(steps: int, seed: int) -> Iterator[tuple[int, Network]]:
    """The network after each step, and how many games have ended."""
    rng = np.random.default_rng(seed)
    network, memory, envs = Network(rng, steps * BATCHES), Memory(), environment(GAMES)
    views, infos = envs.reset(seed=seed)
    ended = 0
    for _ in range(steps):
        codes, mask = walled(views), infos["action_mask"]
        actions = least_likely(network, codes, mask)
        actions = np.where(rng.random(GAMES) < EXPLORE, random_actions(mask, rng), actions)
        views, rewards, terminated, _, infos = envs.step(actions)
        memory.add(patches_of(codes, actions), rewards == 0)
        for _ in range(BATCHES):
            network.teach(*memory.draw(rng))
        ended += int(terminated.sum())
        yield ended, network


def win_rate(network: Network, games: int, seed: int) -> float:
    """The share of wins in games that were not learned from, each played to its end."""
    envs = environment(games)
    views, infos = envs.reset(seed=seed)
    playing, won = np.ones(games, dtype=np.bool_), 0
    while playing.any():
        actions = least_likely(network, walled(views), infos["action_mask"])
        views, rewards, terminated, _, infos = envs.step(actions)
        won += int((playing & terminated & (rewards == 1)).sum())
        playing &= ~terminated
    return won / games


def main(words: list[str] | None = None) -> float:
    """Prints the table of learning and gives the last win rate."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--steps", type=int, default=1500, help=f"steps of {GAMES} games at once (default 1500)")
    parser.add_argument("--rows", type=int, default=6, help="rows of the table (default 6)")
    parser.add_argument("--games", type=int, default=2000, help="games of each win rate (default 2000)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(words)
    marks = {arguments.steps * (row + 1) // arguments.rows for row in range(arguments.rows)}
    rate = 0.0
    print("   steps     games   wins")
    for step, (ended, network) in enumerate(learn(arguments.steps, arguments.seed), start=1):
        if step in marks:
            rate = win_rate(network, arguments.games, seed=10**9)
            print(f"{step:>8,}{ended:>10,}{rate:>7.1%}", flush=True)
    for policy in ("random", "single-point"):
        print(f"{policy:>18}{nd.simulate(SPEC, 20_000, policy).win_rate:>7.1%}")
    return rate


if __name__ == "__main__":
    main()
    sys.exit(0)
