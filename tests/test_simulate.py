"""Simulation: a Result is a function of its arguments, whatever played it, and win rates are those of others."""

import subprocess
import sys
import tracemalloc
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from math import sqrt
from multiprocessing import get_context
from threading import RLock, Timer

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from players import Uniform
from strategies import seeds, specs

from ndsweep import BEGINNER, EXPERT, INTERMEDIATE, STREAM_VERSION, MergeError, Result, Spec, simulate
from ndsweep.engine.streams import first_cells_of

NAMES = ("random", "single-point", "pairs")
FIELDS = ("game", "won", "guesses", "reveals", "opened", "luck", "hardest")


def named(policy, games, wins):
    """A result with these numbers alone."""
    counts = dict.fromkeys(("guesses", "reveals", "opened"), 0)
    ranges = ((0, 0, games),) if games else ()
    return Result(BEGINNER, policy, None, games, wins, counts, np.empty(0), ranges)


# What a result says ---------------------------------------------------------------------------


@pytest.mark.parametrize("policy", [*NAMES, Uniform()])
@pytest.mark.parametrize("spec", [BEGINNER, Spec((20,), 4), Spec((4, 4, 4), 8, "any"), Spec((3, 3, 3, 3), 6)], ids=str)
def test_totals_are_sums_of_records(spec, policy):
    result = simulate(spec, 500, policy, seed=2, start=70, records=True)
    records = result.records
    assert records.dtype.names == FIELDS
    assert records["game"].tolist() == list(range(70, 570))
    assert (result.games, result.wins) == (500, records["won"].sum())
    assert result.counts == {name: records[name].sum() for name in ("guesses", "reveals", "opened")}
    assert result == simulate(spec, 500, policy, seed=2, start=70, records=True)


@pytest.mark.parametrize("policy", NAMES)
def test_counts_do_not_depend_on_records(policy):
    with_records, without = (simulate(BEGINNER, 3000, policy, records=records) for records in (True, False))
    assert with_records.counts == without.counts
    assert with_records.wins == without.wins
    assert without.records.size == 0


@pytest.mark.parametrize("policy", NAMES)
def test_luck_weighs_the_wins(policy):
    """If every guess survived, every game would be won; so wins over their luck are games, on average."""
    spec = Spec((6, 6), 5)
    result = simulate(spec, 20_000, policy, records=True, luck=True)
    records = result.records
    assert ((records["luck"] > 0) & (records["luck"] <= 1)).all()
    assert (records["luck"][records["guesses"] == 0] == 1).all()
    weights = records["won"] / np.where(records["won"], records["luck"], 1)
    assert abs(weights.mean() - 1) < 5 * weights.std() / np.sqrt(len(weights))
    with ThreadPoolExecutor(2) as threads:
        assert simulate(spec, 20_000, policy, records=True, luck=True, executor=threads) == result
    bare = simulate(spec, 20_000, policy, records=True).records
    assert (np.isnan(bare["luck"]) == (bare["guesses"] > 0)).all()
    assert (bare["hardest"] == records["hardest"]).all()
    assert records["hardest"].max() == NAMES.index(policy)


def test_records_make_sense():
    records = simulate(BEGINNER, 2000, records=True).records
    won, lost = records[records["won"]], records[~records["won"]]
    assert (won["opened"] == 71).all()
    assert (lost["opened"] <= 71).all()
    assert (lost["guesses"] >= 1).all()
    assert (records["reveals"] > records["guesses"]).all()


def test_the_policy_and_the_first_cell_are_named():
    result = simulate(BEGINNER, 10, Uniform(), first_cell=(1, 2))
    assert (result.policy, result.first_cell) == ("Uniform", 11)
    assert simulate(BEGINNER, 10, first_cell="corner").first_cell == 0
    assert simulate(BEGINNER, 10).first_cell is None
    assert result.stream_version == STREAM_VERSION


def test_to_pandas_gives_a_row_a_game_or_the_totals():
    result = simulate(BEGINNER, 25, records=True)
    table = result.to_pandas()
    assert tuple(table.columns) == FIELDS
    assert table["won"].sum() == result.wins
    totals = simulate(BEGINNER, 25).to_pandas()
    assert totals["wins"].tolist() == [result.wins]
    assert totals["games"].tolist() == [25]


