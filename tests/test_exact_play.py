"""The policies "exact" and "exact+": what they say of a position, and whole games, against plain Python."""

import os
import subprocess
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import exp

import numpy as np
import plain_streams
import pytest
import reference
import reference_play
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import as_codes, as_dict, stuck_view, views
from reference import FLAG, HIDDEN, MINE, cells_of
from reference_exact import proved
from reference_optimal import layouts_of as every_layout
from reference_optimal import won_from

from ndsweep import (
    BEGINNER,
    EXPERT,
    INTERMEDIATE,
    Board,
    Game,
    Spec,
    Status,
    TooLargeError,
    mine_probability,
    optimal,
    replay,
    simulate,
)
from ndsweep.simulate import block_games, play_alone
from ndsweep.solver import chances, elimination, finish, inference, lookahead, stuck
from ndsweep.solver.chains import chains_of
from ndsweep.solver.chances import Beyond, chances_of
from ndsweep.solver.counts import count
from ndsweep.solver.fronts import front_of
from ndsweep.solver.guessing import guesses_of
from ndsweep.solver.inference import verdict_ahead, verdict_on_view
from ndsweep.solver.layouts import layouts_of
from ndsweep.solver.lookahead import look_ahead
from ndsweep.solver.queries import Queries, log_layouts
from ndsweep.solver.residue import residue_of
from ndsweep.tasks import Task

NAMES = ("exact", "exact+")
EVERY_NAME = pytest.mark.parametrize("name", NAMES)
SEED = 12
CLOSE = 1e-12
VERDICTS = {"exact": verdict_on_view, "exact+": verdict_ahead}
PLAYED = [
    ((12,), 4),
    ((30,), 12),
    ((4, 5), 6),
    ((1, 12), 5),
    ((2, 3, 3), 5),
    ((2, 3, 4), 8),
    ((3, 1, 4), 4),
    ((2, 2, 2, 3), 7),
    ((2, 1, 3, 3), 5),
]


@pytest.fixture
def unhurried(monkeypatch):
    """Best play is found however long it takes."""
    monkeypatch.setattr(finish, "_WORK", 10**9)


# Positions ----------------------------------------------------------------------------------------


def known(view, mines):
    """The view as a policy sees it: known mines have flags."""
    view = view.copy()
    view[view == MINE] = FLAG
    return view, int(mines.sum())


def cells_in(shape, line):
    return {cell for cell, chosen in zip(cells_of(shape), line, strict=True) if chosen}


def assert_verdict_is(found, expected, shape):
    assert cells_in(shape, found.safe[0]) == expected.safe
    assert cells_in(shape, found.mined[0]) == expected.mined
    if expected.survival:  # else all is known, and a game is won
        assert cells_in(shape, found.best[0]) == expected.best
        assert found.survival[0] == pytest.approx(float(expected.survival), rel=CLOSE)


@given(views(most_cells=24, true_flags=True))
@settings(max_examples=80)
def test_proved_cells_and_best_guesses_of_any_position(position):
    view, total = known(*position)
    expected = reference_play.verdict(view.shape, as_dict(view), total)
    assert_verdict_is(verdict_on_view(view, total), expected, view.shape)


@given(views(most_cells=14, true_flags=True))
@settings(max_examples=25)
def test_the_guess_of_exact_plus_in_any_position(position):
    view, total = known(*position)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finish, "_WORK", 10**9)
        found = verdict_ahead(view, total)
    expected = reference_play.verdict(view.shape, as_dict(view), total, ahead=True)
    assert_verdict_is(found, expected, view.shape)


def flagged_where_proved(view, total):
    """The view with flags on all mines that are proved."""
    view = np.array(view)
    for cell in proved(view.shape, as_dict(view), total)[0]:
        view[cell] = FLAG
    return view


