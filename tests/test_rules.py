"""Rules: the set tests of the planes prove what counting proves, on random positions in 1-D to 4-D."""

import numpy as np
import reference
from hypothesis import given, settings
from positions import as_array, position_of, positions, slots_at, stuck_positions, view_of
from reference import FLAG, HIDDEN, cells_of, lacking, near, numbers

from ndsweep.engine import rounds
from ndsweep.engine.pairs import Pairs
from ndsweep.engine.planes import lanes_of, mask_of
from ndsweep.solver import rules


def each(position):
    """The games of a position, one at a time."""
    return zip(*position, strict=True)


# The equivalence, in plain sets ----------------------------------------------------------------


def unflagged(view, mines, cells):
    """The mines without a flag among cells."""
    return {cell for cell in cells if mines[cell] and view[cell] != FLAG}


def hidden_safe(view, mines, cells):
    return {cell for cell in cells if not mines[cell] and view[cell] == HIDDEN}


@given(positions(most_games=1))
def test_counting_is_containment_for_one_number(position):
    """As many mines lack as cells are hidden: no safe one is.  None lacks: every mine has its flag."""
    ((mines, opened, flagged),) = each(position)
    view, shape = view_of(mines, opened, flagged), mines.shape
    for cell in numbers(view):
        around = reference.neighbours(shape, cell)
        hidden = near(shape, view, cell, HIDDEN)
        assert (lacking(shape, view, cell) == len(hidden)) == (not hidden_safe(view, mines, around))
        assert (lacking(shape, view, cell) == 0) == (not unflagged(view, mines, around))


@given(positions(most_cells=30, most_games=1))
def test_counting_is_containment_for_two_numbers(position):
    """The difference is as large as A without B has hidden cells: no safe one there, no mine in B without A."""
    ((mines, opened, flagged),) = each(position)
    view, shape = view_of(mines, opened, flagged), mines.shape
    around = {cell: set(reference.neighbours(shape, cell)) for cell in numbers(view)}
    for a in numbers(view):
        for b in numbers(view):
            only_a, only_b = around[a] - around[b], around[b] - around[a]
            hidden = sum(view[cell] == HIDDEN for cell in only_a)
            counted = lacking(shape, view, a) - lacking(shape, view, b) == hidden
            assert counted == (not hidden_safe(view, mines, only_a) and not unflagged(view, mines, only_b))


# Rules on one view -----------------------------------------------------------------------------


def check_prover(prover, rule, position):
    for mines, opened, flagged in each(position):
        view = view_of(mines, opened, flagged)
        mined, safe = prover(np.array(list(view.values())).reshape(mines.shape))
        expected_mined, expected_safe = rule(mines.shape, view)
        np.testing.assert_array_equal(mined, as_array(mines.shape, expected_mined))
        np.testing.assert_array_equal(safe, as_array(mines.shape, expected_safe))
        assert not (mined & ~mines).any()
        assert not (safe & mines).any()


@given(positions())
def test_single_point_proves_what_counting_proves(position):
    check_prover(rules.single_point, reference.single_point, position)


@given(positions(most_cells=40, most_games=1))
@settings(max_examples=60)
def test_pairs_prove_what_counting_proves(position):
    check_prover(rules.pairs, reference.pairs, position)


# Rules on planes -------------------------------------------------------------------------------


def check_planes(step, rule, position):
    """One step on planes changes every game as the rule by counting does, and tells which it opens or flags."""
    mines, opened, flagged = position
    slots = slots_at(*position)
    moved = set(lanes_of(step(slots)).tolist())
    now_opened, now_flagged = position_of(slots, mines)
    for game, one in enumerate(each(position)):
        mined, safe = (as_array(mines.shape[1:], cells) for cells in rule(mines.shape[1:], view_of(*one)))
        np.testing.assert_array_equal(now_opened[game], opened[game] | safe)
        np.testing.assert_array_equal(now_flagged[game], flagged[game] | mined)
        assert safe.any() <= (game in moved) <= (safe.any() or mined.any())
    assert moved <= set(range(len(mines)))


def compare_pairs(slots):
    return Pairs(slots.layout).compare(slots, slots.active)


@given(positions())
def test_a_round_of_single_point_on_planes_is_a_round_by_counting(position):
    check_planes(rounds.single_point, reference.single_point, position)


@given(stuck_positions())
def test_pairs_on_planes_are_pairs_by_counting(position):
    check_planes(compare_pairs, reference.pairs, position)


@given(stuck_positions(most_cells=16, most_games=130))
@settings(max_examples=25)
def test_pairs_on_planes_do_not_mix_games_of_different_words(position):
    """A step over the last edge of a grid leads to a game of the next word."""
    check_planes(compare_pairs, reference.pairs, position)


@given(positions())
def test_pairs_never_prove_what_two_numbers_do_not_tell(position):
    """On any position: what pairs prove on planes, the rules of counting prove of the same view."""
    mines = position[0]
    slots = slots_at(*position)
    compare_pairs(slots)
    now_opened, now_flagged = position_of(slots, mines)
    for game, one in enumerate(each(position)):
        view, shape = view_of(*one), mines.shape[1:]
        alone = [near(shape, view, c, HIDDEN) for c in numbers(view)]
        full = [h for h, c in zip(alone, numbers(view), strict=True) if lacking(shape, view, c) == len(h)]
        done = [h for h, c in zip(alone, numbers(view), strict=True) if lacking(shape, view, c) == 0]
        mined, safe = reference.pairs(shape, view)
        assert not (now_flagged[game] & ~one[2] & ~as_array(shape, mined.union(*full))).any()
        assert not (now_opened[game] & ~one[1] & ~as_array(shape, safe.union(*done))).any()


@given(positions(most_cells=30, most_games=5))
def test_pairs_leave_other_games_alone(position):
    mines, opened, flagged = position
    slots = slots_at(*position)
    moved = Pairs(slots.layout).compare(slots, mask_of(np.array([0]), slots.words))
    now_opened, now_flagged = position_of(slots, mines)
    assert set(lanes_of(moved).tolist()) <= {0}
    np.testing.assert_array_equal(now_opened[1:], opened[1:])
    np.testing.assert_array_equal(now_flagged[1:], flagged[1:])


@given(positions())
def test_floods_on_planes_are_those_of_the_reference(position):
    """Reveals one safe cell in each game, then lets the floods run to their end."""
    mines, _, _ = position
    first = [next((c for c in cells_of(m.shape) if not m[c]), None) for m in mines]
    nothing = np.zeros_like(mines)
    slots = slots_at(mines, nothing, nothing)
    starts = np.array([as_array(m.shape, [c] if c else []) for m, c in zip(mines, first, strict=True)])
    fresh = slots.layout.pack(starts.reshape(len(mines), -1))
    slots.done, slots.fresh = slots.done | fresh, fresh
    while rounds.flood(slots).any():
        pass
    for m, cell, opened in zip(mines, first, position_of(slots, mines)[0], strict=True):
        game = reference.ReferenceGame(m.shape, {c for c in cells_of(m.shape) if m[c]})
        if cell:
            game.reveal(cell)
        np.testing.assert_array_equal(opened, as_array(m.shape, game.opened))
