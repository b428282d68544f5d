"""Every reader against hostile files: a valid object that comes back again, or a SweepError, and never much memory."""

import io
import json
import tracemalloc
import zipfile
import zlib
from math import prod

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from objects import boards, flat_boards, flat_games, played_games, same, seen, standing_games

from ndsweep import Board, FormatError, Game, Position, SweepError, load, loads, save
from ndsweep.interop import arrays
from ndsweep.interop.bounds import Bound
from ndsweep.interop.formats import FORMATS, of_content

MOST_CELLS = 5000
GOOD = {
    "json": st.one_of(boards, seen(), played_games()),
    "npz": st.one_of(boards, seen(), played_games()),
    "text": st.one_of(boards, seen()),
    "nested": st.one_of(boards, standing_games(flags=False)),
    "mbf": flat_boards,
    "board": st.one_of(flat_boards, flat_games()),
    "mine": seen(flat_games).filter(lambda found: found.mines is not None),
}
JSON_WORDS = """{ } [ ] , : 0 1 2 -1 9999999999 1e9 null NaN "format" "ndsweep" "version" "kind" "board" "game"
"position" "shape" "mines" "view" "moves" "deal" "start" "flag" """
BOARD_LINES = """# MINESWEEPER-BOARD v0.1|# Render: emoji|rows: 1|columns: 2|mines: 1|[real]|[view]|*1|U1|💣1️⃣|⬜1️⃣|#1||:
rows: ²|columns: 999999999|mines: 0|11"""
ALPHABETS = {
    "json": st.sampled_from(JSON_WORDS.split()),
    "npz": st.sampled_from(["PK\x03\x04", "PK\x01\x02", "PK\x05\x06", "\0\0", "mines.npy", "\x93NUMPY\x01\0", "(3,)"]),
    "text": st.sampled_from(
        [*"*.#F?f0123 \t\n\r-_", "[0]\n", "[0, 1]\n", "shape: 2x2\n", "mines: 1\n", "\ufeff", "²", "10 "]
    ),
    "nested": st.sampled_from(
        [*"[](){},: '\"\\\n019", "'.'", "'m'", "1", "0", "True", "'board'", "'visible'", "'state'"]
    ),
    "mbf": st.sampled_from(["\0", "\x01", "\x02", "\x03", "\x7f", "\x00\x01"]),
    "board": st.sampled_from([f"{line}\n" for line in BOARD_LINES.replace("\n", "|").split("|")]),
    "mine": st.sampled_from([*"HF?0123x9\n\r ", "2x1x1\n", "99999999x99999999x1\n", "1H\n"]),
}
NAMES = sorted(GOOD)


def outcome(call):
    """What a call gives, or the SweepError that it raises."""
    try:
        return call()
    except SweepError as error:
        return error


def survives(name, data):
    """Whether some bytes are read; what is read must be whole, and come back."""
    found = outcome(lambda: FORMATS[name].read(data, Bound(MOST_CELLS)))
    if isinstance(found, SweepError):
        assert 0 < len(str(found)) < 2000
        return False
    assert isinstance(found, Board | Position | Game)
    kind = "json" if isinstance(found, Game) else name
    kind = "json" if isinstance(found, Position) and name == "board" and found.mines is None else kind
    again = FORMATS[kind].write(found)
    assert same(FORMATS[kind].read(again, Bound(MOST_CELLS)), found)
    return True


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_good_files_with_some_bytes_changed(name, data):
    good = FORMATS[name].write(data.draw(GOOD[name]))
    assert survives(name, good)
    bad = bytearray(good)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, max(len(bad) - 1, 0)))
        change = data.draw(st.sampled_from(["cut", "flip", "insert", "drop", "double", "byte"]))
        if change == "cut":
            del bad[place:]
        elif change == "flip" and bad:
            bad[place] ^= 1 << data.draw(st.integers(0, 7))
        elif change == "byte" and bad:
            bad[place] = data.draw(st.integers(0, 255))
        elif change == "insert":
            bad[place:place] = data.draw(st.binary(max_size=4))
        elif change == "drop":
            del bad[place : place + data.draw(st.integers(1, 9))]
        else:
            bad[place:place] = bad[place : place + data.draw(st.integers(1, 40))]
    survives(name, bytes(bad))
    survives(of_content(bytes(bad)) or "json", bytes(bad))


