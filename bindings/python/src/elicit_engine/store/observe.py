"""What a store tells of its calls: for health checks, logs, counters and traces."""

from __future__ import annotations

import dataclasses
import logging
import time
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, List, Optional, TypeVar

from .rules import Change, Entry, Line, Query, Saved, Store, StoreError, Wake

T = TypeVar("T")


@dataclasses.dataclass(frozen=True)
class Call:
    """One call of a store. It tells nothing of states, records and entries.

    ``result`` is ok, redeemed for an id that came before, the code of a :class:`StoreError`, or failed. ``took`` is in
    seconds."""

    method: str
    session: str
    took: float
    result: str
    error: Optional[BaseException] = None


async def ping(store: Store) -> None:
    """Returns when a store answers, for health checks of a server. It looks for a session that is not there."""
    await store.load("ping/")


def observe(store: Store, *tell: Callable[[Call], Any]) -> Store:
    """A store that tells of each call after it. The functions must not raise."""
    return _Observed(store, tell)


class _Observed:
    def __init__(self, store: Store, tell: Any):
        self._store, self._tell = store, tell

    def _end(self, method: str, session: str, began: float, result: str, error: Optional[BaseException]) -> None:
        if error is not None:
            result = error.code if isinstance(error, StoreError) else "failed"
        for one in self._tell:
            one(Call(method, session, time.monotonic() - began, result, error))

    async def _told(self, method: str, session: str, doing: Awaitable[T],
                    result: Callable[[T], str] = lambda _: "ok") -> T:
        began = time.monotonic()
        try:
            got = await doing
        except BaseException as error:
            self._end(method, session, began, "", error)
            raise
        self._end(method, session, began, result(got), None)
        return got

    async def _each(self, method: str, session: str, every: AsyncIterator[T]) -> AsyncIterator[T]:
        began = time.monotonic()
        failed: Optional[BaseException] = None
        try:
            async for one in every:
                yield one
        except GeneratorExit:  # the reader has enough
            raise
        except BaseException as error:
            failed = error
            raise
        finally:
            self._end(method, session, began, "ok", failed)

    async def load(self, session: str) -> Optional[Saved]:
        return await self._told("load", session, self._store.load(session))

    async def commit(self, change: Change) -> None:
        await self._told("commit", change.session, self._store.commit(change))

    async def due(self, now: int, skip: int, limit: int) -> List[str]:
        return await self._told("due", "", self._store.due(now, skip, limit))

    async def watch(self, session: str, wake: Wake) -> Callable[[], None]:
        return await self._told("watch", session, self._store.watch(session, wake))

    async def redeem(self, id: str, now: int, until: int) -> bool:
        return await self._told("redeem", "", self._store.redeem(id, now, until),
                                lambda first: "ok" if first else "redeemed")

    def journal(self, session: str, after: int = 0) -> AsyncIterator[Line]:
        return self._each("journal", session, self._store.journal(session, after))

    def history(self, query: Query = Query()) -> AsyncIterator[Entry]:
        return self._each("history", query.session, self._store.history(query))

    async def close(self) -> None:
        await self._store.close()


class Counters:
    """Counts calls by method and result, such as "commit conflict", in ``all``. Each "due" is a page of a sweep.

    It is for :func:`observe`."""

    def __init__(self) -> None:
        self.all: Dict[str, int] = {}

    def __call__(self, call: Call) -> None:
        name = call.method + " " + call.result
        self.all[name] = self.all.get(name, 0) + 1


def log(to: logging.Logger) -> Callable[[Call], None]:
    """A function for :func:`observe` that logs each call: as a warning where somebody should look, else at debug."""
    def tell(call: Call) -> None:
        fine = call.result in ("ok", "conflict", "redeemed", "closed")
        to.log(logging.DEBUG if fine else logging.WARNING, "store %s %s session=%s took=%.6f error=%s", call.method,
               call.result, call.session, call.took, call.error)
    return tell
