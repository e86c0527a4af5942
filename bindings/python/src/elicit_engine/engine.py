"""Engines, connections, forms, and the operations that need none of them."""

from __future__ import annotations

import json
import re
from types import TracebackType
from typing import Any, Dict, List, Mapping, Optional, Sequence, Type, Union

from .fault import HandleError, InputError
from .guardian import Guardian, GuardianError, grants
from .library import ENDS, library

#: A document as JSON text, or as what :mod:`json` makes of it.
Document = Union[str, bytes, Mapping[str, Any]]

#: Something to be done, by its name under "effect".
Effect = Dict[str, Any]

#: Where a configuration has its guardians.
_guardians = re.compile("(/relay/config)?/guardians")


def encode(document: Any) -> bytes:
    """JSON in UTF-8. Text is taken as it stands, for documents whose spelling matters."""
    if isinstance(document, bytes):
        return document
    if isinstance(document, str):
        return document.encode("utf-8", "surrogatepass")
    # NaN and infinities are no JSON: the engine would refuse them; json.dumps says so first, as a ValueError.
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "surrogatepass")


def timed(head: bytes, document: Document, at: Optional[int], dice: Optional[str]) -> bytes:
    """An input with the time and the dice beside its document, where they are given."""
    out = head + encode(document)
    if at is not None:
        out += b',"at":%d' % at
    if dice is not None:
        out += b',"dice":' + encode(json.dumps(dice))
    return out + b"}"


class Handle:
    """Something the library keeps under a number until it is closed."""

    _handle: int = 0

    def close(self) -> None:
        """Gives it back. It may be called again."""
        handle, self._handle = self._handle, 0
        if handle:
            library().close(handle)

    def __del__(self) -> None:
        try:
            self.close()
        except Exception:  # the interpreter is going down
            pass

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _open_handle(self) -> int:
        if not self._handle:
            raise HandleError("this is closed")
        return self._handle


class Machine(Handle):
    """What takes one event after another and says what has to be done. Any thread may use it, one at a time: a second
    one gets :class:`Busy` and nothing happened."""

    def _begin(self, document: bytes) -> None:
        try:
            self._handle, out = library().open(document)
        except InputError as error:
            if any(_guardians.match(p.get("pointer", "")) for p in error.problems):
                raise GuardianError.of(error.problems) from None
            raise
        #: What opening asks for: the first record of the journal, and more.
        self.beginning: List[Effect] = effects(out)

    def step(self, event: Mapping[str, Any], at: Optional[int] = None, dice: Optional[str] = None) -> List[Effect]:
        """Gives one event and returns what has to be done, in order.

        ``at`` is milliseconds since 1970, ``dice`` 64 hex digits; with both given the output is the same bytes
        everywhere. The ``record`` of an ``append`` is text, to be kept exactly as it is.
        """
        return effects(self.step_text(timed(b'{"event":', event, at, dice)))

    def step_text(self, given: Document) -> bytes:
        """:meth:`step` on a whole input, with the output as it came."""
        return library().step(self._open_handle(), encode(given))

    def grants(self) -> List[Dict[str, Any]]:
        """The grants that hold now."""
        held: List[Dict[str, Any]] = json.loads(self.step_text({"list": "grants"}))["grants"]
        return held


class Engine(Machine):
    """One engine. A host that has the bytes of an MCP connection wants a :class:`Relay` instead, which contains one."""

    def __init__(
        self,
        config: Optional[Document] = None,
        at: Optional[int] = None,
        dice: Optional[str] = None,
        guardians: Sequence[Guardian] = (),
    ):
        self._begin(timed(b'{"config":', guarded(config, guardians), at, dice))

    def __enter__(self) -> "Engine":
        return self

    def save(self, session: str) -> Optional[str]:
        """A session's whole state, or None when it is not open. Whoever can write it can agree for the person."""
        try:
            out = self.step_text({"save": session})
        except InputError as error:
            if error.problems and error.problems[0].get("code") == "unknown_session":
                return None
            raise
        return out[len('{"state":') : -1].decode()

    def resume(self, state: str, at: Optional[int] = None, dice: Optional[str] = None) -> List[Effect]:
        """Brings back a session that :meth:`save` wrote, here or elsewhere. Its shown requests are shown again."""
        return self.step({"event": "resumed", "state_text": state}, at, dice)


