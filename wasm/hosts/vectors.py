"""vectors.py raw|component MODULE BUNDLE runs the bundled vectors under wasmtime and prints their number."""

import json
import struct
import sys

import wasmtime
from wasmtime import component


class RawModule:
    def __init__(self, module):
        engine = wasmtime.Engine()
        self.store = wasmtime.Store(engine)
        self.store.set_wasi(wasmtime.WasiConfig())
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        exports = linker.instantiate(self.store, wasmtime.Module.from_file(engine, module)).exports(self.store)
        self.memory, self.input, self.perform = exports["memory"], exports["elicit_input"], exports["elicit_call"]
        exports["_initialize"](self.store)

    def call(self, op, handle, at, given):
        """Returns status, opened handle and document."""
        self.memory.write(self.store, given, self.input(self.store, len(given)))
        packed = self.perform(self.store, op, handle, at, len(given)) & 2**64 - 1
        start, size = packed >> 32, packed & 2**32 - 1
        out = bytes(self.memory.read(self.store, start, start + size))
        status, zero, opened = struct.unpack_from("<IIQ", out)
        assert zero == 0, zero
        return status, opened, out[16:]


class ComponentModule:
    def __init__(self, file):
        engine = wasmtime.Engine()
        self.store = wasmtime.Store(engine)
        self.store.set_wasi(wasmtime.WasiConfig())
        linker = component.Linker(engine)
        linker.add_wasip2()
        self.instance = linker.instantiate(self.store, component.Component.from_file(engine, file))
        self.interface = self.instance.get_export_index(self.store, "elicit:engine/abi@1.0.0")
        self.eval = self.function("eval")
        self.ops = json.loads(self.function("describe")(self.store))["ops"]

    def function(self, name):
        return self.instance.get_func(self.store, self.instance.get_export_index(self.store, name, self.interface))

    def use(self, name, *given):
        """Calls a function, and returns the document or the record of its result."""
        got = self.function(name)(self.store, *given)
        return getattr(got, "payload", got)  # a variant, if the two sides of the result are both records

    def steps(self, resource, name, *given):
        """Calls a method, and returns the effects of its result."""
        return json.loads(self.use(f"[method]{name}", resource, *given))["effects"]

    def call(self, op, handle, at, given):
        """Returns what the raw module would return. A stateless operation never fails and opens no handle."""
        return 0, 0, self.eval(self.store, self.ops[op - 16], given.decode()).encode()


def refuses(status, fault):
    assert fault.status == status and json.loads(fault.problems)["problems"], vars(fault)


def question(c):
    """Asks, saves and resumes in the component."""
    opened = c.use("[static]engine.open", "{}", 1000)
    engine = opened.engine
    assert json.loads(opened.effects)["effects"][0]["effect"] == "append"

    def step(event):
        return c.steps(engine, "engine.step", json.dumps({"event": event}), 2000)

    modes = {"declared": ["form"], "shown": ["form"]}
    step({"event": "opened", "session": "s", "server": "build", "side": "answering", **modes})
    schema = {"type": "object", "properties": {}}
    asked = step({"event": "asked", "session": "s", "ref": "1", "mode": "form", "message": "Go on?", "schema": schema})
    shown = next(e for e in asked if e["effect"] == "show")
    state = json.loads(c.use("[method]engine.save", engine, "s"))["state"]
    declined = step({"event": "answered", "session": "s", "id": shown["id"], "action": "decline"})
    assert next(e for e in declined if e["effect"] == "reply")["outcome"] == "decline"
    refuses("invalid", c.use("[method]engine.save", engine, '"'))
    refuses("too-large", c.use("[method]engine.step", engine, " " * (8 * 2**20 + 1), 0))
    refuses("invalid", c.use("[method]engine.step", engine, "{", 2**64 - 1))
    refuses("invalid", c.use("[static]engine.open", "[]", 0))
    engine.drop(c.store)
    second = c.use("[static]engine.open", "{}", 0).engine
    c.steps(second, "engine.step", json.dumps({"event": {"event": "resumed", "state": state}}), 3000)
    second.drop(c.store)
    assert json.loads(c.eval(c.store, "nothing", "{}"))["problems"][0]["code"] == "unknown_op"


def form(c):
    """Compiles a form in the component, and checks answers with it."""
    given = {"schema": {"type": "object", "properties": {"n": {"type": "integer"}}}}
    compiled = c.use("[static]form.compile", json.dumps(given))
    assert json.loads(compiled.description)["form"]["fields"][0]["name"] == "n"
    check = lambda answer: json.loads(c.use("[method]form.check", compiled.form, answer))["problems"]
    assert check('{"n":1}') == [] and check('{"n":"x"}')[0]["code"] == "wrong_type"
    compiled.form.drop(c.store)
    refuses("invalid", c.use("[static]form.compile", "{}"))


def connection(c):
    """Passes messages and a question through a connection of the component."""
    config = {"server": "build", "role": "client", "modes": ["form"]}
    config["session"] = {"version": "2025-11-25", "declared": ["form"]}
    opened = c.use("[static]connection.open", json.dumps(config), 1000)
    link = opened.connection
    assert json.loads(opened.effects)["effects"][0]["effect"] == "append"

    def receive(end, message):
        text = message if isinstance(message, str) else json.dumps(message)
        return c.steps(link, "connection.receive", end, text.encode(), 2000)

    large = {"jsonrpc": "2.0", "method": "x", "params": {"data": "a" * 2**20}}
    assert receive("client", large) == [{"effect": "forward", "to": "server"}]
    params = {"message": "Go on?", "requestedSchema": {"type": "object", "properties": {}}}
    asked = receive("server", {"jsonrpc": "2.0", "id": 7, "method": "elicitation/create", "params": params})
    assert [e["effect"] for e in asked].count("show") == 1
    assert receive("server", "\n") == []
    ended = c.steps(link, "connection.step", '{"event":{"event":"ended","end":"host"}}', 3000)
    reply = next(e for e in ended if e["effect"] == "send")
    assert json.loads(reply["message"])["result"]["action"] == "cancel"
    refuses("invalid", c.use("[method]connection.step", link, '{"save":"form"}', 0))
    refuses("invalid", c.use("[static]connection.open", '{"server":7}', 0))
    refuses("invalid", c.use("[static]connection.open", '{"server":"s"},"x":{', 0))
    link.drop(c.store)


def many(c):
    """The memory for arguments and results must not grow with engines and questions."""
    for _ in range(300):
        engine = c.use("[static]engine.open", "{}", 0).engine
        for at in range(10):
            c.steps(engine, "engine.step", '{"event":{"event":"ticked"}}', at)
        engine.drop(c.store)


def bundled(name):
    """Yields id, operation, input and output of each vector."""
    data = open(name, "rb").read()
    at = 0
    while at < len(data):
        op, *sizes = struct.unpack_from("<IIII", data, at)
        at += 16
        parts = []
        for size in sizes:
            parts.append(data[at : at + size])
            at += size
        yield parts[0].decode(), op, parts[1], parts[2]


def main(kind, module, bundle):
    engine = {"raw": RawModule, "component": ComponentModule}[kind](module)
    if kind == "component":
        for check in (question, form, connection, many):
            check(engine)
    ran = failed = 0
    for name, op, given, want in bundled(bundle):
        got = engine.call(op, 0, 0, given)
        ran += 1
        if got != (0, 0, want):
            failed += 1
            print(f"{name}\n got {got}\nwant {want}")
    print(f"wasmtime, {kind}: {ran} vectors, {failed} failed")


main(*sys.argv[1:])
