"""Boards and games on memory maps, on Zarr and on anything that takes slices: the same as in memory."""

import copy
import os
import pickle
import subprocess
import sys
import time
import tracemalloc
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
import zarr
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import ReferenceGame, cells_of, hints_of
from strategies import layouts, moves, specs

from ndsweep import Board, CellError, FormatError, Game, Spec, SpecError, Status, TooLargeError, numbers
from ndsweep import board as boards
from ndsweep import npy as files
from ndsweep.engine import grid, joins, marks, regions, store, sweeps
from ndsweep.engine.boxes import cut, rows_of, size_of, whole, within
from ndsweep.engine.grid import hint_dtype, view_dtype

KINDS = ["memory", "array", "map", "file", "slices"]


class OnlySlices:
    """An array that takes slices and cells, and gives copies, as arrays on disk do."""

    def __init__(self, shape, dtype):
        self._array = np.full(shape, 5).astype(dtype)  # what was there is not to be trusted

    shape = property(lambda self: self._array.shape)
    dtype = property(lambda self: self._array.dtype)

    def __getitem__(self, box):
        return self._array[checked(box)].copy()

    def __setitem__(self, box, values):
        self._array[checked(box)] = values


def checked(box):
    for side in box:
        assert isinstance(side, slice | int)
    return box


def place(kind, folder, shape, dtype):
    """Where an array of a board or a game may be kept."""
    path = folder / f"{np.dtype(dtype)}-{os.urandom(4).hex()}.npy"
    if kind == "memory":
        return None
    if kind == "file":
        return path
    if kind == "map":
        return np.lib.format.open_memmap(path, "w+", dtype, shape)
    return OnlySlices(shape, dtype) if kind == "slices" else np.full(shape, 1, dtype)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("stores")


@pytest.fixture(scope="module")
def threads():
    with ThreadPoolExecutor(3) as executor:
        yield executor


@pytest.fixture(params=[1, 13, 10**6], ids=lambda cells: f"blocks of {cells}")
def block(request, monkeypatch):
    """Grids are worked on so many cells at a time, and no grid is small."""
    for module in (store, grid, boards, files):
        monkeypatch.setattr(module, "BLOCK", request.param)
    for module in (regions, marks, sweeps):
        monkeypatch.setattr(module, "_BLOCK", request.param)
    monkeypatch.setattr(marks, "_WINDOW", request.param)
    monkeypatch.setattr(regions, "_SLABS", 1)
    monkeypatch.setattr(grid, "_SMALL", 0)
    monkeypatch.setattr(numbers, "_LABELLED", 0)
    monkeypatch.setattr(numbers, "_HINTED", 0)
    monkeypatch.setattr(numbers, "_SMALL", 0)
    return request.param


def all_of(array):
    return np.asarray(array[(slice(None),)])


