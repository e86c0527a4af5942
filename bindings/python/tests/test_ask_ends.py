"""How questions of a server's tools end without an answer, and what is refused."""

import asyncio
import dataclasses

import pytest

from elicit_engine import ElicitError, InputError, ask
from elicit_engine.ask.call import Call, Client, Interruption

from test_ask import MODES, TWO, Connected, Person, Server, called, play, question_in, server_of

anyio = pytest.importorskip("anyio", reason="the official SDK needs it")


#: The client of the SDK 1 reads no message while its own callback runs.
deaf = pytest.mark.skipif(not TWO, reason="the client of the SDK 1 hears nothing while it asks")


@deaf
def test_nobody_answers_in_time():
    async def body():
        async def never(params):
            await asyncio.Event().wait()

        server, _ = server_of(ttl=0.1)
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


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("person", [True, False])
def test_a_handler_asks_two_things_in_a_task_group(mode, person):
    async def body():
        server, _ = server_of()

        @server.tool()
        async def both() -> str:
            chosen = {}

            async def choose(message):
                chosen[message] = await ask.choose(message, ["a", "b"])

            async with anyio.create_task_group() as group:  # a run that is interrupted ends it with a group of errors
                group.start_soon(choose, "One?")
                group.start_soon(choose, "Two?")
            return chosen["One?"] + chosen["Two?"]

        answers = Person({"choice": "a"}, {"choice": "b"}) if person else None
        async with Connected(server, answers, mode) as client:
            text = await client.call("both")
            for choice in "ab" if not person else "":
                said = {"id": question_in(text), "action": "accept", "content": {"choice": choice}}
                text = await client.call("elicitation_result", **said)
            assert text == "ab"

    play(body())


@pytest.mark.parametrize("mode", MODES)
def test_a_principal_may_be_nobody_or_fail(mode):
    def fails(context):
        raise OSError("no directory")

    async def sure() -> str:
        await ask.confirm("Sure?")
        return "yes"

    async def body():
        for principal in (lambda context: None, fails):
            server = Server("deploy-bot")
            server.tool(name="sure")(sure)
            ask.Asker("deploy-bot").install(server, principal)
            async with Connected(server, Person("accept"), mode) as client:
                if principal is not fails:
                    assert await client.call("sure") == "yes"
                    continue
                with pytest.raises(Exception) as caught:
                    await client.call("sure")
                assert caught.value.error.code == -32603

    play(body())


def test_a_thread_of_a_handler_cannot_ask_in_a_loop_of_its_own():
    async def body():
        async def handler(call):
            with pytest.raises(ask.NoCall, match="in its loop"):
                await asyncio.to_thread(asyncio.run, ask.choose("Which?", ["a"]))
            return await asyncio.to_thread(lambda: ask.caller().principal)

        asker = ask.Asker("bot")
        assert await asker.run(Call(Client(principal="ann"), "go"), handler) == "ann"
        await asker.close()

    play(body())


def test_choices_that_are_alike_are_refused():
    async def body():
        server, _ = server_of()

        @server.tool()
        async def alike() -> str:
            return await ask.choose("Which?", ["a", "b", "a"])

        async with Connected(server, Person()) as client:
            assert "this choice is there already" in await client.call("alike")

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
    with pytest.raises(InputError):
        ask.Asker("bot", keys=[])  # as a list of keys that was not found; a key of its own would refuse other nodes
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


def test_keys_that_are_away_are_no_fault_of_the_store():
    def vault(operation, given):
        raise OSError("the vault is away")

    async def body():
        asker = ask.Asker("bot")
        asker._host._sealing = vault
        with pytest.raises(ElicitError, match="cannot be sealed") as said:
            await asker.run(Call(CLIENT, "pay"), sure)
        assert "vault" in str(said.value.__cause__)

    play(body())


# A value that no machine can read spoils neither the result of its call nor another call.
CLIENT = Client(principal="ann", version="2026-07-28", declared=("form",))


