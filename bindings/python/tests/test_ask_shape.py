"""Forms from types: what MCP can ask for, and an error that names the field when it cannot."""

import dataclasses
import datetime
import decimal
import enum
from typing import Any, Dict, List, Literal, Optional, Set, Tuple, Union

import pytest

from elicit_engine import ask, evaluate
from elicit_engine.ask.shape import Shape

pydantic = pytest.importorskip("pydantic")
Field = pydantic.Field


class Size(enum.Enum):
    SMALL = "s"
    VERY_LARGE = "xl"


class Level(enum.IntEnum):
    LOW = 1


class Everything(pydantic.BaseModel):
    name: str = Field(min_length=2, max_length=20, title="Full name", description="As in the passport")
    site: pydantic.AnyUrl
    born: datetime.date
    colour: Literal["red", "green"]
    only: Literal["this"] = "this"
    size: Size = Size.SMALL
    maybe: Optional[Size] = None
    must: Optional[int]
    count: int = Field(3, gt=0, lt=10)
    price: decimal.Decimal = Field(ge=0)
    flag: bool = False
    tags: List[Literal["a", "b"]] = ["a"]
    sizes: Set[Size] = Field(min_length=1)


def test_every_kind_of_field():
    schema = ask.schema(Everything)
    assert schema["required"] == ["name", "site", "born", "colour", "price", "sizes"]
    fields = schema["properties"]
    titled = [{"const": "s", "title": "Small"}, {"const": "xl", "title": "Very large"}]
    assert fields["name"] == {
        "type": "string", "title": "Full name", "description": "As in the passport", "minLength": 2, "maxLength": 20
    }
    assert fields["site"]["format"] == "uri" and fields["born"]["format"] == "date"
    assert fields["colour"]["enum"] == ["red", "green"] and fields["only"]["default"] == "this"
    assert fields["size"]["oneOf"] == fields["maybe"]["oneOf"] == fields["sizes"]["items"]["anyOf"] == titled
    assert fields["size"]["default"] == "s" and "default" not in fields["maybe"]
    assert fields["must"]["type"] == "integer" and fields["price"]["type"] == "number"
    assert (fields["count"]["minimum"], fields["count"]["maximum"], fields["count"]["default"]) == (1, 9, 3)
    assert fields["flag"] == {"type": "boolean", "title": "Flag", "default": False}
    assert fields["tags"]["items"] == {"type": "string", "enum": ["a", "b"]} and fields["sizes"]["minItems"] == 1
    assert "form" in evaluate("compile", {"schema": schema, "profile": "2025-11-25"})
    given = {"name": "Ada", "site": "https://a.example", "born": "2000-01-01", "colour": "red", "price": 1.5}
    read = Shape(Everything).read({**given, "sizes": ["xl"]})
    assert read.sizes == {Size.VERY_LARGE} and read.must is None and read.born.year == 2000


class Inner(pydantic.BaseModel):
    x: int


@pytest.mark.parametrize(
    "of, said",
    [
        (Inner, "cannot be an object"),
        (Dict[str, str], "cannot be an object"),
        (List[str], "an array must list its choices"),
        (List[Inner], "the keyword required is not allowed"),
        (Union[int, bool], "not a choice of types"),
        (Level, "the keyword enum is not allowed"),
        (Literal[1, 2], "the keyword enum is not allowed"),
        (Any, "the required keyword type is missing"),
        (Tuple[int, str], "an array must list its choices"),
    ],
)
def test_a_field_that_no_form_can_ask_for_is_named(of, said):
    model = pydantic.create_model("Order", fine=(str, ...), wrong=(of, ...))
    with pytest.raises(TypeError, match="field wrong of Order: .*" + said):
        ask.schema(model)


def test_what_is_no_form_is_refused():
    for model in (int, List[str], pydantic.RootModel[List[str]]):
        with pytest.raises(TypeError, match="is not a form"):
            ask.schema(model)


def test_a_dataclass_and_a_schema():
    @dataclasses.dataclass
    class Point:
        x: int
        y: int = 0

    assert ask.schema(Point)["required"] == ["x"] and Shape(Point).read({"x": 1}) == Point(1, 0)
    given = {"type": "object", "properties": {"x": {"type": "integer"}}}
    assert ask.schema(given) == given and Shape(given).read({"x": 1}) == {"x": 1}


def test_a_secret_type_makes_a_secret_form():
    class Login(pydantic.BaseModel):
        password: pydantic.SecretStr

    assert Shape(Login).secret and not Shape(Inner).secret


def test_constraints_that_mcp_cannot_express_are_checked_with_the_answer():
    class Code(pydantic.BaseModel):
        code: str = Field(pattern="^[A-Z]+$")
        weight: float = Field(gt=0)

    assert ask.schema(Code)["properties"]["weight"] == {"type": "number", "title": "Weight"}
    with pytest.raises(pydantic.ValidationError) as unfit:
        Shape(Code).read({"code": "abc", "weight": 0})
    assert [error["loc"][0] for error in unfit.value.errors()] == ["code", "weight"]
