"""``python -m elicit_engine demo`` asks a question of the engine on this terminal."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import Any, Dict, List, Optional

from . import LibraryMissing, describe, selfcheck
from .drive import Driver
from .prompt import Prompt

SCHEMA: Dict[str, Any] = {
    "type": "object",
    "properties": {
        "environment": {"type": "string", "title": "Environment", "enum": ["staging", "production"]},
        "share": {"type": "integer", "title": "Share of traffic, percent", "minimum": 1, "maximum": 100, "default": 5},
    },
    "required": ["environment"],
}


MODES = ["form", "url"]
SESSION: Dict[str, Any] = {"version": "2025-11-25", "declared": MODES}
CONNECTION: Dict[str, Any] = {"server": "deploy-bot", "role": "client", "modes": MODES, "session": SESSION}


async def demo() -> int:
    """Plays both ends of a connection: a call, the server's question during the call, and the answer it gets."""
    answered: "asyncio.Future[Dict[str, Any]]" = asyncio.get_running_loop().create_future()
    causes: List[str] = []
    journal: List[str] = []

    def write(end: str, message: bytes) -> None:
        read = json.loads(message)
        if "result" in read:
            answered.set_result(read["result"])

    host = {"settled": lambda effect: causes.append(effect["reply"]["cause"])}
    driver = Driver(CONNECTION, write, host, journal.append, ui=Prompt())
    send(driver, "client", {"id": 1, "method": "tools/call", "params": {"name": "deploy", "arguments": {}}})
    question = {"message": "Version 2.4.1 is built. Where shall it go?", "requestedSchema": SCHEMA}
    send(driver, "server", {"id": 1, "method": "elicitation/create", "params": question})
    result = await answered
    driver.shutdown()
    outcome = result.pop("action")
    print(json.dumps({"outcome": outcome, "cause": causes[0], **result}))
    print("%d journal records, each holding the hash of the one before it" % len(journal), file=sys.stderr)
    return 0 if outcome == "accept" else 3


def send(driver: Driver, end: str, message: Dict[str, Any]) -> None:
    driver.receive(end, json.dumps({"jsonrpc": "2.0", **message}).encode())


def main(arguments: Optional[List[str]] = None) -> int:
    about = "The elicitation engine on this machine."
    parser = argparse.ArgumentParser(prog="python -m elicit_engine", description=about)
    choices = ["demo", "describe", "selfcheck"]
    parser.add_argument("what", choices=choices, help="ask one question here, or show what the library says of itself")
    what = parser.parse_args(arguments).what
    try:
        if what == "demo":
            return asyncio.run(demo())
        print(json.dumps(describe() if what == "describe" else selfcheck(), indent=2))
    except LibraryMissing as missing:
        print(missing, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
