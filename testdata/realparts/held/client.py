"""A client on the official Python SDK 2.x: python client.py N JSON COMMAND ARGS… (see client.mjs)."""

import asyncio
import json
import sys

from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp_types import CreateMessageResult, ListRootsResult, Root, TextContent


async def roots(context):
    return ListRootsResult(roots=[Root(uri="file:///tmp")])


async def sample(context, params):
    return CreateMessageResult(role="assistant", content=TextContent(type="text", text="Hello"), model="m")


async def main(count, arguments, command, *args):
    server = StdioServerParameters(command=command, args=list(args))
    async with Client(server, mode="2026-07-28", list_roots_callback=roots, sampling_callback=sample) as client:
        await client.list_tools()

        async def call(n):
            more = {"n": n} if int(count) > 1 else {}
            result = await client.call_tool("delete", {**json.loads(arguments), **more})
            return result.content[0].text

        for text in await asyncio.gather(*(call(n) for n in range(int(count)))):
            print(text)


asyncio.run(main(*sys.argv[1:]))
