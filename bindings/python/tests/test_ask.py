"""Asking from tools of the official SDK's server, with its client in memory, of every kind of client."""

import asyncio
import enum
import re
from typing import List, Optional

import pytest

from elicit_engine import InputError, ask

mcp = pytest.importorskip("mcp", reason="the official SDK needs Python 3.10")
pydantic = pytest.importorskip("pydantic")

TWO = hasattr(mcp, "Client")  # the SDK 2
if TWO:
    from mcp import types
    from mcp.server import MCPServer as Server
else:
    from mcp import types
    from mcp.server.fastmcp import FastMCP as Server

MODES = ["legacy", "auto"] if TWO else ["legacy"]


class Region(enum.Enum):
    EU_WEST = "eu"
    US_EAST = "us"


class Deploy(pydantic.BaseModel):
    region: Region = pydantic.Field(title="Region")
    count: int = pydantic.Field(2, ge=1, le=20)
    note: Optional[str] = None

    @pydantic.field_validator("note")
    @classmethod
    def quiet(cls, note):
        if note == "now!":
            raise ValueError("do not shout")
        return note


class Token(pydantic.BaseModel):
    token: str


def server_of(asker=None, **options):
    """A server whose tools ask."""
    server = Server("deploy-bot")

    @server.tool()
    async def deploy() -> str:
        got = await ask.form(Deploy, "Where should it run?")
        return "%s %d %s" % (got.region.name, got.count, got.note)

    @server.tool()
    async def wizard(name: str) -> str:
        kind = await ask.choose("Which kind?", {"s": "Small", "l": "Large"})
        await ask.confirm("Make a %s machine?" % kind)
        return "%s is %s" % (name, kind)

    @server.tool()
    async def careful() -> str:
        try:
            await ask.confirm("Drop the table?")
            return "dropped"
        except ask.AskError as error:
            return "%s %s %s" % (type(error).__name__, error.outcome, error.cause)

    @server.tool()
    async def broken() -> str:
        try:
            return await ask.choose("Which?", ["1", "2"])
        except ask.Declined:
            raise ValueError("a detail of the server")

    @server.tool()
    async def pay() -> str:
        await ask.url("Pay for more space", "https://pay.example.com/1")
        return "paying"

    @server.tool()
    async def key() -> str:
        try:
            return "%d letters" % len((await ask.secret(Token, "The token, please")).token)
        except ask.Unsupported as error:
            return "unsupported: " + error.problems[0]["code"]

    @server.tool()
    async def promised() -> List[int]:
        return [int(await ask.choose("Which?", ["1", "2"]))]

    asker = (asker or ask.Asker("deploy-bot", **options)).install(server)
    return server, asker


class Person:
    """Answers each question: with content, with an action, or by a function of the parameters."""

    def __init__(self, *answers):
        self.answers, self.shown = list(answers), []

    async def __call__(self, context, params):
        self.shown.append(params)
        answer = self.answers.pop(0)
        if callable(answer):
            answer = await answer(params)
        if isinstance(answer, str):
            return types.ElicitResult(action=answer)
        return types.ElicitResult(action="accept", content=answer)


class Connected:
    """A client of either SDK, connected in memory."""

    def __init__(self, server, person=None, mode="legacy"):
        if TWO:
            self._inner = mcp.Client(server, elicitation_callback=person, mode=mode)
        else:
            from mcp.shared.memory import create_connected_server_and_client_session as connect

            self._inner = connect(server._mcp_server, elicitation_callback=person)

    async def __aenter__(self):
        self.client = await self._inner.__aenter__()
        return self

    async def __aexit__(self, *error):
        return await self._inner.__aexit__(*error)

    async def call(self, tool, **arguments):
        result = await self.client.call_tool(tool, arguments)
        return result.content[0].text

    async def tools(self):
        return [tool.name for tool in (await self.client.list_tools()).tools]


def play(body):
    return asyncio.run(asyncio.wait_for(body, 300))


def called(person, tool, mode="legacy", options=None, **arguments):
    async def body():
        server, _ = server_of(**(options or {}))
        async with Connected(server, person, mode) as client:
            return await client.call(tool, **arguments)

    return play(body())


