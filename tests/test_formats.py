"""Each format: what is written comes back the same, an independent reader agrees, and what would be lost is refused."""

import ast
import json
import tracemalloc
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from objects import boards, flat_boards, flat_games, played_games, same, seen, standing_games
from reference import cells_of, hints_of
from strategies import layouts

from ndsweep import (
    FILE_FORMATS,
    Board,
    FormatError,
    Game,
    Position,
    Spec,
    SpecError,
    SweepError,
    dumps,
    load,
    loads,
    save,
)
from ndsweep.interop import mbf, rows
from ndsweep.interop.bounds import Bound

EVERY = st.one_of(boards, seen(), played_games())
MBF = json.loads((Path(__file__).parent / "data" / "mbf_samples.json").read_text())["samples"]


def refused(text, message, **options):
    with pytest.raises(FormatError, match=message) as caught:
        loads(text, **options)
    assert "\n" not in str(caught.value)


# Round trips -----------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".json", ".npz"])
@given(found=EVERY)
def test_our_own_formats_keep_everything(tmp_path_factory, suffix, found):
    path = tmp_path_factory.getbasetemp() / f"own{suffix}"
    save(found, path)
    assert same(load(path), found)
    anything = tmp_path_factory.getbasetemp() / "own.saved"
    path.replace(anything)
    assert same(load(anything), found)


@given(st.one_of(boards, seen()))
def test_text_keeps_boards_and_positions_of_any_dimension(found):
    assert same(loads(dumps(found, format="text")), found)


@given(st.one_of(boards, standing_games(flags=False)))
def test_nested_lists_keep_boards_and_games_as_they_stand(found):
    assert same(loads(dumps(found, format="nested")), found)
    assert same(loads(repr(json.loads(dumps(found, format="nested"))), format="nested"), found)


@given(st.one_of(flat_boards, seen(flat_games).filter(lambda found: found.mines is not None), flat_games()))
def test_metasweeper_files_keep_boards_positions_and_games(found):
    assert same(loads(dumps(found, format="board")), found)


@given(seen(flat_games).filter(lambda found: found.mines is not None))
def test_mine_files_keep_positions(found):
    assert same(loads(dumps(found, format="mine")), found)


@given(flat_boards)
def test_mbf_files_keep_boards(tmp_path_factory, board):
    path = tmp_path_factory.getbasetemp() / "board.mbf"
    save(board, path)
    assert load(path) == board
    data = path.read_bytes()
    assert data[:4] == bytes([board.shape[1], board.shape[0], 0, board.n_mines])
    assert {(y, x) for x, y in zip(data[4::2], data[5::2], strict=True)} == set(
        zip(*np.nonzero(board.mines), strict=True)
    )


@pytest.mark.parametrize("shape", [(1, 1), (255, 255), (1, 255)])
@pytest.mark.parametrize("full", [False, True])
def test_mbf_files_keep_the_largest_and_the_fullest_boards(tmp_path, shape, full):
    board = Board(np.full(shape, full))
    save(board, tmp_path / "a.mbf")
    assert load(tmp_path / "a.mbf") == board


@pytest.mark.parametrize(
    "shape", [(1,), (5,), (1, 1), (1, 5), (5, 1), (1, 2, 3), (2, 1, 1), (1, 1, 1), (2, 3, 1, 2, 2)]
)
def test_text_tells_shapes_apart_that_look_alike(shape):
    for kind in range(3):
        view = np.full(shape, -1) if kind == 2 else None
        found = Board(np.full(shape, bool(kind))) if kind < 2 else Position(view, 1)
        assert same(loads(dumps(found, format="text")), found)


def test_hints_of_two_digits_in_rows_of_one_cell_come_back():
    for shape in ((3, 3, 3, 1), (3, 3, 3)):
        board = Board(np.ones(shape, bool) & (np.indices(shape).sum(0) != 3))
        assert board.hints.max() > 9
        assert loads(dumps(board, format="text")) == board
        assert (
            loads(dumps(Position(board.hints.astype(int) * ~board.mines - 3 * board.mines), format="text")).shape
            == shape
        )


def test_what_print_shows_is_read_but_for_axes_that_it_does_not_show():
    board = Board.from_coords((2, 2, 3), [(0, 0, 0), (1, 1, 2)])
    assert loads(str(board)) == board
    assert loads(str(Board.from_coords((4,), [0]))) == Board.from_coords((1, 4), [(0, 0)])
    assert loads(str(Board.from_coords((1, 2, 2), []))) == Board.from_coords((2, 2), [])


# An independent reader agrees ------------------------------------------------------------------


