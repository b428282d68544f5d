"""Writes docs/vectors/*.json: boards and games for any implementation, from the reference alone.

Run it by hand after a change of what is asked for: ``python tests/make_vectors.py``.  Nothing of
``ndsweep`` is used.  docs/vectors.md says what every field means.
"""

import json
from hashlib import sha256
from pathlib import Path

from reference import HIDDEN, PLAYING, ReferenceGame, cells_of, hints_of, neighbours, openings_of
from reference_stats import bbbv, hint_histogram, islands, isolated_numbers, zeros_of
from vector_scripts import SCRIPTS

FOLDER = Path(__file__).parent.parent / "docs" / "vectors"
VERSION = 1
STATUS = ("playing", "won", "lost")

# The number of mines of each shape; None stands for all cells but one.
BOARDS = {
    "boards_1d": [((1,), 0), ((1,), 1), ((2,), 1), ((7,), 2), ((20,), 4), ((40,), 17), ((64,), 5)],
    "boards_2d": [
        ((1, 1), 0),
        ((1, 12), 3),
        ((12, 1), 3),
        ((2, 2), 2),
        ((3, 3), None),
        ((4, 5), 0),
        ((4, 5), 20),
        ((9, 9), 10),
        ((9, 9), 40),
        ((8, 13), 7),
        ((16, 30), 99),
        ((16, 30), 25),
    ],
    "boards_3d": [
        ((1, 1, 1), 0),
        ((1, 7, 1), 2),
        ((3, 1, 6), 3),
        ((3, 3, 3), None),
        ((3, 4, 2), 0),
        ((2, 2, 3), 12),
        ((5, 6, 7), 8),
        ((6, 6, 6), 20),
        ((4, 5, 6), 80),
    ],
    "boards_4d": [
        ((1, 1, 1, 1), 1),
        ((1, 5, 1, 6), 3),
        ((2, 2, 2, 2), 3),
        ((3, 3, 3, 3), None),
        ((2, 3, 2, 3), 0),
        ((4, 4, 4, 4), 8),
        ((3, 4, 5, 6), 30),
        ((3, 4, 3, 4), 100),
    ],
    "boards_5d": [
        ((1, 1, 1, 1, 1), 0),
        ((1, 4, 1, 5, 1), 2),
        ((2, 2, 2, 2, 2), 4),
        ((3, 3, 3, 3, 3), None),
        ((2, 3, 2, 3, 2), 72),
        ((3, 4, 3, 4, 3), 4),
        ((4, 3, 4, 3, 4), 60),
    ],
    "boards_6d": [((2, 1, 2, 1, 2, 3), 2), ((3, 3, 3, 3, 3, 3), None), ((3, 3, 3, 3, 3, 3), 3)],
}

# The shape, the number of mines, the flag limit and the number of moves of games without a script.
PLAYED = [
    ((12,), 3, None, 25),
    ((40,), 8, None, 60),
    ((1, 15), 4, 2, 30),
    ((6, 6), 6, None, 45),
    ((9, 9), 10, 10, 70),
    ((9, 9), 4, None, 40),
    ((3, 4, 3), 5, None, 45),
    ((5, 5, 5), 8, 8, 60),
    ((2, 3, 2, 3), 5, None, 45),
    ((3, 3, 3, 3), 4, None, 50),
    ((2, 2, 3, 1, 3), 4, None, 40),
    ((3, 2, 3, 2, 3), 3, 2, 40),
]


def draw(*name):
    """A whole number that depends on a name alone."""
    return int.from_bytes(sha256(repr(name).encode()).digest()[:8], "big")


def chosen(cells, *name):
    """One of some cells."""
    return sorted(cells)[draw(*name) % len(cells)]


