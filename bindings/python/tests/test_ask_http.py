"""Servers over Streamable HTTP: without sessions, and with responses that can carry no request."""

import asyncio
import contextlib
import json
import socket
import urllib.request

import pytest
from test_ask import TWO, Person, play, question_in, server_of

from elicit_engine import ask
from elicit_engine.store import MemoryStore

mcp = pytest.importorskip("mcp", reason="the official SDK needs Python 3.10")
uvicorn = pytest.importorskip("uvicorn")

PAGE = "https://bot.example/ask/"


@contextlib.asynccontextmanager
async def served(server, **options):
    """Serves over HTTP, and gives the address."""
    if TWO:
        app = server.streamable_http_app(**options)
    else:
        for name, value in options.items():
            setattr(server.settings, name, value)
        app = server.streamable_http_app()
    listener = socket.create_server(("127.0.0.1", 0))
    running = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    serving = asyncio.ensure_future(running.serve(sockets=[listener]))
    try:
        yield "http://127.0.0.1:%d/mcp" % listener.getsockname()[1]
    finally:
        running.should_exit = True
        await serving


@contextlib.asynccontextmanager
async def client_of(address, person=None):
    """A client of 2025-11-25."""
    if TWO:
        async with mcp.Client(address, elicitation_callback=person, mode="legacy") as client:
            yield client
        return
    from mcp.client.streamable_http import streamable_http_client as connect

    async with connect(address) as (read, write, _):
        async with mcp.ClientSession(read, write, elicitation_callback=person) as client:
            await client.initialize()
            yield client


def test_a_server_without_sessions_asks_through_the_model():
    async def body():
        server, asker = server_of()
        async with served(server, stateless_http=True) as address, client_of(address, Person()) as client:

            async def call(tool, **arguments):
                return (await client.call_tool(tool, arguments)).content[0].text

            assert "elicitation_result" in [tool.name for tool in (await client.list_tools()).tools]
            first = await call("wizard", name="db")
            second = await call("elicitation_result", id=question_in(first), action="accept", content={"choice": "s"})
            assert "Make a s machine?" in second
            given = {"id": question_in(second), "action": "accept"}
            assert await call("elicitation_result", **given) == "db is s"
            assert "the result is unknown" in await call("elicitation_result", **given)  # nobody knows who calls
        await asker.close()

    play(body())


@pytest.mark.skipif(not TWO, reason="the SDK 1 does not tell that it can send no requests")
def test_a_url_is_an_error_where_no_request_can_be_sent():
    async def body():
        server, asker = server_of(page=PAGE)
        async with served(server, json_response=True) as address, client_of(address, Person()) as client:
            with pytest.raises(Exception) as error:
                await client.call_tool("key", {})
            [asked] = error.value.error.data["elicitations"]
            assert error.value.error.code == -32042 and asked["mode"] == "url" and asked["url"].startswith(PAGE)
            assert await asker.answer_page(asked["url"][len(PAGE):], "accept", {"token": "12345678"}) == []
            assert (await client.call_tool("key", {})).content[0].text == "8 letters"
        await asker.close()

    play(body())


def test_an_asker_answers_with_the_error_of_urls():
    async def body():
        asker = ask.Asker("deploy-bot")
        client = ask.Client("s", version="2025-11-25", declared=("form", "url"))
        call, ids = ask.Call(client, "pay", {"euros": 3}), []

        async def pay(call):
            await ask.url("Pay for more space", "https://pay.example.com/1", wait=ids.append)
            return "paid"

        asked = await asker.run(call, pay)
        assert asked.result is None and asked.error["code"] == -32042
        [question] = asked.error["data"]["elicitations"]
        assert question["url"] == "https://pay.example.com/1" and question["mode"] == "url"
        assert (await asker.run(call, pay)).error["code"] == -32042  # not yet
        await asker.completed(ids[0])
        with pytest.raises(ask.Unknown):
            await asker.completed(ids[0])
        assert await asker.run(call, pay) == "paid"
        await asker.close()

    play(body())


def test_a_form_without_a_way_back_goes_through_the_model():
    async def body():
        asker = ask.Asker("deploy-bot")
        client = ask.Client(version="2025-11-25", declared=("form",))
        asked = await asker.run(ask.Call(client, "go"), lambda call: ask.confirm("Go on?"))
        assert asked.error is None and "Go on?" in asked.result["content"][0]["text"]
        await asker.close()

    play(body())


@pytest.mark.skipif(not TWO, reason="the SDK 1 has no rounds")
def test_a_round_may_come_to_another_process():
    """Each server of the SDK 2 has a key of its own for states, which must not seal those of the asker."""

    async def body():
        store, asked = MemoryStore(), []
        keys = [ask.Key("k", bytes([7]) * 32)]
        askers = [ask.Asker("deploy-bot", store=s, keys=keys) for s in (store, store.handle())]
        servers = [server_of(asker)[0] for asker in askers]
        async with served(servers[0]) as first, served(servers[1]) as second:
            params = {"name": "wizard", "arguments": {"name": "db"}}
            for address, content in ((first, {"choice": "s"}), (second, {}), (first, None)):
                reply = (await post(address, params))["result"]
                asked += [one["params"]["message"] for one in reply.get("inputRequests", {}).values()]
                answers = {name: {"action": "accept", "content": content} for name in reply.get("inputRequests", {})}
                params.update(requestState=reply.get("requestState"), inputResponses=answers)
        assert asked == ["Which kind?", "Make a s machine?"] and reply["content"][0]["text"] == "db is s"
        for asker in askers:
            await asker.close()

    play(body())


async def post(address, params):
    """What a call of 2026-07-28 is answered with."""
    name = "io.modelcontextprotocol/"
    meta = {name + "protocolVersion": "2026-07-28", name + "clientInfo": {"name": "c", "version": "1"},
            name + "clientCapabilities": {"elicitation": {"form": {}}}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {**params, "_meta": meta}}
    head = {"content-type": "application/json", "accept": "application/json, text/event-stream",
            "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": params["name"]}
    asked = urllib.request.Request(address, json.dumps(message).encode(), head)
    text = (await asyncio.to_thread(lambda: urllib.request.urlopen(asked).read())).decode()
    return json.loads(text[text.index("{"):])
