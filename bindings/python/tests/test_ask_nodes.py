"""Several processes of one server: they share sessions in a store, with each other and with a node in Go."""

import asyncio
import base64
import dataclasses
import json
from asyncio.subprocess import PIPE

import pytest
from rig import program, redis_server  # noqa: F401
from test_ask import MODES, Connected, Person, play, server_of

from elicit_engine import ask
from elicit_engine.store import MemoryStore, StoreError

SECRET = bytes([7]) * 32
KEYS = [ask.Key("k", SECRET)]
PAGE = "https://bot.example/ask/"


#: A model may pass an answer on in the session that asked alone, and the SDK 1 has a session for each connection.
sessionless = pytest.mark.skipif(len(MODES) == 1, reason="the SDK 1 has sessions")


def alone(server):
    """A client whose calls stand alone."""
    return Connected(server, mode=MODES[-1])


def id_in(text):
    return text.split('"id":"')[1].split('"')[0]


def node(store, **options):
    return server_of(ask.Asker("deploy-bot", store=store, keys=KEYS, **options))


@sessionless
def test_a_models_answer_may_come_to_another_process():
    async def body():
        store = MemoryStore()
        (a, _), (b, _) = node(store), node(store.handle())
        async with alone(a) as first, alone(b) as second:
            text = await first.call("wizard", name="n")
            text = await second.call("elicitation_result", id=id_in(text), action="accept", content={"choice": "l"})
            assert "Make a l machine?" in text
            given = {"id": id_in(text), "action": "accept", "content": {}}
            assert await first.call("elicitation_result", **given) == "n is l"
            assert await first.call("elicitation_result", **given) != "n is l"

    play(body())


def test_a_page_may_be_answered_on_another_process():
    async def body():
        store, opened = MemoryStore(), asyncio.get_running_loop().create_future()
        server, _ = node(store, page=PAGE, opened=opened.set_result)
        other = node(store.handle(), page=PAGE)[1]
        async with Connected(server, Person("accept")) as client:
            waiting = asyncio.ensure_future(client.call("key"))
            token = (await opened)["link"]
            page = await other.page(token)
            assert page["secret"] and page["link"] == token
            assert [p["code"] for p in await other.answer_page(token, "accept", {})] == ["missing"]
            assert await other.answer_page(token, "accept", {"token": "12345678"}) == []
            assert await waiting == "8 letters"
            assert await other.page(token) is None

    play(body())


@sessionless
def test_a_process_that_ends_leaves_its_sessions_to_the_others():
    async def body():
        store = MemoryStore()
        (a, asker), (b, _) = node(store), node(store.handle())
        async with alone(a) as first:
            text = await first.call("careful")
            await asker.close()
        async with alone(b) as second:
            assert await second.call("elicitation_result", id=id_in(text), action="accept") == "dropped"

    play(body())


class Away:
    """A store that cannot be reached while it is away."""

    def __init__(self, inner):
        self.inner, self.away = inner, False

    def __getattr__(self, name):
        if self.away:

            async def fail(*args):
                raise StoreError("unavailable", "away")

            return fail
        return getattr(self.inner, name)


def test_losing_the_store_is_an_error_and_never_a_silent_fallback():
    async def body():
        store = Away(MemoryStore())
        server, _ = node(store)
        person = Person("accept")
        async with Connected(server, person) as client:
            store.away = True
            with pytest.raises(Exception):
                assert "dropped" not in await client.call("careful")
                raise RuntimeError("an error as a result")
            assert person.shown == []
            store.away = False
            assert await client.call("careful") == "dropped"

    play(body())


def test_an_answer_that_comes_while_the_store_is_away_waits_for_it():
    async def body():
        store = Away(MemoryStore())
        server, _ = node(store)

        async def answer(params):
            store.away = True
            asyncio.get_running_loop().call_later(0.05, setattr, store, "away", False)  # the loop tries until then
            return "accept"

        async with Connected(server, Person(answer)) as client:
            assert await client.call("careful") == "dropped"

    play(body())


@sessionless
def test_an_answer_counts_once():
    async def body():
        store = MemoryStore()
        (a, _), (b, _) = node(store), node(store.handle())
        async with alone(a) as first, alone(b) as second:
            for _ in range(5):
                given = {"id": id_in(await first.call("careful")), "action": "accept", "content": {}}
                calls = [client.call("elicitation_result", **given) for client in (first, second, first, second)]
                texts = await asyncio.gather(*calls)  # those that come too late may ask again
                assert texts.count("dropped") == 1

    play(body())


