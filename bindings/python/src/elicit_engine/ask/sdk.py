"""Installs an asker into servers of the official MCP Python SDK, 1.x and 2.x, and into FastMCP."""

from __future__ import annotations

import asyncio
import dataclasses
import importlib
import json
import secrets
import weakref
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Tuple

from ..fault import ElicitError
from .asker import Asker
from .call import Call, Client, Interruption
from .errors import uncaught

#: The methods that concern an asker, with the member that names what is called.
NAMES = {"tools/list": "", "tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

Principal = Callable[[Any], Optional[str]]

#: Lets the SDK answer a request with this method and these parameters.
Go = Callable[[str, Dict[str, Any]], Awaitable[Any]]

#: A client, and the fallback tool if it needs that.
Known = Tuple[Client, Optional[Dict[str, Any]]]


def install(asker: Asker, server: Any, principal: Optional[Principal]) -> None:
    """Lets the handlers of a server ask."""
    low = getattr(server, "_lowlevel_server", None) or getattr(server, "_mcp_server", None) or server
    adapter = Adapter(asker, principal or token_owner)
    if hasattr(low, "middleware") and hasattr(low, "add_request_handler"):
        # The SDK seals states with a key of one process. It must not seal those that any process may open.
        seals = [type(one).__name__ == "RequestStateBoundary" for one in low.middleware]
        low.middleware.insert(seals.index(True) if any(seals) else len(seals), adapter.middleware)
    elif hasattr(low, "request_handlers"):
        adapter.wrap(low)
    else:
        raise TypeError("ask: %r is no server of the official SDK or of FastMCP" % (server,))


def token_owner(context: Any) -> str:
    """Who is behind a request: the owner of its bearer token, or "" for nobody."""
    from mcp.server.auth.middleware.auth_context import get_access_token

    token = get_access_token()
    if token is None:
        return ""
    claims = getattr(token, "claims", None) or {}
    return json.dumps([token.client_id, claims.get("iss"), getattr(token, "subject", None)])


class Adapter:
    """Answers the requests to a server with an asker."""

    def __init__(self, asker: Asker, principal: Principal):
        self._asker: Asker = asker
        self._principal: Principal = principal
        self._names: "weakref.WeakKeyDictionary[Any, str]" = weakref.WeakKeyDictionary()

    async def middleware(self, context: Any, call_next: Any) -> Any:
        """The middleware of the SDK 2."""
        if context.request_id is None or context.method not in NAMES:
            return await call_next(context)

        async def go(method: str, params: Dict[str, Any]) -> Any:
            return await call_next(dataclasses.replace(context, method=method, params=params))

        session = context.session
        sends, connection = session.can_send_request, getattr(session, "_connection", session)
        try:
            known = self._client(context, context.protocol_version, session.client_capabilities, connection, sends)
            return await self._answer(context, known, context.method, context.params or {}, go)
        except Exception as error:
            if context.protocol_version == "2026-07-28":
                raise  # the SDK tells these clients nothing of the error
            raise internal(error) from error

    def wrap(self, server: Any) -> None:
        """Puts the asker around the handlers of a low-level server of the SDK 1, which has no middleware."""
        types: Any = importlib.import_module("mcp.types")  # a type checker knows the other SDK
        versions: Any = getattr(importlib.import_module("mcp.shared.version"), "SUPPORTED_PROTOCOL_VERSIONS")
        kinds = {
            "tools/list": (types.ListToolsRequest, types.ListToolsResult),
            "tools/call": (types.CallToolRequest, types.CallToolResult),
            "prompts/get": (types.GetPromptRequest, types.GetPromptResult),
            "resources/read": (types.ReadResourceRequest, types.ReadResourceResult),
        }
        handlers = dict(server.request_handlers)
        if types.CallToolRequest not in handlers:
            raise TypeError("ask: install the asker after the handlers of the server, such as @server.call_tool()")

        async def go(method: str, params: Dict[str, Any]) -> Any:
            kind, _ = kinds[method]
            if kind not in handlers:
                return {"tools": []}
            return (await handlers[kind](kind.model_validate({"method": method, "params": params}))).root

        def around(method: str, inner: Any, kind: Any) -> Any:
            async def handler(request: Any) -> Any:
                if request is None:  # the SDK fills its own table of tools
                    return await inner(request)
                context = server.request_context
                said = context.session.client_params  # None of a stateless session, which had no initialize
                version: Any = getattr(said, "protocolVersion", None)
                version = version if version in versions else types.LATEST_PROTOCOL_VERSION
                declared = getattr(said, "capabilities", None)
                try:
                    known = self._client(context, version, declared, context.session, said is not None)
                    result = await self._answer(context, known, method, whole(request).get("params", {}), go)
                except Exception as error:
                    raise internal(error) from error
                return types.ServerResult(kind.model_validate(result) if isinstance(result, dict) else result)

            return handler

        for method, (kind, result) in kinds.items():
            if kind in handlers:
                server.request_handlers[kind] = around(method, handlers[kind], result)

    def _client(self, context: Any, version: str, capabilities: Any, connection: Any, sends: bool) -> Known:
        """Who calls, and the fallback tool for it. ``sends`` says whether the transport carries requests to it."""
        lasts = sends or capabilities is not None  # a connection for one request has had no initialize
        said = self._asker.known({
            "session": "?" if lasts else "", "principal": self._principal(context) or "", "version": version,
            "capabilities": {} if capabilities is None else whole(capabilities), "requests": sends,
        })
        client = said["client"]
        peer = SessionPeer(context.session, context.request_id) if client.get("requests") else None
        name = self._session_name(connection) if "session" in client else None
        known = Client(name, client.get("principal", ""), client["version"], tuple(client["declared"]), peer)
        return known, said.get("tool")

    def _session_name(self, connection: Any) -> str:
        """Names a connection, and closes its session in the asker when it is over."""
        name = self._names.get(connection)
        if name is None:
            name = self._names[connection] = secrets.token_hex(16)  # other processes may have connections in the store
            loop = asyncio.get_running_loop()

            def gone() -> None:
                try:
                    loop.call_soon_threadsafe(lambda: loop.create_task(self._asker.close_session(name)))
                except RuntimeError:  # the loop is closed, and with it everything that waits
                    pass

            ended = weakref.finalize(connection, gone)
            setattr(ended, "atexit", False)
            stack = getattr(connection, "exit_stack", None)
            if stack is not None:
                stack.callback(ended)
        return name

    async def _answer(self, context: Any, known: Known, method: str, params: Dict[str, Any], go: Go) -> Any:
        """The answer to a request: the SDK's own, or what the asker puts in its place."""
        client, tool = known
        if method == "tools/list":
            listed = await go(method, params)
            if tool is None or whole(listed).get("nextCursor") is not None:
                return listed
            return {**whole(listed), "tools": [*whole(listed)["tools"], tool]}
        name, arguments = params.get(NAMES[method]), params.get("arguments")
        if not isinstance(name, str) or arguments is not None and not isinstance(arguments, dict):
            return await go(method, params)  # the SDK refuses it

        async def handler(call: Call) -> Any:
            again = {name: value for name, value in params.items() if name not in ("requestState", "inputResponses")}
            if call.target != name:
                again.update(name=call.target, arguments=call.arguments or {})
            try:
                return told(await go(method, again), call.target)
            except Exception as error:
                raise uncaught() or error

        meta, state = params.get("_meta") or {}, params.get("requestState")
        structured = method == "tools/call" and tool is not None and await promises(name, meta, go)
        call = Call(
            client, name, arguments, method, structured,
            state=state if isinstance(state, str) else None, responses=params.get("inputResponses"), written=whole,
            token=meta.get("progressToken"), notify=SessionPeer(context.session, context.request_id).notify,
        )
        try:
            result = await self._asker.run(call, handler)
        except ElicitError as error:
            raise failure(getattr(error, "code", -32603), str(error), getattr(error, "data", None)) from error
        if not isinstance(result, Interruption):
            return result
        if result.error is not None:
            raise failure(**result.error)
        return result.result


async def promises(tool: str, meta: Dict[str, Any], go: Go) -> bool:
    """Whether a tool promises structured content, which a text for a model cannot give."""
    cursor: Dict[str, Any] = {}
    for _ in range(100):
        listed = whole(await go("tools/list", {**({"_meta": meta} if meta else {}), **cursor}))
        for one in listed["tools"]:
            if one["name"] == tool:
                return one.get("outputSchema") is not None
        if listed.get("nextCursor") is None:
            break
        cursor = {"cursor": listed["nextCursor"]}
    return False


def whole(result: Any) -> Dict[str, Any]:
    """A document of the SDK as JSON."""
    out: Dict[str, Any] = result
    if not isinstance(result, dict):
        out = result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return out


def told(result: Any, tool: str) -> Any:
    """A result in which the model reads how a question ended, as in other languages. The SDK writes more or less."""
    error, content = uncaught(), whole(result).get("content") or [{}]
    if error is None or not content[0].get("text", "").startswith("Error executing tool " + tool):
        return result
    return {**whole(result), "content": [{"type": "text", "text": str(error)}]}


def failure(code: int, message: str, data: Any = None) -> Any:
    """An error of JSON-RPC, as the SDK raises it: an exception of SDK 1 or 2."""
    exceptions: Any = importlib.import_module("mcp.shared.exceptions")
    if hasattr(exceptions, "MCPError"):
        return exceptions.MCPError(code, message, data)
    error = getattr(importlib.import_module("mcp.types"), "ErrorData")
    return exceptions.McpError(error(code=code, message=message, data=data))


def internal(error: Exception) -> Exception:
    """An error of a handler. The SDK would send the code 0 for one that is not of JSON-RPC, or of parameters."""
    known = hasattr(error, "error") or type(error).__name__ == "ValidationError"
    return error if known else failure(-32603, str(error))


class Message:
    """A message with its members unchanged. The SDK calls only these names of its own types."""

    def __init__(self, method: str, params: Mapping[str, Any]):
        self.method: str = "elicit:" + method  # the SDK checks the answers to methods that it knows
        self._whole = {"method": method, "params": dict(params)}

    def model_dump(self, **options: Any) -> Dict[str, Any]:
        return self._whole


class Unchecked:
    """The type of a result that is not checked: the machine asks again if an answer does not fit."""

    @staticmethod
    def model_validate(result: Any, **options: Any) -> Any:
        return result


class SessionPeer:
    """Sends with the call that it belongs to."""

    def __init__(self, session: Any, request: Any):
        self._session, self._request = session, request

    async def request(self, method: str, params: Dict[str, Any]) -> Any:
        from mcp.shared.message import ServerMessageMetadata

        along: Any = ServerMessageMetadata(related_request_id=self._request)
        message: Any = Message(method, params)
        number = getattr(self._session, "_request_id", None)  # SDK 1: the id of the next request
        try:
            return await self._session.send_request(message, Unchecked, metadata=along)
        except asyncio.CancelledError:
            if number is not None:  # SDK 2 tells the client by itself
                taken_back = {"requestId": number, "reason": "the question is over"}
                asyncio.get_running_loop().create_task(self.notify("notifications/cancelled", taken_back))
            raise

    async def notify(self, method: str, params: Dict[str, Any]) -> None:
        await self._session.send_notification(Message(method, params), self._request)
