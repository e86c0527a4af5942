"""One question for a person, as user interfaces see it."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional, Protocol, Tuple, Union

from .contract import Change, MessagePart
from .engine import describe, evaluate

#: The typed or picked value of a field: text, several choices, or yes and no.
Typed = Union[str, List[str], bool]

_VOICES = frozenset(
    "guardian_asked guardian_denied guardian_fault reviewer_asked reviewer_denied reviewer_beyond reviewer_failed "
    "reviewer_timed_out".split()
)


class Question:
    """A shown question. Its texts come from the peer and are untrusted: show them as text."""

    def __init__(
        self,
        effect: Mapping[str, Any],
        schema: Optional[str] = None,
        problems: Optional[List[Dict[str, Any]]] = None,
    ):
        #: The whole show effect.
        self.effect: Mapping[str, Any] = effect
        #: The problems of the last answer, if the question is asked again.
        self.problems: List[Dict[str, Any]] = problems or []
        self._schema = schema
        self.server: str = effect["server"]
        self.tool: Optional[str] = effect.get("tool")
        self.message: str = effect["message"]
        #: "form" or "url".
        self.mode: str = effect["mode"]
        self.url: Optional[str] = effect.get("url")
        self.fields: List[Dict[str, Any]] = effect.get("form", {}).get("fields", [])
        #: The warnings about the question, each with a code and a severity.
        self.findings: List[Dict[str, Any]] = effect.get("findings", [])
        #: The reasons why a person is asked, each with a code.
        self.reasons: List[Dict[str, Any]] = effect.get("reasons", [])
        #: What the server says of the tool whose call waits for the answer: its description, or None, and its
        #: annotations ("read_only", "destructive", "idempotent", "open_world"). Both are the server's word.
        self.description: Optional[str] = effect.get("description")
        self.annotations: Dict[str, bool] = effect.get("annotations", {})
        #: The arguments of the tool call that waits for the answer, or None.
        self.arguments: Optional[Dict[str, Any]] = effect.get("arguments")
        #: What of an answer reaches whoever asked: "edit", "decline_note", "accept_note".
        self.takes: List[str] = effect.get("takes", [])
        #: The parts of the message, or an empty list for one text. :meth:`divided` has their texts.
        self.parts: List[MessagePart] = effect.get("parts", [])
        #: How the message differs from the earlier one that the person accepted. The texts of "same" and "new" are the
        #: message. An empty list means that nothing was compared.
        self.changed: List[Change] = effect.get("changed", [])
        #: What a yes would do: "command", "patch", "permissions" or "tool", or None. The other members say what it
        #: touches, if that is known.
        self.does: Optional[str] = effect.get("does")
        self.command: Optional[str] = effect.get("command")
        self.cwd: Optional[str] = effect.get("cwd")
        self.paths: List[str] = effect.get("paths", [])
        self.hosts: List[str] = effect.get("hosts", [])
        #: The lists of paths and hosts are not complete.
        self.reach_cut: bool = effect.get("reach_cut", False)
        #: Whether it touches a place outside its directory; None if that is not known.
        self.outside: Optional[bool] = effect.get("outside")

    def __repr__(self) -> str:
        return "<Question of %r: %s, %r>" % (self.server, self.mode, self.message)

    def warnings(self) -> List[str]:
        """The findings in English, in their order."""
        return explained("findings", self.findings)

    def cautions(self) -> List[Tuple[str, str]]:
        """The severity and the line of each warning, the worst first. Alike findings share a line."""
        said = evaluate("explain", {"warnings": self.findings})["warnings"]
        return [(warning["severity"], warning["text"]) for warning in said]

    def voices(self) -> List[str]:
        """The reasons of guardians and reviewers in English: those that asked for a person or had no verdict."""
        return explained("reasons", [r for r in self.reasons if r["code"] in _VOICES])

    def complaints(self) -> List[str]:
        """The problems of the last answer in English. A guardian may only want the same answer sent again."""
        return explained("problems", self.problems)

    def divided(self) -> List[Tuple[str, str]]:
        """The kind and the text of each part of the message. A message without parts is one "text"."""
        lines = self.message.split("\n")
        out: List[Tuple[str, str]] = []
        for part in self.parts:
            out.append((part["is"], "\n".join(lines[: part["lines"]]).rstrip("\n")))
            lines = lines[part["lines"] :]
        fits = self.parts and not lines and sum(p["lines"] for p in self.parts) == self.message.count("\n") + 1
        return out if fits else [("text", self.message)]

    def read(self, typed: Mapping[str, Typed]) -> "Reading":
        """Turns typed values into content: numbers, dates, choices by their titles. It finds all problems at once."""
        schema = self._schema or '{"type":"object","properties":{}}'
        # The engine has taken the schema, and its configuration may have any limits.
        most = {limit["name"]: limit["most"] for limit in describe()["limits"]}
        limits = {"bytes": most["schema"], "fields": most["fields"], "choices": most["choices"]}
        out = evaluate("coerce", {"schema_text": schema, "text": dict(typed), "limits": limits})
        return Reading(out.get("content"), out.get("problems", []))


class Reading:
    """The content and problems that the engine read from typed values."""

    def __init__(self, content: Optional[Dict[str, Any]], problems: List[Dict[str, Any]]):
        self.content: Dict[str, Any] = content or {}
        self.problems: List[Dict[str, Any]] = problems

    def __repr__(self) -> str:
        return "<Reading of %s, problems=%r>" % (fields(self.content), self.problems)

    def sentences(self) -> Dict[str, str]:
        """The problems in English, by the pointer of the field."""
        said = explained("problems", self.problems)
        return {problem["pointer"]: sentence for problem, sentence in zip(self.problems, said)}


def fields(content: Mapping[str, Any]) -> str:
    """The names of an answer's fields. The values may be secret, and a repr may reach a log."""
    return "fields " + ", ".join(content) if content else "no fields"