@pytest.mark.parametrize("policy", [*NAMES, Uniform()])
def test_no_games_are_a_result_too(policy):
    result = simulate(BEGINNER, 0, policy, start=7, records=True)
    assert (result.games, result.wins, result.ranges, result.records.size) == (0, 0, (), 0)
    assert np.isnan(result.win_rate)
    assert result.interval() == (0.0, 1.0)
    assert result.summary()["win_rate"] is None
    assert result + simulate(BEGINNER, 5, policy) == simulate(BEGINNER, 5, policy)


@pytest.mark.parametrize("policy", [*NAMES, Uniform()])
@pytest.mark.parametrize("shape", [(4,), (3, 1, 2)])
def test_games_without_a_safe_cell_are_won_at_the_start(shape, policy):
    result = simulate(Spec(shape, int(np.prod(shape)), "any"), 100, policy, records=True)
    assert (result.games, result.wins) == (100, 100)
    assert result.counts == {"guesses": 0, "reveals": 0, "opened": 0}


@pytest.mark.parametrize("policy", [*NAMES, Uniform()])
def test_games_without_mines_are_won_by_their_first_reveal(policy):
    result = simulate(Spec((3, 4), 0), 100, policy)
    assert (result.wins, result.counts) == (100, {"guesses": 0, "reveals": 100, "opened": 1200})


# Merging --------------------------------------------------------------------------------------


@given(
    specs(most_cells=40),
    seeds,
    st.sampled_from(NAMES),
    st.lists(st.integers(0, 200), min_size=1, max_size=6),
    st.data(),
)
@settings(max_examples=40)
def test_any_split_of_the_range_adds_up_to_the_same(kind, seed, policy, lengths, data):
    spec, start = Spec(*kind), 1000
    whole = simulate(spec, sum(lengths), policy, seed, start, records=True)
    starts = start + np.cumsum([0, *lengths[:-1]])
    parts = [simulate(spec, n, policy, seed, int(s), records=True) for n, s in zip(lengths, starts, strict=True)]
    order = data.draw(st.permutations(range(len(parts))))
    total = parts[order[0]]
    for i in order[1:]:
        total += parts[i]
    assert total == whole
    assert total.records.tobytes() == whole.records.tobytes()


def test_adding_is_associative():
    a, b, c = (simulate(BEGINNER, 100, start=start, records=True) for start in (0, 100, 200))
    assert (a + b) + c == a + (b + c) == c + (a + b)


def test_records_follow_each_other_by_seed_and_number():
    late, other, early = (
        simulate(BEGINNER, 50, seed=seed, start=start, records=True) for seed, start in ((1, 80), (0, 9), (1, 0))
    )
    total = late + other + early
    assert total.ranges == ((0, 9, 59), (1, 0, 50), (1, 80, 130))
    assert total.records["game"].tolist() == [*range(9, 59), *range(50), *range(80, 130)]
    assert total.games == 150


def test_neighbouring_ranges_are_joined():
    a, b, c = (simulate(BEGINNER, 10, start=start) for start in (0, 10, 20))
    assert (a + c).ranges == ((0, 0, 10), (0, 20, 30))
    assert (a + c + b).ranges == ((0, 0, 30),)


def test_records_are_dropped_unless_both_have_them():
    a, b = simulate(BEGINNER, 10, records=True), simulate(BEGINNER, 10, start=10)
    assert (a + b).records.size == 0
    assert (a + b).games == 20


@pytest.mark.parametrize(
    ("start", "games", "both"), [(0, 10, "0..9"), (9, 5, "9..9"), (3, 2, "3..4"), (0, 100, "0..9")]
)
def test_results_must_not_share_games(start, games, both):
    a, b = simulate(BEGINNER, 10, seed=4), simulate(BEGINNER, games, seed=4, start=start)
    with pytest.raises(MergeError, match=rf"results must not share games. Both hold games {both} of seed 4"):
        a + b
    assert (a + simulate(BEGINNER, games, seed=5, start=start)).games == 10 + games


@pytest.mark.parametrize(
    ("name", "spec", "policy", "first_cell"),
    [
        ("spec", EXPERT, "single-point", None),
        ("policy", BEGINNER, "pairs", None),
        ("first_cell", BEGINNER, "single-point", "corner"),
    ],
)
def test_results_must_be_of_one_kind(name, spec, policy, first_cell):
    other = simulate(spec, 5, policy, start=10, first_cell=first_cell)
    with pytest.raises(MergeError, match=f"results must have the same {name}"):
        simulate(BEGINNER, 5) + other