@pytest.mark.parametrize(("shape", "mines"), PLAYED, ids=str)
def test_the_verdict_on_positions_from_play_with_flags_and_without(shape, mines, unhurried):
    for seed in range(3):
        view = stuck_view(shape, mines, seed, guesses=seed % 2)
        for seen in (view, flagged_where_proved(view, mines)):
            for name, verdict in VERDICTS.items():
                expected = reference_play.verdict(shape, as_dict(seen), mines, ahead=name == "exact+")
                assert_verdict_is(verdict(seen, mines), expected, shape)


LOOKED_AT = [(shape, mines, seed, 0) for shape, mines in PLAYED if mines > 4 for seed in range(4)]
# here the answer hangs on which guesses are looked at
LOOKED_AT += [((4, 6), 7, 11, 2), ((4, 6), 7, 40, 1), ((5, 5), 7, 32, 2), ((5, 6), 8, 139, 1), ((30,), 9, 98, 2)]
LOOKED_AT += [((2, 2, 2, 4), 7, 1, 1), ((2, 2, 2, 4), 7, 10, 1)]


@pytest.mark.parametrize(("shape", "mines", "seed", "guesses"), LOOKED_AT, ids=str)
def test_looking_ahead_finds_the_guesses_that_are_worth_most(shape, mines, seed, guesses):
    """Also where few layouts are left, and best play would go another way."""
    view = stuck_view(shape, mines, seed, guesses)
    expected = reference_play.verdict(shape, as_dict(view), mines)
    if expected.safe or not expected.survival:
        return  # nothing to guess
    residue = residue_of(view[None], np.array([mines]))
    found = guesses_of(residue, np.zeros(residue.unknown.size, dtype=bool), 10**6, 0)
    mined = residue.layout.lines(found.chances.mined)
    chosen = look_ahead(residue, mined, found.chances.log_layouts, found.best, 10**6)
    survivors = reference_play.survivors(shape, as_dict(view), mines, expected.best)
    assert cells_in(shape, chosen[0, residue.layout.positions]) == survivors


def test_a_position_with_nothing_unknown_asks_for_nothing():
    for shape in [(3,), (1, 1), (2, 2), (1, 2, 1), (1, 1, 1, 1)]:
        for view, mines in ((np.zeros(shape, dtype=int), 0), (np.full(shape, FLAG), int(np.prod(shape)))):
            for verdict in VERDICTS.values():
                found = verdict(view, mines)
                assert not (found.safe | found.mined | found.best).any()


@pytest.mark.parametrize("shape", [(4,), (1, 1), (2, 2), (1, 2, 1), (2, 1, 2, 1)])
@EVERY_NAME
def test_an_untouched_grid_with_no_mines_with_some_and_with_nothing_else(shape, name):
    size, view = int(np.prod(shape)), np.full(shape, HIDDEN)
    for mines in range(size + 1):
        found = VERDICTS[name](view, mines)
        assert found.safe.all() == found.safe.any() == (mines == 0)
        assert found.mined.all() == found.mined.any() == (mines == size)
        assert found.best.any() == (mines > 0)
        if mines:
            assert found.survival[0] == pytest.approx(1 - mines / size)


