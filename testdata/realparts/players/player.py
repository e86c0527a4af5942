"""A player on the official Python SDK, 1.x and 2.x: it plays clients whose person and model are at its standard input.

player.mjs says what it reads and prints."""

import asyncio
import json
import os
import sys

import mcp
from mcp import StdioServerParameters, types
from mcp.client import session as sessions

whole = types.ElicitationCapability
answers = {}


def say(**line):
    print(json.dumps(line), flush=True)


async def person(context, params):
    """Puts a question to the standard input."""
    number = len(answers) + 1
    answers[number] = asyncio.get_running_loop().create_future()
    say(asked=number, params=params.model_dump(mode="json", by_alias=True, exclude_none=True))
    return types.ElicitResult(**await answers[number])


async def perform(client, doing):
    try:
        if "list" in doing:
            return say(id=doing["id"], tools=[tool.name for tool in (await client.list_tools()).tools])
        result = await client.call_tool(doing["call"], doing.get("arguments") or {})
        failed = getattr(result, "isError", None) or getattr(result, "is_error", None) or False
        say(id=doing["id"], text=result.content[0].text, failed=failed)
    except Exception as error:
        say(id=doing["id"], error=repr(error))


async def play(client, version, lines):
    """Does what the lines say, until they close the client."""
    say(ready=version)
    doings = set()
    while True:
        doing = json.loads(await lines.readline())
        if "close" in doing:
            break
        if "answer" in doing:
            answers[doing["answer"]].set_result(doing["result"])
        else:
            doings.add(asyncio.ensure_future(perform(client, doing)))


async def session(date, declared, command, lines):
    """Plays one client."""
    # The SDK declares forms and URLs.
    forms = declared == "form"
    sessions.types.ElicitationCapability = (lambda form, url: whole(form=form)) if forms else whole
    callback = None if declared == "none" else person
    server = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    if hasattr(mcp, "Client"):
        mode = "legacy" if date < "2026-07-28" else date
        async with mcp.Client(server, elicitation_callback=callback, mode=mode) as client:
            return await play(client, client.protocol_version, lines)
    closing = False
    try:
        async with mcp.stdio_client(server) as (read, write):
            async with mcp.ClientSession(read, write, elicitation_callback=callback) as client:
                await play(client, (await client.initialize()).protocolVersion, lines)
                closing = True
    except Exception as error:
        # SDK 1 fails if the server writes a line while it closes.
        if not closing or "BrokenResourceError" not in repr(getattr(error, "exceptions", error)):
            raise


async def main():
    lines = asyncio.StreamReader(limit=1 << 24)
    protocol = asyncio.StreamReaderProtocol(lines)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    while line := await lines.readline():
        opening = json.loads(line)["open"]
        await session(opening["date"], opening["declared"], opening["command"], lines)
        say(closed=True)


asyncio.run(main())
