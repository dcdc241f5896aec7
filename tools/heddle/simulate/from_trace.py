"""Makes a workload of a trace: what each task did, in order, without what the runtime and the trace cost.

The trace of a process is read once, in the order of time. What a task computes between two records is its work, less
what tracing and the runtime took of it (Overheads). Regions are put together of what their threads did, so that any
number of threads can execute them: see simulate/workload/workload.hpp for the words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from heddle.errors import UserError
from heddle.simulate import messages_in_trace
from heddle.simulate.messages_in_trace import Channel, MessageState, ProcessMessages
from heddle.trace.events import ProcessEvents
from heddle.trace.layout import CONSTANTS, ENUMERATORS
from heddle.trace.places import Places
from heddle.trace.words import WAITS, WORK

FORMAT, VERSION = "heddle-workload", 3

_INITIAL = 1  # detail of implicit_begin
_TASKWAIT, _UNDEFERRED, _UNTIED = (ENUMERATORS[f"ompt_task_{name}"] for name in ("taskwait", "undeferred", "untied"))
_OF_BODY = CONSTANTS["kOfBody"]
_ATOMIC = ENUMERATORS["ompt_mutex_atomic"]
_BARRIERS = [number for number, name in WAITS.items() if "barrier" in name]
_TASKWAIT_REGION = ENUMERATORS["ompt_sync_region_taskwait"]
_TASKGROUP_REGION = ENUMERATORS["ompt_sync_region_taskgroup"]
_SINGLE, _SINGLE_OF_ANOTHER = ENUMERATORS["ompt_work_single_executor"], ENUMERATORS["ompt_work_single_other"]
_TASKLOOP = ENUMERATORS["ompt_work_taskloop"]
_LOOPS = [number for number, name in WORK.items() if ("loop" in name and name != "taskloop") or name == "sections"]
_DYNAMIC = [number for number, name in WORK.items() if name in ("dynamic loop", "guided loop", "sections")]
# A gap in which threads do the same takes them about as long; more than so many ns and times apart they do not.
_APART_NS, _APART_TIMES = 2000, 2
# GCC divides static loops without a call that could be told of: a gap as long as this is taken for one.
_DIVIDED_NS = 2000
_ANY_ITERATIONS = 1 << 20  # how many it has is not known
# What a record took less than they do on the average, the next ones took more: clocks tick in 10 ns on some machines,
# and the work between two records may take less than that. More than so many ns say that the average is another's.
_LEAST_WORK_NS = -1000.0

Script = list[Any]  # names of operations, each followed by its value


@dataclass(frozen=True)
class Overheads:
    """What a record cost the thread that made it, with the runtime's part of what it tells. Units: ns."""

    record: float
    task_create: float
    task_schedule: float


@dataclass
class _Part:
    """Of what an implicit task did: a gap between constructs, or a construct. script: None in another's single."""

    what: str  # gap, loop, single, barrier
    script: Script | None = field(default_factory=list)
    iterations: int = 0
    is_dynamic: bool = False


@dataclass
class _Task:
    is_implicit: bool
    number: int = 0  # in the team; of an explicit task: in the workload
    parts: list[_Part] = field(default_factory=lambda: [_Part("gap")])
    waits: int = 0
    taskloops: list[int] = field(default_factory=list)  # those that it creates: where each begins in its script
    region: int = 0  # in the trace
    record: dict[str, Any] = field(default_factory=dict)  # of an explicit task: its entry in the workload
    mpi: MessageState = field(init=False)

    def __post_init__(self) -> None:
        self.mpi = MessageState(is_explicit=not self.is_implicit)

    @property
    def script(self) -> Script:
        return self.parts[-1].script  # type: ignore[return-value]


def workload(processes: list[ProcessEvents], overheads: Overheads) -> dict[str, Any]:
    """The workload of a trace, as JSON has it.

    Errors: UserError for lost events, a program that did not end, no initial task, or messages without their other end.
    """
    for process in processes:
        if process.dropped:
            raise UserError(f"the trace lacks {process.dropped} events for which there was no room; trace it again")
        if not process.has_ended:
            raise UserError("the program did not come to its end; trace a run that does")
    if len(processes) not in {1, processes[0].ranks} or [p.rank for p in processes] != list(range(len(processes))):
        raise UserError(f"the trace has {len(processes)} processes, which are not the ranks of one program")
    readings = [_Reading(process, overheads) for process in processes]
    messages_in_trace.check([reading.messages for reading in readings])
    channels: dict[Channel, int] = {}
    kinds: dict[str, int] = {}
    made = [reading.process(kinds, channels) for reading in readings]
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": processes[0].program.name,
        "threads": max(reading.threads for reading in readings),
        "kinds": list(kinds),
        "processes": made,
    }


