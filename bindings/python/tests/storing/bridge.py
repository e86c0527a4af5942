"""Serves stores to testdata/storecheck, which holds them to the rules that the stores in Go keep."""

import asyncio
import base64
import json
import logging
import os
import sys
import tempfile
import traceback

from elicit_engine.store import Change, Entry, MemoryStore, Query, StoreError

logging.getLogger("psycopg").setLevel(logging.CRITICAL)  # servers end here
kind, path = sys.argv[1:3]
shared, handles, watches = {}, {}, {}


def say(**line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


async def opened(data):
    if kind == "encrypted":
        from elicit_engine.store.encrypted import EncryptedStore, Key

        inner = shared.setdefault(data, MemoryStore()).handle()
        return EncryptedStore(inner, names=b"n" * 32, keys=[Key("k", b"k" * 32)])
    if kind == "memory":
        return shared.setdefault(data, MemoryStore()).handle()
    if kind == "sqlite":
        from elicit_engine.store.sqlite import SqliteStore

        folder = shared.setdefault("folder", tempfile.TemporaryDirectory())
        return await SqliteStore.open(os.path.join(folder.name, data), poll=0.001)
    if kind == "postgres":
        import psycopg_pool

        from elicit_engine.store.postgres import PostgresStore

        if "pool" not in shared:
            shared["pool"] = psycopg_pool.AsyncConnectionPool(path, max_size=60, open=False)
            await shared["pool"].open()
        return await PostgresStore.open(shared["pool"], data)
    import redis.asyncio

    from elicit_engine.store.redis import RedisStore

    client = shared.setdefault("client", redis.asyncio.Redis(unix_socket_path=path))
    return await RedisStore.open(client, data)


def bytes_of(text):
    return base64.b64decode(text or "")


def entry_of(given):
    named = {name.lower(): value for name, value in given.items()}
    named["body"] = bytes_of(named.get("body"))
    return Entry(**named)


def change_of(given):
    state = given.pop("state", None)
    return Change(
        source=given.pop("from"),
        keep_records=given.pop("keepRecords"),
        state=None if state is None else bytes_of(state),
        records=[bytes_of(line) for line in given.pop("records") or ()],
        entries=[entry_of(one) for one in given.pop("entries") or ()],
        **given,
    )


def plain(value):
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


async def perform(request):
    method, args, store = request["method"], request["args"], handles.get(request["handle"])
    if method == "open":
        handles[request["handle"]] = await opened(request["data"])
    elif method == "unwatch":
        watches.pop(args[0], lambda: None)()
    elif method == "watch":
        watches[request["id"]] = await store.watch(args[0], lambda version: say(wake=request["id"], version=version))
    elif method == "commit":
        return await store.commit(change_of(args[0]))
    elif method == "history":
        before = args[0].pop("before", None)
        query = Query(before=None if before is None else entry_of(before), **args[0])
        return [entry async for entry in store.history(query)]
    elif method == "journal":
        return [line async for line in store.journal(*args)]
    else:
        return await getattr(store, method)(*args)


async def answer(request):
    try:
        say(id=request["id"], value=plain(await perform(request)))
    except StoreError as error:
        say(id=request["id"], error=error.code)
    except Exception:
        say(id=request["id"], error=traceback.format_exc())


async def main():
    lines = asyncio.StreamReader(limit=1 << 26)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    doing = set()
    while True:
        line = await lines.readline()
        if not line:
            return
        doing.add(asyncio.ensure_future(answer(json.loads(line))))


asyncio.run(main())