@pytest.mark.parametrize("name", NAMES)
@given(words=st.data())
def test_words_of_a_format_in_any_order(name, words):
    text = "".join(words.draw(st.lists(ALPHABETS[name], max_size=25)))
    survives(name, text.encode("latin-1" if name in ("npz", "mbf") else "utf-8", "replace"))


@pytest.mark.parametrize("name", NAMES)
@given(data=st.binary(max_size=200))
@example(b"")
@example(b"\x00")
@example(b"\xef\xbb\xbf")
@example(b"\xff\xfe1\x00")
@example(b"\n\n\n")
@example(b"[" * 50_000)
@example(b"{" * 50_000)
@example(b'{"a":' * 50_000)
@example(b"(" * 50_000 + b"1")
@example(b"-" * 1000)
@example(b" " * 100_000 + b"x")
@example(b"shape:" + b" \t" * 50_000 + b"x")
@example(b"[0" + b" " * 100_000 + b"x")
@example(b"9" * 5000)
def test_any_bytes(name, data):
    survives(name, data)
    survives(of_content(data) or "json", data)


@given(st.text(max_size=60), st.none() | st.sampled_from(["json", "text", "nested", "board", "mine"]))
def test_any_text(text, name):
    found = outcome(lambda: loads(text, format=name, most_cells=MOST_CELLS))
    assert isinstance(found, Board | Position | Game | FormatError)
    if isinstance(found, FormatError):
        assert "\n" not in str(found)


@given(st.sampled_from(NAMES), st.data())
def test_a_file_of_any_content_and_name(tmp_path_factory, name, data):
    content = FORMATS[name].write(data.draw(GOOD[name]))
    path = tmp_path_factory.getbasetemp() / f"some{data.draw(st.sampled_from(['', '.json', '.txt', '.npz', '.mbf']))}"
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    found = outcome(lambda: load(path, most_cells=MOST_CELLS))
    assert not isinstance(found, SweepError) or str(path) in str(found)


# Values of a document --------------------------------------------------------------------------

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 5) | st.sampled_from([10**9, 2**64, -(10**30), "", "flag", "0", "any"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["mines", "seed"]), inner, max_size=2),
    max_leaves=6,
)


@given(st.one_of(boards, seen(), played_games()), st.data())
def test_documents_with_any_value_in_any_place(found, data):
    document = json.loads(FORMATS["json"].write(found))
    place, key = document, data.draw(st.sampled_from(sorted(document)))
    while isinstance(place[key], list | dict) and place[key] and data.draw(st.booleans()):
        place = place[key]
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    place[key] = data.draw(ANYTHING)
    survives("json", json.dumps(document).encode())


# Arrays that lie -------------------------------------------------------------------------------


