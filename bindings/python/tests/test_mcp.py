"""The adapter in the official SDK's client, against a FastMCP server that asks with pydantic models."""

import asyncio
import json
import pathlib
import sys

import pytest

from elicit_engine import Engine
from elicit_engine.drive import Driver
from elicit_engine.mcp import elicitation_callback
from elicit_engine.question import Answer

mcp = pytest.importorskip("mcp", reason="the official SDK needs Python 3.10")
pytest.importorskip("fastmcp")

SERVER = pathlib.Path(__file__).resolve().parents[3] / "testdata" / "realparts" / "fastmcp" / "server.py"


class Person:
    """Answers each question by a function of it, and keeps what was shown."""

    def __init__(self, *answers):
        self.answers, self.shown = list(answers), []

    async def ask(self, question):
        self.shown.append(question)
        answer = self.answers.pop(0)
        return answer(question) if callable(answer) else answer


async def called(person, tool, arguments, config=None, journal=None, mode="legacy"):
    server = mcp.StdioServerParameters(command=sys.executable, args=[str(SERVER)])
    with Engine(config) as engine:
        driver = Driver(engine, {}, journal)
        callback = elicitation_callback(driver, person, server="booking")
        async with mcp.Client(server, elicitation_callback=callback, mode=mode) as client:
            result = await client.call_tool(tool, arguments)
            return result.content[0].text


def call(*arguments, **named):
    text = asyncio.run(asyncio.wait_for(called(*arguments, **named), 60))
    assert text.startswith("{"), text
    return json.loads(text)


def test_a_form_of_every_kind():
    person = Person(lambda q: Answer("accept", q.read({"colour": "green", "size": "s", "tags": ["a"]}).content))
    journal = []
    got = call(person, "ask", {"type": "choices", "message": "Pick"}, journal=journal.append)
    assert got["action"] == "accept" and got["data"]["colour"] == "green" and got["data"]["size"] == "s"
    assert [f["name"] for f in person.shown[0].fields][:2] == ["colour", "only"]
    assert json.loads(journal[-1])["event"]["event"] == "answered"


def test_a_wrong_answer_is_asked_again_and_never_sent():
    person = Person(
        Answer("accept", {"count": 99, "packs": 6, "weight": 1, "price": 0.1, "code": "AB-123"}),
        Answer("accept", {"count": 9, "packs": 6, "weight": 1, "price": 0.1, "code": "AB-123"}),
    )
    assert call(person, "ask", {"type": "order", "message": "Order"})["data"]["count"] == 9
    assert [p["pointer"] for p in person.shown[1].problems] == ["/count"]


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_no_carries_nothing(action):
    assert call(Person(Answer(action, {"name": "x"})), "ask", {"type": "closed", "message": "?"}) == {"action": action}


def test_policy_answers_by_itself():
    policy = {"policy": {"user": {"version": 1, "rules": [{"name": "none", "when": {"server": "booking"}, "then": "decline"}]}}}
    person = Person()
    assert call(person, "ask", {"type": "str", "message": "?"}, config=policy) == {"action": "decline"}
    assert person.shown == []


def test_what_cannot_be_shown_is_refused_in_the_server_s_spelling():
    got = call(Person(), "plain", {"type": "nested", "message": "?"})
    assert got["error"]["code"] == -32602 and got["error"]["data"]["problems"][0]["pointer"].startswith("/requestedSchema/properties/address")


def test_a_broken_interface_is_nobody_s_yes():
    class Broken:
        async def ask(self, question):
            raise RuntimeError("no window")

    assert call(Broken(), "ask", {"type": "str", "message": "?"}) == {"action": "cancel"}


def test_rounds_of_2026_07_28_are_answered_too():
    person = Person(Answer("accept", {"city": "Oslo"}), Answer("accept", {"day": "2026-12-01", "nights": 2}))
    text = asyncio.run(asyncio.wait_for(called(person, "book", {"guest": "Ada"}, mode="auto"), 60))
    assert text == "Booked Oslo for Ada: 2026-12-01, 2 nights." and len(person.shown) == 2
