"""Transitions and their scaling: published fits, direct minimisation, coverage, symmetries, what cannot be fitted."""

import json
from dataclasses import replace
from math import inf, isnan, log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize
from scipy.special import xlogy
from scipy.stats import norm, t

import ndsweep.transition
from ndsweep import SpecError, SweepError, Transition, fit_scaling, fit_transition
from ndsweep.transition import logistic

PUBLISHED = json.loads((Path(__file__).parent / "data" / "logistic_fits.json").read_text())["fits"]
DENSITIES = [0.10, 0.13, 0.16, 0.19, 0.22]
WON = [97, 88, 52, 21, 4]
SCATTERED = [97, 70, 62, 21, 4]


def fit(wins, games=100, x=None, level=0.95):
    x = DENSITIES if x is None else x
    return fit_transition(x, wins, np.broadcast_to(games, len(x)), level)


def line(found):
    """Intercept and slope of the log-odds."""
    slope = (1 if found.rises else -1) / found.width
    return -slope * found.midpoint, slope


def covariance(found, x, games):
    """Of intercept and slope, from the information matrix in x itself, without any dispersion."""
    design = np.stack([np.ones(len(x)), x])
    rate = found.rate(x)
    return np.linalg.inv((design * games * rate * (1 - rate)) @ design.T)


def widening(found):
    """By how much the dispersion widens the standard errors."""
    return found.dispersion**0.5 if found.dispersion > 1 else 1.0


def minus_log_likelihood(at, x, wins, games):
    odds = at[0] + at[1] * x
    return float(wins @ np.logaddexp(0, -odds) + (games - wins) @ np.logaddexp(0, odds))


# Published and by other ways ------------------------------------------------------------------


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["name"])
def test_published_fits(case):
    found = fit_transition(case["x"], case["wins"], case["games"])
    intercept, slope = line(found)
    assert intercept == pytest.approx(case["intercept"], rel=2e-6)
    assert slope == pytest.approx(case["slope"], rel=2e-6)
    assert found.width_error / found.width**2 / widening(found) == pytest.approx(case["slope_error"], rel=5e-4)
    if "midpoint_error" in case:
        assert found.midpoint_error / widening(found) == pytest.approx(case["midpoint_error"], rel=2e-6)
    if "deviance" in case:
        wins, games, rate = np.array(case["wins"]), np.array(case["games"]), found.rate(case["x"])
        losses = games - wins
        off = xlogy(wins, wins / (games * rate)) + xlogy(losses, losses / (games * (1 - rate)))
        assert 2 * off.sum() == pytest.approx(case["deviance"], rel=1e-6)


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["name"])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_the_interval_holds_what_a_test_does_not_reject(case, level):
    x, wins, games = (np.array(case[name], dtype=float) for name in ("x", "wins", "games"))
    found = fit_transition(x, wins.astype(int), games.astype(int), level)
    (a, b), spread = line(found), covariance(found, x, games) * widening(found) ** 2
    most = t.ppf((1 + level) / 2, len(x) - 2) if found.dispersion > 1 else norm.ppf((1 + level) / 2)

    def excess(m):
        return abs(a + b * m) - most * (spread[0, 0] + 2 * m * spread[0, 1] + m * m * spread[1, 1]) ** 0.5

    if abs(b) <= most * spread[1, 1] ** 0.5:
        assert (found.low, found.high) == (-inf, inf)
    else:
        far = 1e4 * found.width
        ends = (brentq(excess, found.midpoint, found.midpoint + side * far, xtol=1e-13) for side in (-1, 1))
        np.testing.assert_allclose((found.low, found.high), tuple(ends), rtol=1e-8)


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["name"])
def test_dispersion_is_the_chi_square_a_degree_of_freedom(case):
    x, wins, games = (np.array(case[name]) for name in ("x", "wins", "games"))
    found = fit_transition(x, wins, games)
    expected = games * found.rate(x)
    chi_square = ((wins - expected) ** 2 / (expected * (1 - found.rate(x)))).sum()
    assert found.dispersion == pytest.approx(chi_square / (len(x) - 2), rel=1e-9)


