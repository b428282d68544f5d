"""Tasks are named by what decides their outcome, and grids are products."""

import hashlib
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from players import Uniform
from strategies import seeds, specs

from ndsweep import BEGINNER, EXPERT, STREAM_VERSION, PolicyError, Spec, SpecError, Task, grid
from ndsweep.tasks import checked_tasks


def test_the_key_is_the_hash_of_a_text_that_anybody_can_write():
    text = (
        '{"first":"safe","first_cell":17,"mines":99,"policy":"pairs","seed":-5,"shape":[16,30],'
        f'"stream_version":{STREAM_VERSION}}}'
    )
    task = Task(EXPERT, "pairs", -5, 17)
    assert task.text == text
    assert task.key == hashlib.sha256(text.encode()).hexdigest()


def test_everything_that_decides_the_outcome_is_in_the_key(monkeypatch):
    tasks = [
        Task(BEGINNER),
        Task(Spec((9, 9), 11)),
        Task(Spec((81,), 10)),
        Task(Spec((9, 9), 10, "any")),
        Task(BEGINNER, "pairs"),
        Task(BEGINNER, Uniform()),
        Task(BEGINNER, seed=1),
        Task(BEGINNER, first_cell=0),
        Task(BEGINNER, first_cell=1),
    ]
    keys = {task.key for task in tasks}
    assert len(keys) == len(tasks)
    monkeypatch.setattr("ndsweep.tasks.STREAM_VERSION", STREAM_VERSION + 1)
    assert keys.isdisjoint(task.key for task in tasks)


@given(specs(), seeds, st.sampled_from(["random", "single-point", "pairs"]))
def test_the_text_gives_the_task_again(kind, seed, policy):
    task = Task(Spec(*kind), policy, seed)
    assert json.loads(task.text) == task.identity
    assert Task.from_text(task.text) == task


def test_a_policy_of_ones_own_comes_back_as_its_name():
    task = Task(BEGINNER, Uniform(), first_cell=(4, 4))
    again = Task.from_text(task.text)
    assert (again.key, again.policy_name, again.flat_cell) == (task.key, task.policy_name, 40)
    with pytest.raises(PolicyError, match="known by its name alone"):
        again.policy.choose(None, None)


def test_one_cell_has_one_key_however_it_is_written():
    forms = [0, (0, 0), "corner", np.array([0, 0]), np.int8(0)]
    assert len({Task(BEGINNER, first_cell=form).key for form in forms}) == 1
    assert Task(BEGINNER, seed=np.int64(3)).key == Task(BEGINNER, seed=3).key


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("expert",), "spec must be a Spec"),
        ((BEGINNER, "clever"), "policy must be"),
        ((BEGINNER, "pairs", 1.5), "seed must be an integer"),
        ((BEGINNER, "pairs", 0, 81), r"first_cell must lie in 0..80"),
        ((Spec((3, 3), 5, "opening"), "pairs", 0, 4), "has no room|mines must be between"),
    ],
)
def test_wrong_tasks(arguments, message):
    with pytest.raises(ValueError, match=message):
        Task(*arguments)


def test_a_name_of_ours_is_marked_on_a_policy_of_ones_own():
    own, marked = Uniform(), Uniform()
    own.name, marked.name = "pairs", "own pairs"
    tasks = [Task(BEGINNER, "pairs"), Task(BEGINNER, own), Task(BEGINNER, marked)]
    assert [task.policy_name for task in tasks] == ["pairs", "own pairs", "own own pairs"]
    assert [Task.from_text(task.text).key for task in tasks] == [task.key for task in tasks]


def test_a_seed_of_a_study_can_be_written():
    assert len(Task(BEGINNER, seed=10**3999).key) == 64
    with pytest.raises(SpecError, match="seed must have less than 4001 digits"):
        checked_tasks([Task(BEGINNER, seed=-(10**4000))])


# Grids ---------------------------------------------------------------------------------------