def test_hints_far_above_eight():
    """242 neighbours in five dimensions, 728 in six: the mines around a cell overflow no small integer."""
    for ndim in (5, 6):
        shape, middle = (3,) * ndim, (1,) * ndim
        for hint in (1, 3**ndim // 2, 3**ndim - 2):
            view = np.full(shape, HIDDEN)
            view[middle] = hint
            found = verdict_on_view(view, hint)
            assert not found.safe.any()
            assert not found.mined.any()
            assert found.survival[0] == pytest.approx(1 - hint / (3**ndim - 1))


# The parts of the solver --------------------------------------------------------------------------


def residue_and_view(position):
    view, total = known(*position)
    return residue_of(view[None], np.array([total - np.count_nonzero(view == FLAG)])), view, total


@given(views(most_cells=16, true_flags=True))
@settings(max_examples=40)
def test_all_layouts_are_listed_once_each(position):
    residue, view, total = residue_and_view(position)
    places, rows = layouts_of(residue)
    cell_at = dict(zip(residue.layout.positions.tolist(), cells_of(view.shape), strict=True))
    cells = [cell_at[place] for place in places.tolist()]
    assert cells == reference_play.unknown_of(as_dict(view))
    flags = {cell for cell, code in as_dict(view).items() if code == FLAG}
    listed = [flags.union(cell for cell, mined in zip(cells, row, strict=True) if mined) for row in rows]
    expected = reference_play.layouts_of(view.shape, as_dict(view), total)
    assert sorted(map(sorted, listed)) == sorted(map(sorted, expected))


@given(st.lists(views(most_cells=16, true_flags=True), min_size=1, max_size=3), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_queries_count_the_layouts_in_which_some_cells_are_safe(positions, random):
    shape = positions[0][0].shape
    looks = [known(*one) for one in positions if one[0].shape == shape]
    left = np.array([total - np.count_nonzero(view == FLAG) for view, total in looks])
    residue = residue_of(np.array([view for view, _ in looks]), left)
    front = front_of(residue)
    chains = chains_of(front)
    counts = count(front, chains, left, lambda states: None)
    group_at = residue.layout.lines(front.groups_at(residue.unknown.size))[:, residue.layout.positions]
    asked, expected = [], []
    for number, (view, total) in enumerate(looks):
        cells = reference_play.unknown_of(as_dict(view))
        layouts = reference_play.layouts_of(shape, as_dict(view), total)
        for _ in range(5):
            chosen = random.sample(cells, random.randint(0, min(4, len(cells))))
            groups = [group_at[number, cells_of(shape).index(cell)] for cell in chosen]
            asked.append((number, groups))
            expected.append(sum(layout.isdisjoint(chosen) for layout in layouts))
    pairs = [(query, group) for query, (_, groups) in enumerate(asked) for group in groups if group >= 0]
    query, group = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    free = np.array([groups.count(-1) for _, groups in asked])
    queries = Queries(np.array([number for number, _ in asked]), free, query, group)
    found = log_layouts(queries, chains, counts, front.free, left)
    assert [exp(one) for one in found] == pytest.approx(expected, rel=1e-9)


# Games --------------------------------------------------------------------------------------------


CASES = {
    "9/3": (Spec((9,), 3), None),
    "20/7": (Spec((20,), 7), None),
    "14/5 any": (Spec((14,), 5, "any"), None),
    "12/5 opening": (Spec((12,), 5, "opening"), None),
    "4x4/5": (Spec((4, 4), 5), None),
    "4x4/5 any, inner": (Spec((4, 4), 5, "any"), (1, 2)),
    "4x5/5 opening": (Spec((4, 5), 5, "opening"), None),
    "3x3/4 opening, corner": (Spec((3, 3), 4, "opening"), "corner"),
    "2x3/2": (Spec((2, 3), 2), None),
    "2x3/5": (Spec((2, 3), 5), None),
    "2x3/6 any": (Spec((2, 3), 6, "any"), None),
    "1/0": (Spec((1,), 0), None),
    "1x1/1 any": (Spec((1, 1), 1, "any"), None),
    "1x1x1/0": (Spec((1, 1, 1), 0), None),
    "1x14x1/6": (Spec((1, 14, 1), 6), None),
    "3x3x2/4": (Spec((3, 3, 2), 4), None),
    "3x3x2/4 any, corner": (Spec((3, 3, 2), 4, "any"), "corner"),
    "2x5x2/4 opening": (Spec((2, 5, 2), 4, "opening"), None),
    "2x2x2x2/5": (Spec((2, 2, 2, 2), 5), None),
    "2x1x4x2/5 any": (Spec((2, 1, 4, 2), 5, "any"), None),
    "1x3x1x5/4 opening": (Spec((1, 3, 1, 5), 4, "opening"), None),
}
EVERY_CASE = pytest.mark.parametrize(("spec", "first_cell"), CASES.values(), ids=CASES)
COUNTED = ("guesses", "reveals", "opened", "luck", "hardest")


def records(spec, name, games, first_cell=None, **options):
    return simulate(spec, games, name, SEED, records=True, first_cell=first_cell, **options).records.tolist()


def row_alone(spec, name, number, first_cell=None):
    game, counts = play_alone(Task(spec, name, SEED, first_cell), number)
    return (number, game.status == Status.WON, *(counts[name] for name in COUNTED))


def game_by_reference(spec, name, number, first_cell):
    """The record of a game in plain Python, and its reveals."""
    cells = cells_of(spec.shape)
    if first_cell is None:
        first = plain_streams.first_cell(SEED, number, spec.size)
    else:
        first = 0 if first_cell == "corner" else cells.index(first_cell)
    mines = {cells[c] for c in plain_streams.layout(spec.shape, spec.mines, spec.first, SEED, number, first)}
    guesses = iter(range(1000))

    def guess(candidates):
        return cells[plain_streams.guess(SEED, number, next(guesses), [cell in candidates for cell in cells])]

    game, moves, counts = reference_play.play(spec.shape, mines, cells[first], name == "exact+", guess)
    return (number, game.status == reference.WON, *(counts[name] for name in COUNTED)), moves


@EVERY_NAME
@EVERY_CASE
def test_a_game_of_many_is_the_game_alone_and_that_of_the_reference(spec, first_cell, name, unhurried):
    games = 8 if name == "exact" else 2
    rows = records(spec, name, games, first_cell)
    assert rows == [row_alone(spec, name, number, first_cell) for number in range(games)]
    for row in rows:
        expected, moves = game_by_reference(spec, name, row[0], first_cell)
        assert row[:5] + row[6:] == expected[:5] + expected[6:]
        assert row[5] == pytest.approx(float(expected[5]), rel=CLOSE)
        game = replay(spec, name, SEED, row[0], first_cell=first_cell)
        reveals = [cell for kind, cell in game.moves if kind == "reveal"]
        assert reveals == moves
        assert not (game.flagged & ~game.board.mines).any()


LARGER = [(BEGINNER, 40), (INTERMEDIATE, 8), (EXPERT, 4), (Spec((40,), 14, "any"), 40), (Spec((4, 4, 4), 10), 12)]


@EVERY_NAME
@pytest.mark.parametrize(("spec", "games"), [*LARGER, (Spec((3, 3, 3, 2), 7), 2)], ids=str)
def test_larger_games_agree_too_down_to_the_last_bit_of_their_luck(spec, games, name):
    games = games if name == "exact" else max(2, games // 4)
    assert records(spec, name, games) == [row_alone(spec, name, number) for number in range(games)]


@pytest.mark.parametrize(
    ("spec", "name", "games"),
    [
        (BEGINNER, "exact", 1500),
        (INTERMEDIATE, "exact", 300),
        (EXPERT, "exact", 60),
        (Spec((4, 4, 4), 10), "exact", 60),
        (Spec((40,), 14, "any"), "exact", 1000),
        (Spec((3, 3, 2, 3), 10), "exact", 10),
        (BEGINNER, "exact+", 80),
        (Spec((4, 4, 3), 8), "exact+", 8),
        (Spec((30,), 10), "exact+", 40),
    ],
    ids=str,
)
def test_neither_slots_nor_parts_of_the_range_nor_threads_change_anything(spec, name, games):
    """Positions are solved in other company each time; not even the last bit of their luck may tell."""
    rows = records(spec, name, games)
    assert rows == records(spec, name, games, slots=1)
    assert rows == records(spec, name, games, slots=2048)
    cuts = [0, 1, games // 3, games]
    assert rows == [row for i in range(3) for row in records(spec, name, cuts[i + 1] - cuts[i], start=cuts[i])]
    with ThreadPoolExecutor(2) as threads:
        assert rows == records(spec, name, games, executor=threads)


def test_chances_are_the_same_to_the_last_bit_in_any_company():
    shape = (5, 6)
    looks = [stuck_view(shape, 9, seed, guesses=seed % 5) for seed in range(40)]
    together = residue_of(np.array(looks), np.full(len(looks), 9))
    lines = together.layout.lines(chances_of(together).mined)
    for number, view in enumerate(looks):
        alone = residue_of(view[None], np.array([9]))
        np.testing.assert_array_equal(lines[number], together.layout.lines(chances_of(alone).mined)[0])


# Luck and win rates -------------------------------------------------------------------------------


@EVERY_NAME
@pytest.mark.parametrize("spec", [Spec((4, 4), 4), Spec((12,), 4), Spec((2, 2, 5), 2), Spec((2, 1, 2, 5), 2)], ids=str)
def test_wins_weighed_by_their_luck_are_all_games(spec, name):
    """Each game is won with the chance that its guesses survive, which has a mean of 1 when divided by."""
    games = 3000 if name == "exact" else 120
    rows = simulate(spec, games, name, SEED, records=True).records
    weights = np.where(rows["won"], 1 / rows["luck"], 0)
    assert ((rows["luck"] > 0) & (rows["luck"] <= 1)).all()
    assert ((rows["luck"] == 1) == (rows["guesses"] == 0)).all()
    assert abs(weights.mean() - 1) < 5 * weights.std() / games**0.5


def wins_of(spec, first_cell, name):
    """How many of all layouts are won from a first cell, guesses without choice."""
    won = 0
    for layout in every_layout(spec.shape, spec.mines):
        if first_cell in layout:
            continue
        game = Game(Board.from_coords(spec.shape, layout))
        game.reveal(first_cell)
        while game.status == Status.PLAYING:
            verdict = VERDICTS[name](game.view, spec.mines)
            cells = verdict.safe[0] if verdict.safe.any() else verdict.best[0] & (np.cumsum(verdict.best[0]) == 1)
            for cell in np.flatnonzero(cells):
                game.reveal(int(cell))
        won += game.status == Status.WON
    return won


@pytest.mark.parametrize(
    ("spec", "first_cell"),
    [
        (Spec((8,), 3), (0,)),
        (Spec((3, 3), 2), (0, 0)),
        (Spec((3, 3), 3), (1, 1)),
        (Spec((3, 3), 6), (0, 1)),
        (Spec((2, 2, 2), 3), (0, 0, 0)),
        (Spec((1, 2, 2, 2), 4), (0, 0, 1, 0)),
    ],
    ids=str,
)
def test_an_endgame_is_played_perfectly_and_nothing_better_than_that(spec, first_cell, unhurried):
    best, allowed = won_from(spec.shape, spec.mines, spec.first, first_cell)
    assert optimal(spec, first_cell).win_rate == Fraction(best, allowed)
    assert wins_of(spec, first_cell, "exact+") == best
    assert wins_of(spec, first_cell, "exact") <= best


def win_rate(spec, name, games):
    result = simulate(spec, games, name, SEED)
    return result.win_rate, (result.win_rate * (1 - result.win_rate) / games) ** 0.5


@pytest.mark.parametrize("spec", [Spec((8, 8), 12), Spec((24,), 6), Spec((3, 4, 4), 8)], ids=str)
def test_better_policies_win_more(spec):
    (pairs, pairs_error), (exact, error), (plus, plus_error) = (
        win_rate(spec, name, games) for name, games in (("pairs", 3000), ("exact", 2000), ("exact+", 100))
    )
    assert exact > pairs - 3 * (error + pairs_error)
    assert plus > exact - 3 * (error + plus_error)


@EVERY_NAME
@pytest.mark.parametrize("spec", [Spec((4, 4), 4), Spec((3, 4), 4), Spec((10,), 3), Spec((2, 2, 3), 3)], ids=str)
def test_no_policy_wins_more_than_best_play(spec, name):
    corner = (0,) * spec.ndim
    games = 2000 if name == "exact" else 100
    result = simulate(spec, games, name, SEED, first_cell=corner)
    best = float(optimal(spec, corner).win_rate)
    error = (best * (1 - best) / games) ** 0.5
    assert result.win_rate < best + 4 * error
    if name == "exact+":
        assert result.win_rate > best - 4 * error


# The same again -----------------------------------------------------------------------------------


def test_a_hundred_runs_are_identical():
    assert len({str(records(Spec((5, 5), 6), "exact+", 3)) for _ in range(100)}) == 1


IN_ANOTHER_PROCESS = """
import ndsweep as nd
for name in ("exact", "exact+"):
    for spec in (nd.BEGINNER, nd.Spec((3, 3, 3), 6)):
        print(nd.simulate(spec, 25, name, 1, records=True).records.tolist())
"""


def test_no_order_of_hashes_matters():
    outputs = {
        subprocess.run(
            [sys.executable, "-c", IN_ANOTHER_PROCESS],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "4242")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == 4


# Beyond the budget --------------------------------------------------------------------------------


@EVERY_NAME
@pytest.mark.parametrize("budget", [1, 12])
def test_games_beyond_the_budget_end_and_are_the_same_alone(monkeypatch, budget, name):
    monkeypatch.setattr(inference, "BUDGET", budget)
    for spec, games in ((Spec((4, 5), 4), 2), (Spec((12,), 4), 2), (Spec((2, 3, 2), 3), 2), (Spec((2, 3, 1, 2), 3), 1)):
        rows = records(spec, name, games)
        assert rows == records(spec, name, games, slots=1) == [row_alone(spec, name, game) for game in range(games)]


@given(views(most_cells=24, true_flags=True), st.sampled_from([1, 5, 20, 60]))
def test_beyond_the_budget_nothing_is_proved_that_is_not_so(position, budget):
    view, total = known(*position)
    mined, safe = proved(view.shape, as_dict(view), total, trust_flags=True)
    for verdict in VERDICTS.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(inference, "BUDGET", budget)
            found = verdict(view, total)
        assert cells_in(view.shape, found.safe[0]) <= safe
        assert cells_in(view.shape, found.mined[0]) <= mined
        assert found.safe.any() or found.best.any() or not (view == HIDDEN).any()
        assert not (found.best[0] & (view.reshape(-1) != HIDDEN)).any()
        assert not (found.best & found.mined).any() or mined == cells_in(view.shape, view.ravel() < 0)


@EVERY_NAME
@pytest.mark.parametrize("planes", [1, 2])
def test_what_a_small_component_proves_is_used_beside_one_beyond_the_budget(monkeypatch, planes, name):
    """On the left two cells are safe; on the right there are many states."""
    opened = np.ones((3, 26), dtype=bool)
    opened[2, :3] = opened[:, 7:] = False
    opened[::2, 8::2] = True
    mines = np.zeros(opened.shape, dtype=bool)
    mines[2, 0] = mines[1, 7::2] = mines[0, 9::4] = True
    opened, mines = (np.stack([cells] * planes) if planes > 1 else cells for cells in (opened, mines))
    view, total = as_codes(mines, opened), int(mines.sum())
    whole = VERDICTS[name](view, total)
    monkeypatch.setattr(inference, "BUDGET", 60)
    assert not chances_of(residue_of(view[None], np.array([total])), 60, beyond=Beyond.NOTHING).exact.any()
    found = VERDICTS[name](view, total)
    left = np.zeros(view.shape, dtype=bool)
    left[..., 2, 1:3] = True
    assert found.safe[0, left.ravel()].all()
    assert (found.safe <= whole.safe).all()
    assert (found.mined <= whole.mined).all()
    assert not found.best.any()


# Room, and large numbers --------------------------------------------------------------------------


def test_a_cell_beside_a_known_mine_does_not_stand_for_those_that_may_have_hint_zero():
    """All four hidden cells are alike but for that; the one that no flag touches may open more."""
    for view, best in (
        ([-1, -2, -1, -1, -1, -2], (3,)),
        ([[-1, -2, -1, -1, -1, -2]], (0, 3)),
        ([[[-1], [-2], [-1], [-1], [-1], [-2]]], (0, 3, 0)),
    ):
        view = np.array(view)
        assert cells_in(view.shape, verdict_on_view(view, 3).best[0]) == {best}


@EVERY_NAME
def test_few_positions_at_a_time_make_no_difference(monkeypatch, name):
    spec, games = Spec((4, 4), 5), 60 if name == "exact" else 12
    rows = records(spec, name, games)
    for module in (stuck, lookahead, chances):
        for constant in {"_CELLS", "_BLOCK_CELLS"} & set(vars(module)):
            monkeypatch.setattr(module, constant, 100)
    assert records(spec, name, games) == rows


def test_looking_ahead_in_many_games_takes_little_memory():
    """Fifteen hundred stuck games, each with nine hints of a guess."""
    views_ = np.full((1500, 16, 30), HIDDEN)
    views_[:, 8, 15] = 3
    residue = residue_of(views_, np.full(1500, 99))
    guesses = guesses_of(residue, np.zeros(residue.unknown.size, dtype=bool), 10**6, 0)
    mined = residue.layout.lines(guesses.chances.mined)
    tracemalloc.start()
    try:
        look_ahead(residue, mined, guesses.chances.log_layouts, guesses.best, 10**6)
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()


def test_a_number_with_two_thousand_neighbours():
    """Seven dimensions: the ways to lay mines around one number are no larger a table than needed."""
    view = np.full((3,) * 7, HIDDEN)
    view[(1,) * 7] = 1
    found = verdict_on_view(view, 1)
    assert found.survival[0] == pytest.approx(1 - 1 / (3**7 - 1))


def test_a_number_with_sixty_thousand_neighbours(monkeypatch):
    """Ten dimensions: refused where it does not fit in memory."""
    monkeypatch.setattr("ndsweep.checks.available_memory", lambda: 10**10)
    view = np.full((3,) * 10, HIDDEN, dtype=np.int32)
    view[(1,) * 10] = 40_000
    assert residue_of(view[None], np.array([40_000])).lacks.max() == 40_000
    with pytest.raises(TooLargeError, match=r"the neighbours of 59048 cells in 10 dimensions would need .* of memory"):
        mine_probability(view, 40_000)


def test_chains_whose_sorting_keys_meet_are_counted_all_the_same(monkeypatch):
    view = np.tile([HIDDEN, 1, HIDDEN, 1, HIDDEN, HIDDEN, 1, HIDDEN], 40)
    residue = residue_of(view[None], np.array([100]))
    expected = chances_of(residue).mined
    monkeypatch.setattr(elimination, "_CHAIN_BITS", np.uint64(2))
    np.testing.assert_allclose(chances_of(residue).mined, expected, rtol=1e-9)


def test_what_would_not_fit_in_memory_is_refused():
    view = np.tile([HIDDEN, 1, HIDDEN, 1, HIDDEN], 200_000)
    with pytest.raises(TooLargeError, match=r"a position with 200000 components of numbers would need .* of memory"):
        mine_probability(view, 300_000)


@EVERY_NAME
def test_blocks_of_an_exact_policy_are_smaller(name):
    games = [block_games(Task(EXPERT, policy), 10**6, blocks=8) for policy in ("pairs", name)]
    assert games[1] * 10 < games[0]
    assert games[1] >= 64
