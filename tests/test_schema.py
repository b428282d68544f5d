"""The JSON schema of docs/: what is written fits it, and it refuses what the reader refuses for its form."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from needed import missing
from objects import boards, played_games, same, seen
from strategies import seeds, specs

from ndsweep import Board, FormatError, Game, Position, Spec, dumps, loads

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "formats.schema.json").read_text())
TYPES = {"object": dict, "array": list, "null": type(None)}
KNOWN = {"$schema", "$defs", "title", "description"}


def is_type(value, name):
    return type(value) is int if name == "integer" else isinstance(value, TYPES[name])


def is_equal(value, constant):
    return type(value) is type(constant) and value == constant


def fits(value, schema):
    """Whether a value fits a schema: the few words of JSON Schema that ours uses, each in a line."""
    rules = {
        "$ref": lambda ref: fits(value, SCHEMA["$defs"][ref.removeprefix("#/$defs/")]),
        "oneOf": lambda others: sum(fits(value, other) for other in others) == 1,
        "type": lambda name: is_type(value, name),
        "const": lambda constant: is_equal(value, constant),
        "enum": lambda constants: any(is_equal(value, constant) for constant in constants),
        "minimum": lambda least: type(value) is not int or value >= least,
        "items": lambda inner: not isinstance(value, list) or all(fits(part, inner) for part in value),
        "prefixItems": lambda inner: not isinstance(value, list) or all(map(fits, value, inner)),
        "minItems": lambda least: not isinstance(value, list) or len(value) >= least,
        "maxItems": lambda most: not isinstance(value, list) or len(value) <= most,
        "uniqueItems": lambda _: not isinstance(value, list) or len(set(map(str, value))) == len(value),
        "required": lambda keys: not isinstance(value, dict) or all(key in value for key in keys),
        "properties": lambda inner: (
            not isinstance(value, dict) or all(fits(value[key], inner[key]) for key in inner if key in value)
        ),
        "additionalProperties": lambda _: not isinstance(value, dict) or value.keys() <= schema["properties"].keys(),
        "dependentRequired": lambda pairs: (
            not isinstance(value, dict) or all(need in value for key in pairs if key in value for need in pairs[key])
        ),
    }
    return all(rules[word](schema[word]) for word in schema if word not in KNOWN)


@given(st.one_of(boards, seen(), played_games()))
def test_what_is_written_fits_the_schema(found):
    assert fits(json.loads(dumps(found)), SCHEMA)


@given(specs(), seeds, st.none() | st.integers(0, 9))
def test_a_game_that_is_not_dealt_fits_the_schema(spec, seed, limit):
    game = Game.new(Spec(*spec), seed, flag_limit=limit)
    assert fits(json.loads(dumps(game)), SCHEMA)
    assert same(loads(dumps(game)), game)


MIDDLE = Game.resume(Board.from_coords((1, 3), [(0, 0)]), Board.from_coords((1, 3), [(0, 1)]).mines)
DOCUMENTS = [
    json.loads(dumps(found))
    for found in (Board.from_coords((1, 3), [(0, 0)]), Position([[1, -1]]), MIDDLE, Game.new(Spec((2, 2), 1)))
]
WRONG = [None, True, -5, 10**30, "x", [], {}, [[]], [["reveal"]], [[True, 0]], {"revealed": []}]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document["kind"])
def test_what_does_not_fit_the_schema_is_refused(document):
    assert fits(document, SCHEMA)
    refused = 0
    for key in [*document, "other"]:
        for value in [*WRONG, "left out"]:
            changed = {name: known for name, known in document.items() if name != key or value != "left out"}
            changed |= {} if value == "left out" else {key: value}
            if not fits(changed, SCHEMA):
                refused += 1
                with pytest.raises(FormatError):
                    loads(json.dumps(changed), format="json")
    assert refused > 40


def changes():
    """Each document with one value in the place of another, or a key left out or added."""
    for document in DOCUMENTS:
        for key in [*document, "other"]:
            yield {name: known for name, known in document.items() if name != key}
            yield from (document | {key: value} for value in WRONG)


def test_a_common_validator_reads_the_schema_as_this_test_does():
    try:
        import jsonschema
    except ImportError:
        missing("jsonschema is needed: pip install jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    found = {True: 0, False: 0}
    for document in [*DOCUMENTS, *changes()]:
        assert validator.is_valid(document) == fits(document, SCHEMA), document
        found[fits(document, SCHEMA)] += 1
    assert min(found.values()) > 10


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document["kind"])
def test_integers_have_no_point_although_a_schema_cannot_say_so(document):
    for key in ("version", "shape", "mines", "flag_limit"):
        if key in document:
            value = 1.0 if key != "shape" else [1.0]
            with pytest.raises(FormatError, match=r"a number must be an integer\. Got 1\.0"):
                loads(json.dumps(document | {key: value}))
    assert "without a point" in SCHEMA["description"]
