"""The loop around a :class:`Relay` for asyncio. It performs effects in order, keeps the journal and runs one timer.

The library has the order of all steps and what follows when the journal fails (``elicit_next``,
docs/reference/abi.md)."""

from __future__ import annotations

import asyncio
import functools
from typing import Any, Callable, Mapping, Optional, Sequence, Tuple, Union

from .consult import Consult, Consults
from .shown import ShownQuestions
from .engine import Document, Effect, Relay
from .fault import InterfaceError, call_host, durable
from .guardian import Guardian
from .library import Callbacks
from .question import UI

#: Functions of a host that perform effects, by the effects' names. They must return at once and start a task for
#: longer work. :mod:`elicit_engine.contract` has the types of the effects, such as ``Show``.
Host = Mapping[str, Callable[[Any], None]]


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
        journal: Optional[Callable[[str], object]] = None,
        *,
        ui: Optional[UI] = None,
        failed: Optional[Callable[[InterfaceError], None]] = None,
        consult: Optional[Consult] = None,
        guardians: Sequence[Guardian] = (),
        now: Optional[Callable[[], int]] = None,
    ):
        self.relay: Relay = Relay.of(relay, guardians)
        self._hosts = [{} if host is None else host]
        if ui is not None:
            told = None if failed is None else functools.partial(call_host, failed)
            self._hosts.insert(0, ShownQuestions(ui, self.do, self.relay.principal, told).host)
        self._consults = Consults(consult, self.do)
        # Without `new_journal` of the host, no second journal can be kept.
        self._callbacks = Callbacks(durable(journal, self._hosts[-1]), self._consults.begin, self._random)
        self._write, self._now = write, now
        self._busy = self._done = False
        self._timer: Optional[asyncio.TimerHandle] = None
        self._turn()

    _random: Optional[Callable[[], bytes]] = None  # tests have their own

    def receive(self, end: str, message: bytes) -> None:
        """Takes a message of the "client" or the "server", without its line end, and performs the effects.

        If the journal fails during the call, it raises :class:`~elicit_engine.JournalError`, and every later question
        is refused."""
        self.relay.receive(end, message)
        self._turn()

    def do(self, event: Mapping[str, Any]) -> None:
        """Takes an event in the same way. An event from a function of the host waits for the end of the step."""
        self.relay.step(event)
        self._turn()

    def shutdown(self) -> None:
        """Settles every open question with the cause ``shutdown`` and stops the timer. It may be called again."""
        self._done = True
        self._consults.end()
        self.do({"event": "ended", "end": "host"})

    def _turn(self) -> None:
        """Performs effects until nothing is due, and sets the timer. During a turn it does nothing."""
        if self._busy:
            return
        self._busy = True
        effect: Effect = {}
        try:
            while "wait" not in effect:
                effect, message = self.relay.next(self._callbacks, *self._times())
                self._perform(effect, message)
        finally:
            self._busy = False
        self._set_timer(effect["wait"])
        self._callbacks.check()

    def _perform(self, effect: Effect, message: Optional[bytes]) -> None:
        if message is not None:
            call_host(self._write, effect["to"], message)
        elif "wait" not in effect and not self._consults.perform(effect):
            for host in self._hosts:
                if effect["effect"] in host:
                    call_host(host[effect["effect"]], effect)

    def _times(self) -> Tuple[int, int]:
        return (-1 if self._now is None else self._now()), -1

    def _set_timer(self, wait: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if wait >= 0 and not self._done:
            self._timer = asyncio.get_running_loop().call_later(max(1, wait) / 1000, self._turn)
