"""What every store keeps to."""

from __future__ import annotations

import dataclasses
from typing import AsyncIterator, Callable, Dict, List, Optional, Protocol, Sequence, Set, Tuple

#: How far the clocks of nodes may differ, in milliseconds. A redeemed id is remembered this much longer.
SKEW = 10 * 60 * 1000

MAX_NAME = 1024
MAX_STATE = 5 << 20
MAX_PARTS = 4096
MAX_TIME = 1 << 50
MAX_DUE = 1000
MAX_SKIP = 1 << 20

#: Hears of commits to a session.
Wake = Callable[[int], None]


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
    """What one step does to a session.

    ``source`` is the version that was loaded; 0 says that the session must not exist. Without a ``state``, the session
    is deleted. An entry with the id of another replaces it. Entries are kept until ``keep``,
    and records until ``keep_records``. Times are milliseconds since 1970; 0 is never."""

    session: str
    source: int
    now: int
    state: Optional[bytes] = None
    records: Sequence[bytes] = ()
    next: int = 0
    entries: Sequence[Entry] = ()
    expires: int = 0
    keep: int = 0
    keep_records: int = 0

    @property
    def version(self) -> int:
        """The version that the commit gives. A new session begins at one made from ``now``, so that a name that is
        used again does not meet commits for its predecessor."""
        return max(1, self.now << 10) if self.source == 0 else self.source + 1

    def check(self) -> None:
        """Raises :class:`StoreError` if no store takes the change."""
        check_name(self.session)
        for at in (self.now, self.next, self.expires, self.keep, self.keep_records):
            check_time(at)
        if not 0 <= self.source < (1 << 63) - 1:
            raise invalid("the version %d" % self.source)
        if self.state is None and self.source == 0:
            raise invalid("the deletion of a session that does not exist")
        if max(len(self.records), len(self.entries)) > MAX_PARTS:
            raise invalid("more than %d records or entries" % MAX_PARTS)
        size = 0
        for entry in self.entries:
            check_name(entry.id)
            check_time(entry.at)
            size += len(entry.body)
            for text in (entry.server, entry.tool, entry.outcome, entry.text):
                size += len(utf8(text))
        if max(len(self.state or b""), sum(map(len, self.records)), size) > MAX_STATE:
            raise invalid("more than %d bytes at once" % MAX_STATE)


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
        check_time(self.since)
        check_time(self.until)
        if self.limit < 0:
            raise invalid("a negative limit")

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


def order(entry: Entry) -> Tuple[int, bytes, bytes]:
    """The place of an entry: the history has the greatest first."""
    return entry.at, entry.session.encode(), entry.id.encode()


class Store(Protocol):
    """Sessions of the asking side at rest, so that any node can go on where another stopped.

    The package ``store`` for Go has the same rules, and nodes of both languages can share one Redis. After
    :meth:`close`, every other method raises :class:`StoreError` with the code closed."""

    async def load(self, session: str) -> Optional[Saved]:
        """The session as the last commit left it."""

    async def commit(self, change: Change) -> int:
        """Stores the change completely or not at all, and returns the new version. Code conflict: load again."""
        ...

    async def due(self, now: int, skip: int, limit: int) -> List[str]:
        """At most ``limit`` sessions whose next has come, oldest first. A caller that can do nothing with some of them
        skips as many of the first."""
        ...

    async def watch(self, session: str, wake: Wake) -> Callable[[], None]:
        """Calls ``wake`` after each commit by any node that begins after this returned. Several commits may share a
        call, and there may be one without a commit. It gets the version of the last commit, 0 if that is not
        known. What it returns ends the watch."""
        ...

    async def redeem(self, id: str, now: int, expires: int) -> bool:
        """True for the first caller with this id before its expiry, and False for every other."""
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


def invalid(why: str) -> StoreError:
    return StoreError("invalid", "no store takes " + why)


def conflict() -> StoreError:
    return StoreError("conflict", "another commit came first")


def closed() -> StoreError:
    return StoreError("closed", "the store is closed")


def utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise invalid("a text that is no Unicode") from None


def check_name(name: str) -> None:
    if not 0 < len(utf8(name)) <= MAX_NAME:
        raise invalid("a name that is empty or longer than %d bytes" % MAX_NAME)


def check_time(at: int) -> None:
    if not 0 <= at <= MAX_TIME:
        raise invalid("the time %d" % at)


def check_due(now: int, skip: int, limit: int) -> None:
    check_time(now)
    if not 1 <= limit <= MAX_DUE or not 0 <= skip <= MAX_SKIP:
        raise invalid("the limit %d after %d" % (limit, skip))


def redeemable(id: str, now: int, expires: int) -> bool:
    """False for an id whose expiry has come."""
    check_name(id)
    check_time(expires)
    if now < 0:
        raise invalid("the time %d" % now)
    return expires > now
