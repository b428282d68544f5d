"""Rewards of the environments, what they are told, and every message about a wrong argument."""

import re
import subprocess
import sys
from functools import partial

import gymnasium
import numpy as np
import pytest

import ndsweep as nd
from ndsweep.frontends.env import REWARDS, MinesweeperEnv, MinesweeperVectorEnv, Outcome, ResetNeeded, random_actions
from ndsweep.frontends.env.rewards import jumanji, progress, win
from ndsweep.spec import CellError, SpecError, TooLargeError

LINE = nd.Spec((8,), 2)  # seed and game are looked for, so that the layout is known


def seed_of(mines, first):
    """A seed whose game 0 has these mines on LINE when a cell is revealed first."""
    for seed in range(10_000):
        if np.flatnonzero(nd.Board.deal(LINE, seed, 0, first).mines).tolist() == mines:
            return seed
    raise AssertionError(mines)


SEED = seed_of([3, 6], 0)


def rewards_of(reward, actions, **options):
    """The rewards of one game on ``# # # * # # * #``, and whether it has ended, from both environments alike."""
    env, envs = (make(spec=LINE, reward=reward, **options) for make in (MinesweeperEnv, MinesweeperVectorEnv))
    env.reset(seed=SEED)
    envs.reset(seed=SEED)
    rewards = []
    for action in actions:
        _, value, ended, _, _ = env.step(action)
        _, values, also_ended, _, _ = envs.step([action])
        assert ([value], [ended]) == (values.tolist(), also_ended.tolist())
        assert type(value) is float
        rewards.append(value)
    return rewards, ended


@pytest.mark.parametrize(
    ("reward", "won", "lost", "idle"),
    [
        ("win", [0, 0, 0, 1], [0, -1], [0, -0.1]),
        ("progress", [3 / 6, 1 / 6, 1 / 6, 1 / 6], [3 / 6, -1], [3 / 6, -0.1]),
        ("jumanji", [1, 1, 1, 1], [1, 0], [1, 0]),
        (partial(win, penalty=0.25), [0, 0, 0, 1], [0, -1], [0, -0.25]),
        (partial(progress, penalty=0), [3 / 6, 1 / 6, 1 / 6, 1 / 6], [3 / 6, -1], [3 / 6, 0]),
        (partial(jumanji, penalty=2), [1, 1, 1, 1], [1, 0], [1, -2]),
    ],
)
def test_rewards_of_games_won_lost_and_idled(reward, won, lost, idle):
    assert rewards_of(reward, [0, 4, 5, 7]) == (won, True)
    assert rewards_of(reward, [0, 6]) == (lost, True)
    assert rewards_of(reward, [0, 1]) == (idle, False)


@pytest.mark.parametrize(("reward", "end"), [("win", -1), ("progress", -1), ("jumanji", 0)])
def test_an_action_without_effect_may_lose_the_game(reward, end):
    rewards, ended = rewards_of(reward, [0, 1], invalid="terminate")
    assert (rewards[1], ended) == (end, True)


def test_a_reward_is_told_what_the_step_did():
    told = []

    def note(outcome):
        told.append(outcome)
        return outcome.opened

    envs = MinesweeperVectorEnv(3, LINE, reward=note, flags=True)
    envs.reset(seed=[SEED] * 3)
    first = envs.step([8 + 3, 0, 7])
    second = envs.step([3, 8 + 5, 6])
    third = envs.step([0, 5, 1])
    assert [outcome.opened.tolist() for outcome in told] == [[0, 3, 1], [0, 0, 1], [3, 0, 0]]
    assert [outcome.flagged.tolist() for outcome in told] == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert [outcome.idle.tolist() for outcome in told] == [[False] * 3, [True, False, False], [False, True, False]]
    assert [outcome.first.tolist() for outcome in told] == [[False, True, True], [False] * 3, [True, False, False]]
    assert [outcome.ended.tolist() for outcome in told] == [[False] * 3, [False, False, True], [False] * 3]
    assert [outcome.lost.tolist() for outcome in told] == [[False] * 3, [False, False, True], [False] * 3]
    assert [outcome.won.any() for outcome in told] == [False] * 3
    assert [outcome.safe_left.tolist() for outcome in told] == [[6, 3, 5], [6, 3, 5], [3, 3, 6]]
    assert [outcome.status.tolist() for outcome in told] == [[0, 0, 0], [0, 0, 2], [0, 0, 0]]
    assert {outcome.safe for outcome in told} == {6}
    assert [step[1].tolist() for step in (first, second, third)] == [[0, 3, 1], [0, 0, 1], [3, 0, 0]]


