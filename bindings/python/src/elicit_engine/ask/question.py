"""What handlers ask, and what they get."""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
import secrets
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, Mapping, Optional, Tuple

from .call import Client
from .errors import NoCall, taken

if TYPE_CHECKING:
    from .host import Host


@dataclasses.dataclass(frozen=True)
class Question:
    """A question. ``mode`` is form, with a ``schema``, or url, with a ``url``."""

    mode: str
    message: str
    schema: Optional[Dict[str, Any]] = None
    url: Optional[str] = None
    #: URL mode: wait until :meth:`Asker.completed` has the id that this function gets. Without it, the question ends
    #: with the person's consent. The function may be async, and has returned before the person gets the URL.
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


@dataclasses.dataclass
class Run:
    """One run of a handler."""

    host: "Host"
    client: Client
    hooks: Tuple[Hook, ...]
    attempts: int
    id: str = dataclasses.field(default_factory=lambda: secrets.token_hex(16))
    loop: asyncio.AbstractEventLoop = dataclasses.field(default_factory=asyncio.get_running_loop)

    async def tell(self, event: str, **members: Any) -> Mapping[str, Any]:
        """The reply of the machine to an event of the run."""
        return taken(await self.host.begin({"event": event, "call": self.id, **members}))

    async def pose(self, question: Question) -> Answer:
        """Poses a question and waits for its outcome."""
        event = {"event": "posed", "call": self.id, **question.members()}
        settle = taken(await self.host.pose(event, self.client.peer, question.wait))["settle"]
        model = any(reason["code"] == "model_answer" for reason in settle.get("reasons", ()))
        return Answer(settle.get("id", ""), settle.get("content"), settle.get("page", False), model)


#: The run of the handler that the current code belongs to.
current: "contextvars.ContextVar[Optional[Run]]" = contextvars.ContextVar("elicit_engine.ask")


def running() -> Run:
    """The run of the handler that the current code belongs to."""
    run = current.get(None)
    if run is None or asyncio._get_running_loop() not in (None, run.loop):
        raise NoCall("ask in a handler of a server with Asker(…).install(server), in its loop, and not in once")
    return run
