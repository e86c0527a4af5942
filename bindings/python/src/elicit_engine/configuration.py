"""Types of the configuration, for editors and type checkers. docs/reference/configuration.md explains every member.

At run time a configuration is any mapping or its JSON: the engine checks it. A test compares the members here with
those that :func:`elicit_engine.describe` lists.
"""

from __future__ import annotations

from typing import Any, Mapping, Sequence, TypedDict

from .guardian import Guardian


class Limits(TypedDict, total=False):
    """The limits of an engine. Sizes are in bytes. Names that end in ``_ms`` are in milliseconds."""

    message: int
    schema: int
    url: int
    answer: int
    note: int
    arguments: int
    fields: int
    choices: int
    text: int
    sessions: int
    queue: int
    held_calls: int
    shown: int
    ended: int
    per_minute: int
    burst: int
    per_minute_session: int
    burst_session: int
    admitted_per_minute: int
    admitted_burst: int
    flood_bytes: int
    answer_ttl_ms: int
    shown_ttl_ms: int
    page_ttl_ms: int
    unseen_ms: int


class Policies(TypedDict, total=False):
    """A policy for each layer (docs/reference/policy.md), as a document, or as text under a name with ``_text``."""

    managed: Mapping[str, Any]
    managed_text: str
    managed_path: str
    user: Mapping[str, Any]
    user_text: str
    project: Mapping[str, Any]
    project_text: str
    session: Mapping[str, Any]
    session_text: str


class Configuration(TypedDict, total=False):
    """The configuration of an engine. Every member may be left out."""

    profile: str
    pauses: bool
    join_duplicates: bool
    offer_scopes: bool
    show_changes: bool
    servers: Sequence[str]
    grants: Sequence[Mapping[str, Any]]
    guardians: Sequence[Guardian]
    limits: Limits
    policy: Policies


class AgreedSession(TypedDict, total=False):
    """The agreement of both ends from a handshake before the connection is opened."""

    version: str
    declared: Sequence[str]
    calls_seen: bool


class ConnectionConfiguration(TypedDict, total=False):
    """The configuration of a connection (docs/reference/relay.md). Only ``server`` is required."""

    server: str
    protocol: str
    acp_v2: bool
    acp_chain: bool
    config: Configuration
    identity: str
    principal: str
    role: str
    ask: str
    modes: Sequence[str]
    policy_alone: bool
    hold_calls: bool
    session: AgreedSession
    keep_alive_ms: int
    answer_within_ms: int
    completion_wait_ms: int
    call_over_ms: int
    max_message: int
