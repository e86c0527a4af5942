"""Values that a handler computes once, and calls that ask nothing."""

import asyncio
import dataclasses
import json

import pytest
from test_ask import MODES, Connected, Person, Server, play, question_in
from test_ask_nodes import alone, sessionless

from elicit_engine import ask
from elicit_engine.store import MemoryStore, StoreError

pydantic = pytest.importorskip("pydantic")

KEYS = [ask.Key("k", bytes([7]) * 32)]


class Plan(pydantic.BaseModel):
    rows: int
    sql: str


class Counted:
    """A store that counts its commits and loads."""

    def __init__(self, inner):
        self.inner, self.commits, self.loads = inner, 0, 0

    def __getattr__(self, name):
        return getattr(self.inner, name)

    async def commit(self, change):
        self.commits += 1
        return await self.inner.commit(change)


class Agrees:
    async def request(self, method, params):
        return {"action": "accept", "content": {}}

    async def notify(self, method, params):
        pass


def planner(**options):
    """A server whose tool shows a plan and carries it out. Every computed plan is another one."""
    server, computed = Server("planner"), []

    async def dry_run():
        computed.append(1)
        return Plan(rows=len(computed), sql="DROP TABLE a")

    @server.tool()
    async def clean() -> str:
        plan = await ask.once(dry_run, Plan)
        await ask.confirm("Run this? %s" % plan)
        token = await ask.once(lambda: computed.append(2) or len(computed))
        await ask.confirm("Really? %d" % token)
        return "%d rows, %d, %d computed" % (plan.rows, token, len(computed))

    @server.tool()
    async def quiet() -> str:
        return "done"

    @server.tool()
    async def value() -> str:
        return "%d" % await ask.once(lambda: 7)

    @server.tool()
    async def one() -> str:
        await ask.once(lambda: 7)
        await ask.confirm("Go on?")
        return "yes"

    asker = ask.Asker("planner", keys=KEYS, **options).install(server)
    return server, asker


@pytest.mark.parametrize("mode", MODES)
def test_a_value_is_computed_once_in_a_call(mode):
    async def body():
        server, _ = planner()
        person = Person("accept", "accept", "accept", "accept")
        async with Connected(server, person, mode) as client:
            assert await client.call("clean") == "1 rows, 2, 2 computed"
            assert await client.call("clean") == "3 rows, 4, 4 computed"
            assert ["Run this? rows=1 sql='DROP TABLE a'", "Really? 2"] == [p.message for p in person.shown[:2]]

    play(body())


@sessionless
def test_a_value_goes_through_a_model_and_to_another_process():
    async def body():
        store = MemoryStore()
        (a, _), (b, _) = planner(store=store), planner(store=store.handle())
        async with alone(a) as first, alone(b) as second:
            text = await first.call("clean")
            text = await second.call("elicitation_result", id=question_in(text), action="accept", content={})
            assert "Really? 1" in text  # the second process has computed this value, and not the plan
            given = {"id": question_in(text), "action": "accept", "content": {}}
            assert await first.call("elicitation_result", **given) == "1 rows, 1, 1 computed"

    play(body())


def direct(handler, **options):
    """Runs a handler with an asker alone, for a client of forms that agrees to everything."""

    async def body():
        asker = ask.Asker("bot", **options)
        client = ask.Client(session="s", declared=("form",), peer=Agrees())
        try:
            return [await asker.run(ask.Call(client, "tool"), handler) for _ in range(2)][-1]
        finally:
            await asker.close()

    return play(body())


def test_a_value_is_json_in_the_first_run_too():
    async def handler(call):
        assert await ask.once(lambda: {"a": (1, 2)}) == {"a": [1, 2]}
        assert await ask.once(lambda: Plan(rows=1, sql="x"), Plan) == Plan(rows=1, sql="x")
        assert await ask.once(lambda: None) is None
        with pytest.raises(TypeError):
            await ask.once(object)
        return "done"

    assert direct(handler) == "done"


def test_what_computes_a_value_cannot_ask_and_may_fail():
    @dataclasses.dataclass
    class Count:
        n: int

    async def asks():
        await ask.confirm("Go on?")
        return 1

    def fails():
        raise KeyError("n")

    async def handler(call):
        with pytest.raises(ask.NoCall):
            await ask.once(asks)
        with pytest.raises(KeyError):
            await ask.once(fails)
        await ask.confirm("Go on?")
        return (await ask.once(lambda: Count(3), Count)).n

    assert direct(handler) == 3