@given(st.integers(0, 2**32 - 1), st.integers(3, 12), st.sampled_from([1, 10, 1000]))
def test_the_fit_agrees_with_direct_minimisation(seed, points, most):
    rng = np.random.default_rng(seed)
    x, games = rng.uniform(-1, 1, points), rng.integers(1, most + 1, points)
    wins = rng.binomial(games, logistic(rng.normal() + rng.normal(0, 3) * x))
    try:
        found = fit_transition(x, wins, games)
    except SpecError:
        assume(False)
    best = minimize(minus_log_likelihood, [0, 0], (x, wins, games), method="Nelder-Mead", options={"maxiter": 4000})
    ours = minus_log_likelihood(line(found), x, wins, games)
    assert ours <= best.fun + 1e-9 * abs(best.fun)
    if best.success and abs(best.x).max() < 100:
        assert minus_log_likelihood(best.x, x, wins, games) == pytest.approx(ours, rel=1e-4)


# How often the interval holds the midpoint ------------------------------------------------------


def held(points, games, width, extra=None, level=0.95, seed=5):
    """The share of 400 simulated fits whose interval holds the midpoint; rates scatter by ``extra``, if given."""
    rng, x = np.random.default_rng(seed), np.linspace(0.05, 0.25, points)
    rate = logistic((0.15 - x) / width)
    inside = []
    for _ in range(400):
        drawn = rate if extra is None else rng.beta(rate * extra, (1 - rate) * extra)
        found = fit_transition(x, rng.binomial(games, drawn), np.full(points, games), level)
        inside.append(found.low <= 0.15 <= found.high)
    return np.mean(inside)


@pytest.mark.parametrize(
    ("points", "games", "width"), [(5, 50, 0.03), (9, 100, 0.03), (21, 1000, 0.03), (41, 20, 0.01)]
)
def test_coverage_where_the_curve_is_logistic(points, games, width):
    assert 0.94 <= held(points, games, width) <= 0.995
    assert 0.44 <= held(points, games, width, level=0.5) <= 0.65


@pytest.mark.parametrize("points", [5, 9, 21])
def test_coverage_where_rates_scatter_beyond_chance(points):
    assert 0.92 <= held(points, 1000, 0.03, extra=50) <= 0.98


# Symmetries -------------------------------------------------------------------------------------

COUNTS = st.integers(1, 500).flatmap(lambda games: st.tuples(st.integers(0, games), st.just(games)))
POINTS = st.lists(st.tuples(st.integers(-20, 20), COUNTS), min_size=2, max_size=12)


def fitted(points):
    """The fit of points that have one which is not too flat for exact comparisons; and x, wins, games."""
    x = np.array([at for at, _ in points], dtype=float)
    wins, games = np.array([counts for _, counts in points]).T
    try:
        found = fit_transition(x, wins, games)
    except SpecError:
        assume(False)
    assume(found.width < 1e3)
    return found, x, wins, games


def same(found, expected, tolerance=1e-7):
    scale = abs(expected.midpoint) + expected.width
    for name in ("midpoint", "low", "high", "width", "midpoint_error", "width_error"):
        mine, other = getattr(found, name), getattr(expected, name)
        assert mine == pytest.approx(other, rel=1e-5, abs=tolerance * scale), name
    assert found.rises == expected.rises
    assert found.dispersion == pytest.approx(expected.dispersion, rel=1e-6, abs=1e-9, nan_ok=True)


@given(POINTS)
def test_a_fit_expects_as_many_wins_as_there_are(points):
    found, x, wins, games = fitted(points)
    assert found.low <= found.midpoint <= found.high
    assert found.width > 0
    off = wins - games * found.rate(x)
    assert off.sum() == pytest.approx(0, abs=1e-7 * games.sum())
    assert off @ x == pytest.approx(0, abs=1e-6 * games.sum())


@given(POINTS, st.sampled_from([1e-3, 0.5, 3, 1e4]), st.sampled_from([-7, 0, 0.25]))
def test_shift_and_scale(points, scale, shift):
    found, x, wins, games = fitted(points)
    assume(abs(found.low) < 1e4 or abs(found.low) == inf)
    moved = fit_transition(scale * x + shift * scale, wins, games)
    back = {name: getattr(moved, name) / scale - shift for name in ("midpoint", "low", "high")}
    back |= {name: getattr(moved, name) / scale for name in ("width", "midpoint_error", "width_error")}
    same(replace(moved, **back), found, 1e-6)


