"""Learns to play 6x6 with 5 mines from its own games, with NumPy alone, in a minute or two.

    python examples/learn.py
    python examples/learn.py --steps 300 --seed 7

A small network looks at the 5x5 cells around a hidden cell and says how likely a mine is there.  The
player opens the cell where it is least likely, and now and then a random one; the reward of that step,
1 for a safe cell and 0 for a mine, is all that it learns from.  No rule of the game is given to it, and
neither the layout nor a probability.  The same seed learns the same, on the same machine.
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
HIDDEN_UNITS = (96, 32)
EXPLORE = 0.05  # of the actions are random ones
MEMORY, BATCH, BATCHES = 100_000, 512, 2  # steps that are remembered, steps in a batch, batches a step
RATE = 2e-3

Floats = npt.NDArray[np.float32]
Codes = npt.NDArray[np.uint8]


def patches_of(views: npt.NDArray[np.int8]) -> Codes:
    """What lies around each cell, row by row: (games * cells, 25) codes."""
    margin = SIDE // 2
    codes = np.where(views >= 0, views, 9).astype(np.uint8)
    walled = np.pad(codes, ((0, 0), (margin, margin), (margin, margin)), constant_values=WALL)
    windows = np.lib.stride_tricks.sliding_window_view(walled, (SIDE, SIDE), axis=(1, 2))
    return windows.reshape(-1, SIDE * SIDE)


def turned(patches: Codes, rng: np.random.Generator) -> Codes:
    """Patches turned and mirrored by chance: a mine is as likely in each of the eight."""
    square = patches.reshape(-1, SIDE, SIDE)
    square = np.rot90(square, rng.integers(4), axes=(1, 2))
    return (square if rng.integers(2) else square.transpose(0, 2, 1)).reshape(patches.shape)


class Network:
    """Layers of ReLU units over one-hot codes, and a logit: is there a mine in the middle?  Taught by Adam."""

    def __init__(self, rng: np.random.Generator) -> None:
        sizes = (SIDE * SIDE * CODES, *HIDDEN_UNITS, 1)
        self.weights: list[Floats] = []
        for before, after in zip(sizes, sizes[1:], strict=False):
            scale = np.sqrt(2 / (SIDE * SIDE if before == sizes[0] else before))  # of the codes 25 are on
            self.weights += [(scale * rng.standard_normal((before, after))).astype(np.float32)]
            self.weights += [np.zeros(after, dtype=np.float32)]
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.taught = 0

    def layers(self, patches: Codes) -> list[Floats]:
        """What each layer gives, the one-hot codes first."""
        found = [np.eye(CODES, dtype=np.float32)[patches].reshape(len(patches), -1)]
        for number in range(0, len(self.weights), 2):
            found.append(found[-1] @ self.weights[number] + self.weights[number + 1])
            if number + 2 < len(self.weights):
                np.maximum(found[-1], 0, out=found[-1])
        return found

    def logits(self, patches: Codes) -> Floats:
        """The larger, the likelier a mine."""
        return self.layers(patches)[-1][:, 0]

    def teach(self, patches: Codes, mined: Floats) -> None:
        """One step down the logistic loss."""
        layers = self.layers(patches)
        slope = (1 / (1 + np.exp(-layers[-1])) - mined[:, None]) / len(mined)
        slopes: list[Floats] = []
        for number in range(len(self.weights) - 2, -1, -2):
            below = layers[number // 2]
            slopes = [below.T @ slope, slope.sum(axis=0), *slopes]
            slope = (slope @ self.weights[number].T) * (below > 0)
        self.taught += 1
        for weight, gradient, (mean, square) in zip(self.weights, slopes, self.moments, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            step = mean / (1 - 0.9**self.taught) / (np.sqrt(square / (1 - 0.999**self.taught)) + 1e-8)
            weight -= np.float32(RATE) * step


@dataclass
class Memory:
    """The last steps: what was seen around the cell that was opened, and whether it was a mine."""

    patches: Codes = field(default_factory=lambda: np.zeros((MEMORY, SIDE * SIDE), dtype=np.uint8))
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


def least_likely(network: Network, patches: Codes, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """In each game the hidden cell where the network sees the least of a mine."""
    logits = np.full(mask.shape, np.inf, dtype=np.float32)
    logits[mask] = network.logits(patches[mask.reshape(-1)])
    return logits.argmin(axis=1)


def environment(games: int) -> MinesweeperVectorEnv:
    return MinesweeperVectorEnv(games, SPEC, reward="jumanji", autoreset_mode=AutoresetMode.SAME_STEP)


def learn(steps: int, seed: int) -> Iterator[tuple[int, Network]]:
    """The network after each step, and how many games have ended."""
    rng = np.random.default_rng(seed)
    network, memory, envs = Network(rng), Memory(), environment(GAMES)
    views, infos = envs.reset(seed=seed)
    ended = 0
    for _ in range(steps):
        patches, mask = patches_of(views), infos["action_mask"]
        actions = least_likely(network, patches, mask)
        actions = np.where(rng.random(GAMES) < EXPLORE, random_actions(mask, rng), actions)
        views, rewards, terminated, _, infos = envs.step(actions)
        memory.add(patches[np.arange(GAMES) * SPEC.size + actions], rewards == 0)
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
        actions = least_likely(network, patches_of(views), infos["action_mask"])
        views, rewards, terminated, _, infos = envs.step(actions)
        won += int((playing & terminated & (rewards == 1)).sum())
        playing &= ~terminated
    return won / games


def main(words: list[str] | None = None) -> float:
    """Prints the table of learning and gives the last win rate."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--steps", type=int, default=2000, help=f"steps of {GAMES} games at once (default 2000)")
    parser.add_argument("--rows", type=int, default=8, help="rows of the table (default 8)")
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
