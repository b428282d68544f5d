"""The example that learns: it runs, does the same again, and plays far better than by chance after some seconds."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import ndsweep as nd


@pytest.fixture(scope="module")
def example():
    place = Path(__file__).parent.parent / "examples" / "learn.py"
    spec = importlib.util.spec_from_file_location("learn", place)
    module = importlib.util.module_from_spec(spec)
    sys.modules["learn"] = module  # where its dataclass looks for it
    spec.loader.exec_module(module)
    yield module
    del sys.modules["learn"]


def test_a_patch_is_what_lies_around_a_cell(example):
    games = [nd.Game.new(example.SPEC, seed=seed) for seed in (3, 4)]
    for game in games:
        game.reveal((2, 2))
    codes = example.walled(np.array([game.view for game in games]))
    for cell in range(36):
        patches = example.patches_of(codes, np.array([cell, 35 - cell]))
        for game, (row, column), patch in zip(games, [divmod(cell, 6), divmod(35 - cell, 6)], patches, strict=True):
            for i, j in np.ndindex(5, 5):
                y, x = row + i - 2, column + j - 2
                inside = 0 <= y < 6 and 0 <= x < 6
                code = game.view[y, x] if inside else example.WALL
                assert patch[i, j] == (9 if code == nd.HIDDEN else code)


def test_what_the_network_says_of_a_cell_is_what_it_says_of_its_patch(example):
    rng = np.random.default_rng(1)
    network = example.Network(rng, 1)
    codes = rng.integers(0, example.CODES, (3, 10, 10)).astype(np.uint8)
    logits = network.logits(codes)
    assert logits.shape == (3, 6, 6)
    for cells in ([0, 7, 35], [5, 30, 14]):
        alone = network.logits(example.patches_of(codes, np.array(cells)))
        np.testing.assert_allclose(alone.reshape(-1), logits.reshape(3, 36)[range(3), cells], atol=1e-5)


def test_the_network_is_taught_by_the_slope_of_its_loss(example, monkeypatch):
    rng = np.random.default_rng(0)
    network, taught = example.Network(rng, 1), []
    network.weights = [weight + 0.01 * rng.standard_normal(weight.shape) for weight in network.weights]
    patches, mined = rng.integers(0, example.CODES, (20, 5, 5)).astype(np.uint8), (rng.random(20) < 0.4).astype(float)
    monkeypatch.setattr(network, "descend", taught.extend)
    network.teach(patches, mined)

    def loss():
        logits = network.logits(patches).reshape(-1)
        return float(np.mean(np.logaddexp(0, logits) - mined * logits))

    for weight, slope in zip(network.weights, taught, strict=True):
        place = tuple(rng.integers(0, n) for n in weight.shape)
        kept, losses = weight[place], []
        for weight[place] in (kept + 1e-5, kept - 1e-5):
            losses.append(loss())
        weight[place] = kept
        assert slope[place] == pytest.approx((losses[0] - losses[1]) / 2e-5, abs=1e-6)


def test_the_table_is_printed_and_is_the_same_again(example, capsys):
    def table():
        example.main(["--steps", "4", "--rows", "2", "--games", "50", "--seed", "5"])
        return capsys.readouterr().out

    first = table()
    assert first == table()
    lines = first.splitlines()
    assert [line.split()[0] for line in lines] == ["steps", "2", "4", "random", "single-point"]


def test_it_learns(example):
    *_, (ended, network) = example.learn(60, seed=0)
    assert ended > 1000
    assert example.win_rate(network, 300, seed=1) > 0.1  # by chance 0.01
