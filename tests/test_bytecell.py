"""The byte board: the bits of the contract, its moves against the reference game, and what it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import LOST, MINE, ReferenceGame, cells_of, hints_of
from strategies import layouts, moves

from ndsweep import Board, CellError, Game, Spec, SpecError
from ndsweep.interop import bytecell

ROUND = Board(np.array([[True, True, True], [True, False, True], [True, True, True]]))  # 8 around the middle


def byte_of(plain, cell):
    """A byte of the board by its contract, bit by bit, from the reference game."""
    number = plain.hints[cell]
    assert number < 8
    uncovered, marked, mined = cell in plain.opened, cell in plain.flags, cell in plain.mines
    return number + 8 * uncovered + 16 * marked + 128 * mined


def bytes_of(plain):
    return np.array([byte_of(plain, cell) for cell in cells_of(plain.shape)], dtype=np.uint8).reshape(plain.shape)


def plain_game(mines):
    return ReferenceGame(mines.shape, set(map(tuple, np.argwhere(mines).tolist())))


fitting = layouts(most_share=0.5).filter(lambda mines: Board(mines).hints.max() < 8)
played = fitting.flatmap(lambda mines: st.tuples(st.just(mines), moves(mines.size, ["flag"])))


@given(played)
def test_moves_on_bytes_are_those_of_the_game(board_and_moves):
    mines, steps = board_and_moves
    plain = plain_game(mines)
    board = bytecell.encode(Game(Board(mines)))
    np.testing.assert_array_equal(board, bytes_of(plain))
    for kind, index in steps:
        cell, before = cells_of(mines.shape)[index], board.copy()
        getattr(plain, kind)(cell)
        changed = {"reveal": bytecell.uncover, "flag": bytecell.mark}[kind](board, index)
        np.testing.assert_array_equal(board, bytes_of(plain))
        assert changed.tolist() == np.argwhere(board != before).tolist()
        assert changed.shape == (np.count_nonzero(board != before), mines.ndim)


@given(played)
def test_a_game_goes_through_bytes_unchanged(board_and_moves):
    mines, steps = board_and_moves
    game = Game(Board(mines))
    for kind, cell in steps:
        getattr(game, kind)(cell)
    board = bytecell.encode(game)
    again = bytecell.decode(board)
    assert (again.board, again.status, again.n_flags) == (game.board, game.status, game.n_flags)
    np.testing.assert_array_equal(again.view, game.view)
    np.testing.assert_array_equal(bytecell.encode(again), board)


@pytest.mark.parametrize(("shape", "mines"), [((8, 8), 10), ((20,), 5), ((5, 4, 3), 6), ((3, 3, 3, 3), 4)])
def test_a_new_board_has_its_mines_and_numbers_and_nothing_else(shape, mines):
    board = bytecell.new(shape, mines, seed=3, game=1)
    assert (board.dtype, board.shape) == (np.uint8, shape)
    assert np.count_nonzero(board & 128) == mines
    assert not (board & 0b01111000).any()
    where = set(map(tuple, np.argwhere(board & 128).tolist()))
    assert [int(b & 7) for b in board.flat] == list(hints_of(shape, where).values())
    np.testing.assert_array_equal((board & 128) != 0, Board.deal(Spec(shape, mines, "any"), 3, 1).mines)
    assert not np.array_equal(board, bytecell.new(shape, mines, seed=3, game=2))


def test_an_empty_board_is_all_zero_and_opens_whole():
    board = bytecell.new((4, 4), 0)
    assert not board.any()
    assert len(bytecell.uncover(board, (3, 0))) == 16
    assert (board == 8).all()


def test_a_mine_ends_the_game():
    board = bytecell.encode(Game(Board.from_coords((2, 3), [(0, 0)])))
    assert bytecell.uncover(board, (0, 0)).tolist() == [[0, 0]]
    assert board[0, 0] == 128 + 8
    assert bytecell.decode(board).status == LOST
    assert bytecell.decode(board).view[0, 0] == MINE
    assert bytecell.uncover(board, (1, 2)).shape == bytecell.mark(board, (1, 2)).shape == (0, 2)


# Eight neighbours ------------------------------------------------------------------------------


def test_eight_is_refused_or_wraps_and_comes_back():
    game = Game(ROUND)
    with pytest.raises(SpecError, match=r"0 to 7 to fit three bits; eight='wrap' stores 0 for 8\. Got 8 at \(1, 1\)"):
        bytecell.encode(game)
    board = bytecell.encode(game, eight="wrap")
    assert board[1, 1] == 0
    assert bytecell.decode(board).board.hints[1, 1] == 8
    assert bytecell.uncover(board, (1, 1)).tolist() == [[1, 1]]  # a number, although its bits are 0
    assert board[1, 1] == 8
    np.testing.assert_array_equal(bytecell.encode(bytecell.decode(board), eight="wrap"), board)


def test_new_refuses_a_layout_with_eight():
    with pytest.raises(SpecError, match=r"Got 8 at \(1, 1\)"):
        bytecell.new((3, 3), 9)
    assert bytecell.new((3, 3), 9, eight="wrap")[1, 1] == 128


@pytest.mark.parametrize("eight", ["refuse", "wrap"])
def test_more_than_eight_never_fit(eight):
    with pytest.raises(SpecError, match=r"to fit three bits\. Got 11 at \(0, 0, 1\)"):
        bytecell.new((3, 3, 3), 27, eight=eight)
    assert bytecell.new((2, 2, 2), 8, eight=eight).tolist() == [[[135] * 2] * 2] * 2


# What it refuses -------------------------------------------------------------------------------

GOOD = np.array([[0, 1, 128], [8, 9, 1]], dtype=np.uint8)


def changed(cell, value):
    board = GOOD.copy()
    board[cell] = value
    return board


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (changed((1, 0), 0b00100000), r"bits 5 and 6 must be 0\. Got 0b00100000 at \(1, 0\)"),
        (changed((0, 1), 0b01000001), r"bits 5 and 6 must be 0\. Got 0b01000001 at \(0, 1\)"),
        (changed((0, 1), 2), r"the number must be 1, as many mines are around\. Got 0b00000010 at \(0, 1\)"),
        (changed((1, 1), 8), r"the number must be 1, as many mines are around\. Got 0b00001000 at \(1, 1\)"),
        (changed((0, 2), 129), r"the number must be 0, .*Got 0b10000001 at \(0, 2\)"),
        (changed((0, 0), 24), r"a marked cell must be covered\. Got 0b00011000 at \(0, 0\)"),
        (GOOD.astype(int), r"board must be an array of uint8\. Got int64"),
        ([[0, 1], [2]], r"board must form an array"),
        (np.uint8(3), r"the shape of board must have at least one axis"),
        (np.zeros((0, 3), np.uint8), r"the shape of board must have sizes of 1 or more"),
    ],
)
def test_decode_says_what_is_wrong_and_where(board, message):
    assert str(bytecell.decode(GOOD)) == "# # #\n. 1 #"
    with pytest.raises(SpecError, match=message):
        bytecell.decode(board)


@pytest.mark.parametrize("move", [bytecell.uncover, bytecell.mark])
def test_moves_need_a_board_that_can_be_written_to_and_a_cell_on_it(move):
    board = GOOD.copy()
    with pytest.raises(CellError, match=r"cell must lie in 0\.\.1 x 0\.\.2\. Got \(2, 0\)"):
        move(board, (2, 0))
    np.testing.assert_array_equal(board, GOOD)
    board.flags.writeable = False
    for wrong in (board, GOOD.tolist(), bytes(6)):
        with pytest.raises(SpecError, match="board must be an array of uint8 that can be written to"):
            move(wrong, (0, 0))


@pytest.mark.parametrize("game", [Game.new(Spec((2, 2), 1)), "game", None])
def test_encode_needs_a_dealt_game(game):
    with pytest.raises(SpecError, match="game must be a Game with a board"):
        bytecell.encode(game)


def test_eight_is_one_of_two_words():
    with pytest.raises(SpecError, match=r"eight must be 'refuse' or 'wrap'\. Got 'clip'"):
        bytecell.new((2, 2), 1, eight="clip")
