"""What a task that Clang compiled captures.

The body gets a kmp_task_t_with_privates: the compiler's own kmp_task_t, then .kmp_privates.t with the private
variables, which are sorted by what the alignment of such a variable would be, the largest first, and else stand in the
order of the clauses. Behind it lies what the task shares, mostly addresses. Debug information has the size of the
structures, but not in C++, and names of the body's variables with their types, shared ones and private ones alike, some
with their place. So every choice of them is tried that can be the private ones: it must fill the structure, agree with
the known places, and have a structure where a member is one. What all such layouts agree on is proven.

Source: Clang 19, CGOpenMPRuntime.cpp, emitTaskInit and createPrivatesRecordDecl.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from elftools.dwarf.die import DIE
from elftools.dwarf.dwarf_expr import DWARFExprOp, DWARFExprParser
from elftools.dwarf.dwarfinfo import DWARFInfo
from elftools.dwarf.locationlists import LocationExpr, LocationParser

from heddle.check.dwarf_types import alignment_of, is_record, name_of, referred, size_of, type_of
from heddle.check.layout import Part, Variable

_ENTRY = ".omp_task_entry."
_MOST_CHOICES = 1 << 12
_PLAIN_TASK_BYTES, _LOOP_TASK_BYTES = 40, 80  # of kmp_task_t
_PADDING = (20, 24)
_BOUNDS = (40, 64)
_SHAREDS_ALIGNMENT = 16
_LARGEST_ALIGNMENT = 1 << 20
_POINTER_BYTES = 8  # a reference counts as a pointer when variables are sorted, whatever is captured
# Arrays from these sizes on, by processor, are sorted as if they had this alignment.
_LARGE_ARRAY_BYTES, _NEVER = {"x64": 16}, 1 << 40
_LARGE_ARRAY_ALIGNMENT = 16
_LOADS = {"DW_OP_deref", "DW_OP_deref_size"}

_PRIVATE, _SHARED, _NOT_KNOWN = "private", "shared", "not known"


@dataclass(frozen=True)
class _Candidate:
    """A variable that may be private, or is_private.

    rank: by which private variables are sorted. at: its place in what is captured, where that is known.
    """

    name: str
    type: DIE = field(compare=False)
    size: int
    alignment: int
    rank: int
    at: int | None
    is_private: bool


@dataclass(frozen=True)
class _Privates:
    """Where the private variables lie. size and records: None where debug information does not say.

    records: places and types of the members that are structures.
    """

    first: int  # or a little further on, as their alignment has it
    end: int  # where they end at the latest
    size: int | None
    records: frozenset[tuple[int, int]] | None


def is_entry(body: DIE) -> bool:
    name = body.attributes.get("DW_AT_linkage_name") or body.attributes.get("DW_AT_name")
    return name is not None and name.value.startswith(_ENTRY.encode())


def parts(dwarf: DWARFInfo, entry: DIE, captured: int, is_loop: bool) -> list[Part] | None:
    """None where nothing can be said. captured: bytes, shared variables' addresses included."""
    parameters = [child for child in entry.iter_children() if child.tag == "DW_TAG_formal_parameter"]
    pointer = type_of(parameters[1]) if len(parameters) > 1 else None
    task = type_of(pointer) if pointer is not None else None
    if task is None:
        return None
    privates = _privates(task, captured, is_loop)
    found = _of_privates(dwarf, entry, parameters[1], privates)
    end = privates.first + privates.size if privates.size is not None else max((part.end for part in found), default=0)
    behind = _aligned(max(end, privates.first), _SHAREDS_ALIGNMENT)
    text = "the compiler's own"
    found += [Part(0, _PADDING[0], text=text), Part(_PADDING[1], _PLAIN_TASK_BYTES, text=text)]
    if is_loop:
        found.append(Part(*_BOUNDS, text="the loop's bounds or step"))
    if not any(part.end > behind for part in found):
        found.append(Part(behind, captured, text="a shared variable, its address mostly"))
    return found


