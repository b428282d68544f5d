"""Writes tests/data/golden_streams.json: some layouts that pin the streams of this STREAM_VERSION.

Run it by hand, and only when STREAM_VERSION has changed: ``python tests/make_golden.py``.
"""

import json
from pathlib import Path

from ndsweep import STREAM_VERSION, Board, Spec, simulate
from ndsweep.engine.streams import first_cells_of

GOLDEN = Path(__file__).parent / "data" / "golden_streams.json"

ASKED = [
    {"shape": [9, 9], "mines": 10, "first": "safe", "seed": 0, "game": 0, "first_cell": None},
    {"shape": [9, 9], "mines": 10, "first": "safe", "seed": 0, "game": 123456789, "first_cell": None},
    {"shape": [9, 9], "mines": 10, "first": "safe", "seed": -1, "game": 0, "first_cell": None},
    {"shape": [16, 30], "mines": 99, "first": "safe", "seed": 2**70, "game": 1, "first_cell": 0},
    {"shape": [16, 30], "mines": 99, "first": "opening", "seed": 7, "game": 2, "first_cell": 255},
    {"shape": [20], "mines": 15, "first": "any", "seed": 1, "game": 3, "first_cell": None},
    {"shape": [3, 5], "mines": 8, "first": "opening", "seed": 1, "game": 4, "first_cell": 14},
    {"shape": [4, 4, 4], "mines": 8, "first": "safe", "seed": 1, "game": 5, "first_cell": None},
    {"shape": [3, 3, 3, 3], "mines": 50, "first": "safe", "seed": 1, "game": 6, "first_cell": None},
    {"shape": [70, 70], "mines": 20, "first": "any", "seed": 1, "game": 7, "first_cell": None},
]
PINNED = ("game", "won", "guesses", "reveals", "opened")
PLAYED = {"shape": [9, 9], "mines": 10, "seed": 3, "games": 12}


def deal(shape, mines, first, seed, game, first_cell):
    """What was asked, with the flat cells of the first click and of the mines."""
    asked = {"shape": shape, "mines": mines, "first": first, "seed": seed, "game": game, "first_cell": first_cell}
    spec = Spec(tuple(shape), mines, first)
    board = Board.deal(spec, seed, game, first_cell)
    own = int(first_cells_of(seed, [game], spec.size)[0])
    return asked | {"own_first_cell": own, "cells": [int(cell) for cell in board.mines.reshape(-1).nonzero()[0]]}


def play(policy):
    """The records of a few games of a policy, as lists."""
    spec = Spec(tuple(PLAYED["shape"]), PLAYED["mines"])
    records = simulate(spec, PLAYED["games"], policy, PLAYED["seed"], records=True).records
    return [[int(row[name]) for name in PINNED] for row in records]


def main():
    layouts = [deal(**asked) for asked in ASKED]
    games = {policy: play(policy) for policy in ("random", "single-point", "pairs")}
    text = json.dumps({"stream_version": STREAM_VERSION, "layouts": layouts, "games": games}, separators=(",", ":"))
    GOLDEN.write_text(text.replace('{"shape"', '\n{"shape"').replace("]]", "]]\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