@given(layouts())
def test_every_text_of_a_board_holds_the_hints_of_the_reference(mines):
    board = Board(mines)
    mined = {cell for cell in cells_of(mines.shape) if mines[cell]}
    hints = hints_of(mines.shape, mined)
    expected = ["*" if cell in mined else hints[cell] for cell in cells_of(mines.shape)]
    lines = [line for line in dumps(board, format="text").splitlines() if line and ":" not in line and "[" not in line]
    words = [word for line in lines for word in line.split()]
    assert [0 if word == "." else word if word == "*" else int(word) for word in words] == expected
    document = json.loads(dumps(board))
    assert {tuple(cell) for cell in document["mines"]} == mined
    nested = dumps(board, format="nested").replace("[", "").replace("]", "")
    assert [{".": "*"}.get(leaf, leaf) for leaf in json.loads(f"[{nested}]")] == expected


@given(layouts())
def test_numpy_reads_the_arrays(tmp_path_factory, mines):
    path = tmp_path_factory.getbasetemp() / "plain.npz"
    save(Board(mines), path)
    with np.load(path) as arrays:
        bits = [byte >> (7 - bit) & 1 for byte in arrays["mines"].tolist() for bit in range(8)]
        assert arrays["shape"].tolist() == list(mines.shape)
    assert bits == [int(cell) for cell in mines.ravel()] + [0] * (-mines.size % 8)


@pytest.mark.parametrize("sample", MBF, ids=lambda sample: sample["hex"])
def test_the_samples_of_mbf(sample):
    data = bytes.fromhex(sample["hex"])
    if sample["ok"]:
        board = mbf.read(data, Bound())
        assert board == Board.from_coords((sample["height"], sample["width"]), map(tuple, sample["mines_rc"]))
        assert mbf.write(board) == data
    else:
        with pytest.raises(FormatError):
            mbf.read(data, Bound())


EXAMPLE = """# MINESWEEPER-BOARD v0.1
# Render: ascii
# anything

author: a: b
rows: 3
columns: 4
mines: 2
game_mode: classic

[real]
*211
12*1
0111

[view]
UU1U
F?XU
01#1
"""
EMOJI = (
    "# MINESWEEPER-BOARD v0.1\n# Render: emoji\nrows: 2\ncolumns: 3\nmines: 2\n"
    "[real]\n💣2️⃣1️⃣\n1️⃣2️⃣💣\n[view]\n💣2️⃣❓\n🚩2⃣💥\n"
)


def test_a_lost_game_of_metasweeper():
    game = loads(EXAMPLE)
    assert (game.status.name, game.n_flags, game.n_mines) == ("LOST", 2, 2)
    assert str(game) == "# # 1 #\nF # * #\n. 1 F 1"
    again = loads(EMOJI)
    assert str(again) == "# 2 #\nF 2 *"
    view_only = EXAMPLE[: EXAMPLE.index("[real]")] + EXAMPLE[EXAMPLE.index("[view]") :]
    assert loads(view_only) == Position(game.view, 2)
    real_only = EXAMPLE[: EXAMPLE.index("[view]")]
    assert loads(real_only.replace("\n", "\r\n")) == game.board


def test_the_labs_dicts():
    text = """
    {'dimensions': (2, 4, 2), 'state': 'ongoing',
     'board': [[[3, '.'], [3, 3], [1, 1], [0, 0]], [['.', 3], [3, '.'], [1, 1], [0, 0]],],
     'hidden': [[[True, True], [True, True], [False, False], [False, False]],
                [[True, True], [True, True], [False, False], [False, False]]], 'mice': []}"""
    game = loads(text)
    mines = [(0, 0, 1), (1, 0, 0), (1, 1, 1)]
    assert game.board == Board.from_coords((2, 4, 2), mines)
    assert game.revealed.sum() == 8
    assert loads(text.replace("'.'", "'m'")).board == game.board
    lists = text[text.index("[[[3") : text.index(",\n     'hidden'")]
    assert loads(lists) == loads(lists, format="nested") == game.board
    assert loads("['.', 1, 0]") == Board.from_coords((3,), [0])
    assert loads("{'dimensions': [1], 'board': ['.'], 'visible': [false], 'state': 'ongoing'}").status.name == "WON"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*1\n11", Board.from_coords((2, 2), [(0, 0)])),
        ("  * 1  \r\n  1\t1\r\n\r\n", Board.from_coords((2, 2), [(0, 0)])),
        ("\ufeff*1.\r11.\r", Board.from_coords((2, 3), [(0, 0)])),
        ("*0" + "\n" * 3, None),
        ("*.\n..", Board.from_coords((2, 2), [(0, 0)])),
        ("*1\n1.", None),
        ("*", Board.from_coords((1, 1), [(0, 0)])),
        (".", Board.from_coords((1, 1), [])),
        ("00\n00", Board.from_coords((2, 2), [])),
        ("**\n**", Board(np.ones((2, 2), bool))),
        ("*\n1\n0", Board.from_coords((3, 1), [(0, 0)])),
        ("*1\n11\n\n11\n11", Board.from_coords((2, 2, 2), [(0, 0, 0)])),
        ("*1\n11\n \t\n\n\n11\n11\n\n", Board.from_coords((2, 2, 2), [(0, 0, 0)])),
        ("[0]\n*1\n11\n[1]\n11\n11", Board.from_coords((2, 2, 2), [(0, 0, 0)])),
        ("[0,0]\n1*\n\n[ 0 , 1 ]\n11", Board.from_coords((1, 2, 1, 2), [(0, 0, 0, 1)])),
        ("shape: 2x2x1x2\n1*\n\n11\n\n11\n\n11", Board.from_coords((2, 2, 1, 2), [(0, 0, 0, 1)])),
        ("1#?Ff", Position([[1, -1, -1, -2, -2]])),
        ("mines: 2\n\n1#F##", Position([[1, -1, -2, -1, -1]], 2)),
        ("kind: position\n*1", Position([[-3, 1]])),
        ("shape: 3\n1 # 1", Position([1, -1, 1])),
        ("mines: 1\n*1", Board.from_coords((1, 2), [(0, 0)])),
    ],
)
def test_boards_as_people_paste_them(text, expected):
    if expected is None:
        refused(text, r"column \d+: the hint at")
    else:
        assert same(loads(text), expected)
        assert same(loads(text, format="text"), expected)


# Refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1x", r"line 1, column 2: a cell must be one of # F \* \. or a number\. Got 'x'"),
        ("#1\n 1-", r"line 2, column 3: .* Got '-'"),
        ("1 1\n# _", r"line 2, column 3: .* Got '_'"),
        ("12\n1²", r"line 2, column 2: .* Got '²'"),
        ("1 ٣", r"Got '٣'"),
        ("1 \uff11", r"Got '\uff11'"),
        ("#\x001", r"Got '\\x00'"),
        ("#\x0b1", r"Got '\\x0b'"),
        ("#\xa01", r"a cell must be|must have 1 cells|column 2"),
        ("##\n#", r"line 2 must have 2 cells, as the first row has\. Got 1"),
        ("##\n##\n\n##", r"line 4: a slice must have 2 rows, as the first slice has\. Got 1"),
        ("[0]\n##\n\n[2]\n##", r"line 4: the last of 2 slices must have their last place\. Got \[2\]"),
        ("[0]\n##\n\n[0]\n##\n\n[2]\n##", r"line 4: the slice must be that of \[1\]\. Got \[0\]"),
        ("[0]\n##\n\n##", r"line 4: the last of 2 slices must have their last place\. Got no title"),
        ("[0]\n\n[1]\n##", r"line 1: a slice must have"),
        ("[0]\n##\n\n[1]", r"line 4: a slice must have 1 rows"),
        (f"[{'0,' * 40}0]\n##", r"shape must have at most 32 axes"),
        ("1 1\n1 2", r"line 1, column 1: the hint at \(0, 0\) must be 0, the number of mines around it\. Got 1"),
        ("* 1\n1 .", r"line 2, column 3: the hint at \(1, 1\) must be 1, .* Got 0"),
        ("* 12345678901234567", r"line 1, column 3: .* Got '12345678901234567'"),
        ("* 1234567890123456", r"Got 1234567890123456"),
        ("3#", r"view must be that of some layout of mines\. Got 3 at \(0, 0\)"),
        ("9#", r"view must hold codes between -3 and 8"),
        ("mines: 3\n#1", r"mines must be an integer between 0 and 2\. Got 3"),
        ("mines: 2\n*1", r"mines must be 1, as many as the grid holds\. Got 2"),
        ("mines: ²\n*1", r"mines must be a number of at most 9 digits"),
        ("mines: 1\nmines: 1\n*1", r"line 2: mines must be given once"),
        ("shape: 3\n*1", r"shape must be \(1, 2\), as the picture has it\. Got \(3,\)"),
        ("shape: 0x3\n*1", r"shape must have sizes of 1 or more"),
        ("shape: \n*1", r"shape must be a number"),
        ("kind: board\n#1", r"of kind board must have no hidden cell"),
        ("kind: game\n#1", r"kind must be board or position\. Got 'game'"),
        ("kind: board", r"a text must have rows of cells\. Got none"),
    ],
)
def test_text_that_is_no_board_is_refused_with_its_place(text, message):
    refused(text, message)
    refused(text, message, format="text")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[['.', 1], [1]]", r"board must have lists of one length at depth 2\. Got 1 and 2"),
        ("[['.', 1], [1, 2]]", r"the hint at \(1, 1\) must be 1"),
        ("[['.', [1]]]", r"board must be lists of one depth"),
        ("[1, [1]]", r"board must be lists of one depth"),
        ("[[]]", r"sizes of 1 or more"),
        ("[['*', 1]]", r"the cell at \(0, 0\) must be '\.', 'm' or a number\. Got '\*'"),
        ("[['.', True]]", r"the cell at \(0, 1\) .* Got True"),
        ("[['.', None]]", r"Got None"),
        (f"[['.', {2**62}]]", r"the cell at \(0, 1\)"),
        (f"['.', {'9' * 5000}]", r"must hold nested lists"),
        ("[" * 40 + "'.'" + "]" * 40, r"at most 32 axes"),
        ("[" * 100_000 + "1", r"RecursionError"),
        ("[['.', 1.5]]", r"the cell at \(0, 1\) must be '\.', 'm' or a number\. Got 1\.5"),
        ("[['.', NaN]]", r"a number must be an integer\. Got NaN"),
        ("['.',\n __import__('os')]", r"line 2 column 2"),
        ("{'board': ['.', 1], 'state': 'ongoing'}", r"'dimensions' is missing"),
        (
            "{'board': ['.', 1], 'dimensions': (2,), 'state': 'ongoing'}",
            r"must have one of 'visible', 'mask', 'hidden'",
        ),
    ],
)
def test_nested_lists_that_are_no_board_are_refused(text, message):
    refused(text, message, format="nested")


