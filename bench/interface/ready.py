"""ready.py MODULE CHECK INPUT RELAY QUESTION starts the module under wasmtime, and prints what cold.c does with a
question: processor time until the first answer, that of the question, and the growth with 100 connections."""

import sys
import time


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4


before, start = resident(), time.process_time_ns()
import wasmtime  # noqa: E402 - its loading counts

module, check, given, relay, question = sys.argv[1:]
engine = wasmtime.Engine()
store = wasmtime.Store(engine)
store.set_wasi(wasmtime.WasiConfig())
linker = wasmtime.Linker(engine)
linker.define_wasi()
exports = linker.instantiate(store, wasmtime.Module.from_file(engine, module)).exports(store)
memory, place, perform = exports["memory"], exports["elicit_input"], exports["elicit_call"]
exports["_initialize"](store)


def call(op: int, handle: int, text: str) -> int:
    memory.write(store, text.encode(), place(store, len(text)))
    at = (perform(store, op, handle, 0, len(text)) & 2**64 - 1) >> 32
    out = bytes(memory.read(store, at, at + 16))
    assert out[:8] == bytes(8), text
    return int.from_bytes(out[8:], "little")


call(int(check), 0, given)
ready = time.process_time_ns()
call(8, call(1, 0, relay), question)
first = time.process_time_ns()
for _ in range(99):
    call(8, call(1, 0, relay), question)
print(ready - start, first - ready, resident() - before)
