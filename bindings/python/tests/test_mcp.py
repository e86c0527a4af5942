"""The adapter in the official SDK's client, against a FastMCP server that asks with pydantic models."""

import asyncio
import json

import forked
import pytest

from elicit_engine import Engine, InterfaceError
from elicit_engine.mcp import elicitation_callback
from elicit_engine.question import Answer

mcp = pytest.importorskip("mcp", reason="the official SDK needs Python 3.10")
pytest.importorskip("fastmcp")


def server_of_forms():
    """Starts the FastMCP server."""
    command, *arguments = forked.fastmcp()
    return mcp.StdioServerParameters(command=command, args=arguments)


class Person:
    """Answers each question by a function of it, and keeps what was shown."""

    def __init__(self, *answers):
        self.answers, self.shown = list(answers), []

    async def ask(self, question):
        self.shown.append(question)
        answer = self.answers.pop(0)
        return answer(question) if callable(answer) else answer


async def called(person, tool, arguments, config=None, mode="legacy", **more):
    server = server_of_forms()
    callback = elicitation_callback(config, person, server="booking", **more)
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
    rules = [{"name": "none", "when": {"server": "booking"}, "then": "decline"}]
    policy = {"policy": {"user": {"version": 1, "rules": rules}}}
    person = Person()
    assert call(person, "ask", {"type": "str", "message": "?"}, config=policy) == {"action": "decline"}
    assert person.shown == []


def test_what_cannot_be_shown_is_refused_in_the_server_s_spelling():
    got = call(Person(), "plain", {"type": "nested", "message": "?"})
    pointer = got["error"]["data"]["problems"][0]["pointer"]
    assert got["error"]["code"] == -32602 and pointer.startswith("/requestedSchema/properties/address")


class Broken:
    async def ask(self, question):
        raise RuntimeError("no window")


def test_a_broken_interface_is_nobody_s_yes():
    assert call(Broken(), "ask", {"type": "str", "message": "?"}) == {"action": "cancel"}


def test_the_program_gets_the_exception_of_its_interface():
    causes, told = [], []

    async def body():
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context["exception"]))
        server = server_of_forms()
        settled = lambda reply: causes.append((reply["outcome"], reply["cause"]))
        async with elicitation_callback({}, Broken(), "booking", settled=settled) as callback:
            async with mcp.Client(server, elicitation_callback=callback, mode="legacy") as client:
                await client.call_tool("ask", {"type": "str", "message": "Which?"})
                raise AssertionError("the call went on without a person")

    async def whole():
        with pytest.raises(InterfaceError, match="the user interface failed.*RuntimeError: no window") as failed:
            await body()
        assert isinstance(failed.value.__cause__, RuntimeError) and failed.value.question.message == "Which?"
        await asyncio.sleep(0)  # the task goes on: no cancellation is left over
        assert not getattr(asyncio.current_task(), "cancelling", lambda: 0)()

    asyncio.run(asyncio.wait_for(whole(), 60))
    assert causes == [("cancel", "no_ui")] and not told


def test_an_exception_as_the_block_ends_is_raised_too():
    async def body():
        async with elicitation_callback({}, Broken(), "booking") as callback:
            assert (await asked(callback)).action == "cancel"

    async def other(started):
        async with elicitation_callback({}, Broken(), "booking") as callback:
            waiting = asyncio.ensure_future(asked(callback))
            started.set()
            await asyncio.sleep(3600)
            await waiting

    async def whole():
        with pytest.raises(InterfaceError):
            await body()
        started = asyncio.Event()
        task = asyncio.ensure_future(other(started))
        await started.wait()
        task.cancel()  # somebody else cancels the block: that is not swallowed
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(asyncio.wait_for(whole(), 60))


def test_rounds_of_2026_07_28_are_answered_too():
    person = Person(Answer("accept", {"city": "Oslo"}), Answer("accept", {"day": "2026-12-01", "nights": 2}))
    text = asyncio.run(asyncio.wait_for(called(person, "book", {"guest": "Ada"}, mode="auto"), 60))
    assert text == "Booked Oslo for Ada: 2026-12-01, 2 nights." and len(person.shown) == 2


def asked(callback, message="?", **more):
    """Asks a callback as the SDK does."""
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    params = {"message": message, "requestedSchema": schema, **more}
    return callback(None, mcp.types.ElicitRequestFormParams.model_validate(params))


def test_a_call_that_is_taken_back_takes_its_question_back():
    async def body():
        shown, ended, causes = asyncio.Event(), asyncio.Event(), []

        class Slow:
            async def ask(self, question):
                shown.set()
                try:
                    await asyncio.Event().wait()
                finally:
                    ended.set()

        callback = elicitation_callback({}, Slow(), "booking", settled=lambda reply: causes.append(reply["cause"]))
        call = asyncio.ensure_future(asked(callback))
        await shown.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await asyncio.wait_for(ended.wait(), 60)
        assert causes == ["peer_cancelled"]
        callback.close()

    asyncio.run(body())


def test_a_journal_that_fails_answers_all_that_wait():
    async def body():
        told, kept = [], []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context["exception"]))

        def journal(record):
            if len(kept) == 3:
                raise OSError("no space left on device")
            kept.append(record)

        class Slow:
            async def ask(self, question):
                await asyncio.Event().wait()

        callback = elicitation_callback({"limits": {"shown": 9}}, Slow(), "booking", journal=journal)
        answers = await asyncio.wait_for(asyncio.gather(asked(callback), asked(callback), asked(callback)), 60)
        assert [answer.data["problems"][0]["code"] for answer in answers] == ["journal_failed"] * 3
        assert [repr(error.__cause__) for error in told] == ["OSError('no space left on device')"]

    asyncio.run(body())


def test_closing_cancels_what_is_open():
    async def body():
        class Slow:
            async def ask(self, question):
                callback.close()
                await asyncio.Event().wait()

        callback = elicitation_callback('{"limits":{}}', Slow(), "booking", principal="ann")
        assert (await asyncio.wait_for(asked(callback), 60)).action == "cancel"

    asyncio.run(body())


def test_the_engine_of_a_connection_is_its_own():
    with Engine() as engine, pytest.raises(TypeError, match="configuration"):
        elicitation_callback(engine, Person(), "booking")
