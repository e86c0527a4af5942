"""in_wasmtime.py BUNDLE [N] puts every case to wasmtime and says how many there are, with N those of each Nth module.

Cranelift compiles them. Nothing of V8 or wazero is in it.
"""

import json
import os
import struct
import sys

import wasmtime

MAX_QUESTION, MAX_OUTPUT, START_FUEL = 128 << 10, 16 << 10, 5_000_000
REASONS = {1: "fuel", 2: "depth"}
BAD_FILE, FAULT, INVALID, NO_SUCH_CALL = 8, 21, 28, 52
ALL, FOREVER = (1 << 64) - 1, (1 << 63) - 1


class Exit(Exception):
    """A guest ended itself."""


class Outside(Exception):
    """A place that is not in memory."""


class Guest:
    """One evaluation: an instance of its own and what the shim of WASI remembers of it."""

    def __init__(self, engine, data):
        self.data = data
        self.store = wasmtime.Store(engine)
        self.state, self.slept, self.memory, self.exited = 0, 0, None, False

    def start(self, module):
        imports = [wasmtime.Func(self.store, i.type, self.serve(i.name)) for i in module.imports]
        self.exports = wasmtime.Instance(self.store, module, imports).exports(self.store)
        self.memory = self.exports["memory"]

    def serve(self, name):
        wasi = {
            "args_get": lambda *_: 0,
            "environ_get": lambda *_: 0,
            "args_sizes_get": self.counts,
            "environ_sizes_get": self.counts,
            "clock_res_get": lambda clock, at: self.clock(clock, at, 1),
            "clock_time_get": lambda clock, _, at: self.clock(clock, at, 1 + self.slept),
            "poll_oneoff": self.poll,
            "random_get": self.random,
            "fd_write": self.write,
            "fd_fdstat_get": self.status,
            "fd_prestat_get": lambda *_: BAD_FILE,
            "fd_prestat_dir_name": lambda *_: BAD_FILE,
            "sched_yield": lambda *_: 0,
            "log": lambda *_: None,
            "data_size": lambda: len(self.data),
            "data_read": self.window,
        }

        def served(*args):
            if name == "proc_exit":
                self.exited = True
                raise Exit
            own = name.startswith("data_")
            if self.memory is None:  # the start section is running
                return None if name == "log" else -1 if own else NO_SUCH_CALL
            try:
                return wasi.get(name, lambda *_: NO_SUCH_CALL)(*args)
            except Outside:
                return -1 if own else FAULT

        return served

    def read(self, at, size):
        at, size = at & 0xFFFFFFFF, size & 0xFFFFFFFF
        if at + size > self.memory.data_len(self.store):
            raise Outside
        return bytes(self.memory.read(self.store, at, at + size))

    def put(self, at, data):
        self.read(at, len(data))
        self.memory.write(self.store, data, at & 0xFFFFFFFF)

    def window(self, offset, at, size):
        self.read(at, size)
        window = self.data[offset & 0xFFFFFFFF :][: size & 0xFFFFFFFF]
        if window:
            self.put(at, window)
        return len(window)

    def counts(self, count, size):
        self.put(count, bytes(4))
        self.put(size, bytes(4))
        return 0

    def clock(self, clock, at, time):
        if clock & 0xFFFFFFFF > 3:
            return INVALID
        self.put(at, struct.pack("<Q", time))
        return 0

    def poll(self, waits, events, count, told):
        if not 0 < count & 0xFFFFFFFF <= 64:
            return INVALID
        waits = self.read(waits, 48 * count)
        self.read(events, 32 * count)
        asked = []
        for name, kind, moment, flags in struct.iter_unpack("<QBxxxxxxxxxxxxxxxQxxxxxxxxBxxxxxxx", waits):
            moment = min(moment, FOREVER)
            asked.append((name, kind, max(moment - 1, 0) if flags & 1 else min(moment + self.slept, FOREVER)))
        streams = any(kind for _, kind, _ in asked)
        if not streams:
            self.slept = max(self.slept, min(moment for _, _, moment in asked))
        due = [a for a in asked if (a[1] if streams else a[2] <= self.slept)]
        for i, (name, kind, _) in enumerate(due):
            self.put(events + 32 * i, struct.pack("<QBxBxxxxxxxxxxxxxxxxxxxxx", name, BAD_FILE if kind else 0, kind))
        self.put(told, struct.pack("<I", len(due)))
        return 0

    def random(self, at, size):
        if size & 0xFFFFFFFF > 1024:
            return INVALID
        self.read(at, size)
        out = b""
        while len(out) < size:
            self.state = self.state + 0x9E3779B97F4A7C15 & ALL
            z = self.state
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & ALL
            z = (z ^ z >> 27) * 0x94D049BB133111EB & ALL
            out += struct.pack("<Q", z ^ z >> 31)
        self.put(at, out[:size])
        return 0

    def write(self, fd, vectors, count, written):
        if fd not in (1, 2):
            return BAD_FILE
        if count & 0xFFFFFFFF > 64:
            return INVALID
        pieces = list(struct.iter_unpack("<II", self.read(vectors, 8 * count)))
        total = sum(len(self.read(*piece)) for piece in pieces)
        self.put(written, struct.pack("<I", total & 0xFFFFFFFF))
        return 0

    def status(self, fd, at):
        if fd & 0xFFFFFFFF > 2:
            return BAD_FILE
        self.put(at, struct.pack("<BxHxxxxQQ", 2, 0, 1 << 6 if fd > 0 else 1 << 1, 0))
        return 0

    def converse(self, call, document):
        own = "start"
        try:
            if self.exports.get("_initialize") is not None:
                self.exports["_initialize"](self.store)
            own = "trap"
            place = self.exports["elicit_alloc"](self.store, len(document)) & 0xFFFFFFFF
            if place == 0 or place + len(document) > self.memory.data_len(self.store):
                return {"fault": "bad_alloc"}
            self.put(place, document)
            return self.output(self.exports["elicit_" + call](self.store, place, len(document)) & ALL)
        except (wasmtime.Trap, wasmtime.WasmtimeError, Exit):
            if self.exited:
                return {"fault": "exit"}
            return {"fault": REASONS.get(self.exports["elicit_meter_reason"].value(self.store), own)}

    def output(self, packed):
        if packed == 0:
            return {"fault": "refused"}
        try:
            text = self.read(packed >> 32, packed)
        except Outside:
            return {"fault": "bad_output"}
        if not text:
            return {"fault": "bad_output"}
        if len(text) > MAX_OUTPUT:
            return {"fault": "output_too_large"}
        try:
            return {"output": text.decode()}
        except UnicodeDecodeError:
            return {"fault": "bad_output"}


