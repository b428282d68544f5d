"""Random numbers by name: SplitMix64 in plain Python, exact shares of bounded draws, uniform cells and guesses."""

import numpy as np
import plain_streams
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from plain_streams import GAMMA, MASK, draw_bits, draws_of, guess, split_mix, split_mix_back
from scipy.stats import chisquare

from ndsweep import Spec, Turn
from ndsweep.engine.streams import (
    Purpose,
    below,
    bounded,
    bounded_end,
    cursors,
    draws_per_word,
    first_cells_of,
    mix,
    stream_keys,
    stride,
    words,
)

LEAST_P = 1e-4
words_of_64_bits = st.integers(0, MASK)


def as_words(*values):
    return np.array(values, dtype=np.uint64)


# The generator --------------------------------------------------------------------------------


def test_split_mix_gives_the_published_sequence_of_seed_1234567():
    """The first outputs of the reference implementation, as many libraries test them."""
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert words(as_words(1234567), np.arange(4)).tolist() == expected
    assert [split_mix(1234567 + (i + 1) * GAMMA) for i in range(4)] == expected


@given(st.lists(words_of_64_bits, min_size=1, max_size=10))
def test_mix_is_split_mix(values):
    assert mix(as_words(*values)).tolist() == [split_mix(value) for value in values]


@given(words_of_64_bits, st.integers(0, 2**40), st.integers(0, 1000))
def test_a_cursor_moves_by_strides(key, index, steps):
    start, end = (cursors(as_words(key), [i]) for i in (index, index + steps))
    assert start + stride(steps) == end
    assert words(as_words(key), [index]).tolist() == [split_mix(key + (index + 1) * GAMMA)]


@given(st.integers(-(2**100), 2**100), st.integers(0, 2**63 - 1))
def test_purposes_games_and_seeds_have_streams_of_their_own(seed, game):
    keys = [stream_keys(s, purpose, [g])[0] for s in (seed, seed + 1) for purpose in Purpose for g in (game, game + 1)]
    assert len(set(keys)) == len(keys)


def test_negative_seeds_are_not_those_of_positive_ones():
    keys = {int(stream_keys(seed, Purpose.MINES, [0])[0]) for seed in range(-500, 500)}
    assert len(keys) == 1000


