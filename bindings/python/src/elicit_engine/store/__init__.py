"""Sessions of the asking side at rest (docs/asking.md): the interface, and a store in memory.

The modules ``redis``, ``postgres`` and ``sqlite`` keep them elsewhere."""

from .memory import MemoryStore
from .observe import Call, Counters, log, observe, ping
from .rules import Change, Entry, Line, Query, Saved, Store, StoreError

__all__ = [
    "Call", "Change", "Counters", "Entry", "Line", "MemoryStore", "Query", "Saved", "Store", "StoreError", "log",
    "observe", "ping",
]
