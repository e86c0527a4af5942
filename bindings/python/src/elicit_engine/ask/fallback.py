"""The tool that passes on answers."""

from __future__ import annotations

from typing import Any, Dict


def fallback_tool(name: str) -> Dict[str, Any]:
    """The definition of the tool that passes on answers."""
    texts = {
        "id": {"type": "string", "description": "the id in the result that asked"},
        "action": {
            "type": "string", "enum": ["accept", "decline", "cancel"], "description": "what the person decided"
        },
        "content": {
            "type": "object", "description": "for accept: the answer, as the schema in that result says"
        },
    }
    description = (
        "Another tool's result may ask you for an answer of the person. Ask the person, wait for their reply, then "
        "call this tool with the id from that result. Never answer for the person. The result of this tool is the "
        "result of the other tool."
    )
    schema = {"type": "object", "properties": texts, "required": ["id", "action"], "additionalProperties": False}
    return {"name": name, "title": "Pass on a person's answer", "description": description, "inputSchema": schema}
