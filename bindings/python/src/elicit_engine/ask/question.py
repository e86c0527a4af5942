"""What handlers ask, and what they get."""

from __future__ import annotations

import contextvars
import dataclasses
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, Optional

if TYPE_CHECKING:
    from .run import Run


@dataclasses.dataclass(frozen=True)
class Question:
    """A question. ``mode`` is form, with a ``schema``, or url, with a ``url``."""

    mode: str
    message: str
    schema: Optional[Dict[str, Any]] = None
    url: Optional[str] = None
    #: URL mode: wait until :meth:`Asker.completed`; otherwise until the person consents to visit the URL.
    wait: bool = False
    #: Form mode: the answer must not pass the client or a model. The person answers on the server's own page.
    secret: bool = False
    #: Seconds that the question may stay open; None for those of the asker.
    ttl: Optional[float] = None
    #: Form mode: who answers, such as a second approver, on the server's own page; None for the caller.
    principal: Optional[str] = None

    def members(self) -> Dict[str, Any]:
        """The members of the event that poses the question."""
        out: Dict[str, Any] = {"mode": self.mode, "message": self.message}
        if self.schema is not None:
            out["schema"] = self.schema
        if self.url is not None:
            out["url"] = self.url
        if self.wait:
            out["wait"] = True
        if self.secret:
            out["secret"] = True
        if self.principal is not None:
            out["for"] = self.principal
        if self.ttl is not None:
            out["ttl_ms"] = max(1, int(self.ttl * 1000))
        return out


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

#: The run of a handler that the current code belongs to.
current: "contextvars.ContextVar[Optional[Run]]" = contextvars.ContextVar("elicit_engine.ask")
