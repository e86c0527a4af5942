"""Wraps a store so that what is at rest cannot be read, and cannot be changed or moved unnoticed.

>>> from elicit_engine.store.encrypted import EncryptedStore, Key              # doctest: +SKIP
>>> store = EncryptedStore(inner, names=secret, keys=[Key("2026", other)])     # doctest: +SKIP

It needs the package ``cryptography``. States, records and entries are sealed with AES-256-GCM, each with a key
of its own, derived from a secret and a random salt. What they belong to is bound: kind, session, version, place. Names
of sessions, servers, tools and outcomes and other ids become codes that only the owner of the secrets can make. Times,
sizes and numbers stay readable. Somebody who can write to the inner store can still delete a session, or bring back an
older one. Package ``store/encrypted`` of Go writes the same.
"""

from __future__ import annotations

import base64
import dataclasses
import json
from typing import Any, AsyncIterator, Callable, Dict, List, Optional, Sequence

from .ring import EncryptionError, Key, Ring, tampered
from .rules import Change, Entry, Line, Query, Saved, Store, Wake

__all__ = ["EncryptedStore", "EncryptionError", "Key"]


class EncryptedStore:
    """An encrypted handle. ``names`` is a secret of at least 32 bytes for names and ids. It stays the same when keys
    rotate. The first of ``keys`` seals, and all open: to rotate, put a new key first, and keep the old ones as long as
    something sealed with them is at rest. Closing it closes the inner store.

    What cannot be opened raises :class:`EncryptionError`. It never counts as absent."""

    def __init__(self, inner: Store, *, names: bytes, keys: Sequence[Key]):
        self._inner: Store = inner
        self._ring: Ring = Ring(names, keys)

    async def load(self, session: str) -> Optional[Saved]:
        name = self._ring.name(session)
        saved = await self._inner.load(name)
        if saved is None:
            return None
        state = self._ring.open(saved.state, "state", name, saved.version)
        return dataclasses.replace(saved, state=state)

    async def commit(self, change: Change) -> None:
        ring, name, version = self._ring, self._ring.name(change.session), change.version
        await self._inner.commit(dataclasses.replace(
            change,
            session=name,
            state=None if change.state is None else ring.seal(change.state, "state", name, version),
            records=[ring.seal(line, "record", name, version, i) for i, line in enumerate(change.records)],
            entries=[self._sealed(name, dataclasses.replace(e, session=change.session)) for e in change.entries],
        ))

    def _sealed(self, name: str, entry: Entry) -> Entry:
        ring, id = self._ring, self._ring.code("entry", entry.session, entry.id)
        plain = packed({
            "Session": entry.session, "ID": entry.id, "At": entry.at, "Server": entry.server, "Tool": entry.tool,
            "Outcome": entry.outcome, "Text": entry.text, "Body": entry.body,
        })
        return Entry(
            id, entry.at, server=ring.code("server", entry.server), tool=ring.code("tool", entry.tool),
            outcome=ring.code("outcome", entry.outcome), body=ring.seal(plain, "entry", name + " " + id, entry.at),
        )

    async def due(self, now: int, skip: int, limit: int) -> List[str]:
        return [self._ring.session(name) for name in await self._inner.due(now, skip, limit)]

    async def watch(self, session: str, wake: Wake) -> Callable[[], None]:
        return await self._inner.watch(self._ring.name(session), wake)

    async def redeem(self, id: str, now: int, until: int) -> bool:
        return await self._inner.redeem(self._ring.code("redeemed", id), now, until)

    async def journal(self, session: str, after: int = 0) -> AsyncIterator[Line]:
        name, last = self._ring.name(session), Line(0, -1, b"")
        async for line in self._inner.journal(name, after):
            plain = self._ring.open(line.line, "record", name, line.version, line.index)
            if line.version < last.version or line.version == last.version and line.index != last.index + 1:
                raise tampered()  # a record was moved, repeated or left out
            last = line
            yield Line(line.version, line.index, plain)

    async def history(self, query: Query = Query()) -> AsyncIterator[Entry]:
        """A search for text opens every entry that the other members select."""
        wanted, left = dataclasses.replace(query, before=None), query.limit  # the inner store has another order
        async for sealed in self._inner.history(self._query(query)):
            entry = self._entry(sealed)
            if not wanted.matches(entry):
                continue
            left -= 1
            yield entry
            if left == 0:
                return

    def _query(self, query: Query) -> Query:
        """What the inner store is asked."""
        ring, before = self._ring, query.before
        if before is not None:
            id = ring.code("entry", before.session, before.id)
            before = Entry(id, before.at, session=ring.name(before.session))
        return dataclasses.replace(
            query, server=ring.code("server", query.server), tool=ring.code("tool", query.tool),
            outcome=ring.code("outcome", query.outcome), session=query.session and ring.name(query.session),
            before=before, text="", limit=min(query.limit, 0) if query.text else query.limit,
        )

    def _entry(self, sealed: Entry) -> Entry:
        place = sealed.session + " " + sealed.id
        plain = document(self._ring.open(sealed.body, "entry", place, sealed.at))
        return Entry(
            plain["ID"], plain["At"], session=plain["Session"], server=plain["Server"], tool=plain["Tool"],
            outcome=plain["Outcome"], text=plain["Text"], body=unpacked(plain["Body"]),
        )

    async def close(self) -> None:
        await self._inner.close()


def packed(value: Dict[str, Any]) -> bytes:
    """A document as Go writes it, with bytes in base64."""
    given = {**value, "Body": base64.b64encode(value["Body"]).decode()}
    return json.dumps(given, ensure_ascii=False, separators=(",", ":")).encode()


def document(plain: bytes) -> Dict[str, Any]:
    try:
        read: Dict[str, Any] = json.loads(plain)
        return read
    except ValueError:
        raise tampered() from None


def unpacked(body: Optional[str]) -> bytes:
    return base64.b64decode(body or "")
