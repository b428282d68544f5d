"""Imports only go down, never up and never sideways, and heavy libraries are loaded where they are used."""

import ast
from pathlib import Path

import pytest

import ndsweep

PACKAGE = Path(ndsweep.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
MOST_LINES = 400
HEAVY = {
    "scipy", "pandas", "tqdm", "matplotlib", "tkinter", "xarray", "pyarrow", "anywidget", "traitlets", "IPython",
    "gymnasium",
}  # fmt: skip
DOORS = {"frontends.env": {"gymnasium"}}  # rooms whose classes derive from those of a library; nothing imports them

# Floors from the top down. A floor in a list: each may use those that stand after it. A floor in a
# set: none uses another of them.
FLOORS = [
    {"frontends", "interop"},
    [
        "plan",
        "collect",
        "study",
        "cubes",
        "table",
        "tracks",
        "ledger",
        "compare",
        "survey",
        "puzzles",
        "dataset",
        "trails",
        "simulate",
        "tasks",
        "executors",
        "progress",
        "result",
        "pictures",
        "scaling",
        "transition",
        "intervals",
    ],
    ["policies"],
    ["solver"],
    ["stats", "columns", "zini", "expected", "boardstats", "bars", "histogram", "ranges", "frames", "extras"],
    {"game", "batch"},
    {"tools", "onlookers", "shown"},
    {"board", "position"},
    {"render", "numbers"},
    ["npy"],
    ["checks"],
    ["spec"],
    ["engine"],
]
ENGINE = [
    {"fields"},
    ["rounds"],
    ["pairs"],
    ["slots"],
    ["premiums", "stacks"],
    {"deal", "guesses", "counting", "flood", "tallies"},
    {"regions", "marks", "shrink"},
    {"giants"},
    {"labels", "sweeps"},
    ["planes"],
    {"grid"},
    {"joins", "store", "streams"},
    {"unions"},
    {"memory", "boxes", "classes"},
]
INTEROP = [
    ["cstruct", "memory", "arguments", "pointers", "cells"],
    {"bytecell", "files"},
    ["formats"],
    {"arrays", "documents", "jsminesweeper", "mbf", "metasweeper", "nested", "pasted"},
    {"bounds", "hints", "kept", "replay", "rows", "strict_json"},
    ["dealt"],
]
FRONTENDS = [
    ["cli"],
    {
        "bench",
        "boards",
        "classic",
        "demineur",
        "env",
        "notebook",
        "play",
        "puzzles",
        "solve",
        "studies",
        "surveys",
        "window",
    },
    ["notebook.traits"],
    ["notebook.seat"],
    {"notebook.clock", "hint"},
    {"advice", "kinds", "targets"},
    {"sources"},
    {"panels", "window.main"},
    ["window.field"],
    ["window.tiles"],
    {"env.single", "env.vector"},
    ["env.setting", "env.rewards"],
    {"env.masks"},
    {"window.keys", "window.dialog", "window.style", "window.sitting"},
    {"console", "options", "sizes"},
]
SOLVER = [
    {"rating", "search", "inference", "optimal", "deduce"},
    ["lookahead", "finish", "layouts"],
    {"endgame"},
    {"symmetry"},
    ["guessing", "queries"],
    ["closure", "proofs", "explain", "rules"],
    ["probability", "contradictions", "chances", "certain", "estimates"],
    ["counts", "totals", "elimination"],
    ["stuck", "chains", "orders", "fronts", "residue"],
]
RENDER = [
    ["html", "svg", "image"],
    {"slices", "signs", "sprites", "tables", "png", "probabilities", "text"},
    ["style"],
    {"colours", "codes"},
]
WITHIN = {
    "engine": ENGINE,
    "render": RENDER,
    "frontends": FRONTENDS,
    "interop": INTEROP,
    "solver": SOLVER,
}

# A shorthand method may name its front end, inside the method: the one way up.
SHORTHANDS = {("onlookers", "frontends.notebook")}


def name_of(file):
    """The module of a file: ``engine.grid`` for ndsweep/engine/grid.py."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(file):
    """The modules of ndsweep that a file imports, at the top and inside functions, and the lines."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names if alias.name.split(".")[0] == "ndsweep")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: imports are absolute"
            if node.module.split(".")[0] == "ndsweep":
                yield from ((module_of(node.module, alias.name), node.lineno) for alias in node.names)


def module_of(package, name):
    """The module that ``from package import name`` reads: the name if it is a module itself."""
    path = PACKAGE.parent.joinpath(*package.split("."), name)
    return f"{package}.{name}" if path.with_suffix(".py").exists() or path.is_dir() else package


def place(floors, name):
    """The floor of a name, and its place on it; None where it does not matter because no two may meet."""
    for floor, names in enumerate(floors):
        if name in names:
            return floor, None if isinstance(names, set) else names.index(name)
    raise AssertionError(f"{name} has no place in the order of tests/test_imports.py")


def goes_down(floors, source, target):
    (above, left), (below, right) = place(floors, source), place(floors, target)
    return below > above or (below == above and left is not None and right > left)


def is_allowed(source, target):
    """Whether a module may import another."""
    if source == target:
        return True
    if target == "":  # the package itself
        return source.startswith("frontends.")
    room, _, module = source.partition(".")
    other_room, _, other_module = target.partition(".")
    if room != other_room:
        return goes_down(FLOORS, room, other_room)
    if module == "":  # a room's own front
        return True
    return room in WITHIN and goes_down(WITHIN[room], module, other_module)


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_imports_go_down(file):
    source = name_of(file)
    if source in ("", "__main__"):
        return
    at_import = {node.lineno for node in loaded_at_import(ast.parse(file.read_text(encoding="utf-8")))}
    named = [(target.removeprefix("ndsweep").removeprefix("."), line) for target, line in imported(file)]
    wrong = [
        f"{file}:{line}: {source} imports {target}"
        for target, line in named
        if not is_allowed(source, target) and ((source, target) not in SHORTHANDS or line in at_import)
    ]
    assert not wrong


def test_every_shorthand_is_there():
    """An exception that nothing needs any more is taken off the list."""
    named = {(name_of(file), target.removeprefix("ndsweep.")) for file in FILES for target, _ in imported(file)}
    assert named >= SHORTHANDS


@pytest.mark.parametrize(
    ("source", "target", "allowed"),
    [
        ("frontends.cli", "simulate", True),
        ("frontends.cli", "", True),
        ("simulate", "", False),
        ("frontends.cli", "frontends.classic", True),
        ("frontends.demineur", "frontends.classic", False),
        ("frontends.demineur", "frontends.console", True),
        ("interop.files", "interop.cstruct", False),
        ("interop.cstruct", "interop.arguments", True),
        ("frontends.cli", "interop.files", False),
        ("interop.files", "frontends.cli", False),
        ("simulate", "result", True),
        ("result", "simulate", False),
        ("batch", "game", False),
        ("game", "batch", False),
        ("board", "game", False),
        ("board", "render", True),
        ("render", "spec", True),
        ("render", "board", False),
        ("spec", "engine.memory", True),
        ("engine.memory", "spec", False),
        ("engine.rounds", "engine.slots", True),
        ("engine.slots", "engine.rounds", False),
        ("engine.deal", "engine.guesses", False),
        ("engine.deal", "engine.grid", True),
        ("solver.rules", "policies", False),
        ("solver.deduce", "solver.rules", True),
        ("policies", "solver.rules", True),
        ("render", "render.svg", True),
        ("render.svg", "render.colours", True),
        ("render.colours", "render.svg", False),
    ],
)
def test_the_order_of_the_rooms(source, target, allowed):
    assert is_allowed(source, target) == allowed


def loaded_at_import(node):
    """The import statements that run when a module is loaded."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        yield from loaded_at_import(child)


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_heavy_libraries_are_loaded_where_they_are_used(file):
    room = ".".join(name_of(file).split(".")[:2])
    heavy = HEAVY - DOORS.get(room, set())
    for node in loaded_at_import(ast.parse(file.read_text(encoding="utf-8"))):
        names = [node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
        assert not heavy & {name.split(".")[0] for name in names}, f"{file}:{node.lineno}"


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_files_are_small_and_named_by_what_they_hold(file):
    assert len(file.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    assert file.stem not in ("utils", "util", "helpers", "misc", "common")


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_nothing_is_asserted_at_the_public_door(file):
    """Errors are raised: an assert may only tell the type checker that something is not None."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assert):
            assert ast.unparse(node.test).endswith("is not None"), f"{file}:{node.lineno}"
