"""Every example in the documentation runs, and every public name has one."""

import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import ndsweep

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = ["ndsweep", *(m.name for m in pkgutil.walk_packages(ndsweep.__path__, "ndsweep.") if m.name[-2:] != "__")]
PUBLIC = [name for name in ndsweep.__all__ if callable(getattr(ndsweep, name))]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name):
    result = doctest.testmod(importlib.import_module(name))
    assert not result.failed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page(page):
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert not result.failed


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_documented_with_an_example(name):
    text = inspect.getdoc(getattr(ndsweep, name)) or ""
    assert "Examples\n--------" in text
    assert ">>> " in text


@pytest.mark.parametrize("name", PUBLIC)
def test_the_public_methods_of_a_class_are_documented(name):
    members = vars(getattr(ndsweep, name)) if inspect.isclass(getattr(ndsweep, name)) else {}
    bare = [n for n, member in members.items() if not n.startswith("_") and callable(member) and not member.__doc__]
    assert not bare


@pytest.mark.parametrize("name", MODULES)
def test_a_module_says_what_it_is_for(name):
    assert importlib.import_module(name).__doc__
