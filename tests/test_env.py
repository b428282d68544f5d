"""The environments of Gymnasium step by step beside plain loops, beside each other and beside SyncVectorEnv."""

import copy
import pickle
from math import prod

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_env import PlainEnv, PlainVector
from strategies import specs

import ndsweep as nd
from ndsweep.engine import fields
from ndsweep.frontends.env import (
    ID,
    REWARDS,
    MinesweeperEnv,
    MinesweeperVectorEnv,
    ResetNeeded,
    random_actions,
    setting,
)

MODES = ["NEXT_STEP", "SAME_STEP", "DISABLED"]
KINDS = [
    ((7,), 2, "safe"),
    ((6, 5), 5, "safe"),
    ((3, 4, 3), 4, "opening"),
    ((3, 2, 2, 3), 7, "any"),
    ((1, 1), 0, "any"),
]
SAFE = st.integers(0, 2**40)


def playable(kind):
    """Whether some cell is safe: an environment of a game that is won at the start is refused."""
    shape, mines, _ = kind
    return mines < prod(shape)


@st.composite
def settings_of(draw):
    return {
        "flags": draw(st.booleans()),
        "invalid": draw(st.sampled_from(["penalty", "terminate"])),
        "max_episode_steps": draw(st.none() | st.integers(1, 6)),
        "reward": draw(st.sampled_from(sorted(REWARDS))),
    }


def careless(rng, masks):
    """An action a game: mostly one that has an effect."""
    actions = random_actions(masks.astype(bool), rng)
    return np.where(rng.random(len(actions)) < 0.2, rng.integers(0, masks.shape[1], len(actions)), actions)


def flat(views):
    return views.reshape(len(views), -1).tolist()


# Beside plain loops -------------------------------------------------------------------------------


@settings(max_examples=40)
@given(specs(most_cells=40).filter(playable), settings_of(), SAFE, st.integers(0, 99))
def test_one_game_is_that_of_plain_loops(kind, options, seed, luck):
    env, plain = MinesweeperEnv(nd.Spec(*kind), **options), PlainEnv(*kind, **options)
    rng = np.random.default_rng(luck)
    view, info = env.reset(seed=seed)
    plain.reset(seed)
    for _ in range(20):
        assert view.reshape(-1).tolist() == plain.view()
        assert info["action_mask"].tolist() == plain.mask()
        assert env.observation_space.contains(view)
        action = int(careless(rng, info["action_mask"][None])[0])
        view, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == plain.step(action)[1:]
        if terminated or truncated:
            assert view.reshape(-1).tolist() == plain.view()
            view, info = env.reset()
            plain.reset()


def assert_steps_alike(envs, plain, steps, seed, luck):
    """Steps both, with resets in DISABLED mode, and compares all that comes out."""
    rng = np.random.default_rng(luck)
    views, infos = envs.reset(seed=seed)
    plain.reset(seed)
    kept = []
    for _ in range(steps):
        assert flat(views) == plain.views()
        assert infos["action_mask"].astype(int).tolist() == plain.masks()
        assert infos["_action_mask"].all()
        assert envs.observation_space.contains(views)
        kept.append((views, views.tobytes()))
        actions = careless(rng, infos["action_mask"])
        views, rewards, terminated, truncated, infos = envs.step(actions)
        expected = plain.step(actions.tolist())
        assert (rewards.tolist(), terminated.tolist(), truncated.tolist()) == expected[1:]
        assert_final_alike(infos, plain)
        if plain.mode == "DISABLED" and any(plain.ended):
            assert flat(views) == plain.views()
            mask = np.array(plain.ended)
            plain.reset(rows=np.flatnonzero(mask))
            views, infos = envs.reset(options={"reset_mask": mask})
    assert all(view.tobytes() == before for view, before in kept)


def assert_final_alike(infos, plain):
    assert ("final_obs" in infos) == ("final_info" in infos) == bool(plain.final)
    for i, (view, mask) in plain.final.items():
        assert infos["final_obs"][i].reshape(-1).tolist() == view
        assert infos["final_info"]["action_mask"][i].astype(int).tolist() == mask
    if plain.final:
        rows = [i in plain.final for i in range(len(plain.envs))]
        assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == rows
        assert infos["final_info"]["_action_mask"].tolist() == rows
        assert [view is not None for view in infos["final_obs"]] == rows


