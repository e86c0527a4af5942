"""The end of a flow behind a URL, which any process may report."""

import asyncio

import pytest
from test_ask import play
from test_ask_nodes import Away

from elicit_engine import InputError, ask
from elicit_engine.store import MemoryStore

KEYS = [ask.Key("k", b"k" * 32)]
ROUNDS = ask.Client(version="2026-07-28", declared=("url",), principal="ann")


class Visits:
    def __init__(self, visited):
        self.visited = visited

    async def request(self, method, params):
        self.visited.set()
        return {"action": "accept"}

    async def notify(self, method, params):
        self.noticed = method


def connect(ids):
    async def handler(call):
        await ask.url("Connect", "https://id.example/?state=1", wait=ids.append)
        return "connected"

    return handler


@pytest.mark.parametrize("stored", [False, True])
def test_a_flow_ends_while_the_call_waits(stored):
    async def body():
        store, ids, visited = MemoryStore() if stored else None, [], asyncio.Event()
        here = ask.Asker("bot", store=store)
        there = ask.Asker("bot", store=store.handle()) if store else here
        peer = Visits(visited)
        client = ask.Client(session="s", declared=("url",), peer=peer)
        call = asyncio.ensure_future(here.run(ask.Call(client, "connect"), connect(ids)))
        await visited.wait()
        await there.completed(ids[0])
        assert await call == "connected" and peer.noticed == "notifications/elicitation/complete"
        with pytest.raises(ask.Unknown):
            await there.completed(ids[0])
        for asker in (here, there):
            await asker.close()

    play(body())


def test_a_flow_ends_between_two_calls_after_its_process_is_gone():
    async def body():
        store, ids = MemoryStore(), []
        first, second = (ask.Asker("bot", store=s, keys=KEYS) for s in (store, store.handle()))
        asked = await first.run(ask.Call(ROUNDS, "connect"), connect(ids))
        await first.close()
        await second.completed(ids[0])
        responses = {name: {"action": "accept"} for name in asked.result["inputRequests"]}
        again = ask.Call(ROUNDS, "connect", state=asked.result["requestState"], responses=responses)
        assert await second.run(again, connect(ids)) == "connected"
        await second.close()

    play(body())


def test_an_id_of_nobody_and_a_store_that_is_away_are_errors():
    async def body():
        store, ids = Away(MemoryStore()), []
        asker = ask.Asker("bot", store=store, keys=KEYS)
        for unknown in ("", "x", "x.y"):
            with pytest.raises(ask.Unknown):
                await asker.completed(unknown)
        await asker.run(ask.Call(ROUNDS, "connect"), connect(ids))
        store.away = True
        with pytest.raises(ask.StoreFailure):
            await asker.completed(ids[0])
        store.away = False
        await asker.completed(ids[0])
        await asker.close()

    play(body())


def test_an_answer_that_comes_too_late_is_a_timeout():
    async def body():
        clock = [1_000_000]
        asker = ask.Asker("bot", keys=KEYS, ttl=60, now=lambda: clock[0])
        client = ask.Client(version="2026-07-28", declared=("form",), principal="ann")

        async def handler(call):
            await ask.confirm("Go on?")

        asked = await asker.run(ask.Call(client, "go"), handler)
        clock[0] += 61_000
        responses = {name: {"action": "accept", "content": {}} for name in asked.result["inputRequests"]}
        with pytest.raises(ask.Timeout):
            await asker.run(ask.Call(client, "go", state=asked.result["requestState"], responses=responses), handler)
        await asker.close()

    play(body())


def test_another_process_takes_a_question_back_and_the_history_says_who_did_it():
    async def body():
        store, visited = MemoryStore(), asyncio.Event()
        here, there = ask.Asker("bot", store=store), ask.Asker("bot", store=store.handle())

        class Thinks(Visits):
            async def request(self, method, params):
                self.visited.set()
                await asyncio.Event().wait()

        client = ask.Client(session="s", principal="ann", declared=("form",), peer=Thinks(visited))
        call = asyncio.ensure_future(here.run(ask.Call(client, "drop"), lambda call: ask.confirm("Drop it?")))
        await visited.wait()
        assert (await there.open_questions("eve"))["questions"] == []
        [question] = (await there.open_questions("ann"))["questions"]
        assert (question["message"], question["caller"], question["target"]) == ("Drop it?", "ann", "drop")
        with pytest.raises(InputError):
            await there.cancel(question["id"], "")
        await there.cancel(question["id"], "ops")
        with pytest.raises(ask.Cancelled):
            await call
        with pytest.raises(ask.Closed):
            await there.cancel(question["id"], "ops")
        [entry] = [entry async for entry in store.history()]
        assert b'"by":"ops"' in entry.body
        for asker in (here, there):
            await asker.close()

    play(body())


class Rows:
    """A table of ids, behind a connection that takes a moment, or that is lost."""

    def __init__(self, lost=False):
        self.ids, self.lost = [], lost

    async def keep(self, id):
        await asyncio.sleep(0)
        if self.lost:
            raise OSError("the table is away")
        self.ids.append(id)


class Opens:
    """A client whose person finishes the flow as soon as they have its URL."""

    def __init__(self, asker, rows):
        self.asker, self.rows, self.shown = asker, rows, 0

    async def request(self, method, params):
        self.shown += 1
        await self.asker.completed(self.rows.ids[-1])
        return {"action": "accept"}

    async def notify(self, method, params):
        pass


def flow(rows, said):
    async def handler(call):
        try:
            await ask.url("Connect", "https://id.example/?state=1", wait=rows.keep)
            return "connected"
        except OSError as error:
            said.append(str(error))
            raise

    return handler


@pytest.mark.parametrize("stored", [False, True])
def test_the_person_gets_the_url_when_its_id_is_kept(stored):
    async def body():
        rows, said = Rows(), []
        asker = ask.Asker("bot", store=MemoryStore() if stored else None)
        peer = Opens(asker, rows)
        client = ask.Client(session="s", declared=("url",), peer=peer)
        assert await asker.run(ask.Call(client, "connect"), flow(rows, said)) == "connected"
        rows.lost = True
        with pytest.raises(OSError):
            await asker.run(ask.Call(client, "connect"), flow(rows, said))
        assert peer.shown == 1 and said == ["the table is away"]
        assert (await asker.open_questions())["questions"] == []
        await asker.close()

    play(body())


def test_a_call_that_ends_waits_until_the_id_is_kept():
    async def body():
        rows, said = Rows(), []
        asker = ask.Asker("bot")
        asked = await asker.run(ask.Call(ROUNDS, "connect"), flow(rows, said))
        assert asked.result["requestState"] and len(rows.ids) == 1
        rows.lost = True
        assert (await asker.run(ask.Call(ROUNDS, "connect"), flow(rows, said))).result["requestState"]
        assert said == ["the table is away"]  # the next run gives the id again
        await asker.close()

    play(body())
