"""At which density of mines openings stop spanning the grid: a threshold for each board, and what they tell of a size.

The mines of a game are the first so many different cells of its stream (with the first-click rule "any", up to half of
the grid).  So its layouts of more and more mines are nested, and what has stopped spanning never spans again: one
number a game says at which densities it spans, and the share of games with a larger one is the probability to span.
"""

import csv
import sqlite3
from bisect import bisect_left
from contextlib import closing
from math import nan, pi, prod, sqrt

import numpy as np

import ndsweep as nd

SEED = 0
RESAMPLES = 2000
_STEPS = 20_000  # of the number of mines on large boards: far less than boards differ
_WIDTHS = sqrt(3) / pi  # the width of a logistic curve in standard deviations


def name_of(shape):
    """The shape as text, "16x16"."""
    return "x".join(map(str, shape))


def shape_of(name):
    """The shape of such a text."""
    return tuple(map(int, name.split("x")))


def threshold(shape, game):
    """The density where the openings of a game stop reaching from the first slab of axis 0 to the last."""
    cells = prod(shape)
    counts = range(0, cells // 2 + 1, max(1, cells // _STEPS))

    def stopped(mines):
        return not nd.Board.deal(nd.Spec(shape, mines, "any"), SEED, game).openings.spans()

    place = bisect_left(counts, True, key=stopped)
    return counts.step * (place - 0.5) / cells  # halfway between the last that spans and the first that does not


def thresholds_of(job):
    """The thresholds of some games of a shape: the work of a process."""
    shape, games = job
    return [(game, threshold(shape, game)) for game in games]


class Store:
    """The thresholds that are known, in a file that outlives whatever ends the program."""

    def __init__(self, path):
        self._path = path
        with self._open() as base:
            base.execute("CREATE TABLE IF NOT EXISTS thresholds (key, game, density, PRIMARY KEY (key, game))")

    def add(self, shape, found):
        """Keeps (game, density) pairs of a shape."""
        with self._open() as base, base:
            rows = [(self._key(shape), game, density) for game, density in found]
            base.executemany("INSERT OR REPLACE INTO thresholds VALUES (?, ?, ?)", rows)

    def known(self, shape, games):
        """The thresholds of the first so many games that are there, by the game."""
        with self._open() as base:
            query = "SELECT game, density FROM thresholds WHERE key = ? AND game < ? ORDER BY game"
            return dict(base.execute(query, (self._key(shape), games)).fetchall())

    def _open(self):
        return closing(sqlite3.connect(self._path, timeout=60))

    def _key(self, shape):
        return f"{name_of(shape)}, seed {SEED}, stream {nd.STREAM_VERSION}"


def jobs(store, sizes):
    """What is not in the store yet, some games at a time, those that take longest first; each with its shape."""
    for shape, games in sorted(sizes.items(), key=lambda size: -prod(size[0])):
        known = store.known(shape, games)
        missing = [game for game in range(games) if game not in known]
        some = max(1, 200_000 // prod(shape))
        for first in range(0, len(missing), some):
            yield shape, (shape, missing[first : first + some])


def curve(densities, level=0.95):
    """Where half of the boards span, and over what width that changes, from the thresholds of independent boards.

    The midpoint is their median and the width that of the logistic curve with their standard deviation.  Points of the
    curve at two densities are of the same boards, so a fit of independent binomial points would be too sure of itself.
    Errors come from the bootstrap over boards instead, which are independent.
    """
    boards = np.asarray(densities)
    again = np.random.default_rng(0).choice(boards, (RESAMPLES, len(boards)))
    middles, spreads = np.median(again, axis=1), again.std(axis=1)
    low, high = np.quantile(middles, [(1 - level) / 2, (1 + level) / 2])
    return nd.Transition(
        midpoint=float(np.median(boards)),
        low=float(low),
        high=float(high),
        width=float(boards.std(ddof=1)) * _WIDTHS,
        rises=False,
        dispersion=nan,
        points=len(boards),
        level=level,
        midpoint_error=float(middles.std()),
        width_error=float(spreads.std()) * _WIDTHS,
    )


def limit(curves):
    """How the curves of one dimension change with size, from a dictionary of curves by shape."""
    return nd.fit_scaling([shape[0] for shape in curves], curves.values())


def write(path, found):
    """Writes thresholds, a dictionary of them by shape, a row a board."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("shape", "game", "density"))
        for shape, densities in found.items():
            rows.writerows((name_of(shape), game, f"{density:.8f}") for game, density in enumerate(densities))


def read(path):
    """What `write` wrote."""
    found = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(shape_of(row["shape"]), []).append(float(row["density"]))
    return found
