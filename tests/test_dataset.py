"""Examples for learning are the positions of simulated games, whoever plays them again, in whatever blocks."""

import inspect
import tracemalloc
from importlib import import_module

import numpy as np
import plain_streams
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from players import OneByOne, Uniform
from reference import FLAG, HIDDEN, PLAYING, RULES, ReferenceGame, cells_of, prove
from reference_exact import counted
from strategies import seeds, specs

import ndsweep as nd
from ndsweep.engine.streams import Purpose

DATASET = import_module("ndsweep.dataset")  # the function has the same name
KINDS = [
    nd.Spec((40,), 8),
    nd.Spec((7, 8), 11),
    nd.Spec((3, 4, 4), 11, "opening"),
    nd.Spec((2, 2, 3, 3), 8, "any"),
]
NAMES = ("random", "single-point", "pairs", "exact", "exact+")


def whole(blocks):
    """All examples of some blocks as one dictionary of arrays."""
    parts = [block.as_dict() for block in blocks]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0] if parts[0][name] is not None}


def plain_positions(spec, policy, seed, number, first=None):
    """The positions of a game before each move, by plain loops alone: (move, whether it is a guess, view, mines)."""
    cells = cells_of(spec.shape)
    first = plain_streams.first_cell(seed, number, spec.size) if first is None else first
    mines = {cells[i] for i in plain_streams.layout(spec.shape, spec.mines, spec.first, seed, number, first)}
    game, found, guesses = ReferenceGame(spec.shape, mines), [], 0
    game.reveal(cells[first])
    while game.status == PLAYING:
        mined, safe, _ = prove(game, RULES[policy])
        seen = {cell: game.code(cell) for cell in cells}
        for cell in mined:
            game.flag(cell)
        if mined and not safe:
            continue  # flags alone are no move
        if not safe:
            free = [game.is_hidden(cell) for cell in cells]
            safe, guesses = {cells[plain_streams.guess(seed, number, guesses, free)]}, guesses + 1
            found.append((len(found), True, seen, mines))
        else:
            found.append((len(found), False, seen, mines))
        for cell in safe:
            game.reveal(cell)
    return found


def without_flags(shape, view):
    codes = [HIDDEN if view[cell] == FLAG else view[cell] for cell in cells_of(shape)]
    return np.array(codes).reshape(shape)


def assert_are(examples, spec, expected):
    """The examples are these positions: (game, move, guess, view, mines) each."""
    assert examples["game"].tolist() == [row[0] for row in expected]
    assert examples["move"].tolist() == [row[1] for row in expected]
    assert examples["stuck"].tolist() == [row[2] for row in expected]
    for view, mines, (_, _, _, seen, mined) in zip(examples["views"], examples["mines"], expected, strict=True):
        np.testing.assert_array_equal(view, without_flags(spec.shape, seen))
        assert {tuple(cell) for cell in np.argwhere(mines).tolist()} == mined


@given(specs(48), st.sampled_from(["random", "single-point", "pairs"]), seeds, st.integers(0, 2**40), st.data())
@settings(max_examples=40)
def test_they_are_the_positions_of_plain_play(spec, policy, seed, start, data):
    spec = nd.Spec(*spec)
    first = data.draw(st.none() | st.integers(0, spec.size - 1))
    games = range(start, start + 4)
    rows = [(game, *row) for game in games for row in plain_positions(spec, policy, seed, game, first)]
    expected = {"all": rows, "guesses": [row for row in rows if row[2]], "random": []}
    for game in games:
        if own := [row for row in rows if row[0] == game]:
            word = plain_streams.stream(seed, Purpose.EXAMPLES, game)
            expected["random"].append(own[plain_streams.below(word, 0, len(own))])
    for which, some in expected.items():
        options = {"which": which, "probability": False, "first_cell": first}
        blocks = list(nd.dataset(spec, len(games), policy, seed, start, **options))
        if some:
            assert_are(whole(blocks), spec, some)
        else:
            assert blocks == []


