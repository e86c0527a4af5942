"""The asker of a server: its options, its sessions, and the runs of its handlers."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import json
import secrets
import time
from typing import Any, Awaitable, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ..consult import Consult
from ..engine import Document, Effect, evaluate, guarded
from ..fault import InputError
from ..guardian import Guardian
from .errors import Closed, StateError
from .question import Hook, current
from .seal import Key, Sealer
from .session import SEPARATOR, AskingMachine, Client, Run, Session

#: The protocol date from which a server sends no requests to its clients.
ROUNDS = "2026-07-28"

#: Limits of a server that gives no configuration: its own tools ask, so no person needs protection from strangers.
LIMITS = {"limits": {"per_minute": 600, "burst": 100}}


@dataclasses.dataclass(frozen=True)
class Call:
    """One call of a tool."""

    client: Client
    target: str
    arguments: Optional[Dict[str, Any]] = None
    method: str = "tools/call"
    #: The tool promises structured content.
    structured: bool = False
    #: The state and the responses of a repeated call, as the client gave them.
    state: Optional[str] = None
    responses: Optional[Dict[str, Any]] = None
    #: The session of a call that :meth:`Asker.submit` lets run again.
    session: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Interruption:
    """What the adapter answers a call with that has to end while the person thinks. One member is set."""

    result: Optional[Dict[str, Any]] = None
    error: Optional[Dict[str, Any]] = None


@dataclasses.dataclass(frozen=True)
class OpenPage:
    """A question that is open on the server's own page."""

    #: What follows ``page`` in its link.
    token: str
    url: str
    #: Who may answer.
    principal: str
    #: What is typed must not be shown or kept.
    secret: bool
    #: The question: the effect ``show`` of an engine, with ``message`` and ``form``.
    show: Dict[str, Any]


