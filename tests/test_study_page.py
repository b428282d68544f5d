"""The study of docs/study.md: its program runs, goes on where it was, and the page says what its results say."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ndsweep as nd

DOCS = Path(__file__).parent.parent / "docs"
STUDY = DOCS / "study"
RESULTS = ("table.csv", "spanning.csv", "study_rates.png", "study_spanning.png")


@pytest.fixture(scope="module")
def parts():
    """The modules of the study, by name."""
    pytest.importorskip("matplotlib")
    sys.path.insert(0, str(STUDY))
    try:
        import report
        import spanning

        yield {"report": report, "spanning": spanning}
    finally:
        sys.path.remove(str(STUDY))


def run(folder, *options):
    command = [sys.executable, STUDY / "run.py", "--quick", "--out", folder, *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=250, check=True)


def test_it_runs_and_goes_on_where_it_was(tmp_path):
    pytest.importorskip("matplotlib")
    first = run(tmp_path, "--workers", "2").stdout
    assert "| 8x8x8x8 | pairs |" in first
    before = {name: (tmp_path / name).read_bytes() for name in RESULTS}
    assert all(before.values())
    again = run(tmp_path, "--workers", "1").stdout
    assert again[again.index("|") :] == first[first.index("|") :]
    assert {name: (tmp_path / name).read_bytes() for name in RESULTS} == before


def test_a_quick_run_does_not_touch_the_results_of_the_page():
    found = subprocess.run([sys.executable, STUDY / "run.py", "--quick"], capture_output=True, text=True, timeout=100)
    assert found.returncode == 2
    assert "--out" in found.stderr


def test_the_page_says_what_the_results_say(parts):
    page = (DOCS / "study.md").read_text(encoding="utf-8").splitlines()
    report = parts["report"]
    rows, found = report.read_table(STUDY / "table.csv"), parts["spanning"].read(STUDY / "spanning.csv")
    assert [line for line in report.lines(rows, found) if line and line not in page] == []


def test_the_results_are_what_the_program_finds(parts):
    spanning = parts["spanning"]
    found = spanning.read(STUDY / "spanning.csv")
    for shape in [(150, 150), (24, 24, 24), (8, 8, 8, 8)]:
        assert found[shape][7] == pytest.approx(spanning.threshold(shape, 7), abs=1e-8)
    small = ("16x16", "8x8x8", "4x4x4x4")
    rows = [row for row in parts["report"].read_table(STUDY / "table.csv") if row["shape"] in small]
    for row in rows[::5]:
        spec = nd.Spec(spanning.shape_of(row["shape"]), int(row["mines"]))
        assert nd.simulate(spec, row["games"], row["policy"]).wins == row["wins"]


def test_the_errors_of_a_curve_are_those_of_a_median_of_independent_boards(parts):
    boards = np.random.default_rng(5).logistic(0.1, 0.01, 4000)
    found = parts["spanning"].curve(boards)
    assert found.midpoint_error == pytest.approx(2 * 0.01 / 4000**0.5, rel=0.2)  # 1 / (2 * density there * root)
    assert abs(found.midpoint - 0.1) < 4 * found.midpoint_error
    assert abs(found.width - 0.01) < 4 * found.width_error
    assert found.low < found.midpoint < found.high


def test_a_threshold_parts_what_spans_from_what_does_not(parts):
    shape = (40, 40)
    for game in range(5):
        edge = parts["spanning"].threshold(shape, game) * 1600
        spans = [
            nd.Board.deal(nd.Spec(shape, int(edge + side), "any"), 0, game).openings.spans() for side in (-0.5, 0.5)
        ]
        assert spans == [True, False]


def test_the_results_agree_with_what_was_known(parts):
    """2-D 0.0955 +- 0.001 for grids of 600 and 1200, 3-D 0.089 +- 0.002 for 96: the interval of each overlaps it."""
    found = parts["spanning"].read(STUDY / "spanning.csv")
    for shape, known, error in [((600,) * 2, 0.0955, 0.001), ((1200,) * 2, 0.0955, 0.001), ((96,) * 3, 0.089, 0.002)]:
        each = parts["spanning"].curve(found[shape])
        assert each.low <= known + error
        assert each.high >= known - error
