"""The vectors of the asking side of a process through the loop of this package: stores, peers and keys that answer as
the inputs say, and every event and effect of the machine as the vector wants it."""

import asyncio
import json
import pathlib
import re
import time

import pytest

from elicit_engine.ask import host
from elicit_engine.store import Saved, StoreError

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "testdata" / "vectors" / "asker"
VECTORS = [vector for path in sorted(FOLDER.glob("*.json")) for vector in json.loads(path.read_text())]
#: Without those whose configuration or event cannot be read.
VECTORS = [vector for vector in VECTORS if "inputs" in vector["in"] and '"pointer"' not in json.dumps(vector["want"])]

#: What the store answers, by the name of the event.
STORED = {"loaded": "load", "missing": "load", "committed": "commit", "conflicted": "commit", "redeemed": "redeem",
          "found": "due", "store_failed": None}


class Why(StoreError):
    def __str__(self):
        return str(self.args[0])[len("store: "):]


class PeerError(Exception):
    def __init__(self, error):
        self.code, self.message = error["code"], error["message"]


class Script:
    """A vector that is being run. It stands for time, random bytes, stores, peers, keys and guardians."""

    def __init__(self, vector):
        self.config, self.inputs, self.steps = vector["in"]["asker"], [], []
        self.names, self.refs, self.states, self.body = [], [], [], None
        self.hosts, self.pending, self.wakes, self.direct, at = {}, {}, {}, 0, 0
        for given in vector["in"]["inputs"]:
            given = given if isinstance(given["event"], dict) else {"event": given}
            at = max(at, given.get("at", 0))
            self.inputs.append({**given, "at": at})

    def at(self):
        return self.inputs[min(len(self.steps), len(self.inputs) - 1)]["at"]

    def random(self, size):
        given = self.inputs[min(len(self.steps), len(self.inputs) - 1)].get("random")
        return given or (len(self.steps) + 1).to_bytes(32, "little").hex()

    def long(self, event):
        text = json.dumps(event)
        for n in range(len(self.names), 0, -1):
            text = text.replace("$%d" % n, self.names[n - 1])
        known = {"ask-%d" % n: ref for n, ref in enumerate(self.refs, 1)}
        known.update({"state-%d" % n: state for n, state in enumerate(self.states, 1)})
        for name, one in {**known, "$body": self.body}.items():
            text = text.replace(json.dumps(name), json.dumps(one))
        return json.loads(text)

    def short(self, effects):
        for effect in effects:
            effect.pop("records", None) if effect["effect"] == "commit" else None
            for name, known in (("send", self.refs), ("commit", self.states)):
                if effect["effect"] == name and (name == "send" or "state" in effect):
                    known.append(effect["ref" if name == "send" else "state"])
            self.body = effect["claims"]["body_text"] if effect["effect"] == "seal" else self.body
        text = json.dumps(effects, ensure_ascii=False)
        for n, state in enumerate(self.states, 1):
            text = text.replace(json.dumps(state, ensure_ascii=False), '"state-%d"' % n)
        for name in re.findall("(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])", text):
            self.names += [] if name in self.names else [name]
        for n, name in enumerate(self.names, 1):
            text = text.replace(name, "$%d" % n)
        for n, ref in enumerate(self.refs, 1):
            text = text.replace(ref, "ask-%d" % n)
        return json.loads(text)

    def ahead(self, event, call):
        """What a later input says of something that the host does at once."""
        for given in self.inputs[len(self.steps):]:
            given = self.long(given["event"])
            if given["event"] == event and given.get("call", given.get("session")) == call:
                return {name: value for name, value in given.items() if name not in ("event", "call", "session")}
        return {}

    def host(self, on):
        if on not in self.hosts:
            end = Ends(self, on)
            store = end if self.config.get("store") else None
            self.hosts[on] = host.Host(self.config, end.sealing, self.at, store, end.journal, end.consult)
        return self.hosts[on]

    async def inject(self, given):
        on, event = given.get("on", 0), self.long(given["event"])
        process, name, about = self.host(on), event["event"], event.get("session", event.get("call", ""))
        about = event["said"]["round"] if name == "consulted" else about
        kinds = ["load", "commit", "redeem", "due"] if name == "store_failed" else [STORED.get(name, name)]
        kinds = ["watch"] if name in ("watched", "unwatched") else ["peer"] if name == "responded" else kinds
        held = [k for k, wait in self.pending.items() if k[0] == on and k[1] in kinds and not wait.done()]
        waits = [k for of in (event.get("ref", about), "") for k in held if k[2] == of]
        if name == "called":
            process.notifies[about] = lambda method, params: Ends(self, on).wait("progressed", about)
        if name == "ticked":
            process._timer = None
            process.step(event)
        elif name == "hinted" and (on, about) in self.wakes:
            self.wakes[on, about](event.get("version", 0))
        elif waits:
            answer(self.pending.pop(waits[0]), event)
        elif "ref" in event and name != "responded" and name != "given_up":
            process.begin(event, event["ref"], Ends(self, on))
        elif name in ("called", "returned"):
            process.begin(event, event["call"])
        else:
            self.direct += 1
            process.step(event)

    async def run(self, want):
        loop = asyncio.get_running_loop()
        loop.call_later = lambda *given: asyncio.TimerHandle(0, print, (), loop)  # time passes by the inputs alone
        for n, given in enumerate(self.inputs):
            if len(self.steps) <= n:
                await self.inject(given)
            for _ in range(20):
                await asyncio.sleep(0)
            event, early, effects = self.steps[n]
            for name, value in self.long(given["event"]).items():
                assert event[name] == value, (n, name)
            key = (lambda one: sorted(set(map(json.dumps, one)))) if early else json.dumps
            assert key(effects) == key(want[n]), n


