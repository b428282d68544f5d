"""Deduction on views: the closure of the rules, nothing false, and sentences that hold."""

import re
from itertools import product

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import positions, view_of
from reference import FLAG, HIDDEN, cells_of

from ndsweep import CellError, SpecError, deduce

KNOWN_SAFE = -4
BOTH = ("single", "pairs")


def closure(shape, view, rules):
    """What the rules of the reference prove, one after the other until none finds anything."""
    known = dict(view)
    while True:
        for rule in rules:
            mined, safe = rule(shape, known)
            known.update(dict.fromkeys(mined, FLAG) | dict.fromkeys(safe, KNOWN_SAFE))
            if mined or safe:
                break
        else:
            return known


def as_view(shape, codes):
    return np.array(list(codes.values())).reshape(shape)


@pytest.mark.parametrize(
    ("names", "rules"),
    [(("single",), (reference.single_point,)), (BOTH, (reference.single_point, reference.pairs))],
)
@pytest.mark.parametrize("trust", [False, True])
@given(position=positions(most_cells=40, most_games=1))
@settings(max_examples=40)
def test_deduction_is_the_closure_of_the_rules(names, rules, trust, position):
    ((mines, opened, flagged),) = zip(*position, strict=True)
    view = view_of(mines, opened, flagged)
    proved = deduce(as_view(mines.shape, view), rules=names, trust_flags=trust)
    start = view if trust else {cell: HIDDEN if code == FLAG else code for cell, code in view.items()}
    known = closure(mines.shape, start, rules)
    for cell in cells_of(mines.shape):
        assert proved.mined[cell] == (known[cell] == FLAG and start[cell] != FLAG)
        assert proved.safe[cell] == (known[cell] == KNOWN_SAFE)
    assert not (proved.mined & ~mines).any()
    assert not (proved.safe & mines).any()
    np.testing.assert_array_equal(proved.steps > 0, proved.mined | proved.safe)


def layouts_of(view):
    """Every layout of mines that fits a view with few hidden cells."""
    hidden = np.argwhere(view < 0)
    for bits in product((False, True), repeat=len(hidden)):
        mines = np.zeros(view.shape, dtype=bool)
        mines[tuple(hidden.T)] = bits
        where = set(map(tuple, np.argwhere(mines).tolist()))
        hints = reference.hints_of(view.shape, where)
        if all(hints[cell] == view[cell] for cell in cells_of(view.shape) if view[cell] >= 0):
            yield mines


@given(position=positions(most_cells=12, most_games=1))
@settings(max_examples=60)
def test_what_is_proved_holds_in_every_layout(position):
    """Wrong flags too are only marks: nothing rests on them."""
    ((mines, opened, flagged),) = zip(*position, strict=True)
    view = as_view(mines.shape, view_of(mines, opened, flagged))
    view[~opened & ~mines] = FLAG
    proved = deduce(view, rules=BOTH)
    fitting = list(layouts_of(view))
    assert fitting
    assert all(fit[proved.mined].all() and not fit[proved.safe].any() for fit in fitting)


@given(position=positions(most_cells=40, most_games=1), trust=st.booleans())
@settings(max_examples=60)
def test_every_proof_is_said_in_words(position, trust):
    """The sentence names the cell, what it is, and only open numbers as they stand."""
    ((mines, opened, flagged),) = zip(*position, strict=True)
    view = as_view(mines.shape, view_of(mines, opened, flagged))
    proved = deduce(view, rules=BOTH, trust_flags=trust)
    for cell in map(tuple, np.argwhere(proved.steps).tolist()):
        words = proved.explain(cell)
        assert words.startswith(f"{cell} is {'a mine' if mines[cell] else 'safe'}: ")
        named = re.findall(r"the (\d+) at (\([\d, ]+\))", words)
        assert 1 <= len(named) <= 3
        for number, place in named:
            where = tuple(int(x) for x in re.findall(r"\d+", place))
            assert view[where] == int(number)
            assert max(abs(x - y) for x, y in zip(cell, where, strict=True)) <= 3


@pytest.mark.parametrize(
    ("view", "cell", "words"),
    [
        ([[0, -1]], (0, 1), "(0, 1) is safe: the 0 at (0, 0) has no mines."),
        ([[-1, 2, -1]], (0, 0), "has just 2 hidden neighbours for as many mines: (0, 0) and (0, 2)."),
        ([[-2, 2, -1]], (0, 2), "the 2 at (0, 1) has no other hidden neighbour beside its known 1 mine."),
        ([[1, -1, 1, -1]], (0, 3), "(0, 3) is safe: the 1 at (0, 2) has its mine, (0, 1)."),
        (
            [[1, 2, 1], [-1, -1, -1]],
            (1, 0),
            "lacks 1 more than the 1 at (0, 2), and of its hidden neighbours only (1, 0)",
        ),
        ([[1, 1, -1], [-1, -1, -1]], (1, 2), "whose hidden neighbours are all its own too, so that none is left for"),
    ],
)
def test_sentences(view, cell, words):
    assert words in deduce(np.array(view), rules=BOTH, trust_flags=True).explain(cell)


