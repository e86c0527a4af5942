"""What a store tells of its calls."""

import asyncio
import logging

import pytest

from elicit_engine.store import Change, Counters, MemoryStore, StoreError, log, observe, ping

CHANGE = Change("s", 0, 1, 1, b"x", records=[b"line", b"line"])


def test_each_call_is_counted_by_its_result():
    async def run():
        counters, calls = Counters(), []
        store = observe(MemoryStore(), counters, calls.append)
        await ping(store)
        await store.commit(CHANGE)
        with pytest.raises(StoreError):
            await store.commit(CHANGE)
        assert [await store.redeem("id", 1, 2), await store.redeem("id", 1, 2)] == [True, False]
        await store.due(1, 0, 1)
        (await store.watch("s", lambda version: None))()
        assert [line.line async for line in store.journal("s")] == [b"line", b"line"]
        assert [entry async for entry in store.history()] == []
        await store.close()
        with pytest.raises(StoreError):
            await ping(store)
        assert counters.all == {
            "load ok": 1, "commit ok": 1, "commit conflict": 1, "redeem ok": 1, "redeem redeemed": 1, "due ok": 1,
            "watch ok": 1, "journal ok": 1, "history ok": 1, "load closed": 1}
        assert (calls[0].method, calls[0].session, calls[0].error) == ("load", "ping/", None)
        assert all(call.took >= 0 for call in calls)
    asyncio.run(run())


def test_a_reader_that_stops_and_an_error(caplog):
    async def run():
        inner = MemoryStore()
        store = observe(inner, log(logging.getLogger("store")))
        await store.commit(CHANGE)
        lines = store.journal("s")
        async for _ in lines:
            break
        await lines.aclose()

        async def away(session):
            raise StoreError("unavailable", "away")
        inner.load = away
        with pytest.raises(StoreError):
            await store.load("s")
    with caplog.at_level(logging.DEBUG, "store"):
        asyncio.run(run())
    assert [(record.levelname, record.args[:2]) for record in caplog.records] == [
        ("DEBUG", ("commit", "ok")), ("DEBUG", ("journal", "ok")), ("WARNING", ("load", "unavailable"))]