def layout(shape, mines):
    """So many mines, where a hash of the cell is smallest; all but the middle cell for None."""
    if mines is None:
        return set(cells_of(shape)) - {tuple(n // 2 for n in shape)}
    return set(sorted(cells_of(shape), key=lambda cell: draw(shape, mines, cell))[:mines])


def name_of(shape, mines):
    return f"{'x'.join(map(str, shape))}/{len(mines)}"


# Boards ---------------------------------------------------------------------------------------


def board(shape, mines):
    """What a layout is and what follows from it; cells by their places in C order, except the mines."""
    place = {cell: i for i, cell in enumerate(cells_of(shape))}

    def places(cells):
        return sorted(place[cell] for cell in cells)

    hints = hints_of(shape, mines)
    return {
        "name": name_of(shape, mines),
        "shape": shape,
        "mines": sorted(mines),
        "hints": [hints[cell] for cell in cells_of(shape)],
        "zeros": len(zeros_of(shape, mines)),
        "openings": [places(opening) for opening in openings_of(shape, mines)],
        "isolated": places(isolated_numbers(shape, mines)),
        "islands": [places(island) for island in islands(shape, mines)],
        "bbbv": bbbv(shape, mines),
        "hint_histogram": hint_histogram(shape, mines),
    }


# Games ----------------------------------------------------------------------------------------


class Recorder:
    """A game of the reference that keeps what each move did."""

    def __init__(self, name, shape, mines, flag_limit):
        self.name, self.flag_limit = name, flag_limit
        self.game = ReferenceGame(shape, mines, flag_limit)
        self.at_start, self.steps = STATUS[self.game.status], []

    def move(self, kind, cell):
        before = self.game.view()
        returned = getattr(self.game, kind)(cell)
        changed = [[i, new] for i, (old, new) in enumerate(zip(before, self.game.view(), strict=True)) if old != new]
        status = STATUS[self.game.status]
        self.steps.append({"move": kind, "cell": cell, "returned": returned, "status": status, "changed": changed})

    def document(self):
        return {
            "name": self.name,
            "shape": self.game.shape,
            "mines": sorted(self.game.mines),
            "flag_limit": self.flag_limit,
            "status": self.at_start,
            "steps": self.steps,
            "view": self.game.view(),
        }


def scripted(name, shape, mines, flag_limit, moves):
    recorder = Recorder(name, shape, set(mines), flag_limit)
    for kind, cell in moves:
        recorder.move(kind, cell)
    return recorder.document()


def played(shape, count, flag_limit, moves):
    """A game of moves that mostly make sense, some that do not, and two after its end."""
    mines = layout(shape, count)
    recorder = Recorder(f"played {name_of(shape, mines)}", shape, mines, flag_limit)
    after_the_end = 0
    for turn in range(moves):
        recorder.move(*next_move(recorder.game, (shape, count, turn)))
        after_the_end += recorder.game.status != PLAYING
        if after_the_end == 3:
            break
    return recorder.document()


def next_move(game, name):
    """A safe cell, a flag to set on a mine or to take from elsewhere, a number that has its flags, or anything."""
    hidden = {cell for cell in cells_of(game.shape) if game.code(cell) == HIDDEN}
    options = {
        "reveal": hidden - game.mines,
        "flag": (hidden & game.mines) | (game.flags - game.mines),
        "chord": {cell for cell in game.opened if is_ready(game, cell)},
    }
    kind = ("reveal", "flag", "flag", "chord", "chord", "anything")[draw("kind", *name) % 6]
    if cells := options.get(kind):
        return kind, chosen(cells, "cell", *name)
    return ("reveal", "flag", "chord")[draw("any kind", *name) % 3], chosen(cells_of(game.shape), "any cell", *name)


def is_ready(game, cell):
    """Whether a number has its flags, and a neighbour to open."""
    around = neighbours(game.shape, cell)
    flagged = sum(c in game.flags for c in around)
    return 0 < game.hints[cell] == flagged and any(game.is_hidden(c) for c in around)


# Files ----------------------------------------------------------------------------------------


def text_of(kind, entries):
    """A document with one entry a line."""
    lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
    return f'{{"format":"ndsweep-vectors","version":{VERSION},"{kind}":[\n{lines}\n]}}\n'


def documents():
    """The text of every file by its name."""
    texts = {
        f"{name}.json": text_of("boards", [board(shape, layout(shape, count)) for shape, count in asked])
        for name, asked in BOARDS.items()
    }
    games = [scripted(*script) for script in SCRIPTS] + [played(*asked) for asked in PLAYED]
    return texts | {"games.json": text_of("games", games)}


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, text in documents().items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
