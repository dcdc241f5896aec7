"""A trace as an OTF2 archive (Score-P, Vampir, Scalasca), through OTF2's own package.

A host is a node of the system tree, a process a location group and a lane a location. Tasks and their states are
regions that are entered and left, one in another. Sends and receives are those of MPI; all communicators have all
processes as members, so that ranks are those of MPI_COMM_WORLD. A metric of each process counts its tasks alive.

A region's description says what its time goes into: task, parallel region, outside parallel regions, or the class of
the state (timeline.CLASS_NAMES).
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import otf2
from otf2.enums import (
    GroupType,
    LocationType,
    MetricOccurrence,
    Paradigm,
    RecorderKind,
    RegionRole,
    Type,
)

from heddle.errors import UserError
from heddle.trace import timeline as lines
from heddle.trace.counting import thinned_tasks_alive
from heddle.trace.mpi_calls import Call, call_of
from heddle.trace.nesting import TASKS, Nested, nested
from heddle.trace.numbers import tasks_alive
from heddle.trace.timeline import Timeline

ARCHIVE = "traces"  # the name that OTF2's programs expect: traces.otf2, traces.def and the folder traces

_NS = 1_000_000_000
# At one moment: what a call has received comes before its end, what it sends after its begin.
_RECEIVE, _LEAVE, _ENTER, _SEND = range(4)

_ROLE_OF_WAIT = {
    "barrier": RegionRole.BARRIER,
    "explicit barrier": RegionRole.BARRIER,
    "taskwait": RegionRole.TASK_WAIT,
    "end of taskgroup": RegionRole.TASK_WAIT,
}  # the others are implicit barriers
_ROLE_OF_LOCK = {
    "wait for critical": RegionRole.CRITICAL,
    "wait for atomic": RegionRole.ATOMIC,
    "wait for ordered": RegionRole.ORDERED,
}
_ROLE_OF_WORK = {
    "sections": RegionRole.SECTIONS,
    "single": RegionRole.SINGLE,
    "single of another thread": RegionRole.SINGLE,
    "workshare": RegionRole.WORKSHARE,
    "scope": RegionRole.WORKSHARE,
    "taskloop": RegionRole.TASK_CREATE,
    "masked": RegionRole.MASTER,
}  # the others are loops
_ROLE_OF_CALL = {
    Call.BARRIER: RegionRole.BARRIER,
    Call.ONE_TO_ALL: RegionRole.COLL_ONE2ALL,
    Call.ALL_TO_ONE: RegionRole.COLL_ALL2ONE,
    Call.ALL_TO_ALL: RegionRole.COLL_ALL2ALL,
    Call.OTHER: RegionRole.FUNCTION,
}  # the others are from process to process


def write(timeline: Timeline, folder: Path) -> Path:
    """The path of traces.otf2. Cost: 4 us an event, with some eight events a task.

    Errors: UserError where the folder has an archive already.
    """
    if (folder / f"{ARCHIVE}.otf2").exists():
        raise UserError(f"{folder} has an OTF2 archive already; remove it, or name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    with otf2.writer.open(str(folder), ARCHIVE, timer_resolution=_NS) as archive:
        archive.creator = "Heddle"
        objects = _Objects(timeline, archive.definitions)
        regions = _Regions(timeline, archive.definitions)
        messages = _Messages(timeline, archive.definitions, objects)
        spans = _process_spans(timeline)
        for lane in nested(timeline):
            writer = archive.event_writer_from_location(objects.locations[lane.lane])
            process = timeline.lanes[lane.lane].process
            is_first = objects.first[process] == lane.lane
            if is_first:
                writer.program_begin(spans[process][0], _text(timeline.processes[process].program), [])
            _write_lane(writer, lane, regions, messages)
            if is_first:
                writer.program_end(spans[process][1], 0)
        for p in range(len(timeline.processes)):
            _write_metric(archive, timeline, objects, p)
        # The package takes the moment of the first write for that of the first event.
        archive._realtime_timestamp = _began_unix_ns(timeline) / _NS
    return folder / f"{ARCHIVE}.otf2"


def _text(path: Path) -> str:
    """A path whose bytes are no text is shown with replacements."""
    return os.fsencode(path).decode(errors="replace")


def _began_unix_ns(timeline: Timeline) -> int:
    """When time 0 of the trace was."""
    process = timeline.processes[0]
    starts = [int(thread.ns[0]) for each in timeline.processes for thread in each.threads if len(thread.ns)]
    return process.started_unix_ns + (min(starts) - process.start_ns if starts else 0)


def _process_spans(timeline: Timeline) -> list[tuple[int, int]]:
    """The first and last moment of each process of which an event of its lanes tells."""
    process = np.array([lane.process for lane in timeline.lanes], "i8")
    messages = timeline.messages
    known = [
        (process[timeline.segment_lane], timeline.segment_begin),
        (process[timeline.segment_lane], timeline.segment_end),
    ]
    if len(messages):
        known.append((process[messages["source_lane"]], messages["sent"]))
        known.append((process[messages["sink_lane"]], messages["received"]))
    result = []
    for p in range(len(timeline.processes)):
        moments = np.concatenate([ns[of == p] for of, ns in known])
        alive, _ = tasks_alive(timeline, p)
        moments = np.concatenate([moments, alive])
        result.append((int(moments.min()), int(moments.max())) if len(moments) else (0, 0))
    return result


class _Objects:
    """The system tree, location groups by process and locations by lane; first: lane of each process that has one."""

    def __init__(self, timeline: Timeline, definitions: otf2.registry.DefinitionRegistry) -> None:
        machine = definitions.system_tree_node("machine", class_name="machine", parent=None)
        hosts = dict.fromkeys(process.host for process in timeline.processes)
        nodes = {host: definitions.system_tree_node(host, class_name="node", parent=machine) for host in hosts}
        self.groups = [
            definitions.location_groups.create(
                f"rank {process.rank}" if process.ranks > 1 else _text(Path(process.program.name)),
                system_tree_parent=nodes[process.host],
            )
            for process in timeline.processes
        ]
        self.locations = [
            definitions.locations.create(lane.label, type=LocationType.CPU_THREAD, group=self.groups[lane.process])
            for lane in timeline.lanes
        ]
        self.first: dict[int, int] = {}
        for number, lane in enumerate(timeline.lanes):
            self.first.setdefault(lane.process, number)


class _Regions:
    """One of each kind of task, and of each state at each place."""

    def __init__(self, timeline: Timeline, definitions: otf2.registry.DefinitionRegistry) -> None:
        self._timeline = timeline
        self._definitions = definitions
        self._kind_of = timeline.task_kind.tolist()
        self._what_of, self._place_of = timeline.state_what.tolist(), timeline.state_place.tolist()
        explicit = set(np.unique(timeline.task_kind[timeline.task_is_explicit]).tolist())
        self._kinds = [self._of_kind(name, number in explicit) for number, name in enumerate(timeline.kinds)]
        self._states: dict[tuple[int, int], otf2.definitions.Region] = {}

    def of(self, level: int, which: int) -> otf2.definitions.Region:
        if level == TASKS:
            return self._kinds[self._kind_of[which]]
        key = self._what_of[which], self._place_of[which]
        if key not in self._states:
            self._states[key] = self._of_state(*key)
        return self._states[key]

    def _of_kind(self, name: str, is_explicit: bool) -> otf2.definitions.Region:
        if is_explicit:
            role, description = RegionRole.TASK, "task"
        elif name == "initial task":
            role, description = RegionRole.ARTIFICIAL, "outside parallel regions"
        elif name.startswith("taskwait"):
            role, description = RegionRole.TASK_WAIT, "taskwait"
        else:
            role, description = RegionRole.PARALLEL, "parallel region"
        place = name.rpartition(", ")[2]
        return self._region(name, description, role, Paradigm.OPENMP, place)

    def _of_state(self, what: int, place: int) -> otf2.definitions.Region:
        name, state_class = self._timeline.state_names[what], int(self._timeline.state_classes[what])
        role, paradigm = _role(name, state_class)
        where = self._timeline.place_names[place] if place >= 0 else ""
        return self._region(name, lines.CLASS_NAMES[state_class], role, paradigm, where)

    def _region(self, name: str, description: str, role, paradigm, place: str) -> otf2.definitions.Region:
        settings = {"description": description, "region_role": role, "paradigm": paradigm}
        file, colon, line = place.rpartition(":")
        if colon and line.isdigit():
            settings |= {"source_file": file, "begin_line_number": int(line), "end_line_number": int(line)}
        return self._definitions.regions.create(name, **settings)


def _role(name: str, state_class: int):
    """The role and paradigm of a state."""
    if state_class == lines.MPI:
        return _ROLE_OF_CALL.get(call_of(name), RegionRole.POINT2POINT), Paradigm.MPI
    if state_class == lines.WAIT:
        return _ROLE_OF_WAIT.get(name, RegionRole.IMPLICIT_BARRIER), Paradigm.OPENMP
    if state_class == lines.LOCK:
        return _ROLE_OF_LOCK.get(name, RegionRole.CRITICAL), Paradigm.OPENMP
    if state_class == lines.WORKS:
        return _ROLE_OF_WORK.get(name, RegionRole.LOOP), Paradigm.OPENMP
    return RegionRole.CODE, Paradigm.USER


class _Messages:
    """Sends and receives of each lane."""

    def __init__(self, timeline: Timeline, definitions: otf2.registry.DefinitionRegistry, objects: _Objects) -> None:
        self._messages = timeline.messages
        if len(self._messages) == 0:
            return
        members = [objects.locations[lane] for _, lane in sorted(objects.first.items())]
        number = {process: at for at, process in enumerate(sorted(objects.first))}
        self._rank_of_lane = [number[lane.process] for lane in timeline.lanes]
        definitions.group("MPI", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=tuple(members))
        everyone = definitions.group(
            "all processes", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI, members=tuple(members)
        )
        used = np.unique(self._messages["communicator"]).tolist()
        self._comms = {
            each: definitions.comms.create(f"communicator {each}", group=everyone, _type=otf2.definitions.Comm)
            for each in used
        }

    def of(self, lane: int) -> list[tuple[int, int, tuple]]:
        """Time, _SEND or _RECEIVE, and the event's other arguments; in no order."""
        result: list[tuple[int, int, tuple]] = []
        if len(self._messages) == 0:
            return result
        for mine, other, time, order in (
            ("source_lane", "sink_lane", "sent", _SEND),
            ("sink_lane", "source_lane", "received", _RECEIVE),
        ):
            for message in self._messages[self._messages[mine] == lane]:
                partner = self._rank_of_lane[int(message[other])]
                comm = self._comms[int(message["communicator"])]
                result.append((int(message[time]), order, (partner, comm, int(message["tag"]), int(message["bytes"]))))
        return result


