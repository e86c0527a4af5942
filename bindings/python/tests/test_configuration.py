"""The types of the configuration are those of the engine, member by member."""

import typing

import pytest

from elicit_engine import Configuration, ConnectionConfiguration, Engine, InputError, Limits, Policies, describe

TYPES = {"string": (str,), "boolean": (bool,), "integer": (int,), "array": (list,), "object": (dict,)}


def keys(of):
    return list(typing.get_type_hints(of))


def test_the_members_are_those_that_describe_lists():
    said = describe()
    assert keys(Configuration) == [key["name"] for key in said["configuration"]]
    assert keys(Limits) == [limit["name"] for limit in said["limits"]]
    assert keys(ConnectionConfiguration) == [key["name"] for key in said["relay"]["config"]]
    assert set(keys(Policies)) == {name for layer in said["layers"] for name in (layer, layer + "_text")} | {
        "managed_path"
    }


def test_the_defaults_have_the_types_that_describe_names():
    for key in describe()["configuration"]:
        if "default" in key:
            assert isinstance(key["default"], TYPES[key["type"]]), key


def test_the_engine_takes_a_configuration_of_these_types():
    config: Configuration = {"offer_scopes": True, "limits": {"shown": 3}, "policy": {"user": {"version": 1}}}
    with Engine(config) as engine:
        assert engine.beginning[0]["effect"] == "append"
    with pytest.raises(InputError):
        Engine({"limits": {"shwon": 3}})
