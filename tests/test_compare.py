"""Comparing two policies: published figures, the test that the interval inverts, coverage, and games in pairs."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb, isnan, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import xlogy
from scipy.stats import binom, binomtest, multinomial, norm

from ndsweep import BEGINNER, Comparison, Spec, SpecError, compare, simulate
from ndsweep.engine.slots import ENDED
from ndsweep.result import Result

PUBLISHED = json.loads((Path(__file__).parent / "data" / "difference_intervals.json").read_text())
SPECS = [Spec((40,), 5), BEGINNER, Spec((4, 5, 4), 8), Spec((3, 3, 3, 3), 7)]


def paired(both, only_a, only_b, neither):
    games = both + only_a + only_b + neither
    return Comparison("a", "b", (games, games), (both + only_a, both + only_b), both)


def independent(wins_a, games_a, wins_b, games_b):
    return Comparison("a", "b", (games_a, games_b), (wins_a, wins_b), None, "Two samples.")


def swapped(comparison):
    """The second policy compared with the first."""
    (games_a, games_b), (wins_a, wins_b) = comparison.games, comparison.wins
    names = comparison.b, comparison.a
    return Comparison(*names, (games_b, games_a), (wins_b, wins_a), comparison.both, comparison.reason)


def count(most):
    return st.integers(0, most) | st.integers(0, 3)


def tables(most):
    """Paired comparisons, often with nothing in some of the four numbers."""
    return st.tuples(*[count(most // 4)] * 4).filter(any).map(lambda counts: paired(*counts))


def samples(most):
    """Comparisons of independent samples."""
    counts = st.tuples(*[count(most // 2)] * 4).filter(lambda c: c[0] + c[1] and c[2] + c[3])
    return counts.map(lambda c: independent(c[0], c[0] + c[1], c[2], c[2] + c[3]))


levels = st.sampled_from([1e-12, 0.5, 0.9, 0.95, 0.99, 0.999999, 1 - 2**-51])


# Intervals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "make"), [("newcombe", independent), ("tango", paired)])
def test_published_intervals(kind, make):
    for case in PUBLISHED[kind]:
        found = make(*case["counts"]).interval(case["level"])
        np.testing.assert_allclose(found, [case["low"], case["high"]], atol=case["tolerance"], err_msg=str(case))


def likeliest(only_a, only_b, games, differences):
    """The likeliest share of pairs won by one alone, for each difference of the rates: a search by thirds."""

    def log_likelihood(share):
        sides = xlogy(only_a, np.maximum(share + differences, 0)) + xlogy(only_b, np.maximum(share - differences, 0))
        return sides + xlogy(games - only_a - only_b, np.maximum(1 - share, 0))

    low, high = np.abs(differences), np.ones(differences.size)
    for _ in range(100):
        third = (high - low) / 3
        rising = log_likelihood(low + third) < log_likelihood(high - third)
        low, high = np.where(rising, low + third, low), np.where(rising, high, high - third)
    return (low + high) / 2


def not_rejected(only_a, only_b, games, differences, level):
    """Which differences Tango's test does not reject."""
    variance = likeliest(only_a, only_b, games, differences) - differences**2
    off = (only_a - only_b) / games - differences
    return games * off**2 <= norm.ppf((1 + level) / 2) ** 2 * variance


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_a_paired_interval_holds_the_differences_that_the_test_does_not_reject(level):
    differences = np.linspace(-1, 1, 401)
    for games in range(1, 8):
        for only_a, only_b in product(range(games + 1), repeat=2):
            if only_a + only_b <= games:
                low, high = paired(0, only_a, only_b, games - only_a - only_b).interval(level)
                sure = np.minimum(abs(differences - low), abs(differences - high)) > 1e-6
                inside = (low <= differences) & (differences <= high)
                expected = not_rejected(only_a, only_b, games, differences, level)
                np.testing.assert_array_equal(inside[sure], expected[sure], err_msg=f"{only_a, only_b, games}")


@given(tables(10**4), st.sampled_from([0.5, 0.95, 0.999999]))
def test_a_paired_interval_ends_where_the_test_begins_to_reject(comparison, level):
    for end, other in zip(comparison.interval(level), reversed(comparison.interval(level)), strict=True):
        if abs(end) < 1:
            around = end + (other - end) * np.array([1e-5, -1e-5])
            found = not_rejected(comparison.only_a, comparison.only_b, comparison.games[0], around, level)
            assert found.tolist() == [True, False]


