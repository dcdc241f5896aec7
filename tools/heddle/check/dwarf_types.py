"""Types of variables as DWARF describes them: how large they are, and what lies at which of their bytes.

Words: a *leaf* is a part of a variable that has a value of its own: the variable, or a member or element of it. Bytes
between leaves are *padding*: nothing can read them.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from elftools.dwarf.die import DIE

_SAME = {
    "DW_TAG_typedef",
    "DW_TAG_const_type",
    "DW_TAG_volatile_type",
    "DW_TAG_restrict_type",
    "DW_TAG_atomic_type",
}
_ADDRESSES = {
    "DW_TAG_pointer_type",
    "DW_TAG_reference_type",
    "DW_TAG_rvalue_reference_type",
    "DW_TAG_ptr_to_member_type",
}
_RECORDS = {"DW_TAG_structure_type", "DW_TAG_class_type"}
_POINTER_BYTES = 8
_X87_BYTES = 10  # of a long double's 16; the others are padding
_FORTRAN = {0x7, 0x8, 0xE, 0x22, 0x23}  # DW_LANG_*: arrays begin at 1 there
# DW_ATE_*
_BOOLEAN, _COMPLEX, _FLOAT, _SIGNED, _SIGNED_CHAR, _UNSIGNED, _UNSIGNED_CHAR, _UTF = 2, 3, 4, 5, 6, 7, 8, 16


@dataclass(frozen=True)
class Leaf:
    """kind: signed, unsigned, float, boolean, character, pointer, enumeration, or bytes where it is none of these."""

    name: str
    offset: int
    size: int
    kind: str
    type: str
    bits: tuple[int, int] | None = None  # of a bit-field: the first bit from the leaf's offset, and how many
    names: dict[int, str] = field(default_factory=dict, compare=False)  # of an enumeration's values

    def shown(self, word: int, at: int) -> str:
        """The leaf's value in a word that lies at the offset `at`; as bytes where it is not all there."""
        if self.offset < at or self.offset + self.size > at + 8:
            first, last = max(self.offset, at), min(self.offset + self.size, at + 8)
            part = word >> 8 * (first - at) & (1 << 8 * (last - first)) - 1
            return f"{part:#x} in bytes {first - self.offset} to {last - self.offset - 1}"
        value = word >> 8 * (self.offset - at) & (1 << 8 * self.size) - 1
        size = 8 * self.size
        if self.bits is not None:
            value, size = value >> self.bits[0] & (1 << self.bits[1]) - 1, self.bits[1]
        return self._text(value, size)

    def _text(self, value: int, bits: int) -> str:
        signed = value - (1 << bits) if value >> bits - 1 & 1 else value
        if self.kind == "signed":
            return str(signed)
        if self.kind == "unsigned":
            return str(value)
        if self.kind == "float":
            return _float_text(value, self.size)
        if self.kind == "boolean":
            return {0: "false", 1: "true"}.get(value, str(value))
        if self.kind == "character":
            return f"'{chr(value)}' ({signed})" if 32 <= value < 127 else str(signed)
        if self.kind == "enumeration":
            return self.names.get(value, self.names.get(signed, str(signed)))
        return f"{value:#x}"


def _float_text(value: int, size: int) -> str:
    (number,) = struct.unpack("<f" if size == 4 else "<d", value.to_bytes(size, "little"))
    return f"{number:.9g}" if size == 4 else repr(number)


def name_of(die: DIE) -> str:
    """'' for none."""
    attribute = die.attributes.get("DW_AT_name")
    return attribute.value.decode("utf-8", "replace") if attribute else ""


def type_of(die: DIE) -> DIE | None:
    """What it is, without a name that stands for it, const and the like. None: nothing (void), or not known."""
    while "DW_AT_type" in die.attributes:
        die = die.get_DIE_from_attribute("DW_AT_type")
        if die.tag not in _SAME:
            return die
    return None


