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

    ask.Asker("deploy-bot").install(server)
    return server


def asked(person, mode):
    async def body():
        async with Connected(server_of(), person, mode) as client:
            prompt = await client.client.get_prompt("review")
            read = await client.client.read_resource("report://now")
            return prompt.messages[0].content.text, read.contents[0].text

    return play(body())


@pytest.mark.parametrize("mode", MODES)
def test_prompts_and_resources_ask(mode):
    person = Person({"choice": "fast"}, {"choice": "long"})
    assert asked(person, mode) == ("Review it fast", "The long report")
    assert [shown.message for shown in person.shown] == ["How?", "Which?"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("person, code", [(Person("decline"), 4001), (Person("cancel"), 4002), (None, 4003)])
def test_their_errors_have_codes(mode, person, code):
    if person is not None:
        person = Person(*[person.answers[0]] * 9)
    with pytest.raises(BaseException) as raised:
        asked(person, mode)
    error = raised.value
    while not isinstance(error, Failure):  # the SDK runs a client in a group of tasks
        error = error.exceptions[0]
    assert error.error.code == code
