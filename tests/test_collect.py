"""Collecting gives what simulating gives, whatever is stored, interrupted, shared or borrowed."""

import platform
import re
import sqlite3
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from importlib import import_module
from itertools import islice, pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from players import Uniform

from ndsweep import (
    BEGINNER,
    PolicyError,
    Spec,
    SpecError,
    Study,
    Task,
    TooLargeError,
    collect,
    grid,
    iter_collect,
    simulate,
)
from ndsweep.collect import Collector
from ndsweep.ledger import Entry, Span
from ndsweep.simulate import play_block
from ndsweep.tracks import Chains, Limit, Track

COLLECT = import_module("ndsweep.collect")  # the function has the same name
TASKS = [
    Task(Spec((30,), 5)),
    Task(Spec((6, 7), 6), "pairs", 3),
    Task(Spec((3, 4, 3), 5, "any"), "random", first_cell=5),
    Task(Spec((2, 3, 2, 3), 4, "opening"), "pairs", -1, "corner"),
]


def simulated(tasks, games, records=False):
    """What simulate says."""
    return [
        simulate(task.spec, games, task.policy, task.seed, first_cell=task.flat_cell, records=records) for task in tasks
    ]


def quiet(tasks, games, *arguments, **options):
    return collect(tasks, games, *arguments, progress=False, **options)


@pytest.fixture
def blocks(monkeypatch):
    """Small blocks of a size that can be set, and the list of those that were played."""

    class Blocks(list):
        size = 50

        def __repr__(self):
            return f"<{len(self)} blocks>"

    played = Blocks()

    def play(job):
        played.append(job)
        return play_block(job)

    monkeypatch.setattr(COLLECT, "block_games", lambda *_: played.size)
    monkeypatch.setattr(COLLECT, "play_block", play)
    monkeypatch.setattr(COLLECT, "_BETWEEN_WRITES", 0.0)
    return played


@pytest.fixture
def store(tmp_path):
    return tmp_path / "study.db"


# The results are those of simulate -----------------------------------------------------------


@pytest.mark.parametrize("records", [False, True])
def test_without_a_store(records):
    study = quiet(TASKS, 120, records=records)
    assert list(study) == simulated(TASKS, 120, records)
    assert (list(study.tasks), study.wanted) == (TASKS, (120,) * 4)


@pytest.mark.parametrize("records", [False, True])
@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor(1), ThreadPoolExecutor(5)], ids=["none", "one", "five"])
def test_with_a_store_and_small_blocks(executor, records, store, blocks):
    study = quiet(TASKS, 120, executor, store, records=records)
    assert list(study) == simulated(TASKS, 120, records)
    assert len(blocks) == 4 * 3
    assert study == Study.open(store, records)
    assert quiet(TASKS, 120, executor, store, records=records) == study
    assert len(blocks) == 4 * 3


def test_in_processes(store):
    with ProcessPoolExecutor(2) as pool:
        study = quiet(TASKS, 9000, pool, store)
        assert list(study) == simulated(TASKS, 9000)
        assert pool.submit(sum, [1, 2]).result() == 3


def test_no_games_and_no_tasks(store):
    assert [result.games for result in quiet(TASKS, 0, store=store)] == [0] * 4
    assert len(quiet([], 10, store=store)) == 0
    assert len(Study.open(store)) == 4


def test_an_error_in_a_worker_comes_through_and_what_was_finished_is_kept(store, blocks):
    class Broken(Uniform):
        name = "broken"

        def choose(self, views, turn):
            if turn.games[0] >= 100:
                raise RuntimeError("broken")
            return super().choose(views, turn)

    task = Task(BEGINNER, Broken())
    with ThreadPoolExecutor(1) as pool, pytest.raises(RuntimeError, match="broken"):
        quiet([task], 1000, pool, store)
    assert Study.open(store)[0].games == 100


