"""What adapters and askers give each other."""

from __future__ import annotations

import dataclasses
from typing import Any, Awaitable, Callable, Dict, Optional, Protocol, Tuple

#: Sends a notification to a client: its method and parameters.
Notify = Callable[[str, Dict[str, Any]], Awaitable[None]]


class Peer(Protocol):
    """Sends to the client of a call. A cancelled request tells the client so.

    An error of JSON-RPC that the client answers with is raised, with a ``code`` and a ``message``."""

    async def request(self, method: str, params: Dict[str, Any]) -> Any: ...

    async def notify(self, method: str, params: Dict[str, Any]) -> None: ...


@dataclasses.dataclass(frozen=True)
class Client:
    """Who calls, as an adapter knows it. :meth:`Asker.known` reads what a client declares."""

    #: The client's session; None when the protocol has none. Then every call stands alone.
    session: Optional[str] = None
    #: Who is behind the client, from the server's own authorization, never from what the client says.
    principal: str = ""
    #: The protocol date, and the modes that the client declared.
    version: str = "2025-11-25"
    declared: Tuple[str, ...] = ()
    #: None when the transport cannot carry requests to the client.
    peer: Optional[Peer] = None


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
    #: Writes the handler's result as JSON, to keep it for a client that makes the call again: the response may be lost.
    written: Optional[Callable[[Any], Dict[str, Any]]] = None
    #: The progressToken of the request, and what sends a notification on the stream of the call.
    token: Any = None
    notify: Optional[Notify] = None

    def event(self, name: str) -> Dict[str, Any]:
        """The event of a run of this call."""
        of = self.client
        client = {"session": of.session or "", "principal": of.principal, "version": of.version,
                  "declared": list(of.declared), "requests": of.peer is not None}
        given = {"arguments": self.arguments, "state": self.state, "responses": self.responses,
                 "token": None if self.notify is None else self.token}
        return {"event": "called", "call": name, "client": client, "structured": self.structured,
                "method": self.method, "target": self.target,
                **{member: value for member, value in given.items() if value is not None}}


@dataclasses.dataclass(frozen=True)
class Interruption:
    """What the adapter answers a call with that has to end while the person thinks. One member is set."""

    result: Optional[Dict[str, Any]] = None
    error: Optional[Dict[str, Any]] = None
