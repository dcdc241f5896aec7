"""Where the fields of a file of events lie, and its numbers: layout.json, which is made of tracer/format.hpp.

`python -m heddle.trace.make_layout` writes the file, from what the compiler says; a test compares the two.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

_MADE: dict[str, Any] = json.loads(Path(__file__).with_name("layout.json").read_text(encoding="utf-8"))

# Of heddle::tracer, by name: numbers, and texts without the zero at their ends.
CONSTANTS: dict[str, Any] = _MADE["constants"]
# Numbers of kinds of records, by name.
KINDS: dict[str, int] = _MADE["kinds"]
# What records name in their details: enumerators of the tools interface, by name.
ENUMERATORS: dict[str, int] = _MADE["enumerators"]


def dtype(name: str) -> np.dtype:
    """Of an array of these structures of heddle::tracer; fields have the names of the header."""
    struct = _MADE["structs"][name]
    fields = {field["name"]: (_field(field), field["offset"]) for field in struct["fields"]}
    return np.dtype(
        {
            "names": list(fields),
            "formats": [kind for kind, _ in fields.values()],
            "offsets": [offset for _, offset in fields.values()],
            "itemsize": struct["bytes"],
        }
    )


def _field(field: dict[str, Any]) -> Any:
    kind = field["type"]
    one = dtype(kind) if kind in _MADE["structs"] else np.dtype(kind)
    return (one, (field["count"],)) if "count" in field else one
