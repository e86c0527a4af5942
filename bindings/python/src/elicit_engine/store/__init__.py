"""Sessions of the asking side at rest (docs/asking.md): the interface, and a store in memory.

``elicit_engine.store.redis`` keeps them in Redis."""

from .memory import MemoryStore
from .observe import Call, Counters, log, observe, ping
from .rules import Change, Entry, Line, Query, Saved, Store, StoreError

__all__ = [
    "Call", "Change", "Counters", "Entry", "Line", "MemoryStore", "Query", "Saved", "Store", "StoreError", "log",
    "observe", "ping",
]
