"""Asks the guardians that the library does not run: a language model, a person, or a module that it does not have."""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
from typing import Any, Awaitable, Callable, Dict, Optional, Tuple, TypedDict, Union

from .engine import Effect, describe
from .fault import InputError, report


class GuardianAnswer(TypedDict, total=False):
    """The answer of a guardian, or in ``fault`` the reason why there is none.

    In the phase ``second_person``, ``principal`` is the person who approves."""

    output: str
    principal: str
    fault: str


AnyAnswer = Union[str, GuardianAnswer, None]

#: Asks the guardian of an effect. A text is its exact output. None or an exception counts as ``unavailable``.
Consult = Callable[[Effect], Union[AnyAnswer, Awaitable[AnyAnswer]]]


class Consults:
    """The guardians that are being asked. ``give`` gets one event for each guardian, now or later."""

    def __init__(self, ask: Optional[Consult], give: Callable[[Dict[str, Any]], None]):
        self._ask = ask
        self._give = give
        self._open: "Dict[Tuple[str, str, int], asyncio.Future[AnyAnswer]]" = {}
        self._said: Dict[Tuple[str, str], Dict[str, Any]] = {}  # outputs that the engine has not used yet

    def perform(self, effect: Effect) -> bool:
        """Performs an effect as far as it concerns guardians, and returns whether nothing else is to be done for it."""
        name, of = effect["effect"], effect.get("reply", effect)
        if name in ("withdraw", "settled"):
            self.end(of.get("session"), of.get("id"))
        elif name == "problem" and effect["about"] == "guardian":
            # The engine cannot use the output. The guardian gives no other output, so it counts as failed.
            said = self._said.pop((effect.get("session", ""), effect.get("id", "")), None)
            if said is not None:
                self._give(event(said, None))
        else:
            return False
        return bool(name == "problem")

    def begin(self, document: bytes) -> None:
        """Asks the guardian of a ``consult``. It raises an exception if the host asks none.

        A guardian whose function raises an exception fails at once."""
        if self._ask is None:
            raise LookupError("this host asks no guardians")
        effect = json.loads(document)
        try:
            answer = self._ask(effect)
            if inspect.isawaitable(answer):
                self._open[key(effect)] = asked = asyncio.ensure_future(answer)
                asked.add_done_callback(functools.partial(self._done, effect))
                return
        except Exception as error:
            report_failure(effect, error)
            answer = None
        self._tell(effect, answer)

    def end(self, session: Optional[str] = None, request: Optional[str] = None) -> None:
        """Stops asking about a request that has ended, or about all requests."""
        for of in [k for k in self._open if session is None or k[:2] == (session, request)]:
            self._open.pop(of).cancel()
        self._said.pop((session or "", request or ""), None)

    def _done(self, effect: Effect, asked: "asyncio.Future[AnyAnswer]") -> None:
        error = None if asked.cancelled() else asked.exception()
        if self._open.pop(key(effect), None) is None:
            return
        if error is not None:
            report_failure(effect, error)
        # A task that other code cancelled has failed too. Otherwise the question would wait for its deadline.
        self._tell(effect, None if error is not None or asked.cancelled() else asked.result())

    def _tell(self, effect: Effect, answer: Any) -> None:
        said = event(effect, answer)
        if "fault" not in said:
            self._said[effect["session"], effect["id"]] = said
        try:
            self._give(said)
        except InputError:  # the output is too long
            self._give(event(effect, {"fault": "bad_output"}))


def key(effect: Effect) -> Tuple[str, str, int]:
    return effect["session"], effect["id"], effect["round"]


def event(effect: Effect, answer: Any) -> Dict[str, Any]:
    """The ``consulted`` event for an answer. No answer, and output that is empty or not text, count as faults."""
    out = {"event": "consulted", "session": effect["session"], "id": effect["id"], "round": effect["round"]}
    said = answer if isinstance(answer, dict) else {"output": answer}
    output, fault, principal = said.get("output"), said.get("fault"), said.get("principal")
    if fault is not None or output is None:
        return {**out, "fault": fault if fault in describe()["faults"] else "unavailable"}
    if not text(output) or principal is not None and not text(principal):
        return {**out, "fault": "bad_output"}
    return {**out, "output": output, **({} if principal is None else {"principal": principal})}


def text(value: Any) -> bool:
    """Whether a value is a text that is not empty and can be encoded as UTF-8."""
    try:
        return isinstance(value, str) and value.encode() != b""
    except UnicodeEncodeError:
        return False


def report_failure(effect: Effect, error: BaseException) -> None:
    report("guardian %s could not be asked" % effect["guardian"], error)
