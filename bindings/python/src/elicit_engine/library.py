"""Finds libelicit and calls its C interface (cabi/elicit.h)."""

from __future__ import annotations

import ctypes
import json
import os
from ctypes import byref
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from .fault import Busy, EngineFault, ElicitError, Forked, HandleError, InputError, JournalError, LibraryMissing

#: The version of the ABI that this package was written for.
ABI = 1

#: The statuses of elicit.h by number.
STATUSES = ("ok", "invalid", "unknown_handle", "too_large", "conflict", "internal", "forked", "no_memory")


class Bytes(ctypes.Structure):
    """One document that the library made.

    JSON contains no zero byte, and a zero byte follows it, so ctypes finds the end itself."""

    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class Span(ctypes.Structure):
    """Bytes inside a document, which may contain zero bytes."""

    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class Callbacks(ctypes.Structure):
    """The callbacks of :meth:`Library.next`. A function that raises an exception could not do its work. If that was
    ``append``, ``check`` raises :class:`JournalError`. It also raises what is to end the program, such as
    KeyboardInterrupt.

    ``append`` gets a record, or None to begin another journal. ``consult`` gets the JSON of the effect. ``random``
    returns 32 bytes; without it, the library uses the system's randomness."""

    _stopped: Optional[BaseException] = None
    _failed: Optional[Exception] = None
    _append = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
    _random = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    _fields_ = [("data", ctypes.c_void_p), ("append", _append), ("consult", _append), ("random", _random)]

    def __init__(
        self,
        append: Callable[[Optional[str]], None],
        consult: Callable[[bytes], None],
        random: Optional[Callable[[], bytes]] = None,
    ):
        def tried(work: Callable[..., None]) -> Callable[..., int]:
            def call(_: Any, *given: Any) -> int:
                try:
                    work(*given)
                    return 0
                except BaseException as error:  # ctypes would drop it, and return any number
                    if not isinstance(error, Exception):
                        self._stopped = error
                    elif work is keep:
                        self._failed = error
                    return 1

            return call

        def read(at: Optional[int], size: int) -> Optional[bytes]:
            return None if at is None else ctypes.string_at(at, size)

        def keep(at: Optional[int], size: int) -> None:
            record = read(at, size)
            append(None if record is None else record.decode())

        def fill(to: int) -> None:
            assert random is not None
            ctypes.memmove(to, (ctypes.c_char * 32).from_buffer_copy(random()), 32)  # fewer bytes are an error

        super().__init__(
            None,
            self._append(tried(keep)),
            self._append(tried(lambda at, size: consult(read(at, size) or b""))),
            self._random() if random is None else self._random(tried(fill)),
        )

    def check(self) -> None:
        stopped, failed, self._stopped, self._failed = self._stopped, self._failed, None, None
        if stopped is not None:
            raise stopped
        if failed is not None:
            raise JournalError("a record could not be kept, so nothing is decided any more") from failed


#: The ends of a connection, by the names in events and effects.
ENDS = {"client": 1, "server": 2}


