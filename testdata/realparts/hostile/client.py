"""The official Python SDK, 1.x or 2.x, before a hostile server; see play.mjs for the command line and the output."""

import asyncio
import json
import logging
import os
import signal
import sys
from typing import Any, Awaitable, Callable

import mcp
from mcp import StdioServerParameters, stdio_client

DATE, NAMES, COMMAND, *ARGUMENTS = sys.argv[1:]
PATIENCE = int(os.environ["PATIENCE"]) / 1000
SERVER = StdioServerParameters(command=COMMAND, args=ARGUMENTS, env=dict(os.environ))
logging.disable(logging.CRITICAL)
with open(NAMES, encoding="utf-8") as file:
    names = file.read().split()


def say(**event: Any) -> None:
    print(json.dumps(event), flush=True)


async def asked(context: Any, params: Any) -> Any:
    say(asked=params.message)
    return Result(action="accept", content={})


async def play(call: Callable[[str], Awaitable[Any]]) -> None:
    """Makes the calls of all names, or returns when the session of names[0] is broken."""
    say(ready=True)
    while names:
        name = names[0]
        try:
            outcome = (await asyncio.wait_for(call(name), PATIENCE)).model_dump_json()
        except Exception as e:
            told = getattr(e, "error", e)
            outcome = f"{type(e).__name__} {told!r}"
        say(done=name, outcome=outcome)
        try:
            await asyncio.wait_for(call("alive"), PATIENCE)
        except Exception:
            return
        say(alive=names.pop(0))
    os._exit(0)


async def first(ready: asyncio.Event) -> None:
    """1.x: a session over the streams of a process."""
    async with stdio_client(SERVER) as (read, write):
        async with mcp.ClientSession(read, write, elicitation_callback=asked) as session:
            await session.initialize()
            ready.set()
            await play(lambda name: session.call_tool(name, {}))


async def second(ready: asyncio.Event) -> None:
    """2.x: a client, which also knows rounds."""
    mode = DATE if DATE >= "2026" else "legacy"
    async with mcp.Client(stdio_client(SERVER), elicitation_callback=asked, mode=mode) as client:
        ready.set()
        await play(lambda name: client.call_tool(name, {}))


async def sessions(session: Callable[[asyncio.Event], Awaitable[None]]) -> None:
    """Connects anew after a session that broke or was interrupted, because Python and the SDK start slowly."""
    while names:
        ready = asyncio.Event()
        task = asyncio.ensure_future(session(ready))
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
        try:
            await task
        except (Exception, asyncio.CancelledError):
            if not ready.is_set():
                raise
        say(broke=names.pop(0))


try:
    from mcp_types import ElicitResult as Result

    asyncio.run(sessions(second))
except ImportError:
    from mcp.types import ElicitResult as Result

    asyncio.run(sessions(first))
