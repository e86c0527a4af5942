"""The asker of a server: its options, its sessions, and the runs of its handlers."""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import time
from typing import Any, Awaitable, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ..consult import Consult
from ..engine import Document, Effect, evaluate, guarded
from ..fault import InputError
from ..guardian import Guardian
from .answering import Answering
from .call import Call, Interruption, OpenPage, bound
from .errors import Closed, StateError, StoreFailure
from .question import Hook, current
from ..store import SKEW, Store, StoreError
from .machine import AskingMachine, Client, Known
from .seal import Key, Sealer
from .run import Run
from .session import SEPARATOR, Session
from .sweep import Sweeper

#: The protocol date from which a server sends no requests to its clients.
ROUNDS = "2026-07-28"

#: Limits of a server that gives no configuration: its own tools ask, so no person needs protection from strangers.
LIMITS = {"limits": {"per_minute": 600, "burst": 100}}


class Asker(Answering):
    """Puts the questions of a server's tools. It belongs to one event loop.

    ``server`` is the name of the server, for its policy and its journal. ``config`` is the engine's configuration
    (docs/reference/configuration.md); ``policy`` is its member of that name. ``page`` is the beginning of the links of
    the server's own pages. Without it, secrets cannot be asked for. ``opened`` is told of every page that opens.
    ``page_only`` names kinds of questions that only a page may answer, such as "confirm". ``fallback`` is the name of
    the tool with which a model passes on an answer, or None for none. ``keys`` seal what a client carries from one
    round of a call to the next; several processes of a server share them. ``order`` says what becomes of a question
    while another of the same client is open: queue, supersede or reject. ``ttl`` is how many seconds a question may
    stay open. ``attempts`` is how often a question is put before an answer must fit. The first of ``hooks`` is the
    outermost. ``store`` keeps the sessions, so that an answer may come to any process of the server. Its texts and
    answers are in clear, unless it is a ``store.encrypted``. It keeps journal and history for ``keep`` milliseconds.
    Without it, this process keeps the sessions. ``journal`` gets the name of a session and a record, and returns when
    the record is kept. ``guardians`` and ``consult`` are as with :class:`Driver`.
    """

    def __init__(
        self,
        server: str,
        *,
        policy: Optional[Mapping[str, Any]] = None,
        config: Optional[Document] = None,
        page: Optional[str] = None,
        opened: Optional[Callable[[Optional[OpenPage]], None]] = None,
        page_only: Sequence[str] = (),
        fallback: Optional[str] = "elicitation_result",
        keys: Sequence[Key] = (),
        order: str = "queue",
        ttl: float = 300,
        attempts: int = 3,
        hooks: Sequence[Hook] = (),
        store: Optional[Store] = None,
        keep: int = 90 * 24 * 3600 * 1000,
        journal: Optional[Callable[[str, str], None]] = None,
        guardians: Sequence[Guardian] = (),
        consult: Optional[Consult] = None,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ):
        self.server: str = server
        self.fallback: Optional[str] = fallback
        self.attempts: int = attempts
        self.opened: Optional[Callable[[Optional[OpenPage]], None]] = opened
        self.hooks: Tuple[Hook, ...] = tuple(hooks)
        self.store: Optional[Store] = store
        self.keep: int = keep
        self.journal: Optional[Callable[[str, str], None]] = journal
        self.consult: Optional[Consult] = consult
        self.now: Callable[[], int] = now
        self._page = page
        engine = LIMITS if config is None else json.loads(config) if isinstance(config, (str, bytes)) else dict(config)
        if policy is not None:
            engine = {**engine, "policy": policy}
        self._options: Dict[str, Any] = {
            "server": server,
            "config": guarded(engine, guardians),
            "page_only": list(page_only),
            "order": order,
            "ttl_ms": max(1, int(ttl * 1000)),
            "attempts": attempts,
        }
        if fallback is not None:
            self._options["fallback"] = fallback
        if store is not None:
            self._options["history"] = True
        self._sweeper = None if store is None else Sweeper(self)
        self._redeemed: Dict[str, int] = {}
        self._seal = Sealer(keys, server)
        self._sessions: Dict[str, Session] = {}
        self._closed = False
        AskingMachine(self.config("", Known.of(Client())), now()).close()  # reports options with problems

    def install(self, server: Any, principal: Optional[Callable[[Any], str]] = None) -> "Asker":
        """Lets the tools of a server ask: of an MCPServer, a FastMCP or a low-level Server of the official SDK.

        ``principal`` says who is behind a request, from the context of the request. Without it, that is the owner of
        the bearer token, or nobody. Install an asker once, when the handlers are registered, before the server runs."""
        from .sdk import install

        install(self, server, principal)
        return self

    def config(self, name: str, client: Known) -> Dict[str, Any]:
        """The configuration of the machine of a session. Its links and ids begin with the session's name."""
        out = {**self._options, "version": client.version, "declared": list(client.declared)}
        out.update(requests=client.requests, prefix=name + SEPARATOR)
        if client.principal:
            out["principal"] = client.principal
        if self._page is not None:
            out["page"] = self._page + name + SEPARATOR
        return out

    async def run(self, call: Call, handler: Callable[[], Awaitable[Any]]) -> Any:
        """Runs a handler for a call, which can ask. It returns the handler's result, or an :class:`Interruption` if
        the call has to end while the person thinks. Then the handler's result counts for nothing."""
        binding = bound(call)
        state: Mapping[str, Any] = {}
        if call.state is not None:
            opened = self._seal.open(binding, call.state, self.now())
            await self._redeem(opened.id, opened.expires)
            state = opened.body
        began: Dict[str, Any] = {"event": "called", "method": call.method, "target": call.target}
        for name, value in (
            ("arguments", call.arguments), ("answers", state.get("machine")), ("responses", call.responses)
        ):
            if value is not None:
                began[name] = value
        if call.structured:
            began["structured"] = True
        kept: Optional[str] = state.get("session")
        session = await self._session_of(call, kept)

        async def reopen(old: Session) -> Session:
            if self._closed:
                raise Closed("cancel", "shutdown")
            new = await self._session_of(call, kept)
            old.left(run)
            await self.release(old)
            new.runs[run.id] = run
            return new

        run = Run(session, call.client, began, reopen)
        session.runs[run.id] = run
        try:
            # A call that was interrupted before must end there, whatever the handler does.
            if call.session is not None or kept is not None or session.awaits(call.method, call.target):
                await run.step()
            result = await self._result(run, handler)
            interrupt = run.interrupt
            return result if interrupt is None else self._interruption(call, binding, run.session, interrupt)
        finally:
            run.session.left(run)
            await self.release(run.session)

    async def _redeem(self, id: str, expires: int) -> None:
        """Remembers that a state came back. One that came back before could let a handler act twice."""
        now = self.now()
        if self.store is not None:
            try:
                first = await self.store.redeem(id, now, expires)
            except StoreError as error:
                raise StoreFailure(error) from error
        else:
            self._redeemed = {k: until for k, until in self._redeemed.items() if until >= now}
            first = id not in self._redeemed
            self._redeemed[id] = expires + SKEW
        if not first:
            raise StateError("invalid or expired requestState")

    async def _result(self, run: Run, handler: Callable[[], Awaitable[Any]]) -> Any:
        token, cancelled = current.set(run), False
        try:
            return await handler()
        except BaseException as error:
            cancelled = isinstance(error, asyncio.CancelledError)
            if run.interrupt is None or cancelled:
                raise
            return None
        finally:
            current.reset(token)
            run.over = True
            ended = "cancelled" if run.interrupt is None and (cancelled or not run.begun) else "returned"
            await run.session.finish(run, {"event": ended, "call": run.id})

    def _interruption(
        self, call: Call, binding: Mapping[str, Any], session: Session, interrupt: Effect
    ) -> Interruption:
        if interrupt["offer"] != "input_required":
            return Interruption(interrupt.get("result"), interrupt.get("error"))
        state: Dict[str, Any] = {"session": session.name} if interrupt.get("keep") else {}
        if "body" in interrupt:
            state["machine"] = interrupt["body"]
        sealed = self._seal.seal(binding, state, self.now(), interrupt["expires"])
        requests = {"inputRequests": interrupt["requests"]} if interrupt.get("requests") else {}
        return Interruption({"resultType": "input_required", **requests, "requestState": sealed})

    def _foreign(self, client: Client, name: str) -> bool:
        """Whether a session is of another connection. With a store, the client may be connected to another process."""
        return self.store is None and client.session is not None and name != self.name_of(client.session)

    def needs_fallback(self, client: Client) -> bool:
        """Whether a question may reach a client in no other way than by a model's text, so that it sees the tool.

        With pages, that is each client without URLs, because its forms must not ask for a secret."""
        return self.fallback is not None and "url" not in client.declared and (
            self._page is not None or not client.declared
        )

    async def close_session(self, name: str) -> None:
        """Ends the session of a client that is gone. ``name`` is the session of :class:`Client`."""
        session = None if self._closed else await self.find(self.name_of(name))
        if session is not None:
            await session.close("session_closed")

    async def close(self) -> None:
        """Ends every session, and leaves those in a store to other processes. It may be called again."""
        self._closed = True
        if self._sweeper is not None:
            self._sweeper.stop()
        for session in list(self._sessions.values()):
            await (session.close("shutdown") if self.store is None else session.depart())

    async def find(self, name: str) -> Optional[Session]:
        """An open session, here or in the store. The caller releases it."""
        session = self._sessions.get(name)
        if session is None and self.store is not None and name.isascii() and 0 < len(name) < 100:
            found = await Session.find(self, name)
            session = self._sessions.get(name)  # meanwhile
            if session is None and found is not None:
                session = self._sessions[name] = found
            elif found is not None:
                found.machine.release()
        if session is not None:
            session.users += 1
        return session

    async def release(self, session: Session) -> None:
        """Ends a use of a session. One of a single call is forgotten when nobody uses it and nothing of it is open. A
        store keeps it for the others."""
        session.users -= 1
        if not session.once or session.users > 0 or session.closed:
            return
        if self.store is not None:
            session.leave()
        elif session.failed is not None or not session.due:
            await session.close("session_closed")

    def forget(self, session: Session) -> None:
        """The session is over here."""
        if self._sessions.get(session.name) is session:
            del self._sessions[session.name]

    def name_of(self, session: str) -> str:
        """The name of a session in links and ids. It does not tell the name that the transport gives the session."""
        whole = json.dumps(["elicit session", self.server, session], ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(whole.encode()).hexdigest()[:32]

    async def _session_of(self, call: Call, kept: Optional[str]) -> Session:
        if self._sweeper is not None:
            self._sweeper.start()
        own = None if call.client.session is None else self.name_of(call.client.session)
        name = call.session or kept or own or secrets.token_hex(16)
        session = await self.find(name)
        if session is not None:
            if session.client.principal != call.client.principal:  # a session's id is no proof of who calls
                await self.release(session)
                raise StateError("the session belongs to another principal")
            return session
        if self._closed:
            raise Closed("cancel", "shutdown")
        session = self._sessions[name] = Session(self, name, own is None, Known.of(call.client))
        session.users += 1
        return session
