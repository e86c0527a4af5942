"""The stores keep the rules that the stores in Go keep: testdata/storecheck has them."""

import asyncio
import os
import pathlib
import subprocess

import pytest
from rig import PYTHON, program, redis_server  # noqa: F401

from elicit_engine.store import MemoryStore, StoreError

BRIDGE = pathlib.Path(__file__).resolve().parent / "storing" / "bridge.py"
SOURCE = BRIDGE.parents[2] / "src"


@pytest.mark.parametrize("kind", ["memory", "redis", "encrypted"])
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


def test_a_closed_store_is_an_error_with_a_code():
    async def body():
        store = MemoryStore()
        await store.close()
        with pytest.raises(StoreError) as error:
            await store.load("a")
        assert error.value.code == "closed"

    asyncio.run(body())
