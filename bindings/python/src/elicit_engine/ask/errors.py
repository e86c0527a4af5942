"""How a question ends without an answer."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Type

from ..engine import evaluate
from ..fault import ElicitError, InputError, JournalError, placed


class AskError(ElicitError):
    """A question ended without an accepted answer.

    ``outcome`` is decline, cancel or error. ``cause`` says who or what ended the question. ``problems`` and ``reasons``
    have stable codes (``elicit explain``)."""

    def __init__(
        self,
        outcome: str,
        cause: str,
        problems: Sequence[Dict[str, Any]] = (),
        reasons: Sequence[Dict[str, Any]] = (),
    ):
        self.outcome: str = outcome
        self.cause: str = cause
        self.problems: List[Dict[str, Any]] = list(problems)
        self.reasons: List[Dict[str, Any]] = list(reasons)
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        said = evaluate("explain", {"causes": [self.cause], "problems": self.problems[:3]})
        if self.cause != "user":
            first = "not answered: " + "".join(said.get("causes") or [self.cause])
        else:
            first = "the person declined" if self.outcome == "decline" else "the person gave no answer"
        listed = placed(said.get("problems") or [], self.problems)
        return first + ("; " + listed if listed else "")


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
    """A repeated call brought a state that this server did not seal for it, or a session of somebody else.

    The client learns no reason, because a reason would help who forges states."""


class WrongPrincipal(StateError):
    """Somebody else is to answer the question, or has the session."""


class Unknown(ElicitError):
    """No question waits for this."""


class StillRunning(ElicitError):
    """The client has made a call again, whose answer was taken, and which still runs."""


class ResultUnknown(ElicitError):
    """The client has made a call again, whose answer was taken. What came of it is not known."""


class StoreFailure(ElicitError):
    """The store of the sessions failed. Nothing falls back to memory."""

    def __init__(self, error: object):
        super().__init__("the store of the sessions failed: %s" % error)


class Interrupted(BaseException):
    """The call ends while the person thinks, and the handler runs again later. Let it pass.

    It is no :class:`Exception`, so that ``except Exception`` does not stop it."""


CLASSES: Mapping[str, Type[AskError]] = {
    "timeout": Timeout,
    "unsupported": Unsupported,
    "invalid_request": Invalid,
    "attempts_used": Attempts,
    "peer_error": ClientError,
    "rate_limited": Busy,
    "session_closed": Closed,
    "shutdown": Closed,
    "call_ended": Closed,
}


def failure(settle: Mapping[str, Any]) -> Optional[AskError]:
    """The error of an outcome, or None for an accepted answer."""
    outcome, cause = settle["outcome"], settle["cause"]
    if outcome == "accept":
        return None
    kind = CLASSES.get(cause)
    if kind is None and cause in ("policy", "guardian"):
        kind = DeclinedByPolicy if outcome == "decline" else Policy
    if kind is None:
        kind = {"decline": Declined, "cancel": Cancelled}.get(outcome, AskError)
    return kind(outcome, cause, settle.get("problems") or (), settle.get("reasons") or ())


#: The errors of the machine's failures.
FAILURES: Mapping[str, Callable[[Mapping[str, Any]], BaseException]] = {
    "no_call": lambda reply: NoCall("the handler of this call is over"),
    "interrupted": lambda reply: Interrupted("the call ends until the person has answered"),
    "session_closed": lambda reply: Closed("cancel", "session_closed"),
    "state_invalid": lambda reply: StateError("invalid or expired requestState"),
    "wrong_principal": lambda reply: WrongPrincipal("the session belongs to another principal"),
    "link_used": lambda reply: Claimed("another browser has the page"),
    "store_failed": lambda reply: StoreFailure(reply.get("why", "")),
    "journal_failed": lambda reply: JournalError("a record could not be kept, so nothing is decided any more"),
    "values_too_large": lambda reply: TooLarge("the values of a call are too large"),
    "still_running": lambda reply: StillRunning("the answer was taken, and the call is still running"),
    "result_unknown": lambda reply: ResultUnknown("the answer was taken, and nobody knows what came of it"),
    "refused": lambda reply: InputError(
        reply["problems"], evaluate("explain", {"problems": reply["problems"]})["problems"]
    ),
}


def settled(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """How a question ended, of a reply of the machine. It raises the error that the reply tells of."""
    settle: Mapping[str, Any] = reply.get("settle") or {}
    error: Optional[BaseException] = failure(settle) if settle else None
    if "failed" in reply:
        of = FAILURES.get(reply["failed"])
        error = ElicitError("%s: %s" % (reply["failed"], reply.get("why", ""))) if of is None else of(reply)
    if error is not None:
        setattr(error, "code", reply.get("code", -32603))
        raise error
    return settle


def coded(error: Optional[BaseException]) -> int:
    """The code of the error of JSON-RPC with which a prompt or a resource ends: that of the question which an SDK may
    have wrapped. 0 if no question is the cause."""
    while error is not None and not hasattr(error, "code"):
        error = error.__cause__ or error.__context__
    return getattr(error, "code", 0) if isinstance(error, (ElicitError, InputError)) else 0
