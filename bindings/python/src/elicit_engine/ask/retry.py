"""Trying again."""

from __future__ import annotations

import asyncio
from typing import Awaitable, Callable

SHORTEST, LONGEST = 0.01, 1.0


async def retry(attempt: Callable[[], Awaitable[bool]], pause: float = 0) -> None:
    """Tries until it is done, after ever longer pauses in seconds. The first pause may be left out."""
    while True:
        if pause:
            await asyncio.sleep(pause)
        if await attempt():
            return
        pause = min(LONGEST, max(SHORTEST, 2 * pause))
