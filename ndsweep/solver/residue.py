"""Residue: what positions still ask once their known mines are taken away, a line of cells for each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine.planes import Layout
from ndsweep.engine.streams import Ints
from ndsweep.spec import FLAG, HIDDEN

ANY = -(1 << 60)
"""What ``left`` holds where any number of mines may be left."""

_NOTHING = -4  # what a plane of codes holds where there is no number and nothing unknown


@dataclass(frozen=True, eq=False)
class Residue:
    """Positions of one grid: which cells may hold a mine, and what the open numbers lack.

    The cells of a position are a line with walls, as `Layout` lays them out; a plane is k lines
    and a margin of wall.

    Attributes
    ----------
    layout : Layout
        Where the cells lie.
    unknown : bool plane
        The cells that may or may not hold a mine.
    number : bool plane
        The open numbers.
    lacks : int plane
        How many mines each number lacks beside the known ones; without meaning elsewhere.
    left : (k,) int64 array
        How many mines the unknown cells of each position hold, or `ANY`.

    Examples
    --------
    >>> residue_of(np.array([[1, -1, -1]]), np.array([1]))
    <Residue of 1 positions of shape (3,)>
    """

    layout: Layout
    unknown: npt.NDArray[np.bool_]
    number: npt.NDArray[np.bool_]
    lacks: npt.NDArray[np.signedinteger[Any]]
    left: Ints

    def __repr__(self) -> str:
        return f"<Residue of {len(self)} positions of shape {self.layout.shape}>"

    def __len__(self) -> int:
        return self.left.size

    def __getitem__(self, chosen: slice | Ints) -> Residue:
        """Some of the positions."""
        unknown, number, lacks = (
            as_plane(self.layout, self.layout.lines(plane)[chosen]) for plane in (self.unknown, self.number, self.lacks)
        )
        return Residue(self.layout, unknown, number, lacks, self.left[chosen])

    def without(self, mined: npt.NDArray[np.bool_], safe: npt.NDArray[np.bool_]) -> Residue:
        """What is left once more mines and safe cells are known, planes both."""
        layout = self.layout
        lacks = self.lacks - layout.add_up(mined.astype(self.lacks.dtype))
        left = self.left - layout.lines(mined).sum(axis=1)
        return replace(self, unknown=self.unknown & ~(mined | safe), lacks=lacks, left=left)


def residue_of(known: npt.NDArray[np.signedinteger[Any]], left: Ints) -> Residue:
    """The residue of views whose flags stand on known mines.

    Parameters
    ----------
    known : (k, n1, ..., nd) array of view codes
        `HIDDEN` where a cell is unknown, `FLAG` where a mine is known; other negative codes
        stand for cells of which nothing more is asked.
    left : (k,) int64 array
        How many more mines there are in each position, or `ANY`.

    Examples
    --------
    >>> residue = residue_of(np.array([[-1, 2, -2]]), np.array([1]))
    >>> residue.layout.cells_of(residue.lacks)[residue.layout.cells_of(residue.number)]
    array([1], dtype=int16)
    """
    layout = Layout(known.shape[1:])
    codes = np.full(len(known) * layout.width + layout.reach, _NOTHING, dtype=lacks_dtype(layout))
    layout.cells_of(codes)[...] = known
    mines = layout.add_up((codes == FLAG).astype(count_dtype(layout)))
    return Residue(layout, codes == HIDDEN, codes >= 0, codes - mines.astype(codes.dtype), left)


def simplified(residue: Residue) -> tuple[Residue, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """What is left once single numbers have proved all they can; and the mines and safe cells that they prove.

    Where they contradict each other, a number in the rest lacks less than no mine or more
    than it sees cells.

    Returns
    -------
    Residue, bool plane, bool plane

    Examples
    --------
    >>> rest, mined, safe = simplified(residue_of(np.array([[1, -1, 1, -1, -1]]), np.array([2])))
    >>> np.flatnonzero(mined), np.flatnonzero(safe), rest.left
    (array([2]), array([4]), array([1]))
    """
    layout, lines = residue.layout, residue.layout.lines
    mined, safe = np.zeros((2, residue.unknown.size), dtype=np.bool_)
    part, going = residue, np.arange(len(residue))
    while going.size:
        proved = _single_point(part)
        moved = np.flatnonzero(lines(proved[0] | proved[1]).any(axis=1))
        going = going[moved]
        new_mined, new_safe = (as_plane(layout, lines(cells)[moved]) for cells in proved)
        lines(mined)[going] |= lines(new_mined)
        lines(safe)[going] |= lines(new_safe)
        part = part[moved].without(new_mined, new_safe)
    return residue.without(mined, safe), mined, safe


def _single_point(residue: Residue) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """The unknown cells that one number proves to be mines, and the other ones that one proves safe."""
    layout = residue.layout
    near = layout.add_up(residue.unknown.astype(count_dtype(layout)))
    seeing = residue.number & (near > 0)
    full, empty = seeing & (residue.lacks == near), seeing & (residue.lacks == 0)
    mined, safe = (residue.unknown & (layout.add_up(cells.astype(count_dtype(layout))) > 0) for cells in (full, empty))
    return mined, safe & ~mined


def count_dtype(layout: Layout) -> np.dtype[Any]:
    """A type that holds the number of cells in a neighbourhood.

    Examples
    --------
    >>> count_dtype(Layout((9, 9)))
    dtype('uint8')
    """
    return np.min_scalar_type(layout.offsets.size + 1)


def lacks_dtype(layout: Layout) -> np.dtype[Any]:
    """A type that holds what a number may lack, and less than nothing.

    Examples
    --------
    >>> lacks_dtype(Layout((9, 9)))
    dtype('int16')
    """
    return np.result_type(count_dtype(layout), np.int8)


def as_plane(layout: Layout, lines: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Lines and a margin of wall, 0 throughout.

    Examples
    --------
    >>> as_plane(Layout((2,)), np.ones((1, 3), dtype=np.int8))
    array([1, 1, 1, 0], dtype=int8)
    """
    plane = np.zeros(lines.size + layout.reach, dtype=lines.dtype)
    plane[: lines.size] = lines.reshape(-1)
    return plane
