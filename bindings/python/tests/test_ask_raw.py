"""A server that asks over stdio, against a client that sends what it likes."""

import asyncio
import json
import os
import pathlib
from asyncio.subprocess import PIPE

import pytest

pytest.importorskip("mcp", reason="the official SDK needs Python 3.10")
pytest.importorskip("pydantic")

import forked
from test_ask import play

TESTS = pathlib.Path(__file__).resolve().parent
SERVER = "from test_ask import server_of; server_of(**%r)[0].run()"


class Raw:
    """A client that reads and writes messages, of a session of 2025-11-25."""

    def __init__(self, elicitation, **options):
        self.elicitation, self.options, self.heard = elicitation, options, []

    async def __aenter__(self):
        path = os.pathsep.join([str(TESTS), str(TESTS.parent / "src"), os.environ.get("PYTHONPATH", "")])
        library = str(pathlib.Path(os.environ["ELICIT_LIBRARY"]).resolve())
        home = {**os.environ, "PYTHONPATH": path, "ELICIT_LIBRARY": library}
        command = [*forked.command("test_ask"), "-c", SERVER % self.options]
        self.process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, env=home)
        declared = {} if self.elicitation is None else {"elicitation": self.elicitation}
        who = {"name": "raw", "version": "1"}
        session = {"protocolVersion": "2025-11-25", "capabilities": declared, "clientInfo": who}
        self.send(id=1, method="initialize", params=session)
        await self.until(lambda m: m.get("id") == 1)
        self.send(method="notifications/initialized")
        return self

    async def __aexit__(self, *error):
        self.process.stdin.close()
        await self.process.wait()

    def send(self, **message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def call(self, tool):
        self.send(id="call", method="tools/call", params={"name": tool, "arguments": {}})

    async def until(self, found):
        """The first message that fits, of those that were not asked for yet."""
        while not any(map(found, self.heard)):
            line = await self.process.stdout.readline()
            assert line, "the server has ended"
            self.heard.append(json.loads(line))
        return self.heard.pop([found(message) for message in self.heard].index(True))

    async def question(self):
        return await self.until(lambda m: m.get("method") == "elicitation/create")

    async def result(self):
        message = await self.until(lambda m: m.get("id") == "call" and "method" not in m)
        return message["result"]["content"][0]["text"]


def test_answers_of_every_wrong_kind_are_asked_again():
    async def body():
        async with Raw({"form": {}}, attempts=5) as client:
            client.call("deploy")
            for result in (
                {"action": "accept", "content": {"region": {"a": 1}}},
                {"action": "maybe"},
                {"action": "accept", "content": {"region": "eu", "count": "many"}},
            ):
                client.send(id=(await client.question())["id"], result=result)
            last = await client.question()
            assert "count" in last["params"]["message"]
            client.send(id=last["id"], result={"action": "accept", "content": {"region": "us"}})
            assert await client.result() == "US_EAST 2 None"

    play(body())


def test_attempts_come_to_an_end():
    async def body():
        async with Raw({}, attempts=2) as client:  # an empty object means forms
            client.call("careful")
            for _ in range(2):
                client.send(id=(await client.question())["id"], result={"action": "maybe"})
            assert await client.result() == "Attempts cancel attempts_used"

    play(body())


def test_an_error_of_the_client():
    async def body():
        async with Raw({}) as client:
            client.call("careful")
            error = {"code": -32603, "message": "no window"}
            client.send(id=(await client.question())["id"], error=error)
            assert (await client.result()).startswith("ClientError")

    play(body())


def test_a_call_that_the_client_cancels_takes_its_question_back():
    async def body():
        async with Raw({}) as client:
            client.call("careful")
            asked = await client.question()
            client.send(method="notifications/cancelled", params={"requestId": "call"})
            told = await client.until(lambda m: m.get("method") == "notifications/cancelled")
            assert told["params"]["requestId"] == asked["id"]

    play(body())


def test_a_question_whose_time_is_up_is_taken_back():
    async def body():
        async with Raw({}, ttl=0.1) as client:
            client.call("careful")
            asked = await client.question()
            told = await client.until(lambda m: m.get("method") == "notifications/cancelled")
            assert told["params"]["requestId"] == asked["id"]
            assert await client.result() == "Timeout cancel timeout"

    play(body())


def test_a_client_of_urls_alone():
    async def body():
        async with Raw({"url": {}}, page="https://bot.example/") as client:
            client.call("pay")
            asked = await client.question()
            assert asked["params"]["mode"] == "url" and asked["params"]["url"] == "https://pay.example.com/1"
            client.send(id=asked["id"], result={"action": "accept"})
            assert await client.result() == "paying"

    play(body())


def test_a_secret_of_a_client_of_forms_alone_goes_through_the_page():
    async def body():
        async with Raw({"form": {}}, page="https://bot.example/") as client:
            client.send(id="tools", method="tools/list")
            listed = await client.until(lambda m: m.get("id") == "tools")
            assert "elicitation_result" in [tool["name"] for tool in listed["result"]["tools"]]
            client.call("key")
            text = await client.result()
            assert "https://bot.example/" in text and "elicitation_result" in text

    play(body())
