"""Installs an asker into servers of the official MCP Python SDK, 1.x and 2.x, and into FastMCP."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import secrets
import weakref
from typing import Any, Callable, Dict, Mapping, Optional, Tuple

from .asker import Asker
from .call import Call, Client, Interruption, PeerError
from .errors import StateError, coded, uncaught

#: The protocol date from which a server sends no requests to its clients.
ROUNDS = "2026-07-28"

Principal = Callable[[Any], str]

#: The methods whose handlers may ask, with the member that names what is called.
NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def install(asker: Asker, server: Any, principal: Optional[Principal]) -> None:
    """Lets the tool handlers of a server ask."""
    low = getattr(server, "_lowlevel_server", None) or getattr(server, "_mcp_server", None) or server
    adapter = Adapter(asker, principal or token_owner)
    if hasattr(low, "middleware") and hasattr(low, "add_request_handler"):
        # The SDK seals states with a key of one process. It must not seal those that any process may open.
        seals = [type(one).__name__ == "RequestStateBoundary" for one in low.middleware]
        low.middleware.insert(seals.index(True) if any(seals) else len(seals), Middleware(adapter))
    elif hasattr(low, "request_handlers"):
        from .sdk1 import wrap

        wrap(adapter, low)
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
    """What the adapters of both SDKs share."""

    def __init__(self, asker: Asker, principal: Principal):
        self.asker: Asker = asker
        self.principal: Principal = principal
        self._names: "weakref.WeakKeyDictionary[Any, str]" = weakref.WeakKeyDictionary()

    def session_name(self, connection: Any) -> str:
        """Names a connection, and closes its session in the asker when it is over."""
        name = self._names.get(connection)
        if name is None:
            name = self._names[connection] = secrets.token_hex(16)  # other processes may have connections in the store
            loop = asyncio.get_running_loop()

            def gone() -> None:
                try:
                    loop.call_soon_threadsafe(lambda: loop.create_task(self.asker.close_session(name)))
                except RuntimeError:  # the loop is closed, and with it everything that waits
                    pass

            ended = weakref.finalize(connection, gone)
            setattr(ended, "atexit", False)
            stack = getattr(connection, "exit_stack", None)
            if stack is not None:
                stack.callback(ended)
        return name

    def client(self, context: Any, version: str, capabilities: Any, connection: Any, sends: bool) -> Client:
        """Who calls. ``sends`` says whether the transport can carry requests to the client."""
        if version >= ROUNDS:
            return Client(None, self.principal(context), ROUNDS, declared(capabilities))
        peer = SessionPeer(context.session, context.request_id) if sends else None
        lasts = sends or capabilities is not None  # a connection for one request has had no initialize
        name = self.session_name(connection) if lasts else None
        version = "2025-06-18" if version < "2025-11-25" else "2025-11-25"
        return Client(name, self.principal(context), version, declared(capabilities), peer)

    async def called(self, call: Call, handler: Callable[[Call], Any]) -> Any:
        """Runs a call, or the one that takes its place. It returns the result of the handler, or an
        :class:`Interruption`."""
        runs = [call]

        def again(target: str, arguments: Optional[Dict[str, Any]]) -> None:
            runs.append(dataclasses.replace(call, target=target, arguments=arguments))

        return await self.asker.run(dataclasses.replace(call, again=again), lambda: handler(runs[-1]))


def declared(capabilities: Any) -> Tuple[str, ...]:
    """The modes that a client declared. An empty object means forms."""
    given = None if capabilities is None else getattr(capabilities, "elicitation", None)
    if given is None:
        return ()
    url = getattr(given, "url", None) is not None
    form = getattr(given, "form", None) is not None or not url
    return ("form",) * form + ("url",) * url


def whole(result: Any) -> Dict[str, Any]:
    """A result of the SDK as JSON."""
    out: Dict[str, Any] = result
    if not isinstance(result, dict):
        out = result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return out


def told(result: Any, tool: str) -> Any:
    """A result in which the model reads how a question ended. The SDK names the tool alone when a handler fails."""
    error = uncaught()
    said = [{"type": "text", "text": "Error executing tool " + tool}]
    if error is None or whole(result).get("content") != said:
        return result
    return {**whole(result), "content": [{"type": "text", "text": str(error)}]}


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
        unchecked: Any = Unchecked
        try:
            return await self._session.send_request(message, unchecked, metadata=along)
        except asyncio.CancelledError:
            if number is not None:  # SDK 2 tells the client by itself
                taken_back = {"requestId": number, "reason": "the question is over"}
                asyncio.get_running_loop().create_task(self.notify("notifications/cancelled", taken_back))
            raise
        except Exception as error:
            said = getattr(error, "error", None)
            if said is None or not isinstance(getattr(said, "code", None), int):
                raise
            raise PeerError(said.code, said.message) from None

    async def notify(self, method: str, params: Dict[str, Any]) -> None:
        message: Any = Message(method, params)
        await self._session.send_notification(message, self._request)


class Middleware:
    """The middleware of the SDK 2."""

    def __init__(self, adapter: Adapter):
        self._adapter = adapter

    async def __call__(self, context: Any, call_next: Any) -> Any:
        params = context.params or {}
        arguments = params.get("arguments")
        name = NAMES.get(context.method, "")
        if context.request_id is None or not name and context.method != "tools/list":
            return await call_next(context)
        if context.method == "tools/list":
            return self._listed(self._client(context), await call_next(context))
        if not isinstance(params.get(name), str) or arguments is not None and not isinstance(arguments, dict):
            return await call_next(context)  # the SDK refuses it
        client, state = self._client(context), params.get("requestState")

        async def handler(call: Call) -> Any:
            again = {name: value for name, value in params.items() if name not in ("requestState", "inputResponses")}
            if call.target != params[name]:
                again.update(name=call.target, arguments=call.arguments or {})
            return told(await call_next(dataclasses.replace(context, params=again)), call.target)

        structured = context.method == "tools/call" and self._adapter.asker.needs_fallback(client)
        structured = structured and await self._structured(context, call_next, params["name"])
        call = Call(
            client, params[name], arguments, context.method, structured,
            state=state if isinstance(state, str) else None, responses=params.get("inputResponses"), written=whole,
            token=(params.get("_meta") or {}).get("progressToken"),
            notify=SessionPeer(context.session, context.request_id).notify,
        )
        from mcp.shared.exceptions import MCPError

        try:
            result = await self._adapter.called(call, handler)
        except StateError as error:
            raise MCPError(code=-32602, message=str(error), data={"reason": "invalid_request_state"}) from None
        except Exception as error:
            code, text = coded(error)
            if context.method != "tools/call" and code:
                raise MCPError(code=code, message=text) from error
            raise
        if not isinstance(result, Interruption):
            return result
        if result.error is not None:
            raise MCPError(**result.error)
        complete = {"resultType": "complete"} if client.version >= ROUNDS else {}
        return {**complete, **(result.result or {})}

    def _client(self, context: Any) -> Client:
        session = context.session
        connection = getattr(session, "_connection", session)
        version, sends = context.protocol_version, session.can_send_request
        return self._adapter.client(context, version, session.client_capabilities, connection, sends)

    def _listed(self, client: Client, result: Any) -> Any:
        """The list of tools with the fallback tool, for clients that need it."""
        tool = self._adapter.asker.fallback_tool(client)
        if tool is None:
            return result
        result = whole(result)
        if result.get("nextCursor") is not None:
            return result
        return {**result, "tools": [*result["tools"], tool]}

    async def _structured(self, context: Any, call_next: Any, name: str) -> bool:
        """Whether a tool promises structured content, which a text for a model cannot give."""
        meta = {k: v for k, v in (context.params or {}).items() if k == "_meta"}
        cursor: Any = None
        for _ in range(100):
            params = {**meta, **({} if cursor is None else {"cursor": cursor})}
            result = whole(await call_next(dataclasses.replace(context, method="tools/list", params=params)))
            for tool in result["tools"]:
                if tool["name"] == name:
                    return tool.get("outputSchema") is not None
            cursor = result.get("nextCursor")
            if cursor is None:
                break
        return False
