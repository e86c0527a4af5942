"""The machine of a session, of this process alone or in a store."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import json
import secrets
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, List, Mapping, Optional, Tuple, TypeVar

from ..engine import Effect, Machine, timed
from ..fault import InputError
from ..store import Change, Entry, StoreError
from .errors import Closed, StateError, StoreFailure
from .peer import Peer

if TYPE_CHECKING:
    from .asker import Asker
    from .run import Run

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
    """The machine of the asking side (docs/reference/asking.md)."""

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
        return self._saved("questions")

    def runs(self, call: str) -> bool:
        """Whether a call is known and runs."""
        waits = [{"call": call, "position": MAX_POSITIONS}]  # no question is there
        return not any(effect["effect"] == "settle" for effect in self.look({"waits": waits}))

    def awaits(self, method: str, target: str) -> bool:
        """Whether a call of this target may go on with one that was interrupted."""
        return any(
            (not call.get("running") or call.get("interrupted"))
            and (call.get("method"), call.get("target")) == (method or None, target or None)
            for call in self._saved("calls")
        )

    def value(self, call: str, position: int, key: str) -> Optional[str]:
        """The JSON text of the value that a call keeps at a position under a key."""
        digest = hashlib.sha256(b'{"once":%s}' % json.dumps(key, ensure_ascii=False).encode()).hexdigest()
        for one in self._saved("calls"):
            for answer in one.get("answers", ()) if one["call"] == call else ():
                if answer.get("position", 0) == position and answer["digest"] == digest and "value" in answer:
                    return json.dumps(answer["value"])
        return None

    def _saved(self, member: str) -> List[Dict[str, Any]]:
        listed: List[Dict[str, Any]] = json.loads(self.save() or "{}").get(member, [])
        return listed


#: The most questions and values of one call, and the most bytes of its values.
MAX_POSITIONS, MAX_VALUES = 256, 32 << 10


class Gone(Exception):
    """The session is in the store no more."""


def due_in(effects: List[Effect], before: int) -> int:
    for effect in effects:
        if effect["effect"] == "wake":
            before = effect["at"]
    return before


class Own:
    """A machine of this process. It is made when a run first asks."""

    def __init__(self, asker: "Asker", name: str, client: Known):
        self.client: Known = client
        self._asker = asker
        self._name = name
        self._machine: Optional[AskingMachine] = None
        self._carried: List[Effect] = []
        self.due: int = 0

    async def step(self, event: Optional[Mapping[str, Any]], run: "Optional[Run]" = None) -> List[Effect]:
        """Steps the machine, and returns what the host performs. A ``run`` is told of first."""
        if self._machine is None:
            if run is None:
                raise Closed("cancel", "session_closed")  # nothing was asked so far
            self._machine = AskingMachine(self._asker.config(self._name, self.client), self._asker.now())
            self._carried = self._machine.beginning
        effects = self._carried + advance(self._machine, event, run, self._asker.now())
        self._carried = []
        self.due = due_in(effects, self.due)
        return effects

    async def look(self, given: Callable[[AskingMachine], Dict[str, Any]]) -> List[Effect]:
        return [] if self._machine is None else self._machine.look(given(self._machine))

    async def known(self) -> Optional[AskingMachine]:
        """The machine, to read what it knows."""
        return self._machine

    @property
    def last(self) -> Optional[AskingMachine]:
        """The machine as it was last."""
        return self._machine

    def release(self) -> None:
        if self._machine is not None:
            self._machine.close()


def advance(machine: AskingMachine, event: Optional[Mapping[str, Any]], run: "Optional[Run]", at: int) -> List[Effect]:
    """The effects of an event of a run, and of what must come before it."""
    if run is not None:
        return run.advance(machine, event, at)
    return [] if event is None else machine.step(event, at=at)


#: How long a store keeps a session in which nothing happens, in milliseconds. A question can be open for a week.
SESSION_LIFE = 8 * 24 * 3600 * 1000

#: How often a step is tried again after another process committed first.
MOST_CONFLICTS = 100

#: How many commits a session knows by name. A commit is looked for a moment after it was made.
MOST_COMMITS = 8

#: How many seconds one call of the store may take.
STORE_WAIT = 10.0

HEAD, BEFORE = '{"client":', ',"machine":'


#: Says what a process has of a session, when its machine is this one.
Looks = Callable[[AskingMachine], Dict[str, Any]]


class Stored:
    """A machine in a store. It is made when a run first asks. A step is a transaction: the effects happen only after
    the commit, and after a conflict the machine is loaded and steps again. A failure leaves it open whether the commit
    counts, so the machine is then loaded again before it decides anything."""

    def __init__(self, asker: "Asker", name: str, looks: Looks, client: Optional[Known] = None):
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
        self._fresh = client is not None
        self.due: int = 0

    @property
    def client(self) -> Known:
        assert self._client is not None
        return self._client

    async def step(self, event: Optional[Mapping[str, Any]], run: "Optional[Run]" = None) -> List[Effect]:
        for _ in range(MOST_CONFLICTS):
            missed: List[Effect] = []
            if self._fresh:
                if run is None:
                    raise Closed("cancel", "session_closed")  # nothing was asked so far
                self._take(AskingMachine(self._asker.config(self._name, self.client), self._asker.now()))
                self._fresh = False
            elif self._machine is None:
                missed = await self.load()
            assert self._machine is not None
            effects = self._carried + advance(self._machine, event, run, self._asker.now())
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

    async def look(self, given: Looks) -> List[Effect]:
        machine = await self.known()
        return [] if machine is None else machine.look(given(machine))

    async def known(self) -> Optional[AskingMachine]:
        if not self._fresh and (self._version > 0 or self._machine is None):
            await self.load()
        return self._machine

    @property
    def last(self) -> Optional[AskingMachine]:
        return self._machine

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
        return loaded.look(self._looks(loaded))

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
