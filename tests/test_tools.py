"""The deduction tools of a game and `Game.resume`, against the reference game in 1-D to 4-D."""

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from positions import positions
from reference import HIDDEN, ReferenceGame, cells_of, lacking, near, neighbours
from strategies import layouts, moves

from ndsweep import BEGINNER, Board, CellError, Game, Spec, SpecError, Status


def both(mines, played, flag_limit=None):
    """The same game, played with the same moves, in ndsweep and in the reference."""
    flags = set(map(tuple, np.argwhere(mines).tolist()))
    game, plain = Game(Board(mines), flag_limit), ReferenceGame(mines.shape, flags, flag_limit)
    for kind, cell in played:
        getattr(game, kind)(cell)
        getattr(plain, kind)(cells_of(mines.shape)[cell])
    return game, plain


def codes(plain):
    return {cell: plain.code(cell) for cell in cells_of(plain.shape)}


def plain_flag_mines(plain):
    """Flags the hidden neighbours of each number that lacks as many mines, until there are none."""
    changed = False
    while True:
        view = codes(plain)
        mines = set()
        for cell in reference.numbers(view):
            hidden = near(plain.shape, view, cell, HIDDEN)
            if view[cell] and lacking(plain.shape, view, cell) == len(hidden):
                mines |= hidden
        if not sum(plain.flag(cell) for cell in sorted(mines)):
            return changed
        changed = True


def plain_expose(plain):
    """Chords every number that has its flags, and opens around every 0, in C order, until nothing opens."""
    changed = False
    while True:
        view = codes(plain)
        numbers = [cell for cell in reference.numbers(view) if lacking(plain.shape, view, cell) == 0]
        opened = 0
        for cell in numbers:
            opened += plain.chord(cell)
            if view[cell] == 0:
                opened += sum(plain.reveal(other) for other in neighbours(plain.shape, cell))
        if not opened:
            return changed
        changed = True


def assert_same(game, plain):
    assert game.view.reshape(-1).tolist() == plain.view()
    assert (game.status, game.n_flags) == (plain.status, len(plain.flags))


boards = layouts(most_cells=60, most_share=0.4)
played_boards = boards.flatmap(lambda mines: st.tuples(st.just(mines), moves(mines.size, ["flag", "chord"], 12)))


@given(played_boards, st.none() | st.integers(0, 4))
def test_flag_mines_flags_what_numbers_force(played_board, flag_limit):
    game, plain = both(*played_board, flag_limit)
    assert game.flag_mines() == plain_flag_mines(plain)
    assert_same(game, plain)
    assert not game.flag_mines()


@given(played_boards)
def test_expose_neighbors_opens_around_numbers_that_have_their_flags(played_board):
    """Flags may be wrong: then the mines beside them open and the game is lost."""
    game, plain = both(*played_board)
    assert game.expose_neighbors() == plain_expose(plain)
    assert_same(game, plain)
    assert not game.expose_neighbors()


@given(played_boards)
def test_autoplay_without_guesses_alternates_the_two(played_board):
    game, plain = both(*played_board)
    status = game.autoplay(guesses=0)
    while plain_flag_mines(plain) | plain_expose(plain):
        pass
    assert_same(game, plain)
    assert status == game.status
    assert not game.flag_mines()
    assert not game.expose_neighbors()


def test_a_zero_whose_neighbour_lost_its_flag_is_a_number_that_has_its_mines():
    game = Game(Board.from_coords((1, 6), [(0, 5)]))
    game.flag((0, 1))
    game.reveal((0, 0))
    assert not game.expose_neighbors()  # the flag stands
    game.flag((0, 1))
    assert game.expose_neighbors()
    assert game.status == Status.WON


def test_tools_move_as_the_player_does():
    """What they do is in the moves, and playing these again gives the same game."""
    game = Game.new(BEGINNER, seed=0)
    game.autoplay(guesses=2)
    again = Game.new(BEGINNER, seed=0)
    for kind, cell in game.moves:
        assert getattr(again, kind)(cell)
    np.testing.assert_array_equal(again.view, game.view)
    assert {kind for kind, _ in game.moves} == {"reveal", "flag", "chord"}


