"""The loop around the machine of the asking side."""

from __future__ import annotations

import asyncio
import collections
import inspect
import itertools
import json
import logging
import secrets
import time
from typing import Any, Awaitable, Callable, Deque, Dict, List, Mapping, Optional, Set

from ..consult import Consult, event as said_by, report_failure
from ..engine import Effect, Machine, encode
from ..fault import InputError, call_host
from ..store import Change, Entry, Store, StoreError
from .call import Peer
from .seal import Sealing

log: logging.Logger = logging.getLogger("elicit_engine.ask")

#: How many seconds one call of the store may take, and the sending of a notification.
STORE_WAIT, NOTICE_WAIT = 10.0, 5.0


class AskerMachine(Machine):
    """The asking side of a process (docs/reference/asking.md)."""

    def __init__(self, config: Mapping[str, Any], at: int):
        self._begin(encode({"asker": config, "at": at, "elapsed": 1, "random": secrets.token_hex(32)}))

    def fallback(self, client: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
        """The tool with which a model passes on an answer, for a client that needs it."""
        tool: Optional[Dict[str, Any]] = json.loads(self.step_text({"fallback": client})).get("tool")
        return tool


class Wait:
    """Somebody who waits for a reply. Requests go to the ``peer``, and ``visit`` gets the id of a flow behind a URL."""

    def __init__(self, peer: Optional[Peer], visit: Optional[Callable[[str], object]]):
        self.reply: "asyncio.Future[Effect]" = asyncio.get_running_loop().create_future()
        self.peer = peer
        self._visit = visit

    def visited(self, effect: Effect) -> None:
        if self._visit is not None and "visit" in effect:
            call_host(self._visit, effect["visit"])


class Host:
    """Performs the effects of the machine in order, and reports what came of them. All decisions are the machine's."""

    def __init__(
        self,
        config: Dict[str, Any],
        sealing: Sealing,
        now: Callable[[], int],
        store: Optional[Store] = None,
        journal: Optional[Callable[[str, str], None]] = None,
        consult: Optional[Consult] = None,
        opened: Optional[Callable[[Effect], None]] = None,
    ):
        self._sealing, self._now, self._store, self._journal = sealing, now, store, journal
        self._ask, self._opened = consult, opened
        self.machine: AskerMachine = AskerMachine(config, now())
        self._early: List[Effect] = self.machine.beginning  # for the event loop of the first event
        self._begun = time.monotonic_ns()
        self._refs = itertools.count(1)
        self._events: Deque[Mapping[str, Any]] = collections.deque()
        self._stepping = False
        self._waits: Dict[str, Wait] = {}
        self._sends: "Dict[str, asyncio.Task[None]]" = {}
        self._watches: Dict[str, asyncio.Event] = {}
        #: How the clients of calls are notified, by the name of the run.
        self.notifies: "Dict[str, Optional[Callable[[str, Dict[str, Any]], Awaitable[None]]]]" = {}
        self._works: "Set[asyncio.Task[None]]" = set()
        self._timer: Optional[asyncio.TimerHandle] = None

    def step(self, event: Mapping[str, Any]) -> None:
        """Gives the machine an event and performs the effects. Events that they bring at once come after them."""
        self._events.append(event)
        if self._stepping:
            return
        self._stepping = True
        try:
            while self._events:
                effects, self._early = [*self._early, *self._stepped(self._events.popleft())], []
                for effect in effects:
                    self._performers[effect["effect"]](self, effect)
        finally:
            self._stepping = False

    def _stepped(self, event: Mapping[str, Any]) -> List[Effect]:
        elapsed = 1 + (time.monotonic_ns() - self._begun) // 1_000_000
        given = {"event": event, "at": self._now(), "elapsed": elapsed, "random": secrets.token_hex(32)}
        effects: List[Effect] = json.loads(self.machine.step_text(given))["effects"]
        return effects

    def begin(
        self,
        event: Mapping[str, Any],
        to: Optional[str] = None,
        peer: Optional[Peer] = None,
        visit: Optional[Callable[[str], object]] = None,
    ) -> "asyncio.Future[Effect]":
        """Gives the machine the event of somebody who then waits for the reply, under the name ``to`` or a new one. An
        event that cannot be read raises :class:`InputError`."""
        ref = to or str(next(self._refs))
        wait = self._waits[ref] = Wait(peer, visit)
        try:
            self.step(event if to else {**event, "ref": ref})
        except BaseException:
            del self._waits[ref]
            raise
        return wait.reply

    async def pose(self, event: Mapping[str, Any], peer: Optional[Peer], visit: Any) -> Effect:
        """The reply to a question. If its handler is cancelled, it is taken back."""
        ref = str(next(self._refs))
        try:
            reply = await self.begin({**event, "ref": ref}, ref, peer, visit)
        except asyncio.CancelledError:
            self.step({"event": "given_up", "ref": ref})
            raise
        if peer is not None and "notice" in reply:
            await notified(peer.notify, reply["notice"])
        return reply

    def _replied(self, effect: Effect) -> None:
        wait = self._waits.pop(effect["to"], None)
        if wait is not None and not wait.reply.done():
            wait.visited(effect)
            wait.reply.set_result(effect)

    def _send(self, effect: Effect) -> None:
        wait = self._waits.get(effect["to"])
        if wait is not None:
            wait.visited(effect)
            self._sends[effect["ref"]] = asyncio.ensure_future(self._carried(wait.peer, effect))

    async def _carried(self, peer: Optional[Peer], effect: Effect) -> None:
        """Carries a request to the client, and brings its answer back as an event."""
        ref = effect["ref"]
        try:
            if peer is None:
                raise LookupError("this call cannot carry requests to the client")
            answer: Dict[str, Any] = {"result": await peer.request(effect["method"], effect["params"])}
        except Exception as error:
            said: Any = getattr(error, "error", error)
            code = getattr(said, "code", None)
            message = str(getattr(said, "message", error) or type(error).__name__)
            answer = {"error": {"code": code if isinstance(code, int) else -32603, "message": message}}
        self._sends.pop(ref, None)
        try:
            self.step({"event": "responded", "ref": ref, **answer})
        except (InputError, ValueError):  # no JSON, or too much of it
            unreadable = {"code": -32603, "message": "unreadable response"}
            self.step({"event": "responded", "ref": ref, "error": unreadable})

    def _cancel_sent(self, effect: Effect) -> None:
        task = self._sends.pop(effect["ref"], None)
        if task is not None:
            task.cancel()

    def _wake(self, effect: Effect) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if "in" in effect:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(effect["in"] / 1000, self.step, {"event": "ticked"})

    def _page(self, effect: Effect) -> None:
        if self._opened is not None:
            asyncio.get_running_loop().call_soon(self._opened, effect)

    def _seal(self, effect: Effect) -> None:
        given = {name: value for name, value in effect.items() if name not in ("effect", "call")}
        said = self._sealing(effect["effect"], given)
        if "problems" in said:  # the client learns no reason
            log.info("%s: %s", effect["effect"], said["problems"])
        self.step({"event": effect["effect"] + "ed", "call": effect["call"], "said": said})

    def _progress(self, effect: Effect) -> None:
        async def progress() -> None:
            await notified(self.notifies.get(effect["call"]), effect)
            self.step({"event": "progressed", "call": effect["call"]})

        self._spawn(progress())

    def _append(self, effect: Effect) -> None:
        event = {"event": "appended", "session": effect["session"]}
        try:
            assert self._journal is not None
            for record in effect["records"]:
                self._journal(effect["session"], record)
        except Exception as error:
            event["why"] = str(error) or type(error).__name__
        self.step(event)

    def _watch(self, effect: Effect) -> None:
        session, over = effect["session"], asyncio.Event()
        self._watches[session] = over

        def tell(name: str, **more: int) -> None:
            if not over.is_set():
                self.step({"event": name, "session": session, **more})

        def hint(version: int = 0) -> None:
            tell("hinted", version=version)

        async def watch() -> None:
            assert self._store is not None
            try:
                stop = await self._store.watch(session, hint)
            except Exception:
                return tell("unwatched")
            try:
                tell("watched")
                await over.wait()
            finally:
                stop()

        self._spawn(watch())

    def _unwatch(self, effect: Effect) -> None:
        self._watches.pop(effect["session"]).set()

    def _consult(self, effect: Effect) -> None:
        async def consult() -> None:
            answer: Any = None
            try:
                answer = None if self._ask is None else self._ask(effect["ask"])
                answer = await answer if inspect.isawaitable(answer) else answer
            except Exception as error:
                report_failure(effect["ask"], error)
            event = {"event": "consulted", "session": effect["session"]}
            try:
                self.step({**event, "said": said_by(effect["ask"], answer)})
            except InputError:  # the output is too long
                self.step({**event, "said": said_by(effect["ask"], {"fault": "bad_output"})})

        self._spawn(consult())

    def _stored(self, effect: Effect) -> None:
        """Does what takes time in the store."""
        about = {name: effect[name] for name in ("session", "call") if name in effect}

        async def store() -> None:
            assert self._store is not None
            doing: Awaitable[Dict[str, Any]] = STORING[effect["effect"]](self._store, effect)
            try:
                event = await asyncio.wait_for(doing, STORE_WAIT)
            except Exception as error:
                event = failed(error)
            self.step({**event, **about})

        self._spawn(store())

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._works.add(task)
        task.add_done_callback(self._works.discard)

    _performers: Mapping[str, Callable[["Host", Effect], None]] = {
        "reply": _replied, "send": _send, "cancel_sent": _cancel_sent, "progress": _progress, "wake": _wake,
        "page": _page, "seal": _seal, "unseal": _seal, "append": _append, "watch": _watch, "unwatch": _unwatch,
        "consult": _consult,
        "load": _stored, "commit": _stored, "redeem": _stored, "due": _stored,
    }


async def notified(notify: Any, notice: Mapping[str, Any]) -> None:
    """Sends a notification. A client that is gone needs none."""
    try:
        if notify is not None:
            await asyncio.wait_for(notify(notice["method"], notice["params"]), NOTICE_WAIT)
    except Exception:
        pass


async def load(store: Store, effect: Effect) -> Dict[str, Any]:
    saved = await store.load(effect["session"])
    if saved is None:
        return {"event": "missing"}
    return {"event": "loaded", "version": saved.version, "state": saved.state.decode()}


async def commit(store: Store, effect: Effect) -> Dict[str, Any]:
    state: Optional[str] = effect.get("state")
    await store.commit(Change(
        effect["session"], effect["from"], effect["version"], effect["now"], None if state is None else state.encode(),
        records=[record.encode() for record in effect.get("records", ())], next=effect.get("next", 0),
        entries=[Entry(**{**one, "body": one["body"].encode()}) for one in effect.get("history", ())],
        lazy=effect.get("lazy", False), **{name: effect[name] for name in ("expires", "keep", "keep_records")},
    ))
    return {"event": "committed", "version": effect["version"]}


async def redeem(store: Store, effect: Effect) -> Dict[str, Any]:
    first = await store.redeem(effect["id"], effect["now"], effect["until"])
    return {"event": "redeemed", "again": not first}


async def due(store: Store, effect: Effect) -> Dict[str, Any]:
    return {"event": "found", "sessions": await store.due(effect["now"], effect.get("skip", 0), effect["limit"])}


STORING: Mapping[str, Callable[[Store, Effect], Awaitable[Dict[str, Any]]]] = {
    "load": load, "commit": commit, "redeem": redeem, "due": due,
}


def failed(error: Exception) -> Dict[str, Any]:
    """What the machine hears of an error of the store."""
    code = getattr(error, "code", "") if isinstance(error, StoreError) else ""
    if code == "conflict":
        return {"event": "conflicted"}
    away = code == "unavailable" or isinstance(error, asyncio.TimeoutError)
    why = "the store does not answer" if isinstance(error, asyncio.TimeoutError) else str(error)
    return {"event": "store_failed", "away": away, "why": why or type(error).__name__}