def lab(**fields):
    game = {"dimensions": [1, 3], "board": [[".", 1, 0]], "visible": [[False, True, False]], "state": "ongoing"}
    return json.dumps({key: value for key, value in (game | fields).items() if value is not None})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (lab(state="victory"), r"state must be 'ongoing', as the open cells have it\. Got 'victory'"),
        (lab(visible=[[True, False, False]]), r"state must be 'defeat' or 'lost'"),
        (lab(visible=[[False, True, True]]), r"state must be 'victory' or 'won'"),
        (lab(dimensions=[1.0, 3]), r"dimensions must be \[1, 3\], as board has\. Got \[1\.0, 3\]"),
        (lab(dimensions=[True, 3]), r"dimensions must be \[1, 3\], as board has\. Got \[True, 3\]"),
        (lab(dimensions=[3, 1]), r"dimensions must be \[1, 3\], as board has\. Got \[3, 1\]"),
        (lab(mask=[[False, True, False]]), r"one of .* Got \['visible', 'mask'\]"),
        (lab(visible=[[False, True]]), r"visible must hold true or false for each cell of \(1, 3\)"),
        (lab(visible=[[0, 1, 0]]), r"visible must hold true or false"),
        (lab(state=None), r"'state' is missing"),
        (lab(state=[1]), r"state must be"),
        (lab()[:-1] + ', "state": "ongoing"}', r"each key once\. Got 'state' a second time"),
    ],
)
def test_a_dict_of_the_labs_must_agree_with_itself(text, message):
    assert loads(lab()).status.name == "PLAYING"
    refused(text, message)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("v0.1", "v0.2", r"line 1 must be '# MINESWEEPER-BOARD v0\.1'"),
        ("Render: ascii", "Render: html", r"line 2: Render must be ascii or emoji\. Got 'html'"),
        ("rows: 3", "rows: 4", r"line 15 must have 4 cells\. Got 0"),
        ("rows: 3", "rows: 0", r"1 or more rows"),
        ("rows: 3", "rows: -3", r"line 6: rows must be a number"),
        ("rows: 3", "rows: 3\nrows: 3", r"line 7: rows must be given once"),
        ("rows: 3\n", "", r"rows must be given before \[real\]"),
        ("mines: 2", "mines: 3", r"mines must be 2, as many as the grid holds\. Got 3"),
        ("columns: 4", "columns: 99999999", r"line 12 must have|shape must have at most"),
        ("[view]", "[real]", r"line 16: \[real\] must be given once"),
        ("[real]", "[unreal]", r"line 11 must be a comment, a section"),
        ("*211", "*311", r"the hint at \(0, 1\) must be 2"),
        ("*211", "U211", r"line 12, column 1: a cell must be a digit from 0 to 8 or '\*'\. Got 'U'"),
        ("*211", "*291", r"line 12, column 3: .* Got '9'"),
        ("UU1U", "UU2U", r"\[view\] must agree with \[real\]\. Got '2' at \(0, 2\), where \[real\] has '1'"),
        ("UU1U", "XU1X", r"Got 'X' at \(0, 3\), where \[real\] has '1'"),
        ("F?XU", "F?#U", r"Got '#' at \(1, 2\)"),
        ("UU1U", "UU1", r"line 17 must have 4 cells\. Got 3"),
        ("01#1\n", "", r"must have 4 cells|must not be the last"),
        ("01#1\n", "01#1\n##11\n", r"line 20 must not be a row after 3 rows\. Got '##11'"),
        ("0111\n", "0111\n1111\n", r"line 15 must not be a row after 3 rows\. Got '1111'"),
        ("01#1", "*1#1", r"Got '@' at \(2, 0\), where \[real\] has '0'"),
        ("UU1U", "1U1U", r"Got '1' at \(0, 0\), where \[real\] has '\*'"),
    ],
)
def test_a_board_file_must_agree_with_itself(old, new, message):
    assert old in EXAMPLE
    refused(EXAMPLE.replace(old, new, 1), message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2x2x1\n1H", r"line 2 must not be the last, after 1 of 2 rows of the grid"),
        ("2x1x1\n1H\n1H", r"line 3 must be empty after 1 rows"),
        ("2x1x1\n1HH", r"line 2 must have 2 cells\. Got 3"),
        ("2x1x2\n1H", r"mines must be between 0 and 1"),
        ("2x1x1\n9H", r"line 2, column 1: a cell must be a digit from 0 to 8 or 'H', 'F', '\?'\. Got '9'"),
        ("2x1x1\n3H", r"view must be that of some layout of mines"),
        ("0x1x1\n", r"1 or more rows and columns"),
        ("99999999x99999999x1\nH", r"would need|must have at most"),
        ("9999999999x1x1\nH", r"line 1: a size must be a number of at most 9 digits"),
        ("2x1\n1H", r"line 1 must be width, height and mines"),
        ("\uff12x1x1\n1H", r"line 1 must be width"),
        ("", r"line 1 must be width"),
    ],
)
def test_a_mine_file_must_agree_with_itself(text, message):
    assert loads("2x1x1\n1H\n\n", format="mine") == Position([[1, -1]], 1)
    refused(text, message, format="mine")


