"""The errors of callers and of the machine. Wrong input of peers and people is never an exception."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence

if TYPE_CHECKING:
    from .question import Question


class ElicitError(Exception):
    """The base class of every exception of this package."""


class LibraryMissing(ElicitError):
    """libelicit could not be found, or is too old for this package."""


class InputError(ElicitError):
    """An event, configuration or schema cannot be read. ``problems`` lists every problem. The input changed nothing.

    ``sentences`` has an English sentence for each problem. Programs should read the codes in ``problems``."""

    def __init__(self, problems: Sequence[Dict[str, Any]], sentences: Sequence[str] = ()):
        self.problems: List[Dict[str, Any]] = list(problems)
        codes = [str(problem.get("code")) for problem in problems]
        self.sentences: List[str] = list(sentences) if len(sentences) == len(codes) else codes
        super().__init__(placed(self.sentences, self.problems) or "unreadable input")

    def __repr__(self) -> str:
        return "%s(%r, problems=%r)" % (type(self).__name__, str(self), self.problems)


def placed(sentences: Sequence[str], problems: Sequence[Dict[str, Any]]) -> str:
    """Sentences about problems, each with the place of its problem."""
    parts = ["%s (at %s)" % (s, p["pointer"]) if p.get("pointer") else s for s, p in zip(sentences, problems)]
    return "; ".join(parts)


class InterfaceError(ElicitError):
    """The user interface raised an exception, which is the ``__cause__``. ``question`` is the question that it had.

    The question was answered with the outcome ``cancel`` and the cause ``no_ui``: no person has decided."""

    def __init__(self, question: Question, error: BaseException):
        self.question: Question = question
        said = "%s: %s" % (type(error).__name__, error) if str(error) else type(error).__name__
        super().__init__("the user interface failed, so the question was cancelled: " + said)
        setattr(self, "__cause__", error)


class HandleError(ElicitError):
    """The engine or form is closed."""


class Busy(ElicitError):
    """Another thread is using this engine. The call changed nothing."""


class EngineFault(ElicitError):
    """A bug of the engine. It takes no more input. ``save`` still works, and a new engine can ``resume`` the state."""


class JournalError(ElicitError):
    """A record could not be kept, so the connection decides nothing any more. Open questions got error replies."""


class Forked(ElicitError):
    """This process is the forked child of the one that loaded the library. Use the start method "spawn"."""


def durable(
    journal: Optional[Callable[[str], object]], host: Mapping[str, Callable[[Dict[str, Any]], None]]
) -> Callable[[Optional[str]], None]:
    """Returns the function that keeps a record in the journal, if there is one. Without a record, the host begins
    another journal, or no more records can be kept."""

    def keep(record: Optional[str]) -> None:
        if journal is None:
            return
        if record is None:
            host["new_journal"]({"effect": "new_journal"})
        elif asyncio.iscoroutine(journal(record)):
            raise TypeError("the journal is a coroutine function, so it returns before the record is durable")

    return keep


def call_host(call: Callable[..., Any], *given: Any) -> None:
    """Calls a function of the host. An exception goes to the exception handler of the loop at once."""
    try:
        call(*given)
    except Exception as error:
        report("a function of the host failed", error)


def report(message: str, error: BaseException) -> None:
    """Gives an exception to the exception handler of the running loop, because no caller can catch it.

    By default, the handler logs it."""
    asyncio.get_running_loop().call_exception_handler({"message": "elicit_engine: " + message, "exception": error})