def referred(die: DIE | None) -> DIE | None:
    """The same, and for a C++ reference what it refers to."""
    while die is not None and die.tag in {"DW_TAG_reference_type", "DW_TAG_rvalue_reference_type"}:
        die = type_of(die)
    return die


def is_address(die: DIE | None) -> bool:
    return die is not None and die.tag in _ADDRESSES


def is_record(die: DIE) -> bool:
    return die.tag in _RECORDS or die.tag == "DW_TAG_union_type"


def size_of(die: DIE | None) -> int | None:
    """Bytes; None where that is known only when the program runs."""
    if die is None:
        return None
    if die.tag in _ADDRESSES and "DW_AT_byte_size" not in die.attributes:
        return _POINTER_BYTES
    if die.tag == "DW_TAG_array_type" and "DW_AT_byte_size" not in die.attributes:
        element, counts = size_of(type_of(die)), _counts(die)
        if element is None or counts is None:
            return None
        for count in counts:
            element *= count
        return element
    return _number(die, "DW_AT_byte_size")


def alignment_of(die: DIE | None) -> int | None:
    """Bytes; None where it cannot be told."""
    if die is None:
        return None
    least = _number(die, "DW_AT_alignment") or 1
    if die.tag == "DW_TAG_array_type":
        return _larger(least, alignment_of(type_of(die)))
    if is_record(die):
        for member in die.iter_children():
            if _is_part(member):
                own = _larger(_number(member, "DW_AT_alignment") or 1, alignment_of(type_of(member)))
                least = _larger(least, own)
        return least
    size = size_of(die)
    if die.tag == "DW_TAG_base_type" and _number(die, "DW_AT_encoding") == _COMPLEX and size:
        size //= 2
    return _larger(least, size)


def leaf_at(die: DIE | None, name: str, offset: int, at: int) -> Leaf | None:
    """What of a variable of that name and type, which lies at offset, has the byte `at`. None: padding.

    Requires: the byte is the variable's.
    """
    size = size_of(die)
    if die is None or size is None:
        return Leaf(name, at, 1, "bytes", "?")
    if die.tag in _RECORDS:
        return _member_at(die, name, offset, at)
    if die.tag == "DW_TAG_array_type":
        return _element_at(die, name, offset, at)
    if die.tag == "DW_TAG_base_type":
        return _base(die, name, offset, size, at)
    if die.tag in _ADDRESSES:
        return Leaf(name, offset, size, "pointer" if size == _POINTER_BYTES else "bytes", _title(die))
    if die.tag == "DW_TAG_enumeration_type":
        names = {
            value: name_of(child)
            for child in die.iter_children()
            if (value := _number(child, "DW_AT_const_value")) is not None
        }
        return Leaf(name, offset, size, "enumeration", _title(die), names=names)
    return Leaf(name, offset, size, "bytes", _title(die))


def _member_at(die: DIE, name: str, offset: int, at: int) -> Leaf | None:
    for member in die.iter_children():
        if not _is_part(member):
            continue
        of = type_of(member)
        size = size_of(of)
        if (bits := _number(member, "DW_AT_bit_size")) is not None:
            if (leaf := _bit_field(member, of, f"{name}.{name_of(member)}", offset, bits)) and _has(leaf, at):
                return leaf
            continue
        start = offset + (_number(member, "DW_AT_data_member_location") or 0)
        if size is None or not start <= at < start + size:
            continue
        own = name_of(member)
        found = leaf_at(of, f"{name}.{own}" if own else name, start, at)
        if found is not None:  # an empty base may lie where a member does
            return found
    return None


def _bit_field(member: DIE, of: DIE | None, name: str, offset: int, bits: int) -> Leaf | None:
    first = _number(member, "DW_AT_data_bit_offset")
    if of is None or first is None:
        return None
    leaf = leaf_at(of, name, 0, 0)
    assert leaf is not None
    start, end = first // 8, (first + bits + 7) // 8
    return Leaf(name, offset + start, end - start, leaf.kind, leaf.type, (first % 8, bits), leaf.names)


