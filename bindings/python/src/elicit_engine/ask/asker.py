"""The asker of a server: its options, the runs of its handlers, and what comes back in other ways than a call."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import time
from collections import deque
from typing import Any, Awaitable, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, cast

from ..consult import Consult
from ..contract import OpenPage
from ..engine import Document, Effect, guarded
from ..fault import ElicitError, EngineFault
from ..guardian import Guardian
from ..store import Store
from .call import Call, Interruption
from .errors import Interrupted, raised, taken
from .host import Host, text, wire
from .question import Hook, Run, current
from .seal import Key, sealing

#: Limits of a server that gives no configuration: its own tools ask, so no person needs protection from strangers.
LIMITS = {"limits": {"per_minute": 600, "burst": 100}}


class Asker:
    """Puts the questions of a server's tools. It belongs to one event loop.

    ``server`` is the name of the server, for its policy and its journal. ``config`` is the engine's configuration
    (docs/reference/configuration.md); ``policy`` is its member of that name. ``page`` is the beginning of the links of
    the server's own pages: for :mod:`asgi`, an address and ``#/``. Without it, secrets cannot be asked for. ``sign_in``
    is where people sign in for them. ``opened`` is told of every page that opens.
    ``page_only`` names kinds of questions that only a page may answer, such as "confirm". ``fallback`` is the name of
    the tool with which a model passes on an answer, or None for none. ``keys`` seal what a client carries from one
    round of a call to the next; several processes of a server share them. ``order`` says what becomes of a question
    while another of the same client is open: queue, supersede or reject. ``ttl`` is how many seconds a question may
    stay open. ``attempts`` is how often a question is put before an answer must fit. The first of ``hooks`` is the
    outermost. ``store`` keeps the sessions, so that an answer may come to any process of the server. Its texts and
    answers are in clear, unless it is a ``store.encrypted``. It keeps the history for ``keep`` milliseconds, and the
    journal for ``keep_journal`` or as long. With 0 it gets no journal. Without a store, this process keeps the
    sessions. ``results`` is how many seconds the result of a call is kept for a client that makes it again, 0 for
    none. A client with a progress token hears every ``progress`` seconds that a person thinks. 0 is for handlers
    that report progress with that token. ``journal`` gets the name of a session and a record, and returns when the
    record is kept. ``guardians`` and ``consult`` are as with :class:`Driver`."""

    def __init__(
        self,
        server: str,
        *,
        policy: Optional[Mapping[str, Any]] = None,
        config: Optional[Document] = None,
        page: Optional[str] = None,
        opened: Optional[Callable[[OpenPage], None]] = None,
        sign_in: Optional[str] = None,
        page_only: Sequence[str] = (),
        fallback: Optional[str] = "elicitation_result",
        keys: Sequence[Key] = (),
        order: str = "queue",
        ttl: float = 300,
        attempts: int = 3,
        hooks: Sequence[Hook] = (),
        store: Optional[Store] = None,
        keep: int = 90 * 24 * 3600 * 1000,
        keep_journal: Optional[int] = None,
        results: float = 15 * 60,
        progress: float = 10,
        journal: Optional[Callable[[str, str], None]] = None,
        guardians: Sequence[Guardian] = (),
        consult: Optional[Consult] = None,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ):
        self.server: str = server
        self.fallback: Optional[str] = fallback
        self.attempts: int = attempts
        self.hooks: Tuple[Hook, ...] = tuple(hooks)
        engine = LIMITS if config is None else json.loads(config) if isinstance(config, (str, bytes)) else dict(config)
        if policy is not None:
            engine = {**engine, "policy": policy}
        given = {
            "server": server, "config": guarded(engine, guardians), "page": page, "page_only": list(page_only),
            "fallback": fallback, "order": order, "ttl_ms": max(1, int(ttl * 1000)), "attempts": attempts,
            "keep_ms": keep, "keep_journal_ms": keep_journal, "sign_in": sign_in,
            "results_ms": int(results * 1000), "progress_ms": int(progress * 1000),
            "store": store is not None, "journal": journal is not None,
        }

        given = {name: value for name, value in given.items() if value is not None}
        self._host = Host(given, sealing(keys), now, store, journal, consult, opened)

    def install(self, server: Any, principal: Optional[Callable[[Any], str]] = None) -> "Asker":
        """Lets the tools, prompts and resources of a server ask: of an MCPServer, a FastMCP or a low-level Server of
        the official SDK.

        ``principal`` says who is behind a request, from the context of the request. Without it, that is the owner of
        the bearer token, or nobody. Install an asker once, when the handlers are registered, before the server runs."""
        from .sdk import install

        install(self, server, principal)
        return self

    async def run(self, call: Call, handler: Callable[[Call], Awaitable[Any]]) -> Any:
        """Runs a handler for a call, which can ask. It returns the handler's result, or an :class:`Interruption` if
        the call has to end while the person thinks. Then the handler's result counts for nothing.

        The handler gets the call. It gets another one if this one passes on an answer for which that one waits."""
        run = Run(self._host, call.client, self.hooks, self.attempts)
        self._host.notifies[run.id] = call.notify
        try:
            return await self._run(run, call, handler)
        finally:
            del self._host.notifies[run.id]

    async def _run(self, run: Run, call: Call, handler: Callable[[Call], Awaitable[Any]]) -> Any:
        returned: Dict[str, Any] = {"event": "returned", "call": run.id}
        over = {**returned, "cancelled": True}
        calling = call.event(run.id)
        # A handler that asks nothing may take arguments that no machine reads. The machine lets no call with "" ask.
        began = self._readable(run, lambda: calling, {**calling, "arguments": ""})
        try:
            begun = await asyncio.shield(began)
        except asyncio.CancelledError:
            began.add_done_callback(lambda _: self._host.step(over))
            raise
        if "result" in begun or "error" in begun:  # another run has the answer
            return Interruption(begun.get("result"), begun.get("error"))
        taken(begun)
        if "resume" in begun:
            resumed = begun["resume"]
            call = dataclasses.replace(call, target=resumed["target"], arguments=resumed.get("arguments"))
        token, told, result, error = current.set(run), raised.set(deque(maxlen=8)), None, None
        try:
            result = await handler(call)
        except (Exception, Interrupted) as ended:
            error = ended
        except BaseException:
            self._host.step(over)
            raise
        finally:
            current.reset(token)
            raised.reset(told)

        def kept() -> Dict[str, Any]:
            if not begun.get("keep") or error is None and call.written is None:
                return returned
            if error is None and call.written is not None:
                return {**returned, "result": call.written(result)}
            known = isinstance(error, ElicitError) or hasattr(error, "error")  # the code of others is not of JSON-RPC
            return {**returned, "error": wire(error) if known else {"code": -32603, "message": text(error)}}

        end = await self._readable(run, kept, returned)
        if "result" in end or "error" in end:
            return Interruption(end.get("result"), end.get("error"))
        taken(end)
        if error is not None:
            raise error
        return result

    def _readable(
        self, run: Run, event: Callable[[], Dict[str, Any]], other: Dict[str, Any]
    ) -> "asyncio.Future[Effect]":
        """The reply to an event, or to the other one if the machine cannot read the first: that has changed nothing."""
        try:
            return self._host.begin(event(), run.id)
        except EngineFault:
            raise
        except Exception:
            return self._host.begin(other, run.id)

    async def page(self, link: str) -> Optional[OpenPage]:
        """The open question of a page. ``link`` is what follows ``page`` in its URL."""
        reply = await self._host.begin({"event": "viewed", "link": link})
        page: Mapping[str, Any] = reply.get("page") or {}
        if "open" in page:
            return cast(OpenPage, {**page["open"], "for": page.get("principal", ""), "link": link})
        if reply.get("failed") != "session_closed":
            taken(reply)
        return None

    async def claim_page(self, link: str, browser: str, *, principal: str = "") -> None:
        """Gives an open page to a browser, which ``browser`` names by a digest of its cookie. The first claim on any
        process counts, and its browser may claim again.

        It raises :class:`Claimed` if another browser has the page, :class:`WrongPrincipal` if somebody else is to
        answer, and :class:`Closed` if no such question is open."""
        await self._tell("claimed", link=link, browser=browser, principal=principal)

    async def answer_page(
        self,
        link: str,
        action: str,
        content: Optional[Mapping[str, Any]] = None,
        *,
        principal: str = "",
        cleared: Sequence[str] = (),
    ) -> List[Dict[str, Any]]:
        """Takes what a person does on a page. Problems mean that the answer does not fit, and the question is open.

        It raises :class:`Closed` or :class:`InputError` if the question is settled, unknown, or somebody else's. After
        :class:`StoreFailure` nobody knows, and the person may try again."""
        event = {"event": "submitted", "link": link, "client": {"principal": principal}, "action": action}
        given = {} if content is None else {"content": dict(content)}
        reply = await self._host.begin({**event, **given, "cleared": list(cleared)})
        problems: List[Dict[str, Any]] = reply["problems"] if reply.get("open") else taken(reply).get("problems", [])
        return problems

    async def serve(self, request: Mapping[str, Any]) -> Effect:
        """The reply to a request of a browser to the server's own pages. :func:`asgi.pages` hands it those of a web
        server."""
        return await self._host.begin({"event": "requested", "request": request})

    async def completed(self, id: str) -> None:
        """Reports that the flow behind a URL is finished, for which a question waits. ``id`` is what ``wait`` of
        :func:`url` got. Any process may report it: before the person consents, while the call waits, and between two
        calls. It raises :class:`Unknown` if no question waits, and :class:`StoreFailure` if nobody knows."""
        await self._tell("completed", id=id)

    async def open_questions(self, principal: str = "") -> Effect:
        """The questions that wait for an answer in all processes, as ``questions``, for those who look after the
        server: those that a principal caused or may answer, everybody's without one. With ``more`` there are others,
        which are listed when these are over."""
        listed: Effect = (await self._tell("listed", principal=principal))["listed"]
        return listed

    async def cancel(self, id: str, by: str) -> None:
        """Takes back an open question, with the id that it is listed under. Its handler gets :class:`Cancelled`. ``by``
        says who did it, for the history. It raises :class:`Closed` if no such question is open."""
        await self._tell("cancelled", id=id, by=by)

    def known(self, client: Mapping[str, Any]) -> Effect:
        """What the machine knows of a client from its ``session``, ``principal``, ``version``, ``capabilities`` and
        ``requests``: the ``client``, and the fallback ``tool`` if it needs that."""
        return self._host.machine.known(client)

    async def close_session(self, name: str) -> None:
        """Ends the session of a client that is gone. ``name`` is the session of :class:`Client`."""
        await self._host.begin({"event": "closed", "session": name})

    async def close(self) -> None:
        """Ends every session, and leaves those in a store to other processes. It may be called again."""
        await self._host.begin({"event": "closed"})

    async def _tell(self, event: str, **members: Any) -> Mapping[str, Any]:
        return taken(await self._host.begin({"event": event, **members}))