# The same as in memory ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("block")
@given(spec=specs(), seed=st.integers(0, 2**40), few=st.sampled_from([0, 1000, 10**12]), data=st.data())
@settings(max_examples=25)
def test_a_board_is_dealt_alike_wherever_it_lies(folder, threads, kind, spec, seed, few, data):
    spec = Spec(*spec)
    expected = Board.deal(spec, seed)
    executor = data.draw(st.sampled_from([None, threads]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(marks, "_FEW", few)
        board = Board.deal(spec, seed, out=place(kind, folder, spec.shape, bool), executor=executor)
    np.testing.assert_array_equal(all_of(board.mines), expected.mines)
    assert (board, board.n_mines, hash(board)) == (expected, spec.mines, hash(expected))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("block")
@given(mines=layouts(), data=st.data())
@settings(max_examples=25)
def test_hints_and_openings_are_the_same(folder, threads, kind, mines, data):
    kept = np.full(mines.shape, False) if kind in ("memory", "array") else place(kind, folder, mines.shape, bool)
    if kind == "file":
        np.save(kept, mines)
        board = Board.open(kept)
    else:
        kept[(slice(None),)] = mines
        board = Board.wrap(kept)
    executor = data.draw(st.sampled_from([None, threads]))
    expected = list(hints_of(mines.shape, set(map(tuple, np.argwhere(mines).tolist()))).values())
    assert board == Board(mines)
    box = tuple(slice(*sorted(data.draw(st.sets(st.integers(0, n), min_size=2, max_size=2)))) for n in mines.shape)
    np.testing.assert_array_equal(board.hints_in(box), np.reshape(expected, mines.shape)[box])
    assert "hints" not in vars(board)
    assert board.opening_sizes(executor).tolist() == Board(mines).opening_sizes().tolist()
    for where in KINDS:
        hints = board.compute_hints(place(where, folder, mines.shape, hint_dtype(mines.ndim)), executor)
        assert all_of(hints).reshape(-1).tolist() == expected
        assert hints is board.hints
    assert board.opening_sizes(executor).tolist() == Board(mines).opening_sizes().tolist()
    assert str(board) == str(Board(mines))
    assert board.openings.count == Board(mines).openings.count


played = layouts(most_cells=60, most_share=0.3).flatmap(
    lambda mines: st.tuples(st.just(mines), moves(mines.size, ["flag", "chord"], 12))
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("hinted", [True, False])
@pytest.mark.usefixtures("block")
@given(board_and_moves=played)
@settings(max_examples=25)
def test_a_game_is_the_same_wherever_its_view_lies(folder, kind, hinted, board_and_moves):
    mines, steps = board_and_moves
    kept = OnlySlices(mines.shape, bool)
    kept[(slice(None),)] = mines
    board = Board.wrap(kept)
    if hinted:
        board.compute_hints(OnlySlices(mines.shape, hint_dtype(mines.ndim)))
    game = Game(board, view=place(kind, folder, mines.shape, view_dtype(mines.ndim)))
    plain = ReferenceGame(mines.shape, set(map(tuple, np.argwhere(mines).tolist())))
    for move, cell in steps:
        assert getattr(game, move)(cell) == getattr(plain, move)(cells_of(mines.shape)[cell])
        assert all_of(game.view).reshape(-1).tolist() == plain.view()
    assert game.status == plain.status
    assert game.revealed.sum() == sum(code not in (-1, -2) for code in plain.view())
    assert game.flagged.sum() == game.n_flags
    assert ("hints" in vars(board)) == hinted


class Chunked(OnlySlices):
    """An array that reads, changes and writes a whole chunk, here all of it, whenever a part is written."""

    def __setitem__(self, box, values):
        chunk = self._array.copy()
        time.sleep(0.001)
        chunk[checked(box)] = values
        self._array = chunk


@pytest.mark.usefixtures("block")
def test_threads_do_not_write_to_one_chunk_at_once(threads):
    expected = Board.deal(Spec((30, 5), 30))
    board = Board.deal(Spec((30, 5), 30), out=Chunked((30, 5), bool), executor=threads)
    assert board == expected
    np.testing.assert_array_equal(all_of(board.compute_hints(Chunked((30, 5), np.uint8), threads)), expected.hints)


def test_zarr(tmp_path, threads):
    spec, rng = Spec((37, 20, 9), 600), np.random.default_rng(4)
    expected = Board.deal(spec, seed=3)

    def kept(name, dtype):
        return zarr.create_array(store=str(tmp_path / name), shape=spec.shape, chunks=(10, 20, 4), dtype=dtype)

    board = Board.deal(spec, seed=3, out=kept("mines", "bool"), executor=threads)
    assert board == expected
    assert isinstance(board.mines, zarr.Array)
    board.compute_hints(kept("hints", "uint8"), threads)
    np.testing.assert_array_equal(board.hints[:], expected.hints)
    assert board.opening_sizes(threads).tolist() == expected.opening_sizes().tolist()
    games = Game(board, view=kept("view", "int8")), Game(expected)
    for cell in rng.permutation(np.argwhere(~expected.mines))[:40].tolist():
        assert len({game.reveal(cell) for game in games}) == 1
    np.testing.assert_array_equal(games[0].view[:], games[1].view)
    again = Board.wrap(zarr.open_array(str(tmp_path / "mines")))
    assert (again, again.n_mines) == (expected, 600)
    again.save(tmp_path / "mines.npy")
    assert Board.open(tmp_path / "mines.npy") == expected


def test_hints_of_a_map_are_a_map_of_a_file_without_a_name(tmp_path):
    board = Board.deal(Spec((400, 500), 30_000), out=tmp_path / "mines.npy")
    expected = Board.deal(Spec((400, 500), 30_000)).hints
    assert isinstance(board.hints, np.memmap)
    np.testing.assert_array_equal(board.hints, expected)
    assert [entry.name for entry in tmp_path.iterdir()] == ["mines.npy"]


def test_the_pages_of_a_map_are_let_go():
    if not os.path.exists("/proc/self/statm"):
        pytest.skip("the system does not tell what is in memory")
    code = """
import numpy as np, os, sys
from ndsweep import Board, Spec
board = Board.deal(Spec((8192, 8192), 6_000), seed=2, out=sys.argv[1])
base = int(open("/proc/self/statm").read().split()[1])
board.compute_hints(sys.argv[2])
assert board.opening_sizes().sum() > 6e7
import resource
most = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(int(open("/proc/self/statm").read().split()[1]) - base, most)
"""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        names = [f"{folder}/{name}.npy" for name in ("mines", "hints")]
        done = subprocess.run([sys.executable, "-c", code, *names], capture_output=True, text=True, check=True)
    left, _ = map(int, done.stdout.split())
    assert left * os.sysconf("SC_PAGE_SIZE") < 100e6  # of two maps of 67 MB, and the labels of some slabs


def test_changes_of_a_private_map_are_kept(tmp_path):
    """Pages of a copy-on-write map are nowhere else: they must not be let go."""
    np.save(tmp_path / "mines.npy", np.zeros((1500, 1000), dtype=bool))
    private = np.load(tmp_path / "mines.npy", mmap_mode="c")
    private[7, 7] = True
    board = Board.wrap(private)
    assert (board.n_mines, Board(private).n_mines) == (1, 1)
    assert board.opening_sizes().tolist() == [1500 * 1000 - 9]
    assert private[7, 7]


# Files -------------------------------------------------------------------------------------------


@given(layouts())
def test_a_board_comes_back_from_its_file(folder, mines):
    board = Board(mines)
    board.save(folder / "board.npy")
    again = Board.open(folder / "board.npy")
    assert (again, again.n_mines, again.shape) == (board, board.n_mines, board.shape)
    np.testing.assert_array_equal(np.load(folder / "board.npy"), mines)
    assert pickle.loads(pickle.dumps(again)) == board
    assert len(pickle.dumps(again)) < 300  # its name, not its cells
    with pytest.raises(ValueError, match="read-only"):
        again.mines[(0,) * mines.ndim] = True


@pytest.mark.parametrize("share", [0.01, 0.1, 0.5, 0.9])
def test_dealing_takes_at_most_two_bytes_a_cell_of_scratch(share):
    spec = Spec((1000, 1000), int(share * 10**6))
    Board.deal(spec)
    tracemalloc.start()
    board = Board.deal(spec)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most <= 3 * board.size  # the mines themselves take one


def test_copies_of_a_board_on_a_map_are_independent(tmp_path):
    board = Board.deal(Spec((9, 9), 10), seed=1, out=tmp_path / "mines.npy")
    assert copy.deepcopy(board) is board
    wrapped = pickle.loads(pickle.dumps(Board.wrap(board.mines)))
    assert wrapped == board
    game = Game(board, view=tmp_path / "view.npy")
    other = copy.copy(game)
    other.reveal(0)
    assert (game.view == -1).all()
    assert (np.load(tmp_path / "view.npy") == -1).all()


@pytest.mark.parametrize("kind", ["map", "file", "slices"])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_copies_of_games_have_views_of_their_own(folder, kind, copied):
    game = Game(Board.deal(Spec((9, 9), 10)), view=place(kind, folder, (9, 9), np.int8))
    other = copied(game)
    opened = other.reveal(0)
    assert opened >= 1
    assert (all_of(game.view) == -1).all()
    assert game.moves == []
    assert game.reveal(0) == opened


@pytest.mark.parametrize("kind", ["memory", "slices"])
def test_tools_and_resumed_games_work_on_other_arrays_too(folder, kind):
    plain = Board.deal(Spec((9, 9), 10), seed=4)
    mines = OnlySlices((9, 9), bool)
    mines[(slice(None),)] = plain.mines
    games = Game(plain), Game(Board.wrap(mines), view=place(kind, folder, (9, 9), np.int8))
    for game in games:
        game.reveal(plain.hints.argmin())
        game.flag_mines()
        game.expose_neighbors()
        game.autoplay()
    assert games[0].moves == games[1].moves
    np.testing.assert_array_equal(games[0].view, games[1].view)
    resumed = [Game.resume(game.board, plain.hints == 1) for game in games]
    np.testing.assert_array_equal(resumed[0].view, resumed[1].view)
    games[1].view[0, 0] = 99  # a copy
    np.testing.assert_array_equal(games[0].view, games[1].view)


def test_a_pickle_of_a_board_in_a_file_knows_when_it_is_another(tmp_path):
    board = Board.deal(Spec((9, 9), 10), seed=1, out=tmp_path / "mines.npy")
    pickled = pickle.dumps(board)
    assert pickle.loads(pickled) == board
    os.utime(tmp_path / "mines.npy", ns=(5, 5))  # so that the clock has gone on
    Board.deal(Spec((9, 9), 10), seed=2, out=tmp_path / "mines.npy")
    for again in (pickled, pickle.dumps(board)):
        with pytest.raises(FormatError, match="must be the file of the board that was pickled"):
            pickle.loads(again)


def test_what_is_written_lies_apart_from_the_mines(tmp_path):
    mines = np.zeros((9, 9), dtype=bool)
    board, mapped = Board.wrap(mines), Board.deal(Spec((9, 9), 10), out=tmp_path / "mines.npy")
    for work in (
        lambda: board.compute_hints(mines.view(np.uint8)),
        lambda: Game(board, view=mines.view(np.int8)),
        lambda: mapped.compute_hints(tmp_path / "mines.npy"),
        lambda: Game(mapped, view=str(tmp_path / "mines.npy")),
    ):
        with pytest.raises(SpecError, match=r"(out|view) must be apart from the mines\. Got what they lie in"):
            work()
    assert Board.open(tmp_path / "mines.npy").n_mines == 10


def test_a_refused_deal_leaves_the_array_as_it_was():
    out = OnlySlices((9, 9), bool)
    out[0, 0] = True
    for wrong in ({"first_cell": (9, 9)}, {"executor": 4}, {"seed": "x"}):
        with pytest.raises((SpecError, CellError)):
            Board.deal(Spec((9, 9), 10), out=out, **wrong)
    assert all_of(out).all()


def test_hints_of_a_map_in_a_folder_that_is_only_read_go_elsewhere(tmp_path, monkeypatch):
    board = Board.deal(Spec((400, 500), 30_000), out=tmp_path / "mines.npy")
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(numbers.tempfile, "gettempdir", lambda: str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError, match="none"):
        _ = board.hints


def test_slices_that_are_only_read_are_copied():
    class ReadOnly(OnlySlices):
        def __getitem__(self, box):
            part = super().__getitem__(box)
            if isinstance(part, np.ndarray):
                part.flags.writeable = False
            return part

    board = Board.deal(Spec((30, 30), 90), out=ReadOnly((30, 30), bool))
    game = Game(board, view=ReadOnly((30, 30), np.int8))
    cell = int(Board.deal(Spec((30, 30), 90)).hints.argmin())
    assert game.reveal(cell) == Game(Board.deal(Spec((30, 30), 90))).reveal(cell)


def test_a_board_can_replace_the_file_that_it_is_read_from(tmp_path):
    path = tmp_path / "mines.npy"
    one, other = (Board.deal(Spec((50, 60), 500), seed=seed) for seed in (1, 2))
    one.save(path)
    opened = Board.open(path)
    opened.save(path)
    other.save(path)
    assert (opened, Board.open(path)) == (one, other)


def npy(version=(1, 0), header="{'descr': '|b1', 'fortran_order': False, 'shape': (2, 3), }", data=bytes(6)):
    text = header.encode() + b"\n"
    return b"\x93NUMPY" + bytes(version) + len(text).to_bytes(2 if version == (1, 0) else 4, "little") + text + data


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (npy(data=bytes(5)), r"must have \d+ bytes, as its header says\. Got \d+"),
        (npy(data=bytes(7)), r"must have \d+ bytes, as its header says\. Got \d+"),
        (npy(data=b"\0\1\2\0\0\0"), r"bytes of 0 or 1\. Got 2 in slabs 0\.\.1"),
        (npy()[:20], r"must be a \.npy file"),
        (npy(header="{'descr': '|b1', 'fortran_order': False, 'shape': (0, 3), }"), "sizes of 1 or more"),
        (npy(header="{'descr': '|b1', 'fortran_order': False, 'shape': (), }"), "axes|shape"),
        (npy(header="{'descr': '|b1', 'fortran_order': False, 'shape': (-2, 3), }"), "sizes of 1 or more"),
        (npy(header="{'descr': '|b1', 'fortran_order': False, 'shape': (99999999999999, 99999999), }"), "must have"),
        (npy(header="{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }"), r"must hold bool.* Got uint8"),
        (npy(header="{'descr': '|O', 'fortran_order': False, 'shape': (2, 3), }"), r"must hold bool.* Got object"),
        (npy(header="{'descr': '|b1', 'fortran_order': True, 'shape': (2, 3), }"), "Got bool in Fortran order"),
        (npy(header="{'descr': '|b1', 'shape': (2, 3), }"), r"must be a \.npy file"),
        (npy(header="import os"), r"must be a \.npy file"),
        (npy(version=(9, 0)), r"must be a \.npy file"),
        (b"", r"must be a \.npy file"),
        (b"a board", r"must be a \.npy file"),
    ],
)
def test_a_file_that_holds_no_board_is_refused(tmp_path, content, message):
    path = tmp_path / "mines.npy"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=message) as raised:
        Board.open(path)
    assert str(path) in str(raised.value)