def test_what_is_finished_but_not_written_is_kept_at_an_interrupt(store, blocks, monkeypatch):
    monkeypatch.setattr(COLLECT, "_BETWEEN_WRITES", 1000.0)

    class Interrupted(Uniform):
        name = "interrupted"

        def choose(self, views, turn):
            if turn.games[0] >= 300:
                raise KeyboardInterrupt
            return super().choose(views, turn)

    with pytest.raises(KeyboardInterrupt):
        quiet([Task(BEGINNER, Interrupted())], 1000, store=store)
    assert Study.open(store)[0].games == 300
    assert len(blocks) == 7


# Going on ------------------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [1, 5, 11])
def test_going_on_plays_what_was_missing(parts, store, blocks):
    work = iter_collect(TASKS, 120, store=store, progress=False)
    before = list(islice(work, parts))
    work.close()
    played = len(blocks)
    assert sum(part.result.games for part in before) == sum(result.games for result in Study.open(store))
    assert list(quiet(TASKS, 120, store=store)) == simulated(TASKS, 120)
    assert played <= parts + 1
    assert len(blocks) == 4 * 3


def test_more_and_fewer_games(store, blocks):
    for games in (120, 370, 55, 120, 400):
        assert list(quiet(TASKS, games, store=store)) == simulated(TASKS, games)
        assert [result.games for result in Study.open(store)] == [games] * 4
    spans = [job[1:3] for job in blocks if job[0] == TASKS[0]]
    assert len(spans) == len(set(spans))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.integers(0, 60), st.integers(1, 30), st.booleans(), st.integers(0, 9)), min_size=1, max_size=6
    )
)
def test_any_calls_on_one_store(tmp_path_factory, blocks, calls):
    """Any numbers of games in blocks of any size, stopped anywhere, with records or without."""
    store = tmp_path_factory.mktemp("any") / "study.db"
    task = Task(Spec((5,), 1))
    for games, blocks.size, records, stop in calls:
        work = iter_collect([task], games, store=store, progress=False, records=records)
        list(islice(work, stop))
        work.close()
        blocks.clear()
        assert list(quiet([task], games, store=store, records=records)) == simulated([task], games, records)
        assert sum(job[2] - job[1] for job in blocks) <= games
        assert list(Study.open(store, records)) == simulated([task], games, records)


def test_records_are_added_to_blocks_without_them(store, blocks):
    plain = quiet(TASKS, 120, store=store)
    assert list(quiet(TASKS, 120, store=store, records=True)) == simulated(TASKS, 120, True)
    assert len(blocks) == 2 * 4 * 3
    assert quiet(TASKS, 120, store=store) == plain == Study.open(store)
    assert len(blocks) == 2 * 4 * 3


# Parts ---------------------------------------------------------------------------------------


def test_parts_are_stored_when_they_are_yielded(store, blocks):
    found = 0
    for part in iter_collect(TASKS, 120, store=store, progress=False):
        found += part.result.games
        assert sum(result.games for result in Study.open(store)) >= found
    assert found == 4 * 120


def test_parts_of_a_task_come_in_order_and_add_up(store, blocks):
    quiet(TASKS[:1], 70, store=store)
    results = [task.nothing() for task in TASKS]
    over = []
    with ThreadPoolExecutor(3) as pool:
        for part in iter_collect(TASKS, 220, pool, store, progress=False):
            assert part.task is TASKS[part.index]
            assert part.result.ranges[0][1] == results[part.index].games
            results[part.index] += part.result
            over += [part.index] if part.over else []
    assert results == simulated(TASKS, 220)
    assert sorted(over) == [0, 1, 2, 3]


def test_stored_parts_come_first_one_a_task(store, blocks):
    quiet(TASKS, 220, store=store)
    parts = list(iter_collect(TASKS, 220, store=store, progress=False))
    assert [(part.index, part.result.games, part.over) for part in parts] == [(k, 220, True) for k in range(4)]


def test_every_task_gets_a_block_before_any_gets_a_second(blocks):
    quiet(TASKS, 150)
    assert [(TASKS.index(job[0]), job[1]) for job in blocks] == [(k, 50 * b) for b in range(3) for k in range(4)]


