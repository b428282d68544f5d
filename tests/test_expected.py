"""Closed forms: exact fractions, the means over all layouts of tiny grids, and the numbers of dealt boards."""

import json
import pickle
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, prod, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import cells_of, neighbours, satisfies
from reference_stats import hint_histogram, isolated_numbers, zeros_of
from strategies import shapes

import ndsweep as nd
from ndsweep import Batch, Spec, expected
from ndsweep.engine.classes import Places, sights
from ndsweep.engine.unions import signed_unions

FORMS = json.loads((Path(__file__).parent / "data" / "closed_forms.json").read_text(encoding="utf-8"))
EVERY_FORM = pytest.mark.parametrize("form", FORMS, ids=[f"{form['shape']}/{form['mines']}" for form in FORMS])
RULES = ("any", "safe", "opening")
ERRORS = 5  # standard errors

# All layouts ----------------------------------------------------------------------------------


@cache
def layouts_of(shape, mines):
    """All layouts, a set of mines each."""
    return [frozenset(layout) for layout in combinations(cells_of(shape), mines)]


@cache
def numbers_of(shape, layout):
    """The zeros as a set, the safe cells of each hint, the isolated numbers: plain loops."""
    return zeros_of(shape, layout), hint_histogram(shape, layout), len(isolated_numbers(shape, layout))


def chances(shape, mines, rule, first_cell):
    """The chance of each layout that is possible, from the rule's words; {} where there is none."""
    firsts = cells_of(shape) if first_cell is None else [first_cell]
    chance = Counter()
    for first in firsts:
        allowed = [layout for layout in layouts_of(shape, mines) if satisfies(shape, layout, first, rule)]
        if not allowed:
            return {}
        for layout in allowed:
            chance[layout] += Fraction(1, len(allowed) * len(firsts))
    return chance


def assert_mean_of_all_layouts(shape, mines, rule, first_cell):
    """Whether there is a layout at all; each number must be its mean."""
    chance = chances(shape, mines, rule, first_cell)
    if not chance:
        with pytest.raises(nd.SpecError, match=r"mines must be between|has no room for"):
            expected(Spec(shape, mines, rule), first_cell)
        return False
    numbers = expected(Spec(shape, mines, rule), first_cell)
    all_numbers = [(p, *numbers_of(shape, layout)) for layout, p in chance.items()]
    assert numbers.zeros == sum(p * len(zeros) for p, zeros, _, _ in all_numbers)
    assert numbers.isolated == sum(p * isolated for p, _, _, isolated in all_numbers)
    hints = [sum(p * counts[hint] for p, _, counts, _ in all_numbers) for hint in range(3 ** len(shape))]
    assert [*numbers.hints, *[0] * (3 ** len(shape) - len(numbers.hints))] == hints
    for cell in cells_of(shape):
        assert numbers.zero_chance(cell) == sum(p for p, zeros, _, _ in all_numbers if cell in zeros)
    return True


TINY = [(1,), (2,), (4,), (7,), (1, 3), (2, 4), (3, 3), (1, 5, 1), (2, 2, 2), (2, 1, 3), (1, 2, 2, 2), (2, 1, 1, 3)]


@pytest.mark.parametrize("shape", TINY, ids=str)
def test_every_number_is_the_mean_over_all_layouts(shape):
    """All numbers of mines, all rules, random and given first cells: no two cells are taken to be alike."""
    possible = 0
    for mines, rule in product(range(prod(shape) + 1), RULES):
        for first_cell in [None, *cells_of(shape)]:
            possible += assert_mean_of_all_layouts(shape, mines, rule, first_cell)
    assert possible >= 3


LARGER = [
    ((13,), 3),
    ((5, 6), 2),
    ((3, 7), 3),
    ((3, 5), 4),
    ((7, 7), 1),
    ((3, 3, 3), 2),
    ((3, 2, 5), 2),
    ((4, 5, 3), 1),
    ((5, 5, 5), 1),
    ((2, 2, 2, 3), 2),
    ((3, 2, 3, 2), 2),
    ((3, 3, 3, 3), 1),
    ((2, 5, 1, 3), 2),
]


