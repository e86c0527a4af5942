"""A connection that the host owns: the lines of the README against a FastMCP server, the host as its client."""

import asyncio
import json
import pathlib
import re
import sys

import pytest

from elicit_engine.question import Answer

from test_drive import Person

pytest.importorskip("fastmcp")

ROOT = pathlib.Path(__file__).resolve().parents[3]
SERVER = [sys.executable, str(ROOT / "testdata" / "realparts" / "fastmcp" / "server.py")]


def called(tool, arguments, *answers):
    """What the README's client gets from a tool, and what the person saw."""
    text = (ROOT / "bindings" / "python" / "README.md").read_text()
    code, names = re.search(r"## A connection of your own.*?```python\n(.*?)```", text, re.S).group(1), {}
    exec(compile(code, "README.md", "exec"), names)
    person = Person(*answers)
    message = asyncio.run(asyncio.wait_for(names["main"](SERVER, person, tool, arguments), 60))
    return json.loads(message["result"]["content"][0]["text"]), person.shown


def test_a_question_is_answered_and_the_result_comes():
    answers = [Answer("accept", {"name": name}) for name in (7, "prod")]
    got, shown = called("ask", {"type": "closed", "message": "Which?"}, *answers)
    assert got["action"] == "accept" and got["data"] == {"name": "prod"}
    assert [(q.server, q.tool, q.message) for q in shown] == [("booking", "ask", "Which?")] * 2
    assert [p["pointer"] for p in shown[1].problems] == ["/name"]


def test_a_page_is_declined():
    got, shown = called("visit", {"url": "https://pay.example.com/"}, Answer("decline"))
    assert got == {"action": "decline"} and shown[0].url == "https://pay.example.com/"