# Sharing -------------------------------------------------------------------------------------


def test_two_collections_on_one_store_share_the_blocks(store, blocks):
    """Each takes a block in turn; neither plays what the other has claimed."""
    works = [iter_collect(TASKS, 500, store=store, progress=False) for _ in range(2)]
    totals = [[task.nothing() for task in TASKS] for _ in works]
    running = dict(enumerate(works))
    while running:
        for k, work in list(running.items()):
            if (part := next(work, None)) is None:
                del running[k]
            else:
                totals[k][part.index] += part.result
    assert totals[0] == totals[1] == simulated(TASKS, 500)
    assert 40 <= len(blocks) <= 42  # the last may be played twice, rather than waited for


def test_threads_on_one_store(store, blocks):
    studies = []
    threads = [threading.Thread(target=lambda: studies.append(quiet(TASKS, 700, store=store))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(studies) == 4
    assert all(list(study) == simulated(TASKS, 700) for study in studies)
    assert len(blocks) <= 1.5 * 4 * 14  # in the end nobody waits for another


def test_claims_of_the_dead_and_of_the_slow_are_taken_over(store, blocks):
    work = iter_collect(TASKS, 500, store=store, progress=False)
    next(work)  # claims a block, and is not heard of again
    with closing(sqlite3.connect(store)) as file, file:
        for place, owner in enumerate(("elsewhere:1:00", f"{platform.node()}:{2**22 + 1}:00")):
            rows = [(50 * place, 50 * place + 50, owner)]
            file.executemany("INSERT OR REPLACE INTO claims SELECT id, ?, ?, ? FROM tasks", rows)
    assert list(quiet(TASKS, 500, store=store)) == simulated(TASKS, 500)
    work.close()


def test_no_claim_is_left_behind(store, blocks):
    quiet(TASKS, 120, store=store)
    work = iter_collect(TASKS, 500, store=store, progress=False)
    next(work), next(work), work.close()
    with closing(sqlite3.connect(store)) as file:
        assert file.execute("SELECT count(*) FROM claims").fetchone() == (0,)


# Limits --------------------------------------------------------------------------------------


def test_half_width_ends_each_task_by_itself(store):
    tasks = [Task(Spec((4, 4), mines)) for mines in (1, 3, 8)]
    study = quiet(tasks, 200_000, store=store, half_width=0.005)
    block = 38_414 // 16  # a sixteenth of what a rate of a half takes
    for task, result in zip(tasks, study, strict=True):
        low, high = result.interval()
        assert high - low <= 0.01
        assert result.games < 200_000
        assert result == simulate(task.spec, result.games)
        before = simulate(task.spec, result.games - block)
        low, high = before.interval()
        assert high - low > 0.01
    assert study.wanted == tuple(result.games for result in study)
    assert Study.open(store) == study


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 9000), st.integers(500, 3000)), max_size=3), st.integers(1, 3))
def test_half_width_does_not_depend_on_what_is_stored(tmp_path_factory, blocks, calls, workers):
    store = tmp_path_factory.mktemp("half") / "study.db"
    task = Task(Spec((5,), 1))
    blocks.size = 3000
    expected = quiet([task], 50_000, half_width=0.02)
    for games, blocks.size in calls:
        quiet([task], games, store=store)
    blocks.size = 3000
    with ThreadPoolExecutor(workers) as pool:
        assert quiet([task], 50_000, pool, store, half_width=0.02) == expected == Study.open(store)


def test_a_wider_level_takes_more_games():
    tasks = [Task(Spec((4, 4), 3))]
    few, many = (quiet(tasks, 10**6, half_width=0.01, level=level)[0].games for level in (0.9, 0.99))
    assert few < many


def test_seconds_begin_no_more_blocks(blocks):
    blocks.size = 1000
    study = quiet([Task(Spec((8, 8), 10))], 10**9, seconds=0.3)
    assert 1000 <= study[0].games < 10**8
    assert study[0] == simulate(Spec((8, 8), 10), study[0].games)
    assert study.wanted == (10**9,)


