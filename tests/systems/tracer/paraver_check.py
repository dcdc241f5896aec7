"""Reads a Paraver trace record by record and says in which line it is wrong.

Source: "Paraver trace file description" (BSC).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

_HEADER = re.compile(
    r"#Paraver \(\d\d/\d\d/\d{2,4} at \d\d:\d\d\):(?P<ns>\d+)_ns:(?P<nodes>\d+)\((?P<processors>[\d,]+)\)"
    r":1:(?P<tasks>\d+)\((?P<threads>[\d:,]+)\)$"
)
_EVENT = re.compile(r"^\d+\s+(\d+)\s+\S")
_VALUE = re.compile(r"^(\d+)\s+\S")


class CheckError(ValueError):
    """Names the file, the line and what is wrong there."""


@dataclass
class Totals:
    """ns: by thread (task, thread; from 1) and state. events: values by type; communications: by tag."""

    duration: int
    ns: dict[tuple[int, int], Counter[int]] = field(default_factory=dict)
    events: dict[int, list[int]] = field(default_factory=dict)
    communications: Counter[int] = field(default_factory=Counter)


@dataclass
class Words:
    """Of a .pcf. values: of each type of event; an empty set: any number."""

    states: set[int] = field(default_factory=set)
    values: dict[int, set[int]] = field(default_factory=dict)


def words(pcf: Path) -> Words:
    found = Words()
    block, types = "", []
    for line in pcf.read_text(encoding="utf-8").splitlines():
        if re.fullmatch(r"[A-Z_]+", line):
            block = line
            types = [] if line == "EVENT_TYPE" else types
        elif not line.strip():
            continue
        elif block == "STATES":
            found.states.add(int(line.split()[0]))
        elif block == "EVENT_TYPE":
            types.append(int(_EVENT.match(line)[1]))
            found.values[types[-1]] = set()
        elif block == "VALUES":
            for event in types:
                found.values[event].add(int(_VALUE.match(line)[1]))
    return found


def check(prv: Path) -> Totals:
    """Totals of the trace. The .pcf and .row files lie beside it. Errors: CheckError."""
    return _Check(prv).totals


class _Check:
    def __init__(self, prv: Path) -> None:
        self._words = words(prv.with_suffix(".pcf"))
        self._at = f"{prv}:1"
        with open(prv, encoding="ascii") as file:
            self._header(next(file, ""))
            self._rows(prv.with_suffix(".row"))
            self._ends = dict.fromkeys(self.totals.ns, 0)
            before = 0
            for number, line in enumerate(file, start=2):
                self._at = f"{prv}:{number}"
                ns = self._record(line)
                self._require(before <= ns, f"time {ns} follows {before}")
                before = ns
        for thread, end in self._ends.items():
            self._require(end == self.totals.duration, f"the states of thread {thread} end at {end}")

    def _require(self, is_right: bool, what: str) -> None:
        if not is_right:
            raise CheckError(f"{self._at}: {what}")

    def _header(self, line: str) -> None:
        found = _HEADER.match(line.rstrip("\n"))
        self._require(found is not None, f"no header: {line!r}")
        processors = list(map(int, found["processors"].split(",")))
        threads = [tuple(map(int, one.split(":"))) for one in found["threads"].split(",")]
        self._require(len(processors) == int(found["nodes"]), "not as many sizes as nodes")
        self._require(len(threads) == int(found["tasks"]), "not as many tasks as said")
        self._require(all(size > 0 and 0 < node <= len(processors) for size, node in threads), "no such node")
        self.totals = Totals(int(found["ns"]))
        self._nodes, self._sizes = processors, [size for size, _ in threads]
        # Which processors each task's node has.
        first = [sum(processors[:node]) for node in range(len(processors))]
        self._processors = [
            range(first[node - 1] + 1, first[node - 1] + processors[node - 1] + 1) for _, node in threads
        ]
        for task, (size, _) in enumerate(threads, start=1):
            self.totals.ns |= {(task, thread): Counter() for thread in range(1, size + 1)}

    def _rows(self, row: Path) -> None:
        sizes = {
            "CPU": sum(self._nodes),
            "NODE": len(self._nodes),
            "TASK": len(self._sizes),
            "THREAD": sum(self._sizes),
        }
        for block in row.read_text(encoding="utf-8").strip().split("\n\n"):
            head, *names = block.split("\n")
            _, level, _, size = head.split()
            is_right = int(size) == len(names) == sizes.pop(level) and all(names)
            self._require(is_right, f"{row}: {head}, but there are {len(names)} names")
        self._require(not sizes, f"{row}: no names of {sorted(sizes)}")

    def _record(self, line: str) -> int:
        """The time by which the record stands where it does."""
        self._require(re.fullmatch(r"\d+(:\d+)+\n", line) is not None, f"no record: {line!r}")
        kind, *fields = map(int, line.rstrip("\n").split(":"))
        shapes = {1: len(fields) == 7, 2: len(fields) >= 7 and len(fields) % 2 == 1, 3: len(fields) == 14}
        self._require(shapes.get(kind, False), f"no record of kind {kind} has {len(fields)} fields")
        return (self._state, self._event, self._communication)[kind - 1](fields)

    def _thread(self, fields: list[int]) -> tuple[int, int]:
        processor, application, task, thread = fields[:4]
        self._require(application == 1 and (task, thread) in self.totals.ns, f"there is no thread {fields[:4]}")
        self._require(processor in self._processors[task - 1], f"task {task} has no processor {processor}")
        return task, thread

    def _state(self, fields: list[int]) -> int:
        thread = self._thread(fields)
        begin, end, state = fields[4:]
        self._require(state in self._words.states, f"state {state} is not in the .pcf file")
        self._require(begin < end <= self.totals.duration, f"a state from {begin} to {end}")
        before = self._ends[thread]
        self._require(
            begin >= before, f"states of thread {thread} overlap: one ends at {before}, one begins at {begin}"
        )
        self._require(begin == before, f"thread {thread} has no state from {before} to {begin}")
        self._ends[thread] = end
        self.totals.ns[thread][state] += end - begin
        return begin

    def _event(self, fields: list[int]) -> int:
        self._thread(fields)
        ns, pairs = fields[4], fields[5:]
        self._require(ns <= self.totals.duration, f"an event at {ns}")
        for event, value in zip(pairs[0::2], pairs[1::2]):
            known = self._words.values.get(event)
            self._require(known is not None, f"event type {event} is not in the .pcf file")
            self._require(not known or value in known, f"value {value} of event type {event} is not in the .pcf file")
            self.totals.events.setdefault(event, []).append(value)
        return ns

    def _communication(self, fields: list[int]) -> int:
        self._thread(fields)
        self._thread(fields[6:])
        sent, left, posted, received, _, tag = *fields[4:6], *fields[10:]
        self._require(max(left, received) <= self.totals.duration, "a communication after the end")
        self._require(sent <= left and posted <= received, "a communication ends before it begins")
        self._require(sent <= received, f"received at {received}, before it was sent at {sent}")
        self.totals.communications[tag] += 1
        return sent
