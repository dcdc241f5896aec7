"""A trace in Perfetto's format, through its own classes: open it at ui.perfetto.dev, or in a copy of it without a net.

A process is a process there and a lane a thread; tasks and states are slices, one in another. Arrows (flows) are
dependences and messages. A counter says how many tasks there were.

Source: perfetto.dev, "Track events"; an end closes what has begun last on its track, and times do not go back.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as proto

from heddle import whole_file
from heddle.trace import timeline as lines
from heddle.trace.counting import thinned_tasks_alive
from heddle.trace.nesting import TASKS, nested
from heddle.trace.timeline import Timeline

_SEQUENCE = 1
_PROCESS_TRACK, _LANE_TRACK, _COUNTER_TRACK = 1 << 32, 2 << 32, 3 << 32
_PACKETS_A_WRITE = 20_000


def write(timeline: Timeline, path: Path) -> Path:
    """Cost: 5 us a slice."""
    with whole_file.writing(path) as file:
        trace = proto.Trace()
        for packet in _packets(timeline):
            trace.packet.append(packet)
            if len(trace.packet) == _PACKETS_A_WRITE:
                file.write(trace.SerializeToString())
                trace = proto.Trace()
        file.write(trace.SerializeToString())
    return path


def _packets(timeline: Timeline) -> Iterator[proto.TracePacket]:
    yield from _tracks(timeline)
    names = _Names(timeline)
    yield names.packet()
    flows = _Flows(timeline)
    for lane in nested(timeline):
        uuid = _LANE_TRACK + lane.lane
        for ns, begins, level, of in zip(lane.ns.tolist(), lane.begins.tolist(), lane.level.tolist(), lane.of.tolist()):
            packet = _event(ns, uuid, begins)
            if begins:
                event = packet.track_event
                if level == TASKS:
                    event.name_iid, event.category_iids[:] = names.of_task(of), [names.task_category(of)]
                    flows.add(event, of, lane.lane, ns)
                else:
                    event.name_iid, event.category_iids[:] = names.of_state(of), [names.state_category(of)]
                    place = int(timeline.state_place[of])
                    if place >= 0:
                        _annotate(event, "at", timeline.place_names[place])
            yield packet
    yield from _messages(timeline)
    yield from _counters(timeline)


def _event(ns: int, uuid: int, begins: bool) -> proto.TracePacket:
    packet = proto.TracePacket()
    packet.timestamp = ns
    packet.trusted_packet_sequence_id = _SEQUENCE
    packet.sequence_flags = proto.TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
    packet.track_event.track_uuid = uuid
    packet.track_event.type = proto.TrackEvent.TYPE_SLICE_BEGIN if begins else proto.TrackEvent.TYPE_SLICE_END
    return packet


def _annotate(event, name: str, text: str) -> None:
    annotation = event.debug_annotations.add()
    annotation.name = name
    annotation.string_value = text


def _tracks(timeline: Timeline) -> Iterator[proto.TracePacket]:
    for p, process in enumerate(timeline.processes):
        packet = proto.TracePacket()
        packet.trusted_packet_sequence_id = _SEQUENCE
        track = packet.track_descriptor
        track.uuid = _PROCESS_TRACK + p
        track.process.pid = process.process
        name = process.program.name
        track.process.process_name = f"{name}, rank {process.rank}" if process.ranks > 1 else name
        yield packet
        packet = proto.TracePacket()
        packet.trusted_packet_sequence_id = _SEQUENCE
        track = packet.track_descriptor
        track.uuid, track.parent_uuid, track.name = _COUNTER_TRACK + p, _PROCESS_TRACK + p, "tasks alive"
        track.counter.unit = proto.CounterDescriptor.UNIT_COUNT
        yield packet
    for number, lane in enumerate(timeline.lanes):
        packet = proto.TracePacket()
        packet.trusted_packet_sequence_id = _SEQUENCE
        track = packet.track_descriptor
        track.uuid, track.parent_uuid = _LANE_TRACK + number, _PROCESS_TRACK + lane.process
        track.thread.pid = timeline.processes[lane.process].process
        # Numbers of ours: a thread that has the process' own number would be its main thread.
        track.thread.tid = lane.thread
        track.thread.thread_name = lane.label
        yield packet


class _Names:
    """Names and categories, written once and referred to by number."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._kinds = timeline.task_kind.tolist()
        self._explicit = timeline.task_is_explicit.tolist()
        self._what = timeline.state_what.tolist()
        self._classes = timeline.state_classes.tolist()
        self._first_state = 1 + len(timeline.kinds)
        self._categories = ["task", "region", *lines.CLASS_NAMES]

    def packet(self) -> proto.TracePacket:
        packet = proto.TracePacket()
        packet.trusted_packet_sequence_id = _SEQUENCE
        packet.sequence_flags = proto.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
        for number, name in enumerate([*self._timeline.kinds, *self._timeline.state_names], start=1):
            packet.interned_data.event_names.add(iid=number, name=name)
        for number, name in enumerate(self._categories, start=1):
            packet.interned_data.event_categories.add(iid=number, name=name)
        return packet

    def of_task(self, task: int) -> int:
        return 1 + self._kinds[task]

    def of_state(self, state: int) -> int:
        return self._first_state + self._what[state]

    def task_category(self, task: int) -> int:
        return 1 if self._explicit[task] else 2

    def state_category(self, state: int) -> int:
        return 3 + self._classes[self._what[state]]


