"""Seals what a client carries from one round of a call to the next (MCP 2026-07-28)."""

from __future__ import annotations

import base64
import json
import logging
import secrets
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence

from ..engine import evaluate
from ..fault import InputError
from .errors import StateError

log: logging.Logger = logging.getLogger("elicit_engine.ask")

#: How far the clocks of two processes of a server may differ, in milliseconds.
SKEW = 5 * 60 * 1000


class Key(NamedTuple):
    """A key that seals. ``id`` names it in what it sealed. ``secret`` has at least 32 random bytes."""

    id: str
    secret: bytes

    def __repr__(self) -> str:
        return "Key(id=%r)" % self.id


class Opened(NamedTuple):
    """A state that came back. It counts once."""

    id: str
    expires: int
    body: Mapping[str, Any]


class Sealer:
    """Seals with the first key and opens with all. Without keys, it makes one that only this process has."""

    def __init__(self, keys: Sequence[Key], server: str):
        ring = list(keys) or [Key("process", secrets.token_bytes(32))]
        self._keys: List[Dict[str, str]] = [
            {"id": key.id, "secret": base64.urlsafe_b64encode(key.secret).decode().rstrip("=")} for key in ring
        ]
        self._server = server
        self.seal({"method": "tools/call"}, {}, 0, 1)  # reports keys that cannot seal

    def seal(self, binding: Mapping[str, Any], body: Mapping[str, Any], now: int, expires: int) -> str:
        """Seals a document for a call: for its principal, method, target and arguments."""
        claims = {**self._bound(binding), "issued_at": now, "expires_at": expires, "body": body}
        given = {"keys": self._keys, "random": secrets.token_hex(32), "purpose": "state", "claims": claims}
        token: str = self._done("seal", given)["token"]
        return token

    def open(self, binding: Mapping[str, Any], token: str, now: int) -> Opened:
        """Opens what was sealed for this call."""
        expected = {**self._bound(binding), "now": now, "skew": SKEW}
        given = {"keys": self._keys, "token": token, "purpose": "state", "expected": expected}
        try:
            claims = self._done("unseal", given)["claims"]
        except (InputError, ValueError) as error:
            log.info("a requestState was refused: %s", error)
            raise StateError("invalid or expired requestState") from None
        return Opened(claims["id"], claims["expires_at"], json.loads(claims["body_text"]))

    def _bound(self, binding: Mapping[str, Any]) -> Dict[str, Any]:
        return {"audience": self._server, **{k: v for k, v in binding.items() if v is not None and v != ""}}

    def _done(self, operation: str, given: Mapping[str, Any]) -> Dict[str, Any]:
        out = evaluate(operation, given)
        problems: Optional[List[Dict[str, Any]]] = out.get("problems")
        if problems is None and "problem" in out:
            problems = [out["problem"]]
        if problems:
            raise InputError(problems, evaluate("explain", {"problems": problems})["problems"])
        return out
