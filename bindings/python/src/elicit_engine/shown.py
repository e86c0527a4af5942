"""Shows the questions of a connection to a person, each in a task of its own, and passes on the answers."""

from __future__ import annotations

import asyncio
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from .engine import Effect
from .fault import InterfaceError, JournalError, report
from .question import UI, Answer, Question


class ShownQuestions:
    """The shown questions of a connection. ``do`` takes the events. ``principal`` names the person who answers.

    ``failed`` gets every exception of ``ui``. Without it, they go to the exception handler of the loop."""

    def __init__(
        self,
        ui: UI,
        do: Callable[[Dict[str, Any]], None],
        principal: Optional[str] = None,
        failed: Optional[Callable[[InterfaceError], None]] = None,
    ):
        self._ui, self._do, self._failed = ui, do, failed
        self._claimed = {} if principal is None else {"principal": principal}
        self._schemas: Dict[Tuple[str, str], str] = {}
        self._shows: Dict[str, Effect] = {}
        self._tasks: "Dict[str, asyncio.Task[None]]" = {}
        #: Functions that perform effects, by the effects' names.
        self.host: Mapping[str, Callable[[Effect], None]] = {
            "question": self._asked,
            "show": self._show,
            "problem": self._problem,
            "withdraw": self._over,
            "settled": self._settled,
        }

    def _asked(self, effect: Effect) -> None:
        if "schema_text" in effect:
            self._schemas[effect["session"], effect["ref"]] = effect["schema_text"]

    def _show(self, effect: Effect) -> None:
        self._shows[effect["id"]] = effect
        self._put(effect, [])

    def _problem(self, effect: Effect) -> None:
        show = self._shows.get(effect.get("id", ""))
        if show is not None and effect["about"] == "answer" and "outcome" not in effect:
            self._put(show, effect["problems"])

    def _put(self, show: Effect, problems: List[Dict[str, Any]]) -> None:
        self._stop(show["id"])
        question = Question(show, self._schemas.get((show["session"], show["ref"])), problems)
        self._tasks[show["id"]] = asyncio.get_running_loop().create_task(self._ask(question))

    async def _ask(self, question: Question) -> None:
        show = question.effect
        try:
            self._say(show, await self._ui.ask(question))
        except BaseException as error:
            # A broken user interface counts neither as a yes nor as a no.
            self._say(show, Answer("cancel", via="no_ui"))
            if not isinstance(error, Exception):
                raise
            if self._failed is None:
                report("the user interface failed", error)
            else:
                self._failed(InterfaceError(question, error))

    def _say(self, show: Mapping[str, Any], answer: Answer) -> None:
        if self._tasks.get(show["id"]) is not asyncio.current_task():
            return  # withdrawn meanwhile
        event = {**answer.event(show["session"], show["id"]), **self._claimed}
        try:
            self._do(event)
        except JournalError as error:
            report("the journal failed", error)

    def _over(self, effect: Effect) -> None:
        self._shows.pop(effect["id"], None)
        self._stop(effect["id"])

    def _settled(self, effect: Effect) -> None:
        self._schemas.pop((effect["session"], effect["ref"]), None)
        self._over({"id": "", **effect["reply"]})

    def _stop(self, request: str) -> None:
        task = self._tasks.pop(request, None)
        if task is not None:
            task.cancel()
