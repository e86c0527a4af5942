"""Wraps a store so that what is at rest cannot be read, and cannot be changed or moved unnoticed (docs/asking.md).

>>> from elicit_engine.store.encrypted import EncryptedStore, Key              # doctest: +SKIP
>>> store = EncryptedStore(inner, names=secret, keys=[Key("2026", other)])     # doctest: +SKIP
"""

from __future__ import annotations

import dataclasses
import secrets
from base64 import b64decode, b64encode
from typing import Any, AsyncIterator, Callable, Dict, List, Optional, Sequence

from ..ask.seal import Key
from ..engine import evaluate
from .rules import Change, Entry, Line, Query, Saved, Store, StoreError, Wake

__all__ = ["EncryptedStore", "EncryptionError", "Key"]

CODES = {"stored_plain": "plain", "stored_tampered": "tampered", "stored_unknown_key": "key"}


class EncryptionError(StoreError):
    """What is at rest cannot be opened. ``code`` is plain, tampered or key: it is not encrypted, was changed or moved,
    or was sealed with a key that is not there. It never counts as absent."""


class EncryptedStore:
    """An encrypted handle. ``names`` is a secret of at least 32 bytes for names and ids. It stays the same when keys
    rotate. The first of ``keys`` seals, and all open: to rotate, put a new key first, and keep the old ones as long as
    something sealed with them is at rest. Closing it closes the inner store."""

    def __init__(self, inner: Store, *, names: bytes, keys: Sequence[Key]):
        self._inner: Store = inner
        spelled = Key("names", names).spelled()["secret"]
        self._ring: Dict[str, Any] = {"names": spelled, "keys": [key.spelled() for key in keys]}
        try:
            self._do("encrypt")
        except StoreError as error:
            raise ValueError(str(error)) from None

    def _do(self, operation: str, **given: Any) -> Dict[str, Any]:
        said = evaluate(operation, {**self._ring, **given})
        if "problems" not in said:
            return said
        code = CODES.get(said["problems"][0]["code"])
        kind = EncryptionError if code else StoreError
        raise kind(code or "invalid", "; ".join(evaluate("explain", said)["problems"]))

    def _code(self, session: str) -> str:
        code: str = self._do("encrypt", session=session)["session"]
        return code

    async def load(self, session: str) -> Optional[Saved]:
        saved = await self._inner.load(self._code(session))
        if saved is None:
            return None
        given = {"session": session, "version": saved.version, "sealed_base64": text(saved.state)}
        return dataclasses.replace(saved, state=b64decode(self._do("decrypt", state=given)["state_base64"]))

    async def commit(self, change: Change) -> None:
        given: Dict[str, Any] = {
            "session": change.session, "version": change.version, "records_base64": [text(r) for r in change.records],
            "entries": [stored(dataclasses.replace(entry, session="")) for entry in change.entries],
        }
        if change.state is not None:
            given["state_base64"] = text(change.state)
        sealed = self._do("encrypt", random=secrets.token_hex(32), change=given)["change"]
        state = None if change.state is None else b64decode(sealed["state_base64"])
        await self._inner.commit(dataclasses.replace(
            change, session=sealed["session"], state=state,
            records=[b64decode(r) for r in sealed["records_base64"]], entries=[opened(e) for e in sealed["entries"]],
        ))

    async def due(self, now: int, skip: int, limit: int) -> List[str]:
        names: List[str] = self._do("decrypt", sessions=await self._inner.due(now, skip, limit))["sessions"]
        return names

    async def watch(self, session: str, wake: Wake) -> Callable[[], None]:
        return await self._inner.watch(self._code(session), wake)

    async def redeem(self, id: str, now: int, until: int) -> bool:
        return await self._inner.redeem(self._do("encrypt", redeemed=id)["redeemed"], now, until)

    async def journal(self, session: str, after: int = 0) -> AsyncIterator[Line]:
        last: Dict[str, Any] = {}
        async for line in self._inner.journal(self._code(session), after):
            at = {"version": line.version, "index": line.index}
            given = {"session": session, "sealed_base64": text(line.line), **at, **last}
            last = {"last": at}
            yield dataclasses.replace(line, line=b64decode(self._do("decrypt", record=given)["record_base64"]))

    async def history(self, query: Query = Query()) -> AsyncIterator[Entry]:
        """A search for text opens every entry that the other members select."""
        wanted, left, before = dataclasses.replace(query, before=None), query.limit, query.before
        names = ("session", "server", "tool", "outcome", "text", "limit")
        given: Dict[str, Any] = {name: getattr(query, name) for name in names if getattr(query, name)}
        if before is not None:
            given["before"] = {"session": before.session, "id": before.id, "at": before.at}
        asked = self._do("encrypt", query=given)["query"]
        asked["before"] = Entry(**asked["before"]) if before is not None else None
        async for sealed in self._inner.history(Query(**asked, since=query.since, until=query.until)):
            place = {"session": sealed.session, "id": sealed.id, "at": sealed.at, "body_base64": text(sealed.body)}
            entry = opened(self._do("decrypt", entry=place)["entry"])
            if wanted.matches(entry):  # without before: the inner store has another order within a moment
                yield entry
                left -= 1
                if left == 0:
                    return

    async def close(self) -> None:
        await self._inner.close()


def text(given: bytes) -> str:
    return b64encode(given).decode()


def stored(entry: Entry) -> Dict[str, Any]:
    given = dataclasses.asdict(entry)
    return {**{name: value for name, value in given.items() if value and name != "body"}, "at": entry.at,
            "body_base64": text(entry.body)}


def opened(given: Dict[str, Any]) -> Entry:
    return Entry(body=b64decode(given.pop("body_base64")), **given)