class _Reading:
    def __init__(self, process: ProcessEvents, overheads: Overheads) -> None:
        self._process = process
        self._kinds = process.kinds
        self._overheads = overheads
        self._names: list[str] = ["initial task"]
        self._kind_of_code: dict[tuple[int, bool], int] = {}
        self._tasks: dict[int, _Task] = {}
        self._all: list[_Task] = []
        self._explicit: list[dict[str, Any]] = []
        self._regions: dict[int, dict[str, Any]] = {}  # by the trace's number
        self._teams: dict[int, list[_Task]] = {}
        self._loops: list[dict[str, Any]] = []
        self._singles: list[Script] = []
        self._pieces: list[list[Script]] = []
        self._taskloops: list[Script] = []
        self._addresses: dict[int, int] = {}
        self._locks: dict[int, int] = {}
        self._undeferred: list[tuple[dict[str, Any], int]] = []  # with the region that they are in
        self._main: _Task | None = None
        self.messages = ProcessMessages(process.names)
        self._read()
        self.threads = max([len(team) for team in self._teams.values()], default=1)

    def process(self, kinds: dict[str, int], channels: dict[Channel, int]) -> dict[str, Any]:
        """Its part of the workload. kinds, channels: what all processes name, and the number of each."""
        if self._main is None:
            raise UserError("the trace has no initial task; was the program linked with OpenMP?")
        for record, region in self._undeferred:
            # One thread executes tasks at their creation because there is no other.
            if len(self._teams.get(region, [])) > 1:
                record["undeferred"] = True
        messages = self.messages.finish((part.script for part in self._parts() if part.script), channels)
        regions = [self._region(number, region) for number, region in self._regions.items()]
        number_of = [kinds.setdefault(label, len(kinds)) for label in self._labels()]
        for entry in (*self._explicit, *regions):
            entry["kind"] = number_of[entry["kind"]]
        return {
            "tasks": self._explicit,
            "regions": regions,
            "main": _flat(self._main.parts),
            "loops": self._loops,
            "singles": self._singles,
            "pieces": self._pieces,
            "taskloops": self._taskloops,
            "messages": messages,
        }

    def _parts(self) -> Iterator[_Part]:
        for task in self._all:
            yield from task.parts

    # -- the records, in the order of time

    def _read(self) -> None:
        threads = self._process.threads
        records = np.concatenate([thread.records for thread in threads])
        ns = np.concatenate([thread.ns for thread in threads])
        lane = np.repeat(np.arange(len(threads)), [len(thread.records) for thread in threads])
        order = np.argsort(ns, kind="stable")
        firsts = np.cumsum([0, *(len(thread.records) for thread in threads)]).tolist()
        pauses = {first + at: ns for first, thread in zip(firsts, threads) for at, ns in thread.pauses.items()}
        name_of = {number: name for name, number in self._kinds.items()}
        current: list[_Task | None] = [None] * len(threads)
        last = [0] * len(threads)
        rest = [0.0] * len(threads)  # work that is not in a script yet, ns; what is below 0 was not there
        columns = (records[key][order].tolist() for key in ("kind", "detail", "extra", "a", "b"))
        places = zip(order.tolist(), ns[order].tolist(), lane[order].tolist())
        for (place, at, who), kind, detail, extra, a, b in zip(places, *columns):
            name = name_of.get(kind, "")
            task = current[who]
            if task is not None and task.waits == 0 and not task.mpi.waits:
                rest[who] += at - last[who] - getattr(self._overheads, name, self._overheads.record)
                rest[who] = max(rest[who] - _add_work(task.script, rest[who]), _LEAST_WORK_NS)
            last[who] = at + pauses.get(place, 0)
            current[who] = self._record(name, task, detail, extra, a, b)

    def _record(self, name: str, task: _Task | None, detail: int, extra: int, a: int, b: int) -> _Task | None:
        """What the lane executes from now on."""
        if name == "implicit_begin":
            return self._implicit(detail, extra, a, b)
        if name == "implicit_end":
            return None
        if name == "task_schedule":
            return self._tasks.get(b) if b else task
        if name == "parallel_end":
            return self._tasks.get(b)
        if name == "dependence":
            self._depends(a, b, detail)
        elif name == "message_received":
            mine = (task.mpi, task.script) if task is not None else (None, None)
            self.messages.received(*mine, a, extra, (detail, b))
        elif task is None:
            return None
        elif name == "task_create":
            self._create(task, detail, extra, a, b)
        elif name == "parallel_begin":
            self._regions[a] = {"code": b, "number": len(self._regions)}
            task.script.extend(["region", self._regions[a]["number"]])
        elif name in ("wait_begin", "wait_end"):
            self._wait(self._tasks.get(a, task), detail, name == "wait_begin")
        elif name in ("work_begin", "work_end"):
            self._work(self._tasks.get(a, task), detail, extra, name == "work_begin")
        elif name.startswith("lock_") and detail != _ATOMIC:
            self._lock(task, name, a)
        elif name == "mpi_begin":
            self.messages.begin(task.mpi, task.script, a)
        elif name == "mpi_end":
            self.messages.end(task.mpi, task.script)
        elif name == "message_sent":
            self.messages.sent(task.mpi, task.script, extra, (detail, b), a)
        elif name == "receive_posted":
            self.messages.posted(task.mpi, task.script, a)
        return task

    def _implicit(self, detail: int, extra: int, a: int, b: int) -> _Task | None:
        task = _Task(is_implicit=True, number=extra, region=b)
        self._tasks[a] = task
        self._all.append(task)
        if detail == _INITIAL:
            if self._main is None:
                self._main = task
        else:
            self._teams.setdefault(b, []).append(task)
        return task

    def _create(self, task: _Task, detail: int, extra: int, a: int, b: int) -> None:
        number = len(self._explicit)
        script: Script = []
        record = {"kind": self._kind(b, detail == _OF_BODY), "script": script}
        if extra & (_UNDEFERRED | _TASKWAIT):
            self._undeferred.append((record, task.region))
        if extra & _UNTIED:
            record["untied"] = True
        self._explicit.append(record)
        self._tasks[a] = _Task(
            is_implicit=False, number=number, parts=[_Part("gap", script)], region=task.region, record=record
        )
        self._all.append(self._tasks[a])
        task.script.extend(["create", number])

    def _depends(self, a: int, b: int, detail: int) -> None:
        task = self._tasks.get(a)
        if task is not None and not task.is_implicit:
            address = self._addresses.setdefault(b, len(self._addresses))
            task.record.setdefault("dependences", []).extend([address, detail])

    def _wait(self, task: _Task, detail: int, begins: bool) -> None:
        task.waits += 1 if begins else -1
        task.waits = max(task.waits, 0)
        if not begins:
            return
        if detail == _TASKWAIT_REGION:
            task.script.extend(["taskwait", 0])
        elif detail == _TASKGROUP_REGION:
            task.script.extend(["group end", 0])
        elif detail in _BARRIERS and task.is_implicit:
            task.parts += [_Part("barrier"), _Part("gap")]

    def _work(self, task: _Task, detail: int, extra: int, begins: bool) -> None:
        if detail == _TASKLOOP:
            self._taskloop(task, begins)
            return
        if not task.is_implicit or detail not in (*_LOOPS, _SINGLE, _SINGLE_OF_ANOTHER):
            return
        if not begins:
            task.parts.append(_Part("gap"))
        elif detail in _LOOPS:
            task.parts.append(_Part("loop", iterations=extra, is_dynamic=detail in _DYNAMIC))
        else:
            task.parts.append(_Part("single", [] if detail == _SINGLE else None))
            if detail == _SINGLE_OF_ANOTHER:  # nothing is done in it
                task.parts.append(_Part("gap"))

    def _taskloop(self, task: _Task, begins: bool) -> None:
        """What its creator does between its creations is the runtime's; behind them it may wait for its group."""
        if begins:
            task.taskloops.append(len(task.script))
            task.script.extend(["work", 0])  # what comes now is not the work before it
            return
        begin = task.taskloops.pop() if task.taskloops else len(task.script)
        steps = list(zip(task.script[begin::2], task.script[begin + 1 :: 2]))
        count = next((at for at, (op, _) in enumerate(steps) if op not in ("work", "create")), len(steps))
        creations = [word for step in steps[:count] if step[0] == "create" for word in step]
        if creations:
            self._taskloops.append(creations)
            rest = [word for step in steps[count:] for word in step]
            task.script[begin:] = ["taskloop", len(self._taskloops) - 1, *rest]

    def _lock(self, task: _Task, name: str, a: int) -> None:
        lock = self._locks.setdefault(a, len(self._locks))
        if name == "lock_wait":
            task.waits += 1
        elif name == "lock_taken":
            task.waits = max(task.waits - 1, 0)
            task.script.extend(["lock", lock])
        elif name == "lock_released":
            task.script.extend(["unlock", lock])

    # -- names

    def _kind(self, code: int, is_body: bool) -> int:
        if (code, is_body) not in self._kind_of_code:
            self._kind_of_code[code, is_body] = len(self._names)
            self._names.append("task")
        return self._kind_of_code[code, is_body]

    def _labels(self) -> list[str]:
        places = Places(self._process.maps)
        for of_bodies in (False, True):
            codes = [code for code, is_body in self._kind_of_code if is_body == of_bodies and code]
            for code, where in places.lines(codes, of_bodies=of_bodies).items():
                self._names[self._kind_of_code[code, of_bodies]] = where
        return self._names

    # -- regions

    def _region(self, number: int, region: dict[str, Any]) -> dict[str, Any]:
        team = sorted(self._teams.get(number, []), key=lambda task: task.number)
        kind = self._kind(region["code"], False)
        if not team:
            return {"kind": kind, "threads": 1, "fixed": False, "script": []}
        threads = [_without_closed_singles(task.parts) for task in team]
        _dissolve_loops(threads)
        shapes = [[part.what for part in parts] for parts in threads]
        is_fixed = any(shape != shapes[0] for shape in shapes)
        script = (
            ["pieces", self._add_pieces([_flat(parts) for parts in threads]), "barrier", 0]
            if is_fixed
            else self._merged(threads)
        )
        return {"kind": kind, "threads": len(team), "fixed": is_fixed, "script": script}

    def _merged(self, threads: list[list[_Part]]) -> Script:
        script: Script = []
        for parts in zip(*threads):
            what = parts[0].what
            if what == "gap":
                script += self._gap([part.script or [] for part in parts])
            elif what == "barrier":
                script += ["barrier", 0]
            elif what == "single":
                self._singles.append(next((part.script for part in parts if part.script is not None), []))
                script += ["single", len(self._singles) - 1]
            else:
                times = [_work_of(part.script or []) for part in parts]
                script += self._add_loop(max(parts[0].iterations, 1), parts[0].is_dynamic, times)
        return script

    def _add_loop(self, iterations: int, is_dynamic: bool, times: list[int]) -> Script:
        self._loops.append(
            {
                "iterations": iterations,
                "schedule": "dynamic" if is_dynamic else "static",
                "parts": [sum(times)] if is_dynamic else times,
            }
        )
        return ["loop", len(self._loops) - 1]

    def _gap(self, scripts: list[Script]) -> Script:
        times = [_work_of(script) for script in scripts]
        does_more = any(set(script[::2]) - {"work"} for script in scripts)
        is_apart = max(times) - min(times) > _APART_NS and max(times) > _APART_TIMES * min(times)
        if does_more or is_apart:
            return ["pieces", self._add_pieces(scripts)]
        mean = round(sum(times) / len(times))
        if mean < _DIVIDED_NS:
            return ["work", mean] if mean else []
        return self._add_loop(_ANY_ITERATIONS, False, times)

    def _add_pieces(self, scripts: list[Script]) -> int:
        self._pieces.append(scripts)
        return len(self._pieces) - 1


