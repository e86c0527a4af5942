"""Sessions in the memory of one process."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import AsyncIterator, Callable, Dict, List, Optional, Set, Tuple

from .rules import Change, Entry, Line, Query, Saved, Wake, Wakers, closed, conflict, order


class _Data:
    """What all handles of one store share."""

    def __init__(self) -> None:
        self.handles: Set[Wakers] = set()
        self.sessions: Dict[str, Tuple[Saved, int]] = {}
        self.journals: Dict[str, List[Tuple[Line, int]]] = {}
        self.entries: Dict[Tuple[str, str], Tuple[Entry, int]] = {}
        self.redeemed: Dict[str, int] = {}
        self.commits = 0

    def sweep(self, now: int) -> None:
        """Forgets what may be forgotten, every 16th time, because it looks at everything."""
        self.commits += 1
        if self.commits % 16:
            return

        def kept(until: int) -> bool:
            return until == 0 or until > now

        self.sessions = {k: v for k, v in self.sessions.items() if kept(v[1])}
        self.entries = {k: v for k, v in self.entries.items() if kept(v[1])}
        self.redeemed = {k: v for k, v in self.redeemed.items() if kept(v)}
        journals = {k: [line for line in v if kept(line[1])] for k, v in self.journals.items()}
        self.journals = {k: v for k, v in journals.items() if v}


class MemoryStore:
    """Sessions in the memory of one process: for tests, and for a server that may forget every open question."""

    def __init__(self) -> None:
        self._shared = _Data()
        self._wakers = Wakers()
        self._shared.handles.add(self._wakers)
        self._closed = False

    def handle(self) -> "MemoryStore":
        """Another handle on the same sessions, as another node would have."""
        other = MemoryStore()
        other._shared = self._shared
        self._shared.handles.add(other._wakers)
        return other

    async def load(self, session: str) -> Optional[Saved]:
        held = self._data().sessions.get(session)
        return None if held is None else held[0]

    async def commit(self, change: Change) -> None:
        data = self._data()
        data.sweep(change.now)
        held = data.sessions.get(change.session)
        if (held[0].version if held else 0) != change.source:
            raise conflict()
        if change.state is None:
            del data.sessions[change.session]
        else:
            saved = Saved(change.version, bytes(change.state), change.next)
            data.sessions[change.session] = saved, change.expires
        lines = [(Line(change.version, i, bytes(r)), change.keep_records) for i, r in enumerate(change.records)]
        if lines:
            data.journals.setdefault(change.session, []).extend(lines)
        for entry in change.entries:
            entry = dataclasses.replace(entry, session=change.session, body=bytes(entry.body))
            data.entries[change.session, entry.id] = entry, change.keep
        loop = asyncio.get_running_loop()
        for wakers in data.handles:
            loop.call_soon(wakers.wake, change.session, change.version)

    async def due(self, now: int, skip: int, limit: int) -> List[str]:
        times = [(s.next, name.encode(), name) for name, (s, _) in self._data().sessions.items()]
        return [name for at, _, name in sorted(times) if 0 < at <= now][skip : skip + limit]

    async def watch(self, session: str, wake: Wake) -> Callable[[], None]:
        self._data()
        stop = self._wakers.add(session, wake)
        return lambda: (stop(), None)[1]

    async def redeem(self, id: str, now: int, until: int) -> bool:
        data = self._data()
        data.sweep(now)
        first = id not in data.redeemed
        data.redeemed.setdefault(id, until)
        return first

    async def journal(self, session: str, after: int = 0) -> AsyncIterator[Line]:
        for line, _ in list(self._data().journals.get(session, ())):
            if line.version > after:
                yield line

    async def history(self, query: Query = Query()) -> AsyncIterator[Entry]:
        query.check()
        found = [entry for entry, _ in self._data().entries.values() if query.matches(entry)]
        for entry in sorted(found, key=order, reverse=True)[: query.limit or None]:
            yield entry

    async def close(self) -> None:
        self._closed = True
        self._shared.handles.discard(self._wakers)
        self._wakers.clear()

    def _data(self) -> _Data:
        if self._closed:
            raise closed()
        return self._shared
