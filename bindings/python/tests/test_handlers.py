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


def test_a_withdrawn_request_is_cancelled_and_its_late_result_answers_no_other_with_that_id():
    async def run():
        answers, seen, held = [], [], threading.Event()
        handlers = Handlers(lambda end, message: answers.append(json.loads(message)))

        async def stubborn(params):
            seen.append("began")
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                seen.append("cancelled")
                if params["fails"]:
                    raise ValueError("too late")
            return "late"

        async def ask(handler, **params):
            handlers.on("x", handler)
            assert handlers.take(json.dumps({"id": 1, "method": "x", "params": params}).encode())
            await asyncio.sleep(0)

        for method in ("notifications/cancelled", "$/cancel_request", "serverRequest/resolved"):
            await ask(stubborn, fails=method.startswith("$"))
            assert not handlers.take(json.dumps({"method": method, "params": {"requestId": 1}}).encode())
        await ask(stubborn, fails=False)
        await ask(lambda params: held.wait(60) and "late")  # takes the place of the one before
        await ask(lambda params: {"now": True})
        held.set()
        while not answers:
            await asyncio.sleep(0.01)
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        await asyncio.gather(*rest, return_exceptions=True)
        assert seen == ["began", "cancelled"] * 4
        assert answers == [{"id": 1, "result": {"now": True}}]

    asyncio.run(run())
