"""Intervals of a win rate: published figures, the equations that define them, and coverage."""

import json
from math import comb, log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, norm

from ndsweep import BEGINNER, SpecError, simulate
from ndsweep.intervals import METHODS
from ndsweep.result import Result

PUBLISHED = json.loads((Path(__file__).parent / "data" / "binomial_intervals.json").read_text())


def result_of(wins, games):
    empty = Result.empty(BEGINNER, "single-point", None)
    return Result(empty.spec, empty.policy, None, games, wins, empty.counts, empty.records, ((0, 0, games),))


@pytest.mark.parametrize("case", PUBLISHED["cases"], ids=lambda case: "{method} {wins}/{games}".format(**case))
def test_published_intervals(case):
    found = result_of(case["wins"], case["games"]).interval(case["level"], case["method"])
    np.testing.assert_allclose(found, [case["low"], case["high"]], atol=case["tolerance"])


counts = st.integers(1, 10**6).flatmap(lambda games: st.tuples(st.integers(0, games), st.just(games)))
levels = st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.999999])


@given(counts, levels)
def test_ends_solve_the_equations_that_define_them(count, level):
    wins, games = count
    rate, z = wins / games, norm.ppf((1 + level) / 2)
    for end in result_of(wins, games).interval(level):
        if 0 < end < 1:
            assert abs(rate - end) == pytest.approx(z * (end * (1 - end) / games) ** 0.5, rel=1e-6)
    for end, tail in zip(result_of(wins, games).interval(level, "jeffreys"), (1 - level, 1 + level), strict=True):
        if 0 < end < 1:
            assert beta.cdf(end, wins + 0.5, games - wins + 0.5) == pytest.approx(tail / 2, rel=1e-6)
    for end in result_of(wins, games).interval(level, "likelihood-ratio"):
        if 0 < end < 1:
            won = wins * log(rate / end) if wins else 0
            lost = (games - wins) * log((1 - rate) / (1 - end)) if wins < games else 0
            assert 2 * (won + lost) == pytest.approx(z * z, rel=1e-4)


@pytest.mark.parametrize("method", METHODS)
@given(count=counts, level=levels)
def test_intervals_hold_the_rate_and_mirror_each_other(method, count, level):
    wins, games = count
    low, high = result_of(wins, games).interval(level, method)
    assert 0 <= low <= wins / games <= high <= 1
    assert low < high
    assert (low == 0) == (wins == 0)
    assert (high == 1) == (wins == games)
    mirrored = result_of(games - wins, games).interval(level, method)
    np.testing.assert_allclose(mirrored, (1 - high, 1 - low), rtol=1e-9, atol=1e-12)
    wider = result_of(wins, games).interval((1 + level) / 2, method)
    assert wider[0] <= low
    assert high <= wider[1]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("games", [20, 100])
def test_coverage_is_about_the_level(method, games):
    """The mean over rates of the chance that the interval holds the rate."""
    ends = np.array([result_of(wins, games).interval(0.95, method) for wins in range(games + 1)])
    chances = [comb(games, wins) for wins in range(games + 1)]
    held = []
    for rate in np.linspace(0.005, 0.995, 199):
        inside = (ends[:, 0] <= rate) & (rate <= ends[:, 1])
        held.append(sum(c * rate**w * (1 - rate) ** (games - w) for w, c in enumerate(chances) if inside[w]))
    assert 0.94 < np.mean(held) < 0.965


@pytest.mark.parametrize("method", METHODS)
def test_a_thousand_million_games(method):
    low, high = result_of(10**8, 10**9).interval(0.95, method)
    assert (low, high) == pytest.approx((0.0999814071, 0.1000185953), abs=2e-9)
    assert result_of(0, 0).interval(0.95, method) == (0, 1)


def test_what_is_no_method():
    with pytest.raises(SpecError, match=r"method must be 'wilson', 'jeffreys', 'likelihood-ratio'\. Got 'wald'"):
        simulate(BEGINNER, 10).interval(0.95, "wald")