@given(POINTS)
def test_wins_and_losses_and_x_and_minus_x_mirror_each_other(points):
    found, x, wins, games = fitted(points)
    same(fit_transition(x, games - wins, games), replace(found, rises=not found.rises))
    turned = replace(found, midpoint=-found.midpoint, low=-found.high, high=-found.low, rises=not found.rises)
    same(fit_transition(-x, wins, games), turned)


@given(POINTS, st.randoms())
def test_the_order_of_points_and_points_without_games_do_not_matter(points, random):
    found, x, wins, games = fitted(points)
    order = list(range(len(x)))
    random.shuffle(order)
    shuffled = [np.append(values[order], last) for values, last in ((x, 99), (wins, 0), (games, 0))]
    again = fit_transition(*shuffled)
    same(again, found)
    assert again.points == found.points == len(x)


@given(POINTS)
def test_a_higher_level_has_a_wider_interval(points):
    found, x, wins, games = fitted(points)
    wider = fit_transition(x, wins, games, 0.99)
    assert wider.low <= found.low <= found.high <= wider.high
    assert (found.level, wider.level) == (0.95, 0.99)


def test_a_split_point_counts_twice_but_moves_nothing():
    whole = fit(WON)
    halves = fit_transition([*DENSITIES, 0.16], [97, 88, 26, 21, 4, 26], [100, 100, 50, 100, 100, 50])
    assert (halves.midpoint, halves.width) == pytest.approx((whole.midpoint, whole.width), rel=1e-9)
    assert (halves.points, whole.points) == (6, 5)


# The curve --------------------------------------------------------------------------------------


def test_the_curve():
    for wins, sign in ((WON, -1), (WON[::-1], 1)):
        found = fit(wins)
        assert found.rises == (sign > 0)
        at = found.midpoint + found.width * np.array([-log(9), -1, 0, 1, log(9)])
        np.testing.assert_allclose(found.rate(at)[::sign], [0.1, 0.268941, 0.5, 0.731059, 0.9], atol=1e-6)
        np.testing.assert_array_equal(found.rate([-1e6, 1e6])[::sign], [0, 1])
        assert float(found.rate(found.midpoint)) == 0.5
        assert found.rate([[0.1], [0.2]]).shape == (2, 1)


def test_small_rates_are_exact():
    np.testing.assert_allclose(logistic([-600, -40, 40]), np.exp([-600, -40, -np.exp(-40)]), rtol=1e-13)


def test_scatter_widens_the_errors_and_the_interval():
    calm, scattered = fit(WON), fit(SCATTERED)
    assert calm.dispersion < 1 < scattered.dispersion
    for found in (calm, scattered):
        plain = covariance(found, DENSITIES, 100)[1, 1] ** 0.5 * found.width**2
        assert found.width_error == pytest.approx(plain * widening(found), rel=1e-9)
    assert scattered.high - scattered.low > 3 * (calm.high - calm.low)


def test_two_points_are_fitted_exactly_and_leave_no_dispersion():
    found = fit([80, 30], x=[0.1, 0.2])
    np.testing.assert_allclose(found.rate([0.1, 0.2]), [0.8, 0.3])
    assert isnan(found.dispersion)
    spread = covariance(found, [0.1, 0.2], 100)
    assert found.width_error == pytest.approx(spread[1, 1] ** 0.5 * found.width**2, rel=1e-9)
    assert 0.1 < found.low < found.midpoint < found.high < 0.2


def test_a_slope_that_may_be_none_leaves_the_midpoint_open():
    found = fit([52, 50, 51, 49, 48])
    assert (found.low, found.high) == (-inf, inf)
    assert np.isfinite([found.midpoint, found.width, found.midpoint_error]).all()