def test_the_values_of_a_call_are_bounded():
    async def handler(call):
        assert len(await ask.once(lambda: "x" * 32000)) == 32000
        with pytest.raises(ask.TooLarge):
            await ask.once(lambda: "x" * 1000)
        for _ in range(254):
            await ask.once(lambda: 1)
        with pytest.raises(ask.Busy):
            await ask.once(lambda: 1)
        return "done"

    assert direct(handler) == "done"


def test_code_outside_a_call_has_no_value():
    with pytest.raises(ask.NoCall):
        asyncio.run(ask.once(lambda: 1))


@pytest.mark.parametrize("tool, answers, commits", [
    ("quiet", (), 0), ("value", (), 0), ("one", ("accept",), 3), ("clean", ("accept", "accept"), 5),
])
def test_a_call_costs_a_commit_for_its_first_question_its_answers_and_its_end(tool, answers, commits):
    async def body():
        store = Counted(MemoryStore())
        server, _ = planner(store=store)
        async with Connected(server, Person(*answers, *answers)) as client:
            for _ in range(2):  # in a session that is open, too
                before = store.commits
                await client.call(tool)
                assert store.commits - before == commits

    play(body())


def test_a_question_that_the_client_carries_and_never_brings_back_is_in_the_journal():
    records, store = [], MemoryStore()

    async def body():
        asker = ask.Asker("bank", store=store, journal=lambda name, record: records.append(json.loads(record)))
        client = ask.Client(principal="ann", version="2026-07-28", declared=("form",))
        result = await asker.run(ask.Call(client, "pay", {}), lambda call: ask.confirm("Go on?"))
        assert "requestState" in result.result
        await asker.close()

    asyncio.run(body())
    told = [record["event"] for record in records if record["event"]["event"] in ("asked", "cancelled")]
    assert [event.get("message", event.get("cause")) for event in told] == ["Go on?", "carried"]


def test_a_call_that_asks_nothing_needs_no_record():
    records = []

    async def handler(call):
        return "done"

    assert direct(handler, journal=lambda name, record: records.append(record)) == "done"
    assert records == []


def test_a_session_that_is_closed_before_the_first_question_is_opened_again():
    async def body():
        asker = ask.Asker("bot", store=MemoryStore())
        client = ask.Client(session="s", declared=("form",), peer=Agrees())

        async def other(call):
            await ask.confirm("And?")

        async def handler(call):
            await asker.run(ask.Call(client, "other"), other)  # opens the session
            await asker.close_session("s")
            await ask.confirm("Go on?")
            return "done"

        assert await asker.run(ask.Call(client, "tool"), handler) == "done"
        await asker.close()

    play(body())


class Loses:
    """A store that takes the first commit and then cannot be reached for a moment."""

    def __init__(self, inner):
        self.inner, self.lost, self.away = inner, False, False

    def __getattr__(self, name):
        async def call(*args):
            if self.away:
                raise StoreError("unavailable", "away")
            out = await getattr(self.inner, name)(*args)
            if name == "commit" and not self.lost:
                self.lost = self.away = True
                raise StoreError("unavailable", "lost")
            return out

        return call


def test_a_beginning_whose_commit_was_lost_is_not_told_twice():
    async def body():
        store = Loses(MemoryStore())
        asker = ask.Asker("bot", store=store)
        client = ask.Client(session="s", declared=("form",), peer=Agrees())

        async def handler(call):
            with pytest.raises(ask.StoreFailure):
                await ask.confirm("Go on?")
            store.away = False
            await ask.confirm("Once more?")
            return "done"

        assert await asker.run(ask.Call(client, "tool"), handler) == "done"
        await asker.close()

    play(body())


@pytest.mark.parametrize("mode", MODES)
def test_a_call_that_is_made_again_gets_its_result_and_keeps_its_key(mode):
    async def body():
        server, keys = Server("payer"), []

        @server.tool()
        async def pay() -> str:
            keys.append(await ask.key())
            await ask.confirm("Pay?")
            return "paid %d" % len(keys)

        ask.Asker("payer").install(server, lambda context: "ann")
        async with Connected(server, None, mode) as client:
            given = {"id": question_in(await client.call("pay")), "action": "accept"}
            assert await client.call("elicitation_result", **given) == "paid 2"
            assert await client.call("elicitation_result", **given) == "paid 2"
            assert len(keys) == 2 and keys[0] == keys[1]

    play(body())


def test_code_outside_a_call_has_no_key():
    with pytest.raises(ask.NoCall):
        asyncio.run(ask.key())