def _has(leaf: Leaf, at: int) -> bool:
    return leaf.offset <= at < leaf.offset + leaf.size


def _element_at(die: DIE, name: str, offset: int, at: int) -> Leaf | None:
    of, counts = type_of(die), _counts(die)
    step = size_of(of)
    if not step or not counts:
        return Leaf(name, at, 1, "bytes", _title(die))
    number = (at - offset) // step
    start, index = offset + number * step, ""
    for count in reversed(counts):
        index = f"[{number % count}]{index}"
        number //= count
    return leaf_at(of, name + index, start, at)


def _base(die: DIE, name: str, offset: int, size: int, at: int) -> Leaf | None:
    encoding, title = _number(die, "DW_AT_encoding"), name_of(die)
    if encoding == _COMPLEX and size in (8, 16):
        half = size // 2
        part = (at - offset) // half
        return Leaf(f"{('real', 'imaginary')[part]} part of {name}", offset + part * half, half, "float", title)
    if encoding == _FLOAT and size == 16 and "long double" in title:
        return Leaf(name, offset, _X87_BYTES, "bytes", title) if at - offset < _X87_BYTES else None
    kinds = {
        _BOOLEAN: "boolean",
        _SIGNED: "signed",
        _UNSIGNED: "unsigned",
        _SIGNED_CHAR: "character",
        _UNSIGNED_CHAR: "character",
        _UTF: "unsigned",
    }
    kind = kinds.get(encoding, "bytes")
    if encoding == _FLOAT:
        kind = "float" if size in (4, 8) else "bytes"
    return Leaf(name, offset, size, kind if size <= 8 else "bytes", title)


def _title(die: DIE) -> str:
    if die.tag == "DW_TAG_array_type":
        return f"{_title_of(type_of(die))}[]"
    if die.tag in _ADDRESSES:
        mark = "*" if "reference" not in die.tag else "&"
        title = _title_of(type_of(die))
        return f"{title}{'' if title.endswith(('*', '&')) else ' '}{mark}"
    return _title_of(die)


def _title_of(die: DIE | None) -> str:
    if die is None:
        return "void"
    if die.tag in _ADDRESSES or die.tag == "DW_TAG_array_type":
        return _title(die)
    kinds = {"DW_TAG_structure_type": "struct", "DW_TAG_class_type": "class", "DW_TAG_union_type": "union"}
    words = {**kinds, "DW_TAG_enumeration_type": "enum"}
    own = name_of(die)
    return f"{words[die.tag]} {own}".strip() if die.tag in words else own or "function"


def _is_part(member: DIE) -> bool:
    if member.tag not in {"DW_TAG_member", "DW_TAG_inheritance"}:
        return False
    return "DW_AT_external" not in member.attributes and "DW_AT_declaration" not in member.attributes


def _counts(die: DIE) -> list[int] | None:
    counts = []
    for child in die.iter_children():
        if child.tag != "DW_TAG_subrange_type":
            continue
        count, upper = _number(child, "DW_AT_count"), _number(child, "DW_AT_upper_bound")
        if count is None and upper is None:
            return None
        lower = _number(child, "DW_AT_lower_bound")
        if lower is None:
            lower = int(die.cu.get_top_DIE().attributes["DW_AT_language"].value in _FORTRAN)
        counts.append(count if count is not None else upper - lower + 1)
    return counts


def _number(die: DIE, name: str) -> int | None:
    """A constant; None where there is none, or it is an expression."""
    attribute = die.attributes.get(name)
    return attribute.value if attribute is not None and isinstance(attribute.value, int) else None


def _larger(one: int | None, other: int | None) -> int | None:
    return max(one, other) if one is not None and other is not None else None