@pytest.mark.parametrize("spec", KINDS)
@pytest.mark.parametrize("policy", NAMES)
def test_every_view_is_reached_when_the_game_is_played_again(spec, policy):
    examples = whole(nd.dataset(spec, 8, policy, 5, 100, which="all", probability=False))
    for number in range(100, 108):
        moves = nd.replay(spec, policy, 5, number).moves
        game = nd.Game(nd.Board.deal(spec, 5, number))
        reached = []
        for kind, cell in moves:  # flags were set where mines are proved, and stop no flood
            if kind == "reveal":
                game.reveal(cell)
                reached.append(game.view.tobytes())
        own = examples["game"] == number
        places = [reached.index(view.tobytes()) for view in examples["views"][own]]
        assert places == sorted(set(places))
        assert examples["move"][own].tolist() == list(range(len(places)))
        assert (examples["mines"][own] == game.board.mines).all()


@pytest.mark.parametrize("spec", KINDS)
@pytest.mark.parametrize("policy", [*NAMES, Uniform(), OneByOne()])
def test_there_are_as_many_as_the_records_have_guesses(spec, policy):
    games = 8 if policy == "exact+" else 60
    records = nd.simulate(spec, games, policy, 9, 30, records=True).records
    guesses = whole(nd.dataset(spec, games, policy, 9, 30, probability=False))
    every = whole(nd.dataset(spec, games, policy, 9, 30, which="all", probability=False))
    assert guesses["stuck"].all()
    for name, array in guesses.items():
        np.testing.assert_array_equal(array, every[name][every["stuck"]])
    if isinstance(policy, OneByOne):  # which draws where it knows too
        return
    counts = np.bincount(guesses["game"] - 30, minlength=games)
    assert counts.tolist() == records["guesses"].tolist()


@pytest.mark.parametrize("spec", KINDS)
def test_a_policy_of_ones_own_is_seen_as_a_named_one(spec):
    named, own = (
        whole(nd.dataset(spec, 40, policy, which="all", probability=False)) for policy in ("random", Uniform())
    )
    for name, array in named.items():
        np.testing.assert_array_equal(array, own[name])


@pytest.mark.parametrize("policy", ["single-point", OneByOne()])
def test_a_policy_of_ones_own_moves_cell_by_cell(policy):
    examples = whole(nd.dataset(KINDS[1], 30, policy, which="all", probability=False))
    records = nd.simulate(KINDS[1], 30, policy, records=True).records
    moves = np.bincount(examples["game"], minlength=30)
    one_by_one = not isinstance(policy, str)
    assert (moves == records["reveals"] - 1).all() == one_by_one
    assert (moves <= records["reveals"] - 1).all()


@pytest.mark.parametrize("spec", KINDS)
def test_exact_players_guess_where_nothing_is_safe(spec):
    examples = whole(nd.dataset(spec, 60, "exact", which="all"))
    safe = (examples["probability"] == 0).reshape(examples["game"].size, -1).any(axis=1)
    assert (safe == ~examples["stuck"]).all()


@pytest.mark.parametrize("spec", KINDS)
@pytest.mark.parametrize("which", DATASET.WHICH)
def test_chances_are_those_of_each_view_alone(spec, which):
    examples = whole(nd.dataset(spec, 6, "pairs", 3, which=which))
    assert examples["exact"].all()
    for view, p in zip(examples["views"], examples["probability"], strict=True):
        np.testing.assert_array_equal(p, nd.mine_probability(view, spec.mines).p)


@given(specs(12), seeds)
@settings(max_examples=25)
def test_chances_are_those_that_plain_counting_gives(spec, seed):
    spec = nd.Spec(*spec)
    for block in nd.dataset(spec, 2, "random", seed):
        for view, p in zip(block.views, block.probability, strict=True):
            layouts, ways = counted(spec.shape, {c: int(view[c]) for c in cells_of(spec.shape)}, spec.mines)
            for cell in cells_of(spec.shape):
                assert np.isnan(p[cell]) if view[cell] >= 0 else p[cell] == pytest.approx(ways[cell] / layouts)


@pytest.mark.parametrize("spec", KINDS)
@pytest.mark.parametrize("policy", ["single-point", Uniform()])
@pytest.mark.parametrize("which", DATASET.WHICH)
def test_blocks_of_any_size_hold_the_same(spec, policy, which, monkeypatch):
    expected = whole(nd.dataset(spec, 25, policy, 2, which=which, block=10**5))
    monkeypatch.setattr(DATASET, "_GAMES", 10)  # so that blocks are put together from several lots of games
    monkeypatch.setattr(DATASET, "LANES", 1)
    for block in (1, 7, 33):
        blocks = list(nd.dataset(spec, 25, policy, 2, which=which, block=block))
        assert [part.count for part in blocks[:-1]] == [block] * (len(blocks) - 1)
        assert 1 <= blocks[-1].count <= block
        for name, array in whole(blocks).items():
            np.testing.assert_array_equal(array, expected[name])
            assert array.dtype == expected[name].dtype


