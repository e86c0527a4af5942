"""The interrupts of agent frameworks: AG-UI, LangGraph, the AI SDK, OpenAI and Pydantic AI.

>>> from elicit_engine.interrupts import answer, decode
>>> response = {"output": [{"type": "mcp_approval_request", "id": "r1", "server_label": "dice", "name": "roll",
...                         "arguments": "{}"}]}
>>> [question["tool"] for question in decode("openai", response)["questions"]]
['roll']
>>> answer("openai", response, [{"key": "r1", "action": "decline", "note": "not now"}])
[{'type': 'mcp_approval_response', 'approval_request_id': 'r1', 'approve': False, 'reason': 'not now'}]

docs/reference/protocols.md has the documents that each framework produces, and where it takes the answer. A shape
that is not known raises :class:`Refused`. Only an answer that says accept approves a call.
"""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Sequence, Union

from .contract import InterruptAnswer as Answer
from .contract import InterruptQuestion as Question
from .contract import Interrupts
from .engine import evaluate, evaluate_text
from .library import library

#: What a framework produced: a parsed document, or its exact JSON text.
Produced = Union[str, bytes, Mapping[str, Any], Sequence[Any]]

__all__ = ["Answer", "Interrupts", "Produced", "Question", "Refused", "answer", "answer_text", "decode"]


class Refused(ValueError):
    """The document is not one of the framework, or an answer does not fit. ``problems`` has a code and a pointer for
    each reason."""

    def __init__(self, problems: List[Dict[str, Any]]):
        self.problems: List[Dict[str, Any]] = problems
        told = library().explain(problems)
        super().__init__("; ".join("%s (at %s)" % (s, p["pointer"]) for s, p in zip(told, problems)))


def decode(framework: str, document: Produced) -> Interrupts:
    """Reads a document of a framework, which may be its exact JSON text."""
    found = evaluate("decode_interrupts", _given(framework, document))
    if "problems" in found:
        raise Refused(found["problems"])
    read: Interrupts = {"questions": found["questions"]}
    if "others" in found:
        read["others"] = found["others"]
    return read


def answer(framework: str, document: Produced, answers: Sequence[Answer]) -> Any:
    """The answers to the document that asked, in the framework's spelling."""
    return json.loads(answer_text(framework, document, answers))


def answer_text(framework: str, document: Produced, answers: Sequence[Answer]) -> str:
    """:func:`answer` with the exact JSON text. It keeps every byte of what it does not change."""
    given = {**_given(framework, document), "answers": list(answers), "text": True}
    found = json.loads(evaluate_text("answer_interrupts", given))
    if "problems" in found:
        raise Refused(found["problems"])
    text: str = found["text"]
    return text


def _given(framework: str, document: Produced) -> Dict[str, Any]:
    if isinstance(document, bytes):
        document = document.decode()
    return {"framework": framework, "document_text" if isinstance(document, str) else "document": document}