@settings(max_examples=40)
@given(
    specs(most_cells=40).filter(playable),
    settings_of(),
    st.sampled_from(MODES),
    st.integers(1, 5),
    SAFE,
    st.integers(0, 99),
)
def test_many_games_are_those_of_plain_loops(kind, options, mode, count, seed, luck):
    envs = MinesweeperVectorEnv(count, nd.Spec(*kind), autoreset_mode=AutoresetMode[mode], **options)
    assert_steps_alike(envs, PlainVector(count, mode, *kind, **options), 12, seed, luck)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("flags", [False, True])
def test_more_games_than_a_word_holds_are_those_of_plain_loops(kind, mode, flags):
    envs = MinesweeperVectorEnv(150, nd.Spec(*kind), autoreset_mode=AutoresetMode[mode], flags=flags)
    assert_steps_alike(envs, PlainVector(150, mode, *kind, flags=flags), 8, 3, 5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("flags", [False, True])
def test_large_grids_which_go_one_by_one_are_those_of_plain_loops(monkeypatch, kind, flags):
    monkeypatch.setattr(fields, "_LARGE", 1)
    envs = MinesweeperVectorEnv(9, nd.Spec(*kind), flags=flags)
    assert_steps_alike(envs, PlainVector(9, "NEXT_STEP", *kind, flags=flags), 20, 8, 1)


# Beside each other --------------------------------------------------------------------------------


def assert_infos_alike(ours, theirs):
    assert set(ours) == set(theirs)
    for name in ours:
        if name == "final_info":
            assert_infos_alike(ours[name], theirs[name])
        elif name == "final_obs":
            assert all(np.array_equal(a, b) for a, b in zip(ours[name], theirs[name], strict=True))
        else:
            np.testing.assert_allclose(np.array(ours[name], float), np.array(theirs[name], float))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "kind", [((7,), 2, "safe"), ((5, 4), 4, "safe"), ((3, 3, 4), 4, "opening"), ((2, 2, 2, 3), 5, "any")]
)
def test_the_vector_is_step_for_step_the_single_one_in_a_sync_vector(kind, mode):
    options = {"flags": True, "mine_probability": True, "max_episode_steps": 9}
    spec, count, rng = nd.Spec(*kind), 6, np.random.default_rng(4)
    ours = MinesweeperVectorEnv(count, spec, autoreset_mode=AutoresetMode[mode], **options)
    singles = [lambda: MinesweeperEnv(spec, **options)] * count
    theirs = SyncVectorEnv(singles, autoreset_mode=AutoresetMode[mode])
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata == theirs.metadata
    (views, infos), (their_views, their_infos) = ours.reset(seed=11), theirs.reset(seed=11)
    for _ in range(16):
        np.testing.assert_array_equal(views, their_views)
        assert_infos_alike(infos, their_infos)
        actions = careless(rng, infos["action_mask"])
        *ours_step, infos = ours.step(actions)
        *their_step, their_infos = theirs.step(actions)
        for a, b in zip(ours_step, their_step, strict=True):
            assert a.dtype == b.dtype
            np.testing.assert_array_equal(a, b)
        views, their_views, ended = ours_step[0], their_step[0], ours_step[2] | ours_step[3]
        if mode == "DISABLED" and ended.any():
            views, infos = ours.reset(options={"reset_mask": ended})
            their_views, their_infos = theirs.reset(options={"reset_mask": ended})
            told = {name: values[ended] for name, values in infos.items()}
            assert_infos_alike(told, {name: values[ended] for name, values in their_infos.items()})
            their_infos = infos  # of the others ours are told too


# Seeds --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_episodes_are_the_games_of_their_seeds_one_after_the_other(mode):
    spec, rng = nd.Spec((5, 5), 6), np.random.default_rng(0)
    envs = MinesweeperVectorEnv(4, spec, autoreset_mode=AutoresetMode[mode])
    _, infos = envs.reset(seed=40)
    assert envs.episodes == [(40, 0), (41, 0), (42, 0), (43, 0)]
    games = [nd.Game.new(spec, seed, number) for seed, number in envs.episodes]
    for _ in range(60):
        before = envs.episodes
        actions = random_actions(infos["action_mask"], rng)
        views, _, _, _, infos = envs.step(actions)
        for i, (seed, number) in enumerate(envs.episodes):
            if (seed, number) == before[i]:
                games[i].reveal(int(actions[i]))
            else:
                assert number == before[i][1] + 1
                games[i] = nd.Game.new(spec, seed, number)
            assert np.array_equal(views[i], games[i].view)
    assert min(number for _, number in envs.episodes) >= 3


