"""``python -m elicit_engine demo``: a question through the engine and onto this terminal."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import List, Optional

from . import Engine, LibraryMissing, describe, selfcheck
from .drive import Driver, Effect
from .prompt import Prompt
from .question import Question

SCHEMA = {
    "type": "object",
    "properties": {
        "environment": {"type": "string", "title": "Environment", "enum": ["staging", "production"]},
        "share": {"type": "integer", "title": "Share of traffic, percent", "minimum": 1, "maximum": 100, "default": 5},
    },
    "required": ["environment"],
}


async def demo() -> int:
    settled: "asyncio.Future[Effect]" = asyncio.get_running_loop().create_future()

    def show(effect: Effect) -> None:
        async def put() -> None:
            answer = await Prompt().ask(Question(effect, json.dumps(SCHEMA)))
            driver.do(answer.event("demo", effect["id"]))

        shown.append(asyncio.get_running_loop().create_task(put()))

    shown: List["asyncio.Task[None]"] = []
    journal: List[str] = []
    with Engine() as engine:
        driver = Driver(engine, {"show": show, "reply": settled.set_result}, journal.append)
        modes = {"declared": ["form"], "shown": ["form"]}
        driver.do({"event": "opened", "session": "demo", "side": "answering", "server": "deploy-bot", **modes})
        driver.do({"event": "asked", "session": "demo", "ref": "1", "tool": "deploy", "mode": "form",
                   "message": "Version 2.4.1 is built. Where shall it go?", "schema": SCHEMA})
        reply = await settled
        driver.shutdown()
    print(json.dumps({key: reply[key] for key in ("outcome", "cause", "content") if key in reply}))
    print("%d journal records, each holding the hash of the one before it" % len(journal), file=sys.stderr)
    return 0 if reply["outcome"] == "accept" else 3


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m elicit_engine", description="The elicitation engine on this machine.")
    parser.add_argument("what", choices=["demo", "describe", "selfcheck"], help="ask one question here, or show what the library says of itself")
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
