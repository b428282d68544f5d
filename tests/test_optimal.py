"""Best play: published fractions, all play of tiny grids tried out, and games that are really played."""

import inspect
import json
import os
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, prod
from pathlib import Path

import numpy as np
import pytest
import reference_optimal
from hypothesis import given
from hypothesis import strategies as st
from reference import cells_of, hints_of

import ndsweep as nd
from ndsweep import HIDDEN, Board, CellError, Game, Optimal, Spec, SpecError, Status, TooLargeError, optimal
from ndsweep.solver.endgame import Endgame, Search, endgame, packed
from ndsweep.solver.symmetry import likeness

FACTS = json.loads((Path(__file__).parent / "data" / "optimal_small.json").read_text(encoding="utf-8"))["rows"]
RULES = ("any", "safe", "opening")
TINY = [
    (1,),
    (2,),
    (5,),
    (9,),
    (1, 6),
    (2, 3),
    (3, 3),
    (2, 5),
    (2, 2, 2),
    (3, 1, 3),
    (1, 2, 4),
    (1, 2, 2, 2),
    (1, 3, 1, 3),
]
EVERY_TINY = pytest.mark.parametrize("shape", TINY, ids=str)
ERRORS = 5  # standard errors


def is_possible(shape, mines, rule):
    """Whether the spec is one at all."""
    try:
        return bool(Spec(shape, mines, rule))
    except SpecError:
        return False


def possible(shape):
    """All specs of a shape."""
    return [Spec(shape, *how) for how in product(range(prod(shape) + 1), RULES) if is_possible(shape, *how)]


# The grid from its start --------------------------------------------------------------------------


@pytest.mark.parametrize("fact", FACTS, ids=[f"{fact['shape']}/{fact['mines']}" for fact in FACTS])
def test_the_published_fractions(fact):
    shape, mines = tuple(fact["shape"]), fact["mines"]
    assert optimal(Spec(shape, mines, "any")).win_rate == Fraction(fact["unprotected"])
    for name, rule in (("first_safe", "safe"), ("first_zero", "opening")):
        if fact[name] is None:
            assert not is_possible(shape, mines, rule)
        else:
            found = optimal(Spec(shape, mines, rule))
            assert [str(found.win_rate), list(found.first_cell)] == fact[name]


def tried_out(spec, first_cell):
    """The chance to win from a first cell, by the reference; None where it is impossible."""
    won, allowed = reference_optimal.won_from(spec.shape, spec.mines, spec.first, first_cell)
    return Fraction(won, allowed) if allowed else None


@EVERY_TINY
def test_no_play_at_all_does_better_or_worse(shape):
    for spec in possible(shape):
        found, chances = optimal(spec), {cell: tried_out(spec, cell) for cell in cells_of(shape)}
        assert {cell: found.by_first_cell[cell] for cell in chances} == chances
        best = max(chance for chance in chances.values() if chance is not None)
        assert found.win_rate == best
        assert found.first_cell == min(cell for cell, chance in chances.items() if chance == best)


@pytest.mark.parametrize("spec", [Spec((12,), 3), Spec((3, 4), 3), Spec((2, 2, 3), 8), Spec((1, 2, 3, 2), 9)], ids=str)
def test_nor_on_some_grids_of_a_dozen_cells(spec):
    found = optimal(spec)
    for cell in cells_of(spec.shape):
        assert found.by_first_cell[cell] == tried_out(spec, cell)


@pytest.mark.parametrize("spec", [Spec((3, 3), 3), Spec((3, 4), 3, "opening"), Spec((2, 2, 3), 2, "any")], ids=str)
def test_one_first_cell_alone(spec):
    everywhere = optimal(spec)
    for cell in cells_of(spec.shape):
        chance = everywhere.by_first_cell[cell]
        if chance is None:
            with pytest.raises(SpecError, match=r"mines must be between 0 and .*first_cell="):
                optimal(spec, cell)
            continue
        alone = optimal(spec, cell)
        assert (alone.win_rate, alone.first_cell, alone.by_first_cell[cell]) == (chance, cell, chance)
        assert sum(other is not None for other in alone.by_first_cell.flat) == 1


@pytest.mark.parametrize("shape", [(2,), (2, 2), (2, 2, 2), (2, 2, 2, 2)], ids=str)
def test_where_all_cells_are_neighbours_hints_tell_nothing(shape):
    size = prod(shape)
    for mines in range(size):
        assert optimal(Spec(shape, mines)).win_rate == Fraction(1, comb(size - 1, mines))
        assert optimal(Spec(shape, mines, "any")).win_rate == Fraction(1, comb(size, mines))