def run(engine, module, instance_fuel, needs, call, document, data, budget):
    """Gives a document to a function of a fresh instance."""
    if len(document) > MAX_QUESTION:
        return {"fault": "question_too_large", "used": 0, "pages": 0}
    if needs and data is None:
        return {"fault": "not_loaded", "used": 0, "pages": 0}
    if budget < instance_fuel:
        return {"fault": "fuel", "used": budget, "pages": 0}
    guest = Guest(engine, data)
    try:
        guest.start(module)
    except (wasmtime.Trap, wasmtime.WasmtimeError, Exit):
        return {"fault": "exit" if guest.exited else "start", "used": 0, "pages": 0}
    fuel = guest.exports["elicit_meter_fuel"]
    left = budget - instance_fuel - (START_FUEL - fuel.value(guest.store))
    if left >= 0:
        fuel.set_value(guest.store, wasmtime.Val.i64(left))
        came = guest.converse(call, document)
        left = fuel.value(guest.store)
    if left < 0:
        came = {"fault": "fuel"}
    return {**came, "used": budget - max(0, left), "pages": guest.memory.size(guest.store)}


def main(bundle, every=1):
    engine = wasmtime.Engine()
    ran = failed = 0
    for kit in sorted(os.listdir(f"{bundle}/cases")):
        with open(f"{bundle}/cases/{kit}", encoding="utf-8") as file:
            kit = json.load(file)
        modules = {
            m["module"]: (
                wasmtime.Module.from_file(engine, f"{bundle}/metered/{m['module']}.wasm"),
                m["instance_fuel"],
                m.get("data"),
            )
            for m in kit["modules"][:: int(every)]
            if "refused" not in m
        }
        for case in kit["cases"]:
            if case["module"] not in modules:
                continue
            if "text" in case:
                document = case["text"].encode()
            else:
                with open(f"{bundle}/questions/{case['document']}", "rb") as file:
                    document = file.read()
            document = document.ljust(case.get("pad", 0))
            data = None
            if "data" in case:
                unit, size = case["data"].encode(), case.get("data_size", 0)
                data = (unit * (size // len(unit) + 1))[:size] if size else b""
            want = {k: case[k] for k in ("output", "fault", "used", "pages") if k in case}
            ran += 1
            for _ in range(case.get("times", 2)):
                got = run(engine, *modules[case["module"]], case["call"], document, data, case["fuel"])
                if got != want:
                    failed += 1
                    print(f"{case['case']}\n got {got}\nwant {want}")
                    break
    print(f"wasmtime: {ran} cases, {failed} failed")
    return 1 if failed or not ran else 0


sys.exit(main(*sys.argv[1:]))
