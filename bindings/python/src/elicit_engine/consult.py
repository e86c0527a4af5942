"""Asking the guardians that are the host's to ask: a language model, another person, a module the library does not hold."""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
from typing import Any, Awaitable, Callable, Dict, Optional, Tuple, TypedDict, Union

Effect = Dict[str, Any]


class Said(TypedDict, total=False):
    """What a guardian said, or in ``fault`` why there is nothing. ``principal`` approves in the phase ``second_person``."""

    output: str
    principal: str
    fault: str


Word = Union[str, Said, None]

#: Asks a guardian, as the effect says. Text is its output as it came; None, or an exception, is the fault ``unavailable``.
Consult = Callable[[Effect], Union[Word, Awaitable[Word]]]


class Consults:
    """The guardians that are being asked. ``hear`` gets one event for each, at once or later."""

    def __init__(self, ask: Optional[Consult], hear: Callable[[Dict[str, Any]], None]):
        self.ask = ask
        self._hear = hear
        self._open: "Dict[Tuple[str, str, int], asyncio.Future[Word]]" = {}

    def begin(self, effect: Effect) -> None:
        """Asks. Whom nobody can ask, or whose asking breaks, has said so at once."""
        if self.ask is None:
            missing = "digest" in effect and not effect.get("host")
            return self._hear(event(effect, {"fault": "missing" if missing else "unavailable"}))
        try:
            word = self.ask(effect)
            if inspect.isawaitable(word):
                self._open[key(effect)] = asked = asyncio.ensure_future(word)
                asked.add_done_callback(functools.partial(self._done, effect))
                return
        except Exception as error:
            complain(effect, error)
            word = None
        self._hear(event(effect, word))

    def end(self, session: str, request: Optional[str] = None) -> None:
        """Stops asking about a request, or all of a session, that is over."""
        for of in [k for k in self._open if k[0] == session and request in (None, k[1])]:
            self._open.pop(of).cancel()

    def _done(self, effect: Effect, asked: "asyncio.Future[Word]") -> None:
        error = None if asked.cancelled() else asked.exception()
        if self._open.pop(key(effect), None) is None:
            return
        if error is not None:
            complain(effect, error)
        # One that somebody else cancelled has failed, too: nobody shall wait for the deadline.
        self._hear(event(effect, None if error is not None or asked.cancelled() else asked.result()))


def key(effect: Effect) -> Tuple[str, str, int]:
    return effect["session"], effect["id"], effect["round"]


def event(effect: Effect, word: Any) -> Dict[str, Any]:
    """What was said, as the event has it. Nothing is not an output, and an output is text."""
    out = {"event": "consulted", "session": effect["session"], "id": effect["id"], "round": effect["round"]}
    said = word if isinstance(word, dict) else {"output": word}
    output, fault, principal = said.get("output"), said.get("fault"), said.get("principal")
    if fault is not None or output is None:
        return {**out, "fault": fault if isinstance(fault, str) else "unavailable"}
    if not isinstance(output, str) or not output:
        return {**out, "fault": "bad_output"}
    return {**out, "output": output, **({"principal": principal} if isinstance(principal, str) else {})}


def complain(effect: Effect, error: BaseException) -> None:
    logging.getLogger("elicit_engine").error("guardian %s could not be asked", effect["guardian"], exc_info=error)
