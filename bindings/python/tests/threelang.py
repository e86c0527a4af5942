"""The server of internal/tests/threelang in Python. It has the same tools, prompt and resource as those in Go and
TypeScript, over stdio, of either SDK."""

import mcp.server

from elicit_engine import ask

if hasattr(mcp.server, "MCPServer"):
    server = mcp.server.MCPServer("deploy-bot", version="1")
else:
    from mcp.server.fastmcp import FastMCP

    server = FastMCP("deploy-bot")
    server._mcp_server.version = "1"
asker = ask.Asker("deploy-bot")
deployments = 0
flow = ""  # the id of the page that waits


def tool(run):
    return server.tool(structured_output=False)(run)


async def sure(message):
    try:
        await ask.confirm(message)
        return True
    except ask.Declined:
        return False


@tool
async def deploy() -> str:
    global deployments
    where = await ask.choose("Where should it run?", {"staging": "Staging", "production": "Production"})
    if not await sure("Deploy to %s?" % where):
        return "nothing was deployed"
    deployments += 1
    return "deployment %d runs in %s" % (deployments, where)


@tool
async def connect() -> str:
    def wait(id):
        global flow
        flow = id

    await ask.url("Connect your account", "https://id.example/start", wait=wait)
    return "connected"


@tool
async def finish() -> str:
    await asker.completed(flow)
    return "finished"


@tool
async def pay() -> str:
    key = await ask.key()
    plan = await ask.once(lambda: 42)
    done = "paid" if await sure("Pay %d euros?" % plan) else "did not pay"
    return "%s %d with the key %s" % (done, plan, key)


@server.prompt()
async def review() -> str:
    return "Review it %s" % await ask.choose("How?", ["fast", "slow"])


@server.resource("report://now", mime_type="text/plain")
async def report() -> str:
    return "The %s report" % await ask.choose("Which?", ["short", "long"])


asker.install(server, principal=lambda context: "ann")
server.run()
