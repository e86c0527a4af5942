"""How a question ends without an answer."""

from __future__ import annotations

import contextvars
from collections import deque
from typing import Any, Callable, Deque, Dict, List, Mapping, Optional, Sequence, Type

from ..engine import evaluate
from ..fault import ElicitError, InputError, JournalError

Problems = Sequence[Dict[str, Any]]

#: The latest errors of the running handler.
raised: "contextvars.ContextVar[Deque[BaseException]]" = contextvars.ContextVar("raised", default=deque(maxlen=0))


class AskError(ElicitError):
    """A question ended without an accepted answer. ``outcome`` is decline, cancel or error. ``cause`` says who or what
    ended it. ``problems`` and ``reasons`` have stable codes (``elicit explain``)."""

    def __init__(self, outcome: str, cause: str, problems: Problems = (), reasons: Problems = (), text: str = ""):
        self.outcome: str = outcome
        self.cause: str = cause
        self.problems: List[Dict[str, Any]] = list(problems)
        self.reasons: List[Dict[str, Any]] = list(reasons)
        super().__init__(text or cause)
        raised.get().append(self)


class Declined(AskError):
    """The person said no."""

class Cancelled(AskError):
    """The person gave no answer."""

class Timeout(Cancelled):
    """Nobody answered in time."""

class Unsupported(AskError):
    """The question can reach nobody: the client can show nothing, or a page is needed and there is none."""

class Invalid(AskError):
    """The question is not fit to be asked. ``problems`` says why."""

class Attempts(Cancelled):
    """No answer fitted. ``problems`` are those of the last one."""

class ClientError(AskError):
    """The client answered with an error."""

class Policy(AskError):
    """The policy or a guardian of the server did not let the question be asked."""

class DeclinedByPolicy(Policy, Declined):
    """The policy or a guardian of the server declined the question."""

class Busy(AskError):
    """Another question is open, or too many were asked."""

class Closed(Cancelled):
    """The session is closed, or the call is over."""

class NoCall(ElicitError):
    """The code that asks belongs to no running call: the asker is not installed, or the handler is over."""

class TooLarge(ElicitError):
    """The values of a call are too large to keep. Nothing was kept of the last one."""

class Claimed(ElicitError):
    """Another browser has the page."""

class StateError(ElicitError):
    """A repeated call brought a state that this server did not seal for it, or a session of somebody else. The client
    learns no reason, because a reason would help who forges states."""

    data: Dict[str, str] = {"reason": "invalid_request_state"}


class WrongPrincipal(StateError):
    """Somebody else is to answer the question, or has the session."""

class Unknown(ElicitError):
    """No question waits for this."""

class StoreFailure(ElicitError):
    """The store of the sessions failed. Nothing falls back to memory."""

class Interrupted(BaseException):
    """The call ends while the person thinks, and the handler runs again later. Let it pass: it is no
    :class:`Exception`, so that ``except Exception`` does not stop it."""


#: The errors of the machine's kinds.
KINDS: Mapping[str, Type[AskError]] = {
    "declined": Declined, "declined_by_policy": DeclinedByPolicy, "policy": Policy, "cancelled": Cancelled,
    "timeout": Timeout, "attempts": Attempts, "closed": Closed, "unsupported": Unsupported, "invalid": Invalid,
    "client": ClientError, "busy": Busy, "other": AskError,
}

#: The errors of the machine's failures, from a sentence. Others are an :class:`ElicitError`.
FAILURES: Mapping[str, Callable[[str], BaseException]] = {
    "no_call": NoCall, "interrupted": Interrupted, "state_invalid": StateError, "wrong_principal": WrongPrincipal,
    "session_closed": lambda text: Closed("cancel", "session_closed", text=text), "link_used": Claimed,
    "store_failed": StoreFailure, "journal_failed": JournalError, "values_too_large": TooLarge,
    "nobody_waits": Unknown,
}


def taken(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """A reply of the machine. It raises the error that the reply tells of."""
    text, settle = reply.get("text", ""), reply.get("settle") or {}
    problems = reply.get("problems") or settle.get("problems") or ()
    if reply.get("failed") == "refused":
        error: BaseException = InputError(problems, evaluate("explain", {"problems": problems})["problems"])
    elif "failed" in reply:
        error = FAILURES.get(reply["failed"], ElicitError)(text)
    elif "kind" in reply:
        error = KINDS[reply["kind"]](settle["outcome"], settle["cause"], problems, settle.get("reasons") or (), text)
    else:
        return reply
    setattr(error, "code", reply.get("code", -32603))
    error.__cause__ = ElicitError(reply["why"]) if "why" in reply else None  # no client may read it
    raised.get().append(error)
    raise error


def uncaught() -> Optional[BaseException]:
    """The error of this module that the running handler let pass to the SDK: that of its frames is the outermost."""
    for error in reversed(raised.get()):
        trace = error.__traceback__
        if trace is not None and str(trace.tb_frame.f_globals.get("__name__")).startswith("mcp."):
            return error
    return None
