"""Positions: any view of any board is one, and what no layout of mines shows is refused."""

import copy
import pickle
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import positions
from reference import FLAG, HIDDEN, MINE, cells_of, hints_of, neighbours

from ndsweep import Board, Game, Position, Spec, SpecError, TooLargeError

GRIDS = [(4,), (1, 4), (2, 2), (1, 2, 2), (1, 1, 2, 2)]


def could_be(shape, codes, mines):
    """Whether each number has room for its mines and the total fits: one number at a time, in plain loops."""
    view = dict(zip(cells_of(shape), codes, strict=True))
    for cell, code in view.items():
        near = [view[c] for c in neighbours(shape, cell)]
        known, unknown = near.count(MINE), near.count(HIDDEN) + near.count(FLAG)
        if code >= 0 and not known <= code <= known + unknown:
            return False
    known, unknown = codes.count(MINE), codes.count(HIDDEN) + codes.count(FLAG)
    return mines is None or known <= mines <= known + unknown


def is_taken(view, mines):
    try:
        Position(view, mines)
    except SpecError:
        return False
    return True


@pytest.mark.parametrize("shape", GRIDS)
def test_every_view_of_a_tiny_grid_is_taken_or_refused_by_what_its_numbers_leave_room_for(shape):
    seen = set()
    for codes in product((HIDDEN, FLAG, MINE, 0, 1, 2, 3), repeat=4):
        for mines in (None, 1, 3):
            expected = could_be(shape, codes, mines) and max(codes) < 3 ** len(shape)
            assert is_taken(np.array(codes).reshape(shape), mines) == expected, (codes, mines)
            seen.add(expected)
    assert seen == {True, False}


@given(positions(most_games=1), st.booleans())
def test_what_a_player_sees_is_a_position(position, told):
    ((mines, opened, flagged),) = zip(*position, strict=True)
    game = Game.resume(Board(mines), opened, flagged)
    found = Position(game.view, game.n_mines if told else None)
    np.testing.assert_array_equal(found.view, game.view)
    assert (found.shape, found.mines, found.view.dtype) == (mines.shape, mines.sum() if told else None, game.view.dtype)
    assert str(found) == str(game)
    if told:
        assert found == Position.of(game)


@given(positions(most_games=1), st.integers(0, 10**6), st.integers(-3, 9))
def test_another_number_in_a_view_is_another_position_or_none(position, place, code):
    ((mines, opened, flagged),) = zip(*position, strict=True)
    view = Game.resume(Board(mines), opened, flagged).view
    changed = view.astype(int)
    changed.flat[place % view.size] = code
    expected = could_be(view.shape, changed.ravel().tolist(), None) and code < 3**view.ndim
    assert is_taken(changed, None) == expected
    if expected and (changed != view).any():
        assert Position(changed) != Position(view)


def test_wrong_flags_are_marks_of_the_player():
    assert str(Position([[0, FLAG]])) == ". F"
    shape, mines = (3, 3), {(0, 0)}
    hints = hints_of(shape, mines)
    view = np.array([HIDDEN if c in mines else hints[c] for c in cells_of(shape)]).reshape(shape)
    view[2, 2] = FLAG
    assert Position(view, 1).view[2, 2] == FLAG


def test_positions_are_values():
    one, same, other = Position([[1, -1]], 1), Position(np.array([[1, -1]]), np.int64(1)), Position([[1, -1]])
    assert one == same != other != Position([1, -1])
    assert hash(one) == hash(same)
    assert len({one, same, other}) == 2
    assert one != "1 #"
    for again in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one), eval(repr(one))):
        assert again == one
    with pytest.raises(ValueError, match="read-only"):
        one.view[0, 0] = 0
    with pytest.raises(AttributeError):
        one.mines = 2


def test_copies_of_a_position_cannot_be_changed_either():
    position = Position([[1, -1]], 1)
    for again in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position), copy.copy(position)):
        assert again == position
        with pytest.raises(ValueError, match="read-only"):
            again.view[0, 0] = 0


def test_a_position_that_has_no_room_is_refused(monkeypatch):
    monkeypatch.setattr("ndsweep.checks._A_LITTLE", 0)
    monkeypatch.setattr("ndsweep.checks.available_memory", lambda: 70)
    with pytest.raises(TooLargeError, match=r"a position of shape \(1, 2\) would need"):
        Position([[1, -1]])


def test_a_view_is_copied():
    view = np.array([[1, -1]], dtype=np.int8)
    position = Position(view)
    view[0, 0] = 0
    assert position.view[0, 0] == 1


def test_a_large_position_has_a_short_name():
    assert repr(Position(np.full((40, 40), -1))) == "<Position of shape (40, 40) with 1600 cells not open>"


@pytest.mark.parametrize(
    ("view", "mines", "message"),
    [
        ([[9, -1]], None, r"view must hold codes between -3 and 8\. Got 9 at \(0, 0\)"),
        ([[-4]], None, r"view must hold codes between -3 and 8\. Got -4"),
        ([[2, -1]], None, r"Got 2 at \(0, 0\), beside 0 mines and 1 more cells"),
        ([[0, -3]], None, r"Got 0 at \(0, 0\), beside 1 mines and 0 more"),
        ([[1, -1]], 2, r"mines must be between 0 and 1 for this view\. Got 2"),
        ([[-3, -1]], 0, r"mines must be between 1 and 2 for this view\. Got 0"),
        ([[1, -1]], -1, r"mines must be an integer between 0 and 2\. Got -1"),
        ([[1, -1]], True, r"mines must be an integer between 0 and 2\. Got True"),
        ([[1.0, -1]], None, r"view must be an array of integers\. Got float64"),
        ([[True]], None, r"view must be an array of integers\. Got bool"),
        ([[1], [1, 2]], None, r"view must form an array"),
        (3, None, r"shape must have at least one axis"),
        ([[]], None, r"view must be an array of integers|sizes of 1 or more"),
        ([[10**30]], None, r"view must be an array of integers"),
    ],
)
def test_what_is_no_position_is_refused(view, mines, message):
    with pytest.raises(SpecError, match=message):
        Position(view, mines)


def test_a_position_is_of_a_game():
    assert Position.of(Game.new(Spec((2, 2, 2), 3))).mines == 3
    with pytest.raises(SpecError, match=r"game must be a Game\. Got Board"):
        Position.of(Board.from_coords((2, 2), []))