def test_a_grid_is_a_product_whose_last_argument_varies_fastest():
    tasks = grid([(10,), (4, 4)], [0.1, 0.25], ["random", "pairs"], ["any", "safe"], seed=3, first_cell=0)
    found = [(t.spec.shape, t.spec.mines, t.spec.first, t.policy, t.seed, t.flat_cell) for t in tasks]
    expected = [
        (shape, mines, first, policy, 3, 0)
        for shape, counts in (((10,), (1, 2)), ((4, 4), (2, 4)))
        for mines in counts
        for first in ("any", "safe")
        for policy in ("random", "pairs")
    ]
    assert found == expected


def test_one_value_needs_no_list():
    assert grid((4, 4), 0.25) == grid([(4, 4)], [0.25], ["single-point"], ["safe"])
    assert grid(np.array([4, 4]), mines=3) == [Task(Spec((4, 4), 3))]
    own = Uniform()
    assert [task.policy for task in grid((4, 4), 0.25, own)] == [own]


def test_settings_that_come_to_the_same_are_one():
    assert len(grid([(4, 4), (4, 4)], [0.1, 0.12, 0.12, 0.2], ["pairs", "pairs"])) == 2


def test_densities_may_come_from_numpy():
    assert [t.spec.mines for t in grid((10, 10), np.linspace(0, 0.2, 3))] == [0, 10, 20]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shapes": (4, 4)}, "densities or mines must be given"),
        ({"shapes": (4, 4), "densities": 0.1, "mines": 3}, "not both"),
        ({"shapes": "4x4", "mines": 3}, "shapes must be a sequence of shapes"),
        ({"shapes": [], "mines": 3}, "shapes must not be empty|at least one axis"),
        ({"shapes": [(4, 0)], "mines": 3}, "sizes of 1 or more"),
        ({"shapes": [4, (4, 4)], "mines": 3}, "shapes must be a sequence of integers"),
        ({"shapes": (4, 4), "densities": [0.1, 1.5]}, r"densities must be numbers between 0 and 1. Got 1.5"),
        ({"shapes": (4, 4), "densities": ["a"]}, "densities must be numbers"),
        ({"shapes": (4, 4), "densities": [float("nan")]}, "densities must be numbers"),
        ({"shapes": (4, 4), "densities": True}, "densities must be numbers"),
        ({"shapes": (4, 4), "densities": []}, "densities must not be empty"),
        ({"shapes": (4, 4), "mines": 2.5}, "mines must be"),
        ({"shapes": (4, 4), "mines": [-1]}, "mines must be an integer of 0 or more"),
        ({"shapes": (4, 4), "mines": 16}, "mines must be between 0 and 15"),
        ({"shapes": (4, 4), "mines": 1, "first": "lucky"}, "first must be one of"),
        ({"shapes": (4, 4), "mines": 1, "policies": ["clever"]}, "policy must be"),
    ],
)
def test_wrong_grids(arguments, message):
    with pytest.raises(ValueError, match=message):
        grid(**arguments)


# Lists of tasks ------------------------------------------------------------------------------


def test_specs_and_tuples_are_tasks():
    assert checked_tasks([BEGINNER, (BEGINNER, "pairs"), (BEGINNER, "pairs", 4), Task(EXPERT)]) == [
        Task(BEGINNER),
        Task(BEGINNER, "pairs"),
        Task(BEGINNER, "pairs", 4),
        Task(EXPERT),
    ]
    assert checked_tasks(EXPERT) == checked_tasks(iter([EXPERT])) == [Task(EXPERT)]


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        (5, "tasks must be a sequence of tasks"),
        ("expert", "tasks must be a sequence of tasks"),
        (["expert"], "tasks must hold tasks, specs, or tuples"),
        ([()], "tasks must hold"),
        ([BEGINNER, EXPERT, (BEGINNER, "single-point")], "tasks must differ. Numbers 0 and 2 are both 9x9/10"),
    ],
)
def test_wrong_lists(tasks, message):
    with pytest.raises(SpecError, match=message):
        checked_tasks(tasks)
