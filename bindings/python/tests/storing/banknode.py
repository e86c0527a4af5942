"""A process of the server that internal/tests/faults kills. It says what it needs in the environment, and prints its
address. A request is a call of the tool "pay", or what a model passes on; the response is what the client reads."""

import asyncio
import dataclasses
import json
import logging
import os
import random
import time

from elicit_engine import ask

logging.getLogger("psycopg").setLevel(logging.CRITICAL)  # servers end here
GIVEN = json.loads(os.environ["ELICIT_FAULT_PROCESS"])
SCHEMA = {"type": "object", "properties": {"answer": {"type": "integer"}}, "required": ["answer"]}


async def pause():
    await asyncio.sleep(random.random() * 0.04)


async def opened():
    """The store, when it is there."""
    while True:
        try:
            if GIVEN["kind"] == "sqlite":
                from elicit_engine.store.sqlite import SqliteStore

                return await SqliteStore.open(GIVEN["path"])
            if GIVEN["kind"] == "postgres":
                import psycopg_pool

                from elicit_engine.store.postgres import PostgresStore

                options = {"autocommit": True}
                pool = psycopg_pool.AsyncConnectionPool(GIVEN["path"], max_size=10, kwargs=options, open=False)
                await pool.open(wait=True)
                return await PostgresStore.open(pool)
            import redis.asyncio

            from elicit_engine.store.redis import RedisStore

            return await RedisStore.open(redis.asyncio.Redis(unix_socket_path=GIVEN["path"]))
        except Exception:
            await pause()


async def run(asker, want):
    client = ask.Client(principal=want["principal"], version="2025-06-18")
    if want["rounds"]:
        client = ask.Client(principal=want["principal"], version="2026-07-28", declared=("form",))
    given = {name: want[name] for name in ("call", "keyed", "sure")}
    call = ask.Call(client, "pay", given, state=want.get("state") or None, responses=want.get("responses"))
    if want.get("said"):
        call = ask.Call(client, "elicitation_result", want["said"])

    async def handler(call):
        key = await ask.key() if want["keyed"] else "-"
        answer = second = (await ask.form(SCHEMA, "Pay for %s?" % want["call"]))["answer"]
        if want["sure"]:
            second = (await ask.form(SCHEMA, "Sure of %s?" % want["call"]))["answer"]
        await pause()  # the work of the handler
        with open(GIVEN["ledger"], "a") as ledger:
            ledger.write("%s %d %s %d\n" % (want["call"], answer, key, second))
        await pause()
        return {"content": [{"type": "text", "text": "paid %d" % answer}]}

    try:
        result = await asker.run(dataclasses.replace(call, written=lambda result: result), handler)
    except Exception as error:
        return {"error": str(error)}
    if not isinstance(result, ask.Interruption):
        return {"result": result}
    return {"result": result.result} if result.error is None else {"error": json.dumps(result.error)}


async def main():
    keys = [ask.Key(id, id.encode() * 32) for id in GIVEN["keys"]]
    config = {"limits": {"per_minute": 60000, "burst": 6000}}
    asker = ask.Asker("bank", store=await opened(), keys=keys, config=config, ttl=1200,
                      now=lambda: time.time_ns() // 1_000_000 + GIVEN["skew"])

    async def serve(reader, writer):
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            body = await reader.readexactly(int(head.split("content-length:")[1].split()[0]))
            said = json.dumps(await run(asker, json.loads(body))).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(said), said))
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client is gone, and asks again
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print("http://127.0.0.1:%d" % server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
