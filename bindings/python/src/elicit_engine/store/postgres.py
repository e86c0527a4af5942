"""Sessions in PostgreSQL, which many nodes share, also those in Go and TypeScript."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, AsyncIterator, Callable, Dict, List, Optional, Sequence

import psycopg

from .rules import Change, Entry, Line, Place, Query, Saved, StoreError, Wake, Wakers, closed, conflict, paged
from .statements import POSTGRES

#: Of the tables.
FORMAT = 1
#: After how many seconds a handle finds out whether it hears of commits.
PATIENCE = 5.0


class PostgresStore:
    """Sessions in PostgreSQL, with an open ``AsyncConnectionPool`` of ``psycopg_pool``.

    A commit is one statement, and is on the server's disk when :meth:`commit` returns. It is one round trip if the
    pool's connections have ``autocommit``. A handle hears of commits on a connection of the pool that it keeps once
    somebody watches. Give the pool ``check=AsyncConnectionPool.check_connection``: without it, a call fails for each
    connection that the server has ended. Open it with :meth:`open`. It leaves the pool open when it is closed."""

    def __init__(self, pool: Any, schema: str):
        if not 0 < len(schema.encode()) < 64 or "\x00" in schema:  # the server would use another name
            raise StoreError("invalid", "the name of a schema has 1 to 63 bytes, and no NUL")
        self._pool, self._schema = pool, schema
        quoted = '"%s"' % schema.replace('"', '""')
        self._sql: Dict[str, str] = {name: text.replace("@", quoted) for name, text in POSTGRES.items()}
        self._wakers = Wakers()
        self._hears: "Optional[asyncio.Task[None]]" = None
        self._closed = False
        self._calls = 0

    @classmethod
    async def open(cls, pool: Any, schema: str = "elicit") -> "PostgresStore":
        """A handle. Handles with one schema share their data, and the first makes the tables."""
        store = cls(pool, schema)
        early, there, older = (await store._rows("look", schema))[0]
        if early:
            raise StoreError("invalid", "the server confirms commits early: turn synchronous_commit and fsync on")
        if not there:
            await store._rows("tables")
        version = (await store._rows("format"))[0][0]
        if version > FORMAT:
            raise StoreError("newer", "format %d was made by a newer program" % version)
        if version < FORMAT or older:
            raise StoreError("invalid", "an older program made the tables: drop the schema, or name another")
        return store

    async def _rows(self, name: str, *args: Any) -> List[Any]:
        """The rows of a statement. Errors become those of a store."""
        if self._closed:
            raise closed()
        try:
            async with self._pool.connection() as connection:
                cursor = psycopg.AsyncRawCursor(connection)
                await cursor.execute(self._sql[name], args or None, binary=True if args else None)
                return await cursor.fetchall() if cursor.description else []
        except psycopg.Error as error:
            if self._closed:
                raise closed() from error
            if name == "commit" and error.sqlstate in ("23505", "40001", "40P01"):
                raise conflict() from error  # a version that is taken, serialization, a deadlock
            raise StoreError("full" if error.sqlstate == "53100" else "unavailable", str(error)) from error

    async def load(self, session: str) -> Optional[Saved]:
        for version, due, state in await self._rows("get_session", session.encode()):
            return Saved(version, state, due)
        return None

    async def commit(self, change: Change) -> None:
        all = change.entries
        texts = [[text.encode() for text in column] for column in (
            [e.id for e in all], [e.server for e in all], [e.tool for e in all], [e.outcome for e in all],
            [e.text for e in all])]
        if not await self._rows(
            "commit", change.session.encode(), change.source, change.version, change.next, change.expires, change.state,
            change.keep_records, list(change.records), change.keep, [e.at for e in all], *texts, [e.body for e in all],
            self._schema,
        ):
            raise conflict()
        self._wakers.wake(change.session, change.version)
        await self._sweep(change.now)

    async def _sweep(self, now: int) -> None:
        """Forgets some of what may be forgotten, at every 16th call."""
        self._calls += 1
        if self._calls % 16 == 0:
            with contextlib.suppress(StoreError):
                await self._rows("forget", now)

    async def due(self, now: int, skip: int, limit: int) -> List[str]:
        return [name.decode() for name, in await self._rows("get_due", now, limit, skip)]

    async def redeem(self, id: str, now: int, until: int) -> bool:
        put = await self._rows("redeem", id.encode(), until)
        await self._sweep(now)
        return bool(put)

    async def watch(self, session: str, wake: Wake) -> Callable[[], None]:
        """A commit that comes before the handle hears wakes too: everyone is woken when it begins to hear."""
        if self._closed:
            raise closed()
        end = self._wakers.add(session, wake)
        if self._hears is None:
            self._hears = asyncio.ensure_future(self._hear())

        def stop() -> None:
            end()

        return stop

    async def _hear(self) -> None:
        """Listens until the handle is closed, on another connection after each that failed."""
        while True:
            with contextlib.suppress(psycopg.Error, asyncio.TimeoutError):
                async with self._pool.connection() as connection:
                    try:
                        await self._listen(connection)
                    finally:
                        await connection.close()  # the pool replaces it
            await asyncio.sleep(0.05)

    async def _listen(self, connection: Any) -> None:
        """Wakes those whose sessions were committed. Now and then it listens again: a connection that does not confirm
        that is deaf."""
        await connection.set_autocommit(True)
        first = True
        while True:
            await asyncio.wait_for(connection.execute(self._sql["listen"]), PATIENCE)
            if first:  # notes may have been lost
                self._wakers.wake_all()
            first = False
            async for note in connection.notifies(timeout=PATIENCE):
                name, _, version = note.payload.partition(" ")
                with contextlib.suppress(Exception):  # anybody may send a note
                    self._wakers.wake(bytes.fromhex(name).decode(), int(version))

    async def journal(self, session: str, after: int = 0) -> AsyncIterator[Line]:
        last: Sequence[Any] = (min(after, (1 << 63) - 1), (1 << 31) - 1)
        while True:
            some = await self._rows("get_records", session.encode(), *last[:2])
            for last in some:
                yield Line(*last)
            if not some:
                return

    def history(self, query: Query = Query()) -> AsyncIterator[Entry]:
        names = [name.encode() for name in (query.session, query.server, query.tool, query.outcome)]

        async def page(last: Place) -> List[Entry]:
            some = await self._rows("get_entries", *last, query.since, *names)
            return [Entry(id.decode(), at, session.decode(), server.decode(), tool.decode(), outcome.decode(),
                          text.decode(), body or b"") for session, id, at, server, tool, outcome, text, body in some]

        return paged(query, page)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._wakers.clear()
        if self._hears is not None:
            self._hears.cancel()
            await asyncio.gather(self._hears, return_exceptions=True)