# Bounded draws --------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 7, 64, 81, 256, 480, 1000, 4095, 4096])
def test_each_result_has_an_equal_share_of_all_draws_of_16_bits(n):
    assert draws_per_word(n) == 4
    drawn = bounded(np.arange(1 << 16, dtype="<u2").view("<u8"), n)
    shares = np.bincount(drawn, minlength=n)
    assert drawn.shape == (1 << 16,)
    assert set(shares[:n].tolist()) == {((1 << 16) - 1) // n}
    assert drawn.max() < bounded_end(n)


@given(st.integers(1, 2**40), words_of_64_bits)
@example(2**12 + 1, MASK)
@example(2**28, MASK)
@example(2**28 + 1, MASK)
@example(2**40, 0)
def test_draws_of_all_widths_divide_by_the_share(n, word):
    assert draws_per_word(n) == 64 // draw_bits(n)
    drawn = bounded(as_words(word), n).tolist()
    assert drawn == draws_of(word, n)
    assert max(drawn) < bounded_end(n)


@given(st.integers(2, 2**40))
def test_the_share_of_each_result_ends_where_the_next_one_begins(n):
    """Of wide draws the edges: value * share is the first draw of a value, and n * share the first rejected one."""
    share = (2 ** draw_bits(n) - 1) // n
    edges = [value * share + step for value in (0, 1, n - 1, n) for step in (-1, 0) if value * share + step >= 0]
    drawn = [int(bounded(as_words(edge), n)[0]) for edge in edges]
    assert drawn == [edge // share for edge in edges]
    assert n * share < 2 ** draw_bits(n)


@given(st.integers(1, 2**40), st.lists(words_of_64_bits, min_size=1, max_size=20))
def test_below_is_in_range_and_does_not_touch_its_cursors(n, cursor):
    cursor = as_words(*cursor)
    before = cursor.copy()
    drawn = below(cursor, n)
    assert ((drawn >= 0) & (drawn < n)).all()
    np.testing.assert_array_equal(cursor, before)


@given(st.integers(2**62, 2**63 - 1), words_of_64_bits)
def test_below_takes_the_next_word_of_the_stream_after_a_rejected_one(n, cursor):
    """Bounds above a quarter of the range make rejections common."""

    def word(index):
        return split_mix(cursor + index * GAMMA)

    assert below(as_words(cursor), n).tolist() == [plain_streams.below(word, 0, n)]


@given(st.integers(1, 2**63 - 1))
def test_below_rejects_from_the_first_word_on_that_has_no_equal_share(n):
    """The last word that gives n - 1, and the one after it, which would give n."""
    share = MASK // n
    last, rejected = (split_mix_back(n * share - step) for step in (1, 0))
    assert (split_mix(last), split_mix(rejected)) == (n * share - 1, n * share)
    assert below(as_words(last), n).tolist() == [n - 1]
    assert below(as_words(rejected), n).tolist() == [
        plain_streams.below(lambda i: split_mix(rejected + i * GAMMA), 1, n)
    ]


@pytest.mark.parametrize("n", [2, 9, 81, 480, 1000])
def test_below_is_uniform(n):
    drawn = below(cursors(stream_keys(1, Purpose.GUESSES, np.arange(200 * n)), 0), n)
    assert chisquare(np.bincount(drawn, minlength=n)).pvalue > LEAST_P


def test_below_takes_a_bound_for_each_stream():
    bounds = np.tile([1, 2, 5, 480], 5000)
    drawn = below(stream_keys(0, Purpose.GUESSES, np.arange(bounds.size)), bounds)
    for bound in (1, 2, 5, 480):
        counts = np.bincount(drawn[bounds == bound], minlength=bound)
        assert counts.size == bound
        assert bound == 1 or chisquare(counts).pvalue > LEAST_P


@given(st.integers(1, 2**40), st.integers(-(2**70), 2**70), st.integers(0, 2**63 - 2))
def test_the_first_cell_is_drawn_from_its_own_stream(size, seed, game):
    assert first_cells_of(seed, np.array([game]), size).tolist() == [plain_streams.first_cell(seed, game, size)]


@pytest.mark.parametrize("size", [1, 4, 81, 480, 5000])
@pytest.mark.parametrize("seed", [0, -7, 10**30])
def test_first_cells_are_uniform(size, seed):
    cells = first_cells_of(seed, np.arange(40 * size), size)
    counts = np.bincount(cells, minlength=size)
    assert counts.size == size
    assert size == 1 or chisquare(counts).pvalue > LEAST_P


# Guesses --------------------------------------------------------------------------------------


@given(st.data(), st.integers(1, 100) | st.just(5000), st.integers(-5, 2**70), st.integers(0, 2**50))
def test_a_pick_is_the_first_candidate_of_the_stream_or_one_by_rank(data, size, seed, game):
    games = game + np.arange(4)
    few = data.draw(st.sampled_from([1, 2, size]))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    candidates = random.permuted(np.broadcast_to(np.arange(size) < few, (4, size)), axis=1)
    turn = Turn(Spec((size,), 0), seed, games)
    for number in range(3):
        expected = [guess(seed, int(g), number, row) for g, row in zip(games, candidates, strict=True)]
        assert turn.pick(candidates).tolist() == expected


@pytest.mark.parametrize("candidates", [1, 2, 7, 60, 480])
def test_picks_are_uniform_whether_by_tries_or_by_rank(candidates):
    cells = np.random.default_rng(candidates).choice(480, candidates, replace=False)
    row = np.isin(np.arange(480), cells)
    games = np.arange(max(100 * candidates, 1000))
    picked = Turn(Spec((480,), 0), 3, games).pick(np.broadcast_to(row, (games.size, 480)))
    counts = np.bincount(picked, minlength=480)
    assert counts[~row].sum() == 0
    assert candidates == 1 or chisquare(counts[row]).pvalue > LEAST_P


def test_a_game_without_candidates_picks_nothing_and_draws_nothing():
    turn = Turn(Spec((2, 2), 1), 0, np.array([0, 1]))
    assert turn.pick(np.array([[False] * 4, [True] * 4])).tolist()[0] == -1
    assert turn.picks.tolist() == [0, 1]


def test_picks_take_the_shape_of_views_or_of_lists_of_cells():
    candidates = np.random.default_rng(0).random((5, 3, 4)) < 0.5
    turns = [Turn(Spec((3, 4), 1), 0, np.arange(5)) for _ in range(2)]
    assert turns[0].pick(candidates).tolist() == turns[1].pick(candidates.reshape(5, 12)).tolist()
