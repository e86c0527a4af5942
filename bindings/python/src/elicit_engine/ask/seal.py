"""The keys that seal what a client carries from one round of a call to the next (MCP 2026-07-28)."""

from __future__ import annotations

import base64
import secrets
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Sequence

from ..engine import evaluate
from ..fault import InputError


class Key(NamedTuple):
    """A key that seals. ``id`` names it in what it sealed. ``secret`` has at least 32 random bytes."""

    id: str
    secret: bytes

    def __repr__(self) -> str:
        return "Key(id=%r)" % self.id

    def spelled(self) -> Dict[str, str]:  # as the engine reads it
        return {"id": self.id, "secret": base64.urlsafe_b64encode(self.secret).decode().rstrip("=")}


#: Does an operation of the engine, seal or unseal, with the keys.
Sealing = Callable[[str, Mapping[str, Any]], Dict[str, Any]]


def sealing(keys: Optional[Sequence[Key]]) -> Sealing:
    """Seals with the first key and opens with all. For None, it makes a key that only this process has."""
    ring = [key.spelled() for key in ([Key("process", secrets.token_bytes(32))] if keys is None else keys)]

    def perform(operation: str, given: Mapping[str, Any]) -> Dict[str, Any]:
        return evaluate(operation, {"keys": ring, **given})

    tried = {"random": "0" * 64, "purpose": "state", "claims": {"issued_at": 0, "expires_at": 1}}
    problems = perform("seal", tried).get("problems")
    if problems:
        raise InputError(problems, evaluate("explain", {"problems": problems})["problems"])
    return perform
