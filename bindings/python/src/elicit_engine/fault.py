"""The errors of callers and of the machine. Wrong input of peers and people is never an exception."""

from __future__ import annotations

import asyncio
from typing import Any, Callable, Dict, List


class ElicitError(Exception):
    """The base class of every exception of this package."""


class LibraryMissing(ElicitError):
    """libelicit could not be found, or is too old for this package."""


class InputError(ElicitError):
    """An event, configuration or schema cannot be read. ``problems`` lists every problem. The input changed nothing."""

    def __init__(self, problems: List[Dict[str, Any]]):
        self.problems = problems
        said = "; ".join("%s at %r" % (p.get("code"), p.get("pointer", "")) for p in problems)
        super().__init__(said or "unreadable input")


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
