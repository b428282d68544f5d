"""ndsweep: n-dimensional Minesweeper as a subject of study.

Deals, plays and counts millions of games with NumPy and SciPy, in any dimension.

Examples
--------
>>> import ndsweep as nd
>>> result = nd.simulate(nd.BEGINNER, 10_000)
>>> 0.66 < result.win_rate < 0.70
True
"""

from ndsweep.batch import Batch
from ndsweep.board import Board
from ndsweep.boardstats import BoardStats
from ndsweep.collect import Part, collect, iter_collect
from ndsweep.compare import Comparison, compare
from ndsweep.dataset import dataset
from ndsweep.engine.streams import STREAM_VERSION
from ndsweep.expected import Expected, expected
from ndsweep.game import Game
from ndsweep.histogram import Histogram
from ndsweep.interop.cstruct import cell_dtype, init_game, new_game, select_cell
from ndsweep.interop.files import FILE_FORMATS, dumps, load, loads, save
from ndsweep.numbers import Openings
from ndsweep.policies import Policy, Turn
from ndsweep.position import Position
from ndsweep.puzzles import Puzzle, generate
from ndsweep.result import Result
from ndsweep.scaling import Scaling, fit_scaling
from ndsweep.simulate import replay, simulate
from ndsweep.solver.deduce import Deduction, deduce
from ndsweep.solver.optimal import Optimal, optimal
from ndsweep.solver.probability import Probability, mine_probability
from ndsweep.solver.proofs import Proof
from ndsweep.solver.rating import Move, Rating, rate
from ndsweep.spec import (
    BEGINNER,
    EXPERT,
    FLAG,
    HIDDEN,
    INTERMEDIATE,
    MINE,
    CellError,
    FormatError,
    MergeError,
    PolicyError,
    Spec,
    SpecError,
    Status,
    StoreError,
    SweepError,
    TooLargeError,
    UnsolvableError,
)
from ndsweep.stats import bbbv, measure
from ndsweep.study import Study
from ndsweep.survey import board_stats
from ndsweep.tasks import Task, grid
from ndsweep.transition import Transition, fit_transition
from ndsweep.zini import zini

__version__ = "0.1.0"

__all__ = [
    "BEGINNER",
    "EXPERT",
    "FILE_FORMATS",
    "FLAG",
    "HIDDEN",
    "INTERMEDIATE",
    "MINE",
    "STREAM_VERSION",
    "Batch",
    "Board",
    "BoardStats",
    "CellError",
    "Comparison",
    "Deduction",
    "Expected",
    "FormatError",
    "Game",
    "Histogram",
    "MergeError",
    "Move",
    "Openings",
    "Optimal",
    "Part",
    "Policy",
    "PolicyError",
    "Position",
    "Probability",
    "Proof",
    "Puzzle",
    "Rating",
    "Result",
    "Scaling",
    "Spec",
    "SpecError",
    "Status",
    "StoreError",
    "Study",
    "SweepError",
    "Task",
    "TooLargeError",
    "Transition",
    "Turn",
    "UnsolvableError",
    "bbbv",
    "board_stats",
    "cell_dtype",
    "collect",
    "compare",
    "dataset",
    "deduce",
    "dumps",
    "expected",
    "fit_scaling",
    "fit_transition",
    "generate",
    "grid",
    "init_game",
    "iter_collect",
    "load",
    "loads",
    "measure",
    "mine_probability",
    "new_game",
    "optimal",
    "rate",
    "replay",
    "save",
    "select_cell",
    "simulate",
    "zini",
]