# Steep and large --------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1e-5, 1e-3, 0.3])
@pytest.mark.parametrize("games", [10, 10**9])
def test_steep_transitions_among_many_densities(width, games):
    rng = np.random.default_rng(8)
    x = np.concatenate([np.linspace(0, 1, 1001), 0.3217 + np.linspace(-4, 4, 9) * width])
    found = fit_transition(x, rng.binomial(games, logistic((0.3217 - x) / width)), np.full(len(x), games))
    assert found.low < 0.3217 < found.high
    assert found.width == pytest.approx(width, abs=5 * found.width_error)


@given(st.integers(1, 14), st.integers(0, 3))
def test_an_overlap_of_any_length_among_far_points(power, loss):
    """Four points: all won, all but some, some, none; the middle two as close as can be."""
    gap = 10.0**-power
    found = fit_transition([-1, 0, gap, 1], [100, 99 - loss, 1, 0], [100] * 4)
    assert -gap < found.midpoint < 2 * gap
    assert found.width == pytest.approx(gap / (log((99 - loss) / (1 + loss)) + log(99)), rel=1e-2)


@pytest.mark.parametrize("wins", [[2, 1, 1], [10**12 - 1, 10**12 - 1, 10**12 - 2]])
def test_a_slope_of_a_single_game_among_very_many_counts(wins):
    found = fit_transition([1, 2, 3], wins, [10**12] * 3)
    assert not found.rises
    assert (found.low, found.high) == (-inf, inf)


def test_a_single_loss_and_win_among_very_many():
    found = fit_transition([0, 1], [10**12 - 1, 1], [10**12, 10**12])
    assert found.midpoint == pytest.approx(0.5)
    assert found.width == pytest.approx(1 / (2 * log(10**12 - 1)))


# What has no transition -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.1], [5], [10]), r"x must have at least two different values with games\. Got 1\."),
        (([], [], []), r"x must have at least two different values with games\. Got 0\."),
        (([0.1, 0.1], [5, 6], [10, 10]), r"x must have at least two different values with games\. Got 1\."),
        (([0.1, 0.2], [5, 0], [10, 0]), r"x must have at least two different values with games\. Got 1\."),
        (([0.1, 0.2], [0, 0], [10, 10]), r"wins must be neither none nor all of the games\. Got 0 of 20\."),
        (([0.1, 0.2], [10, 10], [10, 10]), r"wins must be neither none nor all of the games\. Got 20 of 20\."),
        (
            ([0.1, 0.2, 0.3], [10, 10, 0], [10] * 3),
            r"wins and losses must overlap in x\. Got wins up to 0\.2 and losses from 0\.3\.",
        ),
        (
            ([0.1, 0.2, 0.3], [10, 4, 0], [10] * 3),
            r"wins and losses must overlap in x\. Got wins up to 0\.2 and losses from 0\.2\.",
        ),
        (
            ([0.1, 0.2, 0.3], [0, 0, 10], [10] * 3),
            r"wins and losses must overlap in x\. Got losses up to 0\.2 and wins from 0\.3\.",
        ),
        (([0.1, 0.2, 0.3], [5, 5, 5], [10] * 3), r"wins must rise or fall with x\. Got a best slope of 0\."),
        (([1, 2, 3], [2, 9, 2], [10] * 3), r"wins must rise or fall with x\. Got a best slope of 0\."),
        (([-0.025, -0.02, -0.01], [0, 1, 0], [2, 2, 1]), r"wins must rise or fall with x\. Got a best slope of 0\."),
        (([0.1, 0.2], [5, 11], [10, 10]), r"wins must not be more than games\. Got 11 of 10\."),
        (([0.1, 0.2], [5, 1], [10]), r"x, wins and games must have the same length\. Got 2, 2 and 1\."),
        (([0.1, 0.2], [5, -1], [10, 10]), r"wins must be a sequence of integers of 0 or more\. Got \[5, -1\]\."),
        (([0.1, 0.2], [5, 0.5], [10, 10]), r"wins must be a sequence of integers of 0 or more\. Got \[5, 0\.5\]\."),
        (([0.1, 0.2], [True, False], [1, 1]), r"wins must be a sequence of finite numbers\. Got \[True, False\]\."),
        (([0.1, 0.2], [5, 1], 10), r"games must be a sequence of finite numbers\. Got 10\."),
        (([0.1, float("nan")], [5, 1], [10, 10]), r"x must be a sequence of finite numbers\. Got \[0\.1, nan\]\."),
        (([0.1, inf], [5, 1], [10, 10]), r"x must be a sequence of finite numbers\. Got \[0\.1, inf\]\."),
        ((["a", "b"], [5, 1], [10, 10]), r"x must be a sequence of finite numbers\. Got \['a', 'b'\]\."),
        (([[1], [2, 3]], [5, 1], [10, 10]), r"x must be a sequence of finite numbers\. Got \[\[1\], \[2, 3\]\]\."),
        ((np.eye(9), [5, 1], [10, 10]), r"x must be a sequence of finite numbers\. Got array\(.*\.\.\.\."),
        ((None, [5, 1], [10, 10]), r"x must be a sequence of finite numbers\. Got None\."),
        (([0.1, 0.2], [5, 1], [10, 10], 95), r"level must be between 0 and 1\. Got 95\."),
    ],
)
def test_what_cannot_be_fitted(arguments, message):
    with pytest.raises(SpecError, match=message) as caught:
        fit_transition(*arguments)
    assert isinstance(caught.value, SweepError)
    assert "\n" not in str(caught.value)


