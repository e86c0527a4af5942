"""How questions of a server's tools end without an answer, and what is refused."""

import asyncio

import pytest

from elicit_engine import InputError, ask

from test_ask import TWO, Connected, Person, called, play, server_of


#: The client of the SDK 1 reads no message while its own callback runs.
deaf = pytest.mark.skipif(not TWO, reason="the client of the SDK 1 hears nothing while it asks")


@deaf
def test_nobody_answers_in_time():
    async def body():
        async def never(params):
            await asyncio.Event().wait()

        server, _ = server_of(ttl=0.001)
        async with Connected(server, Person(never)) as client:
            assert await client.call("careful") == "Timeout cancel timeout"

    play(body())


def test_a_call_that_is_taken_back_takes_its_form_back():
    async def body():
        shown, gone, journal = asyncio.Event(), asyncio.Event(), []

        async def slow(params):
            shown.set()
            try:
                await asyncio.Event().wait()
            finally:
                gone.set()

        server, _ = server_of(journal=lambda session, record: journal.append(record))
        async with Connected(server, Person(slow)) as client:
            call = asyncio.ensure_future(client.call("careful"))
            await shown.wait()
            call.cancel()
            if TWO:
                await gone.wait()
        assert any('"call_ended"' in record or '"cancelled"' in record for record in journal)

    play(body())


@deaf
def test_an_ask_that_its_handler_gives_up_is_taken_back():
    async def body():
        server, asker = server_of()
        said = []

        @server.tool()
        async def hasty() -> str:
            waiting = asyncio.ensure_future(ask.confirm("Really?"))
            await shown.wait()
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await ask.confirm("And now?")
            return "done"

        shown, gone = asyncio.Event(), asyncio.Event()

        async def slow(params):
            said.append(params.message)
            shown.set()
            if len(said) == 1:
                try:
                    await asyncio.Event().wait()
                finally:
                    gone.set()
            return {}

        async with Connected(server, Person(slow, slow)) as client:
            assert await client.call("hasty") == "done"
            await gone.wait()
        assert said == ["Really?", "And now?"]

    play(body())


def test_a_journal_that_fails_fails_every_ask():
    def journal(session, record):
        if '"event":"asked"' in record:
            raise OSError("no space left on device")
        kept.append(record)

    kept, person = [], Person()
    said = called(person, "careful", options={"journal": journal})
    assert "the journal failed" in said and person.shown == []  # no question is asked that the journal does not have


def test_code_outside_a_call_cannot_ask():
    with pytest.raises(ask.NoCall):
        asyncio.run(ask.confirm("Anybody?"))


def test_an_interruption_passes_except_exception():
    assert not issubclass(ask.Interrupted, Exception)


def test_options_with_problems_are_refused():
    with pytest.raises(InputError, match="order"):
        ask.Asker("bot", order="sideways")
    with pytest.raises(InputError):
        ask.Asker("bot", keys=[ask.Key("k", b"short")])
    assert "secret" not in repr(ask.Key("k", b"secret"))
    with pytest.raises(TypeError, match="no server"):
        ask.Asker("bot").install(object())


def test_a_state_counts_once_for_its_call():
    """Two processes of a server share keys. A state of the one counts in the other, once, for the same call only."""

    async def body():
        keys = [ask.Key("2026", b"k" * 32)]
        one, two = (ask.Asker("bot", keys=keys) for _ in range(2))
        client = ask.Client(version="2026-07-28", declared=("form",))

        async def handler(call):
            await ask.confirm("Go on?")
            return "went on"

        first = await one.run(ask.Call(client, "go", {"n": 1}), handler)
        state = first.result["requestState"]
        [name] = first.result["inputRequests"]
        more = {"state": state, "responses": {name: {"action": "accept", "content": {}}}}
        for wrong in (
            ask.Call(client, "go", {"n": 2}, **more),
            ask.Call(client, "stop", {"n": 1}, **more),
            ask.Call(ask.Client(version="2026-07-28", declared=("form",), principal="eve"), "go", {"n": 1}, **more),
            ask.Call(client, "go", {"n": 1}, state=state[:-2], responses=more["responses"]),
        ):
            with pytest.raises(ask.StateError, match="invalid or expired requestState"):
                await two.run(wrong, handler)
        assert await two.run(ask.Call(client, "go", {"n": 1}, **more), handler) == "went on"
        with pytest.raises(ask.StateError):
            await two.run(ask.Call(client, "go", {"n": 1}, **more), handler)

    play(body())
