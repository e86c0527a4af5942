"""What comes back to an asker in other ways than a call: from its pages, from models, and from flows behind URLs."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ..engine import Effect, evaluate
from ..fault import InputError
from .call import Call, OpenPage
from .errors import Claimed, Closed, StoreFailure, WrongPrincipal
from .machine import Client
from .session import SEPARATOR, Session

#: What a model reads about an id that names no open question.
UNKNOWN = "There is no open question with this id. Its time may be up: call the tool that asked again."


class Answering:
    """The answers of an asker. :class:`Asker` has the sessions."""

    _sessions: Dict[str, Session]

    async def find(self, name: str) -> Optional[Session]:
        raise NotImplementedError

    async def release(self, session: Session) -> None:
        raise NotImplementedError

    def name_of(self, session: str) -> str:
        raise NotImplementedError

    def _foreign(self, client: Client, name: str) -> bool:
        raise NotImplementedError

    async def submit(self, client: Client, said: Mapping[str, Any]) -> Union[Call, str]:
        """Takes what a model passes on. It returns the call to run again, whose result is the result of the fallback
        tool. A text instead says why there is none, for the model to read."""
        name, _, id = str(said.get("id")).partition(SEPARATOR)
        try:
            session = await self.find(name)
            if session is None:
                return UNKNOWN
            try:
                if session.client.principal != client.principal or self._foreign(client, name):
                    return UNKNOWN
                return await self._submitted(session, client, id, said)
            finally:
                await self.release(session)
        except StoreFailure as error:
            return "%s. Try again." % error

    async def _submitted(
        self, session: Session, client: Client, id: str, said: Mapping[str, Any]
    ) -> Union[Call, str]:
        event: Dict[str, Any] = {"event": "submitted", "id": id, "action": said.get("action"), "via": "model"}
        if client.principal:
            event["principal"] = client.principal
        if said.get("action") == "accept":
            event["content"] = said.get("content") or {}
        try:
            told = await session.step(event)
        except Closed:
            return UNKNOWN
        except InputError as error:
            return "The answer was not taken: " + str(error)
        if told.resume is not None:
            again = told.resume
            method = again.get("method", "tools/call")
            return Call(client, again.get("target", ""), again.get("arguments"), method, session=session.name)
        return "The answer was not taken: " + "; ".join(evaluate("explain", {"problems": told.problems})["problems"])

    async def page(self, token: str) -> Optional[OpenPage]:
        """The open question of a page. ``token`` is what follows ``page`` in its link."""
        name, _, link = token.partition(SEPARATOR)
        session = await self.find(name)
        if session is None:
            return None
        try:
            effect = await session.look(link)
            return None if effect is None else self.open_page(session, effect)
        except Closed:
            return None
        finally:
            await self.release(session)

    def open_page(self, session: Session, effect: Effect) -> OpenPage:
        token = session.name + SEPARATOR + effect["link"]
        principal = effect.get("for") or session.client.principal
        return OpenPage(token, effect["url"], principal, effect.get("secret", False), effect["show"])

    async def claim_page(self, token: str, browser: str, *, principal: str = "") -> None:
        """Gives an open page to a browser, which ``browser`` names by a digest of its cookie. The first claim on any
        process counts, and its browser may claim again.

        It raises :class:`Claimed` if another browser has the page, :class:`WrongPrincipal` if somebody else is to
        answer, and :class:`Closed` if no such question is open."""
        event: Dict[str, Any] = {"event": "claimed", "browser": browser}
        if principal:
            event["principal"] = principal
        name, _, event["link"] = token.partition(SEPARATOR)
        session = await self.find(name)
        if session is None:
            raise Closed("cancel", "session_closed")
        try:
            told = await session.step(event)
        finally:
            await self.release(session)
        if not told.problems:
            return
        code = told.problems[0]["code"]
        if code == "link_used":
            raise Claimed("another browser has the page")
        if code == "wrong_principal":
            raise WrongPrincipal("the question belongs to another principal")
        raise Closed("cancel", "session_closed")

    async def answer_page(
        self,
        token: str,
        action: str,
        content: Optional[Mapping[str, Any]] = None,
        *,
        principal: str = "",
        cleared: Sequence[str] = (),
    ) -> List[Dict[str, Any]]:
        """Takes what a person does on a page. Problems mean that the answer does not fit, and the question is open.

        It raises :class:`Closed` or :class:`InputError` if the question is settled, unknown, or somebody else's. After
        :class:`StoreFailure` nobody knows, and the person may try again."""
        name, _, link = token.partition(SEPARATOR)
        session = await self.find(name)
        if session is None:
            raise Closed("cancel", "session_closed")
        event: Dict[str, Any] = {"event": "submitted", "link": link, "action": action}
        if content is not None:
            event["content"] = dict(content)
        if cleared:
            event["cleared"] = list(cleared)
        if principal:
            event["principal"] = principal
        try:
            told = await session.step(event)
            if told.settled:
                return []
            if told.about == "answer" and await session.look(link) is not None:
                return told.problems
        finally:
            await self.release(session)
        raise InputError(told.problems, evaluate("explain", {"problems": told.problems})["problems"])

    async def completed(self, url: str, session: Optional[str] = None) -> bool:
        """Reports that the flow behind a URL, which a question waits for, is finished. ``session`` is the session of
        :class:`Client`; without it, only the sessions of this process are looked at."""
        if session is None:
            all = list(self._sessions.values())
            for one in all:
                one.users += 1
        else:
            found = await self.find(self.name_of(session))
            all = [] if found is None else [found]
        done = False
        for one in all:
            try:
                id = await one.open_id(lambda q: bool(q.get("wait")) and q.get("url") == url and "id" in q)
                if id is not None and not done:
                    await one.step({"event": "completed", "id": id})
                    done = True
            except Closed:
                pass
            finally:
                await self.release(one)
        return done
