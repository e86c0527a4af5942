"""The errors of callers and machines. What peers and people get wrong is never an exception."""

from __future__ import annotations

import asyncio
from typing import Any, Callable, Dict, List


class ElicitError(Exception):
    """Every exception of this package."""


class LibraryMissing(ElicitError):
    """libelicit could not be found, or is older than this package needs."""


class InputError(ElicitError):
    """An event, configuration or schema cannot be read. ``problems`` names every fault; nothing has changed."""

    def __init__(self, problems: List[Dict[str, Any]]):
        self.problems = problems
        said = "; ".join("%s at %r" % (p.get("code"), p.get("pointer", "")) for p in problems)
        super().__init__(said or "unreadable input")


class HandleError(ElicitError):
    """The engine or form is closed."""


class Busy(ElicitError):
    """Another thread is inside this engine; nothing happened."""


class EngineFault(ElicitError):
    """A bug of the engine's. It takes nothing more; ``save`` still works, and a new engine can ``resume`` that."""


class JournalError(ElicitError):
    """A record could not be kept, so nothing is decided any more. What was open has been answered with errors."""


class Forked(ElicitError):
    """This process is the forked child of the one that loaded the library. Use the start method "spawn"."""


def surface(call: Callable[..., Any], *given: Any) -> None:
    """Calls what belongs to the host. What it raises goes to the exception handler of the loop, at once."""
    try:
        call(*given)
    except Exception as error:
        tell("a function of the host failed", error)


def tell(message: str, error: BaseException) -> None:
    """Gives an exception that no caller can take to the exception handler of the running loop. By default that logs
    it."""
    asyncio.get_running_loop().call_exception_handler({"message": "elicit_engine: " + message, "exception": error})