def test_other_versions_of_the_header_are_read(tmp_path):
    for version in ((1, 0), (2, 0)):
        (tmp_path / "mines.npy").write_bytes(npy(version, data=b"\1" + bytes(5)))
        assert Board.open(tmp_path / "mines.npy").n_mines == 1


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.npy"):
        Board.open(tmp_path / "none.npy")
    for work in (Board(np.zeros(3, bool)).save, lambda path: Board.deal(Spec((9,), 1), out=path)):
        with pytest.raises(FileNotFoundError, match=r"none.mines\.npy"):
            work(tmp_path / "none" / "mines.npy")
    with pytest.raises(SpecError, match="path must name a file"):
        Board(np.zeros(3, bool)).save(tmp_path)
    for path in (3, None, ""):
        with pytest.raises(SpecError, match="path must be the name of a file"):
            Board.open(path)


FULL = """
import resource, sys
import numpy as np
from ndsweep import Board, Game, Spec
resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))
path, spec = sys.argv[1], Spec((1000, 1000), 1000)
large = Board.deal(spec)
for work in (
    lambda: large.save(path),
    lambda: Board.deal(spec, seed=1, out=path),
    lambda: large.compute_hints(path),
    lambda: Game(large, view=path),
    lambda: Board.wrap(np.memmap(sys.argv[2], bool, "r", shape=(1000, 1000))).hints,
):
    try:
        work()
    except OSError as error:
        print(type(error).__name__, error)
"""