@pytest.mark.parametrize("mode", MODES)
def test_a_form_gives_an_instance(mode):
    person = Person({"region": "eu"})
    assert called(person, "deploy", mode) == "EU_WEST 2 None"
    [shown] = person.shown
    asked = shown.requested_schema if TWO else shown.requestedSchema
    assert asked["required"] == ["region"] and asked["properties"]["region"]["oneOf"] == [
        {"const": "eu", "title": "Eu west"}, {"const": "us", "title": "Us east"}
    ]


@pytest.mark.parametrize("mode", MODES)
def test_what_a_validator_refuses_is_asked_again(mode):
    person = Person({"region": "us", "note": "now!"}, {"region": "us", "note": "later"})
    assert called(person, "deploy", mode) == "US_EAST 2 later"
    assert "do not shout" in person.shown[1].message and "do not shout" not in person.shown[0].message


@pytest.mark.parametrize("mode", MODES)
def test_an_answer_that_does_not_fit_is_asked_again(mode):
    person = Person({"region": "eu", "count": 99}, {"region": "eu", "count": 9})
    assert called(person, "deploy", mode) == "EU_WEST 9 None"
    assert len(person.shown) == 2


@pytest.mark.parametrize("mode", MODES)
def test_two_steps(mode):
    person = Person({"choice": "l"}, {})
    assert called(person, "wizard", mode, name="db") == "db is l"
    assert [shown.message for shown in person.shown] == ["Which kind?", "Make a l machine?"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("said, name", [("decline", "Declined decline user"), ("cancel", "Cancelled cancel user")])
def test_a_no(mode, said, name):
    assert called(Person(said), "careful", mode) == name


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("said, text", [("decline", "the person declined"), ("cancel", "the person gave no answer")])
def test_the_model_reads_a_no(mode, said, text):
    assert called(Person(said), "wizard", mode, name="db") == text


@pytest.mark.skipif(not TWO, reason="the SDK 1 tells the model of every error")
@pytest.mark.parametrize("mode", MODES)
def test_the_model_reads_no_other_error(mode):
    assert called(Person("decline"), "broken", mode) == "Error executing tool broken"


@pytest.mark.parametrize("mode", MODES)
def test_a_url(mode):
    person = Person("accept")
    assert called(person, "pay", mode) == "paying" and person.shown[0].url == "https://pay.example.com/1"


@pytest.mark.parametrize("mode", MODES)
def test_a_policy_of_the_server(mode):
    policy = {"user": {"version": 1, "approval_policy": "never"}}
    assert called(Person(), "careful", mode, {"policy": policy}).startswith("DeclinedByPolicy decline policy")


@pytest.mark.parametrize("mode", MODES)
def test_a_secret_needs_a_page(mode):
    assert called(Person(), "key", mode) == "unsupported: page_needed"


@pytest.mark.parametrize("mode", MODES)
def test_a_secret_comes_from_the_page_alone(mode):
    async def body():
        server, asker = server_of(page="https://bot.example/ask/")
        problems = []

        async def visit(params):
            token = params.url[len("https://bot.example/ask/"):]
            page = await asker.page(token)
            assert page["secret"] and page["url"] == params.url and page["show"]["form"]["fields"][0]["name"] == "token"
            problems.append(await asker.answer_page(token, "accept", {}))
            problems.append(await asker.answer_page(token, "accept", {"token": "12345678"}))
            assert await asker.page(token) is None
            with pytest.raises(InputError):
                await asker.answer_page(token, "accept", {"token": "other"})
            return "accept"

        person = Person(visit)
        async with Connected(server, person, mode) as client:
            assert await client.call("key") == "8 letters"
        assert [p["code"] for p in problems[0]] == ["missing"] and problems[1] == []
        assert "12345678" not in repr(person.shown)

    play(body())


def question_in(text):
    """What a model reads in the result of a call that asks."""
    return re.search(r'"id":"([^"]+)"', text).group(1)


@pytest.mark.parametrize("mode", MODES)
def test_a_model_passes_on_what_the_person_says(mode):
    async def body():
        server, _ = server_of()
        async with Connected(server, None, mode) as client:
            assert "elicitation_result" in await client.tools()
            text = await client.call("wizard", name="db")
            assert "Which kind?" in text and "elicitation_result" in text
            first = question_in(text)
            wrong = await client.call("elicitation_result", id=first, action="accept", content={"choice": "x"})
            assert "The answer was not taken" in wrong
            text = await client.call("elicitation_result", id=first, action="accept", content={"choice": "s"})
            assert "Make a s machine?" in text
            done = await client.call("elicitation_result", id=question_in(text), action="accept")
            assert done == "db is s"
            assert "no open question" in await client.call("elicitation_result", id="nobody.1", action="decline")

    play(body())


@pytest.mark.parametrize("mode", MODES)
def test_the_tool_of_models_is_listed_where_it_is_needed_alone(mode):
    async def body():
        async with Connected(server_of()[0], Person(), mode) as client:
            assert "elicitation_result" not in await client.tools()
        async with Connected(server_of(fallback=None)[0], None, mode) as client:
            assert "elicitation_result" not in await client.tools()
            assert await client.call("careful") == "Unsupported cancel unsupported"

    play(body())


@pytest.mark.parametrize("mode", MODES)
def test_a_promise_of_structured_content_is_kept(mode):
    async def body():
        async with Connected(server_of()[0], None, mode) as client:
            asked = await client.client.call_tool("promised", {})
            assert asked.is_error if TWO else asked.isError
            id = question_in(asked.content[0].text)
            said = {"id": id, "action": "accept", "content": {"choice": "2"}}
            done = await client.client.call_tool("elicitation_result", said)
            assert (done.structured_content if TWO else done.structuredContent) == {"result": [2]}

    play(body())


@pytest.mark.parametrize("mode", MODES)
def test_hooks_see_every_question_and_answer(mode):
    async def shout(question, put):
        seen.append(question.message)
        answer = await put(ask.Question("form", question.message.upper(), question.schema))
        return ask.Answer(answer.id, {**answer.content, "count": 7})

    async def veto(question, put):
        raise RuntimeError("not today")

    seen = []
    person = Person({"region": "eu"})
    assert called(person, "deploy", mode, {"hooks": [shout]}) == "EU_WEST 7 None"
    assert person.shown[0].message == "WHERE SHOULD IT RUN?" and set(seen) == {"Where should it run?"}
    assert "Error executing tool deploy" in called(Person(), "deploy", mode, {"hooks": [shout, veto]})


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("person", [True, False])
def test_a_low_level_server(mode, person):
    async def body():
        schema = {"type": "object", "properties": {}}
        if TWO:
            from mcp.server.lowlevel import Server as Low

            async def list_tools(context, params):
                return types.ListToolsResult(tools=[types.Tool(name="go", input_schema=schema)])

            async def call_tool(context, params):
                await ask.confirm("Go on?")
                return types.CallToolResult(content=[types.TextContent(type="text", text="went on")])

            server = Low("low", on_list_tools=list_tools, on_call_tool=call_tool)
        else:
            from mcp.server.lowlevel import Server as Low

            server = Low("low")
            with pytest.raises(TypeError, match="after the handlers"):
                ask.Asker("low").install(server)

            @server.list_tools()
            async def list_tools():
                return [types.Tool(name="go", inputSchema=schema)]

            @server.call_tool()
            async def call_tool(name, arguments):
                await ask.confirm("Go on?")
                return [types.TextContent(type="text", text="went on")]

            server._mcp_server = server  # where Connected looks
        ask.Asker("low").install(server)
        async with Connected(server, Person({}) if person else None, mode) as client:
            text = await client.call("go")
            if not person:
                text = await client.call("elicitation_result", id=question_in(text), action="accept")
            assert text == "went on"

    play(body())


@pytest.mark.parametrize("person", [True, False])
def test_a_server_of_fastmcp(person):
    fastmcp = pytest.importorskip("fastmcp")

    async def body():
        server = fastmcp.FastMCP("fast")

        @server.tool
        async def wizard(name: str) -> str:
            kind = await ask.choose("Which kind?", ["s", "l"])
            await ask.confirm("Make it?")
            return "%s is %s" % (name, kind)

        async def answer(message, response_type, params, context):
            asked.append(message)
            return {"choice": "l"} if message == "Which kind?" else {}

        asked = []
        ask.Asker("fast").install(server)
        async with fastmcp.Client(server, elicitation_handler=answer if person else None) as client:
            result = await client.call_tool("wizard", {"name": "db"}, raise_on_error=False)
            if not person:
                for content in ({"choice": "l"}, {}):
                    said = {"id": question_in(result.content[0].text), "action": "accept", "content": content}
                    result = await client.call_tool("elicitation_result", said, raise_on_error=False)
            assert result.content[0].text == "db is l" and len(asked) == 2 * person

    play(body())