def npz(**members):
    """An archive of members given as arrays, or as the bytes of a .npy file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, member in members.items():
            archive.writestr(f"{name}.npy", member if isinstance(member, bytes) else npy(member))
    return file.getvalue()


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def header(descr, shape, data=b""):
    text = str({"descr": descr, "fortran_order": False, "shape": shape}).replace("}", ", }")
    text = text.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + data


ONE, SHAPE = np.int64(1), np.array([2, 4])
BITS = np.array([0b10000001], dtype=np.uint8)
ARRAYS = {"version": ONE, "shape": SHAPE, "mines": BITS}
PLAYED = ARRAYS | {"moves": np.array([[1, 0]]), "flag_limit": np.int64(-1)}
VIEW = {"version": ONE, "shape": np.array([1, 2]), "view": np.array([[1, -1]], dtype=np.int8), "n_mines": ONE}


def test_archives_that_are_made_by_hand_are_read():
    assert arrays.read(npz(**ARRAYS), Bound()) == Board.from_coords((2, 4), [(0, 0), (1, 3)])
    assert arrays.read(npz(**PLAYED), Bound()).moves == [("flag", (0, 0))]
    assert arrays.read(npz(**VIEW), Bound()) == Position([[1, -1]], 1)
    assert arrays.read(npz(**VIEW | {"view": header("|i1", (1, 2), b"\x01\xff")}), Bound()) == Position([[1, -1]], 1)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"version": ONE}, r"its arrays must be those of a board"),
        (ARRAYS | {"more": ONE}, r"its arrays must be those of a board, a position or a game"),
        (ARRAYS | {"version": np.int64(2)}, r"version must be 1\. Got 2"),
        (ARRAYS | {"version": np.array([1])}, r"version must be <i8 of shape \(\)"),
        (
            ARRAYS | {"version": np.float64(1)},
            r"version must be <i8 of shape \(\), at most 1 numbers\. Got <f8 of \(\)",
        ),
        (ARRAYS | {"version": np.array(1, dtype=">i8")}, r"version must be a \.npy array"),
        (ARRAYS | {"shape": np.array([2, 5])}, r"mines must be \|u1 of shape \(2,\).* Got \|u1 of \(1,\)"),
        (ARRAYS | {"shape": np.array([2, 3])}, r"the last byte of mines must end in zeros after 6 cells\. Got 129"),
        (ARRAYS | {"shape": np.array([2, 0])}, r"sizes of 1 or more"),
        (ARRAYS | {"shape": np.array([2, -4])}, r"sizes of 1 or more"),
        (ARRAYS | {"shape": np.ones(33, dtype=int)}, r"shape must be .* at most 32 numbers"),
        (ARRAYS | {"shape": np.array([10**9, 10**9])}, r"at most 10000000 cells"),
        (ARRAYS | {"shape": np.array([10**4, 10**4])}, r"must have at most 10000000 cells"),
        (ARRAYS | {"mines": BITS.astype(bool)}, r"mines must be \|u1"),
        (ARRAYS | {"mines": header("|O", (1,), b"cos\nsystem\n(S'true'\ntR.")}, r"mines must be a \.npy array"),
        (ARRAYS | {"mines": header("|u1", (10**17,), b"\0")}, r"mines must be \|u1 of shape \(1,\)"),
        (ARRAYS | {"mines": header("|u1", (1,), b"\0\0")}, r"mines must have 1 bytes, as its header says"),
        (ARRAYS | {"mines": header("|u1", (1,))}, r"mines must have 1 bytes.* Got 0"),
        (ARRAYS | {"mines": b"\x93NUMPY\x02\x00" + b"\0" * 200}, r"mines must be a \.npy array, version 1\.0"),
        (ARRAYS | {"mines": b""}, r"mines must be a \.npy array"),
        (VIEW | {"view": np.array([[1, -1]], dtype=np.int16)}, r"view must be \|i1 of shape \(1, 2\)"),
        (VIEW | {"view": np.array([[3, -1]], dtype=np.int8)}, r"layout of mines"),
        (VIEW | {"n_mines": np.int64(7)}, r"mines must be an integer between 0 and 2"),
        (PLAYED | {"moves": np.array([[3, 0]])}, r"moves must begin with 0, 1 or 2"),
        (PLAYED | {"moves": np.array([[0, 8]])}, r"cell must lie in 0\.\.7\. Got 8"),
        (PLAYED | {"moves": np.array([[2, 0]])}, r"move 0 must change something"),
        (PLAYED | {"moves": header("<i8", (10**12, 2))}, r"moves must be <i8 of shape \(any, 2\), at most 200000 "),
        (PLAYED | {"flag_limit": np.int64(-2)}, r"flag_limit must be an integer of 0 or more"),
        (PLAYED | {"revealed": BITS, "flagged": BITS}, r"flagged must lie on hidden cells"),
    ],
)
def test_arrays_that_lie_are_refused(members, message):
    with pytest.raises(SweepError, match=message):
        arrays.read(npz(**members), Bound())


def test_an_archive_with_an_array_twice_is_refused():
    file = io.BytesIO(npz(**ARRAYS))
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(file, "a") as archive:
        archive.writestr("mines.npy", npy(BITS))
    with pytest.raises(SweepError, match="its arrays must be those"):
        arrays.read(file.getvalue(), Bound())


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_an_archive_in_another_compression_is_refused_however_it_is_damaged(method):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, array in ARRAYS.items():
            archive.writestr(f"{name}.npy", npy(array))
    data = file.getvalue()
    for place in range(0, len(data), 7):
        bad = bytearray(data)
        bad[place] ^= 0xFF
        with pytest.raises(SweepError, match=r"stored or deflated|damaged|its arrays must be those"):
            arrays.read(bytes(bad), Bound())


def test_an_archive_whose_checksum_is_wrong_is_refused():
    data = npz(**ARRAYS)
    checksum = zlib.crc32(npy(BITS)).to_bytes(4, "little")
    assert checksum in data
    with pytest.raises(SweepError, match="its archive is damaged"):
        arrays.read(data.replace(checksum, b"\0\0\0\0"), Bound())


LONG = "a" * 10**6
MANY_ZEROS = [0] * 10**5
BOARD = {"format": "ndsweep", "version": 1, "kind": "board", "shape": [2, 2], "mines": []}
DEAL = {"mines": 1, "first": "any", "seed": 0, "game": 0, "streams": 1}
NEW = {**BOARD, "kind": "game", "flag_limit": None, "moves": [], "deal": DEAL}
del NEW["mines"]
PLAY = {**BOARD, "kind": "game", "flag_limit": None, "moves": []}


@pytest.mark.parametrize("value", [LONG, MANY_ZEROS, [LONG], {LONG: 1}, 10**4000, [10**4000] * 9, [[LONG, 0]]])
@pytest.mark.parametrize(
    "document",
    [
        *(lambda value, key=key: BOARD | {key: value} for key in ("shape", "mines", "version", "kind", "x")),
        *(lambda value, key=key: NEW | {"deal": DEAL | {key: value}} for key in (*DEAL, "x")),
        *(lambda value, key=key: NEW | {key: value} for key in ("deal", "flag_limit", "moves")),
        lambda value: PLAY | {"moves": [[value, [0, 0]]]},
        lambda value: PLAY | {"moves": [["flag", value]]},
        lambda value: PLAY | {"moves": [["flag", [value, 0]]]},
        lambda value: PLAY | {"start": {"revealed": value, "flagged": []}},
        lambda value: BOARD | {"kind": "position", "view": value, "mines": value},
    ],
)
def test_a_refusal_is_short_whatever_a_file_holds(document, value):
    text = json.dumps(document(value))
    found = outcome(lambda: loads(text, format="json"))
    assert isinstance(found, Game) or len(str(found)) < 2000


@pytest.mark.parametrize("name", ["text", "nested", "board", "mine"])
@pytest.mark.parametrize(
    "text",
    [
        LONG,
        f"# MINESWEEPER-BOARD v0.1\n{LONG}",
        f"# MINESWEEPER-BOARD v0.1\n# Render: {LONG}",
        f"# MINESWEEPER-BOARD v0.1\nrows: {LONG}",
        f"1x1x{LONG}",
        f"1x1x1\n{LONG}",
        f"1x1x1\nF\n{LONG}",
        f"shape: {LONG}\n#",
        f"kind: {LONG}\n#",
        f"['.', '{LONG}']",
        f"{{'board': ['.'], 'state': '{LONG}', 'dimensions': [1], 'visible': [True]}}",
        f"{{'board': ['.'], 'state': 'x', 'dimensions': ['{LONG}'], 'visible': [True]}}",
        f"1 {LONG}",
        f"[{'0,' * 10**5}0]\n#",
    ],
    ids=lambda text: text[:40],
)
def test_a_refusal_is_short_whatever_a_text_holds(name, text):
    assert len(str(outcome(lambda: loads(text, format=name)))) < 2000


# Memory ----------------------------------------------------------------------------------------

BOMB = b"\0" * 200_000_000
HUGE = [
    ("json", b'{"format": "ndsweep", "version": 1, "kind": "board", "shape": [100000, 100000], "mines": []}'),
    ("json", b'{"format": "ndsweep", "version": 1, "kind": "position", "shape": [1000000000], "view": [], "mines": 0}'),
    ("text", b"shape: 999999999x999999999\n*1"),
    ("text", b"[999999999, 999999999]\n*1"),
    ("mine", b"99999999x99999999x1\n"),
    ("mine", b"3000x3000x1\n"),
    ("board", b"# MINESWEEPER-BOARD v0.1\nrows: 3000\ncolumns: 3000\nmines: 1\n[real]\n*1"),
    ("mbf", bytes([255, 255, 255, 255])),
    ("nested", b"[" * 32 + b"'.'" + b"]" * 32),
    ("json", b"[" + b"[]," * 300_000 + b"[]]"),
    ("json", b'{"format": "ndsweep", "version": 1, "kind": "board", "shape": [1' + b"0" * 400 + b'], "mines": []}'),
    ("nested", b'{"board": [["."]], "dimensions": [1' + b"0" * 400 + b'], "state": "ongoing"}'),
]


MANY_AXES = 22
MANY = [
    lambda: Position(np.full([2] * MANY_AXES, -1), 0),
    lambda: Board(np.zeros([2] * MANY_AXES, bool)),
    lambda: Position(np.full([3] * 13, -1), 0),
]


@pytest.mark.parametrize("made", MANY, ids=["position", "board", "position of sides 3"])
def test_many_short_axes_take_memory_by_their_cells(made):
    found = made()
    data = arrays.write(found)
    assert len(data) < 20_000
    assert peak("npz", data) < 80 * prod(found.shape)
    assert arrays.read(data, Bound()) == found


def test_hints_on_many_short_axes_take_memory_by_their_cells():
    mines = np.zeros([2] * 20, bool)
    mines[(0,) * 20] = True
    tracemalloc.start()
    hints = Board(mines).hints
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 40 * mines.size
    assert hints[(0,) * 20] == 0  # every other cell is beside the mine
    assert hints.sum() == mines.size - 1


@pytest.mark.parametrize(("name", "data"), HUGE, ids=lambda value: repr(value)[:40])
def test_a_small_file_takes_no_large_memory(name, data):
    assert peak(name, data) < 200_000 + 60 * len(data)


def test_a_bomb_is_not_unpacked():
    data = npz(**ARRAYS | {"mines": npy(np.zeros(1, np.uint8)) + BOMB})
    assert len(data) < 300_000
    assert peak("npz", data) < 3_000_000


def peak(name, data):
    """The most memory that reading takes, in bytes."""
    tracemalloc.start()
    try:
        outcome(lambda: FORMATS[name].read(data, Bound()))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# Limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [10**8, 10**9, 10**12, 10**18, 10**30, 10**400])
def test_a_small_file_is_read_whatever_is_allowed(tmp_path, most):
    board = Board.from_coords((2, 3), [(0, 0)])
    save(board, tmp_path / "a.mbf")
    tracemalloc.start()
    assert load(tmp_path / "a.mbf", most_cells=most) == board
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


@pytest.mark.parametrize("shape", [[10**7, 10**7], [10**9] * 5, [10**400], [10**4000] * 32])
@pytest.mark.parametrize("most", [0, 100, 10**14, 10**500])
def test_what_no_memory_has_room_for_is_refused_whatever_is_allowed(shape, most):
    for document in (BOARD, BOARD | {"kind": "position", "view": [], "mines": None}):
        with pytest.raises(FormatError, match=r"would need|cells here|view must have a code"):
            loads(json.dumps(document | {"shape": shape}), most_cells=most)


def test_a_game_of_too_many_moves_is_refused_before_it_is_played():
    moves = [["flag", [0, 0]]] * 100_001
    text = json.dumps(PLAY | {"moves": moves})
    for found in (
        outcome(lambda: loads(text)),
        outcome(lambda: arrays.read(npz(**PLAYED | {"moves": np.array([[1, 0]] * 100_001)}), Bound())),
    ):
        assert isinstance(found, SweepError)
        assert "at most" in str(found)
    assert loads(text, most_cells=30_000).n_flags == 1


@pytest.mark.parametrize("shape", [(3,) * 7, (2,) * 11])
def test_moves_on_many_axes_count_the_hints_once(monkeypatch, shape):
    counted = []
    compute = Board.compute_hints
    monkeypatch.setattr(Board, "compute_hints", lambda board, *args: counted.append(1) or compute(board, *args))
    monkeypatch.setattr("ndsweep.numbers._HINTED", 100)
    monkeypatch.setattr("ndsweep.numbers._LABELLED", 100)
    mines = np.zeros(shape, bool)
    mines[(0,) * len(shape)] = True
    game = Game(Board(mines))
    for cell in range(1, 6):
        game.reveal(cell)
    assert counted == []
    again = loads(FORMATS["json"].write(game).decode())
    assert same(again, game)
    assert counted == [1]
