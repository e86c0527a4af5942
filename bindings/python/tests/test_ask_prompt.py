"""Prompts and resources that ask, of the official SDK's server."""

import pytest
from test_ask import MODES, TWO, Connected, Person, Server, play

from elicit_engine import ask

if TWO:
    from mcp.shared.exceptions import MCPError as Failure
else:
    from mcp.shared.exceptions import McpError as Failure


def server_of():
    server = Server("deploy-bot")

    @server.prompt()
    async def review() -> str:
        return "Review it %s" % await ask.choose("How?", ["fast", "slow"])

    @server.resource("report://now")
    async def report() -> str:
        return "The %s report" % await ask.choose("Which?", ["short", "long"])

    @server.prompt()
    async def broken() -> str:
        raise ValueError("no draft")

    @server.resource("report://other")
    async def other() -> str:
        try:
            return await ask.choose("Which?", ["short", "long"])
        except ask.Declined:
            raise Failure(code=7, message="no report")

    ask.Asker("deploy-bot").install(server)
    return server


def got(person, mode, get):
    async def body():
        async with Connected(server_of(), person, mode) as client:
            return await get(client.client)

    return play(body())


async def prompt(client):
    return (await client.get_prompt("review")).messages[0].content.text


async def resource(client):
    return (await client.read_resource("report://now")).contents[0].text


async def both(client):
    return await prompt(client), await resource(client)


@pytest.mark.parametrize("mode", MODES)
def test_prompts_and_resources_ask(mode):
    person = Person({"choice": "fast"}, {"choice": "long"})
    assert got(person, mode, both) == ("Review it fast", "The long report")
    assert [shown.message for shown in person.shown] == ["How?", "Which?"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("get", [prompt, resource])
@pytest.mark.parametrize(
    "person, code, text",
    [
        (Person("decline"), 4001, "the person declined"),
        (Person("cancel"), 4002, "the person gave no answer"),
        (None, 4003, "not answered: this mode was not declared"),
    ],
)
def test_their_errors_have_codes(mode, get, person, code, text):
    if person is not None:
        person = Person(*[person.answers[0]] * 9)
    error = failed(person, mode, get)
    assert error.code == code
    assert error.message.startswith(text)


@pytest.mark.parametrize("mode", MODES)
def test_an_error_of_a_handler_has_the_code_of_other_languages(mode):
    async def broken(client):
        await client.get_prompt("broken")

    assert failed(Person(), mode, broken).code == -32603


@pytest.mark.skipif(not TWO, reason="the SDK 1 has one code for every error of a resource")
def test_a_handler_chooses_a_code():
    async def other(client):
        await client.read_resource("report://other")

    assert failed(Person("decline"), "legacy", other).code == 7


def failed(person, mode, get):
    """The error that a client gets."""
    with pytest.raises(BaseException) as raised:
        got(person, mode, get)
    error = raised.value
    while not isinstance(error, Failure):  # the SDK runs a client in a group of tasks
        error = error.exceptions[0]
    return error.error
