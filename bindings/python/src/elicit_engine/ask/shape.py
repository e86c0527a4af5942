"""Forms from types: brings the JSON Schema that pydantic makes of a type into the restricted grammar of MCP."""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple

from ..engine import evaluate

if TYPE_CHECKING:
    from pydantic import TypeAdapter


class Shape:
    """What a form asks for: a JSON Schema, whose value is a dictionary, or the fields of a pydantic model, a dataclass
    or a TypedDict, whose value is an instance."""

    def __init__(self, model: Any):
        #: A field is of a type for secrets, so the form must not pass the client.
        self.secret: bool = False
        self._adapter: "Optional[TypeAdapter[Any]]" = None
        self._absent: List[str] = []
        if isinstance(model, Mapping):
            self.schema: Dict[str, Any] = dict(model)
            return
        self._adapter = adapter(model)
        name = getattr(model, "__name__", str(model))
        whole = self._adapter.json_schema(schema_generator=generator())
        root = resolved(whole, whole)
        if root.get("type") != "object" or "properties" not in root and root.get("additionalProperties"):
            raise TypeError("ask: %s is not a form: a form is a pydantic model, a dataclass or a TypedDict" % name)
        properties: Dict[str, Any] = {}
        required: List[str] = []
        for key, given in root.get("properties", {}).items():
            try:
                properties[key], nullable = plain(given, whole)
            except TypeError as error:
                raise TypeError("ask: field %s of %s: %s" % (key, name, error)) from None
            self.secret = self.secret or given.get("writeOnly") is True
            if key in root.get("required", ()):
                (self._absent if nullable else required).append(key)
        self.schema = {"type": "object", "properties": properties, **({"required": required} if required else {})}

    def read(self, content: Mapping[str, Any]) -> Any:
        """The value of a content. It raises the ValidationError of pydantic."""
        if self._adapter is None:
            return dict(content)
        return self._adapter.validate_json(json.dumps({**dict.fromkeys(self._absent), **content}))


def adapter(model: Any) -> "TypeAdapter[Any]":
    from pydantic import TypeAdapter

    return TypeAdapter(model)


def generator() -> Any:
    """Makes schemas in which the members of an Enum have titles: SMALL_SIZE is "Small size"."""
    from pydantic.json_schema import GenerateJsonSchema

    class Titled(GenerateJsonSchema):
        def enum_schema(self, schema: Any) -> Dict[str, Any]:
            made: Dict[str, Any] = super().enum_schema(schema)
            members: List[Enum] = schema["members"]
            if not members or not all(isinstance(member.value, str) for member in members):
                return made
            choices = [{"const": member.value, "title": readable(member.name)} for member in members]
            return {"type": "string", "oneOf": choices}

    return Titled


def readable(name: str) -> str:
    words = name.replace("_", " ").strip()
    return words.capitalize() if words.isupper() or words.islower() else words


def resolved(schema: Mapping[str, Any], whole: Mapping[str, Any]) -> Dict[str, Any]:
    """A schema in which a reference, or a list of one schema, is replaced by what it means, and const by enum."""
    out = dict(schema)
    while "$ref" in out or len(out.get("allOf", ())) == 1:
        inner = out.pop("allOf")[0] if "$ref" not in out else whole["$defs"][out.pop("$ref").rpartition("/")[2]]
        out = {**inner, **out}
    if "const" in out:
        out["enum"] = [out.pop("const")]
    return out


def plain(given: Mapping[str, Any], whole: Mapping[str, Any]) -> Tuple[Dict[str, Any], bool]:
    """One field in the grammar of MCP, and whether it may be left out because None is one of its values."""
    field = resolved(given, whole)
    union = [resolved(one, whole) for one in field.get("anyOf", ())]
    some = [one for one in union if one != {"type": "null"}]
    if [one.get("type") for one in some] == ["number", "string"]:
        some.pop()  # a Decimal, which is also read from a number
    if len(some) == 1:
        del field["anyOf"]
        field = {**some[0], **field}
    if field.get("type") == "integer":  # other bounds that exclude their value are checked when the answer comes
        if "exclusiveMinimum" in field:
            field["minimum"] = max(field["exclusiveMinimum"] + 1, field.get("minimum", -(2**63)))
        if "exclusiveMaximum" in field:
            field["maximum"] = min(field["exclusiveMaximum"] - 1, field.get("maximum", 2**63))
    if "items" in field:
        items = resolved(field["items"], whole)
        field["items"] = {"anyOf": items["oneOf"]} if "oneOf" in items else items
    if field.get("default", ...) is None:
        del field["default"]
    return narrowed(field), {"type": "null"} in union


def narrowed(field: Dict[str, Any]) -> Dict[str, Any]:
    """A field without the keywords that MCP does not have. What they say is checked when the answer comes."""
    asked = {"type": "object", "properties": {"field": field}}
    for problem in evaluate("compile", {"schema": asked, "profile": "2025-11-25"}).get("problems", ()):
        keyword = problem["pointer"][len("/properties/field/"):]
        if not problem["code"].startswith("unsupported_") or keyword == "enum" or keyword not in field:
            raise TypeError(evaluate("explain", {"problems": [problem]})["problems"][0])
        del field[keyword]
    return field
