"""Lets tools, prompts and resources of an MCP server ask its person, with one call that works with every client.

>>> from elicit_engine import ask                                              # doctest: +SKIP
>>> ask.Asker("deploy-bot").install(server)                                    # doctest: +SKIP
>>> where = await ask.form(Deploy, "Where should it run?")                     # doctest: +SKIP

In some clients the call must end while the person thinks, and the handler runs again from its beginning later. The
asking function then raises :class:`Interrupted`, which the handler must let pass. Answered questions return at once. So
a handler poses the same questions in the same order, and does nothing that cannot be done twice before its last one.
"""

from __future__ import annotations

import copy
import inspect
import json
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Sequence, Type, TypeVar, Union, cast, overload

from ..contract import OpenPage
from ..fault import JournalError
from .asker import Asker
from .call import Call, Client, Interruption, Peer
from .errors import (
    AskError, Attempts, Busy, Cancelled, Claimed, ClientError, Closed, Declined, DeclinedByPolicy, Interrupted,
    Invalid, NoCall, Policy, StateError, StoreFailure, Timeout, TooLarge, Unknown, Unsupported, WrongPrincipal, taken,
)
from .question import Answer, Hook, Next, Question, current, running
from .seal import Key
from .shape import Shape, adapter

__all__ = [
    "Answer", "AskError", "Asker", "Attempts", "Busy", "Call", "Cancelled", "Claimed", "Client", "ClientError",
    "Closed", "Declined", "DeclinedByPolicy", "Hook", "Interrupted", "Interruption", "Invalid", "JournalError",
    "Key", "Next", "NoCall", "OpenPage", "Peer", "Policy", "Question", "StateError", "StoreFailure", "Timeout",
    "TooLarge", "Unknown", "Unsupported", "WrongPrincipal", "caller", "choose", "confirm", "form", "key", "once",
    "raw", "schema", "secret", "url",
]

T = TypeVar("T")

#: A JSON Schema.
Schema = Mapping[str, Any]


def caller() -> Client:
    """Who called the tool that runs. Its declaration tells a handler what the client can show before it asks."""
    return running().client


async def raw(question: Question) -> Answer:
    """Asks any question."""
    run = running()
    put: Next = run.pose
    for hook in reversed(run.hooks):
        put = around(hook, put)
    answer = await put(question)
    if run.hooks and question.mode == "form":  # a hook may have changed or made the answer
        checked = {"event": "checked", "schema": question.schema, "content": answer.content}
        taken(await run.host.begin(checked))
    return answer


def around(hook: Hook, put: Next) -> Next:
    async def inner(question: Question) -> Answer:
        return copy.deepcopy(await put(copy.deepcopy(question)))

    async def wrapped(question: Question) -> Answer:
        return copy.deepcopy(await hook(copy.deepcopy(question), inner))

    return wrapped


def schema(model: Any) -> Dict[str, Any]:
    """The schema of a pydantic model, a dataclass or a TypedDict, in the grammar of MCP. A field that MCP cannot ask
    for is a :class:`TypeError`. Constraints that MCP cannot express are left out. :func:`form` checks them."""
    return Shape(model).schema


@overload
async def form(
    model: Type[T], message: str, *, ttl: Optional[float] = ..., on_page: bool = ..., principal: Optional[str] = ...
) -> T: ...


@overload
async def form(
    model: Schema, message: str, *, ttl: Optional[float] = ..., on_page: bool = ..., principal: Optional[str] = ...
) -> Dict[str, Any]: ...


