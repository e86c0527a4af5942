"""The secrets of an encrypted store: what they seal and open, and the codes that they make of names."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import struct
from typing import Dict, NamedTuple, Optional, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from .rules import StoreError

DOMAIN = b"elicit store 1 "
MAGIC = b"\x00eS1"
SALT, BLOCK = 32, 16

#: Each key seals one text, so its nonce may be the same for all.
NONCE = bytes(12)


class EncryptionError(StoreError):
    """What is at rest cannot be opened. ``code`` is plain, tampered or key: it is not encrypted, was changed or moved,
    or was sealed with a key that is not there."""


class Key(NamedTuple):
    """A secret of at least 32 bytes, with an id of 1 to 255 bytes, which is not secret."""

    id: str
    secret: bytes

    def __repr__(self) -> str:
        return "Key(id=%r)" % self.id


def tampered() -> EncryptionError:
    return EncryptionError("tampered", "something at rest was changed or moved")


def derived(secret: bytes, salt: Optional[bytes], info: bytes) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=salt, info=DOMAIN + info).derive(secret)


def coded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


class Ring:
    """The secrets of a store, ready for use. :class:`EncryptedStore` describes them."""

    def __init__(self, names: bytes, keys: Sequence[Key]):
        if len(names) < 32 or not keys:
            raise ValueError("an encrypted store needs a secret for names of 32 bytes or more, and a key")
        self._keys: Dict[bytes, bytes] = {}
        for key in keys:
            id = key.id.encode()
            if not 0 < len(id) < 256 or len(key.secret) < 32 or id in self._keys:
                raise ValueError("key %r: an id has 1 to 255 bytes and is there once, a secret 32 or more" % key.id)
            self._keys[id] = key.secret
        self._first: bytes = keys[0].id.encode()
        self._codes: bytes = derived(names, None, b"codes")
        self._names: bytes = derived(names, None, b"names")

    def _sum(self, *parts: bytes) -> bytes:
        """An HMAC over parts that cannot run into each other."""
        made = hmac.new(self._codes, digestmod=hashlib.sha256)
        for part in parts:
            made.update(struct.pack(">Q", len(part)) + part)
        return made.digest()

    def code(self, kind: str, *texts: str) -> str:
        """What stands for a text in the inner store. Nothing stands for nothing."""
        if not texts[-1]:
            return ""
        return coded(self._sum(*(text.encode() for text in (kind, *texts)))[:24])

    def name(self, session: str) -> str:
        """What stands for a session. It is the HMAC of the name and, because a store tells names that are due, the name
        encrypted with the HMAC as its nonce. Nothing else can be told of it but the length."""
        text = session.encode()
        tag = self._sum(b"session", text)[:BLOCK]
        return coded(tag + self._stream(tag, text))

    def session(self, name: str) -> str:
        """The name that a code stands for."""
        try:
            raw = base64.b64decode(name + "=" * (-len(name) % 4), altchars=b"-_", validate=True)
        except ValueError:
            raw = b""
        if len(raw) < BLOCK:
            raise EncryptionError("plain", "something at rest is not encrypted")
        tag, text = raw[:BLOCK], self._stream(raw[:BLOCK], raw[BLOCK:])
        if not hmac.compare_digest(tag, self._sum(b"session", text)[:BLOCK]):
            raise tampered()
        return text.decode()

    def _stream(self, tag: bytes, text: bytes) -> bytes:
        cipher = Cipher(algorithms.AES(self._names), modes.CTR(tag)).encryptor()
        return cipher.update(text) + cipher.finalize()

    def _aead(self, id: bytes, salt: bytes) -> AESGCM:
        return AESGCM(derived(self._keys[id], salt, b"seal " + id))

    def seal(self, plain: bytes, kind: str, name: str, a: int = 0, b: int = 0) -> bytes:
        """Seals bytes for their place."""
        salt = secrets.token_bytes(SALT)
        header = MAGIC + bytes([len(self._first)]) + self._first + salt
        return header + self._aead(self._first, salt).encrypt(NONCE, plain, bound(header, kind, name, a, b))

    def open(self, sealed: bytes, kind: str, name: str, a: int = 0, b: int = 0) -> bytes:
        """Opens what was sealed for this place."""
        if not sealed.startswith(MAGIC):
            raise EncryptionError("plain", "something at rest is not encrypted")
        at = len(MAGIC) + 1
        end = at + (sealed[at - 1] if len(sealed) >= at else 0)
        id, header = sealed[at:end], sealed[: end + SALT]
        if len(header) < end + SALT or not id:
            raise tampered()
        if id not in self._keys:
            name = id.decode(errors="replace")
            raise EncryptionError("key", "something at rest was sealed with the key %r, which is not there" % name)
        try:
            given = bound(header, kind, name, a, b)
            return self._aead(id, header[end:]).decrypt(NONCE, sealed[len(header):], given)
        except InvalidTag:
            raise tampered() from None


def bound(header: bytes, kind: str, name: str, a: int, b: int) -> bytes:
    """What a sealed text belongs to, and its header."""
    parts = b"".join(struct.pack(">Q", len(part)) + part for part in (kind.encode(), name.encode()))
    return DOMAIN + header + parts + struct.pack(">QQ", a, b)
