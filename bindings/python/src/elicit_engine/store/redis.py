"""Sessions in Redis or Valkey, which many nodes share."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import secrets
from typing import Any, AsyncIterator, Callable, Dict, Iterator, List, Optional, Sequence, Union

from . import scripts
from .rules import MAX_TIME, Change, Entry, Line, Query, Saved, StoreError, Wake, Wakers, closed, conflict, order

SHARDS = 32
#: Of the keys.
FORMAT = b"1"

Argument = Union[str, bytes, int]


class RedisStore:
    """Sessions in Redis, with a client of ``redis.asyncio`` that does not decode responses.

    A commit is one script and one round trip. The keys and scripts are those of the Go package ``store/redis``, so
    nodes of both languages share one server. It must not evict keys (maxmemory-policy noeviction). Open it with
    :meth:`open`. It leaves the client open when it is closed."""

    def __init__(self, client: Any, prefix: str):
        self._client = client
        self._prefix = prefix
        self._wakers = Wakers()
        self._scripts: Dict[str, Any] = {}
        self._pubsub: Any = None
        self._hears: "Optional[asyncio.Task[None]]" = None
        self._confirmed: "Dict[str, asyncio.Future[None]]" = {}
        self._closed = False
        self._swept = 0

    @classmethod
    async def open(cls, client: Any, prefix: str = "elicit") -> "RedisStore":
        """A handle. Handles with one prefix share their data."""
        if "{" in prefix or "}" in prefix:
            raise StoreError("invalid", "the prefix has no braces, which are for hash tags")
        store = cls(client, prefix)
        with store._calling():
            memory = await client.info("memory")
            if memory.get("maxmemory") and memory.get("maxmemory_policy") != "noeviction":
                raise StoreError("invalid", "the server may evict sessions: set its maxmemory-policy to noeviction")
            await client.set(prefix + ":format", FORMAT, nx=True)
            got = await client.get(prefix + ":format")
        if got != FORMAT:
            raise StoreError("newer", "format %r was written by a newer program" % got)
        return store

    async def load(self, session: str) -> Optional[Saved]:
        with self._calling():
            fields: Dict[bytes, bytes] = await self._client.hgetall(self._key(session, "s:" + session))
        if not fields:
            return None
        return Saved(int(fields[b"v"]), fields[b"s"], int(fields[b"n"]))

    async def commit(self, change: Change) -> None:
        def left(until: int) -> int:  # the server's clock may differ
            return 0 if until == 0 else max(1, until - change.now)

        name = change.session
        args: List[Argument] = [
            change.source, change.version, secrets.token_hex(16), "1" if change.state is None else "0", name,
            change.state or b"", change.next, left(change.expires), change.keep,
            left(change.keep_records), self._channel(name), len(change.records), *change.records, len(change.entries),
        ]
        for entry in change.entries:
            args += [member(name, entry.id), entry.at, written(name, entry)]
        shard = shard_of(name)
        names = ("s:" + name, "g:" + name, "due", "j:" + name, "order", "entries", "keep")
        if await self._run(scripts.COMMIT, [self._at(shard, key) for key in names], args) != 1:
            raise conflict()

    async def due(self, now: int, skip: int, limit: int) -> List[str]:
        """Sessions that have expired are still in the index, and are removed when they are met."""
        while True:
            with self._calling():
                async with self._client.pipeline(transaction=False) as asked:
                    for shard in range(SHARDS):
                        asked.zrange(self._at(shard, "due"), "-inf", now, byscore=True, offset=0, num=skip + limit,
                                     withscores=True)
                    lists = await asked.execute()
            await self._sweep(now)
            found = sorted((score, name) for one in lists for name, score in one)[skip : skip + limit]
            names = [name.decode() for _, name in found]
            with self._calling():
                async with self._client.pipeline(transaction=False) as asked:
                    for name in names:
                        asked.exists(self._key(name, "s:" + name))
                    there = await asked.execute()
            gone = [name for name, is_there in zip(names, there) if not is_there]
            for name in gone:
                await self._run(scripts.REAP, [self._key(name, "s:" + name), self._key(name, "due")], [name])
            if not gone:
                return names

    async def _sweep(self, now: int) -> None:
        """Forgets old entries of one shard after the other."""
        self._swept = (self._swept + 1) % SHARDS
        await self._run(scripts.SWEEP, [self._at(self._swept, key) for key in ("order", "entries", "keep")], [now])

    async def watch(self, session: str, wake: Wake) -> Callable[[], None]:
        if self._closed:
            raise closed()
        channel = self._channel(session)
        ended = self._wakers.add(session, wake)

        def stop() -> None:
            if ended():
                self._confirmed.pop(channel, None)
                asyncio.ensure_future(self._leave(channel))

        try:
            with self._calling():
                confirmed = self._confirmed.get(channel)
                if confirmed is None:
                    confirmed = self._confirmed[channel] = asyncio.get_running_loop().create_future()
                    if self._pubsub is None:
                        self._pubsub = self._client.pubsub()
                    await self._pubsub.subscribe(channel)
                    if self._hears is None:
                        self._hears = asyncio.ensure_future(self._hear())
                await asyncio.wait_for(asyncio.shield(confirmed), 10)
        except BaseException:
            stop()
            raise
        return stop

    async def _leave(self, channel: str) -> None:
        if self._pubsub is not None and channel not in self._confirmed:
            with contextlib.suppress(Exception):
                await self._pubsub.unsubscribe(channel)

    async def _hear(self) -> None:
        """Wakes those whose sessions were committed. What was missed while the connection was lost is anything."""
        before = len(self._channel(""))
        while not self._closed:
            try:
                message = await self._pubsub.get_message(timeout=5)
                if message is None:
                    continue
                channel = message["channel"].decode()
                confirmed = self._confirmed.get(channel)
                if message["type"] == "subscribe" and confirmed is not None and not confirmed.done():
                    confirmed.set_result(None)
                elif message["type"] in ("message", "subscribe"):  # also confirmed again, after the connection was lost
                    said = message["data"] if message["type"] == "message" else b""
                    self._wakers.wake(channel[before:], int(said or 0))
            except Exception:  # also of a note that is no version: anybody may send one
                self._wakers.wake_all()
                await asyncio.sleep(0.05)  # before the next attempt to connect

    async def redeem(self, id: str, now: int, until: int) -> bool:
        args: List[Argument] = [secrets.token_hex(16), until - now]
        return bool(await self._run(scripts.REDEEM, [self._prefix + ":redeemed:" + id], args) == 1)

    async def journal(self, session: str, after: int = 0) -> AsyncIterator[Line]:
        at, page = 0, 64
        while True:
            with self._calling():
                lines = await self._client.lrange(self._key(session, "j:" + session), at, at + page - 1)
            for line in lines:
                version, index, text = line.split(b":", 2)
                if int(version) > after:
                    yield Line(int(version), int(index), text)
            if len(lines) < page:
                return
            at += page

    async def history(self, query: Query = Query()) -> AsyncIterator[Entry]:
        """Merges the histories of the shards, each of which is in order."""
        query.check()
        shards: Sequence[int] = [shard_of(query.session)] if query.session else range(SHARDS)
        branches = [self._branch(query, shard) for shard in shards]
        heads: List[Optional[Entry]] = [await _next(branch) for branch in branches]
        left = query.limit or -1
        while left != 0:
            there = [(order(head), at, head) for at, head in enumerate(heads) if head is not None]
            if not there:
                return
            _, at, head = max(there)
            heads[at] = await _next(branches[at])
            yield head
            left -= 1

    async def _branch(self, query: Query, shard: int) -> AsyncIterator[Entry]:
        """The history of one shard, read some entries at a time. It begins at the last one's time again, because others
        may share it."""
        newest = min(query.until - 1 if query.until else MAX_TIME, query.before.at if query.before else MAX_TIME)
        last, at, size = b"", -1, 64
        while True:
            with self._calling():
                found = await self._client.zrange(
                    self._at(shard, "order"), newest, query.since, desc=True, byscore=True, offset=0, num=size,
                    withscores=True,
                )
            members = [name for name, score in found if int(score) != at or name < last]
            if members:
                last, at = found[-1][0], int(found[-1][1])
                newest = at
                with self._calling():
                    bodies = await self._client.hmget(self._at(shard, "entries"), members)
                for body in bodies:
                    entry = None if body is None else read(body)  # None: forgotten since
                    if entry is not None and query.matches(entry):
                        yield entry
            if len(found) < size:
                return
            if not members:
                size *= 2  # all of them were read before

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._wakers.clear()
        if self._hears is not None:
            self._hears.cancel()
            await asyncio.gather(self._hears, return_exceptions=True)
        if self._pubsub is not None:
            with contextlib.suppress(Exception):
                await self._pubsub.aclose()

    async def _run(self, script: str, keys: List[str], args: Sequence[Argument]) -> Any:
        with self._calling():
            if script not in self._scripts:
                self._scripts[script] = self._client.register_script(script)
            return await self._scripts[script](keys=keys, args=args)

    @contextlib.contextmanager
    def _calling(self) -> Iterator[None]:
        """Turns errors of the client into those of a store."""
        if self._closed:
            raise closed()
        try:
            yield
        except (StoreError, GeneratorExit):
            raise
        except Exception as error:
            if self._closed:
                raise closed() from error
            said = str(error) or type(error).__name__
            full = "OOM command not allowed" in said or type(error).__name__ == "OutOfMemoryError"
            raise StoreError("full" if full else "unavailable", said) from error

    def _key(self, session: str, what: str) -> str:
        """A key of the shard of a session. The part in braces decides on the node of a cluster."""
        return self._at(shard_of(session), what)

    def _at(self, shard: int, what: str) -> str:
        return "{%s:%02d}%s" % (self._prefix, shard, what)

    def _channel(self, session: str) -> str:
        return "%s:commits:%s" % (self._prefix, session)


async def _next(branch: AsyncIterator[Entry]) -> Optional[Entry]:
    async for entry in branch:
        return entry
    return None


def shard_of(session: str) -> int:
    """The shard of a session: FNV-1a of its name."""
    hash = 0x811C9DC5
    for byte in session.encode():
        hash = (hash ^ byte) * 0x01000193 & 0xFFFFFFFF
    return hash % SHARDS


def member(session: str, id: str) -> bytes:
    """Names an entry so that members are in the order of session and id."""
    return session.encode().replace(b"\x00", b"\x00\xff") + b"\x00\x01" + id.encode()


def written(session: str, entry: Entry) -> str:
    """An entry as every language writes it."""
    return json.dumps({
        "Session": session, "ID": entry.id, "At": entry.at, "Server": entry.server, "Tool": entry.tool,
        "Outcome": entry.outcome, "Text": entry.text, "Body": base64.b64encode(entry.body).decode() or None,
    })


def read(body: bytes) -> Entry:
    said = json.loads(body)
    return Entry(said["ID"], said["At"], said["Session"], said["Server"], said["Tool"], said["Outcome"], said["Text"],
                 base64.b64decode(said["Body"] or ""))
