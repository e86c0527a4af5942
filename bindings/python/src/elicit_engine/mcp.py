"""An elicitation handler for clients of the official MCP Python SDK.

>>> from mcp import Client                                                      # doctest: +SKIP
>>> callback = elicitation_callback(Engine(), Prompt(), server="backup")        # doctest: +SKIP
>>> async with Client(transport, elicitation_callback=callback) as client: ...  # doctest: +SKIP
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from typing import Any, Awaitable, Callable, Dict, Optional, Sequence, Union

from .consult import Consult
from .drive import Driver, Effect
from .engine import Document, Engine, evaluate
from .guardian import Guardian
from .question import Question, UI

_sessions = itertools.count(1)

#: JSON-RPC: the request cannot be used; the host failed.
INVALID_PARAMS, INTERNAL_ERROR = -32602, -32603


def elicitation_callback(
    engine: Union[Engine, Driver, Document, None],
    ui: UI,
    server: str,
    version: str = "2025-11-25",
    principal: Optional[str] = None,
    *,
    guardians: Sequence[Guardian] = (),
    consult: Optional[Consult] = None,
    settled: Optional[Callable[[Effect], None]] = None,
) -> Callable[[Any, Any], Awaitable[Any]]:
    """Puts a server's questions through the engine and, where policy says so, before a person.

    ``server`` is the name you gave the server, never the one it gives itself. One engine may serve many connections when
    all of them share a :class:`Driver`. Instead of an engine that is open, ``engine`` may be a configuration; ``guardians`` then
    look at its questions and answers, and ``consult`` asks those that are no module, as with :class:`Driver`.

    ``settled`` is told of every reply; :func:`elicit_engine.why` says in English what led to it.
    """
    if not isinstance(engine, Driver):
        engine = Driver(engine, guardians=guardians, consult=consult)
    elif guardians or consult:
        raise TypeError("a driver has its guardians already: give them to Driver(…)")
    return Desk(engine, ui, server, version, principal, settled).ask


class Desk:
    """One connection's questions."""

    def __init__(
        self, driver: Driver, ui: UI, server: str, version: str, principal: Optional[str], settled: Optional[Callable[[Effect], None]] = None
    ):
        self._driver, self._ui, self._server, self._version, self._principal = driver, ui, server, version, principal
        self._settled = settled
        self._session: Optional[str] = None
        self._refs = itertools.count(1)
        self._replies: Dict[str, "asyncio.Future[Effect]"] = {}
        self._schemas: Dict[str, Optional[str]] = {}
        self._shown: Dict[str, "asyncio.Task[None]"] = {}
        self._shows: Dict[str, Effect] = {}

    async def ask(self, context: Any, params: Any) -> Any:
        """The callback itself."""
        import mcp.types as types

        decoded = self._decode(params)
        if "request" not in decoded:
            error = decoded.get("error", decoded)
            return refusal(types, error.get("code", INVALID_PARAMS), error.get("problems", []))
        ref = str(next(self._refs))
        question = decoded["request"]
        schema = question.pop("schema", None)
        self._schemas[ref] = None if schema is None else json.dumps(schema, ensure_ascii=False)
        if schema is not None:
            question["schema_text"] = self._schemas[ref]
        reply: "asyncio.Future[Effect]" = asyncio.get_running_loop().create_future()
        self._replies[ref] = reply
        session = self._open()
        try:
            self._driver.do({"event": "asked", "session": session, "ref": ref, **question})
            return spelled(types, await reply)
        except asyncio.CancelledError:
            self._driver.do({"event": "cancelled", "session": session, "ref": ref})
            raise
        finally:
            self._replies.pop(ref, None)
            self._schemas.pop(ref, None)

    def close(self) -> None:
        """The connection is gone."""
        if self._session is not None:
            self._driver.do({"event": "closed", "session": self._session, "cause": "session_closed"})
            self._driver.join(self._session, None)
            self._session = None

    def _decode(self, params: Any) -> Dict[str, Any]:
        wire = params.model_dump_json(by_alias=True, exclude_unset=True)
        return evaluate("decode", '{"version":%s,"what":"create","params":%s}' % (json.dumps(self._version), wire))

    def _open(self) -> str:
        if self._session is None:
            self._session = "python-%d" % next(_sessions)
            self._driver.join(
                self._session,
                {"show": self._show, "withdraw": self._withdraw, "reply": self._reply, "problem": self._problem},
            )
            opened = {"event": "opened", "session": self._session, "side": "answering", "server": self._server}
            if self._principal is not None:
                opened["principal"] = self._principal
            self._driver.do({**opened, "declared": ["form", "url"], "shown": ["form", "url"]})
        return self._session

    def _show(self, effect: Effect) -> None:
        self._shows[effect["id"]] = effect
        self._put(effect, None)

    def _put(self, effect: Effect, problems: Any) -> None:
        question = Question(effect, self._schemas.get(effect["ref"]), problems)
        self._shown[effect["id"]] = asyncio.get_running_loop().create_task(self._before_person(effect["id"], question))

    async def _before_person(self, request: str, question: Question) -> None:
        try:
            answer = await self._ui.ask(question)
            event = answer.event(self._session or "", request)
        except asyncio.CancelledError:
            return
        except Exception:
            # A broken user interface is nobody's yes and nobody's no.
            event = {"event": "answered", "session": self._session, "id": request, "action": "cancel", "via": "no_ui"}
            self._driver.do({**event, **self._claimed()})
            raise
        self._driver.do({**event, **self._claimed()})

    def _claimed(self) -> Dict[str, str]:
        return {} if self._principal is None else {"principal": self._principal}

    def _problem(self, effect: Effect) -> None:
        show = self._shows.get(effect.get("id", ""))
        if show is not None and effect["about"] == "answer" and "outcome" not in effect:
            self._put(show, effect["problems"])

    def _withdraw(self, effect: Effect) -> None:
        self._shows.pop(effect["id"], None)
        task = self._shown.pop(effect["id"], None)
        if task is not None:
            task.cancel()

    def _reply(self, effect: Effect) -> None:
        self._shows.pop(effect.get("id", ""), None)
        self._shown.pop(effect.get("id", ""), None)
        reply = self._replies.get(effect["ref"])
        if reply is not None and not reply.done():
            reply.set_result(effect)
        if self._settled is not None:
            try:
                self._settled(effect)
            except Exception:
                logging.getLogger("elicit_engine").exception("settled() failed")


def spelled(types: Any, reply: Effect) -> Any:
    """A reply as the SDK takes it."""
    if reply["outcome"] == "error":
        code = INVALID_PARAMS if reply["cause"] in ("invalid_request", "unsupported") else INTERNAL_ERROR
        return refusal(types, code, reply.get("problems", []))
    return types.ElicitResult(action=reply["outcome"], content=reply.get("content"))


def refusal(types: Any, code: int, problems: Any) -> Any:
    sentences = evaluate("explain", {"problems": problems})["problems"]
    said = "%s (at %s)" % (sentences[0], problems[0]["pointer"] or "the request") if sentences else "this request cannot be answered"
    return types.ErrorData(code=code, message=said, data={"problems": problems})