def test_a_disk_without_room_is_an_error_and_leaves_what_was_there(tmp_path):
    pytest.importorskip("resource", reason="the system has no limit of a file's size")
    path, other = tmp_path / "mines.npy", tmp_path / "other"
    Board.deal(Spec((9, 9), 10)).save(path)
    other.write_bytes(bytes(1_000_000))
    before = path.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), str(other)], capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 5
    assert all("File too large" in line for line in lines)
    assert all(str(path) in line for line in lines[:4])
    assert path.read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["mines.npy", "other"]


def test_the_room_of_a_map_is_reserved_before_it_is_written(tmp_path, monkeypatch):
    """A sparse file on a full disk would end the process when a page of its map is written."""
    board = Board.deal(Spec((700, 700), 1000), out=tmp_path / "mines.npy")
    assert 512 * (tmp_path / "mines.npy").stat().st_blocks >= 700 * 700
    monkeypatch.setattr(files, "_fill", lambda *_: None)
    Game(board, view=tmp_path / "view.npy")
    assert 512 * (tmp_path / "view.npy").stat().st_blocks >= 700 * 700

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match="No space left"):
        _ = board.hints
    monkeypatch.delattr(os, "posix_fallocate")  # other systems: the zeros are written
    np.testing.assert_array_equal(board.hints, Board(board.mines).hints)
    again = Board.deal(Spec((700, 700), 1000), out=tmp_path / "again.npy")
    assert again == board
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["again.npy", "mines.npy", "view.npy"]


