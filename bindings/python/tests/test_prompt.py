"""The prompt of plain lines, and what it makes of a question."""

import asyncio
import json

import pytest

from elicit_engine import Engine
from elicit_engine.prompt import Prompt
from elicit_engine.question import Answer, Question

from test_engine import ASKED, OPENED


def shown(schema, config=None, **more):
    """The question that an engine shows for a schema."""
    with Engine(config) as engine:
        engine.step(OPENED)
        return Question(engine.step({**ASKED, "schema": schema, **more})[-1], json.dumps(schema))


def typed(schema, *lines, **more):
    """What the prompt makes of typed lines, and what it wrote."""
    left, written = list(lines), []

    def read(prompt):
        written.append(prompt)
        if not left:
            raise EOFError
        return left.pop(0)

    prompt = Prompt(read, read, written.append)
    answer = asyncio.run(prompt.ask(shown(schema, **more)))
    assert not left, "never read: %r" % left
    return answer.action, answer.content, "\n".join(written)


WIDE = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2},
        "count": {"type": "integer", "default": 3},
        "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}},
        "sure": {"type": "boolean"},
    },
    "required": ["name", "sure"],
}


def test_a_schema_that_only_raised_limits_let_in_is_read():
    properties = {"f%d" % i: {"type": "string", "enum": ["v%d" % j for j in range(12)]} for i in range(120)}
    lines = ["v7"] + [""] * 119
    schema, config = {"type": "object", "properties": properties}, {"limits": {"fields": 200, "schema": 90000}}
    assert typed(schema, *lines, config=config)[:2] == ("accept", {"f0": "v7"})
    choices = {"f": {"type": "string", "enum": ["v%d" % i for i in range(1500)]}}
    config = {"limits": {"choices": 2000}}
    assert typed({"type": "object", "properties": choices}, "v1499", config=config)[:2] == ("accept", {"f": "v1499"})


@pytest.mark.parametrize(
    "lines, action, content",
    [
        (["Ann", "5", "a, c", "y"], "accept", {"name": "Ann", "count": 5, "tags": ["a", "c"], "sure": True}),
        (["Ann", "", "", "no"], "accept", {"name": "Ann", "count": 3, "sure": False}),
        (["!decline"], "decline", None),
        (["Ann", "!cancel"], "cancel", None),
        ([], "cancel", None),
    ],
)
def test_the_prompt_reads_what_is_typed(lines, action, content):
    got = typed(WIDE, *lines)
    assert got[0] == action and got[1] == content


def test_the_prompt_asks_again_only_for_what_was_wrong():
    action, content, written = typed(WIDE, "A", "many", "a", "yes", "Ann", "4")
    assert (action, content) == ("accept", {"name": "Ann", "count": 4, "tags": ["a"], "sure": True})
    assert "/name: " in written and "/count: " in written


def test_what_a_peer_writes_cannot_move_the_cursor():
    _, _, written = typed({"type": "object", "properties": {}}, "n", message="ok\x1b[2J\u202egone\x07")
    assert "\x1b" not in written and "\u202e" not in written and "\x07" not in written
    assert "ok<U+001B>[2J<U+202E>gone<U+0007>" in written


def test_an_answer_is_one_of_three():
    with pytest.raises(ValueError):
        Answer("yes")
    assert Answer("decline", {"a": 1}).content is None


def held(*lines, takes):
    """What the prompt makes of a call that waits for its answer."""
    left, written = list(lines), []
    prompt = Prompt(lambda said: written.append(said) or left.pop(0), None, written.append)
    question = shown({"type": "object", "properties": {}}, arguments={"path": "/tmp/a"}, takes=takes)
    answer = asyncio.run(prompt.ask(question))
    assert not left, "never read: %r" % left
    return answer, "\n".join(written)


def test_a_decline_takes_a_note():
    answer, written = held("n", "Not that file.", takes=["decline_note"])
    assert (answer.action, answer.note, answer.arguments) == ("decline", "Not that file.", None)
    assert answer.event("s", "1")["note"] == "Not that file." and "edit" not in written


def test_the_arguments_of_a_call_are_edited():
    answer, written = held("e", "{", "e", "[1]", "e", '{"path": "/tmp/b"}', "y", takes=["edit", "decline_note"])
    assert (answer.action, answer.note, answer.arguments) == ("accept", None, {"path": "/tmp/b"})
    assert json.loads(answer.event("s", "1")["arguments_text"]) == {"path": "/tmp/b"}
    assert '{"path": "/tmp/a"}' in written and "must be one JSON object" in written


def test_an_answer_without_them_has_neither():
    answer, written = held("y", takes=[])
    assert answer.event("s", "1") == {"event": "answered", "session": "s", "id": "1", "action": "accept",
                                      "content_text": "{}"}
    assert repr(Answer("accept", {}, note="no", arguments={})) == "<Answer accept, no fields, a note, edited arguments>"
    assert Answer("decline", arguments={"a": 1}).arguments is None


def test_the_parts_of_a_message_and_what_changed_are_text():
    message = "To test.\n\nls -l\x1b[2J\nIn /work\n@@ -1 +1 @@\n-a\n+b\nread /etc"
    parts = [("text", 2), ("command", 1), ("directory", 1), ("diff", 3), ("access", 1)]
    show = {"server": "codex", "mode": "form", "message": message, "does": "command", "outside": False,
            "parts": [{"is": kind, "lines": lines} for kind, lines in parts],
            "changed": [{"is": "same", "text": "To test.\n\nls "}, {"is": "gone", "text": "-a"},
                        {"is": "new", "text": "-l"}]}
    question, written = Question(show), []
    assert question.divided()[:2] == [("text", "To test."), ("command", "ls -l\x1b[2J")]
    assert (question.does, question.cwd, question.paths, question.outside) == ("command", None, [], False)
    Prompt(lambda prompt: "n", write=written.append)._head(question)
    said = "\n".join(written)
    for line in ("  Command:\n  | ls -l<U+001B>[2J\n  | In /work", "  Changes:\n  | @@ -1 +1 @@\n  | -a\n  | +b",
                 "  Permissions:\n  | read /etc", "  Changed since you last said yes:", "  | ls [--a-][+-l+]"):
        assert line in said, said


def test_what_the_server_says_of_the_tool_is_text():
    show = {"server": "files", "tool": "delete", "mode": "form", "message": "delete: {}",
            "description": "Deletes a file.\n\x1b[2J", "annotations": {"read_only": False, "destructive": True}}
    question, written = Question(show), []
    assert (question.description, question.annotations["destructive"]) == ("Deletes a file.\n\x1b[2J", True)
    Prompt(lambda prompt: "n", write=written.append)._head(question)
    assert ("  The server says of the tool:\n  | Deletes a file.\n  | <U+001B>[2J\n  | read only: no, destructive: yes"
            in "\n".join(written))
    assert (Question({"server": "s", "mode": "form", "message": "m"}).description) is None


@pytest.mark.parametrize("parts", [[], [("diff", 1)], [("diff", 3)], [("diff", 1), ("text", 2)]])
def test_parts_that_do_not_fit_the_message_make_it_one_text(parts):
    show = {"server": "codex", "mode": "form", "message": "a\nb", "parts": [{"is": k, "lines": n} for k, n in parts]}
    assert Question(show).divided() == [("text", "a\nb")]
