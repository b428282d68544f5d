"""Whole games: every named policy on every preset, beyond 2-D, and a policy of one's own.

The ratios to a player in C are in compare.py; these rates follow one's own changes.
"""

import pytest

import ndsweep as nd

PRESETS = {"beginner": nd.BEGINNER, "intermediate": nd.INTERMEDIATE, "expert": nd.EXPERT}
OTHERS = {"10x10x10": nd.Spec((10, 10, 10), 99), "4x4x4x4": nd.Spec((4, 4, 4, 4), 30)}
presets = pytest.mark.parametrize("spec", PRESETS.values(), ids=PRESETS.keys())
others = pytest.mark.parametrize("spec", OTHERS.values(), ids=OTHERS.keys())


@presets
def test_single_point(rate, spec):
    """Goal: at least the C player's rate in compare.py."""
    rate(lambda: nd.simulate(spec, 50_000, seed=1), 50_000, "games/s")


@presets
def test_pairs(rate, spec):
    """Goal: at least a fifth of the rate of single-point."""
    rate(lambda: nd.simulate(spec, 20_000, "pairs", seed=1), 20_000, "games/s")


@presets
def test_random(rate, spec):
    """Goal: at least half the rate of single-point: no rules, but more guesses."""
    rate(lambda: nd.simulate(spec, 50_000, "random", seed=1), 50_000, "games/s")


@others
def test_single_point_beyond_2d(rate, spec):
    """Goal: at least 20,000 games/s."""
    rate(lambda: nd.simulate(spec, 10_000, seed=1), 10_000, "games/s")


@others
def test_pairs_beyond_2d(rate, spec):
    """Goal: at least a fiftieth of the rate of single-point: the number of offsets grows as 5**n."""
    rate(lambda: nd.simulate(spec, 2_000, "pairs", seed=1), 2_000, "games/s")


def test_records(rate):
    """Goal: at least 0.8 times the rate without records."""
    rate(lambda: nd.simulate(nd.EXPERT, 50_000, seed=1, records=True), 50_000, "games/s")


class AnyHidden:
    """A policy of one's own: any hidden cell."""

    def choose(self, views, turn):
        return turn.pick(views == nd.HIDDEN)


def test_policy_of_ones_own(rate):
    """Goal: at least 20,000 games/s: the views of all games, turn after turn."""
    rate(lambda: nd.simulate(nd.BEGINNER, 4_096, AnyHidden(), seed=1), 4_096, "games/s")
