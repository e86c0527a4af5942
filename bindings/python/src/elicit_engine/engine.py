"""Engines, connections and forms, and the stateless operations."""

from __future__ import annotations

import json
import re
import secrets
from types import TracebackType
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

from .configuration import Policies
from .fault import HandleError, InputError
from .guardian import Guardian, GuardianError, permits
from .library import ENDS, Callbacks, library

#: A document as JSON text, or as the value that :mod:`json` reads from it.
Document = Union[str, bytes, Mapping[str, Any]]

#: Something that the host must do. The member "effect" has its name.
Effect = Dict[str, Any]

H = TypeVar("H", bound="Handle")

#: The pointer to the guardians of a configuration.
_guardians = re.compile("(/relay/config)?/guardians")


def encode(document: Any) -> bytes:
    """A document as JSON in UTF-8. A text is used unchanged, so that the spelling of numbers is kept."""
    if isinstance(document, bytes):
        return document
    if isinstance(document, str):
        return document.encode("utf-8", "surrogatepass")
    # NaN and infinities are not JSON, and the engine would refuse them. json.dumps raises a ValueError first.
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "surrogatepass")


def timed(head: bytes, document: Document, at: Optional[int], random: Optional[str]) -> bytes:
    """The text of an input: a document, and the time and random bytes if they are given."""
    out = head + encode(document)
    if at is not None:
        out += b',"at":%d' % at
    if random is not None:
        out += b',"random":' + encode(json.dumps(random))
    return out + b"}"


class Handle:
    """An object that the library keeps under a number until it is closed."""

    _handle: int = 0

    def close(self) -> None:
        """Releases the object. It may be called again."""
        handle, self._handle = self._handle, 0
        if handle:
            library().close(handle)

    def __del__(self) -> None:
        try:
            self.close()
        except Exception:  # the interpreter is shutting down
            pass

    def __enter__(self: H) -> H:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<%s, %s>" % (type(self).__name__, "handle %x" % self._handle if self._handle else "closed")

    def _open_handle(self) -> int:
        if not self._handle:
            raise HandleError("this %s is closed" % type(self).__name__)
        return self._handle


class Machine(Handle):
    """An engine or a connection. It takes one event after another and returns effects.

    Any thread may use it, but only one at a time. A second thread gets :class:`Busy`, and its call changes nothing."""

    def _begin(self, document: bytes) -> None:
        try:
            self._handle, out = library().open(document)
        except InputError as error:
            if any(_guardians.match(p.get("pointer", "")) for p in error.problems):
                raise GuardianError.of(error.problems) from None
            raise
        #: The effects of opening: the first record of the journal, and others.
        self.beginning: List[Effect] = effects(out)

    def step(self, event: Mapping[str, Any], at: Optional[int] = None, random: Optional[str] = None) -> List[Effect]:
        """Gives one event and returns the effects to perform, in order.

        ``at`` is milliseconds since 1970-01-01 UTC, ``random`` 32 random bytes as 64 hex digits. With both, the output
        is the same bytes on every platform. The ``record`` of an ``append`` is text; keep its exact bytes. An event
        that cannot be read raises :class:`InputError`. The event may be bare or wrapped, as in
        ``{"event": {…}, "at": …, "random": …}``. A value may be given in one place only.
        """
        if not isinstance(event, Mapping) or not isinstance(event.get("event"), Mapping):
            return effects(self.step_text(timed(b'{"event":', event, at, random)))
        given = {name: value for name, value in (("at", at), ("random", random)) if value is not None}
        for name in given:
            if name in event:
                raise ValueError("%s is given twice: beside the event and as an argument" % name)
        return effects(self.step_text({**event, **given}))

    def step_text(self, given: Document) -> bytes:
        """:meth:`step` with the exact JSON text of the input and the output."""
        return library().step(self._open_handle(), encode(given))

    def grants(self) -> List[Dict[str, Any]]:
        """The grants that are in force now."""
        listed: List[Dict[str, Any]] = json.loads(self.step_text({"list": "grants"}))["grants"]
        return listed


