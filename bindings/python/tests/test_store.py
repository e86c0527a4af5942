"""The stores keep the rules that the stores in Go keep: testdata/storecheck has them."""

import asyncio
import os
import pathlib
import sqlite3
import subprocess

import pytest
from rig import PYTHON, ROOT, program, redis_server  # noqa: F401

from elicit_engine.store import Change, MemoryStore, Query, StoreError

BRIDGE = pathlib.Path(__file__).resolve().parent / "storing" / "bridge.py"
SOURCE = BRIDGE.parents[2] / "src"


@pytest.mark.parametrize("kind", ["memory", "sqlite", "redis", "encrypted"])
def test_every_rule_holds(kind, redis_server, tmp_path):  # noqa: F811
    check = program("storecheck")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCE), os.environ.get("PYTHONPATH", "")])}
    out = subprocess.run([check, PYTHON, str(BRIDGE), kind, redis_server], env=env, stdout=subprocess.PIPE, text=True)
    lines = out.stdout.splitlines()
    assert [line for line in lines if not line.startswith("holds ")] == []
    assert len(lines) > 25


def test_a_server_that_may_evict_and_one_of_a_newer_program_are_refused(redis_server):  # noqa: F811
    import redis.asyncio

    from elicit_engine.store.redis import RedisStore

    async def body():
        client = redis.asyncio.Redis(unix_socket_path=redis_server)
        await client.set("later:format", "2")
        with pytest.raises(StoreError) as later:
            await RedisStore.open(client, "later")
        with pytest.raises(StoreError):
            await RedisStore.open(client, "a{b}")
        await client.config_set("maxmemory", "100mb")
        await client.config_set("maxmemory-policy", "allkeys-lru")
        with pytest.raises(StoreError, match="noeviction"):
            await RedisStore.open(client)
        await client.config_set("maxmemory", "0")
        await client.config_set("maxmemory-policy", "noeviction")
        await client.aclose()
        assert later.value.code == "newer"

    asyncio.run(body())


def test_a_note_that_is_no_version_leaves_a_handle_hearing(redis_server):  # noqa: F811
    import redis.asyncio

    from elicit_engine.store.redis import RedisStore

    async def body():
        client, heard = redis.asyncio.Redis(unix_socket_path=redis_server), asyncio.Queue()
        store = await RedisStore.open(client, "notes")
        await store.watch("s", heard.put_nowait)
        for note in (b"x", b"7"):
            await client.publish("notes:commits:s", note)
        while await asyncio.wait_for(heard.get(), 60) != 7:
            pass
        await store.close()
        await client.aclose()

    asyncio.run(body())


def test_a_file_of_go_goes_on(tmp_path):
    from elicit_engine.store.sqlite import SqliteStore

    async def body():
        file = tmp_path / "s"
        file.write_bytes((ROOT / "testdata/kept/sessions.sqlite").read_bytes())  # of the first schema
        file.chmod(0o600)
        store = await SqliteStore.open(str(file))
        due = await store.due(1_790_000_060_000, 0, 100)
        assert len(due) > 4
        for name in due:
            saved = await store.load(name)
            assert saved.next == 1_790_000_060_000
            assert [line.line async for line in store.journal(name)][2] == b'{"third":3}'
            await store.commit(Change(name, saved.version, saved.version + 1, 1_790_000_060_000, saved.state))
        assert len([entry async for entry in store.history(Query(text="go ON"))]) == len(due)
        assert not await store.redeem("spent", 1, 1_790_000_000_000 * 2)
        await store.close()

    asyncio.run(body())


def test_files_that_are_no_store_are_refused(tmp_path):
    from elicit_engine.store.sqlite import SqliteStore

    async def body():
        files = {"later": "PRAGMA user_version = 3", "theirs": "PRAGMA application_id = 1"}
        for name, change in files.items():
            await (await SqliteStore.open(str(tmp_path / name))).close()
            with sqlite3.connect(tmp_path / name) as db:
                db.execute(change)
            db.close()
        (tmp_path / "open").touch(0o644)
        (tmp_path / "text").write_text("this is not a database, and it is long enough")
        (tmp_path / "text").chmod(0o600)
        for name, code in {"later": "newer", "theirs": "invalid", "open": "invalid", "text": "unavailable"}.items():
            with pytest.raises(StoreError) as error:
                await SqliteStore.open(str(tmp_path / name))
            assert error.value.code == code, name

    asyncio.run(body())


def test_a_locked_file_is_unavailable_for_a_while(tmp_path):
    from elicit_engine.store.sqlite import SqliteStore

    async def body():
        store = await SqliteStore.open(str(tmp_path / "s"), busy=0.001)
        await store.commit(Change("a", 0, 7, 1, b"x"))
        db = sqlite3.connect(tmp_path / "s", isolation_level=None)
        db.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError) as error:
            await store.commit(Change("a", 7, 8, 1, b"y"))
        assert error.value.code == "unavailable" and (await store.load("a")).version == 7
        db.execute("ROLLBACK")
        db.close()
        await store.commit(Change("a", 7, 8, 1, b"y"))
        assert (await store.load("a")).version == 8
        await store.close()

    asyncio.run(body())


@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_a_file_that_is_gone_is_unavailable(tmp_path, monkeypatch, how):
    from elicit_engine.store.sqlite import SqliteStore

    async def body():
        monkeypatch.chdir(tmp_path)
        await (await SqliteStore.open("new")).close()
        store = await SqliteStore.open("s", poll=0.001)
        monkeypatch.chdir("/")
        await store.commit(Change("a", 0, 1, 1, b"x"))
        woken = asyncio.Event()
        await store.watch("b", lambda version=0: woken.set())
        if how == "deleted":
            (tmp_path / "s").unlink()
        else:
            (tmp_path / "new").rename(tmp_path / "s")
        for call in (store.commit(Change("a", 1, 2, 1, b"y")), store.load("a"), store.redeem("id", 1, 2)):
            with pytest.raises(StoreError) as error:
                await call
            assert error.value.code == "unavailable"
        await asyncio.wait_for(woken.wait(), 60)
        await store.close()

    asyncio.run(body())


def test_a_closed_store_is_an_error_with_a_code():
    async def body():
        store = MemoryStore()
        await store.close()
        with pytest.raises(StoreError) as error:
            await store.load("a")
        assert error.value.code == "closed"

    asyncio.run(body())
