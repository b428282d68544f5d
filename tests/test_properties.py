"""Random games: the reference, `Game` and `Batch` do the same, move by move, in 1-D to 4-D."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reference import FLAG, HIDDEN, ReferenceGame, cells_of, hints_of, openings_of
from scipy import ndimage
from strategies import layouts, moves, seeds, specs

from ndsweep import Batch, Board, Game, Spec, Status


def mine_cells(mines):
    return {cell for cell in cells_of(mines.shape) if mines[cell]}


def full(ndim):
    """Every neighbour and the cell itself."""
    return np.ones((3,) * ndim, dtype=int)


# Boards ---------------------------------------------------------------------------------------


@given(layouts(most_cells=400))
def test_hints_are_the_convolution_with_a_kernel_of_ones(mines):
    kernel = full(mines.ndim)
    kernel[(1,) * mines.ndim] = 0
    expected = ndimage.convolve(mines.astype(int), kernel, mode="constant")
    np.testing.assert_array_equal(Board(mines).hints, expected)
    np.testing.assert_array_equal(Batch(mines[None]).hints[0], expected)


@given(layouts(most_cells=400, most_share=0.3))
def test_openings_are_the_labels_of_the_zeros(mines):
    board = Board(mines)
    labels, count = ndimage.label((board.hints == 0) & ~mines, structure=full(mines.ndim))
    assert board.openings.count == count
    np.testing.assert_array_equal(board.openings.labels, labels)


@given(layouts())
def test_hints_and_openings_are_those_of_the_reference(mines):
    board = Board(mines)
    assert board.hints.reshape(-1).tolist() == list(hints_of(mines.shape, mine_cells(mines)).values())
    assert board.openings.count == len(openings_of(mines.shape, mine_cells(mines)))


@given(st.integers(1, 11))
def test_hints_and_views_have_the_smallest_types_that_hold_them(ndim):
    board = Board(np.ones((1,) * ndim, dtype=bool))
    assert board.hints.dtype == (np.uint8 if ndim <= 5 else np.uint16 if ndim <= 10 else np.uint32)
    assert Game(board).view.dtype == (np.int8 if ndim <= 4 else np.int16 if ndim <= 9 else np.int32)
    assert Batch(board.mines[None]).views().dtype == Game(board).view.dtype


def test_the_largest_hint_of_a_dimension_fits():
    for ndim in range(1, 7):
        mines = np.ones((3,) * ndim, dtype=bool)
        mines[(1,) * ndim] = False
        game = Game(Board(mines))
        game.reveal((1,) * ndim)
        assert game.view[(1,) * ndim] == Board(mines).hints.max() == 3**ndim - 1


# One game -------------------------------------------------------------------------------------


def play_both(mines, sequence, flag_limit=None):
    """Plays the moves in the reference and in Game, comparing as they go."""
    expected = ReferenceGame(mines.shape, mine_cells(mines), flag_limit)
    game = Game(Board(mines), flag_limit)
    cells = cells_of(mines.shape)
    assert game.status == expected.status
    for kind, flat in sequence:
        assert getattr(game, kind)(cells[flat]) == getattr(expected, kind)(cells[flat]), (kind, cells[flat])
        assert game.status == expected.status
        assert game.view.reshape(-1).tolist() == expected.view()
        assert game.n_flags == len(expected.flags)
    np.testing.assert_array_equal(game.revealed.reshape(-1), [cell in expected.opened for cell in cells])
    np.testing.assert_array_equal(game.flagged.reshape(-1), [cell in expected.flags for cell in cells])
    return game


@given(st.data(), layouts(most_share=0.4), st.none() | st.integers(0, 4))
def test_any_moves_do_the_same_in_game_and_reference(data, mines, flag_limit):
    play_both(mines, data.draw(moves(mines.size, ["flag", "chord"])), flag_limit)


@given(st.data(), layouts(most_share=0.1))
def test_flags_cut_floods_in_game_as_in_reference(data, mines):
    play_both(mines, data.draw(moves(mines.size, ["flag"])))


@pytest.mark.parametrize("shape", [(9,), (1, 9), (5, 9), (3, 3, 9), (2, 1, 3, 9)])
def test_a_flood_passes_open_zeros(shape):
    """Two flagged layers keep a flood between them; then one reveal of the one opens the other too, up to a flag."""
    mines = np.zeros(shape, dtype=bool)
    layers = [("flag", cell) for cell in range(mines.size) if cell % 9 in (2, 6)]
    sequence = [("flag", 8), *layers, ("reveal", 4), *layers, ("chord", 3), ("reveal", 2), ("flag", 8), ("reveal", 8)]
    assert play_both(mines, sequence).status == Status.WON
    batch = Batch(mines[None])
    changed = [int(getattr(batch, kind)([cell])[0]) for kind, cell in sequence if kind != "chord"]
    middle = mines.size // 3
    assert changed[len(layers) + 1] == middle
    assert changed[-3:] == [mines.size - middle - 1, -1, 1]


@given(st.data(), layouts(most_share=0.25))
def test_chords_do_the_same_once_flags_are_right_and_wrong(data, mines):
    """Opens some safe cells, flags the mines but a few, and chords everything."""
    safe, mined = np.flatnonzero(~mines), np.flatnonzero(mines)
    opened = data.draw(st.lists(st.sampled_from(safe.tolist()), max_size=8)) if safe.size else []
    forgotten = data.draw(st.sets(st.sampled_from(mined.tolist()), max_size=2)) if mined.size else set()
    wrong = data.draw(st.lists(st.integers(0, mines.size - 1), max_size=2))
    chords = data.draw(st.permutations(range(mines.size)))
    flags = [("flag", int(cell)) for cell in [*mined, *wrong] if cell not in forgotten]
    reveals = [("reveal", cell) for cell in opened]
    play_both(mines, [*reveals, *flags, *(("chord", cell) for cell in chords)])


@given(st.data(), layouts(most_share=0.3))
def test_the_moves_of_a_game_replay_it(data, mines):
    game = play_both(mines, data.draw(moves(mines.size, ["flag", "chord"])))
    again = Game(Board(mines))
    for kind, cell in game.moves:
        assert getattr(again, kind)(cell) != 0
    np.testing.assert_array_equal(again.view, game.view)
    assert again.status == game.status


@given(specs(), seeds, st.integers(0, 2**62), st.data())
def test_a_new_game_is_dealt_for_the_cell_of_its_first_reveal(kind, seed, number, data):
    spec = Spec(*kind)
    sequence = data.draw(moves(spec.size, ["flag", "chord"]))
    game = Game.new(spec, seed, number)
    for move, cell in sequence:
        getattr(game, move)(cell)
    first = next((cell for move, cell in game.moves if move == "reveal"), None)
    if first is None:
        assert game.board is None
        return
    board = Board.deal(spec, seed, number, first)
    assert game.board == board
    again = play_both(board.mines, sequence)
    np.testing.assert_array_equal(game.view, again.view)


# Many games -----------------------------------------------------------------------------------


@st.composite
def batches_of_moves(draw):
    """Layouts of several games, and the moves of each step: all reveals or all flags, -1 for none."""
    mines = draw(layouts(most_cells=60, most_share=0.3))
    games = draw(st.sampled_from([1, 3, 64, 70]))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    pool = random.choice(mines.size, draw(st.integers(1, mines.size)), replace=False)
    many = random.permuted(np.broadcast_to(mines.reshape(-1), (games, mines.size)), axis=1)
    many[0] = mines.reshape(-1)
    steps = draw(st.lists(st.sampled_from(["reveal", "reveal", "flag"]), max_size=20))
    return many.reshape(games, *mines.shape), [(kind, random.choice([-1, *pool], games)) for kind in steps]


@given(batches_of_moves())
@settings(max_examples=60)
def test_a_batch_does_the_same_as_game_and_reference(drawn):
    mines, steps = drawn
    cells = cells_of(mines.shape[1:])
    batch = Batch(mines)
    games = [Game(Board(one)) for one in mines]
    expected = [ReferenceGame(one.shape, mine_cells(one)) for one in mines]
    for kind, chosen in steps:
        changed = getattr(batch, kind)(chosen)
        in_games = [getattr(game, kind)(int(c)) if c >= 0 else 0 for game, c in zip(games, chosen, strict=True)]
        by_hand = [getattr(game, kind)(cells[c]) if c >= 0 else 0 for game, c in zip(expected, chosen, strict=True)]
        assert changed.tolist() == in_games == by_hand
        assert batch.status.tolist() == [game.status for game in games] == [game.status for game in expected]
    views = batch.views()
    np.testing.assert_array_equal(views, [game.view for game in games])
    np.testing.assert_array_equal(views.reshape(len(mines), -1), [game.view() for game in expected])


@given(batches_of_moves(), st.data())
@settings(max_examples=60)
def test_views_of_some_games_are_those_of_all(drawn, data):
    mines, steps = drawn
    batch = Batch(mines)
    for kind, chosen in steps:
        getattr(batch, kind)(chosen)
    some = data.draw(st.lists(st.integers(0, len(mines) - 1), max_size=80))
    np.testing.assert_array_equal(batch.views(some), batch.views()[np.array(some, dtype=int)])


@given(batches_of_moves())
@settings(max_examples=60)
def test_a_batch_keeps_its_layouts(drawn):
    mines, steps = drawn
    batch = Batch(mines)
    for kind, chosen in steps:
        getattr(batch, kind)(chosen)
    np.testing.assert_array_equal(batch.mines, mines)
    np.testing.assert_array_equal(batch.hints, [Board(one).hints for one in mines])
    for i in {0, len(mines) - 1}:
        assert batch.board(i) == Board(mines[i])


@given(layouts(), st.integers(0, 200))
def test_a_wrong_flag_that_was_removed_leaves_no_trace(mines, number):
    batch, cell = Batch(mines[None]), number % mines.size
    assert [batch.flag([cell])[0] for _ in range(3)] == [1, -1, 1] or mines.all()
    assert (batch.views() == FLAG).sum() == int(not mines.all())
    batch.flag([cell])
    assert (batch.views() == HIDDEN).all()


# Dealing --------------------------------------------------------------------------------------


@given(specs(), seeds, st.integers(0, 2**62), st.integers(1, 130))
@example(((4, 4), 3, "safe"), 0, 2**63 - 1 - 2, 2)
def test_a_lane_of_a_batch_is_the_board_of_that_number(kind, seed, start, games):
    batch = Batch.deal(Spec(*kind), games, seed, start)
    for i in {0, games // 2, games - 1}:
        board = Board.deal(Spec(*kind), seed, start + i)
        assert batch.board(i) == board
        np.testing.assert_array_equal(batch.mines[i], board.mines)


@given(specs(), seeds, st.integers(0, 10**6), st.integers(1, 100), st.integers(0, 100))
def test_a_batch_from_any_start_holds_the_same_games(kind, seed, start, games, offset):
    spec = Spec(*kind)
    whole = Batch.deal(spec, games + offset, seed, start)
    part = Batch.deal(spec, games, seed, start + offset)
    np.testing.assert_array_equal(whole.mines[offset:], part.mines)
    np.testing.assert_array_equal(whole.first_cells[offset:], part.first_cells)


@given(specs(), seeds, st.data())
def test_boards_and_lanes_agree_on_given_first_cells(kind, seed, data):
    spec = Spec(*kind)
    first_cells = data.draw(st.lists(st.integers(0, spec.size - 1), min_size=1, max_size=70))
    batch = Batch.deal(spec, len(first_cells), seed, first_cells=first_cells)
    np.testing.assert_array_equal(batch.first_cells, first_cells)
    for i, first_cell in enumerate(first_cells):
        assert batch.board(i) == Board.deal(spec, seed, i, first_cell)


@given(specs(), seeds)
def test_a_dealt_game_starts_as_the_rule_says(kind, seed):
    spec = Spec(*kind)
    batch = Batch.deal(spec, 20, seed)
    opened = batch.reveal(batch.first_cells)
    if spec.mines < spec.size and spec.first != "any":
        assert (batch.status != Status.LOST).all()
    if spec.first == "opening":
        assert (opened >= np.prod([min(n, 2) for n in spec.shape])).all()
