"""Sessions in one SQLite file, which many processes of one machine share, also those in Go."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import sqlite3
import stat
import time
from typing import Any, AsyncIterator, Callable, List, Optional, Sequence, Set, Tuple, TypeVar

from .rules import Change, Entry, Line, Place, Query, Saved, StoreError, Wake, Wakers, closed, conflict, paged
from .statements import SQLITE as SQL

#: What kind of file this is, and the version of its tables.
APPLICATION, SCHEMA = 0x456C6374, 2

T = TypeVar("T")


class SqliteStore:
    """Sessions in a file on a local disk. A commit is on the disk when :meth:`commit` returns, and a lazy one with the
    next that is not. The file has the mode 0600, and one that others may read or write is refused. See :meth:`open`."""

    def __init__(self, busy: float, poll: float):
        self._busy, self._poll = busy, poll
        self._thread = concurrent.futures.ThreadPoolExecutor(1, "elicit-store")
        self._db: sqlite3.Connection
        self._wakers = Wakers()
        self._watched: Set[object] = set()
        self._looking: "Optional[asyncio.Task[None]]" = None
        self._seen: Tuple[int, int] = (0, 0)
        self._closed = False
        self._calls = 0
        self._there: Callable[[], bool] = lambda: True

    @classmethod
    async def open(cls, path: str, busy: float = 5.0, poll: float = 0.02) -> "SqliteStore":
        """A handle. ``busy`` is how many seconds a call waits for other writers, and ``poll`` how often a handle looks
        for commits of other processes while somebody watches."""
        store = cls(busy, poll)
        try:
            await store._do(lambda: store._prepare(path))
        except BaseException:
            await store.close()
            raise
        return store

    def _prepare(self, path: str) -> None:
        path = os.path.abspath(path)  # a later change of the folder changes nothing
        with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600)) as file:
            stats = os.fstat(file.fileno())
        if not stat.S_ISREG(stats.st_mode) or os.name == "posix" and stats.st_mode & 0o077:
            raise StoreError("invalid", "%s must be a file with the mode 0600" % path)
        self._db = sqlite3.connect(path, timeout=self._busy, isolation_level=None, check_same_thread=False)
        end = time.monotonic() + self._busy
        mode: List[Any] = []
        while not mode:  # SQLite does not wait for another connection that is about to make the new file a WAL file
            try:
                mode = self._rows("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.001)
        self._transaction(self._tables)
        def there() -> bool:
            try:
                return os.path.samestat(stats, os.stat(path))
            except OSError:
                return False
        self._there = there

    def _tables(self) -> None:
        """Makes the tables in an empty file. Of several processes one does."""
        kind, version, objects = (self._rows(query)[0][0] for query in (
            "PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master"))
        if (kind, version, objects) == (0, 0, 0):
            steps = SQL["tables"]
        elif kind != APPLICATION:
            raise StoreError("invalid", "the file belongs to another program")
        elif version > SCHEMA:
            raise StoreError("newer", "schema %d was made by a newer program" % version)
        else:
            steps = SQL["second"] if version == 1 else ""
        for step in filter(str.strip, steps.split(";\n")):
            self._db.execute(step)

    def _rows(self, text: str, *args: Any) -> List[Any]:
        return self._db.execute(text, args).fetchall()

    def _transaction(self, change: Callable[[], T], lazy: bool = False) -> T:
        """Runs a change in a transaction that holds the file's write lock from its beginning."""
        self._db.execute("PRAGMA synchronous = " + ("NORMAL" if lazy else "FULL"))
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            return change()

    async def _do(self, work: Callable[[], T]) -> T:
        """Does work in the thread of the handle, and turns its errors into those of a store. Processes that opened a
        file before and after it was deleted or replaced share nothing, so the earlier ones fail."""
        if self._closed:
            raise closed()
        if not self._there():
            raise StoreError("unavailable", "the file was deleted or replaced: open it again")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except sqlite3.Error as error:
            raise StoreError("full" if "is full" in str(error) else "unavailable", str(error)) from error

    def _sweep(self, now: int) -> None:
        """Forgets some of what may be forgotten, at every 16th call."""
        self._calls += 1
        if self._calls % 16 == 0:
            for name in ("clock", "session", "record", "entry", "redeemed"):
                self._db.execute(SQL["forget_" + name], (now,))

    async def load(self, session: str) -> Optional[Saved]:
        found = await self._do(lambda: self._rows(SQL["get_session"], session.encode()))
        return Saved(found[0][0], found[0][2], found[0][1]) if found else None

    async def commit(self, change: Change) -> None:
        name, version, put = change.session.encode(), change.version, "insert" if change.source == 0 else "update"
        args: Tuple[Any, ...] = (version, change.next, change.expires, change.state, name)
        if change.state is None:
            put, args = "remove", (name,)
        records = [(name, version, i, change.keep_records, line) for i, line in enumerate(change.records)]
        entries = [(name, e.id.encode(), e.at, e.server, e.tool, e.outcome, change.keep, e.text, e.body)
                   for e in change.entries]

        def write() -> None:
            self._sweep(change.now)
            if self._db.execute(SQL["tick"], (change.state is None,)).rowcount == 0:
                raise StoreError("newer", "a newer program has changed the schema")
            if self._db.execute(SQL[put], args if put == "insert" else (*args, change.source)).rowcount == 0:
                raise conflict()
            self._db.executemany(SQL["record"], records)
            self._db.executemany(SQL["entry"], entries)

        await self._do(lambda: self._transaction(write, change.lazy))
        asyncio.get_running_loop().call_soon(self._wakers.wake, change.session, version)

    async def due(self, now: int, skip: int, limit: int) -> List[str]:
        return [name.decode() for name, in await self._do(lambda: self._rows(SQL["get_due"], now, limit, skip))]

    async def watch(self, session: str, wake: Wake) -> Callable[[], None]:
        seen = (await self._do(lambda: self._rows(SQL["get_clock"])))[0]
        if self._closed:
            raise closed()
        own, end = object(), self._wakers.add(session, wake)
        self._watched.add(own)
        if self._looking is None:  # every commit after this moment is news
            self._seen, self._looking = seen, asyncio.ensure_future(self._look())

        def stop() -> None:
            self._watched.discard(own)
            end()

        return stop

    async def _look(self) -> None:
        """Wakes those whose sessions changed, while somebody watches."""
        while self._watched and not self._closed:
            await asyncio.sleep(self._poll)
            try:
                now = (await self._do(lambda: self._rows(SQL["get_clock"])))[0]
                if now == self._seen:
                    continue
                changed = await self._do(lambda: self._rows(SQL["get_changed"], self._seen[0]))
            except StoreError:
                self._wakers.wake_all()
                continue
            if now[1] != self._seen[1]:  # a deleted session leaves no trace, so everyone looks
                self._wakers.wake_all()
            self._seen = now
            for name, version in changed:
                self._wakers.wake(name.decode(), version)
        self._looking = None

    async def redeem(self, id: str, now: int, until: int) -> bool:
        def write() -> bool:
            self._sweep(now)
            return self._db.execute(SQL["redeem"], (id.encode(), until)).rowcount == 1

        return await self._do(lambda: self._transaction(write))

    async def journal(self, session: str, after: int = 0) -> AsyncIterator[Line]:
        last: Sequence[Any] = (min(after, (1 << 63) - 1), 1 << 31)
        while True:
            place = (session.encode(), *last[:2])
            some = await self._do(lambda: self._rows(SQL["get_records"], *place))
            for last in some:
                yield Line(*last)
            if not some:
                return

    def history(self, query: Query = Query()) -> AsyncIterator[Entry]:
        async def page(last: Place) -> List[Entry]:
            place = (*last, query.since, query.session.encode(), query.server, query.tool, query.outcome)
            some = await self._do(lambda: self._rows(SQL["get_entries"], *place))
            return [Entry(id.decode(), at, session.decode(), *rest) for session, id, at, *rest in some]

        return paged(query, page)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._wakers.clear()
        if self._looking is not None:
            self._looking.cancel()
        if hasattr(self, "_db"):
            await asyncio.get_running_loop().run_in_executor(self._thread, self._db.close)
        self._thread.shutdown(wait=False)
