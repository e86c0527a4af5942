"""The machine of a session, of this process alone or in a store."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import secrets
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, List, Mapping, Optional, Tuple, TypeVar

from ..engine import Effect, Machine, timed
from ..fault import InputError
from ..store import Change, Entry, StoreError
from .errors import StateError, StoreFailure
from .peer import Peer

if TYPE_CHECKING:
    from .asker import Asker

T = TypeVar("T")


@dataclasses.dataclass(frozen=True)
class Client:
    """Who calls, as an adapter knows it."""

    #: The client's session; None when the protocol has none. Then every call stands alone.
    session: Optional[str] = None
    #: Who is behind the client, from the server's own authorization, never from what the client says.
    principal: str = ""
    #: The protocol date, and the modes that the client declared.
    version: str = "2025-11-25"
    declared: Tuple[str, ...] = ()
    #: None when the transport cannot carry requests to the client.
    peer: Optional[Peer] = None


@dataclasses.dataclass(frozen=True)
class Known:
    """What any process must know of a session's client."""

    principal: str
    version: str
    declared: Tuple[str, ...]
    requests: bool

    @classmethod
    def of(cls, client: Client) -> "Known":
        return cls(client.principal, client.version, tuple(client.declared), client.peer is not None)

    @classmethod
    def read(cls, saved: Mapping[str, Any]) -> "Known":
        declared = tuple(mode for mode in ("form", "url") if saved.get(mode))
        return cls(saved.get("principal", ""), saved["version"], declared, saved.get("requests", False))

    def written(self) -> Dict[str, Any]:
        """As every language writes it."""
        out: Dict[str, Any] = {"principal": self.principal} if self.principal else {}
        out["version"] = self.version
        out.update({mode: True for mode in ("form", "url") if mode in self.declared})
        if self.requests:
            out["requests"] = True
        return out


class AskingMachine(Machine):
    """The machine of the asking side (docs/asking.md)."""

    def __init__(self, config: Mapping[str, Any], at: int, state: Optional[str] = None):
        head = b'{"asking":' if state is None else b'{"state":' + state.encode() + b',"asking":'
        self._begin(timed(head, config, at, None))

    def save(self) -> Optional[str]:
        """The whole state, or None for a session that is closed."""
        try:
            return self.step_text({"save": True}).decode()[len('{"state":'):-1]
        except InputError:
            return None

    def look(self, given: Mapping[str, Any]) -> List[Effect]:
        """What the host has missed, the open page of a link, and last when the machine wants a tick."""
        listed: List[Effect] = json.loads(self.step_text({"look": given}))["effects"]
        return listed

    def questions(self) -> List[Dict[str, Any]]:
        """The open questions, as the machine saves them."""
        listed: List[Dict[str, Any]] = json.loads(self.save() or "{}").get("questions", [])
        return listed


class Gone(Exception):
    """The session is in the store no more."""


def due_in(effects: List[Effect], before: int) -> int:
    for effect in effects:
        if effect["effect"] == "wake":
            before = effect["at"]
    return before


class Own:
    """A machine of this process."""

    def __init__(self, asker: "Asker", name: str, client: Known):
        self.client: Known = client
        self._asker = asker
        self._machine = AskingMachine(asker.config(name, client), asker.now())
        self._carried = self._machine.beginning
        self.due: int = 0

    async def step(self, event: Mapping[str, Any]) -> List[Effect]:
        """Steps the machine, and returns what the host performs."""
        effects = self._carried + self._machine.step(event, at=self._asker.now())
        self._carried = []
        self.due = due_in(effects, self.due)
        return effects

    async def look(self, given: Mapping[str, Any]) -> List[Effect]:
        return self._machine.look(given)

    async def questions(self) -> List[Dict[str, Any]]:
        return self._machine.questions()

    def release(self) -> None:
        self._machine.close()


#: How long a store keeps a session in which nothing happens, in milliseconds. A question can be open for a week.
SESSION_LIFE = 8 * 24 * 3600 * 1000

#: How often a step is tried again after another process committed first.
MOST_CONFLICTS = 100

#: How many commits a session knows by name. A commit is looked for a moment after it was made.
MOST_COMMITS = 8

#: How many seconds one call of the store may take.
STORE_WAIT = 10.0

HEAD, BEFORE = '{"client":', ',"machine":'