def test_work_that_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "mines.npy"
    Board.deal(Spec((9, 9), 10)).save(path)
    before = path.read_bytes()

    def enough(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Board.deal(Spec((90, 90), 1000), out=path, progress=enough)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["mines.npy"]


def test_what_does_not_fit_is_refused_with_its_size_and_the_way_that_works(monkeypatch, tmp_path):
    spec = Spec((10**5, 10**6), 10)
    large = r"of shape \(100000, 1000000\) would need [12]00\.0 GB of memory\. .* available\. .*"
    monkeypatch.setattr("ndsweep.checks.available_memory", lambda: 10**9)
    with pytest.raises(TooLargeError, match=large + r"out='mines\.npy' keeps them in a file, as a memory map\."):
        Board.deal(spec)
    with pytest.raises(TooLargeError, match=r"300\.0 GB of memory.*Board\.deal\(\.\.\., out='mines\.npy'\)"):
        Game.new(spec)
    monkeypatch.setattr("ndsweep.checks.available_memory", lambda: 0)
    board = Board.deal(Spec((5000, 5000), 10), out=tmp_path / "mines.npy")
    for work, message in (
        (lambda: Game(board), "view='view.npy' keeps"),
        (lambda: Board(np.zeros((5000, 5000), bool)), r"Board\.wrap"),
        (lambda: Board.wrap(np.zeros((5000, 5000), bool)).hints, "out='hints.npy' keeps"),
        (lambda: board.openings, "opening_sizes"),
    ):
        with pytest.raises(TooLargeError, match=message):
            work()
    assert board.hints.shape == (5000, 5000)


def test_a_disk_that_is_too_small_is_known_before(tmp_path):
    with pytest.raises(TooLargeError, match=r"would need [\d.]+ PB of the disk of '.*'\. [\d.]+ .B are available"):
        Board.deal(Spec((10**8, 10**8), 10), out=tmp_path / "mines.npy")
    assert not list(tmp_path.iterdir())


# Bad arguments -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (np.zeros((9, 8), bool), r"out must have shape \(9, 9\) and type bool\. Got \(9, 8\) and bool"),
        (np.zeros((9, 9), np.uint8), r"Got \(9, 9\) and uint8"),
        ([[False] * 9] * 9, "out must be a path, an array.* Got list"),
        (7, "out must be a path, an array.* Got int"),
        (np.frombuffer(bytes(81), bool).reshape(9, 9), "can be written. Got one that is only to be read"),
    ],
)
def test_places_that_cannot_be(out, message):
    with pytest.raises(SpecError, match=message):
        Board.deal(Spec((9, 9), 10), out=out)


