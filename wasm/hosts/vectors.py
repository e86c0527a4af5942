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
        opened = self.function("[static]engine.open")(self.store, "{}", 1000)
        assert opened.tag == "ok", vars(opened.payload)
        assert '"effect":"append"' in opened.payload.effects
        stepped = self.function("[method]engine.step")(self.store, opened.payload.engine, "{", 2000)
        assert stepped.status == "invalid", vars(stepped)
        opened = self.function("[static]connection.open")(self.store, '{"server":"build"}', 1000)
        assert opened.tag == "ok", vars(opened.payload)
        receive = self.function("[method]connection.receive")
        effects = receive(self.store, opened.payload.connection, "server", b'{"jsonrpc":"2.0","method":"x"}', 2000)
        assert json.loads(effects) == {"effects": [{"effect": "forward", "to": "client"}]}, effects

    def function(self, name):
        return self.instance.get_func(self.store, self.instance.get_export_index(self.store, name, self.interface))

    def call(self, op, handle, at, given):
        """Returns what the raw module would return. A stateless operation never fails and opens no handle."""
        return 0, 0, self.eval(self.store, self.ops[op - 16], given.decode()).encode()


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
    ran = failed = 0
    for name, op, given, want in bundled(bundle):
        got = engine.call(op, 0, 0, given)
        ran += 1
        if got != (0, 0, want):
            failed += 1
            print(f"{name}\n got {got}\nwant {want}")
    print(f"wasmtime, {kind}: {ran} vectors, {failed} failed")


main(*sys.argv[1:])