def test_a_reset_without_a_seed_goes_on_to_the_next_games():
    envs = MinesweeperVectorEnv(2, nd.Spec((4, 4), 3))
    envs.reset(seed=7)
    envs.reset()
    assert envs.episodes == [(7, 1), (8, 1)]
    envs.reset(seed=[None, 3])
    assert envs.episodes == [(7, 2), (3, 0)]
    envs.reset(seed=1, options={"reset_mask": np.array([False, True])})
    assert envs.episodes == [(7, 2), (2, 0)]
    single = MinesweeperEnv(nd.Spec((4, 4), 3))
    single.reset(seed=7)
    single.reset()
    assert single.episode == (7, 1)


def test_a_reset_begins_the_next_game_once_after_an_end():
    envs = MinesweeperVectorEnv(1, nd.Spec((3,), 2))
    envs.reset(seed=7)
    assert envs.step([0])[2].all()
    envs.reset()
    assert envs.episodes == [(7, 1)]
    assert envs.step([2])[2].all()


def test_seeds_that_nobody_gave_are_different_ones():
    one, other = MinesweeperVectorEnv(2), MinesweeperVectorEnv(2)
    one.reset()
    other.reset()
    assert one.episodes != other.episodes
    assert [b[0] - a[0] for a, b in [one.episodes]] == [1]
    one.reset()
    assert [number for _, number in one.episodes] == [1, 1]
    env = MinesweeperEnv()
    env.reset()
    assert env.episode[0] == env.np_random_seed


def test_a_seed_may_be_a_number_of_numpy_alone():
    envs = MinesweeperVectorEnv(2, nd.BEGINNER)
    envs.reset(seed=np.array(5))
    assert [seed for seed, _ in envs.episodes] == [5, 6]


def test_seeds_of_numpy_and_large_ones_are_seeds():
    envs = MinesweeperVectorEnv(2, nd.Spec((3, 3), 2))
    envs.reset(seed=np.int64(5))
    assert envs.episodes == [(5, 0), (6, 0)]
    envs.reset(seed=np.array([1, 2]))
    assert envs.episodes == [(1, 0), (2, 0)]
    envs.reset(seed=2**70)
    assert envs.episodes[1] == (2**70 + 1, 0)
    env = MinesweeperEnv(nd.Spec((3, 3), 2))
    env.reset(seed=np.int64(5))
    assert env.episode == (5, 0)


@pytest.mark.parametrize("copied", [lambda env: pickle.loads(pickle.dumps(env)), copy.deepcopy])
@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_a_copy_goes_on_as_the_original(copied, mode):
    envs = MinesweeperVectorEnv(70, nd.Spec((5, 5), 4), flags=True, autoreset_mode=AutoresetMode[mode])
    _, infos = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(4):
        _, _, _, _, infos = envs.step(careless(rng, infos["action_mask"]))
    other = copied(envs)
    for _ in range(10):
        actions = careless(rng, infos["action_mask"])
        views, rewards, _, _, infos = envs.step(actions)
        others = other.step(actions)
        assert views.tobytes() == others[0].tobytes()
        assert rewards.tolist() == others[1].tolist()
    single = MinesweeperEnv(nd.Spec((5, 5), 4))
    single.reset(seed=1)
    single.step(3)
    assert copied(single).step(20)[0].tobytes() == single.step(20)[0].tobytes()


