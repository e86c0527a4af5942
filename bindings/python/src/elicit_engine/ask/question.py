"""What handlers ask, and what they get."""

from __future__ import annotations

import contextvars
import dataclasses
import json
import secrets
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, Optional

from .call import Client
from .errors import NoCall, settled

if TYPE_CHECKING:
    from .host import Host


@dataclasses.dataclass(frozen=True)
class Question:
    """A question. ``mode`` is form, with a ``schema``, or url, with a ``url``."""

    mode: str
    message: str
    schema: Optional[Dict[str, Any]] = None
    url: Optional[str] = None
    #: URL mode: wait until :meth:`Asker.completed` has the id that this function gets; otherwise until the person
    #: consents to visit the URL. The function gets the id before the person gets the URL.
    wait: Optional[Callable[[str], object]] = None
    #: Form mode: the answer must not pass the client or a model. The person answers on the server's own page.
    secret: bool = False
    #: Seconds that the question may stay open; None for those of the asker.
    ttl: Optional[float] = None
    #: Form mode: who answers, such as a second approver, on the server's own page; None for the caller.
    principal: Optional[str] = None

    def members(self) -> Dict[str, Any]:
        """The members of the event that poses the question."""
        ttl = None if self.ttl is None else max(1, int(self.ttl * 1000))
        given = {"schema": self.schema, "url": self.url, "wait": self.wait is not None or None, "for": self.principal,
                 "secret": self.secret or None, "ttl_ms": ttl}
        members = {name: value for name, value in given.items() if value is not None}
        return {"mode": self.mode, "message": self.message, **members}


@dataclasses.dataclass(frozen=True)
class Answer:
    """An accepted answer. ``content`` is None for a URL."""

    id: str
    content: Optional[Dict[str, Any]] = None
    #: The person gave it on the server's own page.
    page: bool = False
    #: A model passed it on.
    model: bool = False


#: Puts a question and returns its answer.
Next = Callable[[Question], Awaitable[Answer]]

#: Wraps the asking of every question. It may change the question, refuse it with an exception of its own, and change
#: the answer, which is then checked against the schema again. It gets copies, so no hook sees what another keeps.
Hook = Callable[[Question, Next], Awaitable[Answer]]


class Run:
    """One run of a handler."""

    def __init__(self, host: "Host", client: Client, hooks: "tuple[Hook, ...]", attempts: int):
        self.host = host
        self.client: Client = client
        self.hooks = hooks
        self.attempts = attempts
        self.id: str = secrets.token_hex(16)

    async def pose(self, question: Question) -> Answer:
        """Poses a question and waits for its outcome."""
        event = {"event": "posed", "call": self.id, **question.members()}
        reply = await self.host.pose(event, self.client.peer, question.wait)
        settle = settled(reply)
        model = any(reason.get("code") == "model_answer" for reason in settle.get("reasons") or ())
        return Answer(settle.get("id", ""), settle.get("content"), settle.get("page", False), model)

    async def key(self) -> str:
        reply = await self.host.begin({"event": "keyed", "call": self.id})
        settled(reply)
        return str(reply["value"])

    async def once(self, key: str, compute: Callable[[], Awaitable[str]]) -> str:
        """The JSON text that an earlier run has kept at the next position, or that is computed now."""
        kept = await self.host.begin({"event": "kept", "call": self.id, "key": key})
        settled(kept)
        if "value" in kept:
            return json.dumps(kept["value"])
        text = await compute()
        event = {"event": "computed", "call": self.id, "key": key, "position": kept.get("position", 0)}
        settled(await self.host.begin({**event, "value": json.loads(text)}))
        return text


#: The run of the handler that the current code belongs to.
current: "contextvars.ContextVar[Optional[Run]]" = contextvars.ContextVar("elicit_engine.ask")


def running() -> Run:
    """The run of the handler that the current code belongs to."""
    run = current.get(None)
    if run is None:
        raise NoCall("this code belongs to no running call: install an asker with Asker(…).install(server)")
    return run
