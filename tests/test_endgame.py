"""The end of a game from a list of layouts, against all play tried out; games played to their end; views alike."""

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import prod

import numpy as np
import pytest
import reference_optimal
from hypothesis import given
from hypothesis import strategies as st
from reference import cells_of, hints_of

from ndsweep import HIDDEN, Board, Game, Spec, SpecError, Status, optimal
from ndsweep.solver.endgame import Endgame, Search, endgame, packed
from ndsweep.solver.symmetry import likeness

SHAPES = [(1,), (2,), (5,), (9,), (2, 3), (3, 3), (2, 5), (2, 2, 2), (3, 1, 3), (1, 2, 2, 2), (1, 3, 1, 3)]


def table_of(shape, layouts, cells):
    """Mines and hints of some cells, a row for each layout."""
    rows = [(layout, hints_of(shape, layout)) for layout in layouts]
    mines = np.array([[cell in layout for cell in cells] for layout, _ in rows])
    return mines, np.array([[hints[cell] for cell in cells] for _, hints in rows])


def some_layouts(data, shape):
    """Some layouts of one number of mines, in any order."""
    every = reference_optimal.layouts_of(shape, data.draw(st.integers(0, prod(shape) - 1)))
    return data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=12, unique=True))


@given(st.data(), st.sampled_from(SHAPES))
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
