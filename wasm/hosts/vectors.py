"""vectors.py MODULE BUNDLE runs the bundled vectors under wasmtime and says how many."""

import struct
import sys

import wasmtime


class Door:
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


def main(module, bundle):
    door = Door(module)
    ran = failed = 0
    for name, op, given, want in bundled(bundle):
        got = door.call(op, 0, 0, given)
        ran += 1
        if got != (0, 0, want):
            failed += 1
            print(f"{name}\n got {got}\nwant {want}")
    print(f"wasmtime: {ran} vectors, {failed} failed")


main(*sys.argv[1:])
