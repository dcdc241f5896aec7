"""What differs, by regions and tasks' constructs: variables with their values where debug information has them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from heddle import code_places
from heddle.check import read
from heddle.check.read import Difference, Log
from heddle.check.variables import Place, Programs
from heddle.code_places import Code

# ReductionInput of runtime/abi/kmpc/task_reduction.cpp, and where in it padding begins.
_REDUCTION_BYTES, _REDUCTION_PADDING = 56, 52


@dataclass
class Value:
    """A variable, or bytes where none is known. is_proven: no other variable can be there."""

    name: str
    type: str
    was: str
    now: str
    execution: int  # that in which it was seen first, counted from the recorded one
    executions: int
    tasks: int
    is_proven: bool
    is_at_least: bool = False  # there may be more executions


@dataclass
class Task:
    """What differs in tasks of one construct."""

    place: str
    differences: list[Difference] = field(default_factory=list)  # but for values
    values: list[Value] = field(default_factory=list)
    recorded_place: dict[int, str] = field(default_factory=dict)  # by a difference's number: another construct's
    lacks_debug_information: bool = False


@dataclass
class Region:
    place: str
    graph_id: int
    compared: int
    counts: list[Difference] = field(default_factory=list)  # other numbers of tasks, and what cannot be recorded
    tasks: list[Task] = field(default_factory=list)

    @property
    def differs(self) -> bool:
        return bool(self.counts or self.tasks)


def find(log: Log, program: Path | None) -> list[Region]:
    """Every region that was compared, in the order of the log."""
    programs = Programs(program)
    places = {code: code_places.place(where, program) for code, where in log.codes.items()}
    regions = []
    for (code, graph_id), times in log.compared.items():
        found = [each for each in log.differences if (each.region, each.graph_id) == (code, graph_id)]
        region = Region(_region_place(log.codes[code], program), graph_id, times)
        region.counts = [each for each in found if each.what in (read.COUNT, read.REFUSED)]
        by_code: dict[int, list[Difference]] = {}
        for each in found:
            if each not in region.counts:
                by_code.setdefault(each.code, []).append(each)
        for task_code, differences in by_code.items():
            task = _task(task_code, differences, log, programs, places)
            if task.differences or task.values:
                region.tasks.append(task)
        regions.append(region)
    return regions


def _region_place(code: Code, program: Path | None) -> str:
    """Of the call before the address, which is where it returns to."""
    call = replace(code, address=code.address - 1)
    return next(iter(code_places.call_places(call, program)), code_places.place(code, program))


def _task(number: int, found: list[Difference], log: Log, programs: Programs, places: dict[int, str]) -> Task:
    code = log.codes.get(number, Code(0, "-", "-"))
    task = Task(places.get(number, "") if code.file != "-" else "")
    task.differences = [each for each in found if each.what != read.VALUE]
    for each in task.differences:
        if each.recorded_code != each.code:
            task.recorded_place[each.number] = places.get(each.recorded_code, "a wait")
    words = [each for each in found if each.what == read.VALUE]
    task.values = _values(words, code, programs)
    task.lacks_debug_information = bool(task.values) and code.file != "-" and not programs.has_debug_information(code)
    return task


def _values(words: list[Difference], code: Code, programs: Programs) -> list[Value]:
    """One for each variable, or member or element of it; padding is none."""
    captured = programs.captured(code, words[0].captured - words[0].header, words[0].header > 0) if words else None
    found: dict[Place | tuple[str, int], list[Difference]] = {}
    for word in words:
        for byte in word.bytes:
            if byte < 0:
                key = ("the loop's clauses or number of iterations", 0)
            elif code.file == "-":
                if byte % _REDUCTION_BYTES >= _REDUCTION_PADDING:
                    continue
                key = ("what a task_reduction clause names", 0)
            elif captured is None:
                key = ("", word.offset)
            else:
                place = captured.at(byte)
                if place is None:
                    continue
                key = place if place.leaves else (place.text, word.offset)
            entries = found.setdefault(key, [])
            if word not in entries:
                entries.append(word)
    return [_value(key, entries) for key, entries in found.items()]


def _value(key: Place | tuple[str, int], words: list[Difference]) -> Value:
    first = min(words, key=lambda word: (word.execution, word.number))
    offset = first.offset - first.header
    # Of several words, or other bytes of one, executions may be the same ones.
    executions, is_at_least = max(word.executions for word in words), len(words) > 1
    tasks = {word.offset: 0 for word in words}
    for word in words:
        tasks[word.offset] += word.tasks
    seen = (first.execution, executions, max(tasks.values()))
    if isinstance(key, Place):
        leaf = key.leaves[0]
        if len(key.leaves) == 1:
            was, now = leaf.shown(first.was, offset), leaf.shown(first.now, offset)
            return Value(leaf.name, leaf.type, was, now, *seen, True, is_at_least)
        names = " or ".join(leaf.name for leaf in key.leaves)
        return Value(names, "", f"{first.was:#x}", f"{first.now:#x}", *seen, False, is_at_least)
    low, high = first.bytes[0], first.bytes[-1]
    size = 8 * (high - low + 1)
    was, now = (value >> 8 * (low - offset) & (1 << size) - 1 for value in (first.was, first.now))
    text = f"bytes {low} to {high}" + (f" ({key[0]})" if key[0] else "")
    return Value(text, "", f"{was:#x}", f"{now:#x}", *seen, False, is_at_least)