def test_a_state_counts_once_in_all_processes():
    async def body():
        store = MemoryStore()
        askers = [ask.Asker("deploy-bot", store=s, keys=KEYS) for s in (store, store.handle())]
        client = ask.Client(version="2026-07-28", declared=("form",))

        async def handler(call):
            await ask.confirm("Go on?")
            return "went on"

        first = await askers[0].run(ask.Call(client, "go"), handler)
        state, requests = first.result["requestState"], first.result["inputRequests"]
        again = ask.Call(client, "go", state=state, responses={k: {"action": "accept"} for k in requests})
        assert await askers[1].run(again, handler) == "went on"
        for asker in askers:
            with pytest.raises(ask.StateError):
                await asker.run(again, handler)
            await asker.close()

    play(body())


class GoNode:
    """A node of the same server in Go."""

    def __init__(self, path, socket, prefix, page=""):
        self.command = [path, socket, prefix, base64.urlsafe_b64encode(SECRET).decode().rstrip("="), page]

    async def __aenter__(self):
        self.process = await asyncio.create_subprocess_exec(*self.command, stdin=PIPE, stdout=PIPE)
        return self

    async def __aexit__(self, *error):
        self.process.stdin.close()
        await self.process.wait()

    async def do(self, **doing):
        self.process.stdin.write(json.dumps(doing).encode() + b"\n")
        return json.loads(await self.process.stdout.readline())


def with_go(redis_server, prefix, body, **options):  # noqa: F811
    """Runs a test with a node here and one in Go, which share a Redis."""
    import redis.asyncio

    from elicit_engine.store.redis import RedisStore

    path = program("asknode")

    async def whole():
        connection = redis.asyncio.Redis(unix_socket_path=redis_server)
        store = await RedisStore.open(connection, prefix)
        server, asker = node(store, **options)

        @server.tool()
        async def size() -> str:
            return await ask.choose("Which size?", {"s": "Small", "l": "Large"})

        async with GoNode(path, redis_server, prefix, options.get("page", "")) as go:
            await body(server, store, go, asker)
        await asker.close()
        await store.close()
        await connection.aclose()

    play(whole())


def test_asked_here_and_answered_on_a_node_in_go(redis_server):  # noqa: F811
    async def body(server, store, go, asker):
        async with Connected(server) as client:
            answer = {"op": "submit", "version": "2025-11-25", "id": id_in(await client.call("size"))}
            wrong = await go.do(**answer, action="accept", content={"choice": "xl"})
            assert "choice" in wrong["refused"]
            assert await go.do(**answer, action="accept", content={"choice": "l"}) == {"choice": "l"}
        entries = (await go.do(op="history"))["entries"]
        assert [(e["tool"], e["text"], e["outcome"]) for e in entries] == [("size", "Which size?", "accept")]

    with_go(redis_server, "here", body)


def test_asked_on_a_node_in_go_and_answered_here(redis_server):  # noqa: F811
    async def body(server, store, go, asker):
        asked = await go.do(op="call", version="2025-11-25", arguments={})
        id = id_in(asked["result"]["content"][0]["text"])
        told = []
        passed = {"id": id, "action": "accept", "content": {"choice": "s"}}

        async def handler(call):
            told.append((call.target, call.arguments))
            return await ask.choose("Which size?", {"s": "Small", "l": "Large"})

        assert await asker.run(ask.Call(ask.Client(), "elicitation_result", passed), handler) == "s"
        assert told == [("size", {})]
        assert [entry.tool async for entry in store.history()] == ["size"]

    with_go(redis_server, "go", body)


def test_a_call_that_waits_here_goes_on_when_a_node_in_go_takes_the_page(redis_server):  # noqa: F811
    opened = []

    async def body(server, store, go, asker):
        async with Connected(server, Person("accept")) as client:
            waiting = asyncio.ensure_future(client.call("key"))
            while not opened:
                await asyncio.sleep(0)
            answer = {"op": "answer", "link": opened[0]["link"], "action": "accept"}
            assert await go.do(**answer, content={}) == {"problems": 1}
            assert await go.do(**answer, content={"token": "12345678"}) == {"problems": 0}
            assert await waiting == "8 letters"

    with_go(redis_server, "page", body, page=PAGE, opened=opened.append)


@dataclasses.dataclass
class Plan:
    steps: int


def test_a_value_that_a_node_in_go_has_computed_counts_here(redis_server):  # noqa: F811
    async def body(server, store, go, asker):
        called = {"version": "2026-07-28", "modes": ["form"], "arguments": {"plan": True}}
        asked, made = (await go.do(op="call", **called))["result"], []

        async def handler(call):
            plan = await ask.once(lambda: made.append(1) or Plan(4), Plan)
            return plan.steps, await ask.choose("Which size?", {"s": "Small", "l": "Large"})

        answer = {"action": "accept", "content": {"choice": "l"}}
        client = ask.Client(version="2026-07-28", declared=("form",))
        again = ask.Call(client, "size", called["arguments"], state=asked["requestState"],
                         responses={name: answer for name in asked["inputRequests"]})
        assert await asker.run(again, handler) == (3, "l") and made == []

    with_go(redis_server, "once", body)
