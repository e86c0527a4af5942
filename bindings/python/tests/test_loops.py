"""The vectors of connections through the driver, byte for byte: as they are, with a journal that fails, and with a wall
clock that is set while timers end. `internal/loops` describes the scripts."""

import asyncio
import json
import pathlib
import shutil
import subprocess

import pytest

from elicit_engine import JournalError, Relay
from elicit_engine.drive import Driver

ROOT = pathlib.Path(__file__).resolve().parents[3]
ZEROS = "00" * 32


class Script(Driver):
    """A driver with the clocks, the random bytes and the journal of a script. `items` has what it performed."""

    def __init__(self, script):
        self.items, self.keeps = [], script["keeps"]
        self.step = script["steps"][0]
        given = '"pull":true,"at":%d' % self.step["at"]
        if self.step["elapsed"] >= 0:
            given += ',"elapsed":%d' % self.step["elapsed"]
        relay = Spelled(script["relay"], given)
        super().__init__(relay, self.write, Performed(self), self.keep, consult=self.asked)

    def _times(self):
        return self.step["at"], self.step["elapsed"]

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
        self.items.append(effect)
        return asyncio.get_running_loop().create_future()

    def run(self, step):
        self.items, self.step = [], step
        given = bytes.fromhex(step["hex"]) if "hex" in step else step.get("input", "").encode()
        if step["kind"] == "pass":
            self._turn()
        elif step["kind"] == "event":
            self.relay.step_text(given)
            self._turn()
        else:
            self.receive(step["kind"], given)


class Spelled(Relay):
    """A connection that is opened with a text. `text` is the last effect as the library wrote it."""

    def __init__(self, config, given):
        self.pull, self.principal = True, json.loads(config).get("principal")
        self._begin(b'{%s,"random":"%s","relay":%s}' % (given.encode(), ZEROS.encode(), config.encode()))

    def next(self, callbacks, at=-1, elapsed=-1):
        from elicit_engine.library import library

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


def wanted(step):
    """What this driver performs. A problem of a guardian is for the driver, and a consult comes as a table."""
    for item in step["want"]:
        if item.startswith('{"effect":"consult"'):
            yield json.loads(item)
        elif not item.startswith('{"effect":"problem","about":"guardian"'):
            yield item.encode()


def run_all(path):
    ran = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            script = json.loads(line)
            driver = None
            for at, step in enumerate(script["steps"]):
                try:
                    if driver is None:
                        driver = Script.__new__(Script)
                        driver.__init__(script)
                    else:
                        driver.run(step)
                except JournalError:
                    pass  # the items say what followed
                where = "%s, step %d" % (script["name"], at)
                assert driver.items == list(wanted(step)), where
                assert driver.waits == step["wait"], where
            driver._consults.end()
            driver.relay.close()
            ran += 1
    return ran


def test_loops(tmp_path):
    if not shutil.which("go"):
        pytest.skip("Go writes the scripts")
    path = tmp_path / "loops.jsonl"
    subprocess.run(["go", "run", "./internal/loops/write", str(path)], cwd=ROOT, check=True)

    async def body():
        return run_all(path)

    ran = asyncio.run(body())
    print("vectors through the loop of Python: %d" % ran)
    assert ran > 3000
