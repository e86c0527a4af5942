"""A server on the official Python SDK: forms from pydantic models, pages, -32042, and rounds by resolvers, over stdio.

The SDK seals the state of its rounds by itself. Every tool says what came of it as JSON.
"""

import json
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal, Optional

from mcp import MCPError, UrlElicitationRequiredError
from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult, MCPServer, Resolve
from mcp_types import ElicitRequestURLParams
from pydantic import BaseModel, EmailStr, Field


class Size(Enum):
    SMALL = "s"
    LARGE = "l"


class Table(BaseModel):
    """The SDK writes `Optional[X]` as X that may be left out, and drops a default of None."""

    name: str = Field(min_length=1, max_length=40, description="Who comes")
    guests: int = Field(default=2, ge=1, le=8)
    tip: float = 0.0
    window: bool = False
    day: date
    email: Optional[EmailStr] = None
    note: Optional[str] = None
    course: Literal["fish", "meat"] = "fish"


class Sizes(BaseModel):
    size: Size


class Pattern(BaseModel):
    code: str = Field(pattern=r"^\w{3}$")
    step: Optional[Annotated[int, Field(multiple_of=5)]] = None


class Several(BaseModel):
    tags: list[Literal["a", "b"]] = Field(default=["a"], max_length=2)


class Numbers(BaseModel):
    """The SDK's check of the grammar lets it through, though the grammar has only enumerations of strings."""

    stars: Literal[1, 2, 3]


class Nothing(BaseModel):
    pass


class Inner(BaseModel):
    x: int


class Nested(BaseModel):
    inner: Inner


TYPES: dict[str, type[BaseModel]] = {
    "table": Table,
    "sizes": Sizes,
    "pattern": Pattern,
    "several": Several,
    "numbers": Numbers,
    "nothing": Nothing,
    "nested": Nested,
}

mcp = MCPServer("pythonsdk-forms", log_level="ERROR")
finished: set[str] = set()


def told(**out: Any) -> str:
    return json.dumps({k: v for k, v in out.items() if v is not None})


@mcp.tool()
async def ask(type: str, message: str, ctx: Context) -> str:
    try:
        result = await ctx.elicit(message, TYPES[type])
    except MCPError as e:
        return told(error=e.error.model_dump(mode="json", exclude_none=True))
    except TypeError as e:
        return told(unsent=str(e))
    except ValueError as e:
        return told(unread=str(e))
    data = result.data.model_dump(mode="json") if isinstance(result, AcceptedElicitation) else None
    return told(action=result.action, data=data)


@mcp.tool()
async def raw(schema: dict[str, Any], message: str, ctx: Context) -> str:
    """Sends any schema as it is; the low-level call looks neither at it nor at the content."""
    try:
        result = await ctx.session.elicit_form(message, schema, related_request_id=ctx.request_id)
    except MCPError as e:
        return told(error=e.error.model_dump(mode="json", exclude_none=True))
    return told(action=result.action, content=result.content)


@mcp.tool()
async def visit(id: str, ctx: Context) -> str:
    try:
        result = await ctx.elicit_url("Sign in at the bank.", f"https://bank.example.com/sign-in?for={id}", id)
    except MCPError as e:
        return told(error=e.error.model_dump(mode="json", exclude_none=True))
    if result.action == "accept":
        await ctx.session.send_elicit_complete(id, related_request_id=ctx.request_id)
    return told(action=result.action)


@mcp.tool()
async def required(id: str, ctx: Context) -> str:
    """Fails with -32042 at the first call for an id and reads at the second, as if the page had been finished."""
    if id in finished:
        return told(read=id)
    finished.add(id)
    page = ElicitRequestURLParams(message="Allow reading.", url=f"https://bank.example.com/allow?for={id}",
        elicitation_id=id)
    raise UrlElicitationRequiredError([page])


class Where(BaseModel):
    city: Literal["Rome", "Oslo"]


class Nights(BaseModel):
    nights: int = Field(default=1, ge=1, le=14)


async def where(guest: str) -> Elicit[Where]:
    return Elicit(f"Where shall {guest} stay?", Where)


async def nights(place: Annotated[Where, Resolve(where)]) -> Elicit[Nights] | Nights:
    """Depends on the first answer, so a 2026-07-28 client is asked in a second round."""
    return Elicit(f"How long in {place.city}?", Nights)


@mcp.tool()
async def book(
    guest: str,
    place: Annotated[Where, Resolve(where)],
    stay: Annotated[ElicitationResult[Nights], Resolve(nights)],
) -> str:
    if isinstance(stay, AcceptedElicitation):
        return told(guest=guest, city=place.city, nights=stay.data.nights)
    return told(guest=guest, city=place.city, stay=stay.action)


if __name__ == "__main__":
    mcp.run()
