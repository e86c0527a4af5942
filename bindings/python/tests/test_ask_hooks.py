"""Hooks: what a server does with every question and answer. Package ask for Go has the same tests."""

import dataclasses

import pytest
from test_ask import Connected, Person, called, play, server_of

from elicit_engine import ask


def hooked(person, *hooks, tool="wizard", **options):
    return called(person, tool, "legacy", {"hooks": hooks, **options}, **({"name": "n"} if tool == "wizard" else {}))


def test_the_first_hook_is_the_outermost():
    seen = []

    def hook(name):
        async def around(question, put):
            seen.append("%s asks %s" % (name, question.message))
            answer = await put(dataclasses.replace(question, message=question.message + name))
            seen.append("%s gets %s" % (name, answer.content))
            return answer

        return around

    person = Person({"choice": "s"}, {})
    assert hooked(person, hook("1"), hook("2")) == "n is s"
    assert [p.message for p in person.shown] == ["Which kind?12", "Make a s machine?12"]
    assert seen[:4] == ["1 asks Which kind?", "2 asks Which kind?1", "2 gets {'choice': 's'}", "1 gets {'choice': 's'}"]


def test_a_hook_refuses_a_question_and_nobody_is_asked():
    async def veto(question, put):
        raise ask.Declined("decline", "policy")

    person = Person()
    assert hooked(person, veto, tool="careful") == "Declined decline policy"
    assert person.shown == []


def test_an_answer_that_a_hook_changes_is_checked_again():
    def say(choice):
        async def change(question, put):
            answer = await put(question)
            return dataclasses.replace(answer, content={"choice": choice} if answer.content else answer.content)

        return change

    assert hooked(Person({"choice": "s"}, {}), say("l")) == "n is l"
    assert "not answered: no answer fitted" in hooked(Person({"choice": "s"}), say("xl"))


def test_a_hook_may_answer_by_itself_and_sees_errors():
    ends = []

    async def see(question, put):
        try:
            return await put(question)
        except ask.AskError as error:
            ends.append(error.cause)
            raise

    async def own(question, put):
        return ask.Answer("", {"choice": "l"}) if question.message == "Which kind?" else await put(question)

    person = Person("decline")
    assert "the person declined" in hooked(person, see, own)
    assert len(person.shown) == 1 and ends == ["user"]


def test_hooks_share_nothing():
    schemas = []

    async def see(question, put):
        answer = await put(question)
        schemas.append(question.schema)
        return answer

    async def spoil(question, put):
        answer = await put(question)
        question.schema.clear()
        if answer.content:
            answer.content["choice"] = "l"
        return answer

    person = Person({"choice": "s"}, {})
    assert hooked(person, see, spoil, see) == "n is l"
    assert all(schema["type"] == "object" for schema in schemas)


def test_a_hook_knows_who_called():
    callers = []

    async def see(question, put):
        callers.append(ask.caller())
        return await put(question)

    async def body():
        server, asker = server_of(ask.Asker("deploy-bot", hooks=[see]))
        async with Connected(server, Person({"choice": "s"}, {})) as client:
            await client.call("wizard", name="n")

    play(body())
    assert callers[0].version == "2025-11-25" and callers[0].declared == ("form", "url")
    with pytest.raises(ask.NoCall):
        ask.caller()