def test_what_the_single_environment_tells_a_reward_is_the_same():
    told = {1: [], 3: []}

    def note(outcome):
        told[len(outcome.opened)].append(outcome)
        return outcome.opened > 0

    spec, rng = nd.Spec((4, 4), 4), np.random.default_rng(3)
    options = {"reward": note, "flags": True}
    envs = MinesweeperVectorEnv(3, spec, **options)
    single = MinesweeperEnv(spec, **options)
    _, infos = envs.reset(seed=0)
    single.reset(seed=1)
    ended = False
    for _ in range(60):
        actions = np.where(rng.random(3) < 0.2, rng.integers(0, 32, 3), random_actions(infos["action_mask"], rng))
        infos = envs.step(actions)[-1]
        if ended:
            single.reset()
            told[3].pop()
            ended = False
        else:
            ended = single.step(int(actions[1]))[2]
    assert len(told[1]) == len(told[3]) > 30
    for one, many in zip(told[1], told[3], strict=True):
        for name in ("opened", "flagged", "idle", "first", "status", "ended", "safe_left"):
            mine, theirs = getattr(one, name), getattr(many, name)
            assert (mine[0], mine.dtype) == (theirs[1], theirs.dtype), name


def test_games_that_rest_have_no_reward_of_ones_own_making():
    envs = MinesweeperVectorEnv(1, LINE, reward=lambda outcome: [5])
    envs.reset(seed=SEED)
    assert [envs.step([cell])[1].tolist() for cell in (0, 3, 0, 0)] == [[5], [5], [0], [5]]


# Messages -----------------------------------------------------------------------------------------

MADE = [
    ({"spec": "expert"}, "spec must be a Spec. Got 'expert'."),
    ({"spec": nd.Spec((3,), 3, "any")}, "spec must leave a safe cell. Got Spec(shape=(3,), mines=3, first='any')."),
    (
        {"spec": nd.Spec((5, 5), 20, "opening")},
        "mines must be between 0 and 16 for shape (5, 5) with first='opening' and any first cell. Got 20.",
    ),
    ({"reward": "wins"}, "reward must be 'win', 'progress', 'jumanji' or a function of an Outcome. Got 'wins'."),
    ({"reward": None}, "reward must be 'win', 'progress', 'jumanji' or a function of an Outcome. Got None."),
    ({"flags": 1}, "flags must be True or False. Got 1."),
    ({"mine_probability": "yes"}, "mine_probability must be True or False. Got 'yes'."),
    ({"invalid": "ignore"}, "invalid must be 'penalty' or 'terminate'. Got 'ignore'."),
    ({"invalid": ["penalty"]}, "invalid must be 'penalty' or 'terminate'. Got ['penalty']."),
    ({"max_episode_steps": 0}, "max_episode_steps must be an integer of 1 or more. Got 0."),
    ({"render_mode": "human"}, "render_mode must be 'ansi', 'rgb_array' or None. Got 'human'."),
]


@pytest.mark.parametrize("make", [MinesweeperEnv, MinesweeperVectorEnv])
@pytest.mark.parametrize(("arguments", "message"), MADE)
def test_what_cannot_be_made_is_refused(make, arguments, message):
    with pytest.raises(SpecError, match=f"^{re.escape(message)}$"):
        make(**arguments)