GAME = Game(Board.from_coords((2, 2), [(0, 0)]))
MOVED = Game(GAME.board)
MOVED.flag((0, 0))
FLAGGED = Game.resume(GAME.board, np.zeros((2, 2), bool), GAME.board.mines)
CUBE = Board.from_coords((2, 2, 2), [])


@pytest.mark.parametrize(
    ("found", "format", "message"),
    [
        (GAME, "text", r"obj must be a Board or a Position for a text\. Got a Game: game\.board has its mines"),
        (GAME, "mbf", r"obj must be a Board for a \.mbf file\. Got a Game: game\.board has its mines"),
        (GAME, "mine", r"obj must be a Position for a \.mine file\. Got a Game: Position\.of\(game\) its view"),
        (GAME.board, "mine", r"obj must be a Position for a \.mine file\. Got a Board\."),
        (Position([[1, -1]]), "mbf", r"obj must be a Board"),
        (Position([[1, -1]]), "nested", r"obj must be a Board or a Game for nested lists\. Got a Position"),
        (Position([[1, -1]]), "mine", r"mines must be known for a \.mine file"),
        (Position([[1, -1]]), "board", r"mines must be known for a \.board file"),
        (Position([1, -1], 1), "mine", r"shape must have two axes for a \.mine file\. Got \(2,\)"),
        (CUBE, "mbf", r"shape must have two axes for a \.mbf file"),
        (CUBE, "board", r"shape must have two axes for a \.board file"),
        (Board(np.zeros((1, 256), bool)), "mbf", r"sides up to 255 for a \.mbf file\. Got \(1, 256\)"),
        (MOVED, "board", r"game must have no moves for a \.board file, which would lose them\. Got 1"),
        (MOVED, "nested", r"game must have no moves for nested lists"),
        (FLAGGED, "nested", r"game must have no flags for nested lists, which would lose them\. Got 1"),
        (Game(GAME.board, 3), "board", r"game must have no flag_limit"),
        (Game.new(Spec((2, 2), 1)), "board", r"game must be dealt for a \.board file"),
        (Game.new(Spec((2, 2), 1)), "npz", r"game must be dealt for a \.npz file.*a \.json file keeps it"),
        (Game(GAME.board, 2**63), "npz", r"flag_limit must fit 64 bits"),
        ("text", "json", r"obj must be a Board, a Position or a Game\. Got str"),
        (GAME, "xml", r"format must be 'json', 'npz', .* Got 'xml'"),
        (GAME, ["json"], r"format must be"),
    ],
)
def test_what_a_format_cannot_keep_is_refused_and_nothing_is_written(tmp_path, found, format, message):
    with pytest.raises(SpecError, match=message):
        save(found, tmp_path / "file", format=format)
    assert list(tmp_path.iterdir()) == []


def test_formats_of_bytes_are_no_text():
    for call in (lambda: dumps(CUBE, format="npz"), lambda: loads("1", format="mbf")):
        with pytest.raises(SpecError, match=r"format must be 'json', 'text', 'nested', 'board' or 'mine'"):
            call()
    with pytest.raises(SpecError, match=r"text must be a str\. Got bytes"):
        loads(b"1")
    refused("\ud800", r"half of a pair")


# Our own documents -----------------------------------------------------------------------------

