"""Policies: which cell next.

Three have names and run on bit planes; any object with a ``choose`` method is one too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ndsweep.engine import guesses, rounds
from ndsweep.engine.deal import Dealer
from ndsweep.engine.pairs import Pairs
from ndsweep.engine.slots import Slots
from ndsweep.engine.streams import Ints, Purpose, stream_keys
from ndsweep.solver import inference, rules, stuck
from ndsweep.spec import PolicyError, Spec, in_short

Views = npt.NDArray[np.signedinteger[Any]]
Prover = Callable[[Views], tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]]


@dataclass
class Turn:
    """What a policy may know besides the views: which games these are, and their luck.

    Attributes
    ----------
    spec : Spec
        The kind of game.
    seed : int
        Their seed.
    games : (k,) int64 array
        The numbers of the games, one for each view.
    picks : (k,) int64 array
        How many times each game has drawn from `pick` so far; by default never.
    luck : (k,) float64 array
        The product of the chances that each game's guesses had of surviving, 1 before the first;
        NaN once a guess was made without telling its chance.
    hardest : (k,) uint8 array
        The hardest rule that each game needed so far, numbered as the policy likes; 0 for none.

    Examples
    --------
    >>> import numpy as np, ndsweep as nd
    >>> turn = nd.Turn(nd.Spec((2, 2), 1), seed=0, games=np.array([4, 5]))
    >>> turn.pick(np.array([[False, True, False, False], [True, False, False, False]]))
    array([1, 0])
    """

    spec: Spec
    seed: int
    games: Ints
    picks: Ints = None  # type: ignore[assignment]
    luck: npt.NDArray[np.float64] = None  # type: ignore[assignment]
    hardest: npt.NDArray[np.uint8] = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.picks is None:
            self.picks = np.zeros(self.games.size, dtype=np.int64)
        if self.luck is None:
            self.luck = np.ones(self.games.size)
        if self.hardest is None:
            self.hardest = np.zeros(self.games.size, dtype=np.uint8)

    def pick(self, candidates: npt.NDArray[np.bool_], survival: npt.ArrayLike | None = None) -> Ints:
        """A uniformly random candidate of each game, from the game's own stream.

        Parameters
        ----------
        candidates : (k, *shape) or (k, size) bool array
            The cells to choose from.
        survival : (k,) array of float, optional
            The chance that each game survives the choice, where the policy knows it; it goes into
            ``luck`` where there is a candidate.

        Returns
        -------
        (k,) int64 array
            A flat cell index a game, or -1 where there is no candidate.

        Raises
        ------
        PolicyError
            If there is not one candidate or not for each cell of each game, or not one chance
            between 0 and 1 for each game.
        """
        rows = np.asarray(candidates, dtype=np.bool_)
        if rows.size != self.games.size * self.spec.size or len(rows) != self.games.size:
            raise PolicyError(
                f"candidates must have {self.spec.size} cells for each of {self.games.size} games."
                f" Got shape {rows.shape}."
            )
        rows = rows.reshape(self.games.size, self.spec.size)
        some = np.flatnonzero(rows.any(axis=1))
        chosen = np.full(self.games.size, -1, dtype=np.int64)
        keys = stream_keys(self.seed, Purpose.GUESSES, self.games[some])
        chosen[some] = guesses.pick(keys, self.picks[some], rows[some])
        self.picks[some] += 1
        self.luck[some] *= _checked_chances(survival, self.games.size)[some]
        return chosen

    def check(self) -> None:
        """PolicyError unless ``luck`` and ``hardest`` are numbers of their kind, one a game.

        Examples
        --------
        >>> import numpy as np, ndsweep as nd
        >>> nd.Turn(nd.BEGINNER, seed=0, games=np.arange(3)).check()
        """
        for name, kinds, most in (("luck", "f", 1.0), ("hardest", "iu", 255)):
            try:
                array = np.asarray(getattr(self, name))
            except ValueError:  # rows of different lengths
                array = np.empty(0)
            right = array.shape == self.games.shape and array.dtype.kind in kinds
            if not right or ((array < 0) | (array > most)).any():
                raise PolicyError(
                    f"turn.{name} must be {'an integer' if kinds == 'iu' else 'a chance'} between 0 and {most:g}"
                    f" for each of {self.games.size} games. Got {in_short(getattr(self, name))}."
                )


def _checked_chances(survival: npt.ArrayLike | None, games: int) -> npt.NDArray[np.float64]:
    if survival is None:
        return np.full(games, np.nan)
    try:
        chances = np.asarray(survival, dtype=np.float64)
    except (TypeError, ValueError):
        chances = np.empty((0, 0))
    if chances.shape != (games,) or not ((chances >= 0) & (chances <= 1)).all():
        raise PolicyError(
            f"survival must be a chance between 0 and 1 for each of {games} games. Got {in_short(survival)}."
        )
    return chances


@runtime_checkable
class Policy(Protocol):
    """A policy of your own: one method that looks at views and chooses cells.

    It may be called with any number of games in any order, so it must decide each game from
    its own view alone; `Turn.pick` gives it random numbers that respect that.  An
    attribute ``name`` of the policy names it in results; its class does so otherwise.

    Examples
    --------
    >>> import numpy as np, ndsweep as nd
    >>> class LastHidden:
    ...     def choose(self, views, turn):
    ...         hidden = (views == nd.HIDDEN).reshape(len(views), -1)
    ...         return hidden.shape[1] - 1 - hidden[:, ::-1].argmax(axis=1)
    >>> nd.simulate(nd.Spec((2, 2), 1), 1000, policy=LastHidden()).games
    1000
    """

    def choose(self, views: Views, turn: Turn) -> npt.ArrayLike:
        """One cell for each game.

        Parameters
        ----------
        views : (k, *shape) array of view codes
            What the players of k games see; read-only.
        turn : Turn
            Which games these are.

        Returns
        -------
        (k,) int array
            A flat index of a hidden cell a game.
        """
        ...


@dataclass(frozen=True)
class Named:
    """A policy with a name: its rules on planes, and the same rules by counting on one view.

    Where they are stuck, it goes by exact chances or guesses any cell.  ``slowness`` is how much longer
    that makes games, roughly.

    Examples
    --------
    >>> [policy.name for policy in NAMED.values() if policy.provers]
    ['single-point', 'pairs', 'exact', 'exact+']
    """

    name: str
    round: rounds.Round
    pairs: bool
    provers: tuple[Prover, ...]
    last: rounds.Last = Slots.guess
    verdict: Callable[[npt.NDArray[np.signedinteger[Any]], int], inference.Verdict] | None = None
    slowness: int = 1

    def memory(self, dealer: Dealer, words: int) -> int:
        """Bytes that it takes to play in so many words of slots."""
        layout = dealer.layout
        needed = Slots.memory(dealer, words) + (Pairs.memory(layout, words) if self.pairs else 0)
        return needed + (stuck.memory(layout) if self.verdict is not None else 0)


_RULES = (rules.single_point, rules.pairs)

NAMED = {
    policy.name: policy
    for policy in (
        Named("random", rounds.flood, False, ()),
        Named("single-point", rounds.single_point, False, (rules.single_point,)),
        Named("pairs", rounds.single_point, True, _RULES),
        Named("exact", rounds.single_point, True, _RULES, inference.move_on, inference.verdict_on_view, 16),
        Named("exact+", rounds.single_point, True, _RULES, inference.move_on_ahead, inference.verdict_ahead, 128),
    )
}


def checked_policy(policy: str | Policy) -> Named | Policy:
    """The policy of that name, or the object itself if it is one.

    Examples
    --------
    >>> checked_policy("pairs").name
    'pairs'
    """
    if isinstance(policy, str) and policy in NAMED:
        return NAMED[policy]
    if isinstance(policy, Policy) and not isinstance(policy, type) and callable(policy.choose):
        return policy
    names = ", ".join(map(repr, NAMED))
    raise PolicyError(f"policy must be {names}, or an object with a choose method. Got {policy!r}.")
