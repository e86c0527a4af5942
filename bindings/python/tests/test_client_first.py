"""The loop of this package with ``either``: the client draws its forms, and the person here takes what nobody saw."""

import asyncio
import json

from elicit_engine.drive import Driver
from elicit_engine.question import Answer

from test_drive import Person, create, run

SESSION = {"version": "2025-11-25", "declared": ["form"]}
#: A cancel counts as unseen for a minute, so that no slow machine makes it a person's.
CONFIG = {"limits": {"unseen_ms": 60_000}}
CONNECTION = {"server": "s", "ask": "either", "modes": ["form"], "session": SESSION, "config": CONFIG}


def test_a_cancel_that_nobody_gave_brings_the_question_here():
    async def body():
        person, sent = Person(Answer("accept", {"region": "eu"})), asyncio.Queue()
        driver = Driver(CONNECTION, lambda end, message: sent.put_nowait((end, json.loads(message))), ui=person)
        driver.receive("server", create(1))
        end, question = await sent.get()
        assert (end, question["method"], person.shown) == ("client", "elicitation/create", [])
        cancel = {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "cancel"}}
        driver.receive("client", json.dumps(cancel).encode())
        end, reply = await sent.get()
        assert (end, reply["id"]) == ("server", 1)
        assert reply["result"] == {"action": "accept", "content": {"region": "eu"}}
        assert len(person.shown) == 1
        driver.shutdown()

    run(body)


def test_an_answer_of_the_client_counts():
    async def body():
        person, sent = Person(), asyncio.Queue()
        driver = Driver(CONNECTION, lambda end, message: sent.put_nowait((end, json.loads(message))), ui=person)
        driver.receive("server", create(1))
        _, question = await sent.get()
        accept = {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"region": "us"}}}
        driver.receive("client", json.dumps(accept).encode())
        end, reply = await sent.get()
        assert (end, reply["result"]["content"], person.shown) == ("server", {"region": "us"}, [])
        driver.shutdown()

    run(body)
