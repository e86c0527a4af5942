"""Guardians as a host lists them: a module is read, held by the library, and granted what is written beside it."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Dict, List, Mapping, Sequence, TypedDict, Union

from .fault import ElicitError, InputError
from .library import library


class Guardian(TypedDict, total=False):
    """Who looks at questions before a person does, and at answers before they leave. docs/guardians.md has all members.

    ``module`` is a WebAssembly module, its path or its bytes, which the library runs; its digest and declaration are
    filled in. Without one the guardian is asked through ``consult``. ``reads`` is what it may see: nothing unless
    granted.
    """

    module: Union[str, "os.PathLike[str]", bytes]
    name: str
    digest: str
    declared: Mapping[str, Sequence[str]]
    settings: Mapping[str, Any]
    reads: Sequence[str]
    phases: Sequence[str]
    mode: str
    fuel: int
    wasi: bool
    deadline_ms: int
    reviewer: bool
    escalate: bool
    host: bool


class GuardianError(InputError):
    """A guardian cannot be used: its module cannot be read or is refused, or the engine does not take its grant."""

    def __init__(self, said: str, problems: Sequence[Dict[str, Any]] = ()):
        ElicitError.__init__(self, said)
        self.problems = list(problems)

    @classmethod
    def of(cls, problems: Sequence[Dict[str, Any]], who: str = "") -> "GuardianError":
        """The problems in English, and where they are."""
        given = json.dumps({"problems": list(problems)}).encode()
        sentences = json.loads(library().eval(b"explain", given))["problems"]
        parts = ["%s (at %s)" % (s, p["pointer"]) if p.get("pointer") else s for s, p in zip(sentences, problems)]
        return cls(who + "; ".join(parts), problems)


def grants(guardians: Sequence[Guardian]) -> List[Dict[str, Any]]:
    """Those of a configuration's ``guardians`` that a list amounts to. Gives the library every module in it."""
    return [grant(place, guardian) for place, guardian in enumerate(guardians)]


def grant(place: int, guardian: Guardian) -> Dict[str, Any]:
    out: Dict[str, Any] = dict(guardian)
    if "module" not in out:
        return out
    module = out.pop("module")
    who = "guardian %d%s" % (place, "" if isinstance(module, bytes) else ", %s," % os.fspath(module))
    is_ = held(module, who)
    if out.setdefault("digest", is_["digest"]) != is_["digest"]:
        raise GuardianError("%s is another module: it has the digest %s, not %s" % (who, is_["digest"], out["digest"]))
    manifest = is_["manifest"]
    out.setdefault("name", manifest["name"])
    out.setdefault("declared", {key: manifest[key] for key in ("phases", "reads", "codes") if key in manifest})
    if "reads" not in out and manifest["reads"]:
        told = (
            "guardian %s is shown nothing. Grant what it may see of what it declares: reads=%s, "
            "or reads=[] to grant nothing"
        )
        warnings.warn(told % (out["name"], json.dumps(manifest["reads"])), stacklevel=2)
    out.setdefault("reads", [])
    return out


def held(module: Union[str, "os.PathLike[str]", bytes], who: str) -> Dict[str, Any]:
    """What the library says of a module."""
    if not isinstance(module, bytes):
        try:
            with open(os.path.expanduser(module), "rb") as file:
                module = file.read()
        except OSError as error:
            raise GuardianError("%s cannot be read: %s" % (who, error.strerror)) from error
    try:
        said: Dict[str, Any] = json.loads(library().guest(module))
        return said
    except InputError as refused:
        raise GuardianError.of(refused.problems, who + " is refused: ") from None
