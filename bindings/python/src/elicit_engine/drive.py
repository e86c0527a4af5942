"""The loop around a :class:`Relay` for asyncio. It performs effects in order, keeps the journal and runs one timer.

The machine makes all decisions, also when the journal fails or a tick comes early (docs/relay.md)."""

from __future__ import annotations

import asyncio
import functools
import time
from collections import deque
from typing import Any, Callable, Deque, List, Mapping, Optional, Sequence, Tuple, Union

from .consult import Consult, Consults
from .shown import ShownQuestions
from .engine import Document, Effect, Relay
from .fault import InterfaceError, JournalError, call_host
from .guardian import Guardian
from .question import UI

RECHECK_MS = 20_000

#: Functions of a host that perform effects, by the effects' names. They must return at once and start a task for
#: longer work.
Host = Mapping[str, Callable[[Effect], None]]


def wall_clock() -> int:
    """Milliseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1_000_000


class Driver:
    """Drives one connection on the event loop that it was made on. Other threads must not use it.

    ``write`` gets "client" or "server" and the bytes of one message for that end, without a line end. ``journal``
    keeps one record, a line without its end, and returns when the record is durable. No later effect is performed
    before that. ``ui`` asks the person. ``host`` performs other effects. ``guardians`` are added to those of the
    configuration. ``consult`` asks the guardians whose module the library does not have. It may be a coroutine
    function, and should be one if it takes long. Without it, such guardians fail at once. An exception of ``ui``
    cancels its question with the cause ``no_ui``, and ``failed`` gets the exception. An exception of ``host``,
    ``write`` or ``failed`` goes to the exception handler of the loop, and the later effects are performed. So does an
    exception of ``ui`` if ``failed`` is left out.
    """

    def __init__(
        self,
        relay: Union[Relay, Document],
        write: Callable[[str, bytes], None],
        host: Optional[Host] = None,
        journal: Optional[Callable[[str], None]] = None,
        *,
        ui: Optional[UI] = None,
        failed: Optional[Callable[[InterfaceError], None]] = None,
        consult: Optional[Consult] = None,
        guardians: Sequence[Guardian] = (),
        now: Optional[Callable[[], int]] = None,
    ):
        self.relay: Relay = Relay.of(relay, guardians)
        self._host = host or {}
        self._hosts = [self._host]
        if ui is not None:
            told = None if failed is None else functools.partial(call_host, failed)
            self._hosts.insert(0, ShownQuestions(ui, self.do, self.relay.principal, told).host)
        self._consults = Consults(consult, self.do)
        self._write, self._journal, self._now = write, journal, now
        self._inputs: Deque[Tuple[Callable[[], List[Effect]], bytes]] = deque()
        self._busy = self._done = False
        self._timer: Optional[asyncio.TimerHandle] = None
        self._take(lambda: self.relay.beginning)

    def receive(self, end: str, message: bytes) -> None:
        """Takes a message of the "client" or the "server", without its line end, and performs the effects.

        If the journal fails during the call, it raises :class:`JournalError`, and every later question is refused."""
        self._take(lambda: self.relay.receive(end, message), message)

    def do(self, event: Mapping[str, Any]) -> None:
        """Takes an event in the same way. An event from a function of the host waits for the end of the step."""
        self._take(lambda: self.relay.step(event))

    def shutdown(self) -> None:
        """Settles every open question with the cause ``shutdown`` and stops the timer. It may be called again."""
        self._done = True
        self._wake({"at": 0})
        self._consults.end()
        self.do({"event": "ended", "end": "host"})

    def _take(self, step: Callable[[], List[Effect]], message: bytes = b"") -> None:
        self._inputs.append((step, message))
        if self._busy:
            return
        self._busy, failures = True, []
        try:
            while self._inputs:
                step, message = self._inputs.popleft()
                try:
                    self._perform(step(), message)
                except Exception as error:
                    failures.append(error)
        finally:
            self._busy = False
        if failures:
            raise failures[0]

    def _perform(self, effects: List[Effect], message: bytes = b"") -> None:
        for effect in effects:
            name = effect["effect"]
            if name in ("append", "new_journal"):
                try:
                    self._keep(effect)
                except Exception as error:
                    self._perform(self.relay.step({"event": "append_failed"}))
                    raise JournalError("a record could not be kept, so nothing is decided any more") from error
            elif name == "wake":
                self._wake(effect)
            elif name in ("forward", "send"):
                call_host(self._write, effect["to"], message if name == "forward" else effect["message"].encode())
            elif not self._consults.perform(effect):
                for host in self._hosts:
                    if name in host:
                        call_host(host[name], effect)

    def _keep(self, effect: Effect) -> None:
        if self._journal is not None and effect["effect"] == "append":
            self._journal(effect["record"])
        elif self._journal is not None:
            self._host["new_journal"](effect)  # KeyError without it: the records of a new engine cannot be kept

    def _wake(self, wake: Effect) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if wake["at"] and not self._done:
            # A timer does not count suspended time. The machine answers an early tick with another wake.
            if self._now is None and "in" in wake:
                wait = min(wake["in"], RECHECK_MS)
            else:
                wait = wake["at"] - (self._now or wall_clock)()
            seconds = max(1, wait) / 1000
            self._timer = asyncio.get_running_loop().call_later(seconds, self.do, {"event": "ticked"})
