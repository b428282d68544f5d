"""Draws the pictures of the README and of docs/pictures.md; needs matplotlib.

Run from the project's root: python docs/make_pictures.py.
"""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import ndsweep as nd
from ndsweep import render

BOARDS = {"2-D  16 x 16": (16, 16), "3-D  6 x 6 x 6": (6, 6, 6), "4-D  4 x 4 x 4 x 4": (4, 4, 4, 4)}
COLOURS = ("#0072B2", "#D55E00", "#009E73")  # Okabe and Ito: told apart with any colour vision
GAMES = {"single-point": 20_000, "pairs": 4_000}
STYLES = {"single-point": "--", "pairs": "-"}


def rates(shape, policy, densities):
    """Win rate and its interval at each density, (densities, 3)."""
    size = int(np.prod(shape))
    results = [nd.simulate(nd.Spec(shape, round(d * size)), GAMES[policy], policy) for d in densities]
    return np.array([(r.win_rate, *r.interval()) for r in results])


def draw(path):
    """Win rate against density for all boards and both policies."""
    densities = np.linspace(0.01, 0.25, 17)
    figure, axes = plt.subplots(figsize=(7.5, 4.2), layout="constrained")
    for (name, shape), colour in zip(BOARDS.items(), COLOURS, strict=True):
        for policy, style in STYLES.items():
            rate, low, high = rates(shape, policy, densities).T
            axes.plot(densities, rate, style, color=colour, label=f"{name}, {policy}")
            axes.fill_between(densities, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.set(xlabel="mines per cell", ylabel="games won", xlim=(0, 0.25), ylim=(0, 1))
    axes.yaxis.set_major_formatter(mpl.ticker.PercentFormatter(1))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize="small")
    figure.savefig(path, dpi=120)


def boards(folder):
    """The mine probabilities of a game in the middle, and a board of four axes."""
    game = nd.Game(nd.Board.deal(nd.EXPERT, seed=18, first_cell=(8, 15)))
    game.reveal((8, 15))
    while game.flag_mines() or game.expose_neighbors():
        pass
    chances = nd.mine_probability(game.view, nd.EXPERT.mines)
    heat = render.image(game, cell=22, probability=chances.p)
    slices = render.image(nd.Board.deal(nd.Spec((4, 4, 4, 4), 14), seed=2), cell=22)
    plt.imsave(folder / "heat.png", heat)
    plt.imsave(folder / "slices_4d.png", slices)


if __name__ == "__main__":
    draw(Path("docs/images/win_rates.png"))
    boards(Path("docs/images"))
