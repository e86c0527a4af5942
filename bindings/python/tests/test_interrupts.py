"""The interrupts of agent frameworks."""

import doctest

import pytest

from elicit_engine import interrupts
from elicit_engine.interrupts import Refused, answer, answer_text, decode

REQUEST = {"type": "mcp_approval_request", "id": "r", "server_label": "s", "name": "t", "arguments": "{}"}


def test_the_example_of_the_module():
    assert doctest.testmod(interrupts).failed == 0


def test_an_unknown_shape_is_refused_with_a_pointer():
    with pytest.raises(Refused, match="/output/0/arguments") as refused:
        decode("openai", {"output": [{**REQUEST, "arguments": "{"}]})
    assert [p["code"] for p in refused.value.problems] == ["interrupt_arguments"]
    with pytest.raises(Refused, match="acme"):
        decode("acme", {})
    assert "others" not in decode("openai", [REQUEST])


def test_an_answer_that_was_not_offered_is_refused():
    for wrong in ({"action": "accept", "arguments": {}}, {"action": "approve"}, {"action": "accept", "approve": True}):
        with pytest.raises(Refused, match="/answers/0"):
            answer("openai", [REQUEST], [{"key": "r", **wrong}])
    with pytest.raises(Refused):
        answer("openai", [REQUEST], [])


def test_text_keeps_its_bytes():
    asked = (
        b'{ "role":"assistant","parts":[{"type":"tool-pay","toolCallId":"c","state":"approval-requested",'
        b'"input":{"n":1.50},"approval":{"id":"a","signature":"\\u0041"}}] }'
    )
    assert answer_text("ai_sdk", asked, [{"key": "a", "action": "accept"}]) == asked.decode().replace(
        '"approval-requested"', '"approval-responded"'
    ).replace('"\\u0041"', '"\\u0041","approved":true')