@given(POINTS)
def test_any_points_have_a_transition_or_none(points):
    x, counts = [at for at, _ in points], [counts for _, counts in points]
    try:
        found = fit_transition(x, [wins for wins, _ in counts], [games for _, games in counts])
    except SpecError:
        return
    assert np.isfinite([found.midpoint, found.width, found.midpoint_error, found.width_error]).all()


def test_a_fit_does_not_go_on_for_ever(monkeypatch):
    monkeypatch.setattr(ndsweep.transition, "_MOST_STEPS", 1)
    with pytest.raises(SpecError, match=r"wins must let a curve be found in 1 steps\."):
        fit(WON)


# Sizes ------------------------------------------------------------------------------------------


def planted(size, exponent, limit, drift, noise=(0.0, 0.0)):
    """A transition of a size by laws, moved by ``noise`` of its errors."""
    width = 0.3 * float(size) ** exponent
    errors = 0.02 * width, 0.01 * width
    midpoint = limit + drift * width + noise[0] * errors[0]
    return Transition(midpoint, 0, 1, width + noise[1] * errors[1], False, 1.0, 9, 0.95, *errors)


@given(
    st.lists(st.integers(4, 500), min_size=2, max_size=8, unique=True),
    st.sampled_from([-1.2, -0.75, -0.1, 0.5]),
    st.sampled_from([0.03, 0.2]),
    st.sampled_from([-0.1, 0, 2]),
)
def test_scaling_finds_planted_laws(sizes, exponent, limit, drift):
    scaling = fit_scaling(sizes, [planted(size, exponent, limit, max(drift, -0.05 * limit)) for size in sizes])
    assert scaling.width_exponent.value == pytest.approx(exponent, abs=1e-8)
    assert scaling.width_factor == pytest.approx(0.3, rel=1e-7)
    assert scaling.limit.value == pytest.approx(limit, abs=1e-8)
    assert scaling.drift == pytest.approx(max(drift, -0.05 * limit), abs=1e-6)
    assert (scaling.points, scaling.level) == (len(sizes), 0.95)
    for each in (scaling.width_exponent, scaling.midpoint_exponent, scaling.limit):
        assert each.low < each.value < each.high
        assert (each.high == inf) == (each.low == -inf) == (len(sizes) == 2)


def test_a_power_law_of_the_midpoint():
    sizes = np.array([8, 16, 32, 64])
    scaling = fit_scaling(sizes, [replace(planted(size, -1, 0.1, 0), midpoint=0.9 * size**-0.5) for size in sizes])
    assert scaling.midpoint_exponent.value == pytest.approx(-0.5, abs=1e-9)
    assert scaling.midpoint_factor == pytest.approx(0.9, rel=1e-9)


