"""An elicitation handler for clients of the official MCP Python SDK.

>>> from mcp import Client                                                          # doctest: +SKIP
>>> async with elicitation_callback({}, Prompt(), server="backup") as callback:     # doctest: +SKIP
...     async with Client(transport, elicitation_callback=callback) as client: ...
"""

from __future__ import annotations

import asyncio
import itertools
import json
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Sequence, Type, Union

from .consult import Consult
from .drive import Driver
from .engine import Document, Effect, Engine, encode
from .fault import InterfaceError, JournalError, report
from .guardian import Guardian
from .question import UI

if TYPE_CHECKING:
    from mcp import types

MODES = ["form", "url"]


def elicitation_callback(
    config: Optional[Document],
    ui: UI,
    server: str,
    version: str = "2025-11-25",
    principal: Optional[str] = None,
    *,
    guardians: Sequence[Guardian] = (),
    consult: Optional[Consult] = None,
    settled: Optional[Callable[[Effect], None]] = None,
    journal: Optional[Callable[[str], None]] = None,
) -> "ElicitationCallback":
    """Makes a callback that gives a server's questions to an engine and, if policy says so, asks a person.

    ``config`` is the engine's configuration. ``server`` is the name that you gave the server, never the one that it
    gives itself. Make one callback for each connection. ``guardians``, ``consult`` and ``journal`` are as with
    :class:`Driver`.

    Use it in ``async with``. An exception of ``ui`` then ends the block at once and leaves it as an
    :class:`InterfaceError`. The question was answered with ``cancel`` and the cause ``no_ui``. Without ``async with``,
    the exception goes to the exception handler of the loop. ``settled`` gets every reply without its content.
    :func:`elicit_engine.why` explains a reply in English.
    """
    if isinstance(config, Engine):
        raise TypeError("a connection has its own engine: give its configuration, or {} for the defaults")
    whose = {} if principal is None else {"principal": principal}
    session = {"version": version, "declared": MODES}
    relay = encode({"server": server, "role": "client", "modes": MODES, "session": session, **whose})
    relay = relay[:-1] + b',"config":' + encode({} if config is None else config) + b"}"
    return ElicitationCallback(relay, settled, journal=journal, ui=ui, consult=consult, guardians=guardians)


class ElicitationCallback:
    """The callback of one connection, of the SDK's type ElicitationFnT.

    The SDK reads the transport, so the machine gets only the server's questions."""

    def __init__(self, relay: Document, settled: Optional[Callable[[Effect], None]], **more: Any):
        self._refs = itertools.count(1)
        self._answers: "Dict[int, asyncio.Future[Dict[str, Any]]]" = {}
        host = {} if settled is None else {"settled": lambda effect: settled(effect["reply"])}
        self._block: Optional[asyncio.Task[Any]] = None
        self._failure: Optional[InterfaceError] = None
        self._driver = Driver(relay, self._write, host, failed=self._failed, **more)

    async def __aenter__(self) -> "ElicitationCallback":
        self._block = asyncio.current_task()
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        block, self._block = self._block, None
        self.close()
        if self._failure is None or block is None:
            return
        if not isinstance(error, asyncio.CancelledError):
            try:
                await asyncio.sleep(0)  # takes the cancellation of _failed, if it has not arrived yet
            except asyncio.CancelledError:
                pass
        if block.uncancel() if hasattr(block, "uncancel") else 0:
            raise asyncio.CancelledError  # somebody else cancelled the task too
        raise self._failure

    def _failed(self, failure: InterfaceError) -> None:
        if self._block is None or self._failure is not None:
            report("the user interface failed", failure.__cause__ or failure)
            return
        self._failure = failure
        self._block.cancel()

    async def __call__(
        self, context: Any, params: "types.ElicitRequestParams"
    ) -> "Union[types.ElicitResult, types.ErrorData]":
        from mcp import types

        ref = next(self._refs)
        wire = params.model_dump_json(by_alias=True, exclude_unset=True)
        self._answers[ref] = asyncio.get_running_loop().create_future()
        try:
            self._receive('{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":%s}' % (ref, wire))
            message = await self._answers[ref]
        except asyncio.CancelledError:
            self._receive('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}' % ref)
            raise
        finally:
            del self._answers[ref]
        if "error" in message:
            return types.ErrorData.model_validate(message["error"])
        return types.ElicitResult.model_validate(message["result"])

    def close(self) -> None:
        """Call it when the connection is closed. It cancels the open questions. It may be called again."""
        self._driver.shutdown()

    def _receive(self, message: str) -> None:
        try:
            self._driver.receive("server", message.encode())
        except JournalError as error:
            report("the journal failed", error)  # the caller that waits for an answer has got an error already

    def _write(self, end: str, message: bytes) -> None:
        read = json.loads(message)
        answer = self._answers.get(read.get("id"))
        if answer is not None and not answer.done():
            answer.set_result(read)
