"""Games by hand for docs/vectors: each shows one rule.

A name, a shape, the mines, the flag limit or None, and the moves; what each move does is for
the reference to say.
"""


def line(kinds):
    """Moves on a line of cells from words: ``reveal 3`` for ("reveal", (3,))."""
    words = kinds.split()
    return [(kind, (int(cell),)) for kind, cell in zip(words[::2], words[1::2], strict=True)]


MIDDLE_4D, MIDDLE_5D = (1, 1, 1, 1), (1, 1, 1, 1, 1)

SCRIPTS = [
    ("a safe number opens alone, the rest wins", (3,), [(0,)], None, line("reveal 1 reveal 2")),
    ("a mine at the first move", (5,), [(2,)], None, line("reveal 2 reveal 0 flag 0 chord 1 reveal 2")),
    ("no mines: one reveal wins", (2, 3), [], None, [("reveal", (1, 1)), ("reveal", (0, 0)), ("flag", (0, 0))]),
    (
        "all mines: won at the start, moves do nothing",
        (2, 2),
        [(0, 0), (0, 1), (1, 0), (1, 1)],
        None,
        [("reveal", (0, 0)), ("flag", (0, 0)), ("chord", (0, 0))],
    ),
    ("one cell, safe", (1,), [], None, line("flag 0 reveal 0 chord 0 flag 0 reveal 0")),
    ("one cell, a mine: won at the start", (1, 1, 1), [(0, 0, 0)], None, [("reveal", (0, 0, 0))]),
    (
        "a flood stops at a flag and goes on once it is gone",
        (9,),
        [(8,)],
        None,
        line("flag 3 reveal 0 reveal 3 reveal 2 flag 3 reveal 3"),
    ),
    (
        "a flood goes around a flag, whose cell stays",
        (3, 5),
        [(0, 4)],
        None,
        [("flag", (1, 1)), ("reveal", (2, 0)), ("chord", (1, 3)), ("flag", (1, 1)), ("reveal", (1, 1))],
    ),
    (
        "a flag in the border of an opening stays hidden",
        (6,),
        [(5,)],
        None,
        line("flag 4 reveal 0 reveal 4 flag 4 reveal 4"),
    ),
    (
        "moves that do nothing",
        (8,),
        [(3,), (5,)],
        None,
        line(
            "chord 0 reveal 0 reveal 0 flag 0 chord 0 chord 2 flag 3 reveal 3 chord 3 chord 2 flag 6 reveal 4 chord 4"
        ),
    ),
    (
        "too many flags: a chord does nothing, with the right number it opens",
        (3, 3),
        [(0, 0)],
        None,
        [
            ("reveal", (1, 1)),
            ("flag", (0, 0)),
            ("flag", (0, 1)),
            ("chord", (1, 1)),
            ("flag", (0, 1)),
            ("chord", (1, 1)),
            ("chord", (1, 1)),
        ],
    ),
    (
        "a chord floods",
        (2, 7),
        [(0, 0)],
        None,
        [("reveal", (1, 1)), ("flag", (0, 0)), ("chord", (1, 1))],
    ),
    (
        "a wrong flag: only the mine opens, safe neighbours stay hidden",
        (3, 3),
        [(0, 0)],
        None,
        [("reveal", (1, 1)), ("flag", (2, 2)), ("chord", (1, 1)), ("reveal", (0, 1)), ("flag", (2, 2))],
    ),
    (
        "two wrong flags: both mines open",
        (3, 4),
        [(0, 0), (2, 2), (1, 3)],
        None,
        [("reveal", (1, 1)), ("flag", (0, 1)), ("flag", (1, 0)), ("chord", (1, 1))],
    ),
    (
        "one of two flags is wrong: the other mine opens",
        (3, 4),
        [(0, 0), (2, 2), (1, 3)],
        None,
        [("reveal", (1, 1)), ("flag", (0, 0)), ("flag", (1, 0)), ("chord", (1, 1))],
    ),
    (
        "flags do not matter for a win",
        (4,),
        [(1,), (3,)],
        None,
        line("flag 3 reveal 0 reveal 2 flag 1"),
    ),
    ("a flagged safe cell is missing for a win", (3,), [], None, line("flag 2 reveal 0 flag 2 reveal 2")),
    ("no flag is allowed", (3,), [(0,)], 0, line("flag 0 reveal 1 chord 1 reveal 2")),
    (
        "at the limit a further flag is refused, a flag may move",
        (5,),
        [(0,), (4,)],
        1,
        line("flag 2 flag 0 flag 2 flag 0 flag 4 reveal 1 chord 1 flag 0 flag 4 reveal 3 reveal 2"),
    ),
    (
        "axes of size one",
        (1, 4, 1),
        [(0, 3, 0)],
        None,
        [("reveal", (0, 2, 0)), ("flag", (0, 3, 0)), ("chord", (0, 2, 0))],
    ),
    (
        "neighbours across corners in three dimensions",
        (3, 3, 3),
        [(0, 0, 0), (2, 2, 2)],
        None,
        [
            ("reveal", (1, 1, 1)),
            ("flag", (0, 0, 0)),
            ("chord", (1, 1, 1)),
            ("flag", (2, 2, 2)),
            ("chord", (1, 1, 1)),
        ],
    ),
    (
        "a wrong flag in four dimensions",
        (3, 3, 3, 3),
        [(0, 1, 2, 0), (2, 2, 2, 2)],
        None,
        [("reveal", MIDDLE_4D), ("flag", (0, 1, 2, 0)), ("flag", (2, 2, 2, 1)), ("chord", MIDDLE_4D)],
    ),
    (
        "a flood in five dimensions from corner to corner",
        (2, 3, 2, 3, 2),
        [(0, 0, 0, 0, 0)],
        None,
        [
            ("flag", (1, 2, 1, 2, 0)),
            ("reveal", (1, 2, 1, 2, 1)),
            ("flag", (1, 2, 1, 2, 0)),
            ("reveal", (1, 2, 1, 2, 0)),
        ],
    ),
    (
        "a hint of 242 in five dimensions",
        (3, 3, 3, 3, 3),
        [
            (a, b, c, d, e)
            for a in range(3)
            for b in range(3)
            for c in range(3)
            for d in range(3)
            for e in range(3)
            if (a, b, c, d, e) != MIDDLE_5D
        ],
        None,
        [("flag", (0, 0, 0, 0, 0)), ("reveal", MIDDLE_5D)],
    ),
    (
        "a chord in six dimensions",
        (2, 2, 2, 2, 2, 2),
        [(0, 0, 0, 0, 0, 0), (1, 1, 1, 1, 1, 1)],
        None,
        [
            ("reveal", (0, 1, 0, 1, 0, 1)),
            ("flag", (0, 0, 0, 0, 0, 0)),
            ("chord", (0, 1, 0, 1, 0, 1)),
            ("flag", (1, 1, 1, 1, 1, 1)),
            ("chord", (0, 1, 0, 1, 0, 1)),
        ],
    ),
]
