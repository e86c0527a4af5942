"""Asks the guardians that are the host's to ask: a language model, a person, a module the library does not hold."""

from __future__ import annotations

import asyncio
import functools
import inspect
from typing import Any, Awaitable, Callable, Dict, Optional, Tuple, TypedDict, Union

from .engine import Effect, describe
from .fault import tell


class Said(TypedDict, total=False):
    """What a guardian said, or in ``fault`` why there is nothing. In the phase ``second_person``, ``principal``
    approves."""

    output: str
    principal: str
    fault: str


Word = Union[str, Said, None]

#: Asks a guardian, as the effect says. Text is its output as it came; None or an exception is ``unavailable``.
Consult = Callable[[Effect], Union[Word, Awaitable[Word]]]


class Consults:
    """The guardians that are being asked. ``hear`` gets one event for each, at once or later."""

    def __init__(self, ask: Optional[Consult], hear: Callable[[Dict[str, Any]], None]):
        self._ask = ask
        self._hear = hear
        self._open: "Dict[Tuple[str, str, int], asyncio.Future[Word]]" = {}
        self._said: Dict[Tuple[str, str], Dict[str, Any]] = {}  # outputs that the engine has not used yet

    def perform(self, effect: Effect) -> bool:
        """Does what an effect means for guardians, and reports whether that is all it means."""
        name, of = effect["effect"], effect.get("reply", effect)
        if name == "consult":
            self._begin(effect)
        elif name in ("withdraw", "settled"):
            self.end(of.get("session"), of.get("id"))
        elif name == "problem" and effect["about"] == "guardian":
            # The engine cannot use what was said. This guardian says nothing more, so it has failed.
            said = self._said.pop((effect.get("session", ""), effect.get("id", "")), None)
            if said is not None:
                self._hear(event(said, None))
        else:
            return False
        return name in ("consult", "problem")

    def _begin(self, effect: Effect) -> None:
        """Asks. Whom nobody can ask, or whose asking breaks, has said so at once."""
        if self._ask is None:
            missing = "digest" in effect and not effect.get("host")
            return self._hear(event(effect, {"fault": "not_loaded" if missing else "unavailable"}))
        try:
            word = self._ask(effect)
            if inspect.isawaitable(word):
                self._open[key(effect)] = asked = asyncio.ensure_future(word)
                asked.add_done_callback(functools.partial(self._done, effect))
                return
        except Exception as error:
            complain(effect, error)
            word = None
        self._tell(effect, word)

    def end(self, session: Optional[str] = None, request: Optional[str] = None) -> None:
        """Stops asking about a request that is over, or about all."""
        for of in [k for k in self._open if session is None or k[:2] == (session, request)]:
            self._open.pop(of).cancel()
        self._said.pop((session or "", request or ""), None)

    def _done(self, effect: Effect, asked: "asyncio.Future[Word]") -> None:
        error = None if asked.cancelled() else asked.exception()
        if self._open.pop(key(effect), None) is None:
            return
        if error is not None:
            complain(effect, error)
        # One that somebody else cancelled has failed, too: nobody shall wait for the deadline.
        self._tell(effect, None if error is not None or asked.cancelled() else asked.result())

    def _tell(self, effect: Effect, word: Any) -> None:
        said = event(effect, word)
        if "fault" not in said:
            self._said[effect["session"], effect["id"]] = said
        self._hear(said)


def key(effect: Effect) -> Tuple[str, str, int]:
    return effect["session"], effect["id"], effect["round"]


def event(effect: Effect, word: Any) -> Dict[str, Any]:
    """What was said, as the event has it. Nothing is not an output, and an output is text that can be written down."""
    out = {"event": "consulted", "session": effect["session"], "id": effect["id"], "round": effect["round"]}
    said = word if isinstance(word, dict) else {"output": word}
    output, fault, principal = said.get("output"), said.get("fault"), said.get("principal")
    if fault is not None or output is None:
        return {**out, "fault": fault if fault in describe()["faults"] else "unavailable"}
    if not text(output) or principal is not None and not text(principal):
        return {**out, "fault": "bad_output"}
    return {**out, "output": output, **({} if principal is None else {"principal": principal})}


def text(value: Any) -> bool:
    """Whether a value is text that UTF-8 can spell, and not empty."""
    try:
        return isinstance(value, str) and value.encode() != b""
    except UnicodeEncodeError:
        return False


def complain(effect: Effect, error: BaseException) -> None:
    tell("guardian %s could not be asked" % effect["guardian"], error)
