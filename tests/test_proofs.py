"""The rule "exact", and proofs: whatever is true in all layouts is proved, and every proof holds without the solver."""

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import is_possible, layouts_of, shown_mines, unknown_cells
from positions import positions, view_of
from reference import FLAG, HIDDEN, MINE, cells_of, neighbours

from ndsweep import Board, Game, Spec, SpecError, deduce, mine_probability
from ndsweep.solver.certain import certain
from ndsweep.solver.residue import ANY, residue_of

ALL = ("single", "pairs", "count", "exact")


@st.composite
def views(draw, most_cells, most_hidden=None):
    """A view of some layout, its mines, and whether its flags are to be trusted; some mines may be open."""
    ((mines, opened, flagged),) = zip(*draw(positions(most_cells, most_games=1)), strict=True)
    view, trust = np.array(list(view_of(mines, opened, flagged).values())).reshape(mines.shape), draw(st.booleans())
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    view[mines & (random.random(mines.shape) < draw(st.sampled_from([0, 0.3])))] = MINE
    if not trust:
        view[~opened & ~mines & (random.random(mines.shape) < 0.2)] = FLAG
    return view, mines, trust


def stuck(shape, mines, seed):
    """The view of a game in which single numbers and pairs prove nothing more; None if it cannot begin."""
    board = Board.deal(Spec(shape, mines), seed=seed)
    game, zeros = Game(board), np.flatnonzero((board.hints == 0) & ~board.mines)
    game.reveal(int(zeros[zeros.size // 2]) if zeros.size else int(board.mines.argmin()))
    while (safe := deduce(game.view, rules=("single", "pairs")).safe).any():
        for cell in np.flatnonzero(safe):
            game.reveal(int(cell))
    return game.view


# Complete ----------------------------------------------------------------------------------------


def assert_complete(view, total, trust, rules=ALL):
    """What is proved is just what the layouts have in common."""
    proved, fitting = deduce(view, total, rules, trust_flags=trust), list(layouts_of(view, total, trust))
    assert fitting
    assert proved.complete
    for cell in cells_of(view.shape):
        with_mine = sum(cell in where for where in fitting)
        asked = cell in unknown_cells(view, trust)
        assert proved.mined[cell] == (asked and with_mine == len(fitting))
        assert proved.safe[cell] == (asked and with_mine == 0)
        assert (proved.rules[cell] != "") == (proved.steps[cell] > 0) == (proved.mined[cell] or proved.safe[cell])


@given(position=views(most_cells=11), with_total=st.booleans(), rules=st.sampled_from([ALL, ("exact",)]))
@settings(max_examples=150)
def test_what_is_true_in_all_layouts_is_proved_and_nothing_else(position, with_total, rules):
    view, mines, trust = position
    assert_complete(view, int(mines.sum()) if with_total else None, trust, rules)


@pytest.mark.parametrize("shape", [(5,), (2, 3), (1, 2, 2), (2, 1, 1, 2)])
def test_every_view_of_a_tiny_grid(shape):
    size = int(np.prod(shape))
    for bits in product((False, True), repeat=size):
        board = Board(np.reshape(bits, shape))
        for shown in product((False, True), repeat=size):
            view = np.where(np.reshape(shown, shape) & ~board.mines, board.hints.astype(int), HIDDEN)
            if not (np.reshape(shown, shape) & board.mines).any():
                assert_complete(view, board.n_mines, False)


@given(position=views(most_cells=70))
@settings(max_examples=120)
def test_safe_is_what_has_probability_0_and_mined_what_has_1(position):
    view, mines, trust = position
    proved, chance = deduce(view, int(mines.sum()), trust_flags=trust), mine_probability(view, int(mines.sum()), trust)
    unknown = np.isin(view, (HIDDEN,) if trust else (HIDDEN, FLAG))
    np.testing.assert_array_equal(proved.safe, unknown & (chance.p == 0))
    np.testing.assert_array_equal(proved.mined, unknown & (chance.p == 1))


@pytest.mark.parametrize(
    ("shape", "mines", "games"),
    [((60,), 12, 12), ((9, 9), 14, 12), ((16, 30), 99, 4), ((4, 4, 4), 11, 6), ((3, 3, 3, 3), 13, 4)],
)
def test_games_that_pairs_leave_stuck(shape, mines, games):
    """The total may prove what the numbers alone do not, and never less."""
    for seed in range(games):
        view = stuck(shape, mines, seed)
        chance = mine_probability(view, mines)
        proved, without = deduce(view, mines), deduce(view)
        np.testing.assert_array_equal(proved.safe, chance.p == 0)
        np.testing.assert_array_equal(proved.mined, chance.p == 1)
        assert (proved.steps > 0)[without.steps > 0].all()


# Proofs ------------------------------------------------------------------------------------------


def assert_proof(view, proved, cell, mines, trust, minimal):
    """A proof holds by its numbers alone, and its sentence names just these."""
    proof = proved.proof(cell)
    assert proof.cell == cell
    assert proof.mined == mines[cell]
    assert proof.rule == proved.rules[cell]
    assert proof.total in (None, int(mines.sum()))
    facts = (proof.known_mines + (() if proof.mined else (cell,)), proof.known_safe + ((cell,) if proof.mined else ()))
    rest = (proof.total, trust)
    assert not is_possible(view, proof.numbers, *facts, *rest)
    if minimal:
        for number in proof.numbers:
            others = [other for other in proof.numbers if other != number]
            assert is_possible(view, others, *facts, *rest)
        assert proof.total is None or is_possible(view, proof.numbers, *facts, None, trust)
    assert_facts(view, proved, proof, trust)
    assert proved.explain(cell) == str(proof) == proof.words
    assert proof.words.startswith(f"{cell} is {'a mine' if proof.mined else 'safe'}: ")
    named = re.findall(r"the (\d+) at (\(\d[\d, ]*\))", proof.words)
    assert sorted(set(named)) == sorted((str(view[place]), str(place)) for place in proof.numbers)
    assert (f"{proof.total} mine" in proof.words and "of the grid" in proof.words) == (
        proof.rule == "exact" and proof.total is not None
    )
    return proof


def assert_facts(view, proved, proof, trust):
    """What a proof takes as known is shown, or was proved at an earlier step, and lies around its numbers."""
    shown, step = shown_mines(view, trust), proved.steps[proof.cell]
    for cell in proof.known_mines:
        assert cell in shown or (proved.mined[cell] and 0 < proved.steps[cell] < step)
    for cell in proof.known_safe:
        assert proved.safe[cell]
        assert 0 < proved.steps[cell] < step
    around = {near for number in proof.numbers for near in neighbours(view.shape, number)}
    assert proof.total is not None or {*proof.known_mines, *proof.known_safe} <= around
    assert all(view[number] >= 0 for number in proof.numbers)


@given(position=views(most_cells=45), with_total=st.booleans())
@settings(max_examples=80)
def test_proofs_hold_by_themselves_and_nothing_in_them_is_to_spare(position, with_total):
    view, mines, trust = position
    proved = deduce(view, int(mines.sum()) if with_total else None, trust_flags=trust)
    for cell in map(tuple, np.argwhere(proved.steps).tolist()):
        assert_proof(view, proved, cell, mines, trust, minimal=True)


@given(position=views(most_cells=20), with_total=st.booleans(), rules=st.sampled_from([("exact",), ("pairs", "exact")]))
@settings(max_examples=60)
def test_proofs_of_few_rules_hold_too(position, with_total, rules):
    view, mines, trust = position
    proved = deduce(view, int(mines.sum()) if with_total else None, rules, trust_flags=trust)
    for cell in map(tuple, np.argwhere(proved.steps).tolist()):
        proof = assert_proof(view, proved, cell, mines, trust, minimal=rules == ("exact",))
        assert proof.rule in rules


@pytest.mark.parametrize(
    ("shape", "mines", "seeds", "expected"),
    [
        ((12,), 2, range(30), {"count"}),
        ((7, 7), 11, range(12), {"pairs", "exact"}),
        ((9, 9), 16, [9, 11, 52], {"exact"}),
        ((4, 4, 4), 11, [0, 1, 2], {"exact"}),
        ((3, 3, 3, 3), 13, [2], {"exact"}),
    ],
)
def test_proofs_in_games_that_pairs_leave_stuck(shape, mines, seeds, expected):
    """Each of the further rules is needed, with the total and without."""
    seen = set()
    for seed in seeds:
        layout, view = Board.deal(Spec(shape, mines), seed=seed).mines, stuck(shape, mines, seed)
        proved = deduce(view, mines)
        for cell in map(tuple, np.argwhere(proved.steps).tolist()):
            seen.add(assert_proof(view, proved, cell, layout, False, minimal=True).rule)
    assert expected <= seen


def test_a_long_chain_of_numbers_is_named_to_its_end():
    """0 # 1 # 1 ...: alone, the last cell rests on every number; after pairs on the nearest."""
    view = np.full((1, 30), HIDDEN)
    view[0, ::2], view[0, 0] = 1, 0
    proof = deduce(view, rules=("exact",)).proof((0, 29))
    assert proof.numbers == tuple((0, place) for place in range(0, 30, 2))
    assert (proof.mined, proof.known_mines, proof.known_safe, proof.total) == (False, (), (), None)
    assert deduce(view).proof((0, 29)).numbers == ((0, 28),)


def test_the_nearest_numbers_are_chosen():
    """Either number proves the cell between them; the farther pair is not looked at."""
    view = np.array([[HIDDEN, 0, HIDDEN, 0, HIDDEN]])
    assert deduce(view, rules=("exact",)).proof(2).numbers in (((0, 1),), ((0, 3),))
    wide = np.full((3, 60), HIDDEN)
    wide[1, ::3] = 8
    wide[1, 0] = 5
    assert deduce(wide, rules=("exact",)).proof((0, 31)).numbers == ((1, 30),)


def test_of_two_proofs_the_one_with_nearer_numbers_is_given():
    """By the three numbers on its left a cell is a mine, and by the four on its right."""
    view = np.full((1, 19), HIDDEN)
    view[0, 5:18:2] = 2, 1, 1, 1, 1, 1, 0
    left, right = [(0, 5), (0, 7), (0, 9)], [(0, 11), (0, 13), (0, 15), (0, 17)]
    for numbers in (left, right):
        assert not is_possible(view, numbers, (), [(0, 10)])
    assert deduce(view, rules=("exact",)).proof((0, 10)).numbers == tuple(left)


@pytest.mark.parametrize(
    ("view", "mines", "cell", "words"),
    [
        (
            [[1, -1, 1, -1]],
            None,
            3,
            "(0, 3) is safe: were it a mine, the 1 at (0, 0) and the 1 at (0, 2) could not both hold.",
        ),
        ([[0, -1]], None, 1, "(0, 1) is safe: were it a mine, the 0 at (0, 0) could not hold."),
        ([[-1, -1]], 2, 0, "(0, 0) is a mine: were it safe, the 2 mines of the grid could not hold."),
        (
            [[-1, 1, -1, -1, -3]],
            2,
            3,
            "(0, 3) is safe: were it a mine, the 1 at (0, 1) and the 2 mines of the grid could not both hold,"
            " as (0, 4) is a mine.",
        ),
        ([[-1, -3, 2]], None, 0, None),
    ],
)
def test_sentences_of_exact_proofs(view, mines, cell, words):
    proved = deduce(np.array(view), mines, rules=("exact",)) if words else None
    if words:
        assert proved.explain(cell) == words
    else:
        with pytest.raises(SpecError):
            deduce(np.array(view), mines)


def test_known_cells_are_listed_as_far_as_a_sentence_can():
    view = np.full((3, 3), MINE)
    view[1, 1], view[0, 0] = 8, HIDDEN
    assert deduce(view, rules=("exact",)).explain(0) == (
        "(0, 0) is a mine: were it safe, the 8 at (1, 1) could not hold, as 7 known cells are mines."
    )


# Steps and rules ---------------------------------------------------------------------------------


def test_each_cell_has_the_simplest_rule_that_proves_it_then():
    view = np.array([[1, 2, 1], [-1, -1, -1]])
    proved = deduce(view)
    assert proved.rules.tolist() == [["", "", ""], ["pairs", "single", "pairs"]]
    assert deduce(view, rules=("exact",)).rules.tolist() == [["", "", ""], ["exact"] * 3]
    assert deduce(view, 2, ("count", "exact")).rules[1].tolist() == ["exact"] * 3
    assert deduce(view, rules=("single",)).rules.tolist() == [[""] * 3] * 2


@given(position=views(most_cells=30), data=st.data())
@settings(max_examples=25)
def test_the_order_of_the_rules_does_not_matter(position, data):
    view, mines, trust = position
    one = deduce(view, int(mines.sum()), ALL, trust)
    other = deduce(
        view, int(mines.sum()), data.draw(st.sampled_from([set(ALL), *map(list, ([*ALL[::-1]], [*ALL, *ALL]))])), trust
    )
    np.testing.assert_array_equal(one.steps, other.steps)
    np.testing.assert_array_equal(one.rules, other.rules)
    assert (one.complete, deduce(view, rules=("single", "pairs")).complete) == (True, False)


@given(position=views(most_cells=30), with_total=st.booleans())
@settings(max_examples=40)
def test_exact_only_adds_to_what_the_simpler_rules_prove(position, with_total):
    """Their steps come first and stay the same."""
    view, mines, trust = position
    total = int(mines.sum()) if with_total else None
    simple = deduce(view, total, ALL[: 3 if with_total else 2], trust)
    proved = deduce(view, total, trust_flags=trust)
    first = simple.steps > 0
    np.testing.assert_array_equal(proved.steps[first], simple.steps[first])
    np.testing.assert_array_equal(proved.rules[first], simple.rules[first])
    assert set(proved.rules[~first].tolist()) <= {"", "exact"}
    assert not np.isin(simple.steps[first], proved.steps[proved.rules == "exact"]).any()


def test_what_pairs_prove_in_one_turn_does_not_rest_on_each_other():
    """Were the mines of the turn taken as known, one of the two numbers would be to spare."""
    view = np.array([[-1, -1, -1, 1], [-1, -1, -1, -1], [1, 1, 3, -1]])
    proved = deduce(view)
    proof = proved.proof((0, 2))
    assert (proof.rule, proof.mined, len(proof.numbers)) == ("pairs", False, 2)
    for number in proof.numbers:
        mines = (*proof.known_mines, (0, 2))
        others = [other for other in proof.numbers if other != number]
        assert is_possible(view, others, mines, proof.known_safe)
    assert not is_possible(view, proof.numbers, (*proof.known_mines, (0, 2)), proof.known_safe)


def test_without_a_total_count_is_left_out_of_the_default():
    view = np.array([[-1, 1, -1, -1]])
    assert not deduce(view).steps.any()
    assert deduce(view, 1).safe.tolist() == [[False, False, False, True]]
    assert deduce(view, 1).rules[0, 3] == "exact"
    with pytest.raises(SpecError, match=r"mines must be given for the rule 'count'\. Got None\."):
        deduce(view, rules=("single", "count"))


# What cannot be --------------------------------------------------------------------------------


@given(data=st.data(), shape=st.sampled_from([(5,), (2, 3), (2, 2, 2), (1, 2, 2, 2)]), with_total=st.booleans())
@settings(max_examples=200)
def test_a_view_without_a_layout_is_refused_by_numbers_that_contradict_each_other(data, shape, with_total):
    size = int(np.prod(shape))
    codes = st.lists(st.sampled_from([HIDDEN, HIDDEN, FLAG, MINE, 0, 1, 1, 2, 3]), min_size=size, max_size=size)
    view = np.minimum(data.draw(codes), 3 ** len(shape) - 1).reshape(shape)
    total = data.draw(st.integers(0, size)) if with_total else None
    if any(True for _ in layouts_of(view, total)):
        deduce(view, total)
        return
    with pytest.raises(SpecError) as error:
        deduce(view, total)
    if with_total:
        with pytest.raises(SpecError) as other:
            mine_probability(view, total)
        assert str(error.value) == str(other.value)
    named = [
        tuple(map(int, re.findall(r"\d+", place))) for place in re.findall(r" at (\(\d[\d, ]*\))", str(error.value))
    ]
    assert named or "mines must be between" in str(error.value)
    total = total if f"with {total} mines" in str(error.value) else None
    if named:
        assert not is_possible(view, named, (), (), total)


def test_with_simpler_rules_a_contradiction_is_found_where_a_rule_meets_it():
    """Three numbers of which any two can be."""
    view = np.array([[-1, -1, -1], [1, 3, 1], [-1, -1, -1]])
    assert not deduce(view, rules=("single",)).steps.any()
    with pytest.raises(SpecError, match=r"Got none for 1 at \(1, 0\) and 3 at \(1, 1\) and 1 at \(1, 2\)\.$"):
        deduce(view)
    with pytest.raises(SpecError, match=r"prove \(0, 0\) a mine and safe|beside \d mines"):
        deduce(view, rules=("pairs",))


# Bounds ------------------------------------------------------------------------------------------


def test_beyond_the_budget_nothing_false_is_proved_and_the_rest_is():
    """One component too many for a budget of some states; a small one beside it is still proved."""
    for seed in range(6):
        mines = Board.deal(Spec((12, 12), 34), seed=seed).mines
        view = stuck((12, 12), 34, seed)
        full, parts = deduce(view, 34), [deduce(view, 34, budget=budget) for budget in (1, 30, 300)]
        for proved in parts:
            assert not (proved.mined & ~mines).any()
            assert not (proved.safe & mines).any()
            assert not (proved.steps > 0)[full.steps == 0].any()
            assert proved.complete or not (proved.safe & (proved.rules == "exact") & ~deduce(view).safe).any()


def strip(period, ends):
    """A strip of single hidden cells and columns of three, each number lacking 3 in the two beside it."""
    width = 4 * period - ends
    view = np.full((3, width), MINE)
    view[1, 0::4] = view[:, 2::4] = HIDDEN
    for place in range(1, width, 2):
        view[1, place] = 3 + sum(view[near] == MINE for near in neighbours(view.shape, (1, place)))
    return view, int((view == MINE).sum()) + 3 * period


def test_a_chance_that_rounds_to_1_is_not_proved():
    """All single cells are mines in 3**40 layouts, and none is in one."""
    view, mines = strip(40, ends=1)
    chance = mine_probability(view, mines)
    assert (chance.layouts, chance.ways[1, 0]) == (3**40 + 1, 3**40)
    assert 1 - 1e-15 < chance.p[1, 0] < 1
    assert not deduce(view, mines).steps.any()


def test_a_front_too_large_for_floats_is_looked_at_in_integers():
    """# 1 # 1 ... #: two layouts, of 750 and 751 mines."""
    view = np.full((3001,), HIDDEN)
    view[1::2] = 1
    found = certain(residue_of(view[None], np.array([ANY])))
    assert found.possible
    assert found.complete
    assert not deduce(view, rules=("single", "exact")).steps.any()
    for mines, first in ((750, 2), (751, 0)):
        proved = deduce(view, mines, rules=("single", "exact"))
        np.testing.assert_array_equal(np.flatnonzero(proved.mined), np.arange(first, 3001, 4))
        assert proved.mined.sum() + proved.safe.sum() == 1501
    with pytest.raises(SpecError, match=r"Got none with 13 mines for"):
        deduce(view[:41], 13, rules=("single", "exact"))


@pytest.mark.parametrize("shape", [(1,), (1, 1, 1), (3,), (2, 2, 2, 2)])
def test_nothing_hidden_and_nothing_open(shape):
    assert deduce(np.zeros(shape, dtype=int), 0).steps.sum() == 0
    hidden, size = np.full(shape, HIDDEN), int(np.prod(shape))
    assert deduce(hidden, 0).safe.all()
    assert deduce(hidden, size).mined.all()
    assert size == 1 or not deduce(hidden, 1).steps.any()
    assert not deduce(hidden).steps.any()
