import asyncio
import json
import time

import pytest

from elicit_engine import Engine, InputError, evaluate
from elicit_engine.drive import Driver, JournalError
from elicit_engine.prompt import Prompt, plain
from elicit_engine.question import Answer, Question

from test_engine import ASKED, OPENED, SCHEMA


def run(body):
    return asyncio.run(body())


def test_records_come_before_what_follows_from_them():
    async def body():
        order = []
        with Engine() as engine:
            driver = Driver(engine, {name: lambda e: order.append(e["effect"]) for name in ("show", "reply")}, lambda record: order.append("record"))
            driver.do(OPENED)
            show = driver.do(ASKED)[-1]
            driver.do({"event": "answered", "session": "s", "id": show["id"], "action": "decline"})
        assert order == ["record", "record", "record", "show", "record", "reply"]

    run(body)


def test_the_journal_verifies():
    async def body():
        journal = []
        with Engine() as engine:
            driver = Driver(engine, {}, journal.append)
            driver.do(OPENED)
            driver.do(ASKED)
            driver.shutdown()
        assert evaluate("replay", {"journal_text": "".join(r + "\n" for r in journal)}) == {"records": len(journal)}

    run(body)


def test_a_full_disk_fails_closed():
    async def body():
        replies, kept = [], []

        def journal(record):
            if len(kept) == 3:
                raise OSError("no space left on device")
            kept.append(record)

        with Engine() as engine:
            driver = Driver(engine, {"reply": replies.append}, journal)
            driver.do(OPENED)
            show = driver.do(ASKED)[-1]
            with pytest.raises(JournalError):
                driver.do({"event": "answered", "session": "s", "id": show["id"], "action": "accept", "content": {"region": "eu"}})
            assert [(r["outcome"], r["content"]) for r in replies] == [("error", None)]
            with pytest.raises(JournalError):
                driver.do({"event": "ticked"})

    run(body)


def test_a_deadline_comes_by_itself():
    async def body():
        settled = asyncio.get_running_loop().create_future()
        with Engine({"limits": {"answer_ttl_ms": 60}}) as engine:
            driver = Driver(engine, {"reply": settled.set_result})
            driver.do(OPENED)
            driver.do(ASKED)
            reply = await asyncio.wait_for(settled, 20)
        assert (reply["outcome"], reply["cause"]) == ("cancel", "timeout")

    run(body)


def test_effects_without_a_host_can_be_iterated():
    async def body():
        with Engine() as engine:
            driver = Driver(engine)
            effects = driver.effects()
            first = asyncio.ensure_future(effects.__anext__())
            await asyncio.sleep(0)
            driver.do(OPENED)
            driver.do(ASKED)
            assert (await asyncio.wait_for(first, 20))["effect"] == "show"

    run(body)


def test_an_event_that_cannot_be_read_changes_nothing():
    async def body():
        with Engine() as engine:
            driver = Driver(engine)
            driver.do(OPENED)
            before = engine.save("s")
            with pytest.raises(InputError):
                driver.do({"event": "asked", "session": "s"})
            assert engine.save("s") == before

    run(body)


def shown(schema, **more):
    """The question that an engine shows for a schema."""
    with Engine() as engine:
        engine.step(OPENED)
        return Question(engine.step({**ASKED, "schema": schema, **more})[-1], json.dumps(schema))


def typed(schema, *lines, **more):
    """What the prompt makes of typed lines, and what it wrote."""
    left, written = list(lines), []

    def read(prompt):
        written.append(prompt)
        if not left:
            raise EOFError
        return left.pop(0)

    prompt = Prompt(read, read, written.append)
    answer = asyncio.run(prompt.ask(shown(schema, **more)))
    assert not left, "never read: %r" % left
    return answer.action, answer.content, "\n".join(written)


WIDE = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2},
        "count": {"type": "integer", "default": 3},
        "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}},
        "sure": {"type": "boolean"},
    },
    "required": ["name", "sure"],
}


@pytest.mark.parametrize(
    "lines, action, content",
    [
        (["Ann", "5", "a, c", "y"], "accept", {"name": "Ann", "count": 5, "tags": ["a", "c"], "sure": True}),
        (["Ann", "", "", "no"], "accept", {"name": "Ann", "count": 3, "sure": False}),
        (["!decline"], "decline", None),
        (["Ann", "!cancel"], "cancel", None),
        ([], "cancel", None),
    ],
)
def test_the_prompt_reads_what_is_typed(lines, action, content):
    got = typed(WIDE, *lines)
    assert got[0] == action and got[1] == content


def test_the_prompt_asks_again_only_for_what_was_wrong():
    action, content, written = typed(WIDE, "A", "many", "a", "yes", "Ann", "4")
    assert (action, content) == ("accept", {"name": "Ann", "count": 4, "tags": ["a"], "sure": True})
    assert "/name: " in written and "/count: " in written


def test_what_a_peer_writes_cannot_move_the_cursor():
    _, _, written = typed({"type": "object", "properties": {}}, "n", message="ok\x1b[2J\u202egone\x07")
    assert "\x1b" not in written and "\u202e" not in written and "\x07" not in written
    assert plain("a\u200bb") == "a\ufffdb"


def test_an_answer_is_one_of_three():
    with pytest.raises(ValueError):
        Answer("yes")
    assert Answer("decline", {"a": 1}).content is None