@pytest.mark.parametrize(("shape", "mines"), LARGER, ids=str)
def test_cells_far_from_the_border_count_as_well(shape, mines):
    """Grids with cells that see no border, fewer layouts: a corner and the middle as first cells."""
    middle = tuple(n // 2 for n in shape)
    cases = [("any", None), ("safe", None), ("safe", middle), ("opening", None), ("opening", middle)]
    for rule, first_cell in [*cases, ("opening", (0,) * len(shape))]:
        if rule == "opening" and first_cell is None and prod(shape) > 60:
            continue
        assert assert_mean_of_all_layouts(shape, mines, rule, first_cell) or rule == "opening"


# Unions of neighbourhoods ---------------------------------------------------------------------


def unions_by_subsets(shape, cell, kept):
    """Sets of zeros in the neighbourhood of a cell one by one: even less odd, by the size of their union."""
    near = {z: {z, *neighbours(shape, z)} for z in (cell, *neighbours(shape, cell))}
    sizes = Counter()
    for chosen in range(len(near) + 1):
        for zeros in combinations(near, chosen):
            sizes[len({cell}.union(*(near[z] for z in zeros)) - kept)] += (-1) ** chosen
    return {size: signed for size, signed in sizes.items() if signed}


def unions_by_growing(shape, cell, kept):
    """The same for more cells: each zero joins all unions so far, which are kept as bits and never dropped."""
    bits = {c: 1 << i for i, c in enumerate(c for c in cells_of(shape) if c not in kept)}
    unions = Counter({0: 1})
    for zero in (cell, *neighbours(shape, cell)):
        mask = sum(bits.get(c, 0) for c in (zero, *neighbours(shape, zero)))
        joined = Counter(unions)
        for union, signed in unions.items():
            joined[union | mask] -= signed
        unions = {union: signed for union, signed in joined.items() if signed}
    sizes = Counter()
    for union, signed in unions.items():
        sizes[(union | bits.get(cell, 0)).bit_count()] += signed
    return {size: signed for size, signed in sizes.items() if signed}


def assert_unions(shape, cell, first, rule, by_hand):
    """The unions of a pair of cells are those of an answer from sets of cells."""
    kept = {"any": set(), "safe": {first}, "opening": {first, *neighbours(shape, first)}}[rule]
    radius = {"any": None, "safe": 0, "opening": 1}[rule]
    axes = [Places(n, radius, x, f) for n, x, f in zip(shape, cell, first, strict=True)]
    (((sight, size), many),) = sights(axes).items()
    assert (size, many) == (len(kept), 1)
    signed = {size: number for size, number in signed_unions(sight).items() if number}
    assert signed == by_hand(shape, cell, kept), (cell, first)


@pytest.mark.parametrize("shape", [(1,), (9,), (2, 3), (6, 7), (1, 5, 6), (2, 2, 2), (2, 3, 2), (2, 2, 1, 5)], ids=str)
@pytest.mark.parametrize("rule", RULES)
def test_unions_are_those_of_every_subset(shape, rule):
    """A corner and the middle, with first cells at any distance."""
    for cell in {tuple(0 for _ in shape), tuple(n // 2 for n in shape)}:
        for first in cells_of(shape)[::3]:
            assert_unions(shape, cell, first, rule, unions_by_subsets)


@pytest.mark.parametrize(
    ("shape", "cell", "first", "rule"),
    [
        ((5, 5, 5), (2, 2, 2), (0, 0, 0), "safe"),
        ((6, 5, 7), (2, 2, 3), (5, 4, 1), "opening"),
        ((6, 4, 7), (3, 2, 6), (3, 1, 4), "opening"),
        ((3, 4, 2, 4), (1, 1, 1, 1), (2, 3, 0, 3), "opening"),
        ((4, 4, 4, 4), (1, 2, 1, 2), (0, 0, 0, 0), "any"),
    ],
    ids=str,
)
def test_unions_in_three_and_four_dimensions_are_those_of_sets_that_grow(shape, cell, first, rule):
    assert_unions(shape, cell, first, rule, unions_by_growing)


# Properties -----------------------------------------------------------------------------------


@st.composite
def specs_and_first_cells(draw):
    shape, rule = draw(shapes(most_cells=200)), draw(st.sampled_from(RULES))
    kept_free = {"any": 0, "safe": 1, "opening": prod(min(n, 3) for n in shape)}[rule]
    mines = draw(st.integers(0, prod(shape) - kept_free))
    return Spec(shape, mines, rule), draw(st.none() | st.integers(0, prod(shape) - 1))


@given(specs_and_first_cells())
def test_the_parts_add_up_to_the_whole(drawn):
    spec, first_cell = drawn
    numbers = expected(spec, first_cell)
    assert sum(numbers.hints) == spec.size - spec.mines
    assert numbers.hints[0] == numbers.zeros == sum(numbers.zero_chance(cell) for cell in range(spec.size))
    assert all(value >= 0 for value in numbers.hints)
    assert len(numbers.hints) == 1 + max(len(neighbours(spec.shape, cell)) for cell in cells_of(spec.shape))
    if prod(1 if n <= 2 else 2 if n <= 4 else 3 for n in spec.shape) <= 18:
        assert 0 <= numbers.isolated <= spec.size - spec.mines - numbers.zeros


@given(shapes(most_cells=24).flatmap(lambda s: st.tuples(st.just(s), st.integers(0, prod(s) - 1))))
def test_a_random_first_cell_is_the_mean_of_the_given_ones(shape_and_mines):
    shape, mines = shape_and_mines
    for rule in RULES:
        if rule == "opening" and mines > prod(shape) - prod(min(n, 3) for n in shape):
            continue
        spec = Spec(shape, mines, rule)
        given_ones = [expected(spec, cell) for cell in range(spec.size)]
        for number in ("zeros", "isolated"):
            mean = sum(getattr(one, number) for one in given_ones) / spec.size
            assert getattr(expected(spec), number) == mean, (rule, number)


@given(shapes(most_cells=200).flatmap(lambda s: st.tuples(st.just(s), st.integers(0, prod(s) - 1), st.randoms())))
def test_the_chance_of_an_opening_is_a_ratio_of_binomials(drawn):
    shape, mines, random = drawn
    cell = random.choice(cells_of(shape))
    size, degree = prod(shape), len(neighbours(shape, cell))
    numbers = expected(Spec(shape, mines, "safe"))
    free = comb(size - 1 - degree, mines)
    assert numbers.opening_chance(cell) == Fraction(free, comb(size, mines))
    assert numbers.opening_chance(cell, "safe") == Fraction(free, comb(size - 1, mines))
    if free:
        assert numbers.opening_chance(cell, "opening") == 1


@given(shapes(most_cells=200).flatmap(lambda s: st.tuples(st.permutations(s), st.just(s), st.integers(0, prod(s)))))
def test_the_order_of_the_axes_and_axes_of_size_one_do_not_matter(drawn):
    permuted, shape, mines = drawn
    one, other = expected(Spec(shape, mines, "any")), expected(Spec((1, *permuted, 1), mines, "any"))
    assert (one.zeros, one.hints) == (other.zeros, other.hints)


# Facts ----------------------------------------------------------------------------------------


@EVERY_FORM
def test_the_numbers_are_those_of_the_file(form):
    spec = Spec(tuple(form["shape"]), form["mines"], "any")
    for numbers in (expected(spec), expected(Spec(spec.shape, spec.mines, "safe"))):
        assert str(numbers.zeros) == form["E_zeros"]
        assert [float(x) for x in numbers.hints] == pytest.approx(
            [form["E_hint_counts"].get(str(hint), 0) for hint in range(len(numbers.hints))], rel=1e-12
        )
        if "E_isolated_numbers" in form:
            assert float(numbers.isolated) == pytest.approx(form["E_isolated_numbers"], rel=1e-12)
    for cell in cells_of(spec.shape)[:: max(1, spec.size // 20)]:
        chance = form["P_open_by_degree"][str(len(neighbours(spec.shape, cell)))]
        assert float(numbers.opening_chance(cell)) == pytest.approx(chance["unconditional"], rel=1e-12)
        assert float(numbers.opening_chance(cell, "safe")) == pytest.approx(chance["first_cell_safe"], rel=1e-12)


def test_a_corner_of_the_expert_grid_opens_as_often_as_is_known():
    assert round(float(expected(nd.EXPERT).opening_chance((0, 0))), 6) == 0.395655


def test_large_grids_have_the_densities_of_endless_ones():
    """Inner cells alone: with a share p of mines a zero has chance (1-p)^(3^n), and hints are binomial."""
    for shape in [(10**9,), (10**7, 10**7), (10**6,) * 3]:
        spec = Spec(shape, prod(shape) // 5, "opening")
        numbers, around = expected(spec), 3 ** len(shape)
        for hint in range(around):
            share = comb(around - 1, hint) * 0.2**hint * 0.8 ** (around - hint)
            assert float(numbers.hints[hint] / spec.size) == pytest.approx(share, rel=1e-3)


# Dealt boards ---------------------------------------------------------------------------------


def isolated_in(mines, hints):
    """The number of isolated numbers of each game, by shifted arrays of zeros."""
    games, shape = len(mines), mines.shape[1:]
    wall = np.pad(~mines & (hints == 0), [(0, 0), *[(1, 1)] * len(shape)])
    beside = np.zeros_like(mines)
    for steps in product(range(3), repeat=len(shape)):
        beside |= wall[(slice(None), *(slice(step, step + n) for step, n in zip(steps, shape, strict=True)))]
    return (~mines & (hints > 0) & ~beside).reshape(games, -1).sum(axis=1)


DEALS = [
    ((30,), 5, None, 20_000),
    ((9, 9), 10, None, 20_000),
    ((9, 9), 10, (0, 4), 20_000),
    ((5, 12), 9, (2, 6), 20_000),
    ((5, 5, 5), 8, None, 4_000),
    ((6, 5, 7), 10, (0, 2, 3), 4_000),
    ((4, 4, 4, 4), 12, None, 2_000),
    ((5, 2, 3, 5), 5, (2, 0, 1, 4), 4_000),
    ((2, 4, 2, 4, 2), 3, None, 2_000),
]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("shape", "mines", "first_cell", "games"), DEALS, ids=str)
def test_dealt_boards_have_as_many_as_expected(shape, mines, first_cell, games, rule):
    spec = Spec(shape, mines, rule)
    flat = None if first_cell is None else np.full(games, np.ravel_multi_index(first_cell, shape))
    batch = Batch.deal(spec, games, seed=1729, first_cells=flat)
    numbers = expected(spec, first_cell)
    safe_hints = np.where(batch.mines, -1, batch.hints.astype(int)).reshape(games, -1)
    of_boards = {"isolated": (isolated_in(batch.mines, batch.hints), numbers.isolated)}
    of_boards |= {hint: ((safe_hints == hint).sum(axis=1), mean) for hint, mean in enumerate(numbers.hints[:5])}
    for name, (values, mean) in of_boards.items():
        error = max(values.std(), sqrt(min(1, max(mean, 1 / games)))) / sqrt(games)
        assert abs(values.mean() - float(mean)) <= ERRORS * error, name


# The value ------------------------------------------------------------------------------------


def test_expected_numbers_are_a_value():
    numbers = expected(nd.BEGINNER, first_cell=40)
    assert numbers == expected(nd.BEGINNER, (4, 4)) != expected(nd.BEGINNER)
    assert hash(numbers) == hash(expected(nd.BEGINNER, (4, 4)))
    assert (numbers.spec, numbers.first_cell, numbers.n_mines) == (nd.BEGINNER, (4, 4), 10)
    before = numbers.isolated
    assert pickle.loads(pickle.dumps(numbers)).isolated == before
    assert eval(repr(numbers), vars(nd)) == numbers
    with pytest.raises(AttributeError):
        numbers.spec = nd.EXPERT
    assert isinstance(before, Fraction)
    assert np.array(numbers.hints, float).sum() == pytest.approx(71)


def test_what_cannot_be_is_refused():
    for spec in ("expert", (9, 9), None):
        with pytest.raises(nd.SpecError, match="spec must be a Spec"):
            expected(spec)
    with pytest.raises(nd.CellError, match=r"first_cell must lie in 0\.\.8 x 0\.\.8\. Got \(9, 0\)"):
        expected(nd.BEGINNER, (9, 0))
    numbers = expected(nd.BEGINNER)
    for method in (numbers.zero_chance, numbers.opening_chance):
        with pytest.raises(nd.CellError, match=r"cell must lie in 0\.\.80\. Got 81"):
            method(81)
    with pytest.raises(nd.SpecError, match=r"first must be one of 'any', 'safe', 'opening'\. Got 'lucky'"):
        numbers.opening_chance(0, "lucky")
    tight = Spec((3, 3), 5, "opening")
    assert expected(tight, (0, 0)).zeros == 1
    for first_cell, where in ((None, "a random first cell"), ((1, 1), r"first_cell=\(1, 1\)")):
        with pytest.raises(nd.SpecError, match=f"mines must be between 0 and 0 .* and {where}. Got 5"):
            expected(tight, first_cell)
    with pytest.raises(nd.SpecError, match=r"mines must be between 0 and 3 for shape \(4,\) with first='safe'"):
        expected(Spec((4,), 4, "any")).opening_chance(0, "safe")


def test_what_would_take_too_long_is_refused_before_it_begins():
    numbers = expected(Spec((10,) * 4, 1000))
    assert round(float(numbers.zeros), 3) == 72.088
    with pytest.raises(nd.TooLargeError, match=r"isolated .* at most 27 .* Got 81 for shape \(10, 10, 10, 10\)"):
        numbers.isolated  # noqa: B018
    numbers = expected(Spec((3,) * 7, 30))
    assert 0 < numbers.zero_chance(0) < 1
    with pytest.raises(nd.TooLargeError, match=r"hints must have cells with at most 728 neighbours\. Got 2186"):
        numbers.hints  # noqa: B018
    for ask in (lambda n: n.zeros, lambda n: n.zero_chance(0), lambda n: n.opening_chance(0)):
        with pytest.raises(nd.TooLargeError, match=r"zeros must have cells with at most 6560 neighbours"):
            ask(expected(Spec((3,) * 9, 30)))
    corners = expected(Spec((2,) * 12, 1, "any"))
    assert corners.zeros == 0
    with pytest.raises(nd.TooLargeError, match=r"isolated must have cells with at most 728 neighbours\. Got 4095"):
        corners.isolated  # noqa: B018
    assert expected(Spec((2,) * 9, 1, "any")).isolated == 511
