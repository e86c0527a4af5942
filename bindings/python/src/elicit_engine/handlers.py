"""Handlers for a host that is the client: one function for each method that a server or an agent may ask for.

The machine decides first. What it leaves open, and every request that it passes on, comes to the client, and so to
these handlers (docs/reference/relay.md)."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from typing import Any, Awaitable, Callable, Dict, Mapping, Union

#: Answers a request: it takes the params, a dict or a TypedDict of your own, and returns the result. It may be a
#: coroutine function, which is cancelled when the request is withdrawn. Any other function runs in a thread of its own,
#: so it may block.
Handler = Callable[[Any], Union[Any, Awaitable[Any]]]

METHOD_NOT_FOUND, HANDLER_FAILED = -32601, -32000
_over = ("notifications/cancelled", "$/cancel_request", "serverRequest/resolved")


class Handlers:
    """Answers what comes for the client. ``receive`` takes the answers: give it ``driver.receive``.

    A method without a handler gets the error -32601. The machine declines a question then. An exception of a handler is
    the error -32000, whose message does not tell what went wrong; the logger ``elicit_engine`` gets the exception."""

    def __init__(self, receive: Callable[[str, bytes], None]):
        self._receive = receive
        self._handlers: Dict[str, Handler] = {}
        self._running: Dict[str, "asyncio.Task[None]"] = {}

    def on(self, method: str, handler: Handler) -> None:
        """Lets ``handler`` answer the requests of a method, in place of an earlier handler."""
        self._handlers[method] = handler

    def take(self, message: bytes) -> bool:
        """Takes a message for the client. It returns False for one that is no request, which is the host's to read. It
        returns at once: handlers run as tasks of the event loop."""
        said = json.loads(message)
        if not isinstance(said, dict) or "method" not in said:
            return False
        params = said.get("params")
        if "id" not in said:
            if said["method"] in _over and isinstance(params, dict):
                self._end(json.dumps(params.get("requestId")))
            return False
        key = json.dumps(said["id"])
        self._end(key)  # the new request is the one to answer
        task = asyncio.get_running_loop().create_task(self._answer(said, params if isinstance(params, dict) else {}))
        self._running[key] = task
        task.add_done_callback(lambda done: self._running.pop(key, None) if self._running.get(key) is done else None)
        return True

    def _end(self, key: str) -> None:
        running = self._running.pop(key, None)
        if running is not None:
            running.cancel()

    async def _answer(self, request: Mapping[str, Any], params: Dict[str, Any]) -> None:
        method = request["method"]
        answer: Dict[str, Any] = {"id": request["id"]}
        if "jsonrpc" in request:
            answer = {"jsonrpc": "2.0", **answer}
        handler = self._handlers.get(method)
        try:
            if handler is None:
                answer["error"] = {"code": METHOD_NOT_FOUND, "message": "this client has no handler for the method"}
            elif inspect.iscoroutinefunction(handler):
                answer["result"] = await handler(params)
            else:
                result = await asyncio.get_running_loop().run_in_executor(None, handler, params)
                answer["result"] = await result if inspect.isawaitable(result) else result
            line = json.dumps(answer)
        except Exception:
            logging.getLogger("elicit_engine").exception("the handler of %s failed", method)
            answer.pop("result", None)
            line = json.dumps({**answer, "error": {"code": HANDLER_FAILED, "message": "the handler failed"}})
        if self._running.get(json.dumps(request["id"])) is asyncio.current_task():  # it was not withdrawn meanwhile
            self._receive("client", line.encode())