def test_stopping_ends_with_the_blocks_under_way(blocks, store):
    collector = Collector(TASKS, 10**6, store=store, progress=False)
    parts = []
    for part in collector.parts():
        parts.append(part)
        collector.stop()
    assert [part.result.games for part in parts] == [50]
    assert len(blocks) == 1


def test_few_blocks_are_under_way(blocks):
    class Counting(ThreadPoolExecutor):
        most = 0

        def submit(self, *arguments):
            futures.append(super().submit(*arguments))
            self.most = max(self.most, sum(not future.done() for future in futures))
            return futures[-1]

    futures = []
    with Counting(2) as pool:
        quiet([Task(Spec((4, 4), 3))], 5000, pool)
        assert 2 <= pool.most <= 4


def test_a_failure_does_not_take_with_it_what_has_ended(store, blocks, monkeypatch):
    """Two blocks end at once, one of them with an error; the other is stored, whichever comes first."""

    class Two(Executor):
        def __init__(self, order):
            self.order, self.waiting = order, []

        def submit(self, call, /, *arguments):
            self.waiting.append((Future(), call, arguments))
            if len(self.waiting) == 2:
                for k in self.order:
                    future, call, arguments = self.waiting[k]
                    future.set_exception(RuntimeError("broken")) if k else future.set_result(call(*arguments))
            return self.waiting[-1][0]

    monkeypatch.setattr("ndsweep.executors.workers_of", lambda _: 1)
    for number, order in enumerate([(0, 1), (1, 0)] * 5):
        path = store.with_suffix(f".{number}")
        with pytest.raises(RuntimeError, match="broken"):
            quiet(TASKS[:1], 500, Two(order), path)
        assert Study.open(path)[0].games == 50


def test_a_longer_study_is_not_hidden_by_a_shorter_one_beside_it(store, blocks):
    work = iter_collect(TASKS, 300, store=store, progress=False)
    next(work)
    quiet(TASKS, 100, store=store)
    assert Study.open(store).wanted == (100,) * 4
    list(work)
    assert list(Study.open(store)) == simulated(TASKS, 300)


def test_parts_may_be_taken_in_any_thread(store, blocks):
    work = iter_collect(TASKS, 300, store=store, progress=False)
    next(work)
    found = []
    thread = threading.Thread(target=lambda: found.extend(work))
    thread.start()
    thread.join()
    assert sum(part.result.games for part in found) > 0
    assert list(Study.open(store)) == simulated(TASKS, 300)


def test_a_part_comes_before_the_next_block_is_played(store, blocks, monkeypatch):
    monkeypatch.setattr(COLLECT, "_BETWEEN_WRITES", 1000.0)
    parts = iter_collect(TASKS[:1], 500, store=store, progress=False)
    played = [(part.result.ranges[0][2], len(blocks)) for part in parts]
    assert played[0] == (50, 1)
    assert all(games <= 50 * count for games, count in played)


# Blocks and chains ---------------------------------------------------------------------------

spans = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 6)).map(lambda s: (s[0], s[0] + s[1])), max_size=9)


@given(spans, st.integers(0, 14))
def test_chains_lead_as_far_as_any(found, start):
    chains = Chains(Entry(Span(0, *span), (0, 0, 0, 0), None) for span in found)

    def furthest(place):
        return max([place, *(furthest(stop) for first, stop in found if first == place)])

    ends = [entry.span[1:] for entry in chains.after(start)]
    assert chains.end(start) == furthest(start) == (ends[-1][1] if ends else start)
    assert all(one[1] == other[0] for one, other in pairwise(ends))
    assert chains.covered(start) == len({game for span in found for game in range(*span) if game >= start})
    assert chains.next_start(start, 99) == min((first for first, _ in found if first > start), default=99)