class Engine(Machine):
    """One engine. If you have the bytes of an MCP connection, use a :class:`Relay`, which contains an engine."""

    def __init__(
        self,
        config: Optional[Document] = None,
        at: Optional[int] = None,
        random: Optional[str] = None,
        guardians: Sequence[Guardian] = (),
    ):
        self._begin(timed(b'{"texts":true,"config":', guarded(config, guardians), at, random))

    def save(self, session: str) -> Optional[str]:
        """The whole state of a session, or None if the session is not open.

        Protect it: anyone who can change it can agree in place of the person."""
        try:
            out = self.step_text({"save": session})
        except InputError as error:
            if error.problems and error.problems[0].get("code") == "unknown_session":
                return None
            raise
        return out[len('{"state":') : -1].decode()

    def resume(self, state: str, at: Optional[int] = None, random: Optional[str] = None) -> List[Effect]:
        """Resumes a session from the output of :meth:`save`, of this or another engine.

        Its shown requests are shown again."""
        return self.step({"event": "resumed", "state_text": state}, at, random)


class Relay(Machine):
    """The machine of one connection between an MCP client and an MCP server. It reads the messages of both.

    ``config`` is described in docs/reference/relay.md: ``{"server": "backup", "role": "client", "modes": ["form"]}``.
    ``guardians`` are added to those of the engine's configuration in it. With ``pull``, the effects come from
    :meth:`next`, and :meth:`step` and :meth:`receive` return none.
    """

    def __init__(
        self,
        config: Document,
        at: Optional[int] = None,
        random: Optional[str] = None,
        guardians: Sequence[Guardian] = (),
        pull: bool = False,
    ):
        self.pull = pull
        read = table(config)
        #: The owner of the session. Answers must name the same principal.
        self.principal: Optional[str] = read.get("principal")
        if guardians:
            config = {**read, "config": guarded(read.get("config"), guardians)}
        self._begin(timed(b'{"pull":true,"relay":' if pull else b'{"texts":true,"relay":', config, at, random))

    @classmethod
    def of(cls, relay: "Union[Relay, Document]", guardians: Sequence[Guardian] = ()) -> "Relay":
        """The given connection, or a new one with the given configuration. Its effects come from :meth:`next`."""
        if not isinstance(relay, Relay):
            return cls(relay, guardians=guardians, pull=True)
        if guardians:
            raise TypeError("this connection is open: its guardians are those of Relay(…, guardians=[…])")
        if not relay.pull:
            raise TypeError("this connection returns its effects: open it with Relay(…, pull=True)")
        return relay

    def next(self, callbacks: Callbacks, at: int = -1, elapsed: int = -1) -> Tuple[Effect, Optional[bytes]]:
        """The next effect to perform, and the bytes of a ``forward`` or a ``send``. The callbacks keep records.

        ``{"wait": milliseconds}`` says that nothing is due for so long; -1 is for ever. ``at`` and ``elapsed`` are
        times of the host, and -1 stands for the library's own clocks."""
        document, message = library().next(self._open_handle(), callbacks, at, elapsed)
        effect: Effect = json.loads(document)
        return effect, message

    def receive(self, end: str, message: bytes) -> List[Effect]:
        """Gives a message of the ``client`` or the ``server``, its bytes unchanged but without the line end."""
        if end not in ENDS:
            raise ValueError("an end is client or server, not %r" % (end,))
        return effects(library().receive(self._open_handle(), end, message))


class AskerMachine(Machine):
    """The asking side of a process (docs/reference/asking.md). :class:`ask.Asker` runs it."""

    def __init__(self, config: Mapping[str, Any], at: int):
        self._begin(encode({"asker": config, "at": at, "elapsed": 1, "random": secrets.token_hex(32)}))

    def known(self, client: Mapping[str, Any]) -> Dict[str, Any]:
        """A ``client`` as the machine knows it by its capabilities, and the ``tool`` with which a model passes on an
        answer, if the client needs it."""
        return table(self.step_text({"fallback": client}))


