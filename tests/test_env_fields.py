"""What the environments stand on: games in rows, keys of many seeds, planes as numbers, actions drawn by masks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import ReferenceGame, cells_of
from scipy.stats import chisquare
from strategies import layouts, seeds, shapes

import ndsweep as nd
from ndsweep.engine.fields import Fields, memory_of_fields
from ndsweep.engine.planes import LANES, Layout
from ndsweep.engine.streams import Purpose, keys_of, stream_bases, stream_keys
from ndsweep.frontends.env import random_actions

LEAST_P = 1e-4

# Keys ---------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(seeds, st.integers(0, 2**63 - 1)), min_size=1, max_size=5), st.sampled_from(Purpose))
def test_keys_of_many_seeds_are_those_of_each(games, purpose):
    bases = stream_bases([seed for seed, _ in games], purpose)
    keys = keys_of(bases, [game for _, game in games])
    assert keys.tolist() == [int(stream_keys(seed, purpose, [game])[0]) for seed, game in games]


def test_keys_of_no_seeds_are_none():
    assert keys_of(stream_bases([], Purpose.MINES), []).tolist() == []


# Planes as numbers --------------------------------------------------------------------------------


@given(shapes(), st.integers(1, 130), st.integers(0, 99))
def test_a_plane_comes_back_from_its_units(shape, games, luck):
    layout = Layout(shape)
    mines = np.random.default_rng(luck).random((games, layout.size)) < 0.4
    plane = layout.pack(mines)
    units = layout.units(plane)
    assert units.size % layout.width == layout.reach % layout.width
    lines = units[: units.size - layout.reach].reshape(-1, layout.width)
    assert len(lines) % LANES == 0
    assert np.array_equal(lines[:games, layout.positions], mines)
    assert lines.sum() == mines.sum()
    assert np.array_equal(layout.from_units(lines), plane)


# Games in rows ------------------------------------------------------------------------------------


def started(spec, seed, count):
    rows = np.arange(count)
    fields = Fields(spec.shape, spec.mines, spec.first, count)
    fields.start(rows, stream_keys(seed, Purpose.MINES, rows))
    return fields, rows


@given(layouts(most_cells=40, most_share=0.5), st.lists(st.integers(0, 10**6), min_size=1, max_size=8))
def test_reveals_and_flags_are_those_of_plain_loops(mines, moves):
    spec = nd.Spec(mines.shape, min(int(mines.sum()), mines.size - 1), "any")
    fields, rows = started(spec, 1, 3)
    games = []
    for row, move in enumerate(moves[:3]):  # one first reveal each, by which it is dealt
        cell = move % spec.size
        board = nd.Board.deal(spec, 1, row, cell)
        games.append(ReferenceGame(spec.shape, {tuple(map(int, c)) for c in np.argwhere(board.mines)}))
        assert fields.reveal(rows[[row]], np.array([cell])).tolist() == [games[row].reveal(cells_of(spec.shape)[cell])]
    for number, move in enumerate(moves * 3):
        row, cell = move % len(games), move // 3 % spec.size
        if games[row].status:
            continue
        act, name = (fields.flag, "flag") if number % 2 else (fields.reveal, "reveal")
        expected = getattr(games[row], name)(cells_of(spec.shape)[cell])
        assert act(np.array([row]), np.array([cell])).tolist() == [expected]
        assert fields.views[row].tolist() == games[row].view()
        assert fields.status[row] == games[row].status
        assert fields.safe_left[row] == spec.size - spec.mines - len(games[row].opened - games[row].mines)


@pytest.mark.parametrize(
    "spec", [nd.BEGINNER, nd.EXPERT, nd.Spec((70, 70), 300), nd.Spec((10, 10, 10), 30), nd.Spec((200,), 9, "opening")]
)
def test_many_rows_are_a_batch(spec):
    count, rng = 300 if spec.size < 1000 else 20, np.random.default_rng(0)
    fields, _ = started(spec, 6, count)
    batch = None
    for _ in range(6):
        cells = rng.integers(0, spec.size, count)
        if batch is None:
            batch = nd.Batch.deal(spec, count, 6, first_cells=cells)
        playing = np.flatnonzero(fields.status == nd.Status.PLAYING)
        expected = batch.reveal(cells)
        assert np.array_equal(fields.reveal(playing, cells[playing]), expected[playing])
        assert np.array_equal(fields.views.reshape(-1, *spec.shape), batch.views())
        assert np.array_equal(fields.status, batch.status)
        if spec.size < 1000 or len(playing) > 10:
            assert len(playing) > 10


def test_flags_that_go_with_their_games_are_forgotten():
    spec = nd.Spec((4, 4), 2)
    fields, rows = started(spec, 0, 2)
    fields.flag(rows, np.array([3, 5]))
    fields.start(rows[:1], stream_keys(9, Purpose.MINES, [0]))
    assert (fields.views == nd.FLAG).sum(axis=1).tolist() == [0, 1]
    fields.flag(rows[1:], np.array([5]))
    fields.reveal(rows, np.array([0, 0]))
    assert (fields.views == nd.FLAG).sum() == 0


def test_memory_grows_with_the_rows_and_covers_what_is_kept():
    fields = Fields((16, 30), 99, "safe", 1000)
    kept = sum(part.nbytes for part in vars(fields).values() if isinstance(part, np.ndarray))
    assert kept < memory_of_fields((16, 30), 99, "safe", 1000) < memory_of_fields((16, 30), 99, "safe", 2000)


# Actions ------------------------------------------------------------------------------------------


@given(st.integers(1, 40), st.integers(1, 60), st.floats(0, 1), st.integers(0, 99))
def test_actions_are_allowed_ones(rows, count, share, luck):
    rng = np.random.default_rng(luck)
    mask = rng.random((rows, count)) < share
    actions = random_actions(mask, rng)
    assert actions.shape == (rows,)
    for row, action in zip(mask, actions, strict=True):
        assert row[action] if row.any() else action == 0


@pytest.mark.parametrize("allowed", [[0], [2, 3], [0, 5, 199], range(0, 200, 2), range(200)])
def test_each_allowed_action_is_equally_likely(allowed):
    mask = np.zeros((20_000, 200), dtype=bool)
    mask[:, list(allowed)] = True
    counts = np.bincount(random_actions(mask, np.random.default_rng(1)), minlength=200)
    assert counts.sum() == counts[list(allowed)].sum() == 20_000
    assert len(allowed) == 1 or chisquare(counts[list(allowed)]).pvalue > LEAST_P
