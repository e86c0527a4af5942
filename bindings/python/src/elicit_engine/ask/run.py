"""One run of a handler."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Dict, Optional

from ..engine import Effect
from ..fault import ElicitError, report
from .errors import Closed, Interrupted, NoCall, failure
from .machine import Client, Gone
from .question import Answer, Question

if TYPE_CHECKING:
    from .session import Session


class Run:
    """One run of a handler."""

    def __init__(self, session: "Session", client: Client):
        self.session: "Session" = session
        self.client: Client = client
        self.id: str = secrets.token_hex(16)
        self.over = False
        self.interrupt: Optional[Effect] = None
        self._next = 0
        self.waiting: "Dict[int, asyncio.Future[Effect]]" = {}

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
        session = self.session
        if self.over:
            raise NoCall("the handler of this call is over")
        if self.interrupt is not None:
            raise Interrupted("the call ends until the person has answered")
        position, self._next = self._next, self._next + 1
        waiter = self.waiting[position] = asyncio.get_running_loop().create_future()
        try:
            posed = {"event": "posed", "call": self.id, "position": position, **question.members()}
            told = await session.step(posed)
            if any(problem["code"] == "unknown_call" for problem in told.problems):
                raise Closed("cancel", "call_ended")  # somebody else ended it
            settle = await waiter
        except asyncio.CancelledError:
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
            except (ElicitError, Gone) as error:
                report("a question could not be taken back", error)

        await self.session.apart(cancel())
