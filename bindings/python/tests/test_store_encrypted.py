"""What an encrypted store keeps at rest, and what it refuses. Package store/encrypted of Go writes the same."""

import asyncio
import base64
import dataclasses

import pytest

from elicit_engine import ask
from elicit_engine.store import Change, Entry, MemoryStore, Query
from elicit_engine.store.encrypted import EncryptedStore, EncryptionError, Key

NAMES, OLD, NEW = b"n" * 32, Key("2026", b"k" * 32), Key("2027", b"l" * 32)

#: Go wrote these for the session "Ännchen", with the secrets NAMES and OLD.
NAME = "dAfT0Xcbwcl3e8E-XruHr6XV9q4HQu3B"
STATE = "AGVTMQQyMDI2eya4+2E+jWdbcoZqp2LLLaarCsvrh2Qv9LZCcnDtCO8blZWjo1M/Mlz5tiTg5Z00qe9cJXWGI6Uf"
VERSION = 1000 << 10
ENTRY = Entry(
    "FPVJh1cQN33E3IK8fEZUTxhrCb5-nLiz", 7, server="kL9cjKaFe0CTvebniaMHooi8kg75gvkC",
    outcome="E1m56uqd7dcaPKX8-JVnQerhPqqowjm5", body=base64.b64decode(
        "AGVTMQQyMDI2P3EDv4BkXh2vcJI2HMBr0sfHtDyJtTL8pFN7KnbhWyoL2hnRiNhzo6JNchDswW9ln049ruB9E4GcIi9jORwP7BOoR7EcTbQfPc"
        "IVlMRJmWvye9lt18I+w5Kv8hwRyXw6P0y5na4ttEYHzib6FG3BVhDa6digxe3QHmIoBP59GRfmUyWDVAhF3mERPnXe1zkiSsSdDVO1/MrfwXDm"
        "ILnik8A="),
)


def wrapped(inner, *keys):
    return EncryptedStore(inner, names=NAMES, keys=keys or [OLD])


async def written(state=base64.b64decode(STATE)):
    """A store in memory as Go left it."""
    inner = MemoryStore()
    await inner.commit(Change(NAME, 0, 1000 << 10, 1000, state, entries=[ENTRY]))
    return inner


async def code_of(doing):
    with pytest.raises(EncryptionError) as error:
        await doing
    return error.value.code


def test_what_go_wrote_is_opened():
    async def body():
        store = wrapped(await written())
        assert (await store.load("Ännchen")).state == b"the state"
        query = Query(server="bot", outcome="accept", text="go on")
        found = [entry async for entry in store.history(query)]
        assert found == [Entry("q1", 7, "Ännchen", "bot", "", "accept", "Go on?", b"{}")]

    asyncio.run(body())


def test_what_was_changed_moved_or_is_not_ours_is_refused():
    async def body():
        raw = base64.b64decode(STATE)
        for at in (5, 20, len(raw) - 1):
            changed = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1:]
            assert await code_of(wrapped(await written(changed)).load("Ännchen")) == ("key" if at == 5 else "tampered")
        for at in range(4, 42):  # cut in its header
            assert await code_of(wrapped(await written(raw[:at])).load("Ännchen")) == "tampered"
        assert await code_of(wrapped(await written(b"{}")).load("Ännchen")) == "plain"
        assert await code_of(wrapped(await written(), NEW).load("Ännchen")) == "key"

        inner = await written()
        store = wrapped(inner)
        await store.commit(Change("other", 0, 1000 << 10, 1000, b"of the other"))
        other = store._code("other")
        moved = dataclasses.replace(await inner.load(other), state=raw)
        inner.load = lambda name: asyncio.sleep(0, moved)
        assert await code_of(store.load("other")) == "tampered"

    asyncio.run(body())


def test_keys_rotate():
    async def body():
        inner = await written()
        store = wrapped(inner, NEW, OLD)
        assert (await store.load("Ännchen")).state == b"the state"
        await store.commit(Change("Ännchen", VERSION, VERSION + 1, 2000, b"a later state"))
        assert (await wrapped(inner, NEW).load("Ännchen")).state == b"a later state"
        assert await code_of(wrapped(inner).load("Ännchen")) == "key"

    asyncio.run(body())


@pytest.mark.parametrize("names, keys", [
    (b"short", [OLD]), (NAMES, []), (NAMES, [OLD, OLD]), (NAMES, [Key("", b"k" * 32)]), (NAMES, [Key("k", b"short")]),
])
def test_weak_secrets_are_refused(names, keys):
    with pytest.raises(ValueError):
        EncryptedStore(MemoryStore(), names=names, keys=keys)


def test_a_question_leaves_nothing_in_clear():
    kept = []

    class Seen:
        def __init__(self, inner):
            self.inner = inner

        def __getattr__(self, name):
            return getattr(self.inner, name)

        async def commit(self, change):
            kept.append(repr(change))
            return await self.inner.commit(change)

    class Agrees:
        async def request(self, method, params):
            return {"action": "accept", "content": {"choice": "topsecret"}}

        async def notify(self, method, params):
            pass

    async def body():
        asker = ask.Asker("deploy-bot", store=wrapped(Seen(MemoryStore())))
        client = ask.Client(session="s", principal="annabel", declared=("form",), peer=Agrees())

        async def handler(call):
            return await ask.choose("Which of them?", ["topsecret", "other"])

        assert await asker.run(ask.Call(client, "deploytool"), handler) == "topsecret"
        await asker.close()
        assert len(kept) == 4  # the allowance of the caller, the question, the answer and the end
        for word in ("topsecret", "annabel", "Which of", "deploy-bot", "deploytool", "accept"):
            assert word not in "".join(kept)

    asyncio.run(body())