@given(tables(10**9) | samples(10**9), levels)
def test_an_interval_holds_the_difference_and_mirrors(comparison, level):
    low, high = comparison.interval(level)
    assert -1 <= low <= comparison.difference <= high <= 1
    assert swapped(comparison).interval(level) == (-high, -low)
    assert swapped(comparison).difference == -comparison.difference
    wider = comparison.interval((1 + level) / 2)
    assert wider[0] <= low
    assert high <= wider[1]


@given(tables(10**9) | samples(10**9))
def test_only_games_that_all_went_one_way_reach_the_end(comparison):
    low, high = comparison.interval()
    assert (low == -1) == (comparison.wins[0] == 0 and comparison.wins[1] == comparison.games[1])
    assert (high == 1) == (comparison.wins[1] == 0 and comparison.wins[0] == comparison.games[0])
    assert low < high


@given(st.integers(1, 10**9))
def test_intervals_of_games_that_all_went_alike(games):
    z = norm.ppf(0.975) ** 2
    for comparison in (paired(games, 0, 0, 0), paired(0, 0, 0, games)):
        assert comparison.interval() == pytest.approx((-z / (games + z), z / (games + z)), rel=1e-12)
    assert paired(0, games, 0, 0).interval() == pytest.approx(((games - z) / (games + z), 1), abs=1e-15)
    lost = independent(0, games, 0, games).interval()
    assert lost == pytest.approx((-z / (games + z), z / (games + z)), rel=1e-6)


@pytest.mark.parametrize("games", [10**6, 10**9])
def test_many_games_have_the_usual_standard_error(games):
    only_a, only_b, wins_a, wins_b = games // 10, games // 11, games // 2, games // 3
    seen, z = (only_a - only_b) / games, norm.ppf(0.975)
    half = z * sqrt(((only_a + only_b) / games - seen**2) / games)
    assert paired(0, only_a, only_b, games - only_a - only_b).interval() == pytest.approx(
        (seen - half, seen + half), abs=10 / games
    )
    rates = wins_a / games, wins_b / games
    seen, half = rates[0] - rates[1], z * sqrt(sum(rate * (1 - rate) / games for rate in rates))
    found = independent(wins_a, games, wins_b, games).interval()
    assert found == pytest.approx((seen - half, seen + half), abs=10 / games)


def test_coverage_of_paired_games_is_about_the_level():
    """The mean over rates of the chance that the interval holds the difference."""
    games = 20
    counts = np.array([(a, b, games - a - b) for a, b in product(range(games + 1), repeat=2) if a + b <= games])
    low, high = np.array([paired(0, a, b, rest).interval() for a, b, rest in counts]).T
    held = []
    for a, b in product(np.linspace(0.02, 0.48, 12), repeat=2):
        inside = (low <= a - b) & (a - b <= high)
        held.append(multinomial.pmf(counts, games, [a, b, 1 - a - b])[inside].sum())
    assert 0.94 < np.mean(held) < 0.965
    assert min(held) > 0.92


def test_coverage_of_independent_games_is_about_the_level():
    games_a, games_b = 15, 25
    counts = list(product(range(games_a + 1), range(games_b + 1)))
    low, high = np.array([independent(a, games_a, b, games_b).interval() for a, b in counts]).T
    wins_a, wins_b = np.array(counts).T
    held = []
    for a, b in product(np.linspace(0.02, 0.98, 17), repeat=2):
        inside = (low <= a - b) & (a - b <= high)
        held.append((binom.pmf(wins_a, games_a, a) * binom.pmf(wins_b, games_b, b))[inside].sum())
    assert 0.94 < np.mean(held) < 0.975
    assert min(held) > 0.85


# McNemar's test -------------------------------------------------------------------------------


@pytest.mark.parametrize("case", PUBLISHED["mcnemar"], ids=lambda case: str(case["p"]))
def test_published_p_values(case):
    assert paired(*case["counts"]).p_value == pytest.approx(case["p"], abs=case["tolerance"])


@given(st.integers(0, 200), st.integers(0, 200))
def test_p_is_the_plain_sum_and_that_of_scipy(only_a, only_b):
    alone = only_a + only_b
    tail = sum(comb(alone, k) for k in range(min(only_a, only_b) + 1))
    comparison = paired(5, only_a, only_b, 0)
    assert comparison.p_value == pytest.approx(float(min(Fraction(1), Fraction(2 * tail, 2**alone))), rel=1e-11)
    assert comparison.p_value == swapped(comparison).p_value
    if alone:
        assert comparison.p_value == pytest.approx(binomtest(only_a, alone).pvalue, rel=1e-11)