@pytest.mark.parametrize("shape", [(4,), (3, 2), (2, 1, 2), (1, 2, 1, 3)], ids=str)
def test_a_grid_without_safe_cells_is_won(shape):
    found = optimal(Spec(shape, prod(shape), "any"))
    assert found.first_cell == (0,) * len(shape)
    assert found.win_rate == 1
    assert set(found.by_first_cell.flat) == {1}


@pytest.mark.parametrize(
    "spec",
    [Spec((12,), 4), Spec((3, 4), 3), Spec((4, 4), 4, "opening"), Spec((2, 2, 3), 2), Spec((1, 2, 3, 3), 2)],
    ids=str,
)
@pytest.mark.parametrize("policy", ["random", "single-point", "pairs"])
def test_no_policy_wins_more(spec, policy):
    best = optimal(spec).win_rate
    result = nd.simulate(spec, 20_000, policy)
    assert result.win_rate <= float(best) + ERRORS * np.sqrt(float(best) * (1 - float(best)) / result.games)
    if policy == "pairs":
        assert result.win_rate > float(best) / 3  # it is no empty bound


def test_the_answer_is_a_value():
    found = optimal(Spec((3, 3), 2))
    assert isinstance(found, Optimal)
    assert found == optimal(Spec((3, 3), 2))
    assert hash(found) == hash(optimal(Spec((3, 3), 2)))
    assert found != optimal(Spec((3, 3), 2, "any"))
    assert found != optimal(Spec((3, 3), 2), first_cell=(0, 1))
    assert found != "best"
    with pytest.raises(ValueError, match="read-only"):
        found.by_first_cell[0, 0] = None


def test_a_hundred_runs_are_identical():
    assert (
        len(
            {(repr(found), tuple(found.by_first_cell.flat)) for found in (optimal(Spec((3, 3), 4)) for _ in range(100))}
        )
        == 1
    )


HASHED = """
from ndsweep import Spec, optimal
for spec in (Spec((3, 4), 4), Spec((12,), 5, "any"), Spec((2, 2, 3), 4), Spec((1, 2, 3, 2), 3, "opening")):
    found = optimal(spec)
    print(found, found.by_first_cell.tolist())
"""


