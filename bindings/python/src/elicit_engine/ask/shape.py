"""Forms from types: brings the JSON Schema that pydantic makes of a type into the restricted grammar of MCP."""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Sequence

if TYPE_CHECKING:
    from pydantic import TypeAdapter

#: The formats of a text that MCP knows. Other formats are checked when the answer comes.
FORMATS = ("email", "uri", "date", "date-time")

#: The keywords of MCP by the type of a field (MCP 2025-11-25 schema, PrimitiveSchemaDefinition).
KEYWORDS: Mapping[str, Sequence[str]] = {
    "string": ("minLength", "maxLength"),
    "integer": ("minimum", "maximum"),
    "number": ("minimum", "maximum"),
    "boolean": (),
    "array": ("minItems", "maxItems"),
}


class Unfit(Exception):
    """The content of an answer does not fit the type. ``complaints`` has pairs of a field's name and a sentence."""

    def __init__(self, complaints: Sequence["tuple[str, str]"]):
        self.complaints: "List[tuple[str, str]]" = list(complaints)
        super().__init__("; ".join(": ".join(c) for c in self.complaints))


class Shape:
    """What a form asks for: its schema, and how its content becomes a value."""

    schema: Dict[str, Any]
    #: A field is of a type for secrets, so the form must not pass the client.
    secret: bool = False

    def read(self, content: Mapping[str, Any]) -> Any:
        """The value of a content. It raises :class:`Unfit`."""
        return dict(content)


class GivenShape(Shape):
    """A schema that the author wrote. The value is a dictionary."""

    def __init__(self, schema: Mapping[str, Any]):
        self.schema: Dict[str, Any] = dict(schema)


class TypeShape(Shape):
    """A pydantic model, a dataclass or a TypedDict. The value is an instance."""

    def __init__(self, model: Any):
        self._adapter: "TypeAdapter[Any]" = adapter(model)
        name = getattr(model, "__name__", str(model))
        whole = self._adapter.json_schema(schema_generator=generator())
        root = resolved(whole, whole.get("$defs", {}), name)
        if root.get("type") != "object" or "properties" not in root and root.get("additionalProperties"):
            raise TypeError("ask: %s is not a form: a form is a pydantic model, a dataclass or a TypedDict" % name)
        self._absent: List[str] = []
        properties: Dict[str, Any] = {}
        required: List[str] = []
        for key, given in root.get("properties", {}).items():
            try:
                field, nullable = plain(given, whole.get("$defs", {}))
            except TypeError as error:
                raise TypeError("ask: field %s of %s: %s" % (key, name, error)) from None
            self.secret: bool = self.secret or given.get("writeOnly") is True
            properties[key] = field
            if key in root.get("required", ()):
                (self._absent if nullable else required).append(key)
        self.schema: Dict[str, Any] = {"type": "object", "properties": properties}
        if required:
            self.schema["required"] = required

    def read(self, content: Mapping[str, Any]) -> Any:
        from pydantic import ValidationError

        whole = {**{key: None for key in self._absent}, **content}
        try:
            return self._adapter.validate_json(json.dumps(whole))
        except ValidationError as error:
            raise Unfit([
                (".".join(map(str, one["loc"])), one["msg"])
                for one in error.errors(include_url=False, include_input=False, include_context=False)
            ]) from None


def shape_of(model: Any) -> Shape:
    """The shape of a form, from a type or from a JSON Schema."""
    return GivenShape(model) if isinstance(model, Mapping) else TypeShape(model)


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
            if members and all(isinstance(m.value, str) for m in members):
                made.pop("enum", None)
                made.pop("const", None)
                made["type"] = "string"
                made["oneOf"] = [{"const": m.value, "title": readable(m.name)} for m in members]
            return made

    return Titled


def readable(name: str) -> str:
    words = name.replace("_", " ").strip()
    return words.capitalize() if words.isupper() or words.islower() else words


def resolved(schema: Mapping[str, Any], definitions: Mapping[str, Any], name: str) -> Dict[str, Any]:
    """A schema in which a reference, or a list of one schema, is replaced by what it means."""
    out, seen = dict(schema), 0
    while "$ref" in out or len(out.get("allOf", ())) == 1:
        inner = out.pop("allOf")[0] if "$ref" not in out else definitions.get(out.pop("$ref").rpartition("/")[2])
        seen += 1
        if inner is None or seen > 100:
            raise TypeError("the reference of %s has no end" % name)
        out = {**inner, **out}
    return out


def plain(given: Mapping[str, Any], definitions: Mapping[str, Any]) -> "tuple[Dict[str, Any], bool]":
    """One field in the grammar of MCP, and whether it may be left out because None is one of its values."""
    schema, nullable = resolved(given, definitions, "a field"), False
    if "anyOf" in schema:
        all_of = [resolved(one, definitions, "a field") for one in schema.pop("anyOf")]
        some = [one for one in all_of if one.get("type") != "null"]
        nullable = len(some) < len(all_of)
        if [one.get("type") for one in some] == ["number", "string"]:
            some = some[:1]  # a Decimal, which is also read from a number
        if len(some) != 1:
            raise TypeError("a form cannot ask for one of several types")
        schema = {**some[0], **schema}
    kind: Any = schema.get("type")
    if "const" in schema:
        schema["enum"] = [schema.pop("const")]
    if kind not in KEYWORDS:
        raise TypeError("a form cannot ask for %s" % ("an object" if kind == "object" else "values of this type"))
    field: Dict[str, Any] = {"type": kind}
    for key in ("title", "description"):
        if isinstance(schema.get(key), str):
            field[key] = schema[key]
    for key in KEYWORDS[kind]:
        if key in schema:
            field[key] = schema[key]
    if kind == "integer":  # other bounds that exclude their value are checked when the answer comes
        if "exclusiveMinimum" in schema:
            field["minimum"] = max(schema["exclusiveMinimum"] + 1, field.get("minimum", -(2**63)))
        if "exclusiveMaximum" in schema:
            field["maximum"] = min(schema["exclusiveMaximum"] - 1, field.get("maximum", 2**63))
    if kind == "string" and schema.get("format") in FORMATS:
        field["format"] = schema["format"]
    if kind == "array":
        field["items"] = choices(resolved(schema.get("items", {}), definitions, "the items"), "anyOf")
    elif "oneOf" in schema or "enum" in schema:
        field.update(choices(schema, "oneOf"))
    if schema.get("default") is not None:
        field["default"] = schema["default"]
    return field, nullable


def choices(schema: Mapping[str, Any], titled: str) -> Dict[str, Any]:
    """The choices of a field, or of the items of a list."""
    if "const" in schema:
        schema = {**schema, "enum": [schema["const"]]}
    if "oneOf" in schema and all("const" in one for one in schema["oneOf"]):
        return {titled: schema["oneOf"]}
    if not schema.get("enum"):
        raise TypeError("a list needs choices: list[Literal[…]] or a list of an Enum")
    if not all(isinstance(value, str) for value in schema["enum"]):
        raise TypeError("the choices of a form are texts, but these are not: %s" % json.dumps(schema["enum"]))
    return {"type": "string", "enum": schema["enum"]}