# What may be seen ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [((9,), 3, "safe"), ((4, 4), 4, "safe"), ((4, 3, 2), 3, "opening"), ((2, 2, 2, 2), 4, "any")]
)
def test_equal_views_of_different_layouts_are_told_alike(kind):
    spec, count, first, second = nd.Spec(*kind), 400, 1, prod(kind[0]) - 1
    envs = MinesweeperVectorEnv(count, spec, mine_probability=True, flags=True)
    envs.reset(seed=0)
    compared = 0
    for action in (spec.size + 2, first, second):
        views, _, terminated, _, infos = envs.step(np.full(count, action))
        alike = {}
        for i in np.flatnonzero(~terminated):
            mines = nd.Board.deal(spec, int(i), 0, first).mines.tobytes()
            told = [views[i].tobytes(), *(infos[name][i].tobytes() for name in sorted(infos))]
            layouts, expected = alike.setdefault(views[i].tobytes(), (set(), told))
            layouts.add(mines)
            assert told == expected
        compared += max(len(layouts) for layouts, _ in alike.values()) > 1
        assert len({(len(kept), kept.dtype) for kept in infos.values()}) <= 3
    assert compared >= 2


def test_the_teacher_knows_the_chances_of_the_view():
    spec = nd.Spec((4, 4), 4)
    envs = MinesweeperVectorEnv(30, spec, mine_probability=True, autoreset_mode=AutoresetMode.SAME_STEP)
    views, infos = envs.reset(seed=2)
    assert np.allclose(infos["mine_probability"], 4 / 16)
    rng = np.random.default_rng(0)
    finals = 0
    for _ in range(6):
        views, _, _, _, infos = envs.step(random_actions(infos["action_mask"], rng))
        for view, chances in zip(views, infos["mine_probability"], strict=True):
            hidden = view == nd.HIDDEN
            np.testing.assert_allclose(chances[hidden], nd.mine_probability(view, 4).p[hidden])
            assert not chances[~hidden].any()
        for i in np.flatnonzero(infos.get("_final_obs", [])):
            expected = np.nan_to_num(nd.mine_probability(infos["final_obs"][i], 4).p)
            np.testing.assert_allclose(infos["final_info"]["mine_probability"][i], expected)
            finals += 1
    assert finals > 10


@pytest.mark.parametrize(
    ("kind", "high", "dtype"),
    [
        (((9, 9), 10), 8, np.int8),
        (((9, 9), 3), 3, np.int8),
        (((9,), 4), 2, np.int8),
        (((1, 9), 4), 2, np.int8),
        (((2, 9, 9), 40), 17, np.int8),
        (((3, 3, 3, 3), 80), 80, np.int8),
        (((3,) * 5, 242), 242, np.int16),
    ],
)
def test_the_bounds_of_views_are_those_that_occur(kind, high, dtype):
    env = MinesweeperEnv(nd.Spec(*kind))
    space = env.observation_space
    assert (space.low.min(), space.high.max(), space.dtype) == (nd.MINE, high, dtype)
    assert space.shape == kind[0]


def test_the_largest_hint_lies_within_the_bounds():
    shape = (3,) * 5
    envs = MinesweeperVectorEnv(2, nd.Spec(shape, 242))
    envs.reset(seed=0)
    views, _, terminated, _, _ = envs.step([121, 0])
    assert views.max() == 242
    assert terminated.all()
    assert envs.observation_space.contains(views)


# Gymnasium ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"flags": True, "mine_probability": True},
        {"spec": nd.Spec((4, 4, 4), 9)},
        {"spec": nd.Spec((8,), 1, "opening")},
    ],
)
def test_the_checker_of_gymnasium_finds_nothing(options):
    options = {"spec": nd.Spec((6, 6), 4), **options}
    check_env(gymnasium.make(ID, **options).unwrapped)
    check_env(gymnasium.make(ID, render_mode="ansi", **options).unwrapped, skip_render_check=True)


def test_a_position_that_is_beyond_the_budget_is_said_to_be_unknown(monkeypatch):
    asked = setting.mine_probability

    def refused(views, mines, **options):
        if (views[:, 0, 0] == 1).any():
            raise nd.TooLargeError("budget must be larger")
        return asked(views, mines, **options)

    monkeypatch.setattr(setting, "mine_probability", refused)
    envs = MinesweeperVectorEnv(40, nd.Spec((4, 4), 4), mine_probability=True)
    single = SyncVectorEnv([lambda: MinesweeperEnv(nd.Spec((4, 4), 4), mine_probability=True)] * 40)
    envs.reset(seed=1)
    single.reset(seed=1)
    views, *_, infos = envs.step(np.zeros(40, dtype=int))
    expected = single.step(np.zeros(40, dtype=int))[-1]
    unknown = views[:, 0, 0] == 1
    assert 0 < unknown.sum() < 40
    np.testing.assert_array_equal(infos["_mine_probability"], ~unknown)
    for name in ("mine_probability", "_mine_probability"):
        np.testing.assert_array_equal(infos[name], expected[name])