BOARD = {"format": "ndsweep", "version": 1, "kind": "board", "shape": [2, 3], "mines": [[0, 2]]}
VIEW = {"format": "ndsweep", "version": 1, "kind": "position", "shape": [1, 2], "view": [1, -1], "mines": 1}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (BOARD | {"mine": []}, r"kind 'board' must have no key but .* Got 'mine'"),
        (BOARD | {"mines": [[0, 2], [0, 2]]}, r"mines must name each cell once\. Got \(0, 2\) twice"),
        (BOARD | {"mines": [[2, 0]]}, r"cell 0 of mines must lie in 0\.\.1 x 0\.\.2"),
        (BOARD | {"mines": [[True, 0]]}, r"in integers"),
        (BOARD | {"mines": [5]}, r"a cell of mines must be a list\. Got 5"),
        (BOARD | {"mines": {"0": 1}}, r"mines must be a list"),
        (BOARD | {"mines": None}, r"mines must be a list"),
        (BOARD | {"shape": [True, 3]}, r"shape must be a sequence of integers"),
        (BOARD | {"shape": [1] * 33}, r"at most 32 axes"),
        (BOARD | {"version": 1.0}, r"a number must be an integer\. Got 1\.0"),
        (BOARD | {"version": float("nan")}, r"a number must be an integer\. Got NaN"),
        (BOARD | {"version": 10**400}, r"version must be 1"),
        (VIEW | {"view": [1]}, r"view must have a code for each cell of \(1, 2\)\. Got 1"),
        (VIEW | {"view": [1, True]}, r"code 1 of view must be a view code\. Got True"),
        (VIEW | {"view": [1, 10**30]}, r"code 1 of view"),
        (VIEW | {"view": [1, -4]}, r"view must hold codes between -3 and 8\. Got -4 at \(0, 1\)"),
        (VIEW | {"view": [[1, -1]]}, r"view must have a code for each cell"),
        (VIEW | {"view": "ab"}, r"view must be a list"),
        (VIEW | {"view": [2, -1]}, r"layout of mines"),
        (VIEW | {"mines": 2}, r"mines must be between 0 and 1"),
        (VIEW | {"mines": True}, r"mines must be an integer"),
        ({key: value for key, value in VIEW.items() if key != "mines"}, r"'mines' is missing"),
    ],
)
def test_documents_that_say_too_much_or_too_little_are_refused(document, message):
    assert loads(json.dumps(BOARD)) == Board.from_coords((2, 3), [(0, 2)])
    assert loads(json.dumps(VIEW)) == Position([[1, -1]], 1)
    refused(json.dumps(document), message)


def test_what_json_says_twice_is_refused():
    refused(json.dumps(VIEW)[:-1] + ', "mines": 0}', r"each key once\. Got 'mines' a second time")
    refused('{"format": "ndsweep"' + ', "a": {' * 5000, r"RecursionError|JSONDecodeError")


def test_games_say_one_way_how_they_began():
    game = json.loads(dumps(GAME))
    deal = json.loads(dumps(Game.new(Spec((2, 2), 1))))["deal"]
    refused(json.dumps(game | {"deal": deal}), r"Got both 'mines' and 'deal'")
    without = {key: value for key, value in game.items() if key != "mines"}
    refused(json.dumps(without | {"deal": deal, "start": {"revealed": [], "flagged": []}}), r"'mines' is missing")
    refused(json.dumps(without | {"deal": deal | {"more": 1}}), r"deal must have no key but")
    refused(json.dumps(game | {"moves": [["flag", [0, 0], 1]]}), r"move 0 must be a word and a cell")
    refused(json.dumps(game | {"moves": [["flag", "00"]]}), r"the cell of move 0 must be a list")


# Which format it is ----------------------------------------------------------------------------


def test_a_name_tells_the_format_and_a_content_where_no_name_does(tmp_path):
    board, position = GAME.board, Position([[1, -1]], 1)
    for suffix in (".json", ".npz", ".txt", ".nested", ".mbf", ".board", ".mine", ".MBF"):
        found = position if suffix == ".mine" else board
        save(found, tmp_path / f"a{suffix}")
        assert load(tmp_path / f"a{suffix}") == found
        (tmp_path / "nameless").write_bytes((tmp_path / f"a{suffix}").read_bytes())
        assert load(tmp_path / "nameless") == found
    (tmp_path / "lab.json").write_text("[[1, '.']]".replace("'", '"'))
    assert load(tmp_path / "lab.json") == Board.from_coords((1, 2), [(0, 1)])
    save(GAME, tmp_path / "game.txt", format="json")
    assert same(load(tmp_path / "game.txt"), GAME)
    with pytest.raises(FormatError, match="must hold a board in MBF"):
        load(tmp_path / "a.txt", format="mbf")


def test_a_refusal_names_the_file(tmp_path):
    (tmp_path / "a.txt").write_text("1x")
    with pytest.raises(FormatError, match=r"a\.txt' must hold a board or a position as text\. line 1, column 2"):
        load(tmp_path / "a.txt")
    (tmp_path / "a.txt").write_bytes(b"1\xff")
    with pytest.raises(FormatError, match=r"byte 1 must belong to text in UTF-8\. Got 0xff"):
        load(tmp_path / "a.txt")


# Size ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [10**4, 10**9])
def test_a_few_bytes_ask_for_no_large_grid(size):
    text = json.dumps(BOARD | {"shape": [size, size], "mines": []})
    refused(text, r"shape must have at most 10000000 cells, unless most_cells allows|would need")
    refused(text, r"at most 99 cells here", most_cells=99)


def test_more_cells_may_be_allowed():
    text = json.dumps(BOARD | {"shape": [4000, 4000], "mines": [[7, 7]]})
    refused(text, "unless most_cells allows more")
    assert loads(text, most_cells=16_000_000).n_mines == 1


def test_no_file_without_end_is_read():
    if not Path("/dev/zero").exists():
        pytest.skip("no /dev/zero")
    with pytest.raises(FormatError, match=r"'/dev/zero' must have at most 16777216 bytes"):
        load("/dev/zero")


