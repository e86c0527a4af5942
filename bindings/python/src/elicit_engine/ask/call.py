"""What adapters and askers give each other."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Optional

from .machine import Client


@dataclasses.dataclass(frozen=True)
class Call:
    """One call of a tool."""

    client: Client
    target: str
    arguments: Optional[Dict[str, Any]] = None
    method: str = "tools/call"
    #: The tool promises structured content.
    structured: bool = False
    #: The state and the responses of a repeated call, as the client gave them.
    state: Optional[str] = None
    responses: Optional[Dict[str, Any]] = None
    #: The session of a call that :meth:`Asker.submit` lets run again.
    session: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Interruption:
    """What the adapter answers a call with that has to end while the person thinks. One member is set."""

    result: Optional[Dict[str, Any]] = None
    error: Optional[Dict[str, Any]] = None


@dataclasses.dataclass(frozen=True)
class OpenPage:
    """A question that is open on the server's own page."""

    #: What follows ``page`` in its link.
    token: str
    url: str
    #: Who may answer.
    principal: str
    #: What is typed must not be shown or kept.
    secret: bool
    #: The question: the effect ``show`` of an engine, with ``message`` and ``form``.
    show: Dict[str, Any]


def bound(call: Call) -> Dict[str, Any]:
    """What the state of a call is sealed to."""
    out: Dict[str, Any] = {"method": call.method, "target": call.target, "principal": call.client.principal}
    if call.arguments is not None:
        out["arguments"] = call.arguments
    return out
