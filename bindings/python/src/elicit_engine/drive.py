"""The loop around :meth:`Engine.step` for asyncio: a timer, a journal, and each effect to the host it is for."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import Any, AsyncIterator, Callable, Deque, Dict, List, Mapping, Optional, Sequence, Set, Union

from .consult import Consult, Consults, Effect
from .engine import Document, Engine
from .fault import ElicitError, HandleError, InputError
from .guardian import Guardian

#: What a host does about effects, by their names. Performers return at once; what takes time is a task of their own.
Host = Mapping[str, Callable[[Effect], None]]


class JournalError(ElicitError):
    """The journal failed, so nothing may be decided any more."""


class Driver:
    """Drives one engine, or one that it opens from a configuration, on the event loop it was made on. Not for other threads.

    ``journal`` keeps one record, a line without its end, and returns when it is durable: nothing that follows from a record
    happens before. Effects that no host performs come out of :meth:`effects`, in order.

    ``guardians`` are those of the engine that is opened. ``consult`` asks the ones that are no module the library holds; it may
    be a coroutine function, and one that takes long should be. Without it, and without a reader of :meth:`effects`, they
    count as failed at once.
    """

    def __init__(
        self,
        engine: Union[Engine, Document, None] = None,
        host: Optional[Host] = None,
        journal: Optional[Callable[[str], None]] = None,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        consult: Optional[Consult] = None,
        guardians: Sequence[Guardian] = (),
    ):
        self.engine = Engine.of(engine, guardians)
        self._consults = Consults(consult, self._later)
        self._said: Deque[Dict[str, Any]] = deque()
        self._giving = False
        self._host = dict(host or {})
        self._hosts: Dict[str, Host] = {}
        self._journal = journal
        self._now = now
        self._timer: Optional[asyncio.TimerHandle] = None
        self._unread: Optional[asyncio.Queue] = None
        self._sessions: Set[str] = set()
        self._broken: Optional[BaseException] = None
        self._perform(self.engine.beginning)

    def join(self, session: str, host: Optional[Host]) -> None:
        """Hands the effects of one session to a host of its own, or takes it away again."""
        if host is None:
            self._hosts.pop(session, None)
        else:
            self._hosts[session] = host

    def do(self, event: Mapping[str, Any]) -> List[Effect]:
        """Gives the engine one event, and what guardians say to it there and then. When it returns, the records are kept and the
        hosts have the effects."""
        return self._give(event) if self._giving else self._turn(event)

    def _turn(self, event: Optional[Mapping[str, Any]]) -> List[Effect]:
        effects: List[Effect] = []
        self._giving = True
        try:
            try:
                if event is not None:
                    effects = self._give(event)
            finally:
                while self._said and self._broken is None:
                    effects = effects + self._hear(self._said.popleft())
        finally:
            self._giving = False
        return effects

    def _give(self, event: Mapping[str, Any]) -> List[Effect]:
        effects = self._step(event)
        self._perform(effects)
        return effects

    def _hear(self, said: Dict[str, Any]) -> List[Effect]:
        """Takes what a guardian said. What the engine cannot use of it is as good as nothing, and not for the person to read."""
        try:
            effects = self._step(said)
        except InputError:
            return self._hear(failed(said, "bad_output"))
        of_it = [e for e in effects if e["effect"] == "problem" and e["about"] == "guardian"]
        effects = [e for e in effects if e not in of_it]
        self._perform(effects)
        if "fault" not in said and any(e["problems"][0]["code"] != "consult_over" for e in of_it):
            effects = effects + self._hear(failed(said, "unavailable"))
        return effects

    def _later(self, said: Dict[str, Any]) -> None:
        self._said.append(said)
        if not self._giving:
            try:
                self._turn(None)
            except HandleError:
                pass  # the engine was closed meanwhile

    def _step(self, event: Mapping[str, Any]) -> List[Effect]:
        if self._broken is not None:
            raise JournalError("the journal failed before; nothing is decided any more") from self._broken
        effects = self.engine.step(event, at=self._now())
        name = event.get("session")
        if event.get("event") == "opened" and name:
            self._sessions.add(name)
        elif event.get("event") == "closed" and name:
            self._sessions.discard(name)
            self._consults.end(name)
        return effects

    async def effects(self) -> AsyncIterator[Effect]:
        """The effects that no host performs."""
        self._unread = self._unread or asyncio.Queue()
        while True:
            yield await self._unread.get()

    def shutdown(self) -> None:
        """Settles everything that is open with the cause shutdown and stops the timer. It may be called again."""
        for session in sorted(self._sessions):
            self._consults.end(session)
            if self._broken is None:
                self.do({"event": "closed", "session": session, "cause": "shutdown"})
        self._wake(0)

    def _perform(self, effects: List[Effect]) -> None:
        self._keep([effect["record"] for effect in effects if effect["effect"] == "append"], effects)
        for effect in effects:
            if effect["effect"] == "wake":
                self._wake(effect["at"])
            elif effect["effect"] != "append":
                self._hand(effect)

    def _keep(self, records: List[str], effects: List[Effect]) -> None:
        if self._journal is None:
            return
        try:
            for record in records:
                self._journal(record)
        except Exception as error:
            # What was decided is not on record: whoever waits for it is told so instead.
            self._broken = error
            self._wake(0)
            for effect in effects:
                if effect["effect"] == "reply":
                    self._hand({**effect, "outcome": "error", "cause": "shutdown", "content": None, "problems": [{"code": "journal_failed", "pointer": ""}]})
            raise JournalError("a record could not be kept") from error

    def _hand(self, effect: Effect) -> None:
        host = self._hosts.get(effect.get("session", ""), self._host)
        performer = host.get(effect["effect"])
        if effect["effect"] == "consult":
            performer = performer or self._host.get("consult")
            if performer is None and (self._consults.ask is not None or self._unread is None):
                performer = self._consults.begin
        elif effect["effect"] in ("reply", "withdraw"):
            self._consults.end(effect.get("session", ""), effect.get("id"))
        if performer is not None:
            performer(effect)
        elif self._unread is not None:
            self._unread.put_nowait(effect)

    def _wake(self, at: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if at:
            delay = max(0, at - self._now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self.do({"event": "ticked"})


def failed(said: Dict[str, Any], fault: str) -> Dict[str, Any]:
    return {**{name: said[name] for name in ("event", "session", "id", "round")}, "fault": fault}
