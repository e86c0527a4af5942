"""A server on the official Python SDK 1.x whose tool asks and says what came of it."""

from mcp.server.fastmcp import Context, FastMCP
from pydantic import BaseModel

server = FastMCP("python-1", log_level="CRITICAL")


class Nothing(BaseModel):
    pass


@server.tool()
async def ask(message: str, ctx: Context) -> str:
    return (await ctx.elicit(message, Nothing)).action


server.run()
