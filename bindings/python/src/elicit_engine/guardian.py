"""The guardians that a host lists. Each module is read and given to the library, and each entry becomes a permit."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Callable, Dict, List, Mapping, Sequence, TypedDict, Union

from .fault import ElicitError, InputError, placed
from .library import library


class Guardian(TypedDict, total=False):
    """A guardian inspects questions before a person sees them, and answers before they are sent.

    docs/guardians.md explains all members. ``module`` is the path or the bytes of a WebAssembly module that the library
    runs. Its digest and declaration are filled in. A guardian without a module is asked through ``consult``. ``reads``
    lists the data that it may see; left out, none. ``data`` is the path or the bytes of the data document of a
    module that declares one. Its digest is filled in.
    """

    module: Union[str, "os.PathLike[str]", bytes]
    name: str
    digest: str
    declared: Mapping[str, Sequence[str]]
    settings: Mapping[str, Any]
    data: Union[str, "os.PathLike[str]", bytes]
    data_digest: str
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
    """A guardian cannot be used: its module cannot be read or is refused, or the engine refuses its permit."""

    def __init__(self, said: str, problems: Sequence[Dict[str, Any]] = ()):
        ElicitError.__init__(self, said)
        self.problems: List[Dict[str, Any]] = list(problems)
        self.sentences: List[str] = library().explain(self.problems) if self.problems else [said]

    @classmethod
    def of(cls, problems: Sequence[Dict[str, Any]], who: str = "") -> "GuardianError":
        """An error with the problems in English, and their places."""
        return cls(who + placed(library().explain(problems), problems), problems)


def permits(guardians: Sequence[Guardian]) -> List[Dict[str, Any]]:
    """The value of a configuration's ``guardians`` for a list. It gives the library every module in the list."""
    return [permit(place, guardian) for place, guardian in enumerate(guardians)]


def permit(place: int, guardian: Guardian) -> Dict[str, Any]:
    out: Dict[str, Any] = dict(guardian)
    if "module" not in out:
        return out
    module = out.pop("module")
    who = "guardian %d%s" % (place, "" if isinstance(module, bytes) else ", %s," % os.fspath(module))
    described = given(library().guest, module, who)
    if out.setdefault("digest", described["digest"]) != described["digest"]:
        digests = (described["digest"], out["digest"])
        raise GuardianError(who + " is another module: it has the digest %s, not %s" % digests)
    if "data" in out:
        document = given(library().data, out.pop("data"), "the data document of " + who)["digest"]
        if out.setdefault("data_digest", document) != document:
            told = "%s has another data document: it has the digest %s, not %s"
            raise GuardianError(told % (who, document, out["data_digest"]))
    manifest = described["manifest"]
    out.setdefault("name", manifest["name"])
    out.setdefault("declared", {key: manifest[key] for key in ("phases", "reads", "codes") if key in manifest})
    if "reads" not in out and manifest["reads"]:
        warning = (
            "guardian %s is shown nothing. Permit what it may see of what it declares: reads=%s, "
            "or reads=[] to permit nothing"
        )
        warnings.warn(warning % (out["name"], json.dumps(manifest["reads"])), stacklevel=2)
    out.setdefault("reads", [])
    return out


def given(take: Callable[[bytes], bytes], file: Union[str, "os.PathLike[str]", bytes], who: str) -> Dict[str, Any]:
    """What the library says of bytes, or of those of a file, which it takes and keeps."""
    try:
        said: Dict[str, Any] = json.loads(take(contents(file, who)))
        return said
    except GuardianError:
        raise
    except InputError as refused:
        raise GuardianError.of(refused.problems, who + " is refused: ") from None


def contents(file: Union[str, "os.PathLike[str]", bytes], who: str) -> bytes:
    """The bytes themselves, or those of a file."""
    if isinstance(file, bytes):
        return file
    try:
        with open(os.path.expanduser(file), "rb") as opened:
            return opened.read()
    except OSError as error:
        raise GuardianError("%s cannot be read: %s" % (who, error.strerror)) from error