@pytest.mark.parametrize("alone", [10**6, 10**9])
@pytest.mark.parametrize("errors", [0, 0.1, 1, 4])
def test_p_of_many_games_is_that_of_the_normal_distribution(alone, errors):
    more = round((alone + errors * sqrt(alone)) / 2)
    found = paired(0, more, alone - more, 0).p_value
    assert found == pytest.approx(min(1, 2 * norm.sf((2 * more - alone - 1) / sqrt(alone))), rel=1e-4)


def test_p_at_the_edges():
    assert paired(10**9, 0, 0, 0).p_value == 1
    assert paired(0, 10**9, 0, 0).p_value == 0
    assert paired(0, 1, 0, 0).p_value == 1
    assert isnan(independent(3, 10, 4, 10).p_value)


# Pairs of games -------------------------------------------------------------------------------


def result_of(ranges, won, records=True, policy="a"):
    """A result of games that were not played, won where ``won(seed, game)`` says so."""
    games = [(seed, game) for seed, start, stop in ranges for game in range(start, stop)]
    rows = np.zeros(len(games), dtype=ENDED)
    rows["game"], rows["won"] = [game for _, game in games], [won(*game) for game in games]
    empty, wins = Result.empty(BEGINNER, policy, None), int(rows["won"].sum())
    return Result(BEGINNER, policy, None, len(rows), wins, empty.counts, rows if records else rows[:0], tuple(ranges))


def outcomes(result):
    """Whether each game was won, by seed and number."""
    games = [(seed, game) for seed, start, stop in result.ranges for game in range(start, stop)]
    return dict(zip(games, result.records["won"].tolist(), strict=True))


def check_pairs(a, b):
    """A comparison is that of a plain dictionary."""
    won_a, won_b, comparison = outcomes(a), outcomes(b), compare(a, b)
    pairs = [(won_a[game], won_b[game]) for game in won_a.keys() & won_b.keys()]
    assert comparison.paired == bool(pairs)
    if pairs:
        found = (comparison.both, comparison.only_a, comparison.only_b, comparison.neither)
        assert found == tuple(pairs.count(kind) for kind in ((1, 1), (1, 0), (0, 1), (0, 0)))
        assert comparison.games == (len(pairs), len(pairs))
        assert comparison.wins == (sum(a for a, _ in pairs), sum(b for _, b in pairs))
        assert comparison.difference == pytest.approx((comparison.wins[0] - comparison.wins[1]) / len(pairs))
        assert comparison.reason == ""
    assert compare(b, a) == swapped(comparison)


@st.composite
def ranges(draw):
    """Ranges of a few seeds, in order and without games in common."""
    parts = []
    for seed in draw(st.sets(st.integers(-1, 2))):
        cuts = sorted(draw(st.sets(st.integers(0, 30), max_size=8)))
        parts += [(seed, *cut) for cut in zip(cuts[::2], cuts[1::2], strict=False)]
    return sorted(parts)


@given(ranges(), ranges(), st.randoms(use_true_random=False))
def test_games_are_paired_by_seed_and_number(ranges_a, ranges_b, random):
    check_pairs(*(result_of(part, lambda *_: random.random() < 0.5) for part in (ranges_a, ranges_b)))


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: f"{spec.ndim}d")
def test_games_of_simulations_are_paired(spec):
    def played(policy, *parts):
        return sum(simulate(spec, games, policy, seed, start, records=True) for seed, start, games in parts)

    a = played("pairs", (1, 0, 50), (1, 70, 40), (2, 10, 30), (4, 0, 20))
    b = played("single-point", (2, 0, 60), (3, 0, 10), (1, 40, 40), (1, 100, 50))
    check_pairs(a, b)
    assert compare(a, b).games == (10 + 10 + 10 + 30, 60)


def test_the_better_policy_is_found_and_pairs_tell_more():
    a, b = (simulate(BEGINNER, 4000, policy, seed=3, records=True) for policy in ("pairs", "single-point"))
    comparison = compare(a, b)
    low, high = comparison.interval()
    assert 0 < low < comparison.difference < high
    assert comparison.p_value < 1e-6
    assert comparison.difference == pytest.approx(a.win_rate - b.win_rate)
    apart = compare(a, simulate(BEGINNER, 4000, "single-point", seed=3))
    assert apart.difference == pytest.approx(comparison.difference)
    assert apart.interval()[1] - apart.interval()[0] > 1.3 * (high - low)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: f"{spec.ndim}d")
