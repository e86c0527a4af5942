"""What every store keeps to."""

from __future__ import annotations

import dataclasses
from typing import AsyncIterator, Awaitable, Callable, Dict, List, Optional, Protocol, Sequence, Set, Tuple

MAX_TIME = 1 << 50

#: Hears of commits to a session.
Wake = Callable[[int], None]
#: Where an entry is in the history.
Place = Tuple[int, bytes, bytes]


class StoreError(Exception):
    """A store failed. ``code`` is conflict, unavailable, full, newer, invalid or closed.

    After unavailable, a commit or redeem may or may not have happened: load again."""

    def __init__(self, code: str, message: str):
        self.code: str = code
        super().__init__("store: " + message)


@dataclasses.dataclass(frozen=True)
class Entry:
    """A settled question, named by its session, which the commit sets, and its id. A search looks at ``text``."""

    id: str
    at: int
    session: str = ""
    server: str = ""
    tool: str = ""
    outcome: str = ""
    text: str = ""
    body: bytes = b""


@dataclasses.dataclass(frozen=True)
class Saved:
    """A session as a store holds it. ``next`` is when a step wants a tick; 0 is never."""

    version: int
    state: bytes
    next: int = 0


@dataclasses.dataclass(frozen=True)
class Change:
    """What one step does to a session. The machine has decided it: a store compares a version, and writes.

    ``source`` is the version that was loaded; 0 says that the session must not exist. ``version`` is what it becomes.
    Without a ``state``, the session is deleted. An entry with the id of another replaces it. Entries are kept until
    ``keep``, and records until ``keep_records``. Times are milliseconds since 1970; 0 is never. A power cut may lose
    a ``lazy`` change: it may come to the disk with the next one that is not."""

    session: str
    source: int
    version: int
    now: int
    state: Optional[bytes] = None
    records: Sequence[bytes] = ()
    next: int = 0
    entries: Sequence[Entry] = ()
    expires: int = 0
    keep: int = 0
    keep_records: int = 0
    lazy: bool = False


@dataclasses.dataclass(frozen=True)
class Line:
    """One record of a session's journal."""

    version: int
    index: int
    line: bytes


@dataclasses.dataclass(frozen=True)
class Query:
    """Selects entries. An empty member matches everything. ``since`` ≤ at < ``until``, and ``before`` is the last entry
    of a page."""

    session: str = ""
    server: str = ""
    tool: str = ""
    outcome: str = ""
    text: str = ""
    since: int = 0
    until: int = 0
    before: Optional[Entry] = None
    limit: int = 0

    def check(self) -> None:
        if self.limit < 0 or not 0 <= self.since <= MAX_TIME or not 0 <= self.until <= MAX_TIME:
            raise StoreError("invalid", "no store takes this query")

    def matches(self, entry: Entry) -> bool:
        """Whether the query selects the entry, without its limit."""
        for name in ("session", "server", "tool", "outcome"):
            wanted = getattr(self, name)
            if wanted and wanted != getattr(entry, name):
                return False
        late = self.until and entry.at >= self.until
        if entry.at < self.since or late or self.before is not None and order(entry) >= order(self.before):
            return False
        return self.text.lower() in entry.text.lower()


def order(entry: Entry) -> Place:
    """The place of an entry: the history has the greatest first."""
    return entry.at, entry.session.encode(), entry.id.encode()


async def paged(query: Query, page: Callable[[Place], Awaitable[List[Entry]]]) -> AsyncIterator[Entry]:
    """The entries that a query selects. ``page`` returns some of those after a place, in their order, or none."""
    query.check()
    last: Place = (query.until or MAX_TIME + 1, b"", b"")
    if query.before is not None:
        last = min(last, order(query.before))
    left = query.limit
    while True:
        some = await page(last)
        for entry in some:
            last = order(entry)
            if query.matches(entry):
                yield entry
                left -= 1
                if left == 0:
                    return
        if not some:
            return


class Store(Protocol):
    """Sessions of the asking side at rest, so that any node can go on where another stopped.

    The package ``store`` for Go has the same rules, and nodes of both languages can share one Redis. After
    :meth:`close`, every other method raises :class:`StoreError` with the code closed."""

    async def load(self, session: str) -> Optional[Saved]:
        """The session as the last commit left it."""

    async def commit(self, change: Change) -> None:
        """Stores the change completely or not at all, if the stored version is ``source``. Otherwise it fails with the
        code conflict."""

    async def due(self, now: int, skip: int, limit: int) -> List[str]:
        """At most ``limit`` sessions whose next has come, oldest first. A caller that can do nothing with some of them
        skips as many of the first."""
        ...

    async def watch(self, session: str, wake: Wake) -> Callable[[], None]:
        """Calls ``wake`` after each commit by any node that begins after this returned. Several commits may share a
        call, and there may be one without a commit. It gets the version of the last commit, 0 if that is not
        known. What it returns ends the watch."""
        ...

    async def redeem(self, id: str, now: int, until: int) -> bool:
        """True for the first caller with this id, and False for every other. It is remembered until that time."""
        ...

    def journal(self, session: str, after: int = 0) -> AsyncIterator[Line]:
        """The records of a session after a version, in order. They stay when the session is deleted."""
        ...

    def history(self, query: Query = Query()) -> AsyncIterator[Entry]:
        """The settled questions that match, newest first."""
        ...

    async def close(self) -> None:
        """Releases this handle."""


class Wakers:
    """Those who watch sessions through one handle."""

    def __init__(self) -> None:
        self._wakes: Dict[str, Set[Tuple[object, Wake]]] = {}

    def add(self, session: str, wake: Wake) -> Callable[[], bool]:
        """What it returns ends the watch, and returns True if that was the session's last."""
        own = (object(), wake)
        self._wakes.setdefault(session, set()).add(own)

        def stop() -> bool:
            watching = self._wakes.get(session, set())
            if own not in watching:
                return False
            watching.discard(own)
            if watching:
                return False
            del self._wakes[session]
            return True

        return stop

    def wake(self, session: str, version: int = 0) -> None:
        for _, wake in list(self._wakes.get(session, ())):
            wake(version)

    def wake_all(self) -> None:
        for session in list(self._wakes):
            self.wake(session)

    def clear(self) -> None:
        self._wakes.clear()


def conflict() -> StoreError:
    return StoreError("conflict", "another commit came first")


def closed() -> StoreError:
    return StoreError("closed", "the store is closed")