@given(spans, spans, st.integers(1, 20), st.integers(1, 7))
def test_what_is_handed_out_is_neither_stored_nor_taken(found, taken, games, block):
    """Nothing twice, nothing that others have; and what nobody has in the end."""
    track = Track(0, TASKS[0], Limit(games), block)
    for span in found:
        track.take(Entry(Span(0, *span), (0, 0, 0, 0), None))
    track.advance()
    kept = {game for span in found if span[1] <= games for game in range(*span)}
    others = {game for span in taken for game in range(*span)}
    handed = []
    while (span := track.hand_out([Span(0, *span) for span in taken])) is not None:
        assert 0 < span.stop - span.start <= block
        handed += range(span.start, span.stop)
    assert len(handed) == len(set(handed))
    assert not others & set(handed)
    assert set(range(games)) <= set(handed) | kept | others


# Progress ------------------------------------------------------------------------------------


def test_progress_counts_what_is_stored(store, blocks, capsys):
    quiet(TASKS, 100, store=store)
    collect(TASKS, 200, store=store)
    shown = capsys.readouterr().err
    assert "800/800" in shown
    assert " 50%" in shown.split("\r")[1]


def test_progress_ends_at_a_hundred_where_fewer_games_are_enough(capsys):
    study = collect(grid((4, 4), mines=[1, 3, 8]), 10**6, half_width=0.02)
    games = sum(result.games for result in study)
    assert games < 10**5
    last = capsys.readouterr().err.strip().split("\r")[-1]
    assert "100%" in last
    assert len(set(re.search(r"([\d.]+k)/([\d.]+k)", last).groups())) == 1


def test_progress_counts_games_in_two_blocks_once(store, blocks, capsys):
    task = TASKS[0]
    quiet([task], 200, store=store)
    blocks.size = 80
    work = iter_collect([task], 200, store=store, progress=False, records=True)
    next(work), work.close()
    with closing(sqlite3.connect(store)) as file:
        assert file.execute("SELECT sum(stop - start) FROM blocks").fetchone()[0] > 200
    played = len(blocks)
    assert collect([task], 200, store=store)[0] == simulate(task.spec, 200)
    assert len(blocks) == played
    assert "100%" in capsys.readouterr().err.split("\r")[1]


# Bad input -----------------------------------------------------------------------------------


class Named(Uniform):
    name = "named"


def test_a_stored_policy_needs_a_name(store):
    with pytest.raises(PolicyError, match=r"must have a name to be stored.*Got Uniform without one"):
        quiet([(BEGINNER, Uniform())], 10, store=store)
    assert not store.exists()
    study = quiet([(BEGINNER, Named())], 10, store=store)
    assert study == Study.open(store)
    assert Study.open(store)[0].policy == "named"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": -1}, "games must be an integer between 0 and"),
        ({"games": 2**63}, "games must be an integer between 0 and"),
        ({"games": 1.5}, "games must be an integer"),
        ({"executor": 3}, "executor must have a submit method"),
        ({"seconds": 0}, "seconds must be a number of 1e-09 or more. Got 0"),
        ({"seconds": "1"}, "seconds must be a number of 1e-09 or more"),
        ({"half_width": -0.1}, "half_width must be a number of 1e-09 or more"),
        ({"half_width": float("nan")}, "half_width must be a number of 1e-09 or more"),
        ({"half_width": 1e-170}, "half_width must be a number of 1e-09 or more"),
        ({"half_width": 0.1, "level": 1}, "level must be between 0 and 1"),
        ({"store": 5}, "store must be the name of a file. Got 5"),
        ({"store": ""}, "store must be the name of a file"),
    ],
)
def test_wrong_arguments(options, message):
    with pytest.raises(SpecError, match=message):
        collect(TASKS, **{"games": 10, "progress": False, **options})


def test_arguments_are_checked_before_the_first_part():
    with pytest.raises(SpecError, match="tasks must differ"):
        iter_collect([BEGINNER, BEGINNER], 10)


def test_too_many_records_are_refused():
    with pytest.raises(TooLargeError, match="records of 10000000000000 games would need"):
        quiet(grid((4, 4), mines=3), 10**13, records=True)
