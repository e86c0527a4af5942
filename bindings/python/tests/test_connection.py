"""A connection that the host owns, against a FastMCP server: the host is its client."""

import asyncio
import json
from asyncio.subprocess import PIPE

import forked
import pytest

from elicit_engine.drive import Driver
from elicit_engine.question import Answer

from test_drive import Person

pytest.importorskip("fastmcp")


async def exchange(person, tool, arguments):
    """Calls a tool of the server as a host that owns its connection, and returns the reply."""
    server = await asyncio.create_subprocess_exec(*forked.fastmcp(), stdin=PIPE, stdout=PIPE, limit=64 << 20)
    heard = asyncio.Queue()

    def write(end, message):
        if end == "server":
            server.stdin.write(message + b"\n")
        else:
            heard.put_nowait(json.loads(message))

    driver = Driver({"server": "booking", "role": "client", "modes": ["form", "url"]}, write, ui=person)

    async def read():
        async for line in server.stdout:
            driver.receive("server", line.rstrip(b"\r\n"))
        driver.do({"event": "ended", "end": "server"})

    async def call(method, params):
        request = {"jsonrpc": "2.0", "id": method, "method": method, "params": params}
        driver.receive("client", json.dumps(request).encode())
        while (message := await heard.get()).get("id") != method:
            pass
        return message

    reading = asyncio.create_task(read())
    who = {"name": "host", "version": "1"}
    await call("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": who})
    driver.receive("client", b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    message = await call("tools/call", {"name": tool, "arguments": arguments})
    driver.shutdown()
    server.stdin.close()
    await reading
    await server.wait()
    return message


def called(tool, arguments, *answers):
    """What the client gets from a tool, and what the person saw."""
    person = Person(*answers)
    message = asyncio.run(asyncio.wait_for(exchange(person, tool, arguments), 60))
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
