"""A billion cells, in memory and in memory maps: ``pytest -m large``, two minutes, 4 GB of memory, 3 GB of disk."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.large

SIDE = 32_768
MINES = SIDE * SIDE // 10
BYTES_A_CELL = 6
BYTES_IN_MAPS = 2e9

PLAY = """
import json, resource, sys, time
import numpy as np
from ndsweep import Board, Game, Spec

side, mines, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
place = (lambda name: f"{folder}/{name}.npy") if folder else (lambda name: None)
times, start = {}, time.perf_counter()


def done(name):
    global start
    times[name], start = round(time.perf_counter() - start, 2), time.perf_counter()
    print(name, times[name], file=sys.stderr)


def peak():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


begin, cell = peak(), (side // 2, side // 2)
board = Board.deal(Spec((side, side), mines, "opening"), seed=1, first_cell=cell, out=place("mines"))
done("deal")
hints = board.compute_hints(place("hints"))
done("hints")
sizes = board.opening_sizes()
done("openings")
game = Game(board, view=place("view"))
done("game")
opened = game.reveal(cell)
done("reveal")
most = peak()
counted = zeros = 0
for first in range(0, side, 1024):  # by another way: sums of slices
    rows = slice(max(first - 1, 0), min(first + 1025, side))
    part = np.asarray(board.mines[rows]).view(np.uint8)
    total = np.pad(part, 1)
    total = sum(total[1 + i : 1 + i + len(part), 1 + j : 1 + j + side] for i in (-1, 0, 1) for j in (-1, 0, 1))
    own = slice(first - rows.start, first - rows.start + 1024)
    assert (hints[first : first + 1024] == (total - part)[own]).all()
    counted += int(part[own].sum())
    zeros += int((total[own] == 0).sum())
print(json.dumps({
    "bytes": most - begin, "times": times, "mines": counted, "zeros": zeros, "opened": opened,
    "openings": len(sizes), "largest": int(sizes.max()), "cells": int(sizes.sum()),
}))
"""


def played(folder):
    """What a process of its own finds, and how much memory it takes."""
    done = subprocess.run(
        [sys.executable, "-c", PLAY, str(SIDE), str(MINES), folder], stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(done.stdout)


def test_a_billion_cells_in_memory_and_in_maps(tmp_path):
    pytest.importorskip("resource", reason="the system does not tell a process its memory")
    in_memory, in_maps = played(""), played(str(tmp_path))
    for found in (in_memory, in_maps):
        print(found["times"], f"{found['bytes'] / SIDE**2:.2f} bytes a cell")
        assert found["mines"] == MINES
        assert found["cells"] == found["zeros"]
        assert found["opened"] > 8
    differ = [name for name in in_memory if name not in ("bytes", "times") and in_memory[name] != in_maps[name]]
    assert not differ
    assert in_memory["bytes"] <= BYTES_A_CELL * SIDE**2
    assert in_maps["bytes"] <= BYTES_IN_MAPS
