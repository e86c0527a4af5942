"""A player on the official Python SDK, 1.x and 2.x: a client whose person and model are at its standard input.

player.mjs says what it reads and prints."""

import asyncio
import json
import os
import sys

import mcp
from mcp import StdioServerParameters, types
from mcp.client import session as sessions

date, elicit, _, command, *arguments = sys.argv[1:]
server = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
answers = {}


def say(**line):
    print(json.dumps(line), flush=True)


async def person(context, params):
    """Puts a question to the standard input."""
    number = len(answers) + 1
    answers[number] = asyncio.get_running_loop().create_future()
    say(asked=number, params=params.model_dump(mode="json", by_alias=True, exclude_none=True))
    return types.ElicitResult(**await answers[number])


if elicit == "form":  # the SDK declares forms and URLs
    whole = types.ElicitationCapability
    sessions.types.ElicitationCapability = lambda form, url: whole(form=form)


async def perform(client, doing):
    try:
        if "list" in doing:
            return say(id=doing["id"], tools=[tool.name for tool in (await client.list_tools()).tools])
        result = await client.call_tool(doing["call"], doing.get("arguments") or {})
        failed = getattr(result, "isError", None) or getattr(result, "is_error", None) or False
        say(id=doing["id"], text=result.content[0].text, failed=failed)
    except Exception as error:
        say(id=doing["id"], error=repr(error))


async def play(client, version):
    say(ready=version)
    lines = asyncio.StreamReader(limit=1 << 24)
    protocol = asyncio.StreamReaderProtocol(lines)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    doings = set()
    while True:
        line = await lines.readline()
        if not line:
            break
        doing = json.loads(line)
        if "answer" in doing:
            answers[doing["answer"]].set_result(doing["result"])
        else:
            doings.add(asyncio.ensure_future(perform(client, doing)))


async def main():
    callback = None if elicit == "none" else person
    if hasattr(mcp, "Client"):
        mode = "legacy" if date < "2026-07-28" else date
        async with mcp.Client(server, elicitation_callback=callback, mode=mode) as client:
            return await play(client, client.protocol_version)
    async with mcp.stdio_client(server) as (read, write):
        async with mcp.ClientSession(read, write, elicitation_callback=callback) as client:
            return await play(client, (await client.initialize()).protocolVersion)


asyncio.run(main())