def test_coverage_of_the_scaling():
    rng, sizes, inside = np.random.default_rng(3), [8, 12, 20, 40], []
    for _ in range(600):
        scaling = fit_scaling(sizes, [planted(size, -0.75, 0.12, 0.5, rng.normal(size=2)) for size in sizes])
        found = ((scaling.width_exponent, -0.75), (scaling.limit, 0.12))
        inside.append([each.low <= truth <= each.high for each, truth in found])
    assert ((np.mean(inside, axis=0) > 0.93) & (np.mean(inside, axis=0) < 0.99)).all()


def test_the_lines_of_the_scaling_are_those_of_weighted_least_squares():
    sizes = np.array([8, 12, 20, 40])
    found = [planted(size, -0.75, 0.12, 0.5, noise) for size, noise in zip(sizes, np.eye(4)[:, :2] * 9, strict=True)]
    scaling = fit_scaling(sizes, found, 0.9)
    widths, errors = np.array([each.width for each in found]), np.array([each.width_error for each in found])
    (slope, offset), spread = np.polyfit(np.log(sizes), np.log(widths), 1, w=widths / errors, cov="unscaled")
    off = (np.log(widths) - offset - slope * np.log(sizes)) * widths / errors
    assert off @ off > 2
    reach = t.ppf(0.95, 2) * (spread[0, 0] * (off @ off) / 2) ** 0.5
    expected = (slope, slope - reach, slope + reach)
    assert (scaling.width_exponent.value, scaling.width_exponent.low, scaling.width_exponent.high) == pytest.approx(
        expected, rel=1e-9
    )
    assert scaling.width_factor == pytest.approx(np.exp(offset))


def test_scaling_from_simulated_transitions():
    rng, sizes = np.random.default_rng(4), [8, 16, 32, 64]
    found = []
    for size in sizes:
        width = 0.3 * size**-0.8
        x = 0.12 + width * np.linspace(-3, 4, 15)
        wins = rng.binomial(4000, logistic((0.12 + 0.5 * width - x) / width))
        found.append(fit_transition(x, wins, np.full(15, 4000)))
    scaling = fit_scaling(sizes, iter(found))
    assert scaling.width_exponent.low < -0.8 < scaling.width_exponent.high
    assert scaling.limit.low < 0.12 < scaling.limit.high
    assert scaling.limit.high - scaling.limit.low < 0.01
    assert scaling.drift == pytest.approx(0.5, abs=0.05)


LARGE, SMALL = planted(10, -1, 0.1, 0.5), planted(20, -1, 0.1, 0.5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([10], [SMALL]), r"sizes must have at least two different values\. Got 1\."),
        (([], []), r"sizes must have at least two different values\. Got 0\."),
        (([10, 10], [SMALL, LARGE]), r"sizes must have at least two different values\. Got 1\."),
        (([10, 0], [SMALL, LARGE]), r"sizes must be above 0\. Got 0\."),
        (([10, -3], [SMALL, LARGE]), r"sizes must be above 0\. Got -3\."),
        (([10, None], [SMALL, LARGE]), r"sizes must be a sequence of finite numbers\. Got \[10, None\]\."),
        (([10, 20], [SMALL]), r"transitions must be 2, one for each size\. Got 1\."),
        (([10, 20], SMALL), r"transitions must be a sequence of Transitions\. Got Transition\."),
        (([10, 20], [SMALL, 3]), r"transitions must be Transitions\. Got int\."),
        (([10, 20], [SMALL, SMALL]), r"transitions must have at least two different widths\. Got 0\.015 only\."),
        (([10, 20], [SMALL, replace(LARGE, midpoint=-0.1)]), r"must have a midpoint above 0\. Got -0\.1\."),
        (([10, 20], [SMALL, replace(LARGE, width=0)]), r"transitions must have a width above 0\. Got 0\."),
        (([10, 20], [SMALL, replace(LARGE, width_error=inf)]), r"must have a width_error above 0\. Got inf\."),
        (([10, 20], [SMALL, replace(LARGE, midpoint_error=0.0)]), r"must have a midpoint_error above 0\. Got 0\."),
        (([10, 20], [SMALL, LARGE], 1), r"level must be between 0 and 1\. Got 1\."),
    ],
)
def test_what_cannot_be_scaled(arguments, message):
    with pytest.raises(SpecError, match=message):
        fit_scaling(*arguments)