class _Flows:
    """Dependences: from the last piece of the one task to the first of the other."""

    def __init__(self, timeline: Timeline) -> None:
        self._first, self._last = {}, {}
        pieces = timeline.pieces
        order = np.argsort(pieces.begin, kind="stable")
        # Of several the last assignment stays.
        wanted = np.union1d(timeline.edge_source, timeline.edge_sink)
        mine = order[np.isin(pieces.of[order], wanted)]
        for lane, begin, of in zip(pieces.lane[mine].tolist(), pieces.begin[mine].tolist(), pieces.of[mine].tolist()):
            self._last[of] = (lane, begin)
            self._first.setdefault(of, (lane, begin))
        self._out: dict[int, list[int]] = {}
        self._in: dict[int, list[int]] = {}
        for number, (source, sink) in enumerate(
            zip(timeline.edge_source.tolist(), timeline.edge_sink.tolist()), start=1
        ):
            if source in self._last and sink in self._first:
                self._out.setdefault(source, []).append(number)
                self._in.setdefault(sink, []).append(number)

    def add(self, event, task: int, lane: int, ns: int) -> None:
        if task in self._out and self._last[task] == (lane, ns):
            event.flow_ids.extend(self._out[task])
        if task in self._in and self._first[task] == (lane, ns):
            event.terminating_flow_ids.extend(self._in[task])


def _messages(timeline: Timeline) -> Iterator[proto.TracePacket]:
    first = len(timeline.edge_source) + 1
    for number, message in enumerate(timeline.messages, start=first):
        for lane, ns, name in (
            (message["source_lane"], message["sent"], "send"),
            (message["sink_lane"], message["received"], "receive"),
        ):
            packet = _event(int(ns), _LANE_TRACK + int(lane), True)
            event = packet.track_event
            event.type, event.name = proto.TrackEvent.TYPE_INSTANT, name
            _annotate(event, "bytes", str(message["bytes"]))
            _annotate(event, "tag", str(message["tag"]))
            (event.flow_ids if name == "send" else event.terminating_flow_ids).append(number)
            yield packet


def _counters(timeline: Timeline) -> Iterator[proto.TracePacket]:
    for p in range(len(timeline.processes)):
        ns, counts = thinned_tasks_alive(timeline, p)
        for at, value in zip(ns.tolist(), counts.tolist()):
            packet = _event(at, _COUNTER_TRACK + p, True)
            packet.track_event.type = proto.TrackEvent.TYPE_COUNTER
            packet.track_event.counter_value = value
            yield packet