class Library:
    """The functions of elicit.h, with their types."""

    def __init__(self, path: str):
        try:
            self._c = ctypes.CDLL(path)
        except OSError as error:
            raise LibraryMissing("%s: %s" % (path, error)) from None
        self.path = path
        c, text, size, handle = self._c, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64
        where = out = ctypes.c_void_p  # for byref; a declared pointer type would make calls slower
        for name, result, arguments in (
            ("elicit_abi", ctypes.c_uint32, []),
            ("elicit_describe", ctypes.c_int, [out]),
            ("elicit_selfcheck", ctypes.c_int, [out]),
            ("elicit_open", ctypes.c_int, [text, size, where, out]),
            ("elicit_step", ctypes.c_int, [handle, text, size, out]),
            ("elicit_receive", ctypes.c_int, [handle, ctypes.c_int, text, size, out]),
            ("elicit_next", ctypes.c_int, [handle, where, ctypes.c_int64, ctypes.c_int64, out, out]),
            ("elicit_eval", ctypes.c_int, [text, text, size, out]),
            ("elicit_form", ctypes.c_int, [text, size, where, out]),
            ("elicit_check", ctypes.c_int, [handle, text, size, out]),
            ("elicit_guest", ctypes.c_int, [text, size, out]),
            ("elicit_data", ctypes.c_int, [text, size, out]),
            ("elicit_close", ctypes.c_int, [handle]),
            ("elicit_release", None, [out]),
        ):
            function = getattr(c, name, None)
            if function is None:
                raise LibraryMissing("%s has no %s: it is older than this package" % (path, name))
            function.restype, function.argtypes = result, arguments
        self._check, self._step, self._eval = c.elicit_check, c.elicit_step, c.elicit_eval
        self._release = c.elicit_release
        if c.elicit_abi() < ABI:
            raise LibraryMissing("%s has ABI version %d; this package needs %d" % (path, c.elicit_abi(), ABI))

    def describe(self) -> bytes:
        return self._document(self._c.elicit_describe)

    def selfcheck(self) -> bytes:
        return self._document(self._c.elicit_selfcheck)

    def open(self, config: bytes) -> Tuple[int, bytes]:
        return self._opened(self._c.elicit_open, config)

    def form(self, document: bytes) -> Tuple[int, bytes]:
        return self._opened(self._c.elicit_form, document)

    def step(self, handle: int, document: bytes) -> bytes:
        return self._given(self._step, handle, document)

    def receive(self, handle: int, end: str, message: bytes) -> bytes:
        return self._document(self._c.elicit_receive, handle, ENDS[end], message, len(message))

    def next(self, handle: int, callbacks: Callbacks, at: int, elapsed: int) -> Tuple[bytes, Optional[bytes]]:
        """The JSON of the next effect, and the message of a ``forward`` or a ``send``."""
        out, message = Bytes(), Span()
        status = self._c.elicit_next(handle, byref(callbacks), at, elapsed, byref(out), byref(message))
        read = ctypes.string_at(message.data, message.size) if message.data else None
        return self._taken(status, out), read

    def check(self, handle: int, content: bytes) -> bytes:
        return self._given(self._check, handle, content)

    def eval(self, operation: bytes, document: bytes) -> bytes:
        return self._given(self._eval, operation, document)

    def guest(self, module: bytes) -> bytes:
        return self._document(self._c.elicit_guest, module, len(module))

    def data(self, document: bytes) -> bytes:
        return self._document(self._c.elicit_data, document, len(document))

    def close(self, handle: int) -> None:
        # Closing twice, or in a forked child, is not an error, because there is nothing left to release.
        self._c.elicit_close(handle)

    def _opened(self, function: Callable[..., int], document: bytes) -> Tuple[int, bytes]:
        handle = ctypes.c_uint64()
        out = self._document(function, document, len(document), byref(handle))
        return handle.value, out

    def _document(self, function: Callable[..., int], *arguments: object) -> bytes:
        out = Bytes()
        return self._taken(function(*arguments, byref(out)), out)

    def _given(self, function: Callable[..., int], subject: Union[int, bytes], document: bytes) -> bytes:
        """A faster version of :meth:`_document` for check, step and eval. A check runs at every key press."""
        out = Bytes()
        at = byref(out)
        status = function(subject, document, len(document), at)
        if status:
            return self._taken(status, out)
        text: bytes = out.data
        self._release(at)
        return text

    def _taken(self, status: int, out: Bytes) -> bytes:
        text = out.data or b""
        self._release(byref(out))
        if status:
            raise self._failure(status, text)
        return text

    def explain(self, problems: Sequence[Dict[str, Any]]) -> List[str]:
        """An English sentence for each problem."""
        out = self.eval(b"explain", json.dumps({"problems": list(problems)}).encode())
        sentences: List[str] = json.loads(out)["problems"]
        return sentences

    def _failure(self, status: int, document: bytes) -> ElicitError:
        if status not in INPUT_STATUSES:
            return failure(status)
        problems = json.loads(document).get("problems", [])
        try:
            return InputError(problems, self.explain(problems))
        except ElicitError:  # the codes alone are better than another error in place of this one
            return InputError(problems)


#: The statuses "invalid" and "too_large", whose output lists the problems of the input.
INPUT_STATUSES = (1, 3)


def failure(status: int) -> ElicitError:
    """The exception of another status. A status that this package does not know gives an :class:`EngineFault`."""
    name = STATUSES[status] if 0 <= status < len(STATUSES) else "status %d" % status
    if name == "no_memory":
        raise MemoryError("the output could not be allocated; the call was carried out")
    return {
        "unknown_handle": HandleError("this engine, connection or form is closed"),
        "conflict": Busy("another thread is inside this engine"),
        "forked": Forked('a forked child cannot use the engine of its parent: use the start method "spawn"'),
    }.get(name) or EngineFault("the engine broke: " + name)


def places() -> List[str]:
    """The places to look for the library, in order: ELICIT_LIBRARY, this package, the loader's own paths."""
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libelicit.so.1")
    configured = os.environ.get("ELICIT_LIBRARY")
    return ([configured] if configured else []) + [here, "libelicit.so.1"]


_loaded: Optional[Library] = None


def library() -> Library:
    """The library, loaded at the first call. Only that call reads the environment."""
    global _loaded
    if _loaded is None:
        _loaded = _load()
    return _loaded


def _load() -> Library:
    tried = []
    for path in places():
        if os.sep in path and not os.path.exists(path):
            tried.append(path + ": no such file")
            continue
        try:
            return Library(path)
        except LibraryMissing as missing:
            tried.append(str(missing))
    raise LibraryMissing(
        "libelicit.so.1 was not found. Install a wheel that carries it, or build it with `./build.sh lib` and set "
        "ELICIT_LIBRARY. Tried:\n  "
        + "\n  ".join(tried)
    )