def _add_work(script: Script, ns: float) -> int:
    """Adds whole ns of work, and returns how many."""
    whole = max(int(ns), 0)
    if whole == 0:
        return 0
    if len(script) >= 2 and script[-2] == "work":
        script[-1] += whole
    else:
        script += ["work", whole]
    return whole


def _work_of(script: Script) -> int:
    return sum(value for op, value in zip(script[::2], script[1::2]) if op == "work")


def _flat(parts: list[_Part]) -> Script:
    result: Script = []
    for part in parts:
        result += ["barrier", 0] if part.what == "barrier" else (part.script or [])
    return result


def _without_closed_singles(parts: list[_Part]) -> list[_Part]:
    """Gaps that follow gaps are one: behind a single of another thread there are two."""
    result: list[_Part] = []
    for part in parts:
        if part.what == "gap" and result and result[-1].what == "gap":
            result[-1] = _Part("gap", (result[-1].script or []) + (part.script or []))
        else:
            result.append(part)
    return result


def _dissolve_loops(threads: list[list[_Part]]) -> None:
    """Loops in which more is done than computing are what each thread did in them."""
    counts = {len(parts) for parts in threads}
    if len(counts) != 1:
        return
    for i in range(counts.pop()):
        some = [parts[i] for parts in threads]
        if any(part.what == "loop" and set((part.script or [])[::2]) - {"work"} for part in some):
            for part in some:
                part.what = "gap"
