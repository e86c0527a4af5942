"""One client with its machine, on the event loop where its first call arrived."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, List, Mapping, Optional, Set, Union

from ..consult import Consults
from ..engine import Effect, evaluate
from ..fault import ElicitError, InputError, JournalError, report
from .errors import Closed, Interrupted, StoreFailure
from .follow import Follower
from .machine import AskingMachine, Gone, Known, Own, Stored
from .peer import Peer, PeerError, told_quietly
from .retry import retry
from .run import Run

if TYPE_CHECKING:
    from .asker import Asker

#: What stands between the name of a session and an id or a link.
SEPARATOR = "."


@dataclasses.dataclass
class Told:
    """What an event brought for whoever reported it."""

    problems: List[Dict[str, Any]] = dataclasses.field(default_factory=list)
    about: str = ""
    settled: bool = False
    resume: Optional[Effect] = None


class Session:
    """Steps the machine and performs its effects in order. All decisions are the machine's."""

    def __init__(self, asker: "Asker", name: str, once: bool, client: Optional[Known]):
        """Begins a session with a client; without one, :meth:`find` loads it from the store."""
        self.asker: Asker = asker
        self.name: str = name
        self.once: bool = once
        self.users: int = 0
        self.runs: Dict[str, Run] = {}
        self.failed: Optional[Exception] = None
        self.closed: bool = False
        self._loop = asyncio.get_running_loop()
        self._lock = asyncio.Lock()
        self._sends: "Dict[str, asyncio.Task[None]]" = {}
        self._tasks: "Set[asyncio.Future[Any]]" = set()
        self._timer: Optional[asyncio.TimerHandle] = None
        self._follower = Follower(self)
        self._consults = Consults(asker.consult, self._consulted)
        if asker.store is None:
            assert client is not None
            self.machine: Union[Own, Stored] = Own(asker, name, client)
        else:
            self.machine = Stored(asker, name, self.looks, client)

    @classmethod
    async def find(cls, asker: "Asker", name: str) -> "Optional[Session]":
        """A session in the store."""
        session = cls(asker, name, True, None)
        assert isinstance(session.machine, Stored)
        try:
            await session.machine.load()
        except Gone:
            return None
        return session

    @property
    def client(self) -> Known:
        return self.machine.client

    @property
    def due(self) -> int:
        return self.machine.due

    def looks(self, machine: AskingMachine) -> Dict[str, Any]:
        """What this process has of the session. A run that the machine does not know has nothing of it."""
        known = [run for run in self.runs.values() if run.begun or run.tried and machine.runs(run.id)]
        runs = [run for run in known if run.interrupt is None and not run.over]
        waits = [{"call": run.id, "position": position} for run in runs for position in run.waiting]
        return {"calls": [run.id for run in runs], "waits": waits, "refs": list(self._sends)}

    async def step(self, event: Optional[Mapping[str, Any]], run: Optional[Run] = None) -> Told:
        """Gives the machine an event. With a ``run``, the machine first hears of the run; without an event, of nothing
        else. After a failure of the journal it raises :class:`JournalError`."""
        told = Told()
        if run is None:
            return await self._in_turn(lambda: self.machine.step(event), told)
        self._follower.watch()

        async def effects() -> List[Effect]:
            out = await self.machine.step(event, run)
            if not run.refused:
                run.stepped()
            return out

        await self._in_turn(effects, told)
        if run.refused:
            if not told.problems:
                raise Closed("cancel", "session_closed")
            raise InputError(told.problems, evaluate("explain", {"problems": told.problems})["problems"])
        return told

    async def look(self, link: str) -> Optional[Effect]:
        """The effect of a page whose question is still open."""
        pages: List[Effect] = []

        async def effects() -> List[Effect]:
            found = await self.machine.look(lambda machine: {**self.looks(machine), "link": link})
            pages.extend(e for e in found if e["effect"] == "page")
            return [e for e in found if e["effect"] != "page"]

        await self._in_turn(effects, Told())
        return pages[0] if pages else None

    async def catch_up(self) -> bool:
        """Performs what other processes have decided, and returns False if the store could not be reached."""
        if self.closed or not self.runs:
            return True
        try:
            await self._in_turn(lambda: self.machine.look(self.looks), Told())
        except StoreFailure:
            return False
        except ElicitError:
            pass
        return True

    async def _in_turn(self, effects: Callable[[], Awaitable[List[Effect]]], told: Told) -> Told:
        if self.failed is not None:
            raise self.failed
        turn = self._turn(effects, told)
        if self.asker.store is None:
            return await turn
        return await asyncio.shield(self.spawn(turn))  # a transaction is not torn when its caller is cancelled

    async def _turn(self, effects: Callable[[], Awaitable[List[Effect]]], told: Told) -> Told:
        async with self._lock:
            if self.closed:
                raise Closed("cancel", "session_closed")
            try:
                self._perform(await effects(), told)
            except StoreFailure:
                self._follower.reload()
                raise
            except Gone:  # another process closed it, or its time was up
                self.leave()
                raise Closed("cancel", "session_closed") from None
        return told

    def spawn(self, work: Awaitable[Any]) -> "asyncio.Future[Any]":
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def apart(self, work: Awaitable[Any]) -> None:
        """Does something that the cancellation of its caller must not tear."""
        if self.asker.store is None:
            await work
        else:
            await asyncio.shield(self.spawn(work))

    def _perform(self, effects: List[Effect], told: Told) -> None:
        for effect in effects:
            name = effect["effect"]
            if name == "append":
                self._keep(effect["record"])
            elif name == "send":
                self._send(effect)
            elif name == "cancel_sent":
                self._cancel(effect["ref"])
            elif name == "notify":
                self._notify(effect)
            elif name == "interrupt":
                self._interrupt(effect)
            elif name == "settle":
                told.settled = True
                run = self.runs.get(effect["call"])
                if run is not None:
                    run.tell(effect["position"], effect)
            elif name == "page":
                if self.asker.opened is not None:
                    self._loop.call_soon(self.asker.opened, self.asker.open_page(self, effect))
            elif name == "resume":
                told.resume = effect
            elif name == "wake":
                self._wake(effect["at"])
            elif not self._consults.perform(effect) and name == "problem":
                told.problems, told.about = effect["problems"], effect["about"]

    def _consulted(self, event: Dict[str, Any]) -> None:
        self._loop.call_soon(self._later, event)  # the effects of this step come first

    def _later(self, event: Dict[str, Any]) -> None:
        self.spawn(self._quietly(event))

    async def _quietly(self, event: Mapping[str, Any]) -> bool:
        """Steps, and returns False if the store could not be reached."""
        try:
            await self.step(event)
        except StoreFailure:
            return False
        except Closed:
            pass
        except ElicitError as error:
            if error is not self.failed:
                report("a session failed", error)
        return True

    def _keep(self, record: str) -> None:
        """Keeps a record. When that fails, nothing that follows from the record happens, and every ask fails."""
        if self.asker.journal is None:
            return
        try:
            self.asker.journal(self.name, record)
        except Exception as error:
            self.failed = JournalError("a record could not be kept, so nothing is decided any more")
            self.failed.__cause__ = error
            for run in self.runs.values():
                run.fail(self.failed)
            for ref in list(self._sends):
                self._cancel(ref)
            raise self.failed from error

    def _interrupt(self, effect: Effect) -> None:
        run = self.runs.get(effect["call"])
        if run is not None and not run.over:
            run.interrupt = effect
            run.fail(Interrupted("the call ends until the person has answered"))

    def _send(self, effect: Effect) -> None:
        run = self.runs.get(effect["call"])
        if run is not None and run.client.peer is not None and effect["ref"] not in self._sends:
            task = self._loop.create_task(self._exchange(run.client.peer, effect))
            self._sends[effect["ref"]] = task

    async def _exchange(self, peer: Peer, effect: Effect) -> None:
        event: Dict[str, Any] = {"event": "responded", "ref": effect["ref"]}
        try:
            event["result"] = await peer.request(effect["method"], effect["params"])
        except PeerError as error:
            event["error"] = {"code": error.code, "message": error.message}
        except Exception as error:
            event["error"] = {"code": -32603, "message": str(error) or type(error).__name__}
        unreadable = {"event": "responded", "ref": effect["ref"],
                      "error": {"code": -32603, "message": "unreadable response"}}
        if self.asker.store is None:
            self._sends.pop(effect["ref"], None)

        async def report_it() -> bool:
            try:
                await self.step(event)
            except StoreFailure:
                return False
            except (JournalError, Closed):
                pass  # the waiting asks have it
            except (InputError, ValueError):  # no JSON, or too much of it
                return await self._quietly(unreadable)
            return True

        await retry(report_it)  # while the store is away, the answer waits here: nobody else has it
        self._sends.pop(effect["ref"], None)

    def _cancel(self, ref: str) -> None:
        task = self._sends.pop(ref, None)
        if task is not None and task is not current_task():
            task.cancel()

    def _notify(self, effect: Effect) -> None:
        for run in self.runs.values():
            if run.client.peer is not None:
                self.spawn(told_quietly(run.client.peer, effect))
                return

    def _wake(self, at: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if at and not self.closed:
            seconds = max(1, at - self.asker.now()) / 1000
            self._timer = self._loop.call_later(seconds, self._ticked)

    def _ticked(self) -> None:
        async def tick() -> None:
            self.users += 1
            await self._quietly({"event": "ticked"})
            await self.asker.release(self)

        self.spawn(tick())

    async def open_id(self, found: Callable[[Dict[str, Any]], bool]) -> Optional[str]:
        """The id of the first open question that fits."""
        machine = await self.known()
        return None if machine is None else next((q.get("id") for q in machine.questions() if found(q)), None)

    async def known(self) -> Optional[AskingMachine]:
        """The machine, with what other processes have committed, or None before anything was asked."""
        machines: List[AskingMachine] = []

        async def known() -> List[Effect]:
            machine = await self.machine.known()
            machines.extend([] if machine is None else [machine])
            return []

        await self._in_turn(known, Told())
        return machines[0] if machines else None

    def awaits(self, method: str, target: str) -> bool:
        """Whether a call of this target may go on with one that was interrupted. Such a call is told at once."""
        machine = self.machine.last
        return machine is not None and machine.awaits(method, target)

    async def finish(self, run: "Run", event: Mapping[str, Any]) -> None:
        """Reports the end of a run until the store takes it: a question must not stay open when nobody waits for it. Of
        a run that never asked, the machine hears nothing."""
        if self.failed is not None or self.closed or not run.tried:
            return
        if self.asker.store is None:
            await self._quietly(event)
            return
        self.users += 1

        async def end() -> None:
            await retry(lambda: self._quietly(event))
            await self.asker.release(self)

        await asyncio.shield(self.spawn(end()))

    def left(self, run: "Run") -> None:
        """The run is over."""
        self.runs.pop(run.id, None)
        if not self.runs:
            self._follower.stop()

    async def close(self, cause: str) -> None:
        """Ends the session for everybody."""
        if self.closed:
            return
        try:
            await self.step({"event": "closed", "cause": cause})
        except ElicitError:
            pass  # the machine is broken, or the waiting asks know that the journal is
        self.leave()

    async def depart(self) -> None:
        """Ends what runs here. The session stays in the store, for other processes."""
        for run in list(self.runs.values()):
            run.fail(Closed("cancel", "shutdown"))
            if run.interrupt is None and run.tried:
                await self._quietly({"event": "cancelled", "call": run.id})
        self.leave()

    def leave(self) -> None:
        """Lets go of the session in this process."""
        if self.closed:
            return
        self.closed = True
        self._wake(0)
        self._follower.stop()
        self._consults.end()
        for run in self.runs.values():
            if run.begun:  # another one opens the session again
                run.fail(Closed("cancel", "session_closed"))
        for ref in list(self._sends):
            self._cancel(ref)
        self.machine.release()
        self.asker.forget(self)


def current_task() -> "Optional[asyncio.Task[Any]]":
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None