@pytest.mark.parametrize(
    ("view", "options", "message"),
    [
        ([[2, -1]], {}, r"view must be that of some layout of mines\. Got 2 at \(0, 0\), beside 0 mines and 1 more"),
        ([[-2, 1, -2]], {"trust_flags": True}, r"Got 1 at \(0, 1\), beside 2 mines and 0 more"),
        ([[1, -1, 2, -1, 0]], {"rules": "single"}, r"Got 0 at \(0, 4\), beside 1 mines and 0 more"),
        ([[1, -1, 2, -1, 0]], {}, r"some layout of mines\. Got none for 2 at \(0, 2\) and 0 at \(0, 4\)\.$"),
        ([[9, -1]], {}, r"codes between -3 and 8\. Got 9 at \(0, 0\)"),
        ([[-4, -1]], {}, r"codes between -3 and 8\. Got -4"),
        ([[0.5]], {}, r"view must be an array of integers\. Got float64"),
        ([[True]], {}, r"view must be an array of integers\. Got bool"),
        ([[1], [1, 2]], {}, r"view must form an array"),
        (3, {}, r"shape must have at least one axis"),
        ([[-1]], {"rules": ("exactly",)}, r"some of 'single', 'pairs', 'count', 'exact'\. Got \('exactly',\)"),
        ([[-1]], {"rules": {"single", 3}}, r"rules must be some of"),
        ([[-1]], {"rules": ("count",)}, r"mines must be given for the rule 'count'\. Got None"),
        ([[1, -1, -1]], {"mines": 4}, r"mines must be an integer between 0 and 3\. Got 4"),
        ([[1, -1, 0]], {"mines": 1}, r"Got none for 1 at \(0, 0\) and 0 at \(0, 2\)"),
        ([[1, -1, 1]], {"mines": 0, "rules": "single"}, r"mines must be between 1 and 1 for this view\. Got 0"),
        ([[1, -1, 1]], {"mines": 0}, r"Got none with 0 mines for 1 at \(0, 2\)"),
        ([[-1]], {"budget": 0}, r"budget must be an integer of 1 or more\. Got 0"),
        ([[-1]], {"budget": 0.5}, r"budget must be an integer"),
        ([[1, -1, 1, -1]], {"mines": 3}, r"mines must be between 0 and 2 for this view\. Got 3"),
        (np.array([2**63 + 1], dtype=np.uint64), {}, r"Got 9223372036854775809 at \(0,\)"),
        ([[-1]], {"rules": ()}, r"rules must be some of 'single', 'pairs', 'count', 'exact'\. Got \(\)"),
        ([[-1]], {"rules": 3}, r"rules must be some of 'single', 'pairs', 'count', 'exact'\. Got 3"),
    ],
)
def test_deduce_says_what_it_takes(view, options, message):
    with pytest.raises(SpecError, match=message):
        deduce(view, **options)


@given(position=positions(most_cells=10, most_games=1))
@settings(max_examples=100)
def test_the_total_proves_only_what_holds_in_every_layout_with_as_many_mines(position):
    ((mines, opened, flagged),) = zip(*position, strict=True)
    view, total = as_view(mines.shape, view_of(mines, opened, flagged)), int(mines.sum())
    without, proved = deduce(view, rules=BOTH), deduce(view, total, rules=(*BOTH, "count"))
    fitting = [fit for fit in layouts_of(view) if fit.sum() == total]
    assert all(fit[proved.mined].all() and not fit[proved.safe].any() for fit in fitting)
    assert (proved.steps > 0)[without.steps > 0].all()
    hidden = (view < 0) & ~without.mined & ~without.safe
    if total == without.mined.sum():
        assert proved.safe[hidden].all()
    elif total == without.mined.sum() + hidden.sum():
        assert proved.mined[hidden].all()
    for cell in map(tuple, np.argwhere(proved.steps).tolist()):
        assert proved.explain(cell).startswith(f"{cell} is {'a mine' if mines[cell] else 'safe'}: ")


def test_the_total_in_words():
    view = np.array([[-1, 1, 1, -1, -1, -1]])
    known = np.array([[-1, 1, -1, -1]])
    assert deduce(known, 2, rules=("count",)).steps.sum() == 0
    proved = deduce(np.array([[1, -1, -1, -1]]), 1, rules=("single", "count"))
    assert proved.explain(2) == "(0, 2) is safe: all mines are known, 1 of them."
    proved = deduce(np.array([[1, -1, -1, -1]]), 3, rules=("single", "count"))
    assert proved.explain(2) == "(0, 2) is a mine: only 2 cells may still hold one, and as many lack."
    assert repr(proved) == "<Deduction 1x4, 3 mined, 0 safe>"
    assert deduce(view, 2, rules=("single",)).mined.sum() == 2


def test_only_a_proved_cell_is_explained():
    proved = deduce(np.array([[1, -1, -1, -1]]))
    with pytest.raises(CellError, match=r"cell must be one that is proved\. Got \(0, 3\)"):
        proved.explain((0, 3))
    with pytest.raises(CellError, match=r"cell must lie in"):
        proved.explain((0, 4))