class Relay(Machine):
    """The machine of one connection between an MCP client and an MCP server, which reads the messages of both.

    ``config`` has the members that docs/relay.md lists: ``{"server": "backup", "role": "client", "modes": ["form"]}``.
    ``guardians`` join those of the engine's configuration in it.
    """

    def __init__(
        self,
        config: Document,
        at: Optional[int] = None,
        dice: Optional[str] = None,
        guardians: Sequence[Guardian] = (),
    ):
        read = table(config)
        #: Whose session it is: answers have to name the same.
        self.principal: Optional[str] = read.get("principal")
        if guardians:
            config = {**read, "config": guarded(read.get("config"), guardians)}
        self._begin(timed(b'{"relay":', config, at, dice))

    def __enter__(self) -> "Relay":
        return self

    @classmethod
    def of(cls, relay: "Union[Relay, Document]", guardians: Sequence[Guardian] = ()) -> "Relay":
        """A connection that is open, or one of a configuration."""
        if not isinstance(relay, Relay):
            return cls(relay, guardians=guardians)
        if guardians:
            raise TypeError("this connection is open: its guardians are those of Relay(…, guardians=[…])")
        return relay

    def receive(self, end: str, message: bytes) -> List[Effect]:
        """Gives a message of the ``client`` or the ``server``, its bytes as they came, without the line end."""
        if end not in ENDS:
            raise ValueError("an end is client or server, not %r" % (end,))
        return effects(library().receive(self._open_handle(), end, message))


class Form(Handle):
    """A compiled schema, to draw and to check answers against at every key. Any number of threads may check at once."""

    def __init__(self, schema: Document, **options: Any):
        name = "schema_text" if isinstance(schema, (str, bytes)) else "schema"
        given = schema.decode() if isinstance(schema, bytes) else schema
        self._handle, out = library().form(encode({name: given, **options}))
        form = json.loads(out)["form"]
        self.title: Optional[str] = form.get("title")
        self.help: Optional[str] = form.get("help")
        #: What is to be filled in, in order. The texts are the peer's: untrusted.
        self.fields: List[Dict[str, Any]] = form["fields"]

    def __enter__(self) -> "Form":
        return self

    def check(self, content: Document) -> List[Dict[str, Any]]:
        """Everything that is wrong with an answer; nothing when it fits."""
        problems: List[Dict[str, Any]] = json.loads(library().check(self._open_handle(), encode(content)))["problems"]
        return problems


def effects(output: bytes) -> List[Effect]:
    """The effects of a step. The records of appends stay text: their bytes are what has to be kept."""
    text, at = output.decode(), len('{"effects":[')
    out: List[Effect] = []
    while text[at] != "]":
        effect, end = _decoder.raw_decode(text, at)
        if effect["effect"] == "append":
            effect["record"] = text[at + len('{"effect":"append","record":') : end - 1]
        out.append(effect)
        at = end + (text[end] == ",")
    return out


_decoder = json.JSONDecoder()


def table(document: Document) -> Dict[str, Any]:
    """A document as a dictionary of its own."""
    read: Dict[str, Any] = json.loads(document) if isinstance(document, (str, bytes)) else dict(document)
    return read


def guarded(config: Optional[Document], guardians: Sequence[Guardian]) -> Document:
    """An engine's configuration with guardians beside its own."""
    if not guardians:
        return {} if config is None else config
    read = table(config or {})
    return {**read, "guardians": [*read.get("guardians", []), *grants(guardians)]}


def describe() -> Dict[str, Any]:
    """What the library understands: operations, events, effects, codes, limits."""
    return table(library().describe())


def selfcheck() -> Dict[str, Any]:
    """What about this process could hurt: ``{"ok": bool, "warnings": [{"code", "detail"}]}``."""
    return table(library().selfcheck())


def guest(module: bytes) -> Dict[str, Any]:
    """Gives the library a guardian's module, the bytes of a Wasm file, for all engines of this process, and says what
    it is: ``digest``, ``manifest``, ``sizes`` and more. Guardians that a configuration names by that digest run in a
    step."""
    return table(library().guest(module))


def why(effect: Mapping[str, Any]) -> List[str]:
    """What an effect such as a reply says of its cause, reasons, findings and problems, in English sentences."""
    kinds = ("causes", "reasons", "findings", "problems")
    given = {**effect, "causes": [effect["cause"]] if "cause" in effect else []}
    said = evaluate("explain", {kind: given.get(kind) or [] for kind in kinds})
    return [sentence for kind in kinds for sentence in said[kind]]


def evaluate(operation: str, document: Document) -> Dict[str, Any]:
    """Runs a stateless operation, such as ``check`` or ``decide``. What is wrong with its input is in its output."""
    return table(evaluate_text(operation, document))


def evaluate_text(operation: str, document: Document) -> bytes:
    """:func:`evaluate` with the output as it came."""
    return library().eval(operation.encode(), encode(document))
