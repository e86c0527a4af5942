"""Runs scripts of `elicit hostkit` through the driver. `internal/hostscript/host.go` says what it reads."""

import asyncio
import json
import sys

from elicit_engine import JournalError, Relay
from elicit_engine.drive import Driver
from elicit_engine.library import library


class Scripted(Driver):
    """A driver with the clocks, the random bytes and the journal of a script. `items` has what it performed."""

    def __init__(self, alone, keeps, at, elapsed, opening):
        self.items, self.keeps, self.times, self.waits = [], keeps, (at, elapsed), -1
        asked = None if alone else self.asked
        super().__init__(Spelled(opening), self.write, Performed(self), self.keep, consult=asked)

    def _times(self):
        return self.times

    def _random(self):
        return bytes(32)

    def _set_timer(self, wait):
        self.waits = wait  # the script says when a timer ends

    def keep(self, record):
        if self.keeps == 0:
            raise OSError("no space left on device")
        self.keeps -= 1
        self.items.append(b"new_journal" if record is None else b"append " + record.encode())

    def write(self, end, message):
        self.items.append(end.encode() + b" " + message)

    def asked(self, effect):
        self.items.append(json.dumps(effect).encode())
        return asyncio.get_running_loop().create_future()

    def run(self, kind, given):
        if kind == "pass":
            self._turn()
        elif kind == "event":
            self.relay.step_text(given)
            self._turn()
        else:
            self.receive(kind, given)


class Spelled(Relay):
    """A connection that is opened with a text. `text` is the last effect as the library wrote it."""

    def __init__(self, opening):
        self.pull, self.principal = True, json.loads(opening)["relay"].get("principal")
        self._begin(opening)

    def next(self, callbacks, at=-1, elapsed=-1):
        self.text, message = library().next(self._open_handle(), callbacks, at, elapsed)
        return json.loads(self.text), message


class Performed(dict):
    """A host that performs every effect."""

    def __init__(self, script):
        self.script = script

    def __contains__(self, name):
        return True

    def __getitem__(self, name):
        if name == "new_journal":
            return lambda effect: self.script.keep(None)
        return lambda effect: self.script.items.append(self.script.relay.text)


async def serve(given, out):
    driver = None
    for line in iter(given.readline, b""):
        kind, *numbers = line.decode().split()
        *keeps, at, elapsed, size = map(int, numbers)
        text = given.read(size)
        if kind == "close":
            driver._consults.end()
            driver.relay.close()
            continue
        try:
            if kind in ("open", "alone"):
                driver = Scripted.__new__(Scripted)  # a journal that fails while it opens leaves it, too
                driver.__init__(kind == "alone", keeps[0], at, elapsed, text)
            else:
                driver.items, driver.times = [], (at, elapsed)
                driver.run(kind, text)
        except JournalError:
            pass  # the items say what followed
        for item in driver.items:
            out.write(b"%d\n%s\n" % (len(item), item))
        out.write(b"wait %d\n" % driver.waits)
        out.flush()


if __name__ == "__main__":
    asyncio.run(serve(sys.stdin.buffer, sys.stdout.buffer))