def test_only_results_can_be_added():
    with pytest.raises(TypeError):
        simulate(BEGINNER, 5) + 1


def test_equal_results_are_equal_and_others_not():
    a, same, other = simulate(BEGINNER, 50), simulate(BEGINNER, 50), simulate(BEGINNER, 50, seed=1)
    assert a == same
    assert a != other
    assert a != simulate(BEGINNER, 50, records=True)
    assert a != "a result"


# Executors and slots --------------------------------------------------------------------------


class Reversed(Executor):
    """Runs what was submitted in the opposite order, once nothing more has come for a while."""

    def __init__(self):
        self.waiting, self.timer, self.lock = [], None, RLock()

    def submit(self, call, /, *arguments):
        future = Future()
        with self.lock:
            self.waiting.append((future, call, arguments))
            if self.timer is not None:
                self.timer.cancel()
            self.timer = Timer(0.02, self.run)
            self.timer.start()
        return future

    def run(self):
        with self.lock:
            waiting, self.waiting = self.waiting[::-1], []
        for future, call, arguments in waiting:
            future.set_result(call(*arguments))


EXECUTORS = {
    "none": nullcontext,
    "one thread": lambda: ThreadPoolExecutor(1),
    "seven threads": lambda: ThreadPoolExecutor(7),
    "last block first": Reversed,
}


@pytest.mark.parametrize("policy", NAMES)
@pytest.mark.parametrize("executor", EXECUTORS)
def test_executors_change_nothing(executor, policy):
    games, start = 20_011, 2**40
    expected = simulate(BEGINNER, games, policy, 5, start, records=True)
    with EXECUTORS[executor]() as pool:
        result = simulate(BEGINNER, games, policy, 5, start, pool, records=True)
    assert result == expected
    assert result.records.tobytes() == expected.records.tobytes()
    assert result.ranges == ((5, start, start + games),)


def test_processes_change_nothing():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for policy, games in (("single-point", 20_001), (Uniform(), 9000)):
            result = simulate(BEGINNER, games, policy, executor=pool, records=True)
            assert result == simulate(BEGINNER, games, policy, records=True)


def test_an_executor_is_borrowed_not_shut_down():
    with ThreadPoolExecutor(2) as pool:
        simulate(BEGINNER, 100, executor=pool)
        assert pool.submit(sum, [1, 2]).result() == 3
        assert simulate(BEGINNER, 0, executor=pool).games == 0


def test_an_error_in_a_worker_comes_through():
    class Broken:
        def choose(self, views, turn):
            raise RuntimeError("broken")

    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(RuntimeError, match="broken"):
            simulate(BEGINNER, 30_000, Broken(), executor=pool)
        assert pool.submit(sum, [1, 2]).result() == 3


@pytest.mark.parametrize("slots", [1, 63, 64, 65, 1000, 5000])
def test_any_number_of_slots_gives_the_same(slots):
    assert simulate(INTERMEDIATE, 1500, records=True, slots=slots) == simulate(INTERMEDIATE, 1500, records=True)


@given(specs(most_cells=40), seeds, st.integers(1, 300), st.sampled_from(NAMES))
@settings(max_examples=40)
def test_slots_change_nothing_for_any_spec(kind, seed, slots, policy):
    spec = Spec(*kind)
    few = simulate(spec, 400, policy, seed, records=True, slots=slots)
    assert few == simulate(spec, 400, policy, seed, records=True)


@pytest.mark.parametrize("start", [0, 1, 63, 10**6, 2**62, 2**63 - 1 - 300])
def test_a_game_is_the_same_from_any_start(start):
    whole = simulate(BEGINNER, 300, start=start, records=True).records
    tail = simulate(BEGINNER, 100, start=start + 200, records=True).records
    assert whole[200:].tobytes() == tail.tobytes()


def test_seeds_give_other_games():
    rows = [simulate(BEGINNER, 50, seed=seed, records=True).records.tolist() for seed in (-1, 0, 1, 2**64)]
    assert len({str(r) for r in rows}) == 4


