"""One question before a person, as user interfaces see it."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional, Protocol, Union

from .engine import evaluate

#: What was typed or picked in a field: text, several choices, or yes and no.
Typed = Union[str, List[str], bool]


_VOICES = frozenset(
    "guardian_asked guardian_denied guardian_fault reviewer_asked reviewer_denied reviewer_beyond reviewer_failed "
    "reviewer_timed_out".split()
)


class Question:
    """A question that is shown. Its texts are the peer's: untrusted, to be shown as text."""

    def __init__(
        self,
        effect: Mapping[str, Any],
        schema: Optional[str] = None,
        problems: Optional[List[Dict[str, Any]]] = None,
    ):
        #: The show effect, whole.
        self.effect = effect
        #: What was wrong with the answer before, when the question is put again.
        self.problems = problems or []
        self._schema = schema
        self.server: str = effect["server"]
        self.tool: Optional[str] = effect.get("tool")
        self.message: str = effect["message"]
        #: "form" or "url".
        self.mode: str = effect["mode"]
        self.url: Optional[str] = effect.get("url")
        self.fields: List[Dict[str, Any]] = effect.get("form", {}).get("fields", [])
        #: What to know before answering, each with a code and a severity.
        self.findings: List[Dict[str, Any]] = effect.get("findings", [])
        #: Why it is put before a person, each with a code.
        self.reasons: List[Dict[str, Any]] = effect.get("reasons", [])

    def warnings(self) -> List[str]:
        """The findings in English."""
        return explained("findings", self.findings)

    def voices(self) -> List[str]:
        """The guardians and reviewers in English that brought it here or had no verdict."""
        return explained("reasons", [r for r in self.reasons if r["code"] in _VOICES])

    def complaints(self) -> List[str]:
        """What was wrong with the answer before in English; a guardian may only want it sent again."""
        return explained("problems", self.problems)

    def read(self, typed: Mapping[str, Typed]) -> "Reading":
        """Turns what was typed into content: numbers, dates, choices by their titles. All problems at once."""
        schema = self._schema or '{"type":"object","properties":{}}'
        out = evaluate("coerce", {"schema_text": schema, "text": dict(typed)})
        return Reading(out.get("content"), out.get("problems", []))


class Reading:
    """Typed text as the engine understood it."""

    def __init__(self, content: Optional[Dict[str, Any]], problems: List[Dict[str, Any]]):
        self.content = content or {}
        self.problems = problems

    def sentences(self) -> Dict[str, str]:
        """What is wrong in English, by the pointer of the field."""
        said = explained("problems", self.problems)
        return {problem["pointer"]: sentence for problem, sentence in zip(self.problems, said)}


def explained(kind: str, given: List[Dict[str, Any]]) -> List[str]:
    """An English sentence for each."""
    said: List[str] = evaluate("explain", {kind: given})[kind]
    return said


class Answer:
    """What a person decided. Only an accept carries content."""

    def __init__(self, action: str, content: Optional[Mapping[str, Any]] = None, via: Optional[str] = None):
        if action not in ("accept", "decline", "cancel"):
            raise ValueError("an answer is accept, decline or cancel, not %r" % (action,))
        self.action = action
        self.content = content if action == "accept" else None
        #: "script" when no person was in front of this host.
        self.via = via

    def event(self, session: str, request: str) -> Dict[str, Any]:
        event: Dict[str, Any] = {"event": "answered", "session": session, "id": request, "action": self.action}
        if self.content is not None:
            event["content_text"] = json.dumps(self.content, ensure_ascii=False, allow_nan=False)
        if self.via is not None:
            event["via"] = self.via
        return event


class UI(Protocol):
    """Puts a question before a person. It is cancelled when the question is withdrawn."""

    async def ask(self, question: Question) -> Answer: ...