def test_a_policy_does_not_differ_from_itself(spec):
    a, b = (simulate(spec, 300, "pairs", seed=5, records=True, slots=slots) for slots in (None, 64))
    comparison = compare(a, b)
    assert (comparison.only_a, comparison.only_b, comparison.difference, comparison.p_value) == (0, 0, 0, 1)
    assert comparison.interval()[0] == -comparison.interval()[1]


# What cannot be paired ------------------------------------------------------------------------

HERE = result_of([(0, 0, 20)], lambda seed, game: game % 2, policy="x")
THERE = simulate(BEGINNER, 8, records=True)


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (simulate(Spec((9, 9), 11), 8, records=True), r"The specs differ: Spec\(.*\) and Spec\(.*\)\."),
        (simulate(BEGINNER, 8, first_cell="corner", records=True), r"The first cells differ: None and 0\."),
        (replace(THERE, stream_version=7), r"The versions of the streams differ: 1 and 7\."),
        (simulate(BEGINNER, 8, seed=1, records=True), r"No game is in both\."),
        (simulate(BEGINNER, 8, start=20, records=True), r"No game is in both\."),
        (simulate(BEGINNER, 8, start=20), r"No game is in both\."),
        (simulate(BEGINNER, 8), r"The games of single-point have no records; records=True would pair them\."),
    ],
)
def test_why_games_are_not_paired(other, reason):
    comparison = compare(HERE, other)
    assert not comparison.paired
    assert re.fullmatch(reason, comparison.reason)
    assert (comparison.games, comparison.wins) == ((20, 8), (10, other.wins))
    assert comparison.difference == pytest.approx(HERE.win_rate - other.win_rate)
    assert (comparison.both, comparison.only_a, comparison.only_b, comparison.neither) == (None,) * 4
    assert isnan(comparison.p_value)


def test_both_are_named_if_neither_has_records():
    reason = "The games of pairs and single-point have no records; records=True would pair them."
    assert compare(simulate(BEGINNER, 9, "pairs"), simulate(BEGINNER, 8)).reason == reason


def test_no_games():
    empty = Result.empty(BEGINNER, "none", None)
    for comparison in (compare(HERE, empty), compare(empty, HERE), compare(empty, empty)):
        assert comparison.reason == "No game is in both."
        assert isnan(comparison.difference)
        assert isnan(comparison.p_value)
        assert comparison.interval() == (-1, 1)
        assert "\n" not in repr(comparison)
        summary = json.loads(json.dumps(comparison.summary(), allow_nan=False))
        assert (summary["difference"], summary["interval_95"], summary["p_value"]) == (None, [-1, 1], None)


def test_a_comparison_is_a_value_in_one_line():
    comparison = compare(result_of([(0, 5, 15)], lambda seed, game: game < 13, policy="y"), HERE)
    assert comparison == Comparison("y", "x", (10, 10), (8, 5), 4)
    assert len({comparison, compare(HERE, HERE), replace(comparison)}) == 2
    assert str(comparison) == (
        "<Comparison y - x: 10 games of both, +30.0000% (95 %: -15.2925% .. +63.9782%), p = 0.375>"
    )
    assert str(compare(HERE, replace(HERE, records=HERE.records[:0]))) == (
        "<Comparison x - x: 20 and 20 games, +0.0000% (95 %: -28.3835% .. +28.3835%), not paired>"
    )


def test_a_summary_goes_into_json_and_tells_all():
    for other in (THERE, simulate(BEGINNER, 8)):
        comparison = compare(HERE, other)
        summary = json.loads(json.dumps(comparison.summary(), allow_nan=False))
        assert summary.pop("interval_95") == list(comparison.interval())
        assert summary.pop("p_value") == (comparison.p_value if comparison.paired else None)
        for name, value in summary.items():
            assert value == (
                list(getattr(comparison, name)) if name in ("games", "wins") else getattr(comparison, name)
            )


@pytest.mark.parametrize("other", [None, 0.5, "pairs", BEGINNER, THERE.records, THERE.summary()])
def test_what_is_no_result(other):
    with pytest.raises(SpecError, match=r"^a must be a Result\. Got "):
        compare(other, THERE)
    with pytest.raises(SpecError, match=r"^b must be a Result\. Got "):
        compare(THERE, other)


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, float("nan"), float("inf"), "0.95", None, 0.95j, [0.95], 1e-17])
def test_what_is_no_level(level):
    for comparison in (compare(THERE, THERE), compare(THERE, HERE), compare(THERE, Result.empty(BEGINNER, "", None))):
        with pytest.raises(SpecError, match=r"^level must be between 0 and 1\. Got "):
            comparison.interval(level)