def test_a_vector_of_none_or_in_no_mode_is_refused():
    with pytest.raises(SpecError, match=r"^num_envs must be an integer of 1 or more. Got 0\.$"):
        MinesweeperVectorEnv(0)
    message = (
        "autoreset_mode must be one of AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED."
        " Got 'later'."
    )
    with pytest.raises(SpecError, match=f"^{re.escape(message)}$"):
        MinesweeperVectorEnv(autoreset_mode="later")
    with pytest.raises(SpecError, match="autoreset_mode must be"):
        MinesweeperVectorEnv(autoreset_mode=[])
    with pytest.raises(TooLargeError, match=r"^1000000000 games of shape \(16, 30\) would need"):
        MinesweeperVectorEnv(10**9, nd.EXPERT)
    assert MinesweeperVectorEnv(autoreset_mode="SameStep").autoreset_mode.name == "SAME_STEP"


def test_games_in_their_thousands_and_grids_of_a_million_are_not_too_large():
    assert MinesweeperVectorEnv(10_000, nd.BEGINNER).num_envs == 10_000
    envs = MinesweeperVectorEnv(2, nd.Spec((1000, 1000), 10_000))
    envs.reset(seed=0)
    views, _, _, _, _ = envs.step([0, 500_500])
    for i, cell in enumerate([0, 500_500]):
        game = nd.Game.new(nd.Spec((1000, 1000), 10_000), i)
        game.reveal(cell)
        assert np.array_equal(views[i], game.view)


@pytest.mark.parametrize("make", [MinesweeperEnv, MinesweeperVectorEnv])
@pytest.mark.parametrize(
    ("seed", "shown"), [(-1, "-1"), (1.5, "1.5"), ("1", "'1'"), (True, "True"), (np.int64(-3), "-3")]
)
def test_what_is_no_seed_is_refused(make, seed, shown):
    with pytest.raises(SpecError, match=rf"^seed must be an integer of 0 or more. Got {re.escape(shown)}\.$"):
        make(spec=LINE).reset(seed=seed)


def test_seeds_are_one_a_game():
    envs = MinesweeperVectorEnv(3, LINE)
    with pytest.raises(SpecError, match=r"^seed must be an integer or 3 of them. Got 2\.$"):
        envs.reset(seed=[1, 2])
    with pytest.raises(SpecError, match=r"^seed must be an integer of 0 or more. Got -2\.$"):
        envs.reset(seed=[1, -2, 3])


@pytest.mark.parametrize("flags", [False, True])
def test_what_is_no_action_is_refused(flags):
    env, envs = (make(spec=LINE, flags=flags) for make in (MinesweeperEnv, MinesweeperVectorEnv))
    most = 15 if flags else 7
    env.reset(seed=0)
    envs.reset(seed=0)
    for action in (-1, most + 1, 2.0, True):
        with pytest.raises(SpecError, match=rf"^action must be an integer between 0 and {most}. Got {action}\.$"):
            env.step(action)
    for action in (-1, most + 1):
        with pytest.raises(CellError, match=rf"^actions must lie in 0..{most}. Got {action} for game 0\.$"):
            envs.step([action])
    with pytest.raises(
        CellError, match=r"^actions must be integers of shape \(1,\), .* Got float64 of shape \(1,\)\.$"
    ):
        envs.step([1.0])
    with pytest.raises(CellError, match=r"Got int64 of shape \(2,\)\.$"):
        envs.step([1, 2])
    assert env.step(most)[0].shape == envs.step([most])[0][0].shape


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        (np.ones(2, int), "reset_mask must be a boolean array of shape (3,). Got int64 of shape (2,)."),
        ([True, False], "reset_mask must be a boolean array of shape (3,). Got bool of shape (2,)."),
        (np.zeros(3, bool), "reset_mask must be True for one game at the least. Got none."),
    ],
)
def test_what_is_no_reset_mask_is_refused(mask, message):
    envs = MinesweeperVectorEnv(3, LINE)
    envs.reset(seed=0)
    with pytest.raises(SpecError, match=f"^{re.escape(message)}$"):
        envs.reset(options={"reset_mask": mask})
    assert envs.episodes == [(0, 0), (1, 0), (2, 0)]