def explained(kind: str, given: List[Dict[str, Any]]) -> List[str]:
    """An English sentence for each code in the list."""
    said: List[str] = evaluate("explain", {kind: given})[kind]
    return said


class Answer:
    """A person's answer. Only an accept carries content and arguments.

    ``note`` is words for whoever asked, and ``arguments`` replace those of the held call. ``Question.takes`` says what
    of both is possible.
    """

    def __init__(
        self,
        action: str,
        content: Optional[Mapping[str, Any]] = None,
        via: Optional[str] = None,
        note: Optional[str] = None,
        arguments: Optional[Mapping[str, Any]] = None,
    ):
        if action not in ("accept", "decline", "cancel"):
            raise ValueError("an answer is accept, decline or cancel, not %r" % (action,))
        self.action: str = action
        self.content: Optional[Mapping[str, Any]] = content if action == "accept" else None
        #: "script" when no person was in front of this host.
        self.via: Optional[str] = via
        self.note: Optional[str] = note
        self.arguments: Optional[Mapping[str, Any]] = arguments if action == "accept" else None

    def __repr__(self) -> str:
        via = "" if self.via is None else " via " + self.via
        more = "" if self.content is None else ", " + fields(self.content)
        more += ", a note" if self.note else ""
        more += "" if self.arguments is None else ", edited arguments"
        return "<Answer %s%s%s>" % (self.action, more, via)

    def event(self, session: str, request: str) -> Dict[str, Any]:
        event: Dict[str, Any] = {"event": "answered", "session": session, "id": request, "action": self.action}
        if self.content is not None:
            event["content_text"] = json.dumps(self.content, ensure_ascii=False, allow_nan=False)
        if self.via is not None:
            event["via"] = self.via
        if self.note:
            event["note"] = self.note
        if self.arguments is not None:
            event["arguments_text"] = json.dumps(self.arguments, ensure_ascii=False, allow_nan=False)
        return event


class UI(Protocol):
    """Asks a person a question. The task of ``ask`` is cancelled when the question is withdrawn."""

    async def ask(self, question: Question) -> Answer: ...