def test_ranges_may_be_shared_out():
    parts = [nd.dataset(nd.BEGINNER, 50, seed=4, start=start) for start in (0, 50, 100)]
    together = whole([block for part in parts for block in part])
    for name, array in whole(nd.dataset(nd.BEGINNER, 150, seed=4)).items():
        np.testing.assert_array_equal(array, together[name])


def test_two_boards_with_one_view_give_one_example_but_for_the_mines():
    """What is not the label is a function of what is open: of the same view, the same views and chances."""
    seen = {}
    examples = whole(nd.dataset(nd.Spec((3, 3), 3), 400, "random"))
    for view, mines, p in zip(examples["views"], examples["mines"], examples["probability"], strict=True):
        chances, layouts = seen.setdefault(view.tobytes(), (p, set()))
        np.testing.assert_array_equal(p, chances)
        layouts.add(mines.tobytes())
    assert max(len(layouts) for _, layouts in seen.values()) > 5


def test_mines_come_up_as_often_as_their_chances_say():
    examples = whole(nd.dataset(nd.Spec((6, 6), 8), 3000, "pairs"))
    hidden = examples["views"] == HIDDEN
    p, mined = examples["probability"][hidden], examples["mines"][hidden]
    assert not mined[p == 0].any()
    assert mined[p == 1].all()
    for low in np.arange(0.1, 0.9, 0.1):
        some = (p > low) & (p <= low + 0.1)
        assert mined[some].mean() == pytest.approx(p[some].mean(), abs=0.05)


def test_random_positions_are_equally_likely_and_one_a_game():
    spec = nd.Spec((6, 6), 6)
    every = whole(nd.dataset(spec, 4000, which="all", probability=False))
    chosen = whole(nd.dataset(spec, 4000, which="random", probability=False))
    lengths = np.bincount(every["game"], minlength=4000)
    assert chosen["game"].tolist() == np.flatnonzero(lengths).tolist()
    own = lengths[chosen["game"]]
    for length in (2, 3, 4):
        share = np.bincount(chosen["move"][own == length], minlength=length) / (own == length).sum()
        assert share == pytest.approx(np.full(length, 1 / length), abs=0.08)


# What a block is -----------------------------------------------------------------------------


def test_a_block_unpacks_into_views_mines_and_chances():
    block = next(nd.dataset(nd.BEGINNER, 100))
    views, mines, probability = block
    assert (views is block.views, mines is block.mines, probability is block.probability) == (True,) * 3
    assert views.dtype == np.int8
    assert mines.dtype == bool
    assert (probability.dtype, views.shape) == (np.float64, probability.shape)
    assert (mines.reshape(len(mines), -1).sum(axis=1) == 10).all()
    assert np.isnan(probability[views >= 0]).all()
    assert views.min() == HIDDEN
    assert not any(np.shares_memory(*pair) for pair in ((views, probability), (mines, views)))
    assert all(array.flags.writeable and array.flags.c_contiguous for array in (views, mines, probability))


def test_chances_that_are_not_asked_for_are_none():
    block = next(nd.dataset(nd.BEGINNER, 100, probability=False))
    assert (block.probability, block.exact) == (None, None)
    assert block.take([0, 2]).probability is None


def test_blocks_are_taken_apart():
    block = next(nd.dataset(nd.Spec((3, 4, 5), 9), 200))
    order = np.random.default_rng(3).permutation(block.count)
    for rows, expected in (
        (order, order),
        (slice(2, 9, 3), [2, 5, 8]),
        (block.move > 2, np.flatnonzero(block.move > 2)),
        ([], np.zeros(0, int)),
    ):
        for name, array in block.take(rows).as_dict().items():
            np.testing.assert_array_equal(array, block.as_dict()[name][expected])
    assert np.shares_memory(block.take(slice(5)).views, block.views)


