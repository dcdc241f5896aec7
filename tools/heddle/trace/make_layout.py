"""Makes layout.json: `.venv/bin/python -m heddle.trace.make_layout`, in a checkout.

The compiler is the one that knows how it lays structures out: a file that includes tracer/format.hpp is compiled, and
its debugging information says where each field lies.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile

from heddle import paths
from heddle.check.dwarf_types import name_of, size_of, type_of
from heddle.errors import CheckFailed

FILE = Path(__file__).with_name("layout.json")
_SOURCE = '#include "runtime/include/heddle_tools.h"\n#include "tracer/format.hpp"\n'
_NAMESPACE = ("heddle", "tracer")
_KINDS = "Kind"
# What the comments in format.hpp name beside the constants there.
_ENUMERATIONS = {
    "ompt_dependence_type_t",
    "ompt_mutex_t",
    "ompt_sync_region_t",
    "ompt_task_flag_t",
    "ompt_task_status_t",
    "ompt_work_t",
    "heddle_suspend_t",
}
# Encodings of DWARF, and NumPy's letters for them.
_INTEGERS = {5: "i", 6: "i", 7: "u", 8: "u"}
# Nothing in the file uses what it declares.
_OPTIONS = ("-std=c++20", "-g", "-fno-eliminate-unused-debug-types", "-fno-eliminate-unused-debug-symbols")


def made(root: Path = paths.ROOT) -> str:
    """What layout.json is to hold for the tracer/format.hpp of that tree. Errors: CheckFailed where none compiles."""
    with tempfile.TemporaryDirectory(prefix="heddle-layout-") as folder:
        compiled = Path(folder) / "format.o"
        command = ["g++", *_OPTIONS, f"-I{root}", "-c", "-x", "c++", "-", "-o", str(compiled)]
        # Not in the checkout: its own headers would be found before those of root.
        done = subprocess.run(command, input=_SOURCE, cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise CheckFailed(f"tracer/format.hpp does not compile:\n{done.stderr}")
        with open(compiled, "rb") as file:
            (unit,) = ELFFile(file).get_dwarf_info().iter_CUs()
            return _text(_described(unit.get_top_DIE()))


def _text(described: dict[str, Any]) -> str:
    """As JSON, with a line a field."""
    text = json.dumps(described, indent=1)
    return re.sub(r'\{\s+("name"[^{}]*?)\s+\}', lambda field: f"{{{' '.join(field[1].split())}}}", text) + "\n"


def _described(top: DIE) -> dict[str, Any]:
    inside = list(_namespace(top, _NAMESPACE))
    enumerations = [die for die in top.iter_children() if name_of(die) in _ENUMERATIONS and _is_enumeration(die)]
    (kinds,) = (die for die in inside if _is_enumeration(die) and name_of(die) == _KINDS)
    return {
        "made": "by 'python -m heddle.trace.make_layout' from tracer/format.hpp",
        "constants": {
            name_of(die): _constant(die)
            for die in inside
            if die.tag == "DW_TAG_variable" and "DW_AT_const_value" in die.attributes
        },
        "kinds": {name: number for name, number in _enumerators(kinds) if number},
        "structs": {name_of(die): _struct(die) for die in inside if die.tag == "DW_TAG_structure_type"},
        "enumerators": {name: number for die in enumerations for name, number in _enumerators(die)},
    }


def _namespace(die: DIE, names: tuple[str, ...]) -> Iterator[DIE]:
    """What is declared in it; it may be opened several times."""
    if not names:
        yield from die.iter_children()
        return
    for child in die.iter_children():
        if child.tag == "DW_TAG_namespace" and name_of(child) == names[0]:
            yield from _namespace(child, names[1:])


def _is_enumeration(die: DIE) -> bool:
    return die.tag == "DW_TAG_enumeration_type"


def _enumerators(die: DIE) -> list[tuple[str, int]]:
    return [(name_of(each), each.attributes["DW_AT_const_value"].value) for each in die.iter_children()]


def _constant(die: DIE) -> int | str:
    value = die.attributes["DW_AT_const_value"].value
    return value if isinstance(value, int) else bytes(value).rstrip(b"\0").decode("ascii")


def _struct(die: DIE) -> dict[str, Any]:
    fields = [_field(member) for member in die.iter_children() if member.tag == "DW_TAG_member"]
    return {"bytes": size_of(die), "fields": fields}


def _field(member: DIE) -> dict[str, Any]:
    """type: as NumPy names it, or a structure of ours. count: of an array's elements."""
    field: dict[str, Any] = {
        "name": name_of(member),
        "offset": member.attributes["DW_AT_data_member_location"].value,
    }
    of = type_of(member)
    if of.tag == "DW_TAG_array_type":
        element = type_of(of)
        count = size_of(of) // size_of(element)
        if name_of(element) == "char":
            return {**field, "type": f"S{count}"}
        return {**field, "type": _type(element), "count": count}
    return {**field, "type": _type(of)}


def _type(die: DIE) -> str:
    if die.tag == "DW_TAG_structure_type":
        return name_of(die)
    encoding = die.attributes["DW_AT_encoding"].value if die.tag == "DW_TAG_base_type" else None
    if encoding not in _INTEGERS:
        raise CheckFailed(f"tracer/format.hpp has a field of type {name_of(die)}: make_layout.py knows integers alone")
    return f"{_INTEGERS[encoding]}{size_of(die)}"


if __name__ == "__main__":
    FILE.write_text(made(), encoding="utf-8")
    print(f"wrote {paths.shown(FILE)}")
