"""The pages of a server that asks, for every server of ASGI: ``app.mount("/", pages(asker))``, or beside other routes.

The rules are the engine's: who may see a question, and what protects it (docs/asking.md)."""

from __future__ import annotations

import inspect
import pathlib
from typing import Any, Awaitable, Callable, Dict, Optional, Union

from ..engine import describe
from .asker import Asker

#: The files that the pages load.
FILES = pathlib.Path(__file__).parent / "page"

Scope = Dict[str, Any]
Who = Optional[str]


class Forbidden(Exception):
    """Says in ``principal`` that the person who is signed in may not answer here."""


def pages(
    asker: Asker,
    principal: Optional[Callable[[Scope], Union[Who, Awaitable[Who]]]] = None,
    on_error: Callable[[BaseException], object] = lambda error: None,
    files: pathlib.Path = FILES,
) -> Callable[..., Awaitable[None]]:
    """An application of ASGI for the requests below the address of ``page`` of the asker.

    ``principal`` names the person who makes a request, from the server's own login, and None for nobody. Without it, a
    link belongs to the first browser that claims it, which suits a server on the person's own machine. ``on_error``
    gets what a person reads of as a fault only."""
    most = describe()["asking"]["asker"]["most_body"] + 1  # the machine refuses one byte more

    async def app(scope: Scope, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
        headers = [[name.decode("latin-1"), value.decode("latin-1")] for name, value in scope["headers"]]
        body, more = b"", True
        while more and len(body) < most:
            part = await receive()
            body, more = (body + part.get("body", b""))[:most], part.get("more_body", False)
        request: Dict[str, Any] = {
            "method": scope["method"], "path": scope["path"], "headers": headers,
            "host": "".join(value for name, value in headers if name.lower() == "host"),
        }
        try:
            request["body"] = body.decode("utf-8", "strict" if len(body) < most else "replace")
        except UnicodeDecodeError:
            request["body"] = ""  # the machine refuses it as it refuses other bodies that are no JSON
        if principal is not None:
            request["principal"] = ""
            try:
                who = principal(scope)
                request["principal"] = (await who if inspect.isawaitable(who) else who) or ""
            except Forbidden:
                request["refused"] = "forbidden"
            except Exception as error:
                request["refused"] = "failed"
                on_error(error)
        reply = await asker.serve(request)
        response = reply["response"]
        if "why" in reply:
            on_error(RuntimeError(reply["why"]))
        text = (files / response["file"]).read_bytes() if "file" in response else response.get("body", "").encode()
        sent = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in response["headers"]]
        await send({"type": "http.response.start", "status": response["status"], "headers": sent})
        await send({"type": "http.response.body", "body": text})

    return app