def test_every_tiny_board_comes_back_from_every_format(tmp_path):
    for shape in ((4,), (2, 2), (1, 4), (4, 1), (1, 2, 2), (2, 1, 2, 1)):
        for cells in product((False, True), repeat=4):
            board = Board(np.array(cells).reshape(shape))
            for name in ("json", "text", "nested", *(("board",) if len(shape) == 2 else ())):
                assert loads(dumps(board, format=name)) == loads(dumps(board, format=name), format=name) == board
            assert ast.literal_eval(dumps(board, format="nested")) is not None


# What came in is kept, or refused in our own words -----------------------------------------------


def test_a_game_of_numbers_of_numpy_is_kept():
    game = Game.new(Spec((2, 2), 1), np.int64(4), np.int64(3), np.uint8(2))
    assert same(loads(dumps(game)), Game.new(Spec((2, 2), 1), 4, 3, 2))


@pytest.mark.parametrize("game", [Game.new(Spec((2, 2), 1), -(10**4300)), Game(GAME.board, 10**5000)])
def test_numbers_that_python_does_not_write_are_refused(tmp_path, game):
    with pytest.raises(SpecError, match=r"must have at most 4300 digits for a JSON document"):
        save(game, tmp_path / "a.json")
    assert list(tmp_path.iterdir()) == []


def test_numbers_as_long_as_python_writes_them_are_kept():
    game = Game.new(Spec((2, 2), 1), -(10**4299), 0, 10**4299)
    assert same(loads(dumps(game)), game)


@pytest.mark.parametrize("name", ["\ud800", "\ud800.json", "a\0", ""])
def test_names_that_no_file_can_have_are_refused(name):
    for call in (lambda: load(name), lambda: save(CUBE, name)):
        with pytest.raises(SpecError, match="path must be the name of a file"):
            call()


# What a view shows after the end ------------------------------------------------------------------

SHOWN = "# MINESWEEPER-BOARD v0.1\nrows: 1\ncolumns: {}\nmines: {}\n[view]\n{}\n"


def fits_some_layout(row, total):
    """Whether one number after the other has room for its mines, and the total: known mines are X @ *, known safe #."""
    mined, unknown = [sign in "X@*" for sign in row], [sign in "UF?" for sign in row]
    for place, sign in enumerate(row):
        near = [other for other in (place - 1, place + 1) if 0 <= other < len(row)]
        known, more = sum(mined[other] for other in near), sum(unknown[other] for other in near)
        if sign.isdigit() and not known <= int(sign) <= known + more:
            return False
    return sum(mined) <= total <= sum(mined) + sum(unknown)


@pytest.mark.parametrize("total", [0, 1, 2])
def test_what_is_shown_after_the_end_must_agree_with_numbers_and_total(total):
    outcomes = set()
    for row in map("".join, product("UFX@*#012", repeat=3)):
        text, fits = SHOWN.format(3, total, row), fits_some_layout(row, total)
        if fits:
            seen = row.translate(str.maketrans({"@": "U", "*": "U", "#": "F"}))
            assert loads(text) == loads(SHOWN.format(3, total, seen))
        else:
            refused(text, r"layout of mines|mines must be")
        outcomes.add(fits)
    assert outcomes == {True, False}


def test_a_comment_may_follow_the_rows():
    text = SHOWN.format(2, 1, "1U")
    assert loads(text + "# of a friend\n") == loads(text + "\n##\n") == loads(text)


# Moves and cells are named ------------------------------------------------------------------------

PLAYED_GAME = {"format": "ndsweep", "version": 1, "kind": "game", "shape": [1, 3], "mines": [[0, 2]]}
PLAYED_GAME |= {"flag_limit": None, "moves": [["flag", [0, 2]]]}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"moves": [["flag", [0, 2]], ["reveal", [0, 3]]]}, r"move 1: cell must lie in 0\.\.0 x 0\.\.2\. Got \(0, 3\)"),
        ({"moves": [["flag", [0]]]}, r"move 0: cell must have 2 coordinates"),
        ({"moves": [["flag", [0, 1]], ["flag", ["a", 1]]]}, r"move 1: cell must be coordinates"),
        ({"start": {"revealed": [[0, 0], [0, 3]], "flagged": []}}, r"cell 1 of revealed must lie in"),
        (
            {"start": {"revealed": [], "flagged": [[0, 0], [0, 0]]}},
            r"flagged must name each cell once\. Got \(0, 0\) tw",
        ),
        ({"mines": [[0, 2], [1, 2]]}, r"cell 1 of mines must lie in"),
    ],
)
def test_the_move_or_the_cell_that_is_wrong_is_named(changes, message):
    assert loads(json.dumps(PLAYED_GAME)).n_flags == 1
    refused(json.dumps(PLAYED_GAME | changes), message)