def test_the_order_of_hashes_does_not_matter():
    answers = set()
    for seed in ("0", "1", "4242"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        done = subprocess.run(
            [sys.executable, "-c", HASHED], env=environment, capture_output=True, text=True, check=True
        )
        answers.add(done.stdout)
    (answer,) = answers
    assert answer.count("win_rate=Fraction") == 4


def test_long_play_meets_no_recursion_limit():
    """126 guesses in a row, under a limit that leaves no room for them."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 60)
    try:
        chance = optimal(Spec((2,) * 7, 1)).win_rate
    finally:
        sys.setrecursionlimit(before)
    assert chance == Fraction(1, 127)


def test_hints_beyond_a_byte():
    """255 mines around a cell, and 254."""
    assert optimal(Spec((2,) * 8, 255)).win_rate == 1
    assert optimal(Spec((2,) * 8, 254)).win_rate == Fraction(1, 255)
    assert optimal(Spec((2,) * 8, 255, "any")).win_rate == Fraction(1, 256)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (nd.BEGINNER, r"spec must have at most 6172 layouts on its 81 cells .* Got 1646492110120\."),
        (Spec((257,), 1), r"spec must have at most 256 cells for a search of all play\. Got 257\."),
        (Spec((10**6, 10**6), 10**6), r"at most 256 cells .* Got 1000000000000\."),
        (Spec((5, 5), 8, "any"), r"at most 20000 layouts on its 25 cells .* Got 735471\."),
        (Spec((3, 3, 3, 3), 4, "opening"), r"at most 6172 layouts"),
    ],
)
def test_what_is_too_large_is_refused_at_once(spec, message):
    with pytest.raises(TooLargeError, match=message):
        optimal(spec)


def test_what_turns_out_too_large_is_given_up(monkeypatch):
    monkeypatch.setattr(sys.modules["ndsweep.solver.optimal"], "_MOST_WORK", 1000)
    assert optimal(Spec((3, 3), 1)).win_rate == 1
    with pytest.raises(
        TooLargeError, match=r"spec must be one whose play is searched in 1,000 looks .*Spec\(shape=\(3, 3\), mines=4"
    ):
        optimal(Spec((3, 3), 4))


def test_bad_arguments_are_refused():
    with pytest.raises(SpecError, match=r"spec must be a Spec\. Got 'beginner'"):
        optimal("beginner")
    with pytest.raises(CellError, match=r"first_cell must lie in 0\.\.2 x 0\.\.2\. Got \(3, 0\)"):
        optimal(Spec((3, 3), 2), first_cell=(3, 0))


# A position in the middle -------------------------------------------------------------------------


def table_of(shape, layouts, cells):
    """Mines and hints of some cells, a row for each layout."""
    rows = [(layout, hints_of(shape, layout)) for layout in layouts]
    mines = np.array([[cell in layout for cell in cells] for layout, _ in rows])
    return mines, np.array([[hints[cell] for cell in cells] for _, hints in rows])


def some_layouts(data, shape):
    """Some layouts of one number of mines, in any order."""
    every = reference_optimal.layouts_of(shape, data.draw(st.integers(0, prod(shape) - 1)))
    return data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=12, unique=True))


@given(st.data(), st.sampled_from(TINY))
def test_any_list_of_layouts_is_played_as_well_as_can_be(data, shape):
    cells, layouts = cells_of(shape), some_layouts(data, shape)
    found = endgame(*table_of(shape, layouts, cells))
    left = frozenset(layouts)
    values = {cell: reference_optimal.won_by(shape, left, frozenset(), cell) for cell in cells}
    assert (found.won, found.layouts) == (max(values.values()), len(left))
    assert found.win_chance == Fraction(found.won, found.layouts)
    best = [cell for cell, value in values.items() if value == found.won]
    survives = {cell: sum(cell not in layout for layout in left) for cell in best}
    assert cells[found.cell] == min(best, key=lambda cell: (-survives[cell], cell))


@cache
def view_of(shape, layout, opened):
    return frozenset((cell, hints_of(shape, layout)[cell]) for cell in opened)


def layouts_left(shape, mines, view):
    """All layouts that fit a view."""
    opened = [tuple(int(x) for x in cell) for cell in np.argwhere(view != HIDDEN)]
    shown = frozenset((cell, int(view[cell])) for cell in opened)
    return [
        layout
        for layout in reference_optimal.layouts_of(shape, mines)
        if layout.isdisjoint(opened) and view_of(shape, layout, frozenset(opened)) == shown
    ]


def next_cell(shape, mines, view):
    """The cell that `endgame` opens next, from the hidden cells alone."""
    hidden = [tuple(int(x) for x in cell) for cell in np.argwhere(view == HIDDEN)]
    return hidden[endgame(*table_of(shape, layouts_left(shape, mines, view), hidden)).cell]


@pytest.mark.parametrize(
    "spec", [Spec((9,), 3), Spec((3, 3), 3), Spec((2, 4), 4, "any"), Spec((2, 2, 2), 3), Spec((1, 3, 1, 3), 4)], ids=str
)
def test_whoever_follows_it_wins_just_so_many_of_all_layouts(spec):
    best, chosen, won = optimal(spec), {}, 0
    layouts = reference_optimal.layouts_of(spec.shape, spec.mines)
    for layout in layouts:
        game = Game(Board.from_coords(spec.shape, layout))
        game.reveal(best.first_cell)
        while game.status == Status.PLAYING:
            key = game.view.tobytes()
            if key not in chosen:
                chosen[key] = next_cell(spec.shape, spec.mines, game.view)
            game.reveal(chosen[key])
        won += game.status == Status.WON
    first_safe = sum(best.first_cell not in layout for layout in layouts)
    assert Fraction(won, len(layouts) if spec.first == "any" else first_safe) == best.win_rate


def test_a_sure_mine_needs_no_column_and_changes_nothing():
    shape, layouts = (2, 4), [{(0, 0), (0, 3), (1, 3)}, {(1, 0), (0, 3), (1, 3)}, {(0, 1), (0, 3), (1, 3)}]
    every = [cell for cell in cells_of(shape) if cell != (0, 2)]
    unsure = [cell for cell in every if cell[1] < 3]
    with_mines, without = (endgame(*table_of(shape, layouts, cells)) for cells in (every, unsure))
    assert (with_mines.won, every[with_mines.cell]) == (without.won, unsure[without.cell])


def test_a_position_of_mines_alone_is_won():
    assert endgame(np.array([[True, True]]), np.array([[1, 1]])) == Endgame(won=1, layouts=1, cell=None)


def test_hints_beyond_a_byte_tell_layouts_apart():
    """Cells 1 and 2 hide the mine; cell 0 is safe and tells, by 255 or 300, which."""
    mines = np.array([[False, True, False], [False, False, True]])
    for one, other in ((255, 300), (44, 300), (254, 255), (0, 65534)):
        assert endgame(mines, np.array([[one, 0, 1], [other, 1, 0]])) == Endgame(won=2, layouts=2, cell=0)


def test_work_is_bounded():
    layouts = reference_optimal.layouts_of((3, 3), 3)
    mines, hints = table_of((3, 3), layouts, cells_of((3, 3)))
    search = Search(9, 8, budget=100_000)
    assert search.best(packed(mines, hints, 8)) == (33, 0)
    assert search.work > len(layouts) * 9
    assert endgame(mines, hints, budget=search.work) == endgame(mines, hints) == Endgame(33, len(layouts), 0)
    assert endgame(mines, hints, budget=search.work - 1) is None
    assert endgame(mines, hints, budget=0) is None


GOOD = np.array([[True, False], [False, True]])
HINTS = np.array([[0, 1], [1, 0]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((GOOD.astype(int), HINTS), r"mines must be a boolean array .* Got int64 of shape \(2, 2\)"),
        ((GOOD[0], HINTS), r"mines must be a boolean array .* Got bool of shape \(2,\)"),
        ((GOOD[:0], HINTS[:0]), r"each 1 or more\. Got bool of shape \(0, 2\)"),
        ((GOOD, HINTS[:, :1]), r"hints must be integers of shape \(2, 2\)\. Got int64 of shape \(2, 1\)"),
        ((GOOD, HINTS * 0.5), r"hints must be integers .* Got float64"),
        ((GOOD, HINTS - 1), r"hints must lie in 0\.\.65534\. Got -1\.\.0"),
        ((GOOD, HINTS * 65535), r"hints must lie in 0\.\.65534\. Got 0\.\.65535"),
        ((GOOD | GOOD[0], HINTS), r"mines must be as many in each layout\. Got 1 and 2"),
        ((GOOD[[0, 0]], HINTS), r"mines must list each layout once"),
        ((GOOD, HINTS, -1), r"budget must be an integer of 0 or more\. Got -1"),
    ],
)
def test_bad_tables_are_refused(arguments, message):
    with pytest.raises(SpecError, match=message):
        endgame(*arguments)


# Views that are alike -----------------------------------------------------------------------------


def views_of(shape, mines):
    """Every view that some layout can show, as an integer, with the layouts left and the open cells."""
    cells, views = cells_of(shape), {}
    for layout in reference_optimal.layouts_of(shape, mines):
        hints, safe = hints_of(shape, layout), [cell for cell in cells if cell not in layout]
        for count in range(len(safe)):
            for opened in combinations(safe, count):
                view = sum(1 << place for place, cell in enumerate(cells) if cell not in opened)
                view += sum(hints[cell] << (len(cells) + 8 * cells.index(cell)) for cell in opened)
                views.setdefault(view, (set(), frozenset(opened)))[0].add(layout)
    return views


@pytest.mark.parametrize("shape", [(7,), (2, 3), (2, 4), (3, 1, 3), (2, 1, 2, 2)], ids=str)
def test_views_of_one_key_are_won_as_often(shape):
    key_of, alike, mines = likeness(shape, width=8), {}, 2
    views = views_of(shape, mines)
    for view, (layouts, opened) in views.items():
        worth = len(layouts), reference_optimal.most_won(shape, frozenset(layouts), opened)
        alike.setdefault(key_of(view), set()).add(worth)
    assert all(len(worths) == 1 for worths in alike.values())
    assert len(alike) < 0.7 * len(views)  # mirror images alone make two of one


@pytest.mark.parametrize("shape", [(5,), (3, 4), (3, 3), (3, 3, 3), (2, 3, 4), (1, 3, 2, 3)], ids=str)
def test_mirrored_and_turned_views_have_one_key(shape):
    rng, key_of = np.random.default_rng(1), likeness(shape, width=8)
    for _ in range(20):
        view = rng.integers(-1, 9, shape)
        images = [
            np.flip(view, axes) for count in range(len(shape) + 1) for axes in combinations(range(len(shape)), count)
        ]
        images += [
            image.swapaxes(a, b)
            for a, b in combinations(range(len(shape)), 2)
            for image in images
            if shape[a] == shape[b]
        ]
        assert len({key_of(as_integer(image)) for image in images}) == 1


def as_integer(view):
    """The view of a grid as the key function takes it."""
    flat = view.reshape(-1).tolist()
    hidden = sum(1 << cell for cell, code in enumerate(flat) if code == HIDDEN)
    return hidden + sum(code << (len(flat) + 8 * cell) for cell, code in enumerate(flat) if code != HIDDEN)
