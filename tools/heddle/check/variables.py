"""Which variables lie where in what a task captures, as far as the debug information of its program proves it.

GCC describes the block of captured variables as the structure that the body's only parameter refers to, with names. Of
Clang's the debug information has the size and the members that are structures, without names; names, types and some
places come from the body's variables (clang_layout.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import DWARFError, ELFError
from elftools.dwarf.die import DIE
from elftools.dwarf.dwarfinfo import DWARFInfo
from elftools.elf.elffile import ELFFile

from heddle.check import clang_layout
from heddle.check.dwarf_types import Leaf, is_address, leaf_at, name_of, size_of, type_of
from heddle.check.layout import Part, Variable
from heddle.code_places import Code, file_of


@dataclass(frozen=True)
class Place:
    """What has a byte: a leaf; several where it is one of them; a text where it is no variable."""

    leaves: tuple[Leaf, ...] = ()
    is_shared: bool = False  # the leaf is the address of a shared variable
    text: str = ""


class Captured:
    """What the tasks of one body capture. Invariant: parts do not overlap."""

    def __init__(self, parts: list[Part]) -> None:
        self._parts = parts

    def at(self, byte: int) -> Place | None:
        """None: padding, which no code reads."""
        for part in self._parts:
            if not part.first <= byte < part.end:
                continue
            if part.text:
                return Place(text=part.text)
            leaves = [leaf_at(each.type, each.name, each.offset, byte) for each in part.variables]
            known = tuple(leaf for leaf in leaves if leaf is not None)
            # Where one of the layouts has a leaf and another has padding, the leaf counts.
            return Place(known, all(each.is_shared for each in part.variables)) if known else None
        return None


class Programs:
    """Reads each file once. program: see code_places.place()."""

    def __init__(self, program: Path | None) -> None:
        self._program = program
        self._read: dict[Path, DWARFInfo | None] = {}
        self._captured: dict[tuple[Code, int, bool], Captured | None] = {}

    def has_debug_information(self, code: Code) -> bool:
        return self._dwarf(code) is not None

    def captured(self, code: Code, size: int, is_loop: bool) -> Captured | None:
        """None where nothing can be said. size: of what the task captures; is_loop: of a taskloop."""
        key = (code, size, is_loop)
        if key not in self._captured:
            self._captured[key] = self._find(*key)
        return self._captured[key]

    def _find(self, code: Code, size: int, is_loop: bool) -> Captured | None:
        dwarf = self._dwarf(code)
        if dwarf is None:
            return None
        try:
            body = _function_at(dwarf, code.address)
            if body is None:
                return None
            is_clangs = clang_layout.is_entry(body)
            parts = clang_layout.parts(dwarf, body, size, is_loop) if is_clangs else _gcc_parts(body)
        except (DWARFError, ELFError, KeyError, NotImplementedError):  # what pyelftools cannot read
            return None
        return Captured(parts) if parts is not None else None

    def _dwarf(self, code: Code) -> DWARFInfo | None:
        if code.file == "-":
            return None
        file = file_of(code, self._program)
        if file not in self._read:
            self._read[file] = _debug_information(file)
        return self._read[file]


def _debug_information(file: Path) -> DWARFInfo | None:
    try:
        with open(file, "rb") as stream:
            elf = ELFFile(stream)
            return elf.get_dwarf_info() if elf.has_dwarf_info(strict=True) else None
    except (OSError, ELFError, DWARFError):
        return None


def _function_at(dwarf: DWARFInfo, address: int) -> DIE | None:
    """The function that begins there."""
    for unit in dwarf.iter_CUs():
        top = unit.get_top_DIE()
        if not _may_hold(top, address):
            continue
        for die in unit.iter_DIEs():
            low = die.attributes.get("DW_AT_low_pc")
            if die.tag == "DW_TAG_subprogram" and low is not None and low.value == address:
                return die
    return None


def _may_hold(top: DIE, address: int) -> bool:
    """Whether the unit can have code there; units with several ranges are looked through."""
    low, high = top.attributes.get("DW_AT_low_pc"), top.attributes.get("DW_AT_high_pc")
    if low is None or high is None or "DW_AT_ranges" in top.attributes:
        return top.tag == "DW_TAG_compile_unit"
    end = high.value if high.form == "DW_FORM_addr" else low.value + high.value
    return low.value <= address < end


def _gcc_parts(body: DIE) -> list[Part] | None:
    block = next((child for child in body.iter_children() if child.tag == "DW_TAG_formal_parameter"), None)
    structure = type_of(block) if block is not None else None
    if is_address(structure):
        structure = type_of(structure)
    if structure is None or structure.tag != "DW_TAG_structure_type" or "DW_AT_artificial" not in structure.attributes:
        return None
    own = {name_of(child): type_of(child) for child in body.iter_children() if child.tag == "DW_TAG_variable"}
    parts = []
    for member in structure.iter_children():
        if member.tag != "DW_TAG_member":
            continue
        name, of = name_of(member), type_of(member)
        offset = member.attributes["DW_AT_data_member_location"].value
        size = size_of(of)
        if size is None:
            continue
        is_shared = is_address(of) and name in own and _is_same(type_of(of), own[name]) and not _is_same(of, own[name])
        if is_shared:
            name = f"address of {name}"
        parts.append(Part(offset, offset + size, (Variable(name, offset, of, is_shared),)))
    return parts


def _is_same(one: DIE | None, other: DIE | None) -> bool:
    return one is not None and other is not None and one.offset == other.offset
