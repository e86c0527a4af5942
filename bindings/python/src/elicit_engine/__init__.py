"""The engine that decides what happens when a program wants to ask a person a question.

>>> from elicit_engine import Engine
>>> with Engine({"policy": {"user": {"version": 1, "approval_policy": "never"}}}) as engine:
...     session = engine.step({"event": "opened", "session": "s", "server": "backup", "side": "answering",
...                            "declared": ["form"], "shown": ["form"]})
...     effects = engine.step({"event": "asked", "session": "s", "ref": "1", "mode": "form", "message": "Go on?",
...                            "schema": {"type": "object", "properties": {}}})
...     [effect["effect"] for effect in effects]
['append', 'reply']

The problems of a peer's request or a person's answer are values, in an effect or in the output of an operation.
Exceptions mean that the caller or the machine failed: :class:`InputError`, :class:`HandleError`,
:class:`EngineFault`, :class:`LibraryMissing`.
"""

from .configuration import Configuration, ConnectionConfiguration, Limits, Policies
from .engine import Engine, Form, Relay, describe, evaluate, evaluate_text, guest, managed_policy, selfcheck, why
from .fault import (
    Busy,
    ElicitError,
    EngineFault,
    Forked,
    HandleError,
    InputError,
    InterfaceError,
    JournalError,
    LibraryMissing,
)
from .guardian import Guardian, GuardianError

__all__ = [
    "Busy",
    "Configuration",
    "ConnectionConfiguration",
    "ElicitError",
    "Engine",
    "EngineFault",
    "Forked",
    "Form",
    "Guardian",
    "GuardianError",
    "HandleError",
    "InputError",
    "InterfaceError",
    "JournalError",
    "LibraryMissing",
    "Limits",
    "Policies",
    "Relay",
    "describe",
    "evaluate",
    "evaluate_text",
    "guest",
    "managed_policy",
    "selfcheck",
    "why",
]
