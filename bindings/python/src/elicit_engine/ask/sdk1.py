"""The adapter for low-level servers of the official SDK 1.x, which has no middleware: it wraps two handlers."""

from __future__ import annotations

import importlib
from typing import Any, Dict

from .call import Call, Client, Interruption
from .errors import StateError, coded
from .sdk import Adapter, SessionPeer, whole


def wrap(adapter: Adapter, server: Any) -> None:
    """Replaces the handlers that may ask, and that of tools/list, by handlers around them."""
    # A type checker knows one SDK only, and that is the other one.
    types: Any = importlib.import_module("mcp.types")
    McpError: Any = getattr(importlib.import_module("mcp.shared.exceptions"), "McpError")
    versions: Any = getattr(importlib.import_module("mcp.shared.version"), "SUPPORTED_PROTOCOL_VERSIONS")

    handlers = server.request_handlers
    if types.CallToolRequest not in handlers:
        raise TypeError("ask: install the asker after the handlers of the server, such as @server.call_tool()")
    call_tool, list_tools = handlers[types.CallToolRequest], handlers.get(types.ListToolsRequest)

    def client() -> Client:
        context = server.request_context
        said = context.session.client_params
        version = types.LATEST_PROTOCOL_VERSION
        if said is not None and said.protocolVersion in versions:
            version = said.protocolVersion
        capabilities = None if said is None else said.capabilities
        sends = said is not None  # a stateless session has had no initialize
        return adapter.client(context, version, capabilities, context.session, sends)

    def progress() -> Dict[str, Any]:
        """With what the client of a call hears of its progress."""
        context = server.request_context
        return {"token": getattr(context.meta, "progressToken", None),
                "notify": SessionPeer(context.session, context.request_id).notify}

    async def called(request: Any) -> Any:
        async def handler(call: Call) -> Any:
            again = request.params.model_copy(update={"name": call.target, "arguments": call.arguments})
            return await call_tool(request.model_copy(update={"params": again}))

        who = client()
        structured = adapter.asker.needs_fallback(who) and await promises(request.params.name)
        try:
            call = Call(who, request.params.name, request.params.arguments, structured=structured,
                        written=lambda result: whole(result.root), **progress())
            result = await adapter.called(call, handler)
        except StateError as error:
            raise McpError(types.ErrorData(code=-32602, message=str(error))) from None
        if not isinstance(result, Interruption):
            return result
        if result.error is not None:
            raise McpError(types.ErrorData.model_validate(result.error))
        return types.ServerResult(types.CallToolResult.model_validate(result.result))

    async def promises(name: str) -> bool:
        """Whether a tool promises structured content."""
        if list_tools is None:
            return False
        listed = await list_tools(types.ListToolsRequest(method="tools/list"))
        return any(tool.name == name and tool.outputSchema is not None for tool in listed.root.tools)

    async def listed(request: Any) -> Any:
        assert list_tools is not None
        result = await list_tools(request)
        # Without a request, the SDK fills its own table of tools.
        tool = None if request is None or result.root.nextCursor is not None else adapter.asker.fallback_tool(client())
        if tool is None:
            return result
        tools = [*result.root.tools, types.Tool.model_validate(tool)]
        return types.ServerResult(result.root.model_copy(update={"tools": tools}))

    def around(get: Any, method: str, name: str) -> Any:
        """The handler of a prompt or a resource."""

        async def got(request: Any) -> Any:
            async def handler(call: Call) -> Any:
                return await get(request)

            arguments = getattr(request.params, "arguments", None)
            try:
                call = Call(client(), str(getattr(request.params, name)), arguments, method, **progress())
                result = await adapter.asker.run(call, lambda: handler(call))
            except Exception as error:
                code, text = (-32602, str(error)) if isinstance(error, StateError) else coded(error)
                if not code:
                    raise
                raise McpError(types.ErrorData(code=code, message=text)) from error
            if isinstance(result, Interruption):
                raise McpError(types.ErrorData.model_validate(result.error))
            return result

        return got

    for kind, method, name in (
        (types.GetPromptRequest, "prompts/get", "name"), (types.ReadResourceRequest, "resources/read", "uri"),
    ):
        if kind in handlers:
            handlers[kind] = around(handlers[kind], method, name)
    handlers[types.CallToolRequest] = called
    if list_tools is not None:
        handlers[types.ListToolsRequest] = listed