def test_an_array_that_keeps_nothing_is_refused():
    class Forgets(OnlySlices):
        def __setitem__(self, box, values):
            pass

    board = Board(np.zeros((9, 9), dtype=bool))
    for work in (
        lambda: Board.deal(Spec((9, 9), 10), out=Forgets((9, 9), bool)),
        lambda: board.compute_hints(Forgets((9, 9), np.uint8)),
        lambda: Game(board, view=Forgets((9, 9), np.int8)),
    ):
        with pytest.raises(SpecError, match=r"must keep what is written to it\. Got a Forgets that does not"):
            work()


def test_arguments_that_cannot_be(tmp_path):
    board = Board(np.zeros((9, 9), dtype=bool))
    with pytest.raises(SpecError, match=r"out must have shape \(9, 9\) and type uint8\. Got \(9, 9\) and int64"):
        board.compute_hints(np.zeros((9, 9), np.int64))
    with pytest.raises(SpecError, match=r"view must have shape \(9, 9\) and type int8"):
        Game(board, view=np.zeros((9, 9), np.uint8))
    with pytest.raises(SpecError, match="view must be the name of a file"):
        Game(board, view="")
    with pytest.raises(SpecError, match="out must name a file"):
        board.compute_hints(tmp_path)
    for mines, message in (
        ([[True]], "mines must be an array.* Got list"),
        (np.zeros((3, 3), int), "mines must be a boolean array. Got int64"),
        (np.zeros((3, 0), bool), "sizes of 1 or more"),
        (np.array(True), "shape"),
        (np.full((3, 3), 2, np.uint8).view(bool), "bytes of 0 or 1. Got 2"),
    ):
        with pytest.raises(SpecError, match=message):
            Board.wrap(mines)