def test_a_move_that_cannot_be_dealt_is_named():
    new = dumps(Game.new(Spec((1, 3), 1, "opening")))
    refused(new.replace('"moves": []', '"moves": [["reveal", [0, 1]]]'), r"move 0: mines must be between 0 and 0")


# Names, formats, and content that is none ---------------------------------------------------------


@pytest.mark.parametrize("name", FILE_FORMATS)
@pytest.mark.parametrize("suffix", ["", ".data", *FILE_FORMATS.values(), ".TXT"])
def test_what_is_saved_under_a_name_is_read_again_or_refused(tmp_path, name, suffix):
    found = Position([[1, -1]], 1) if name == "mine" else Board.from_coords((1, 3), [(0, 0)])
    path = tmp_path / f"some{suffix}"
    own, others = FILE_FORMATS[name], {*FILE_FORMATS.values(), ".TXT"} - {FILE_FORMATS[name]}
    if name == "json" or suffix not in others or (name, suffix) in {("nested", ".json"), ("text", ".TXT")}:
        save(found, path, format=name)
        assert load(path) == found
    else:
        with pytest.raises(SpecError, match=rf"path must end in \{own}, or in no suffix of another format"):
            save(found, path, format=name)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n", b"Mines: 1\n1#", b"hello", b"\xff\xfe"])
def test_content_of_no_format_is_not_taken_for_json(tmp_path, data):
    (tmp_path / "some").write_bytes(data)
    with pytest.raises(FormatError, match=r"must be in one of the formats 'json', 'npz', .*'mine'\. Got b'"):
        load(tmp_path / "some")
    if data.isascii():
        refused(data.decode(), "text must be in one of the formats")


def test_a_file_of_numpy_is_for_board_open(tmp_path):
    CUBE.save(tmp_path / "some.npy")
    with pytest.raises(FormatError, match=r"Board\.open reads such a \.npy file"):
        load(tmp_path / "some.npy")


def test_a_file_that_is_too_long_tells_what_to_do(tmp_path):
    (tmp_path / "a.json").write_bytes(b" " * (2**24 + 1))
    with pytest.raises(FormatError, match=r"must have at most 16777216 bytes, unless most_cells .* a \.npz file takes"):
        load(tmp_path / "a.json")


def test_other_keys_of_the_labs_are_read_over():
    text = (
        "{'dimensions': (2,), 'board': ['.', 1], 'mask': [False, True], 'state': 'victory', 'time': 1.5, 'x': 'a\"b'}"
    )
    assert loads(text[:-1] + ", 'more': {'a': [None, -1e3, \"it's\"]}}").status.name == "WON"
    assert loads(text).n_mines == 1


def test_long_narrow_grids_are_read_as_wide_ones(monkeypatch):
    monkeypatch.setattr(rows, "_TOGETHER", 6)
    rng = np.random.default_rng(3)
    for shape in ((20, 1), (1, 20), (7, 5), (9, 2)):
        board = Board(rng.random(shape) < 0.3)
        assert loads(dumps(board, format="board")) == board
        text = dumps(Position(np.full(shape, -1), 0), format="mine")
        assert loads(text).shape == shape
        bad = text.rstrip("\n")[:-1] + "é"
        refused(bad, rf"line {shape[0] + 1}, column {shape[1]}: a cell must be .* Got 'é'")
    refused("2x3x0\nHH\n HH\n \tH-", r"line 4, column 4: .* Got '-'")


@given(layouts(), st.sampled_from([np.int64, np.uint8, np.int16]), st.integers(0, 3))
def test_coordinates_in_an_array_are_those_in_a_list_and_refused_alike(mines, dtype, change):
    cells = np.argwhere(mines).astype(dtype)
    if change and len(cells):
        cells[-1] = [cells[0], 200, cells[-1]][change - 1] if change < 3 else cells[-1]
    ways = []
    for coords in (cells, cells.tolist(), list(map(tuple, cells.tolist())), list(cells), iter(cells)):
        try:
            ways.append(Board.from_coords(mines.shape, coords, "mines"))
        except SweepError as error:
            ways.append(str(error))
    assert all(way == ways[0] for way in ways)
    assert change or ways[0] == Board(mines)


@pytest.mark.parametrize("name", ["text", "board", "mine"])
def test_a_text_of_millions_of_lines_is_refused_before_they_are_made(name):
    head = {"text": "", "board": "# MINESWEEPER-BOARD v0.1\n", "mine": "1x4000000x1\n"}[name]
    text = head + "1\n" * 4_000_000
    tracemalloc.start()
    with pytest.raises(
        FormatError, match=r"a text must have at most 1000000 lines, unless most_cells allows more\. Got 400000"
    ):
        loads(text, name)
    with pytest.raises(FormatError, match=r"at most 1000000 lines"):
        loads(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 * len(text)


def test_a_text_of_many_lines_is_read_where_as_many_cells_are_allowed():
    text = "*\n" + "1\n" + ".\n" * 1_100_000
    with pytest.raises(FormatError, match=r"at most 1000000 lines"):
        loads(text)
    assert loads(text, most_cells=2_000_000).shape == (1_100_002, 1)
