"""Values that a handler computes once, however often it runs."""

from __future__ import annotations

import inspect
import json
from typing import Any, Awaitable, Callable, Optional, Type, TypeVar, Union, cast

from .question import current
from .run import running
from .shape import adapter

T = TypeVar("T")


async def once(compute: "Callable[[], Union[T, Awaitable[T]]]", model: Optional[Type[T]] = None) -> T:
    """Computes a value once in the life of a call. When the handler runs again after a question, it gets the value of
    the first run. It is for what the person is shown and the handler then does, such as a plan or a random id:

    >>> plan = await ask.once(dry_run, Plan)                                   # doctest: +SKIP
    >>> await ask.confirm("Run this?\\n%s" % plan)                             # doctest: +SKIP
    >>> return await plan.run()                                                # doctest: +SKIP

    Like a question, a value is known by its place in the handler: the same calls must come in the same order. It is
    kept as JSON. ``model`` is its type, as with :func:`form`; without it, the value is what :mod:`json` makes of it,
    also in the first run. All values of a call have at most 32 KiB: :class:`TooLarge`. An exception of ``compute`` is
    raised and not kept. ``compute`` cannot ask: :class:`NoCall`.

    A value is kept with the next question of its call. Until then it exists in this process alone."""

    async def computed() -> str:
        token = current.set(None)
        try:
            value: Any = compute()
            if inspect.isawaitable(value):
                value = await value
        finally:
            current.reset(token)
        if model is not None:
            return adapter(model).dump_json(value).decode()
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    name = "" if model is None else getattr(model, "__name__", str(model))
    text = await running().once(ascii(name)[1:100], computed)
    return cast(T, json.loads(text) if model is None else adapter(model).validate_json(text))
