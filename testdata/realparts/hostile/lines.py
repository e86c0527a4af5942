"""A client that somebody wrote by hand in an afternoon: text lines, strip, json.loads; see play.mjs."""

import json
import os
import signal
import subprocess
import sys
from typing import Any

DATE, NAMES, COMMAND, *ARGUMENTS = sys.argv[1:]
server = subprocess.Popen([COMMAND, *ARGUMENTS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    encoding="utf-8", errors="replace")
last = 0


signal.signal(signal.SIGALRM, lambda *_: os._exit(9))


def say(**event: Any) -> None:
    print(json.dumps(event), flush=True)


def send(**message: Any) -> None:
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    server.stdin.flush()


def handle(m: Any) -> None:
    if isinstance(m, dict) and m.get("method") == "elicitation/create":
        say(asked=m["params"]["message"])
        send(id=m.get("id"), result={"action": "accept", "content": {}})


def request(method: str, params: Any) -> Any:
    global last
    last += 1
    send(id=last, method=method, params=params)
    signal.setitimer(signal.ITIMER_REAL, int(os.environ["PATIENCE"]) / 1000)
    while True:
        line = server.stdout.readline()
        if not line:
            sys.exit(9)
        for part in line.splitlines():
            try:
                m = json.loads(part.strip().strip("\ufeff"))
                handle(m)
            except Exception:
                continue
            if isinstance(m, dict) and m.get("id") == last and "method" not in m:
                return m


request("initialize", {"protocolVersion": DATE, "capabilities": {"elicitation": {"form": {}, "url": {}}},
    "clientInfo": {"name": "lines", "version": "1"}})
send(method="notifications/initialized")
with open(NAMES, encoding="utf-8") as names:
    for name in names.read().split():
        say(done=name, outcome=json.dumps(request("tools/call", {"name": name, "arguments": {}})))
        request("tools/call", {"name": "alive", "arguments": {}})
        say(alive=name)
