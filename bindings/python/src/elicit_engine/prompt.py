"""A user interface of plain lines: it asks for each field on the terminal and shows problems at once."""

from __future__ import annotations

import asyncio
import getpass
import json
import sys
from typing import Any, Callable, Dict, List, Optional

from .plain import line as plain
from .question import Answer, Question, Typed

#: The words that end the whole question when the person types one instead of a value.
DECLINE, CANCEL = "!decline", "!cancel"

#: The words for yes and no, with their actions.
ACTIONS = {"y": "accept", "yes": "accept", "n": "decline", "no": "decline", DECLINE: "decline"}


#: What stands above a part of a message.
TITLES = {"command": "Command", "diff": "Changes", "access": "Permissions"}

#: How the texts of a change are marked.
MARKS = {"new": "[+%s+]", "gone": "[-%s-]"}


def line(prompt: str) -> str:
    """Asks on standard error, so that standard output has only the program's own output."""
    print(prompt, end="", file=sys.stderr, flush=True)
    return input()


class Prompt:
    """Asks with ``read`` and ``read_secret``, which take a prompt and return a line or raise EOFError."""

    def __init__(
        self,
        read: Callable[[str], str] = line,
        read_secret: Callable[[str], str] = getpass.getpass,
        write: Callable[[str], Any] = lambda line: print(line, file=sys.stderr),
    ):
        self._read, self._read_secret, self._write = read, read_secret, write
        self._turn: Optional[asyncio.Lock] = None

    async def ask(self, question: Question) -> Answer:
        self._turn = self._turn or asyncio.Lock()  # made here, because it belongs to the running loop
        async with self._turn:  # one question at a time uses the terminal
            return await asyncio.get_running_loop().run_in_executor(None, self._ask, question)

    def _ask(self, question: Question) -> Answer:
        self._head(question)
        try:
            return self._link(question) if question.mode == "url" else self._fields(question)
        except (EOFError, KeyboardInterrupt):
            return Answer("cancel")

    def _head(self, question: Question) -> None:
        tool = " (while running %s)" % plain(question.tool) if question.tool else ""
        self._write("\n%s asks%s:" % (plain(question.server), tool))
        for kind, text in question.divided():
            if kind in TITLES:
                self._write("  %s:" % TITLES[kind])
            for part in text.split("\n"):
                self._write("  | " + plain(part))
        if question.description or question.annotations:
            self._write("  The server says of the tool:")
            marks = ["%s: %s" % (name.replace("_", " "), "yes" if is_so else "no")
                     for name, is_so in question.annotations.items()]
            for part in (question.description or "").strip().split("\n") + [", ".join(marks)]:
                if part:
                    self._write("  | " + plain(part))
        if any(change["is"] != "same" for change in question.changed):
            self._write("  Changed since you last said yes:")
            said = "".join(MARKS.get(change["is"], "%s") % change["text"] for change in question.changed)
            for part in said.split("\n"):
                self._write("  | " + plain(part))
        for severity, text in question.cautions():
            self._write("  ! %s: %s" % (severity, plain(text)))
        for sentence in question.voices() + question.complaints():
            self._write("  ! " + plain(sentence))
        self._write("  %s says no, %s puts it away unanswered." % (DECLINE, CANCEL))

    def _link(self, question: Question) -> Answer:
        self._write("  It wants this page opened: " + plain(question.url or ""))
        return Answer(ACTIONS.get(self._read("  Open it? [y/n] ").strip().lower(), "cancel"))

    def _fields(self, question: Question) -> Answer:
        typed: Dict[str, Typed] = {}
        wanted: List[Dict[str, Any]] = list(question.fields)
        while True:
            for field in wanted:
                line = self._line(field)
                if line in (DECLINE, CANCEL):
                    return Answer(line[1:])
                if line:
                    typed[field["name"]] = value(field, line)
                else:
                    typed.pop(field["name"], None)
            reading = question.read(typed)
            wrong = reading.sentences()
            if not wrong:
                break
            for pointer, sentence in wrong.items():
                self._write("  %s: %s" % (pointer or "the answer", plain(sentence)))
            named = [f for f in question.fields if any(p.startswith("/" + token(f["name"])) for p in wrong)]
            wanted = named or list(question.fields)
        if not question.fields:
            return self._agree(question)
        return Answer("accept", reading.content)

    def _agree(self, question: Question) -> Answer:
        """Asks for a yes or no, with a note and edited arguments where they reach whoever asked."""
        arguments: Optional[Dict[str, Any]] = None
        can_edit = "edit" in question.takes and question.arguments is not None
        while True:
            said = self._read("  Agree? [y/n%s] " % ("/e to edit the arguments" if can_edit else "")).strip().lower()
            if said != "e" or not can_edit:
                break
            self._write("  " + plain(json.dumps(arguments or question.arguments, ensure_ascii=False)))
            line = self._read("  All arguments as JSON (empty keeps them): ").strip()
            try:
                read = json.loads(line) if line else None
                if not isinstance(read, (dict, type(None))):
                    raise ValueError("the arguments must be one JSON object")
                arguments = read
            except ValueError as wrong:
                self._write("  %s" % plain(str(wrong)))
        action = ACTIONS.get(said, "cancel")
        note = None
        if action + "_note" in question.takes:
            note = self._read("  A note to whoever asked (may stay empty): ").strip() or None
        return Answer(action, {}, note=note, arguments=arguments)

    def _line(self, field: Dict[str, Any]) -> str:
        for choice in field.get("choices", []):
            self._write("    %s  %s" % (plain(str(choice["value"])), plain(choice.get("title", ""))))
        if field.get("help"):
            self._write("    " + plain(field["help"]))
        initial = field.get("initial")
        hint = "" if field["required"] else " (may stay empty)"
        hint = hint if initial is None else " [%s]" % plain(shown(initial))
        prompt = "  %s%s: " % (plain(field["label"]), hint)
        return (self._read_secret if field.get("sensitive") else self._read)(prompt).strip()


def value(field: Dict[str, Any], line: str) -> Typed:
    """The value of a line for a field. Commas separate several choices."""
    if field["kind"] == "choices":
        return [part.strip() for part in line.split(",") if part.strip()]
    if field["kind"] == "boolean":
        said = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}.get(line.lower())
        return line if said is None else said
    return line


def shown(initial: Any) -> str:
    if isinstance(initial, bool):
        return "yes" if initial else "no"
    return ", ".join(map(str, initial)) if isinstance(initial, list) else str(initial)


def token(name: str) -> str:
    """A member's name as a token of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")