@pytest.mark.parametrize(
    "work", [Board.opening_sizes, Board.compute_hints, lambda _, executor: Board.deal(Spec((9,), 1), executor=executor)]
)
def test_executors_are_threads(work):
    board = Board(np.zeros((9, 9), dtype=bool))
    with ProcessPoolExecutor(1) as processes:
        for executor in (processes, 2, "threads"):
            with pytest.raises(SpecError, match="executor must be a ThreadPoolExecutor"):
                work(board, executor=executor)


def test_an_error_in_a_thread_comes_out(threads, monkeypatch):
    monkeypatch.setattr(grid, "BLOCK", 10_000)
    monkeypatch.setattr(regions, "_BLOCK", 10_000)
    monkeypatch.setattr(regions, "_SLABS", 1)

    class Broken(OnlySlices):
        def __getitem__(self, box):
            if isinstance(box[0], slice) and box[0].start > 100:
                raise OSError(5, "Input/output error")
            return super().__getitem__(box)

    board = Board.deal(Spec((300, 400), 20_000))
    mines = Broken(board.shape, bool)
    mines[(slice(None),)] = board.mines
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boards, "_counted", lambda _: 20_000)
        broken = Board.wrap(mines)
    for work in (broken.compute_hints, broken.opening_sizes):
        with pytest.raises(OSError, match="Input/output"):
            work(executor=threads)


