"""The way to the client of a call."""

from __future__ import annotations

from typing import Any, Dict, Protocol

from ..engine import Effect
from ..fault import report


class PeerError(Exception):
    """A JSON-RPC error that the client answered with."""

    def __init__(self, code: int, message: str):
        self.code: int = code
        self.message: str = message
        super().__init__(message)


class Peer(Protocol):
    """Sends to the client of a call. A cancelled request tells the client so."""

    async def request(self, method: str, params: Dict[str, Any]) -> Any: ...

    async def notify(self, method: str, params: Dict[str, Any]) -> None: ...


async def told_quietly(peer: Peer, effect: Effect) -> None:
    try:
        await peer.notify(effect["method"], effect["params"])
    except Exception as error:
        report("a notification could not be sent", error)