def _aligned(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


def _privates(task: DIE, captured: int, is_loop: bool) -> _Privates:
    members = [member for member in task.iter_children() if member.tag == "DW_TAG_member"]
    first = _LOOP_TASK_BYTES if is_loop else _PLAIN_TASK_BYTES
    if "DW_AT_declaration" in task.attributes:
        return _Privates(first, captured, None, None)
    if len(members) < 2:
        return _Privates(first, first, 0, frozenset())
    first = members[1].attributes["DW_AT_data_member_location"].value
    of = type_of(members[1])
    if of is None or "DW_AT_declaration" in of.attributes:
        return _Privates(first, captured, None, None)
    records = set()
    for part in of.iter_children():
        inner = type_of(part) if part.tag == "DW_TAG_member" else None
        if inner is not None and is_record(inner):
            records.add((first + part.attributes["DW_AT_data_member_location"].value, inner.offset))
    size = size_of(of) or 0
    return _Privates(first, first + size, size, frozenset(records))


def _of_privates(dwarf: DWARFInfo, entry: DIE, parameter: DIE, privates: _Privates) -> list[Part]:
    if privates.first == privates.end:
        return []
    candidates = _candidates(dwarf, entry, parameter, privates)
    layouts = _layouts(candidates, privates) if candidates is not None else []
    if not layouts:
        return [Part(privates.first, privates.end, text="firstprivate data")]
    edges = sorted({edge for layout in layouts for each in layout for edge in (each.offset, _end_of(each))})
    found = []
    for first, end in zip(edges, edges[1:]):
        here = {each for layout in layouts for each in layout if each.offset <= first and end <= _end_of(each)}
        if here:
            found.append(Part(first, end, tuple(sorted(here, key=lambda each: (each.name, each.offset)))))
    return found


def _end_of(variable: Variable) -> int:
    return variable.offset + (size_of(variable.type) or 0)


def _candidates(dwarf: DWARFInfo, entry: DIE, parameter: DIE, privates: _Privates) -> list[_Candidate] | None:
    """In the order of the debug information; None where one has no known size."""
    inlined = next((child for child in entry.iter_children() if child.tag == "DW_TAG_inlined_subroutine"), None)
    if inlined is None:
        return None
    body = inlined.get_DIE_from_attribute("DW_AT_abstract_origin")
    places = _Places(dwarf, entry, parameter)
    large_arrays = _LARGE_ARRAY_BYTES.get(dwarf.config.machine_arch, _NEVER)
    known = {}
    for child in inlined.iter_children():
        if child.tag == "DW_TAG_variable" and "DW_AT_abstract_origin" in child.attributes:
            known[child.get_DIE_from_attribute("DW_AT_abstract_origin").offset] = places.of(child)
    found = []
    for child in body.iter_children():
        if child.tag != "DW_TAG_variable":
            continue
        what, at = known.get(child.offset, (_NOT_KNOWN, None))
        declared = type_of(child)
        of = referred(declared)
        size, alignment = size_of(of), alignment_of(of)
        if what == _SHARED or (at is not None and not privates.first <= at < privates.end):
            continue
        if of is None or size is None or alignment is None:
            return None
        rank = alignment if declared is of else _POINTER_BYTES
        if of.tag == "DW_TAG_array_type" and declared is of and size >= large_arrays:
            rank = max(rank, _LARGE_ARRAY_ALIGNMENT)
        found.append(_Candidate(name_of(child), of, size, alignment, rank, at, what == _PRIVATE))
    return found


class _Places:
    """Where variables of a body that is inlined into its entry lie in what the task captures.

    With optimisation the entry's second parameter, a pointer to that, stays in a register for a while; without, it
    lies on the stack, and so do pointers to private variables.
    """

    def __init__(self, dwarf: DWARFInfo, entry: DIE, parameter: DIE) -> None:
        self._parser = LocationParser(dwarf.location_lists())
        self._expressions = DWARFExprParser(dwarf.structs)
        self._version = entry.cu["version"]
        self._base = entry.cu.get_top_DIE().attributes.get("DW_AT_low_pc")
        self._register = ""
        self._ranges: list[tuple[int, int]] | None = []  # None: everywhere
        for operations, span in self._of(parameter):
            if not self._register and len(operations) == 1 and operations[0].op_name.startswith("DW_OP_reg"):
                self._register = operations[0].op_name.removeprefix("DW_OP_reg")
            if self._register and operations[0].op_name == f"DW_OP_reg{self._register}":
                if span is None:
                    self._ranges = None
                elif self._ranges is not None:
                    self._ranges.append(span)
        self._is_on_stack = any(operations[0].op_name == "DW_OP_fbreg" for operations, _ in self._of(parameter))

    def of(self, variable: DIE) -> tuple[str, int | None]:
        """What the variable is, and its place where that is known."""
        found = self._of(variable)
        names = [[operation.op_name for operation in operations] for operations, _ in found]
        if self._is_on_stack:
            return (_PRIVATE if names == [["DW_OP_fbreg", "DW_OP_deref"]] else _SHARED), None
        for (operations, span), words in zip(found, names):
            if words[0] != f"DW_OP_breg{self._register}" or not self._holds(span):
                continue
            start, rest = operations[0].args[0], words[1:]
            if rest[:1] == ["DW_OP_plus_uconst"]:
                start, rest = start + operations[1].args[0], rest[1:]
            if rest == [] or (rest[0] in _LOADS and rest[1:] == ["DW_OP_stack_value"]):
                return _PRIVATE, start
            if rest[0] == "DW_OP_deref" and start == 0:
                return _SHARED, None  # by the list of shared variables
        return _NOT_KNOWN, None

    def _holds(self, span: tuple[int, int] | None) -> bool:
        """Whether the register has the parameter where that begins."""
        if self._ranges is None:
            return True
        return span is not None and any(first <= span[0] < end for first, end in self._ranges)

    def _of(self, die: DIE) -> list[tuple[list[DWARFExprOp], tuple[int, int] | None]]:
        """The expressions of its location, and where in the code each is good: None for everywhere."""
        attribute = die.attributes.get("DW_AT_location")
        if attribute is None or not self._parser.attribute_has_location(attribute, self._version):
            return []
        location = self._parser.parse_from_attribute(attribute, self._version, die)
        if isinstance(location, LocationExpr):
            return [(self._expressions.parse_expr(location.loc_expr), None)] if location.loc_expr else []
        base, found = self._base.value if self._base else 0, []
        for each in location:
            if hasattr(each, "base_address"):
                base = each.base_address
            elif each.loc_expr:
                start = 0 if each.is_absolute else base
                span = (start + each.begin_offset, start + each.end_offset)
                found.append((self._expressions.parse_expr(each.loc_expr), span))
        return found


def _layouts(candidates: list[_Candidate], privates: _Privates) -> list[list[Variable]]:
    """Every choice of the candidates that can be the private variables; none where there are too many choices."""
    free = [each for each in candidates if not each.is_private]
    if 1 << len(free) > _MOST_CHOICES:
        return []
    choices = itertools.product((True, False), repeat=len(free))
    left_out = ({each for each, is_chosen in zip(free, choice) if not is_chosen} for choice in choices)
    layouts = (_layout([each for each in candidates if each not in others], privates) for others in left_out)
    return [layout for layout in layouts if layout is not None]


def _layout(chosen: list[_Candidate], privates: _Privates) -> list[Variable] | None:
    """The one layout of these variables; None where it contradicts what is known."""
    largest = max((each.alignment for each in chosen), default=1)
    placed = [each for each in chosen if each.at is not None]
    left = sorted((each for each in chosen if each.at is None), key=lambda each: -each.rank)  # stable
    start = at = _aligned(privates.first, largest)
    found, rank = [], _LARGEST_ALIGNMENT
    while left or placed:
        here = [each for each in placed if each.at == _aligned(at, each.alignment)]
        each = here[0] if here and not (left and left[0].rank > here[0].rank) else left[0] if left else None
        if each is None or each.rank > rank:
            return None
        (placed if each.at is not None else left).remove(each)
        rank, at = each.rank, _aligned(at, each.alignment)
        found.append(Variable(each.name, at, each.type))
        at += each.size
    if at > privates.end or privates.size not in (None, _aligned(at - start, largest)):
        return None
    records = {(each.offset, each.type.offset) for each in found if is_record(each.type)}
    return found if privates.records in (None, records) else None