def test_threads_may_use_the_pool_that_they_are_of():
    with ThreadPoolExecutor(1) as pool:
        board = pool.submit(lambda: Board.deal(Spec((900, 900), 90_000), executor=pool)).result(timeout=60)
        hints = pool.submit(lambda: board.compute_hints(executor=pool)).result(timeout=60)
        sizes = pool.submit(lambda: board.opening_sizes(pool)).result(timeout=60)
    expected = Board.deal(Spec((900, 900), 90_000))
    np.testing.assert_array_equal(hints, expected.hints)
    assert (board, sizes.tolist()) == (expected, expected.opening_sizes().tolist())


# Large grids in a hurry --------------------------------------------------------------------------


def test_a_reveal_in_a_huge_grid_reads_what_it_opens(monkeypatch):
    """No hints of the whole grid, no labels: a grid of 10**10 cells."""
    mines, view = FewCells((100_000, 100_000), np.bool_, 0), FewCells((100_000, 100_000), np.int8, -1)
    mines.cells[50_000, 50_004] = mines.cells[0, 0] = True
    monkeypatch.setattr(boards, "_counted", lambda _: 2)
    monkeypatch.setattr(files, "_fill", lambda *_: view.cells.clear())
    game = Game(Board.wrap(mines), view=view)
    assert game.reveal((50_000, 50_003)) == 1
    assert view.cells == {(50_000, 50_003): 1}
    assert game.status == Status.PLAYING


class FewCells:
    """A grid of which a few cells are known."""

    def __init__(self, shape, dtype, rest):
        self.shape, self.dtype, self.rest, self.cells = shape, np.dtype(dtype), rest, {}

    def __getitem__(self, box):
        if isinstance(box[0], int):
            return self.cells.get(tuple(box), self.rest)
        part = np.full([side.stop - side.start for side in box], self.rest, dtype=self.dtype)
        assert part.size < 10**6
        for cell, value in self.cells.items():
            if all(side.start <= x < side.stop for x, side in zip(cell, box, strict=True)):
                part[tuple(x - side.start for x, side in zip(cell, box, strict=True))] = value
        return part

    def __setitem__(self, cell, value):
        self.cells[tuple(cell)] = value


# Boxes -------------------------------------------------------------------------------------------

sides = st.lists(st.integers(1, 40), min_size=1, max_size=4).map(tuple)


@given(sides, st.integers(1, 500), st.integers(1, 20))
def test_a_box_is_cut_in_parts_that_are_all_of_it(shape, cells, least):
    times = np.zeros(shape, dtype=int)
    parts = list(cut(whole(shape), cells, least))
    for part in parts:
        times[part] += 1
        assert size_of(part) <= cells or all(side.stop - side.start <= least for side in part)
    assert (times == 1).all()


@given(sides, st.integers(1, 500))
def test_rows_are_all_slabs_in_order(shape, cells):
    rows = rows_of(shape, cells)
    assert [row for part in rows for row in range(part.start, part.stop)] == list(range(shape[0]))


@pytest.mark.parametrize("slab", [1, 30, 200])
@given(mines=layouts(), data=st.data())
@settings(max_examples=40)
def test_slabs_that_are_cut_give_the_same_hints_in_any_box(slab, mines, data):
    box = tuple(slice(*sorted(data.draw(st.sets(st.integers(0, n), min_size=2, max_size=2)))) for n in mines.shape)
    expected = grid.hints_of(mines)[box]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joins, "_SLAB", slab)
        patch.setattr(joins, "_LEAST", 1)
        out = np.full(expected.shape, 99, dtype=expected.dtype)
        grown = tuple(slice(max(s.start - 1, 0), s.stop + 1) for s in box)
        joins.join(np.add, mines[grown], out, mines.ndim, within(grown, box), np.subtract)
    np.testing.assert_array_equal(out, expected)