class Form(Handle):
    """A compiled schema: the form to draw, and a check of answers that is fast enough for every key press.

    ``title``, ``help`` and ``fields`` are what to draw. Any number of threads may check at once."""

    def __init__(self, schema: Document, **options: Any):
        name = "schema_text" if isinstance(schema, (str, bytes)) else "schema"
        given = schema.decode() if isinstance(schema, bytes) else schema
        self._handle, out = library().form(encode({name: given, **options}))
        form = json.loads(out)["form"]
        self.title: Optional[str] = form.get("title")
        self.help: Optional[str] = form.get("help")
        #: The fields to fill in, in order. The texts come from the peer and are untrusted.
        self.fields: List[Dict[str, Any]] = form["fields"]

    def check(self, content: Document) -> List[Dict[str, Any]]:
        """The problems of an answer's content; an empty list means that it fits."""
        problems: List[Dict[str, Any]] = json.loads(library().check(self._open_handle(), encode(content)))["problems"]
        return problems


def effects(output: bytes) -> List[Effect]:
    """The effects of a step. The records of appends are text, because the journal must keep their exact bytes."""
    read: List[Effect] = json.loads(output)["effects"]
    for effect in read:
        if "question_text" in effect:
            effect["question"] = json.loads(effect.pop("question_text"))
    return read


def table(document: Document) -> Dict[str, Any]:
    """A document as a new dictionary."""
    read: Dict[str, Any] = json.loads(document) if isinstance(document, (str, bytes)) else dict(document)
    return read


def guarded(config: Optional[Document], guardians: Sequence[Guardian]) -> Document:
    """An engine's configuration with more guardians."""
    if not guardians:
        return {} if config is None else config
    read = table(config or {})
    return {**read, "guardians": [*read.get("guardians", []), *permits(guardians)]}


def describe() -> Dict[str, Any]:
    """The operations, events, effects, codes and limits that the library understands."""
    return table(library().describe())


def selfcheck() -> Dict[str, Any]:
    """Dangers for the library in this process: ``{"ok": bool, "warnings": [{"code", "detail"}]}``."""
    return table(library().selfcheck())


def guest(module: bytes) -> Dict[str, Any]:
    """Gives the library a guardian's module, the bytes of a Wasm file, for all engines of this process.

    It returns the module's description: ``digest``, ``manifest``, ``sizes`` and more. A guardian whose permit has that
    digest runs in a step."""
    return table(library().guest(module))


def why(effect: Mapping[str, Any]) -> List[str]:
    """The cause, reasons, findings and problems of an effect, such as a reply, as English sentences."""
    kinds = ("causes", "reasons", "findings", "problems")
    given = {**effect, "causes": [effect["cause"]] if "cause" in effect else []}
    said = evaluate("explain", {kind: given.get(kind) or [] for kind in kinds})
    return [sentence for kind in kinds for sentence in said[kind]]


def managed_policy() -> Policies:
    """The policy of this machine's administrator (docs/reference/policy.md), as ``policy`` of a configuration.

    It has no layer if there is none. A file that cannot be used becomes a layer that declines every question:

    >>> Engine({"policy": {**managed_policy(), "user": {"version": 1}}}).close()
    """
    given: Policies = evaluate("managed_policy", {})["policy"]
    return given


def evaluate(operation: str, document: Document) -> Dict[str, Any]:
    """Runs a stateless operation, such as ``check`` or ``decide``. The problems of its input are in its output."""
    return table(evaluate_text(operation, document))


def evaluate_text(operation: str, document: Document) -> bytes:
    """:func:`evaluate` with the exact JSON text of the output."""
    return library().eval(operation.encode(), encode(document))
