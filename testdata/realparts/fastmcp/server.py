"""A server on FastMCP that asks with pydantic models of every kind, over stdio.

`ask` asks as FastMCP's users do: its schema generator, its checks. `plain` sends what pydantic itself makes of the same
type, as servers do that do not know the protocol's grammar. Both say what came of it as JSON. `visit` asks for a page,
`book` asks in rounds.
"""

import json
from datetime import date, datetime
from enum import Enum, IntEnum
from typing import Annotated, Literal, Optional, Union

import mcp_types
from fastmcp import Context, FastMCP
from mcp import MCPError
from pydantic import AnyUrl, BaseModel, ConfigDict, EmailStr, Field, TypeAdapter, ValidationError


class Size(Enum):
    SMALL = "s"
    LARGE = "l"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Person(BaseModel):
    """Who it is for."""

    name: str = Field(min_length=2, max_length=20, title="Full name", description="As in the passport")
    email: EmailStr
    homepage: AnyUrl
    born: date
    seen: datetime


class Order(BaseModel):
    """Constrained types of every kind."""

    count: int = Field(ge=1, le=10)
    packs: int = Field(multiple_of=6, gt=0, lt=100)
    weight: float = Field(ge=0.5, lt=2.5)
    price: float = Field(multiple_of=0.05)
    code: str = Field(pattern=r"^[A-Z]{2}-\d{3}$")


class Choices(BaseModel):
    colour: Literal["red", "green"]
    only: Literal["this"] = "this"
    size: Size = Size.LARGE
    tags: list[Literal["a", "b", "c"]] = Field(default=["b"], min_length=1, max_length=2)
    sizes: list[Size] = []


class Defaults(BaseModel):
    """A falsy default for every type: none may be lost or mistaken for absence."""

    flag: bool = False
    count: int = 0
    ratio: float = 0.0
    text: str = ""
    on: bool = True
    day: date = date(2026, 1, 31)


class Maybe(BaseModel):
    """Every way to leave a value out.

    FastMCP itself does not send these; pydantic's schema has them as `anyOf` with null.
    """

    nick: Optional[str] = None
    ratio: Optional[Annotated[float, Field(gt=0, le=1)]] = None
    homepage: Optional[AnyUrl] = None
    size: Optional[Size] = None
    tags: Optional[list[Literal["a", "b"]]] = None
    flag: Optional[bool] = False
    known: Optional[str]


class Nothing(BaseModel):
    """A confirmation: nothing to fill in."""


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", title="Closed form")
    name: str


class Address(BaseModel):
    street: str


class Nested(BaseModel):
    name: str
    address: Address


class Ambiguous(BaseModel):
    value: Union[int, str]


class Numbers(BaseModel):
    level: Level


class Free(BaseModel):
    words: list[str]


class LookBehind(BaseModel):
    """Python's own engine knows patterns that take more than linear time."""

    model_config = ConfigDict(regex_engine="python-re")
    code: str = Field(pattern=r"^(?<!x)y$")


TYPES = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "literal": Literal["red", "green"],
    "enum": Size,
    "options": ["red", "green"],
    "titled": {"r": {"title": "Red"}, "g": {"title": "Green"}},
    "several": [["red", "green", "blue"]],
    "several-titled": [{"r": {"title": "Red"}, "g": {"title": "Green"}}],
    "list": list[Literal["red", "green"]],
    "person": Person,
    "order": Order,
    "choices": Choices,
    "defaults": Defaults,
    "maybe": Maybe,
    "nothing": Nothing,
    "none": None,
    "closed": Closed,
    "nested": Nested,
    "ambiguous": Ambiguous,
    "numbers": Numbers,
    "free": Free,
    "look-behind": LookBehind,
}

mcp = FastMCP("fastmcp-forms")


def told(action: str, data: object = None) -> str:
    """The outcome as the handler holds it, after pydantic made values of it."""
    out = {"action": action}
    if action == "accept":
        out["data"] = TypeAdapter(object).dump_python(data, mode="json")
        out["type"] = type(data).__name__
    return json.dumps(out, ensure_ascii=False)


def refused(e: MCPError) -> str:
    return json.dumps({"error": e.error.model_dump(mode="json", exclude_none=True)})


def unread(e: ValueError) -> str:
    """What pydantic would not take although the schema let it through."""
    places = ["/".join(map(str, error["loc"])) for error in e.errors()] if isinstance(e, ValidationError) else str(e)
    return json.dumps({"unread": places})


@mcp.tool
async def ask(type: str, message: str, ctx: Context) -> str:
    try:
        result = await ctx.elicit(message, TYPES[type])
    except MCPError as e:
        return refused(e)
    except TypeError as e:
        return json.dumps({"unsent": str(e)})
    except ValueError as e:
        return unread(e)
    return told(result.action, getattr(result, "data", None))


@mcp.tool
async def plain(type: str, message: str, ctx: Context) -> str:
    adapter = TypeAdapter(TYPES[type])
    try:
        result = await ctx.session.elicit(
            message=message, requested_schema=adapter.json_schema(), related_request_id=ctx.request_id
        )
    except MCPError as e:
        return refused(e)
    if result.action != "accept":
        return told(result.action)
    try:
        return told(result.action, adapter.validate_python(result.content))
    except ValidationError as e:
        return unread(e)


@mcp.tool
async def visit(url: str, ctx: Context) -> str:
    """Asks to have a page opened."""
    return told((await ctx.session.elicit_url("Sign in here", url, "visit", related_request_id=ctx.request_id)).action)


def form(message: str, model: type[BaseModel]) -> mcp_types.ElicitRequest:
    return mcp_types.ElicitRequest(
        params=mcp_types.ElicitRequestFormParams(message=message, requested_schema=model.model_json_schema())
    )


class Where(BaseModel):
    city: Literal["Rome", "Oslo"]


class When(BaseModel):
    day: date
    nights: int = Field(default=1, ge=1, le=14)


@mcp.tool
async def book(guest: str, ctx: Context) -> str | mcp_types.InputRequiredResult:
    """Two rounds; what the first one brought travels in the state, which FastMCP seals."""
    answers = ctx.input_responses or {}
    if ctx.request_state is None:
        return mcp_types.InputRequiredResult(
            input_requests={"where": form("Where to?", Where)}, request_state=json.dumps({"guest": guest})
        )
    state = json.loads(ctx.request_state)
    for key in ("where", "when"):
        if key in answers and answers[key].action != "accept":
            return f"{answers[key].action} at {key}"
    if "where" in answers:
        state |= Where.model_validate(answers["where"].content).model_dump()
        return mcp_types.InputRequiredResult(
            input_requests={"when": form(f"When to {state['city']}?", When)}, request_state=json.dumps(state)
        )
    when = When.model_validate(answers["when"].content)
    return f"Booked {state['city']} for {state['guest']}: {when.day.isoformat()}, {when.nights} nights."


if __name__ == "__main__":
    mcp.run(show_banner=False, log_level="ERROR")
