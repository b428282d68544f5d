"""The C side of the struct-compatible games: compiles tests/data/struct_cell.c and calls it."""

import ctypes
import os
import random
import shlex
import shutil
import subprocess
from ctypes import POINTER, c_int, c_long, c_void_p
from functools import cache
from math import prod
from pathlib import Path

import pytest
from needed import missing
from reference import cells_of

DATA = Path(__file__).parent / "data"
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Werror")
INTS = POINTER(c_int)
SELECT = ctypes.CFUNCTYPE(c_int, c_void_p, c_int, INTS, INTS)
INIT = ctypes.CFUNCTYPE(None, c_void_p, c_int, INTS, c_int, POINTER(INTS))

# Games by dimension: the least that a grid of any sizes needs, and more than anything here needs.
EXACT = {ndim: (3**ndim - 1, ndim) for ndim in range(1, 6)}
LOOSE = (250, 6)


def compile_c(source, target, max_adjacent, max_dim, *flags):
    """Compiles a C file; the test fails where that does not go."""
    compiler = os.environ.get("CC") or next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    if compiler is None:
        missing("these tests need a C compiler: cc, gcc, clang, or one named in CC")
    sizes = (f"-DMAX_ADJACENT={max_adjacent}", f"-DMAX_DIM={max_dim}")
    command = [*shlex.split(compiler), *STRICT, *sizes, *flags, "-o", str(target), str(DATA / source)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        pytest.fail(f"{shlex.join(command)}\n{done.stderr}")
    return target


def layout_of(folder, max_adjacent, max_dim):
    """What the compiler makes of the struct: the offset of every field, and sizes, by name."""
    program = compile_c("struct_layout.c", folder / f"layout_{max_adjacent}_{max_dim}", max_adjacent, max_dim)
    words = subprocess.check_output([str(program)], text=True).split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


@cache
def structure(max_adjacent, max_dim):
    """The struct as ctypes lays it out."""

    class Cell(ctypes.Structure):
        pass

    Cell._fields_ = [
        ("mined", c_int),
        ("selected", c_int),
        ("num_adjacent", c_int),
        ("adjacent", POINTER(Cell) * max_adjacent),
        ("coords", c_int * max_dim),
        ("hint", c_int),
    ]
    return Cell


def ints(values):
    """Integers as C has them."""
    return (c_int * len(values))(*values)


def rows(cells):
    """Coordinates of some cells as C has them, int **."""
    return (INTS * len(cells))(*(ctypes.cast(ints(cell), INTS) for cell in cells))


def address_of(game):
    """Where a game lies: an array of NumPy or ctypes, or already an address."""
    if isinstance(game, int):
        return game
    return game.ctypes.data if hasattr(game, "ctypes") else ctypes.addressof(game)


class Library:
    """The compiled proof, for one MAX_ADJACENT and MAX_DIM."""

    def __init__(self, path, max_adjacent, max_dim):
        self.max_adjacent, self.max_dim = max_adjacent, max_dim
        self.Cell = structure(max_adjacent, max_dim)
        self.c = ctypes.CDLL(str(path))
        pair = (c_int, INTS)
        self.c.init_game.argtypes, self.c.init_game.restype = [c_void_p, *pair, c_int, POINTER(INTS)], None
        self.c.select_cell.argtypes = [c_void_p, *pair, INTS]
        self.c.recount.argtypes, self.c.recount.restype = [c_void_p, c_long], c_long
        self.c.differences.argtypes, self.c.differences.restype = [c_void_p, c_void_p, c_long], c_long
        self.c.new_garbage.argtypes, self.c.new_garbage.restype = [c_long], c_void_p
        self.c.free_garbage.argtypes, self.c.free_garbage.restype = [c_void_p], None
        self.c.drive.argtypes = [c_void_p, c_void_p, *pair, c_int, POINTER(INTS), c_int, POINTER(INTS)]
        self.c.drive.restype = c_long

    def new_game(self, shape, mines):
        """A game of C in an array of ctypes."""
        game = (self.Cell * prod(shape))()
        self.init_game(game, shape, mines)
        return game

    def init_game(self, game, shape, mines):
        self.c.init_game(address_of(game), len(shape), ints(shape), len(mines), rows(mines))

    def select_cell(self, game, shape, cell):
        return self.c.select_cell(address_of(game), len(shape), ints(shape), ints(cell))

    def recount(self, game, shape):
        """How many things are wrong in a game that was initialised."""
        return self.c.recount(address_of(game), prod(shape))

    def differences(self, a, b, shape):
        """How many cells of two games differ."""
        return self.c.differences(address_of(a), address_of(b), prod(shape))

    def drive(self, init, select, shape, mines, moves):
        """Has C play through two function pointers in its own memory; 0 if all went well."""
        functions = (ctypes.cast(f, c_void_p) for f in (init, select))
        return self.c.drive(*functions, len(shape), ints(shape), len(mines), rows(mines), len(moves), rows(moves))


class Libraries:
    """The compiled proofs, each made when it is first asked for."""

    def __init__(self, folder):
        self.folder = folder
        self.made = {}

    def __call__(self, max_adjacent, max_dim):
        key = max_adjacent, max_dim
        if key not in self.made:
            target = self.folder / f"struct_cell_{max_adjacent}_{max_dim}.so"
            path = compile_c("struct_cell.c", target, *key, "-O2", "-shared", "-fPIC")
            self.made[key] = Library(path, *key)
        return self.made[key]


def random_play(shape, share, seed, moves=30):
    """Mines on about a share of the cells, in any order, and cells to select, with repetitions."""
    dice = random.Random(f"{shape} {share} {seed}")
    cells = cells_of(tuple(shape))
    mines = dice.sample(cells, round(share * len(cells)))
    return mines, [dice.choice(cells) for _ in range(moves)]