def test_autoplay_guesses_hidden_cells_from_its_seed():
    spec = Spec((6, 6, 6), 60)
    games = [Game.new(spec) for _ in range(4)]
    for game, seed in zip(games, (3, 3, 4, 5), strict=True):
        game.autoplay(guesses=1, seed=seed)
    first, again, *others = (game.moves[0] for game in games)
    assert first == again
    assert {first, *others} > {first}


def test_autoplay_by_default_is_the_games_own_or_any():
    one, two, other = (Game.new(BEGINNER, seed=3, game=number) for number in (5, 5, 6))
    for game in (one, two, other):
        game.autoplay(guesses=3)
    assert one.moves == two.moves
    assert one.moves[0] != other.moves[0]
    boards = [Game(Board.from_coords((30, 30), [])) for _ in range(6)]
    for game in boards:
        game.autoplay(guesses=1)
    assert len({game.moves[0] for game in boards}) > 1


def test_another_autoplay_makes_other_guesses():
    spec = Spec((40,), 10)
    firsts = set()
    for flags in range(4):
        game = Game.new(spec, seed=1)
        for cell in range(flags):
            game.flag(cell)
        game.autoplay(guesses=1)
        firsts.add(next(cell for kind, cell in game.moves if kind == "reveal"))
    assert len(firsts) > 1


def test_autoplay_makes_no_more_guesses_than_asked_and_stops_at_the_end():
    game = Game(Board.from_coords((9, 9), [(4, 4)]))
    assert game.autoplay(guesses=50, seed=2) in (Status.WON, Status.LOST)
    assert len([kind for kind, _ in game.moves if kind == "reveal"]) < 50
    lost = Game(Board(np.ones((2, 2), dtype=bool)))
    assert lost.autoplay(guesses=3) == Status.WON  # no safe cell: won at the start, nothing moves
    assert lost.moves == []


@pytest.mark.parametrize(("arguments", "name"), [({"guesses": -1}, "guesses"), ({"guesses": 1.5}, "guesses")])
def test_autoplay_says_what_it_takes(arguments, name):
    with pytest.raises(SpecError, match=f"{name} must be an integer of 0 or more"):
        Game.new(BEGINNER).autoplay(**arguments)


# Games in the middle ---------------------------------------------------------------------------


@given(positions(most_games=1))
def test_a_game_goes_on_from_open_cells_and_flags(position):
    ((mines, opened, flagged),) = zip(*position, strict=True)
    plain = ReferenceGame(mines.shape, set(map(tuple, np.argwhere(mines).tolist())))
    plain.opened, plain.flags = (set(map(tuple, np.argwhere(cells).tolist())) for cells in (opened, flagged))
    plain._look_for_a_win()
    game = Game.resume(Board(mines), opened, flagged)
    assert_same(game, plain)
    assert game.moves == []
    for cell in cells_of(mines.shape)[::3]:
        assert game.reveal(cell) == plain.reveal(cell)
    assert_same(game, plain)


def test_a_game_with_an_open_mine_is_lost():
    board = Board.from_coords((2, 2), [(0, 0)])
    game = Game.resume(board, board.mines)
    assert game.status == Status.LOST
    assert game.view.tolist() == [[-3, -1], [-1, -1]]
    assert game.reveal((1, 1)) == 0


@pytest.mark.parametrize(
    ("revealed", "flagged", "flag_limit", "error", "message"),
    [
        ([[True, False]], None, None, SpecError, r"revealed must be a boolean array of shape \(2, 2\).*\(1, 2\)"),
        ([[1, 0], [0, 0]], None, None, SpecError, r"revealed must be a boolean array.*int64"),
        (np.zeros((2, 2), bool), [True], None, SpecError, r"flagged must be a boolean array"),
        (np.eye(2, dtype=bool), np.eye(2, dtype=bool), None, CellError, r"flagged must lie on hidden.*\(0, 0\)"),
        (np.zeros((2, 2), bool), np.eye(2, dtype=bool), 1, SpecError, r"at most flag_limit=1 flags\. Got 2"),
    ],
)
def test_resume_says_what_it_takes(revealed, flagged, flag_limit, error, message):
    with pytest.raises(error, match=message):
        Game.resume(Board.from_coords((2, 2), [(0, 0)]), revealed, flagged, flag_limit)