def answer(waits, event):
    """Ends the wait for a store or a peer as an event says."""
    name = event["event"]
    if name == "store_failed":
        waits.set_exception(Why("unavailable" if event.get("away") else "invalid", event.get("why", "")))
    elif name == "conflicted":
        waits.set_exception(StoreError("conflict", ""))
    elif name == "unwatched":
        waits.set_exception(StoreError("unavailable", ""))
    elif name == "responded" and "error" in event:
        waits.set_exception(PeerError(event["error"]))
    elif name == "loaded":
        waits.set_result(Saved(event["version"], event["state"].encode()))
    else:
        waits.set_result({"committed": event.get("version"), "redeemed": not event.get("again"),
                          "found": event.get("sessions"), "responded": event.get("result"),
                          "consulted": event.get("said")}.get(name))


class Ends:
    """The store, the keys, the journal, the guardians and the client of one process."""

    def __init__(self, script, on):
        self.script, self.on = script, on

    def wait(self, kind, about):
        self.script.pending[self.on, kind, about] = made = asyncio.get_running_loop().create_future()
        return made

    async def load(self, session):
        return await self.wait("load", session)

    async def commit(self, change):
        return await self.wait("commit", change.session)

    async def redeem(self, id, now, expires):
        return await self.wait("redeem", "")

    async def due(self, now, skip, limit):
        return await self.wait("due", "")

    async def watch(self, session, wake):
        await self.wait("watch", session)
        self.script.wakes[self.on, session] = wake
        return lambda: self.script.wakes.pop((self.on, session))

    async def request(self, method, params):
        return await self.wait("peer", self.script.refs[-1])

    async def notify(self, method, params):
        pass

    def sealing(self, operation, given):
        [call] = [one["call"] for one in self.script.effects if one["effect"] == operation][-1:]
        return self.script.ahead(operation + "ed", call)["said"]

    def journal(self, session, record):
        why = self.script.ahead("appended", session).get("why")
        if why:
            raise OSError(why)

    def consult(self, effect):
        return self.wait("consulted", effect["round"])


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["tcId"].split("/")[1])
def test_a_vector_through_the_loop(vector, monkeypatch):
    script = Script(vector)
    monkeypatch.setattr(host.secrets, "token_hex", script.random)
    monkeypatch.setattr(time, "monotonic_ns", lambda: script.at() * 1_000_000)
    stepped = host.Host._stepped

    def record(process, event):
        effects = stepped(process, event)
        all = process._early + effects  # a machine without a loop wakes first in its first step
        script.effects = effects
        script.steps.append((dict(event), bool(process._early), script.short(json.loads(json.dumps(all)))))
        return effects

    monkeypatch.setattr(host.Host, "_stepped", record)
    asyncio.run(script.run(vector["want"]["effects"]))
    assert script.direct <= 2