def test_beyond_the_budget_chances_are_estimates_and_say_so():
    examples = whole(nd.dataset(nd.Spec((5, 5, 5), 25), 8, budget=300))
    sure = whole(nd.dataset(nd.Spec((5, 5, 5), 25), 8))
    assert sure["exact"].all()
    estimated = ~examples["exact"]
    assert 0 < estimated.mean() < 1
    np.testing.assert_array_equal(examples["probability"][~estimated], sure["probability"][~estimated])
    known = ~np.isnan(examples["probability"])
    proved = known & np.isin(examples["probability"], (0, 1))
    np.testing.assert_array_equal(examples["probability"][proved], sure["probability"][proved])
    np.testing.assert_array_equal(examples["mines"], sure["mines"])


def test_what_cannot_even_be_estimated_is_nan():
    examples = whole(nd.dataset(nd.Spec((4, 4, 4, 4), 25), 3, seed=1, budget=1))
    unknown = np.isnan(examples["probability"]) & (examples["views"] == HIDDEN)
    assert unknown.any()
    assert not examples["exact"][unknown.reshape(len(unknown), -1).any(axis=1)].any()


def test_games_that_end_at_once_have_no_examples():
    assert list(nd.dataset(nd.BEGINNER, 0)) == []
    assert list(nd.dataset(nd.Spec((4, 4), 0), 20, which="all")) == []
    assert list(nd.dataset(nd.Spec((2,), 1), 20, which="random")) == []
    assert list(nd.dataset(nd.Spec((3, 3), 9, "any"), 20, which="all")) == []


def test_memory_does_not_grow_with_the_games():
    blocks = nd.dataset(nd.BEGINNER, 10**15, start=10**12, probability=False)
    assert next(blocks).game[0] in range(10**12, 10**12 + 10)
    assert next(blocks).count == 1024


def test_it_is_an_iterator():
    blocks = nd.dataset(nd.BEGINNER, 10)
    assert iter(blocks) is blocks
    assert inspect.isgenerator(blocks)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("expert", 5), {}, "spec must be a Spec. Got 'expert'"),
        ((nd.BEGINNER, -1), {}, "games must be an integer of 0 or more. Got -1"),
        ((nd.BEGINNER, 2.5), {}, "games must be an integer"),
        ((nd.BEGINNER, 5, "best"), {}, "policy must be 'random', 'single-point'"),
        ((nd.BEGINNER, 5, "pairs", 0, -3), {}, "start must be"),
        ((nd.BEGINNER, 5), {"block": 0}, "block must be an integer of 1 or more. Got 0"),
        ((nd.BEGINNER, 5), {"budget": 0}, "budget must be an integer of 1 or more. Got 0"),
        ((nd.BEGINNER, 5), {"which": "stuck"}, "which must be 'guesses', 'all', 'random'. Got 'stuck'"),
        ((nd.BEGINNER, 5), {"which": ["all"]}, "which must be 'guesses', 'all', 'random'. Got"),
        ((nd.BEGINNER, 5), {"first_cell": 81}, "first_cell must lie in 0..80"),
        ((nd.BEGINNER, 10**12), {"block": 10**12}, "examples of shape .9, 9. in blocks of 10+ would need .* of memory"),
        ((nd.Spec((30_000,) * 3, 5), 5), {"block": 1}, "would need .* of memory"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_played(arguments, options, message):
    with pytest.raises(nd.SweepError, match=message):
        nd.dataset(*arguments, **options)


def test_a_block_may_be_larger_than_all():
    assert [block.count for block in nd.dataset(nd.BEGINNER, 10, which="random", block=10**12)] == [10]


class OneByOne:
    """Opens the safe cells one after the other, whatever it sees."""

    def __init__(self, batch):
        self.mines = np.array(batch.mines).reshape(len(batch), -1)

    def choose(self, views, turn):
        return ((views.reshape(len(views), -1) == nd.HIDDEN) & ~self.mines[turn.games]).argmax(axis=1)


def test_games_of_many_moves_are_few_at_a_time():
    """A game of a thousand cells has hundreds of positions of a thousand cells each."""
    spec = nd.Spec((40, 40), 300)
    policy = OneByOne(nd.Batch.deal(spec, 30))
    tracemalloc.start()
    try:
        for _ in nd.dataset(spec, 30, policy, which="all", probability=False, block=64):
            pass
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("rows", [[7000], [-1], [0.5], [[1]], "all", [True]])
def test_wrong_rows_are_refused(rows):
    with pytest.raises(nd.SweepError, match="rows must"):
        next(nd.dataset(nd.BEGINNER, 20)).take(rows)
