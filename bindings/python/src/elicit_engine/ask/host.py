"""The loop around the machine of the asking side."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import inspect
import itertools
import json
import secrets
import time
from typing import Any, Awaitable, Callable, Dict, List, Mapping, Optional, cast

from ..consult import Consult, event as said_by, report_failure
from ..contract import OpenPage
from ..engine import AskerMachine, Effect
from ..fault import EngineFault, InputError
from ..store import Change, Entry, Store, StoreError
from .call import Notify, Peer
from .seal import Sealing

#: How many seconds one call of the store may take, and the sending of a notification.
STORE_WAIT, NOTICE_WAIT = 10.0, 5.0


@dataclasses.dataclass
class Wait:
    """Somebody who waits for a reply. Requests go to the ``peer``, and ``visit`` gets the id of a flow behind a URL."""

    reply: "asyncio.Future[Effect]"
    peer: Optional[Peer]
    visit: Optional[Callable[[str], object]]


class Host:
    """Performs the effects of the machine in order, and reports what came of them. All decisions are the machine's.
    Each effect has a method with its name. If it returns work, the result of the work is the next event."""

    def __init__(
        self, config: Dict[str, Any], sealing: Sealing, now: Callable[[], int], store: Optional[Store] = None,
        journal: Optional[Callable[[str, str], None]] = None, consult: Optional[Consult] = None,
        opened: Optional[Callable[[OpenPage], None]] = None,
    ):
        self._sealing, self._now, self._ask, self._opened = sealing, now, consult, opened
        self._store: Any = store  # a machine without a store wants nothing of one
        self._keep: Any = journal
        self.machine: AskerMachine = AskerMachine(config, now())
        self._early: List[Effect] = self.machine.beginning  # for the event loop of the first event
        self._begun = time.monotonic_ns()
        self._refs = itertools.count(1)
        self._waits: Dict[str, Wait] = {}
        self._works: "Dict[object, asyncio.Task[None]]" = {}
        self._watches: "Dict[str, asyncio.Future[None]]" = {}
        #: How the clients of calls are notified, by the name of the run.
        self.notifies: Dict[str, Optional[Notify]] = {}
        self._timer: Optional[asyncio.TimerHandle] = None

    def step(self, event: Mapping[str, Any]) -> None:
        """Gives the machine an event and performs the effects. Work goes on after this has returned."""
        effects, self._early = [*self._early, *self._stepped(event)], []
        for effect in effects:
            work = getattr(self, "_" + effect["effect"])(effect)
            if work is not None:
                key = effect.get("ref") or object()
                self._works[key] = asyncio.ensure_future(self._report(effect, work))
                self._works[key].add_done_callback(functools.partial(self._works.pop, key))

    def _stepped(self, event: Mapping[str, Any]) -> List[Effect]:
        elapsed = 1 + (time.monotonic_ns() - self._begun) // 1_000_000
        given = {"event": event, "at": self._now(), "elapsed": elapsed, "random": secrets.token_hex(32)}
        effects: List[Effect] = json.loads(self.machine.step_text(given))["effects"]
        return effects

    async def _report(self, effect: Effect, work: Awaitable[Optional[Effect]]) -> None:
        """Gives the machine the result of work, or says that there is none that it can read."""
        of = {name: effect[name] for name in ("ref", "session", "call") if name in effect}
        try:
            event = await work
            if event is not None:
                self.step({**of, **event})
        except Exception as error:
            self.step({**of, **failed(effect, error)})

    def begin(
        self, event: Mapping[str, Any], to: Optional[str] = None, peer: Optional[Peer] = None,
        visit: Optional[Callable[[str], object]] = None,
    ) -> "asyncio.Future[Effect]":
        """Gives the machine the event of somebody who then waits for the reply, under the name ``to`` or a new one. An
        event that cannot be read raises :class:`InputError`."""
        ref = to or str(next(self._refs))
        wait = self._waits[ref] = Wait(asyncio.get_running_loop().create_future(), peer, visit)
        try:
            self.step(event if to else {**event, "ref": ref})
        except BaseException:
            del self._waits[ref]
            raise
        return wait.reply

    def readable(
        self, name: str, event: Callable[[], Mapping[str, Any]], other: Mapping[str, Any]
    ) -> "asyncio.Future[Effect]":
        """The reply to an event, or to the other one if the machine cannot read the first: that has changed nothing."""
        try:
            return self.begin(event(), name)
        except EngineFault:
            raise
        except Exception:
            return self.begin(other, name)

    async def pose(self, event: Mapping[str, Any], peer: Optional[Peer], visit: Any) -> Effect:
        """The reply to a question. If its handler is cancelled, or ``visit`` fails, it is taken back."""
        ref = str(next(self._refs))
        try:
            reply = await self.begin({**event, "ref": ref}, ref, peer, visit)
            await visited(visit, reply)
        except BaseException:
            self.step({"event": "given_up", "ref": ref})
            raise
        if peer is not None and "notice" in reply:
            await notified(peer.notify, reply["notice"])
        return reply

    def _reply(self, effect: Effect) -> None:
        wait = self._waits.pop(effect["to"], None)
        if wait is not None and not wait.reply.done():
            wait.reply.set_result(effect)

    def _wake(self, effect: Effect) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if "in" in effect:
            self._timer = asyncio.get_running_loop().call_later(effect["in"] / 1000, self.step, {"event": "ticked"})

    def _page(self, effect: Effect) -> None:
        if self._opened is not None:
            asyncio.get_running_loop().call_soon(self._opened, cast(OpenPage, effect))

    async def _send(self, effect: Effect) -> Optional[Effect]:
        wait = self._waits.get(effect["to"])
        if wait is None or wait.peer is None:
            raise LookupError("this call cannot carry requests to the client")
        try:
            await visited(wait.visit, effect)
        except Exception as error:  # the handler hears it, and nobody is asked
            if not wait.reply.done():
                wait.reply.set_exception(error)
            return None
        return {"event": "responded", "result": await wait.peer.request(effect["method"], effect["params"])}

    def _cancel_sent(self, effect: Effect) -> None:
        if effect["ref"] in self._works:
            self._works[effect["ref"]].cancel()

    async def _seal(self, effect: Effect) -> Effect:
        given = {name: value for name, value in effect.items() if name not in ("effect", "call")}
        return {"event": effect["effect"] + "ed", "said": self._sealing(effect["effect"], given)}

    _unseal = _seal

    async def _progress(self, effect: Effect) -> Effect:
        await notified(self.notifies.get(effect["call"]), effect)
        return {"event": "progressed"}

    async def _append(self, effect: Effect) -> Effect:
        for record in effect["records"]:
            self._keep(effect["session"], record)
        return {"event": "appended"}

    async def _consult(self, effect: Effect) -> Optional[Effect]:
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
        return None

    def _watch(self, effect: Effect) -> Awaitable[Optional[Effect]]:
        session = effect["session"]
        over = self._watches[session] = asyncio.get_running_loop().create_future()

        def hint(version: int = 0) -> None:
            if not over.done():
                self.step({"event": "hinted", "session": session, "version": version})

        async def watch() -> Optional[Effect]:
            try:
                stop = await soon(self._store.watch(session, hint))
                over.add_done_callback(lambda _: stop())
                event = "watched"
            except Exception:
                event = "unwatched"
            return None if over.done() else {"event": event}

        return watch()

    def _unwatch(self, effect: Effect) -> None:
        self._watches.pop(effect["session"]).set_result(None)

    async def _load(self, effect: Effect) -> Effect:
        saved = await soon(self._store.load(effect["session"]))
        if saved is None:
            return {"event": "missing"}
        return {"event": "loaded", "version": saved.version, "state": saved.state.decode()}

    async def _commit(self, effect: Effect) -> Effect:
        state: Optional[str] = effect.get("state")
        await soon(self._store.commit(Change(
            effect["session"], effect["from"], effect["version"], effect["now"],
            None if state is None else state.encode(), lazy=effect.get("lazy", False), next=effect.get("next", 0),
            records=[record.encode() for record in effect.get("records", ())],
            entries=[Entry(**{**one, "body": one["body"].encode()}) for one in effect.get("history", ())],
            expires=effect["expires"], keep=effect["keep"], keep_records=effect["keep_records"],
        )))
        return {"event": "committed", "version": effect["version"]}

    async def _redeem(self, effect: Effect) -> Effect:
        first = await soon(self._store.redeem(effect["id"], effect["now"], effect["until"]))
        return {"event": "redeemed", "again": not first}

    async def _due(self, effect: Effect) -> Effect:
        return {"event": "found", "sessions": await soon(
            self._store.due(effect["now"], effect.get("skip", 0), effect["limit"]))}


async def visited(visit: Optional[Callable[[str], object]], effect: Effect) -> None:
    """Tells the id of a flow behind a URL."""
    done = visit(effect["visit"]) if visit is not None and "visit" in effect else None
    if inspect.isawaitable(done):
        await done


async def notified(notify: Optional[Notify], notice: Mapping[str, Any]) -> None:
    """Sends a notification. A client that is gone needs none."""
    try:
        if notify is not None:
            await asyncio.wait_for(notify(notice["method"], notice["params"]), NOTICE_WAIT)
    except Exception:
        pass


async def soon(work: Awaitable[Any]) -> Any:
    """What a store returns, unless it takes too long."""
    try:
        return await asyncio.wait_for(work, STORE_WAIT)
    except asyncio.TimeoutError:
        raise StoreError("unavailable", "the store does not answer") from None


def failed(effect: Effect, error: Exception) -> Effect:
    """What the machine hears of work that failed."""
    why, code = text(error), getattr(error, "code", "") if isinstance(error, StoreError) else ""
    if effect["effect"] == "send":
        return {"event": "responded", "error": wire(error)}
    if effect["effect"] == "append":
        return {"event": "appended", "why": why}
    if effect["effect"] in ("seal", "unseal"):
        return {"event": effect["effect"] + "ed", "said": {"problems": [{"code": why, "pointer": ""}]}}
    stored: Effect = {"event": "store_failed", "away": code == "unavailable", "why": why}
    return {"event": "conflicted"} if code == "conflict" else stored


def text(error: object) -> str:
    """The text of an error that the machine can read, also if half of a surrogate pair is in it."""
    return (str(error) or type(error).__name__).encode("utf-8", "replace").decode()


def wire(error: object) -> Effect:
    """An error as JSON-RPC has it."""
    said: Any = getattr(error, "error", error)
    number, why = getattr(said, "code", None), getattr(said, "message", error)
    return {"code": number if isinstance(number, int) else -32603, "message": text(why)}