def _write_lane(writer, lane: Nested, regions: _Regions, messages: _Messages) -> None:
    points = messages.of(lane.lane)
    order = np.where(lane.begins, _ENTER, _LEAVE).tolist()
    events = list(zip(lane.ns.tolist(), order, zip(lane.level.tolist(), lane.of.tolist())))
    if points:
        # Stable: what nests stays in its order.
        events = sorted([*events, *points], key=lambda event: event[:2])
    for ns, what, about in events:
        if what == _ENTER:
            writer.enter(ns, regions.of(*about))
        elif what == _LEAVE:
            writer.leave(ns, regions.of(*about))
        elif what == _SEND:
            writer.mpi_send(ns, *about)
        else:
            writer.mpi_recv(ns, *about)


def _write_metric(archive: otf2.writer.Writer, timeline: Timeline, objects: _Objects, process: int) -> None:
    ns, counts = thinned_tasks_alive(timeline, process)
    if len(ns) == 0:
        return
    definitions, group = archive.definitions, objects.groups[process]
    member = definitions.metric_member(
        "tasks alive", description="created and not completed", value_type=Type.INT64, unit="#"
    )
    metric = definitions.metric_class((member,), MetricOccurrence.ASYNCHRONOUS, RecorderKind.ABSTRACT)
    location = definitions.locations.create("tasks alive", type=LocationType.METRIC, group=group)
    instance = definitions.metric_instance(metric, recorder=location, scope=group)
    writer = archive.event_writer_from_location(location)
    for at, count in zip(ns.tolist(), counts.tolist()):
        writer.metric(at, instance, count)
