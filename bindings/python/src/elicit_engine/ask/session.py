"""One client with its machine, on the event loop where its first call arrived."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import secrets
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Protocol, Set, Tuple

from ..consult import Consults
from ..engine import Effect, Machine, timed
from ..fault import ElicitError, InputError, JournalError, report
from .errors import Interrupted, NoCall, failure
from .question import Answer, Question

if TYPE_CHECKING:
    from .asker import Asker

#: What stands between the name of a session and an id or a link.
SEPARATOR = "."


class PeerError(Exception):
    """A JSON-RPC error that the client answered with."""

    def __init__(self, code: int, message: str):
        self.code: int = code
        self.message: str = message
        super().__init__(message)


class Peer(Protocol):
    """Sends to the client of a call. A cancelled request tells the client so."""

    async def request(self, method: str, params: Dict[str, Any]) -> Any: ...

    async def notify(self, method: str, params: Dict[str, Any]) -> None: ...


@dataclasses.dataclass(frozen=True)
class Client:
    """Who calls, as an adapter knows it."""

    #: The client's session; None when the protocol has none. Then every call stands alone.
    session: Optional[str] = None
    #: Who is behind the client, from the server's own authorization, never from what the client says.
    principal: str = ""
    #: The protocol date, and the modes that the client declared.
    version: str = "2025-11-25"
    declared: Tuple[str, ...] = ()
    #: None when the transport cannot carry requests to the client.
    peer: Optional[Peer] = None


@dataclasses.dataclass
class Told:
    """What an event brought for whoever reported it."""

    problems: List[Dict[str, Any]] = dataclasses.field(default_factory=list)
    about: str = ""
    settled: bool = False
    resume: Optional[Effect] = None


class AskingMachine(Machine):
    """The machine of the asking side (docs/asking.md)."""

    def __init__(self, config: Mapping[str, Any], at: int):
        self._begin(timed(b'{"asking":', config, at, None))

    def questions(self) -> List[Dict[str, Any]]:
        """The open questions, as the machine saves them."""
        listed: List[Dict[str, Any]] = json.loads(self.step_text({"save": True}))["state"].get("questions", [])
        return listed


class Session:
    """Steps the machine and performs its effects in order."""

    def __init__(self, asker: "Asker", name: str, once: bool, client: Client):
        self.asker: Asker = asker
        self.name: str = name
        self.once: bool = once
        self.client: Client = client
        self.machine: AskingMachine = AskingMachine(asker.config(name, client), asker.now())
        self.users: int = 0
        self.due: int = 0
        self.runs: Dict[str, Run] = {}
        self.pages: Dict[str, Effect] = {}
        self.failed: Optional[Exception] = None
        self.closed: bool = False
        self._loop = asyncio.get_running_loop()
        self._sends: "Dict[str, asyncio.Task[None]]" = {}
        self._tasks: "Set[asyncio.Task[None]]" = set()
        self._timer: Optional[asyncio.TimerHandle] = None
        self._consults = Consults(asker.consult, self._consulted)
        self._perform(self.machine.beginning, Told())

    def step(self, event: Mapping[str, Any]) -> Told:
        """Gives the machine an event. After a failure of the journal it raises :class:`JournalError`."""
        if self.failed is not None:
            raise self.failed
        told = Told()
        if not self.closed:
            self._perform(self.machine.step(event, at=self.asker.now()), told)
        return told

    def _perform(self, effects: List[Effect], told: Told) -> None:
        for effect in effects:
            name = effect["effect"]
            if name == "append":
                self._keep(effect["record"])
            elif name == "send":
                self._send(effect)
            elif name == "cancel_sent":
                self._cancel(effect["ref"])
            elif name == "notify":
                self._notify(effect)
            elif name == "interrupt":
                self._interrupt(effect)
            elif name == "settle":
                told.settled = True
                self._settle(effect)
            elif name == "page":
                self.pages[effect["link"]] = effect
                if self.asker.opened is not None:
                    self._loop.call_soon(self.asker.opened, self.asker.page(self.name + SEPARATOR + effect["link"]))
            elif name == "resume":
                told.resume = effect
            elif name == "wake":
                self._wake(effect["at"])
            elif not self._consults.perform(effect) and name == "problem":
                told.problems, told.about = effect["problems"], effect["about"]

    def _consulted(self, event: Dict[str, Any]) -> None:
        self._loop.call_soon(self._later, event)  # the effects of this step come first

    def _later(self, event: Dict[str, Any]) -> None:
        try:
            self.step(event)
        except ElicitError as error:
            report("a session failed", error)

    def _keep(self, record: str) -> None:
        """Keeps a record. When that fails, nothing that follows from the record happens, and every ask fails."""
        if self.asker.journal is None:
            return
        try:
            self.asker.journal(self.name, record)
        except Exception as error:
            self.failed = JournalError("a record could not be kept, so nothing is decided any more")
            self.failed.__cause__ = error
            for run in self.runs.values():
                run.fail(self.failed)
            for ref in list(self._sends):
                self._cancel(ref)
            raise self.failed from error

    def _settle(self, effect: Effect) -> None:
        self.pages = {k: v for k, v in self.pages.items() if v["show"]["id"] != effect.get("id")}
        run = self.runs.get(effect["call"])
        if run is not None:
            run.tell(effect["position"], effect)

    def _interrupt(self, effect: Effect) -> None:
        run = self.runs.get(effect["call"])
        if run is not None and not run.over:
            run.interrupt = effect
            run.fail(Interrupted("the call ends until the person has answered"))

    def _send(self, effect: Effect) -> None:
        run = self.runs.get(effect["call"])
        if run is not None and run.client.peer is not None:
            task = self._loop.create_task(self._exchange(run.client.peer, effect))
            self._sends[effect["ref"]] = task

    async def _exchange(self, peer: Peer, effect: Effect) -> None:
        event: Dict[str, Any] = {"event": "responded", "ref": effect["ref"]}
        try:
            event["result"] = await peer.request(effect["method"], effect["params"])
        except PeerError as error:
            event["error"] = {"code": error.code, "message": error.message}
        except Exception as error:
            event["error"] = {"code": -32603, "message": str(error) or type(error).__name__}
        self._sends.pop(effect["ref"], None)
        try:
            self.step(event)
        except JournalError:
            pass  # the waiting asks have it
        except (InputError, ValueError):  # no JSON, or too much of it
            del event["result"]
            self._later({**event, "error": {"code": -32603, "message": "unreadable response"}})

    def _cancel(self, ref: str) -> None:
        task = self._sends.pop(ref, None)
        if task is not None:
            task.cancel()

    def _notify(self, effect: Effect) -> None:
        for run in self.runs.values():
            if run.client.peer is not None:
                task = self._loop.create_task(told_quietly(run.client.peer, effect))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
                return

    def _wake(self, at: int) -> None:
        self.due = at
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if at and not self.closed:
            seconds = max(1, at - self.asker.now()) / 1000
            self._timer = self._loop.call_later(seconds, self._ticked)

    def _ticked(self) -> None:
        self.users += 1
        self._later({"event": "ticked"})
        self.asker.release(self)

    def open_link(self, link: str) -> Optional[Effect]:
        """The effect of a page whose question is still open."""
        if link not in self.pages or not any(q["link"] == link for q in self.machine.questions()):
            return None
        return self.pages[link]

    def open_id(self, found: Callable[[Dict[str, Any]], bool]) -> Optional[str]:
        """The id of the first open question that fits."""
        return next((q.get("id") for q in self.machine.questions() if found(q)), None)

    def close(self, cause: str) -> None:
        """Ends the session for everybody."""
        if self.closed:
            return
        try:
            self.step({"event": "closed", "cause": cause})
        except ElicitError:
            pass  # the machine is broken, or the waiting asks know that the journal is
        self.closed = True
        self._wake(0)
        self._consults.end()
        for ref in list(self._sends):
            self._cancel(ref)
        self.machine.close()


async def told_quietly(peer: Peer, effect: Effect) -> None:
    try:
        await peer.notify(effect["method"], effect["params"])
    except Exception as error:
        report("a notification could not be sent", error)


class Run:
    """One run of a handler."""

    def __init__(self, session: Session, client: Client):
        self.session: Session = session
        self.client: Client = client
        self.id: str = secrets.token_hex(16)
        self.over = False
        self.interrupt: Optional[Effect] = None
        self._next = 0
        self._waiting: "Dict[int, asyncio.Future[Effect]]" = {}

    def tell(self, position: int, effect: Effect) -> None:
        """Ends the wait for a position."""
        waiter = self._waiting.pop(position, None)
        if waiter is not None and not waiter.done():
            waiter.set_result(effect)

    def fail(self, error: BaseException) -> None:
        """Ends every wait."""
        waiting, self._waiting = self._waiting, {}
        for waiter in waiting.values():
            if not waiter.done():
                waiter.set_exception(error)

    async def pose(self, question: Question) -> Answer:
        """Poses a question and waits for its outcome."""
        session = self.session
        if self.over:
            raise NoCall("the handler of this call is over")
        if self.interrupt is not None:
            raise Interrupted("the call ends until the person has answered")
        position, self._next = self._next, self._next + 1
        waiter = self._waiting[position] = asyncio.get_running_loop().create_future()
        try:
            session.step({"event": "posed", "call": self.id, "position": position, **question.members()})
            settle = await waiter
        except asyncio.CancelledError:
            if not self.over and session.failed is None and not session.closed and position in self._waiting:
                mine = (self.id, position)
                id = session.open_id(lambda q: (q["call"], q.get("position", 0)) == mine)
                if id is not None:
                    session.step({"event": "cancelled", "id": id})
            raise
        finally:
            self._waiting.pop(position, None)
            if waiter.done() and not waiter.cancelled():
                waiter.exception()  # nobody waits for it any more
        error = failure(settle)
        if error is not None:
            raise error
        model = any(reason.get("code") == "model_answer" for reason in settle.get("reasons") or ())
        return Answer(settle.get("id", ""), settle.get("content"), settle.get("page", False), model)
