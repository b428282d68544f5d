"""Best play: published fractions, all play of tiny grids tried out, and policies that win no more."""

import inspect
import json
import os
import subprocess
import sys
from fractions import Fraction
from itertools import product
from math import comb, prod
from pathlib import Path

import numpy as np
import pytest
import reference_optimal
from reference import cells_of

import ndsweep as nd
from ndsweep import CellError, Optimal, Spec, SpecError, TooLargeError, optimal

FACTS = json.loads((Path(__file__).parent / "data" / "optimal_small.json").read_text(encoding="utf-8"))["rows"]
RULES = ("any", "safe", "opening")
TINY = [
    (1,),
    (2,),
    (5,),
    (9,),
    (1, 6),
    (2, 3),
    (3, 3),
    (2, 5),
    (2, 2, 2),
    (3, 1, 3),
    (1, 2, 4),
    (1, 2, 2, 2),
    (1, 3, 1, 3),
]
EVERY_TINY = pytest.mark.parametrize("shape", TINY, ids=str)
ERRORS = 5  # standard errors


def is_possible(shape, mines, rule):
    """Whether the spec is one at all."""
    try:
        return bool(Spec(shape, mines, rule))
    except SpecError:
        return False


def possible(shape):
    """All specs of a shape."""
    return [Spec(shape, *how) for how in product(range(prod(shape) + 1), RULES) if is_possible(shape, *how)]


# The grid from its start --------------------------------------------------------------------------


@pytest.mark.parametrize("fact", FACTS, ids=[f"{fact['shape']}/{fact['mines']}" for fact in FACTS])
def test_the_published_fractions(fact):
    shape, mines = tuple(fact["shape"]), fact["mines"]
    assert optimal(Spec(shape, mines, "any")).win_rate == Fraction(fact["unprotected"])
    for name, rule in (("first_safe", "safe"), ("first_zero", "opening")):
        if fact[name] is None:
            assert not is_possible(shape, mines, rule)
        else:
            found = optimal(Spec(shape, mines, rule))
            assert [str(found.win_rate), list(found.first_cell)] == fact[name]


def tried_out(spec, first_cell):
    """The chance to win from a first cell, by the reference; None where it is impossible."""
    won, allowed = reference_optimal.won_from(spec.shape, spec.mines, spec.first, first_cell)
    return Fraction(won, allowed) if allowed else None


@EVERY_TINY
def test_no_play_at_all_does_better_or_worse(shape):
    for spec in possible(shape):
        found, chances = optimal(spec), {cell: tried_out(spec, cell) for cell in cells_of(shape)}
        assert {cell: found.by_first_cell[cell] for cell in chances} == chances
        best = max(chance for chance in chances.values() if chance is not None)
        assert found.win_rate == best
        assert found.first_cell == min(cell for cell, chance in chances.items() if chance == best)


@pytest.mark.parametrize("spec", [Spec((12,), 3), Spec((3, 4), 3), Spec((2, 2, 3), 8), Spec((1, 2, 3, 2), 9)], ids=str)
def test_nor_on_some_grids_of_a_dozen_cells(spec):
    found = optimal(spec)
    for cell in cells_of(spec.shape):
        assert found.by_first_cell[cell] == tried_out(spec, cell)


@pytest.mark.parametrize("spec", [Spec((3, 3), 3), Spec((3, 4), 3, "opening"), Spec((2, 2, 3), 2, "any")], ids=str)
def test_one_first_cell_alone(spec):
    everywhere = optimal(spec)
    for cell in cells_of(spec.shape):
        chance = everywhere.by_first_cell[cell]
        if chance is None:
            with pytest.raises(SpecError, match=r"mines must be between 0 and .*first_cell="):
                optimal(spec, cell)
            continue
        alone = optimal(spec, cell)
        assert (alone.win_rate, alone.first_cell, alone.by_first_cell[cell]) == (chance, cell, chance)
        assert sum(other is not None for other in alone.by_first_cell.flat) == 1


@pytest.mark.parametrize("shape", [(2,), (2, 2), (2, 2, 2), (2, 2, 2, 2)], ids=str)
def test_where_all_cells_are_neighbours_hints_tell_nothing(shape):
    size = prod(shape)
    for mines in range(size):
        assert optimal(Spec(shape, mines)).win_rate == Fraction(1, comb(size - 1, mines))
        assert optimal(Spec(shape, mines, "any")).win_rate == Fraction(1, comb(size, mines))


