"""The reference of the numbers of a layout, against layouts worked by hand."""

from reference import openings_of
from reference_stats import (
    bbbv,
    border_of,
    hint_histogram,
    islands,
    isolated_numbers,
    opening_sizes,
    zeros_of,
)


def mines_of(picture):
    """The shape and the mines, * each, of rows of text."""
    rows = picture.split()
    return (len(rows), len(rows[0])), {
        (y, x) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "*"
    }


def test_a_line_worked_by_hand():
    """Hints . 1 * 1 . . 1 * 2 * 1: two openings; the 2 and the last 1 are isolated, a mine apart."""
    shape, mines = (11,), {(2,), (7,), (9,)}
    assert zeros_of(shape, mines) == {(0,), (4,), (5,)}
    assert openings_of(shape, mines) == [{(0,)}, {(4,), (5,)}]
    assert [border_of(shape, o) for o in openings_of(shape, mines)] == [{(1,)}, {(3,), (6,)}]
    assert opening_sizes(shape, mines) == [1, 2]
    assert isolated_numbers(shape, mines) == {(8,), (10,)}
    assert islands(shape, mines) == [{(8,)}, {(10,)}]
    assert bbbv(shape, mines) == 4
    assert hint_histogram(shape, mines) == [3, 4, 1]


def test_a_grid_worked_by_hand():
    """Hints, by rows: . 1 * 2 * / . 1 1 3 2 / . . . 1 * / 1 1 1 2 2 / * 1 1 * 1."""
    shape, mines = mines_of("..*.* ..... ....* ..... *..*.")
    assert zeros_of(shape, mines) == {(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)}
    assert opening_sizes(shape, mines) == [5]
    (opening,) = openings_of(shape, mines)
    assert border_of(shape, opening) == {(0, 1), (1, 1), (1, 2), (1, 3), (2, 3), (3, 0), (3, 1), (3, 2), (3, 3)}
    assert isolated_numbers(shape, mines) == {(0, 3), (1, 4), (3, 4), (4, 1), (4, 2), (4, 4)}
    assert islands(shape, mines) == [{(0, 3), (1, 4)}, {(3, 4), (4, 4)}, {(4, 1), (4, 2)}]
    assert bbbv(shape, mines) == 7
    assert sum(hint_histogram(shape, mines)) == 20


def test_a_corner_of_a_cube_worked_by_hand():
    """One mine in a corner of 3 x 3 x 3: the 7 cells beside it show 1, the other 19 are one opening."""
    shape, mines = (3, 3, 3), {(0, 0, 0)}
    assert opening_sizes(shape, mines) == [19]
    assert hint_histogram(shape, mines) == [19, 7] + [0] * 25
    assert isolated_numbers(shape, mines) == set()
    assert bbbv(shape, mines) == 1


def test_boards_without_mines_or_without_safe_cells():
    for shape in [(1,), (4,), (2, 3), (1, 2, 2), (2, 1, 2, 1)]:
        cells = zeros_of(shape, set())
        assert openings_of(shape, set()) == [cells]
        assert (bbbv(shape, set()), islands(shape, set())) == (1, [])
        assert (bbbv(shape, cells), islands(shape, cells)) == (0, [])
        assert sum(hint_histogram(shape, cells)) == 0