class Asker:
    """Puts the questions of a server's tools. It belongs to one event loop; other threads use ``call_soon_threadsafe``.

    ``server`` is the name of the server, for its policy and its journal. ``config`` is the engine's configuration
    (docs/configuration.md); ``policy`` is its member of that name. ``page`` is the beginning of the links of the
    server's own pages. Without it, secrets cannot be asked for. ``opened`` is told of every page that opens.
    ``page_only`` names kinds of questions that only a page may answer, such as "confirm". ``fallback`` is the name of
    the tool with which a model passes on an answer, or None for none. ``keys`` seal what a client carries from one
    round of a call to the next; several processes of a server share them. ``order`` says what becomes of a question
    while another of the same client is open: queue, supersede or reject. ``ttl`` is how many seconds a question may
    stay open. ``attempts`` is how often a question is put before an answer must fit. The first of ``hooks`` is the
    outermost. ``journal`` gets the name of a session and a record, and returns when the record is kept. ``guardians``
    and ``consult`` are as with :class:`Driver`.
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
        self._seal = Sealer(keys, server)
        self._sessions: Dict[str, Session] = {}
        self._closed = False
        AskingMachine(self.config("", Client()), now()).close()  # reports options with problems

    def install(self, server: Any, principal: Optional[Callable[[Any], str]] = None) -> "Asker":
        """Lets the tools of a server ask: of an MCPServer, a FastMCP or a low-level Server of the official SDK.

        ``principal`` says who is behind a request, from the context of the request. Without it, that is the owner of
        the bearer token, or nobody. Install an asker once, when the handlers are registered, before the server runs."""
        from .sdk import install

        install(self, server, principal)
        return self

    def config(self, name: str, client: Client) -> Dict[str, Any]:
        """The configuration of the machine of a session. Its links and ids begin with the session's name."""
        out = {**self._options, "version": client.version, "declared": list(client.declared)}
        out.update(requests=client.peer is not None, prefix=name + SEPARATOR)
        if client.principal:
            out["principal"] = client.principal
        if self._page is not None:
            out["page"] = self._page + name + SEPARATOR
        return out

    async def run(self, call: Call, handler: Callable[[], Awaitable[Any]]) -> Any:
        """Runs a handler for a call, which can ask. It returns the handler's result, or an :class:`Interruption` if
        the call has to end while the person thinks. Then the handler's result counts for nothing."""
        binding = bound(call)
        state = self._seal.open(binding, call.state, self.now()) if call.state is not None else {}
        session = self._session_of(call, state.get("session"))
        run = Run(session, call.client)
        try:
            began: Dict[str, Any] = {"event": "called", "call": run.id, "method": call.method, "target": call.target}
            for name, value in (
                ("arguments", call.arguments), ("answers", state.get("machine")), ("responses", call.responses)
            ):
                if value is not None:
                    began[name] = value
            if call.structured:
                began["structured"] = True
            session.runs[run.id] = run
            told = session.step(began)
            if told.problems:
                raise InputError(told.problems, evaluate("explain", {"problems": told.problems})["problems"])
            result = await self._result(run, handler)
            interrupt = run.interrupt
            return result if interrupt is None else self._interruption(call, binding, session, interrupt)
        finally:
            session.runs.pop(run.id, None)
            self.release(session)

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
            if run.session.failed is None and not run.session.closed:
                ended = "cancelled" if cancelled and run.interrupt is None else "returned"
                run.session.step({"event": ended, "call": run.id})

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

    def submit(self, client: Client, said: Mapping[str, Any]) -> Union[Call, str]:
        """Takes what a model passes on. It returns the call to run again, whose result is the result of the fallback
        tool. A text instead says why there is none, for the model to read."""
        name, _, id = str(said.get("id")).partition(SEPARATOR)
        session = self._sessions.get(name)
        foreign = session is not None and (
            session.client.principal != client.principal
            or client.session is not None and name != self._name(client.session)
        )
        if session is None or foreign:
            return "There is no open question with this id. Its time may be up: call the tool that asked again."
        event: Dict[str, Any] = {"event": "submitted", "id": id, "action": said.get("action"), "via": "model"}
        if client.principal:
            event["principal"] = client.principal
        if said.get("action") == "accept":
            event["content"] = said.get("content") or {}
        try:
            told = session.step(event)
        except InputError as error:
            return "The answer was not taken: " + str(error)
        if told.resume is not None:
            again = told.resume
            method = again.get("method", "tools/call")
            return Call(client, again.get("target", ""), again.get("arguments"), method, session=name)
        return "The answer was not taken: " + "; ".join(evaluate("explain", {"problems": told.problems})["problems"])

    def page(self, token: str) -> Optional[OpenPage]:
        """The open question of a page. ``token`` is what follows ``page`` in its link."""
        name, _, link = token.partition(SEPARATOR)
        session = self._sessions.get(name)
        effect = session.open_link(link) if session is not None else None
        if session is None or effect is None:
            return None
        secret = effect.get("secret", False)
        return OpenPage(token, effect["url"], session.client.principal, secret, effect["show"])

    def answer_page(
        self,
        token: str,
        action: str,
        content: Optional[Mapping[str, Any]] = None,
        *,
        principal: str = "",
        cleared: Sequence[str] = (),
    ) -> List[Dict[str, Any]]:
        """Takes what a person does on a page. Problems mean that the answer does not fit, and the question is open.

        It raises :class:`Closed` or :class:`InputError` if the question is settled, unknown, or somebody else's."""
        name, _, link = token.partition(SEPARATOR)
        session = self._sessions.get(name)
        if session is None:
            raise Closed("cancel", "session_closed")
        event: Dict[str, Any] = {"event": "submitted", "link": link, "action": action}
        if content is not None:
            event["content"] = dict(content)
        if cleared:
            event["cleared"] = list(cleared)
        if principal:
            event["principal"] = principal
        told = session.step(event)
        if told.settled or told.about == "answer" and session.open_link(link) is not None:
            return told.problems if not told.settled else []
        raise InputError(told.problems, evaluate("explain", {"problems": told.problems})["problems"])

    def completed(self, url: str) -> bool:
        """Reports that the flow behind a URL, which a question waits for, is finished."""
        for session in list(self._sessions.values()):
            id = session.open_id(lambda q: bool(q.get("wait")) and q.get("url") == url and "id" in q)
            if id is not None:
                session.step({"event": "completed", "id": id})
                return True
        return False

    def needs_fallback(self, client: Client) -> bool:
        """Whether a question may reach a client in no other way than by a model's text, so that it sees the tool.

        With pages, that is each client without URLs, because its forms must not ask for a secret."""
        return self.fallback is not None and "url" not in client.declared and (
            self._page is not None or not client.declared
        )

    def close_session(self, name: str) -> None:
        """Ends the session of a client that is gone. ``name`` is the session of :class:`Client`."""
        session = self._sessions.pop(self._name(name), None)
        if session is not None:
            session.close("session_closed")

    def close(self) -> None:
        """Ends every session. It may be called again."""
        self._closed = True
        sessions, self._sessions = self._sessions, {}
        for session in sessions.values():
            session.close("shutdown")

    def release(self, session: Session) -> None:
        """Ends a use of a session. One of a single call is forgotten when nobody uses it and nothing of it is open."""
        session.users -= 1
        if session.once and session.users == 0 and (session.failed is not None or not session.due):
            self._sessions.pop(session.name, None)
            session.close("session_closed")

    def _name(self, session: str) -> str:
        """The name of a session in links and ids. It does not tell the name that the transport gives the session."""
        whole = json.dumps(["elicit session", self.server, session])
        return hashlib.sha256(whole.encode()).hexdigest()[:32]

    def _session_of(self, call: Call, kept: Optional[str]) -> Session:
        own = None if call.client.session is None else self._name(call.client.session)
        name = call.session or kept or own or secrets.token_hex(16)
        session = self._sessions.get(name)
        if session is None:
            if self._closed:
                raise Closed("cancel", "shutdown")
            session = self._sessions[name] = Session(self, name, own is None, call.client)
        elif session.client.principal != call.client.principal:  # a session's id is no proof of who calls
            raise StateError("the session belongs to another principal")
        session.users += 1
        return session


def bound(call: Call) -> Dict[str, Any]:
    """What the state of a call is sealed to."""
    out: Dict[str, Any] = {"method": call.method, "target": call.target, "principal": call.client.principal}
    if call.arguments is not None:
        out["arguments"] = call.arguments
    return out


def fallback_tool(name: str) -> Dict[str, Any]:
    """The definition of the tool that passes on answers."""
    texts = {
        "id": {"type": "string", "description": "the id in the result that asked"},
        "action": {
            "type": "string", "enum": ["accept", "decline", "cancel"], "description": "what the person decided"
        },
        "content": {
            "type": "object", "description": "for accept: the answer, as the schema in that result says"
        },
    }
    description = (
        "Another tool's result may ask you for an answer of the person. Ask the person, wait for their reply, then "
        "call this tool with the id from that result. Never answer for the person. The result of this tool is the "
        "result of the other tool."
    )
    schema = {"type": "object", "properties": texts, "required": ["id", "action"], "additionalProperties": False}
    return {"name": name, "title": "Pass on a person's answer", "description": description, "inputSchema": schema}