def test_a_reset_mask_is_left_in_the_options():
    envs, options = MinesweeperVectorEnv(2, LINE), {"reset_mask": np.array([True, False])}
    envs.reset(seed=0)
    envs.reset(options=options)
    assert set(options) == {"reset_mask"}
    assert envs.episodes == [(0, 1), (1, 0)]


def test_a_reset_is_needed_before_and_after_a_game():
    assert issubclass(ResetNeeded, nd.SweepError)
    assert issubclass(ResetNeeded, gymnasium.error.ResetNeeded)
    env, envs = MinesweeperEnv(LINE), MinesweeperVectorEnv(2, LINE, autoreset_mode="Disabled")
    for early, what in ((lambda: env.step(0), "step"), (lambda: envs.step([0, 0]), "step")):
        with pytest.raises(ResetNeeded, match=rf"^reset must be called before {what}\.$"):
            early()
    for early in (env.render, envs.render):
        with pytest.raises(ResetNeeded, match=r"^reset must be called before render\.$"):
            early()
    with pytest.raises(ResetNeeded, match=r"^reset must be called before there is an episode\.$"):
        _ = env.episode
    with pytest.raises(ResetNeeded, match=r"^reset must be called for all games before it is called with a reset_mask"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    env.reset(seed=SEED)
    envs.reset(seed=[SEED + 1, SEED])
    env.step(0)
    envs.step([0, 0])
    assert env.step(3)[2]
    ended = envs.step([0, 3])[2]
    assert ended.tolist() == [False, True]
    with pytest.raises(ResetNeeded, match=r"^reset must be called after the end of an episode, before step\.$"):
        env.step(4)
    with pytest.raises(ResetNeeded, match=r"for games that have ended, before step. Game 1 has\.$"):
        envs.step([0, 0])
    envs.reset(options={"reset_mask": ended})
    assert envs.step([0, 0])[1].shape == (2,)


@pytest.mark.parametrize(
    ("reward", "message"),
    [
        (lambda outcome: 1.0, "reward must give 2 numbers, one a game. Got float64 of shape ()."),
        (lambda outcome: [1, 2, 3], "reward must give 2 numbers, one a game. Got int64 of shape (3,)."),
        (lambda outcome: None, "reward must give 2 numbers, one a game. Got object of shape ()."),
        (lambda outcome: [1j, 1], "reward must give 2 numbers, one a game. Got complex128 of shape (2,)."),
    ],
)
def test_a_reward_that_gives_no_numbers_is_refused(reward, message):
    envs = MinesweeperVectorEnv(2, LINE, reward=reward)
    envs.reset(seed=0)
    with pytest.raises(SpecError, match=f"^{re.escape(message)}$"):
        envs.step([0, 0])


@pytest.mark.parametrize(
    ("mask", "shown"),
    [
        ([[True]], "list"),
        (np.ones((2, 3)), "float64 of shape (2, 3)"),
        (np.ones(3, bool), "bool of shape (3,)"),
        (np.ones((3, 0), bool), "bool of shape (3, 0)"),
    ],
)
def test_what_is_no_mask_is_refused(mask, shown):
    with pytest.raises(
        SpecError, match=rf"^mask must be a boolean array of shape \(n, actions\). Got {re.escape(shown)}"
    ):
        random_actions(mask, np.random.default_rng(0))


def test_the_rewards_by_name_are_those_that_are_documented():
    assert {"win": win, "progress": progress, "jumanji": jumanji} == REWARDS
    assert Outcome.__doc__


def test_without_gymnasium_the_message_says_what_to_install():
    program = "import sys; sys.modules['gymnasium'] = None; import ndsweep.frontends.env"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert 'gymnasium of 1.1 or later: pip install "ndsweep[rl]"' in run.stderr.splitlines()[-1]
    program = "import sys, ndsweep; assert 'gymnasium' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
