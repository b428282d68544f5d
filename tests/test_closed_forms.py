"""Expected numbers in closed form: dealt boards have as many zeros and hints as the mathematics says."""

import json
from math import comb, prod, sqrt
from pathlib import Path

import numpy as np
import pytest
from reference import cells_of, neighbours

from ndsweep import Batch, Spec

FORMS = json.loads((Path(__file__).parent / "data" / "closed_forms.json").read_text(encoding="utf-8"))
EVERY_FORM = pytest.mark.parametrize("form", FORMS, ids=[f"{form['shape']}/{form['mines']}" for form in FORMS])
GAMES = 20_000
MOST_CELLS = 3_000_000
ERRORS = 5  # standard errors


def dealt(form, rule="any", first_cell=None):
    """The hints of safe cells of many boards, -1 at mines, (games, size)."""
    spec = Spec(tuple(form["shape"]), form["mines"], rule)
    games = min(GAMES, MOST_CELLS // spec.size)
    first_cells = None if first_cell is None else np.full(games, first_cell)
    batch = Batch.deal(spec, games, seed=31, first_cells=first_cells)
    return np.where(batch.mines, -1, batch.hints.astype(int)).reshape(games, -1)


def degrees(shape):
    return np.array([len(neighbours(shape, cell)) for cell in cells_of(shape)])


def within_errors(values, expected):
    """Whether the mean of one value a game is that expected; rare events get the error of a Poisson count."""
    games = len(values)
    rare = sqrt(min(1, max(expected, 1 / games)))
    return abs(values.mean() - expected) <= ERRORS * max(values.std(), rare) / sqrt(games)


@EVERY_FORM
def test_hints_come_up_as_often_as_expected(form):
    hints = dealt(form)
    assert within_errors((hints == 0).sum(axis=1), form["E_zeros_float"])
    for hint, expected in form["E_hint_counts"].items():
        assert within_errors((hints == int(hint)).sum(axis=1), expected), hint
    assert hints.max() <= max(map(int, form["E_hint_counts"]))


@EVERY_FORM
def test_cells_of_each_degree_are_zeros_as_often_as_expected(form):
    """Corners, edges and inner cells apart; among all cells and among safe ones."""
    hints, degree = dealt(form), degrees(tuple(form["shape"]))
    assert {str(d): int((degree == d).sum()) for d in np.unique(degree)} == form["degree_counts"]
    for d, expected in form["P_open_by_degree"].items():
        zeros = (hints[:, degree == int(d)] == 0).mean(axis=1)
        assert within_errors(zeros, expected["unconditional"]), d
        safe = (hints[:, degree == int(d)] >= 0).mean(axis=1)
        assert within_errors(zeros - expected["first_cell_safe"] * safe, 0), d


@EVERY_FORM
def test_a_safe_first_cell_is_a_zero_as_often_as_expected(form):
    """The first click of a corner and of an inner cell under the rule "safe"."""
    shape = tuple(form["shape"])
    for cell in (tuple(0 for _ in shape), tuple(n // 2 for n in shape)):
        flat = int(np.ravel_multi_index(cell, shape))
        zeros = dealt(form, "safe", flat)[:, flat] == 0
        expected = form["P_open_by_degree"][str(len(neighbours(shape, cell)))]["first_cell_safe"]
        assert within_errors(zeros.astype(float), expected)


@EVERY_FORM
def test_the_closed_forms_are_hypergeometric(form):
    """The numbers of the file again, from binomials."""
    size, mines = prod(form["shape"]), form["mines"]
    counts = {int(d): n for d, n in form["degree_counts"].items()}
    zeros = sum(n * comb(size - 1 - d, mines) / comb(size, mines) for d, n in counts.items())
    assert zeros == pytest.approx(form["E_zeros_float"])
