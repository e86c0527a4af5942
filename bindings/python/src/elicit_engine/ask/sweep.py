"""Lets time pass for sessions in a store whose process is gone."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Optional

from .errors import AskError, StoreFailure

if TYPE_CHECKING:
    from .asker import Asker

#: How often a process looks for sessions that nobody else has stepped in time, in seconds.
EVERY = 5.0


class Sweeper:
    def __init__(self, asker: "Asker"):
        self._asker = asker
        self._task: "Optional[asyncio.Task[Any]]" = None

    def start(self) -> None:
        """Begins on the event loop of the first call."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.sweep()
            except Exception:
                continue  # the store is away

    async def sweep(self) -> None:
        """Steps every session whose time has come."""
        store, page = self._asker.store, 100
        assert store is not None
        skip, names = 0, [""] * page
        while len(names) == page:
            names = await store.due(self._asker.now(), skip, page)
            for name in names:
                if not await self._tick(name):
                    skip += 1  # it stays due

    async def _tick(self, name: str) -> bool:
        try:
            session = await self._asker.find(name)
        except Exception:
            return False  # it cannot be read
        if session is None:
            return False
        try:
            await session.step({"event": "ticked"})
            return not session.due or session.due > self._asker.now()
        except (AskError, StoreFailure):
            return False
        finally:
            await self._asker.release(session)