def test_the_first_cell_can_be_given_in_any_form():
    inner = simulate(BEGINNER, 300, first_cell=(4, 5), records=True)
    assert inner == simulate(BEGINNER, 300, first_cell=41, records=True)
    assert inner.counts != simulate(BEGINNER, 300, first_cell=(0, 0), records=True).counts
    assert simulate(BEGINNER, 300, first_cell=0) == simulate(BEGINNER, 300, first_cell="corner")


def test_random_first_cells_are_each_games_own():
    """Among random first cells, a game that starts in the corner is the game with that first cell given."""
    own = simulate(Spec((2, 3), 2), 500, "single-point", 9, records=True).records
    corner = simulate(Spec((2, 3), 2), 500, "single-point", 9, records=True, first_cell="corner").records
    starts_there = first_cells_of(9, np.arange(500), 6) == 0
    assert own[starts_there].tobytes() == corner[starts_there].tobytes()
    assert 40 < starts_there.sum() < 130


# Statistics -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wins", "games", "level", "low", "high"),
    [
        (0, 10, 0.95, 0.0, 0.2775),
        (10, 10, 0.95, 0.7225, 1.0),
        (5, 10, 0.95, 0.2366, 0.7634),
        (1, 20, 0.95, 0.0089, 0.2361),
        (81, 263, 0.95, 0.2553, 0.3662),  # R. G. Newcombe, Stat. Med. 17 (1998) 857-872, table I, method 3
        (15, 148, 0.95, 0.0624, 0.1605),
        (0, 20, 0.95, 0.0, 0.1611),
        (1, 29, 0.95, 0.0061, 0.1718),
        (50, 100, 0.6826894921, 0.4502, 0.5498),
    ],
)
def test_intervals_are_those_of_wilson(wins, games, level, low, high):
    assert named("single-point", games, wins).interval(level) == pytest.approx((low, high), abs=5.1e-5)


@given(st.integers(1, 10**9), st.floats(0, 1), st.floats(0.01, 0.9999))
def test_an_interval_holds_the_win_rate(games, share, level):
    result = named("random", games, round(games * share))
    low, high = result.interval(level)
    assert 0 <= low <= result.win_rate <= high <= 1
    assert low < high


@pytest.mark.parametrize(
    ("spec", "games", "rate"),
    [(BEGINNER, 200_000, 0.6820), (INTERMEDIATE, 100_000, 0.3582), (EXPERT, 300_000, 0.00859)],
    ids=["beginner", "intermediate", "expert"],
)
def test_win_rates_are_those_of_a_plain_player_in_c(spec, games, rate):
    """It played 900,000 games of each: first click safe, random first cell, uniform guesses."""
    result = simulate(spec, games, seed=77)
    error = sqrt(rate * (1 - rate) * (1 / games + 1 / 900_000))
    assert abs(result.win_rate - rate) < 4.5 * error


# Resources ------------------------------------------------------------------------------------


def peak_memory(games):
    tracemalloc.start()
    try:
        simulate(BEGINNER, games, slots=1024)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_number_of_games():
    peak_memory(5000)  # caches
    assert peak_memory(200_000) < 1.1 * peak_memory(50_000)


def modules_after(code):
    """What a new process has loaded once it has run some code."""
    command = [sys.executable, "-P", "-c", f"import sys; {code}; print(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_import_loads_numpy_alone():
    loaded = modules_after("import ndsweep")
    assert {"numpy", "ndsweep.frontends.cli"} & loaded == {"numpy"}
    assert not {"scipy", "pandas", "tqdm", "matplotlib", "multiprocessing"} & loaded


def test_a_simulation_loads_no_more():
    loaded = modules_after("import ndsweep; ndsweep.simulate(ndsweep.BEGINNER, 100, 'pairs')")
    assert not {"scipy", "pandas", "tqdm", "matplotlib", "multiprocessing"} & loaded


def test_progress_goes_to_standard_error(capsys):
    simulate(BEGINNER, 3000, progress=True)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "3.00k/3.00k" in captured.err or "3000" in captured.err


def test_progress_without_tqdm_is_plain_lines(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr("ndsweep.progress._SECONDS_BETWEEN_LINES", 0.0)
    simulate(BEGINNER, 3000, progress=True)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "of 3000 games" in captured.err