async def form(
    model: Any, message: str, *, ttl: Optional[float] = None, on_page: bool = False, principal: Optional[str] = None
) -> Any:
    """Asks for the fields of a model, and returns an instance; for a JSON Schema, a dictionary. An answer that the
    model's own validators refuse is asked for again.

    ``ttl`` is how many seconds the question may stay open. With ``on_page``, and for a model with a SecretStr, the
    person answers on the server's own page. There, ``principal`` lets somebody else than the caller answer."""
    shape = Shape(model)
    on_page = on_page or shape.secret
    said, wrong = message, []
    for _ in range(running().attempts):
        answer = await raw(Question("form", said, shape.schema, secret=on_page, ttl=ttl, principal=principal))
        try:
            return shape.read(answer.content or {})
        except ValueError as unfit:
            wrong = [(".".join(map(str, one["loc"])), one["msg"]) for one in cast(Any, unfit).errors()]
        # The client sees the message, so it must not tell what a validator says about a secret.
        lines = [name if on_page else "%s: %s" % (name, why) for name, why in wrong]
        said = "\n".join([message, "", "The answer did not fit:", *lines])
    problems = [{"code": "answer_unfit", "pointer": "/" + name, "args": {"key": name}} for name, _ in wrong]
    raise Attempts("cancel", "attempts_used", problems, text="not answered: no answer fitted; " + "; ".join(lines))


async def secret(model: Type[T], message: str, *, ttl: Optional[float] = None) -> T:
    """Asks for the fields of a model on the server's own page. The answer passes neither the client nor a model."""
    return await form(model, message, ttl=ttl, on_page=True)


async def confirm(
    message: str, *, ttl: Optional[float] = None, on_page: bool = False, principal: Optional[str] = None
) -> None:
    """Asks for a yes. It returns for a yes, and raises :class:`Declined` for a no."""
    nothing = {"type": "object", "properties": {}}
    await raw(Question("form", message, nothing, secret=on_page, ttl=ttl, principal=principal))


async def choose(
    message: str,
    choices: Union[Sequence[str], Mapping[str, str]],
    *,
    ttl: Optional[float] = None,
    principal: Optional[str] = None,
) -> str:
    """Asks the person to choose one of the choices, and returns it. A mapping gives each choice a title."""
    titled = choices.items() if isinstance(choices, Mapping) else zip(choices, choices)
    options = [{"const": value, "title": title} for value, title in titled]
    asked = {"type": "object", "required": ["choice"], "properties": {"choice": {"type": "string", "oneOf": options}}}
    answer = await raw(Question("form", message, asked, ttl=ttl, principal=principal))
    return str((answer.content or {})["choice"])


async def url(
    message: str, url: str, *, wait: Optional[Callable[[str], object]] = None, ttl: Optional[float] = None
) -> None:
    """Asks the person to visit a URL, the same in every run, and returns when they have consented. With ``wait``, it
    returns when :meth:`Asker.completed` got the id that ``wait`` is given, maybe again in a later run. ``wait`` may be
    async: the person gets the URL when it has returned."""
    await raw(Question("url", message, url=url, wait=wait, ttl=ttl))


async def key() -> str:
    """The key of the call, which is the same in every run of its handler and in every process. Give it to what must not
    happen twice, such as a payment, and ask for it before the first question. Otherwise no other process runs the
    handler again when this one ended, and the client is told that the result is unknown."""
    return str((await running().tell("keyed"))["value"])


async def once(compute: "Callable[[], Union[T, Awaitable[T]]]", model: Optional[Type[T]] = None) -> T:
    """Computes a value once in the life of a call, such as a plan to show. A later run gets the value of the first:

    >>> plan = await ask.once(dry_run, Plan)                                   # doctest: +SKIP
    >>> await ask.confirm("Run this?\\n%s" % plan)                             # doctest: +SKIP

    Like a question, a value is known by its place in the handler and the name of ``model``. It is kept as JSON, with
    the next question of its call. All values of a call have at most 32 KiB: :class:`TooLarge`. An exception of
    ``compute`` is raised and not kept. ``compute`` cannot ask: :class:`NoCall`."""
    run, name = running(), "" if model is None else getattr(model, "__name__", str(model))
    of = {"key": ascii(name)[1:-1][:100]}
    kept = await run.tell("kept", **of)
    if "value" in kept:
        text = json.dumps(kept["value"])
    else:
        token = current.set(None)
        try:
            made: Any = compute()
            made = await made if inspect.isawaitable(made) else made
        finally:
            current.reset(token)
        text = json.dumps(made, allow_nan=False) if model is None else adapter(model).dump_json(made).decode()
        await run.tell("computed", **of, position=kept.get("position", 0), value=json.loads(text))
    return cast(T, json.loads(text) if model is None else adapter(model).validate_json(text))
