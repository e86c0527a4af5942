"""One run of a handler."""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, List, Mapping, Optional

from ..engine import Effect
from ..fault import ElicitError, report
from .errors import Busy, Closed, Interrupted, NoCall, StoreFailure, TooLarge, failure
from .machine import MAX_POSITIONS, MAX_VALUES, AskingMachine, Client
from .question import Answer, Question, current

if TYPE_CHECKING:
    from .session import Session, Told


def running() -> "Run":
    """The run of the handler that the current code belongs to."""
    run = current.get(None)
    if run is None:
        raise NoCall("this code belongs to no running call: install an asker with Asker(…).install(server)")
    return run


class Run:
    """One run of a handler."""

    def __init__(
        self,
        session: "Session",
        client: Client,
        called: Mapping[str, Any],
        reopen: "Optional[Callable[[Session], Awaitable[Session]]]" = None,
    ):
        self.session: "Session" = session
        self.client: Client = client
        self.id: str = secrets.token_hex(16)
        #: The event of its beginning. The session hears of the run with its first question: a handler that never asks
        #: costs no commit.
        self.called: Dict[str, Any] = {**called, "call": self.id}
        self._reopen = reopen
        #: The session knows the run.
        self.begun: bool = False
        #: The session has had the event of the run, and may know it.
        self.tried: bool = False
        #: The store failed while the session was told.
        self.uncertain: bool = False
        #: The machine did not take the run.
        self.refused: bool = False
        self.over = False
        self.interrupt: Optional[Effect] = None
        self._next = 0
        self._values: List[Dict[str, Any]] = []  # of which the session has not heard
        self._size = 0
        self.waiting: "Dict[int, asyncio.Future[Effect]]" = {}

    def advance(self, machine: AskingMachine, event: Optional[Mapping[str, Any]], at: int) -> List[Effect]:
        """The effects of an event, and of what the machine must hear first: that the run has begun, and the values that
        its handler has computed."""
        effects: List[Effect] = []
        if not self.begun and not (self.uncertain and machine.runs(self.id)):
            effects += machine.step(self.called, at=at)
            self.refused = not machine.runs(self.id)
            if self.refused:
                return effects
        for one in [*self._values, *([] if event is None else [event])]:
            effects += machine.step(one, at=at)
        return effects

    async def step(self, event: Optional[Mapping[str, Any]] = None) -> "Told":
        """Gives the session an event of the run; without one, it only begins the run."""
        for tried in range(3):
            self.tried = True
            try:
                return await self.session.step(event, self)
            except Closed:
                if self.begun or tried == 2 or self._reopen is None:
                    raise
                self.session = await self._reopen(self.session)  # closed just now; this run opens it again
            except StoreFailure:
                self.uncertain = self.uncertain or not self.begun
                raise
        raise AssertionError

    def stepped(self) -> None:
        """The session has heard of the run and its values."""
        self.begun, self._values = True, []

    def _check(self) -> None:
        if self.over:
            raise NoCall("the handler of this call is over")
        if self.interrupt is not None:
            raise Interrupted("the call ends until the person has answered")

    async def once(self, key: str, compute: Callable[[], Awaitable[str]]) -> str:
        """The JSON text that an earlier run has kept at the next position, or that is computed now."""
        self._check()
        position, self._next = self._next, self._next + 1
        if position >= MAX_POSITIONS:
            raise Busy("error", "rate_limit")
        kept = await self._kept(position, key)
        if kept is not None:
            self._size += len(kept)
            return kept
        text = await compute()
        if self._size + len(text.encode()) > MAX_VALUES:
            raise TooLarge("the values of a call have at most %d bytes" % MAX_VALUES)
        self._size += len(text.encode())
        value = json.loads(text)
        self._values.append({"event": "once", "call": self.id, "position": position, "key": key, "value": value})
        return text

    async def _kept(self, position: int, key: str) -> Optional[str]:
        if not self.begun:
            if "answers" not in self.called:
                return None  # no earlier run, or none that kept a value
            await self.step()
        machine = await self.session.known()
        return None if machine is None else machine.value(self.id, position, key)

    def tell(self, position: int, effect: Effect) -> None:
        """Ends the wait for a position."""
        waiter = self.waiting.pop(position, None)
        if waiter is not None and not waiter.done():
            waiter.set_result(effect)

    def fail(self, error: BaseException) -> None:
        """Ends every wait."""
        waiting, self.waiting = self.waiting, {}
        for waiter in waiting.values():
            if not waiter.done():
                waiter.set_exception(error)

    async def pose(self, question: Question) -> Answer:
        """Poses a question and waits for its outcome."""
        self._check()
        position, self._next = self._next, self._next + 1
        waiter = self.waiting[position] = asyncio.get_running_loop().create_future()
        try:
            posed = {"event": "posed", "call": self.id, "position": position, **question.members()}
            told = await self.step(posed)
            if any(problem["code"] == "unknown_call" for problem in told.problems):
                raise Closed("cancel", "call_ended")  # somebody else ended it
            settle = await waiter
        except asyncio.CancelledError:
            session = self.session
            if not self.over and session.failed is None and not session.closed and position in self.waiting:
                await self._take_back(position)
            raise
        finally:
            self.waiting.pop(position, None)
            if waiter.done() and not waiter.cancelled():
                waiter.exception()  # nobody waits for it any more
        error = failure(settle)
        if error is not None:
            raise error
        model = any(reason.get("code") == "model_answer" for reason in settle.get("reasons") or ())
        return Answer(settle.get("id", ""), settle.get("content"), settle.get("page", False), model)

    async def _take_back(self, position: int) -> None:
        """Cancels a question that its handler does not wait for any more."""
        mine = (self.id, position)

        async def cancel() -> None:
            try:
                id = await self.session.open_id(lambda q: (q["call"], q.get("position", 0)) == mine)
                if id is not None:
                    await self.session.step({"event": "cancelled", "id": id})
            except ElicitError as error:
                report("a question could not be taken back", error)

        await self.session.apart(cancel())