def nested(levels):
    value = 1
    for _ in range(levels):
        value = [value]
    return value


async def sure(call):
    await ask.confirm("Pay?")
    return "paid"


def answered(written, action="accept", handler=sure):
    """What a call comes to that is made again with an answer, the first time and the second."""

    async def body():
        asker, said = ask.Asker("unread"), []
        call = Call(CLIENT, "pay", method="tools/call" if action == "accept" else "prompts/get", written=written)
        asked = (await asker.run(call, handler)).result
        responses = {question: {"action": action} for question in asked["inputRequests"]}
        again = dataclasses.replace(call, state=asked["requestState"], responses=responses)
        for _ in range(2):
            try:
                said.append(await asker.run(again, handler))
            except Exception as error:
                said.append(error)
        await asker.close()
        return said

    return asyncio.run(body())


def unwritable(result):
    raise ValueError("no JSON")


@pytest.mark.parametrize("written", [lambda result: {"a": float("nan")}, lambda result: {"a": "\ud800"},
                                     lambda result: {"a": nested(200)}, unwritable],
                         ids=["nan", "surrogate", "nested", "unwritable"])
def test_a_result_that_no_machine_reads_reaches_its_client(written):
    first, second = answered(written)
    assert first == "paid"
    assert isinstance(second, Interruption)
    assert second.result["content"][0]["text"].startswith("The answer was taken; the result is unknown.")


def test_an_error_that_no_machine_reads_ends_its_call():
    async def fails(call):
        await ask.confirm("Pay?")
        raise RuntimeError("\ud800")

    first, second = answered(lambda result: {}, handler=fails)
    assert isinstance(first, RuntimeError)
    assert second.error == {"code": -32603, "message": "?"}


def test_an_error_is_kept_with_its_code():
    first, second = answered(lambda result: {}, action="decline")
    assert isinstance(first, ask.Declined) and first.code == 4001
    assert second.error == {"code": 4001, "message": "the person declined"}


@pytest.mark.parametrize("argument", [float("nan"), "\ud800", nested(200)], ids=["nan", "surrogate", "nested"])
def test_a_tool_that_asks_nothing_takes_arguments_that_no_machine_reads(argument):
    async def plain(call):
        return call.arguments["given"]

    async def body():
        asker = ask.Asker("unread")
        assert await asker.run(Call(CLIENT, "plain", {"given": argument}), plain) is argument
        with pytest.raises(InputError, match="this must be of type object"):
            await asker.run(Call(CLIENT, "pay", {"given": argument}), sure)
        await asker.close()

    asyncio.run(body())


def test_an_error_of_a_client_that_is_no_text_ends_its_question():
    class Peer:
        async def request(self, method, params):
            raise RuntimeError("\ud800")

        async def notify(self, method, params):
            pass

    async def body():
        asker = ask.Asker("unread")
        client = Client("s", version="2025-11-25", declared=("form",), peer=Peer())
        with pytest.raises(ask.ClientError):
            await asyncio.wait_for(asker.run(Call(client, "pay"), sure), 60)
        await asker.close()

    asyncio.run(body())


@pytest.mark.parametrize("part", [{"state": "\ud800"}, {"state": "e1.x", "responses": {"q0.0": {"action": "\ud800"}}}],
                         ids=["state", "responses"])
def test_a_state_that_no_machine_reads_is_one_of_somebody_else(part):
    async def body():
        asker = ask.Asker("unread")
        with pytest.raises(ask.StateError) as refused:
            await asker.run(Call(CLIENT, "pay", {}, **part), sure)
        assert refused.value.code == -32602
        await asker.close()

    asyncio.run(body())


def test_a_server_whose_questions_end_before_they_begin_is_refused():
    ask.Asker("bot", ttl=0.0001)
    with pytest.raises(InputError, match="ttl_ms"):
        ask.Asker("bot", ttl=-1)