class Stored:
    """A machine in a store. A step is a transaction: the effects happen only after the commit, and after a conflict the
    machine is loaded and steps again. A failure leaves it open whether the commit counts, so the machine is then loaded
    again before it decides anything."""

    def __init__(self, asker: "Asker", name: str, looks: Callable[[], Dict[str, Any]], client: Optional[Known] = None):
        assert asker.store is not None
        self._asker = asker
        self._store = asker.store
        self._name = name
        self._looks = looks
        self._client = client
        self._machine: Optional[AskingMachine] = None
        self._version = 0
        self._commits: List[str] = []
        self._carried: List[Effect] = []
        self.due: int = 0
        if client is not None:
            self._take(AskingMachine(asker.config(name, client), asker.now()))

    @property
    def client(self) -> Known:
        assert self._client is not None
        return self._client

    async def step(self, event: Mapping[str, Any]) -> List[Effect]:
        for _ in range(MOST_CONFLICTS):
            missed = [] if self._machine is not None else await self.load()
            assert self._machine is not None
            effects = self._carried + self._machine.step(event, at=self._asker.now())
            self._carried = []
            self.due = due_in(effects, self.due)
            name = secrets.token_hex(16)
            try:
                await self._commit(name, effects)
            except StoreError as error:
                # Also a conflict may be with this commit itself, when a client of the store sent it twice. Another
                # process may have committed since, so the machine is loaded again before the next step.
                counts = await self._counts(name)
                self.release()
                if not counts:
                    if error.code == "conflict":
                        continue
                    raise StoreFailure(error) from error
                try:
                    effects = effects + await self.load()
                except (Gone, StoreFailure):
                    pass
            return missed + effects
        raise StoreFailure(StoreError("conflict", "%d conflicts" % MOST_CONFLICTS))

    async def look(self, given: Mapping[str, Any]) -> List[Effect]:
        await self._refresh()
        assert self._machine is not None
        return self._machine.look(given)

    async def questions(self) -> List[Dict[str, Any]]:
        await self._refresh()
        assert self._machine is not None
        return self._machine.questions()

    async def _refresh(self) -> None:
        if self._version > 0 or self._machine is None:
            await self.load()

    def release(self) -> None:
        machine, self._machine = self._machine, None
        if machine is not None:
            machine.close()

    async def _call(self, call: Awaitable[T]) -> T:
        try:
            return await asyncio.wait_for(call, STORE_WAIT)
        except asyncio.TimeoutError:
            raise StoreError("unavailable", "the store does not answer") from None

    async def _read(self) -> Optional[Tuple[int, Dict[str, Any], str, List[str]]]:
        try:
            saved = await self._call(self._store.load(self._name))
        except StoreError as error:
            raise StoreFailure(error) from error
        if saved is None:
            return None
        text, decoder = saved.state.decode(), json.JSONDecoder()
        client, end = decoder.raw_decode(text, len(HEAD))
        begin = end + len(BEFORE)
        _, end = decoder.raw_decode(text, begin)
        commits = json.loads("{" + text[end + 1:])["commits"]
        return saved.version, client, text[begin:end], commits

    async def _counts(self, name: str) -> bool:
        try:
            saved = await self._read()
        except StoreFailure:
            return False
        return saved is not None and name in saved[3]

    async def load(self) -> List[Effect]:
        """Makes the machine from the last commit, if it is not that already. It returns what the host has missed."""
        saved = await self._read()
        if saved is None:
            raise Gone()
        version, client, machine, commits = saved
        if self._machine is not None and version == self._version:
            return []
        known = Known.read(client)
        # Somebody else may have opened a session with this name at the same time.
        if self._client is not None and self._version == 0 and self._client.principal != known.principal:
            raise StateError("the session belongs to another principal")
        if self._client is None:
            self._client = known
        self.release()
        loaded = AskingMachine(self._asker.config(self._name, known), self._asker.now(), machine)
        self._take(loaded)
        self._version, self._commits = version, commits
        return loaded.look(self._looks())

    def _take(self, machine: AskingMachine) -> None:
        self._machine = machine
        self._carried = machine.beginning
        self.due = due_in(machine.beginning, 0)

    async def _commit(self, name: str, effects: List[Effect]) -> None:
        now = self._asker.now()
        assert self._machine is not None
        state = self._machine.save()
        if state is None and self._version == 0:
            return  # it was closed before anything was stored
        text, commits = None, [*self._commits, name][-MOST_COMMITS:]
        if state is not None:
            client = json.dumps(self.client.written())
            text = (HEAD + client + BEFORE + state + ',"commits":' + json.dumps(commits) + "}").encode()
        change = Change(
            self._name, self._version, now, text, next=self.due, keep=now + self._asker.keep,
            expires=now + SESSION_LIFE,
            records=[e["record"].encode() for e in effects if e["effect"] == "append"],
            entries=[self._entry(e, now) for e in effects if settles(e)],
        )
        self._version = await self._call(self._store.commit(change))
        self._commits = commits

    def _entry(self, settle: Effect, at: int) -> Entry:
        """An entry of the history, without the answer: that belongs to the tool."""
        rest = {k: v for k, v in settle.items() if k not in ("content", "target", "message")}
        return Entry(
            settle["id"], at, server=self._asker.server, tool=settle.get("target", ""), outcome=settle["outcome"],
            text=settle.get("message", ""), body=json.dumps(rest).encode(),
        )


def settles(effect: Effect) -> bool:
    return effect["effect"] == "settle" and bool(effect.get("id")) and not effect.get("replayed")