@pytest.mark.parametrize("shape", [(4,), (3, 2), (2, 1, 2), (1, 2, 1, 3)], ids=str)
def test_a_grid_without_safe_cells_is_won(shape):
    found = optimal(Spec(shape, prod(shape), "any"))
    assert found.first_cell == (0,) * len(shape)
    assert found.win_rate == 1
    assert set(found.by_first_cell.flat) == {1}


@pytest.mark.parametrize(
    "spec",
    [Spec((12,), 4), Spec((3, 4), 3), Spec((4, 4), 4, "opening"), Spec((2, 2, 3), 2), Spec((1, 2, 3, 3), 2)],
    ids=str,
)
@pytest.mark.parametrize("policy", ["random", "single-point", "pairs"])
def test_no_policy_wins_more(spec, policy):
    best = optimal(spec).win_rate
    result = nd.simulate(spec, 20_000, policy)
    assert result.win_rate <= float(best) + ERRORS * np.sqrt(float(best) * (1 - float(best)) / result.games)
    if policy == "pairs":
        assert result.win_rate > float(best) / 3  # it is no empty bound


def test_the_answer_is_a_value():
    found = optimal(Spec((3, 3), 2))
    assert isinstance(found, Optimal)
    assert found == optimal(Spec((3, 3), 2))
    assert hash(found) == hash(optimal(Spec((3, 3), 2)))
    assert found != optimal(Spec((3, 3), 2, "any"))
    assert found != optimal(Spec((3, 3), 2), first_cell=(0, 1))
    assert found != "best"
    with pytest.raises(ValueError, match="read-only"):
        found.by_first_cell[0, 0] = None


def test_a_hundred_runs_are_identical():
    assert (
        len(
            {(repr(found), tuple(found.by_first_cell.flat)) for found in (optimal(Spec((3, 3), 4)) for _ in range(100))}
        )
        == 1
    )


HASHED = """
from ndsweep import Spec, optimal
for spec in (Spec((3, 4), 4), Spec((12,), 5, "any"), Spec((2, 2, 3), 4), Spec((1, 2, 3, 2), 3, "opening")):
    found = optimal(spec)
    print(found, found.by_first_cell.tolist())
"""


def test_the_order_of_hashes_does_not_matter():
    answers = set()
    for seed in ("0", "1", "4242"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        done = subprocess.run(
            [sys.executable, "-c", HASHED], env=environment, capture_output=True, text=True, check=True
        )
        answers.add(done.stdout)
    (answer,) = answers
    assert answer.count("win_rate=Fraction") == 4


def test_long_play_meets_no_recursion_limit():
    """126 guesses in a row, under a limit that leaves no room for them."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 60)
    try:
        chance = optimal(Spec((2,) * 7, 1)).win_rate
    finally:
        sys.setrecursionlimit(before)
    assert chance == Fraction(1, 127)


def test_hints_beyond_a_byte():
    """255 mines around a cell, and 254."""
    assert optimal(Spec((2,) * 8, 255)).win_rate == 1
    assert optimal(Spec((2,) * 8, 254)).win_rate == Fraction(1, 255)
    assert optimal(Spec((2,) * 8, 255, "any")).win_rate == Fraction(1, 256)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (nd.BEGINNER, r"spec must have at most 6172 layouts on its 81 cells .* Got 1646492110120\."),
        (Spec((257,), 1), r"spec must have at most 256 cells for a search of all play\. Got 257\."),
        (Spec((10**6, 10**6), 10**6), r"at most 256 cells .* Got 1000000000000\."),
        (Spec((5, 5), 8, "any"), r"at most 20000 layouts on its 25 cells .* Got 735471\."),
        (Spec((3, 3, 3, 3), 4, "opening"), r"at most 6172 layouts"),
    ],
)
def test_what_is_too_large_is_refused_at_once(spec, message):
    with pytest.raises(TooLargeError, match=message):
        optimal(spec)


def test_what_turns_out_too_large_is_given_up(monkeypatch):
    monkeypatch.setattr(sys.modules["ndsweep.solver.optimal"], "_MOST_WORK", 1000)
    assert optimal(Spec((3, 3), 1)).win_rate == 1
    with pytest.raises(
        TooLargeError, match=r"spec must be one whose play is searched in 1,000 looks .*Spec\(shape=\(3, 3\), mines=4"
    ):
        optimal(Spec((3, 3), 4))


def test_bad_arguments_are_refused():
    with pytest.raises(SpecError, match=r"spec must be a Spec\. Got 'beginner'"):
        optimal("beginner")
    with pytest.raises(CellError, match=r"first_cell must lie in 0\.\.2 x 0\.\.2\. Got \(3, 0\)"):
        optimal(Spec((3, 3), 2), first_cell=(3, 0))