def test_what_a_game_that_rests_is_told_is_not_looked_at():
    envs = MinesweeperVectorEnv(2, nd.Spec((3,), 1, "any"), invalid="terminate")
    envs.reset(seed=0)
    envs.step([0, 0])
    ended = envs.step([0, 0])[2]
    assert ended.all()
    assert envs.step([-1, 77])[1].tolist() == [0, 0]
    with pytest.raises(nd.CellError, match="actions must lie in"):
        envs.step([-1, 0])


def test_a_game_that_has_ended_stays_so_though_its_reward_fails():
    def failing(outcome):
        if outcome.lost.any():
            raise RuntimeError("no reward")
        return outcome.opened

    envs = MinesweeperVectorEnv(1, nd.Spec((8,), 4, "any"), reward=failing, autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=0)
    mines = nd.Board.deal(nd.Spec((8,), 4, "any"), seed=0, first_cell=0).mines
    safe = int((~mines).argmax())
    envs.step([safe])
    with pytest.raises(RuntimeError, match="no reward"):
        envs.step([int(mines.argmax())])
    with pytest.raises(ResetNeeded):
        envs.step([int(np.flatnonzero(~mines)[-1])])


def test_environments_are_made_by_name():
    env = gymnasium.make(f"ndsweep.frontends.env:{ID}", spec=nd.EXPERT, max_episode_steps=5)
    assert isinstance(env.unwrapped, MinesweeperEnv)
    assert env.reset(seed=0)[0].shape == (16, 30)
    envs = gymnasium.make_vec(ID, num_envs=3, spec=nd.EXPERT, autoreset_mode=AutoresetMode.SAME_STEP, reward="win")
    assert isinstance(envs, MinesweeperVectorEnv)
    assert (envs.num_envs, envs.metadata["autoreset_mode"]) == (3, AutoresetMode.SAME_STEP)
    synced = gymnasium.make_vec(ID, num_envs=2, vectorization_mode="sync", spec=nd.BEGINNER)
    (views, _), (others, _) = synced.reset(seed=5), gymnasium.make_vec(ID, num_envs=2).reset(seed=5)
    assert np.array_equal(views, others)
    for made in (env, envs, synced):
        made.close()
        made.close()


def test_the_mask_is_one_that_spaces_sample_by():
    env = MinesweeperEnv(nd.Spec((3, 3), 2))
    _, info = env.reset(seed=1)
    env.action_space.seed(0)
    _, _, _, _, info = env.step(4)
    hidden = np.flatnonzero(info["action_mask"])
    assert {int(env.action_space.sample(info["action_mask"])) for _ in range(200)} == set(hidden.tolist())


def test_texts_are_drawn_of_one_game_and_of_many():
    env = MinesweeperEnv(nd.Spec((1, 4), 1, "opening"), render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == "# # # #"
    env.step(0)
    game = nd.Game.new(nd.Spec((1, 4), 1, "opening"))
    game.reveal(0)
    assert env.render() == str(game)
    envs = MinesweeperVectorEnv(2, nd.Spec((1, 4), 1, "opening"), render_mode="ansi", flags=True)
    envs.reset(seed=0)
    envs.step([0, 5])
    assert envs.render() == (str(game), "# F # #")


def test_images_are_drawn_of_one_game_and_of_many():
    env = MinesweeperEnv(nd.Spec((4, 5), 3), render_mode="rgb_array")
    env.reset(seed=0)
    env.step(7)
    image = env.render()
    assert image.dtype == np.uint8
    assert image.ndim == 3
    assert image.shape[2] == 3
    envs = MinesweeperVectorEnv(2, nd.Spec((4, 5), 3), render_mode="rgb_array")
    envs.reset(seed=0)
    envs.step([7, 8])
    images = envs.render()
    assert len(images) == 2
    assert np.array_equal(images[0], image)


def test_without_a_mode_nothing_is_drawn():
    for env in (MinesweeperEnv(), MinesweeperVectorEnv()):
        env.reset(seed=0)
        with pytest.warns(UserWarning, match="render shows nothing without a mode"):
            assert env.render() is None
