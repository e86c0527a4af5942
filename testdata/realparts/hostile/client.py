"""The official Python SDK, 1.x or 2.x, before a hostile server; see play.mjs for the command line and the output."""

import asyncio
import json
import logging
import os
import sys
from typing import Any, Awaitable, Callable

import mcp
from mcp import StdioServerParameters, stdio_client

DATE, NAMES, COMMAND, *ARGUMENTS = sys.argv[1:]
PATIENCE = int(os.environ["PATIENCE"]) / 1000
SERVER = StdioServerParameters(command=COMMAND, args=ARGUMENTS, env=dict(os.environ))
logging.disable(logging.CRITICAL)


def say(**event: Any) -> None:
    print(json.dumps(event), flush=True)


async def asked(context: Any, params: Any) -> Any:
    say(asked=params.message)
    return Result(action="accept", content={})


async def play(call: Callable[[str], Awaitable[Any]]) -> None:
    say(ready=True)
    with open(NAMES, encoding="utf-8") as names:
        for name in names.read().split():
            try:
                outcome = (await asyncio.wait_for(call(name), PATIENCE)).model_dump_json()
            except Exception as e:
                told = getattr(e, "error", e)
                outcome = f"{type(e).__name__} {told!r}"
            say(done=name, outcome=outcome)
            try:
                await asyncio.wait_for(call("alive"), PATIENCE)
            except Exception:
                os._exit(9)
            say(alive=name)
    os._exit(0)


async def first() -> None:
    """1.x: a session over the streams of a process."""
    async with stdio_client(SERVER) as (read, write):
        async with mcp.ClientSession(read, write, elicitation_callback=asked) as session:
            await session.initialize()
            await play(lambda name: session.call_tool(name, {}))


async def second() -> None:
    """2.x: a client, which also knows rounds."""
    mode = DATE if DATE >= "2026" else "legacy"
    async with mcp.Client(stdio_client(SERVER), elicitation_callback=asked, mode=mode) as client:
        await play(lambda name: client.call_tool(name, {}))


try:
    from mcp_types import ElicitResult as Result

    asyncio.run(second())
except ImportError:
    from mcp.types import ElicitResult as Result

    asyncio.run(first())
