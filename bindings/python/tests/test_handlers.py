"""Handlers of a host that is the client: one for each method, none that blocks, and an answer to every request."""

import asyncio
import json
import threading

from elicit_engine.drive import Driver
from elicit_engine.handlers import Handlers

CODEX = {"server": "codex", "protocol": "codex", "role": "client", "ask": "client"}
COMMAND = {"threadId": "t", "turnId": "u", "itemId": "i", "startedAtMs": 1, "command": "ls", "cwd": "/w"}


class Client:
    def __init__(self, config=CODEX):
        self.sent, self.changed = {}, asyncio.Event()
        self.driver = Driver(config, self.write)
        self.handlers = Handlers(self.driver.receive)

    def write(self, end, message):
        if end == "client":
            self.handlers.take(message)
        else:
            read = json.loads(message)
            self.sent[read["id"]] = read
            self.changed.set()

    def asked(self, ref, method, params):
        self.driver.receive("server", json.dumps({"id": ref, "method": method, "params": params}).encode())

    async def answer(self, ref):
        while ref not in self.sent:
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), 60)
        return self.sent[ref]


def test_a_handler_answers_its_method():
    async def run():
        client = Client()
        client.handlers.on("item/commandExecution/requestApproval", lambda params: {"decision": "cancel"})
        client.handlers.on("item/commandExecution/requestApproval", lambda params: {"decision": "accept"})
        client.asked(1, "item/commandExecution/requestApproval", COMMAND)
        assert (await client.answer(1))["result"] == {"decision": "accept"}

    asyncio.run(run())


def test_no_handler_blocks_the_reader():
    async def run():
        client, held = Client(), threading.Event()
        client.handlers.on("item/tool/call", lambda params: held.wait(60) and {"success": True, "contentItems": []})

        async def now(params):
            return {"currentTimeAt": 7}

        client.handlers.on("currentTime/read", now)
        client.asked(1, "item/tool/call", {"tool": "x"})
        client.asked(2, "currentTime/read", {})
        assert (await client.answer(2))["result"] == {"currentTimeAt": 7}
        assert 1 not in client.sent
        held.set()
        assert (await client.answer(1))["result"]["success"] is True

    asyncio.run(run())


def test_a_method_without_a_handler_is_declined():
    async def run():
        client = Client()
        client.asked(1, "item/commandExecution/requestApproval", COMMAND)
        client.asked(2, "item/new/ask", {})
        assert (await client.answer(1))["result"] == {"decision": "decline"}
        assert (await client.answer(2))["error"]["code"] == -32601

    asyncio.run(run())


def test_an_mcp_question_without_a_handler_is_declined():
    async def run():
        session = {"version": "2025-11-25", "declared": ["form"]}
        client = Client({"server": "s", "role": "client", "ask": "client", "session": session})
        question = {"message": "Day?", "requestedSchema": {"type": "object", "properties": {"d": {"type": "string"}}}}
        request = {"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": question}
        client.driver.receive("server", json.dumps(request).encode())
        assert (await client.answer(1))["result"] == {"action": "decline"}

    asyncio.run(run())


def test_an_exception_tells_nothing():
    async def run():
        client = Client()

        def fails(params):
            raise ValueError("the key is hunter2")

        client.handlers.on("currentTime/read", fails)
        client.asked(1, "currentTime/read", {})
        error = (await client.answer(1))["error"]
        assert error["code"] == -32000 and "hunter2" not in json.dumps(error)
        client.handlers.on("item/commandExecution/requestApproval", fails)
        client.asked(2, "item/commandExecution/requestApproval", COMMAND)
        assert (await client.answer(2))["result"] == {"decision": "decline"}

    asyncio.run(run())
