"""Seals what a client carries from one round of a call to the next (MCP 2026-07-28)."""

from __future__ import annotations

import base64
import logging
import secrets
from typing import Any, Dict, List, Mapping, NamedTuple, Sequence

from ..engine import evaluate
from ..fault import InputError

log: logging.Logger = logging.getLogger("elicit_engine.ask")

#: How far the clocks of two processes of a server may differ, in milliseconds.
SKEW = 10 * 60 * 1000


class Key(NamedTuple):
    """A key that seals. ``id`` names it in what it sealed. ``secret`` has at least 32 random bytes."""

    id: str
    secret: bytes

    def __repr__(self) -> str:
        return "Key(id=%r)" % self.id


class Sealer:
    """Seals with the first key and opens with all. Without keys, it makes one that only this process has."""

    def __init__(self, keys: Sequence[Key], server: str):
        ring = list(keys) or [Key("process", secrets.token_bytes(32))]
        self._keys: List[Dict[str, str]] = [
            {"id": key.id, "secret": base64.urlsafe_b64encode(key.secret).decode().rstrip("=")} for key in ring
        ]
        self._server = server
        problems = self._sealed({"method": "tools/call"}, "{}", 0, 1).get("problems")
        if problems:
            raise InputError(problems, evaluate("explain", {"problems": problems})["problems"])

    def seal(self, effect: Mapping[str, Any], now: int) -> Dict[str, Any]:
        """What the machine hears of sealing for a call: for its principal, method, target and arguments."""
        made = self._sealed(effect, effect["body"], now, effect["expires"])
        return {"state": made["token"]} if "token" in made else {"why": "the state cannot be sealed: %s" % made}

    def open(self, effect: Mapping[str, Any], now: int) -> Dict[str, Any]:
        """What the machine hears of opening what was sealed for a call. The client learns no reason."""
        expected = {**self._bound(effect), "now": now, "skew": SKEW}
        given = {"keys": self._keys, "token": effect["state"], "purpose": "state", "expected": expected}
        try:
            opened = evaluate("unseal", given)
        except (InputError, ValueError) as error:
            opened = {"problems": str(error)}
        if "claims" not in opened:
            log.info("a requestState was refused: %s", opened)
            return {}
        claims = opened["claims"]
        return {"id": claims["id"], "body": claims["body_text"], "expires": claims["expires_at"]}

    def _sealed(self, binding: Mapping[str, Any], body: str, now: int, expires: int) -> Dict[str, Any]:
        claims = {**self._bound(binding), "issued_at": now, "expires_at": expires, "body_text": body}
        given = {"keys": self._keys, "random": secrets.token_hex(32), "purpose": "state", "claims": claims}
        return evaluate("seal", given)

    def _bound(self, binding: Mapping[str, Any]) -> Dict[str, Any]:
        of = {name: binding[name] for name in ("principal", "method", "target", "arguments") if name in binding}
        return {**of, "audience": self._server}
