"""Follows what other processes do with a session, as long as something runs here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, List, Optional

from .retry import retry

if TYPE_CHECKING:
    from .session import Session


class Follower:
    """Watches the store for a session, and loads its machine again after the store failed."""

    def __init__(self, session: "Session"):
        self._session = session
        self._unwatch: Optional[Callable[[], None]] = None
        self._reloading = False

    def watch(self) -> None:
        """Begins to watch. It may be called again."""
        session, store = self._session, self._session.asker.store
        if store is None or self._unwatch is not None:
            return
        over: List[bool] = []
        self._unwatch = lambda: over.append(True)

        async def watch() -> bool:
            assert store is not None
            if over or session.closed:
                return True
            try:
                stop = await store.watch(session.name, self._woken)
            except Exception:
                return False
            if over:
                stop()
            else:
                self._unwatch = stop
                await session.catch_up()  # the hints until now are lost
            return True

        session.spawn(retry(watch))

    def _woken(self) -> None:
        self._session.spawn(self._session.catch_up())

    def stop(self) -> None:
        """Ends the watching."""
        stop, self._unwatch = self._unwatch, None
        if stop is not None:
            stop()

    def reload(self) -> None:
        """Loads the machine until that succeeds, if runs here may wait for what was committed."""
        if self._reloading or not self._session.runs:
            return
        self._reloading = True

        async def load() -> bool:
            done = await self._session.catch_up()
            self._reloading = not done
            return done

        self._session.spawn(retry(load, 0.01))
