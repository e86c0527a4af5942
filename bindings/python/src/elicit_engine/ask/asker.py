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
from ..fault import ElicitError
from ..guardian import Guardian
from ..store import Store
from .call import Call, Interruption
from .errors import raised, taken
from .host import Host, text, wire
from .question import Hook, Run, current
from .seal import Key, sealing

#: Limits of a server that gives no configuration: its own tools ask, so no person needs protection from strangers.
LIMITS = {"limits": {"per_minute": 600, "burst": 100}}


class Asker:
    """Puts the questions of a server's tools. It belongs to one event loop.

    ``server`` names the server, for its policy and its journal. ``config`` is the engine's configuration
    (docs/reference/configuration.md), and ``policy`` its member of that name. ``page`` is the beginning of the links of
    the server's own pages: for :mod:`asgi`, an address and ``#/``. ``sign_in`` is where people sign in for them,
    ``opened`` hears of every page, and only a page may answer the kinds in ``page_only``. ``fallback`` names the tool
    with which a model passes on an answer. ``keys`` seal what a client carries between rounds: all processes need the
    same. ``order`` of a client's questions is queue, supersede or reject. ``attempts`` is how often a question is put.
    The first of ``hooks`` is the outermost. ``store`` keeps the sessions for all processes, in clear unless it is
    encrypted, the history for ``keep`` milliseconds, and the journal for ``keep_journal`` (0: none). ``ttl`` of a
    question, ``results`` (how long the result of a call is kept) and ``progress`` (how often a client hears that a
    person thinks) are seconds. ``journal`` gets the name of a session and a record, and returns when that is kept.
    ``guardians`` and ``consult`` are as with :class:`Driver`."""

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
        keys: Optional[Sequence[Key]] = None,
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
            "fallback": fallback, "order": order, "ttl_ms": int(ttl * 1000) or 1, "attempts": attempts,
            "keep_ms": keep, "keep_journal_ms": keep_journal, "sign_in": sign_in,
            "results_ms": int(results * 1000), "progress_ms": int(progress * 1000),
            "store": store is not None, "journal": journal is not None,
        }
        given = {name: value for name, value in given.items() if value is not None}
        self._host = Host(given, sealing(keys), now, store, journal, consult, opened)

    def install(self, server: Any, principal: Optional[Callable[[Any], Optional[str]]] = None) -> "Asker":
        """Lets the tools, prompts and resources of an MCPServer, a FastMCP or a low-level Server ask. ``principal``
        says who is behind a request, from its context: without it, the owner of the bearer token, or nobody. Install an
        asker once, when the handlers are registered, before the server runs."""
        from .sdk import install

        install(self, server, principal)
        return self

    async def run(self, call: Call, handler: Callable[[Call], Awaitable[Any]]) -> Any:
        """Runs a handler for a call, which can ask. It returns the handler's result, or an :class:`Interruption` in its
        place if the call has to end while the person thinks. The handler gets the call, or the one whose answer it
        passes on."""
        host, run = self._host, Run(self._host, call.client, self.hooks, self.attempts)
        returned: Dict[str, Any] = {"event": "returned", "call": run.id}
        over = {**returned, "cancelled": True}
        host.notifies[run.id] = call.notify
        try:
            calling, bare = call.event(run.id), dataclasses.replace(call, responses=None, state=call.state and "?")
            # A handler that asks nothing may take what no machine reads. A call with "" cannot ask or go on.
            began = host.readable(run.id, lambda: calling, {**bare.event(run.id), "arguments": ""})
            try:
                begun = await asyncio.shield(began)
            except asyncio.CancelledError:
                began.add_done_callback(lambda _: host.step(over))
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
            except (asyncio.CancelledError, KeyboardInterrupt, SystemExit, GeneratorExit):
                host.step(over)
                raise
            except BaseException as ended:  # a TaskGroup raises Interrupted in a group
                error = ended
            finally:
                current.reset(token)
                raised.reset(told)
            end = await host.readable(run.id, lambda: {**returned, **kept(begun, call, result, error)}, returned)
            if "result" in end or "error" in end:
                return Interruption(end.get("result"), end.get("error"))
            taken(end)
            if error is not None:
                raise error
            return result
        finally:
            del host.notifies[run.id]

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
        """Gives an open page to the first browser, which ``browser`` names by a digest of its cookie. It raises
        :class:`Claimed` for another browser, :class:`WrongPrincipal` for another person, and :class:`Closed`."""
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
        """Takes what a person does on a page. Problems mean that the answer does not fit, and the question is open. It
        raises :class:`Closed` or :class:`InputError` if the question is settled, unknown, or somebody else's."""
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
        """Reports, in any process, that the flow behind a URL is finished. ``id`` is what ``wait`` of :func:`url` got.
        It raises :class:`Unknown` if no question waits."""
        await self._tell("completed", id=id)

    async def open_questions(self, principal: str = "") -> Effect:
        """The open ``questions`` of all processes that a principal caused or may answer, everybody's without one. With
        ``more`` there are others, which are listed when these are over."""
        listed: Effect = (await self._tell("listed", principal=principal))["listed"]
        return listed

    async def cancel(self, id: str, by: str) -> None:
        """Takes back an open question by its listed id, or raises :class:`Closed`. ``by`` says who did it."""
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


def kept(begun: Mapping[str, Any], call: Call, result: Any, error: Optional[BaseException]) -> Dict[str, Any]:
    """What the machine keeps of a run, for a client that makes the call again."""
    if not begun.get("keep") or error is None and call.written is None:
        return {}
    if error is None and call.written is not None:
        return {"result": call.written(result)}
    known = isinstance(error, ElicitError) or hasattr(error, "error")  # the code of others is not of JSON-RPC
    return {"error": wire(error) if known else {"code": -32603, "message": text(error)}}
