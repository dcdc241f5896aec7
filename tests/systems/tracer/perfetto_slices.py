"""Reads a trace for Perfetto as its importer does, and fails where a rule is broken (test_perfetto.py says which)."""

from __future__ import annotations

from collections import Counter

import numpy as np
from heddle.trace import timeline as lines
from heddle.trace.timeline import Timeline
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as proto

Event = proto.TrackEvent


class Slices:
    """What the packets say, checked as it is read: slices as (track, name, category, begin, end)."""

    def __init__(self, packets):
        self.tracks, self.names, self.categories, self.all = {}, {}, {}, []
        self.flows, self.counters = Counter(), []
        open_slices, last = {}, {}
        for packet in packets:
            assert packet.trusted_packet_sequence_id != 0
            for known in packet.interned_data.event_names:
                assert known.iid not in self.names
                self.names[known.iid] = known.name
            for known in packet.interned_data.event_categories:
                self.categories[known.iid] = known.name
            if packet.HasField("track_descriptor"):
                track = packet.track_descriptor
                assert track.uuid not in self.tracks
                assert not track.parent_uuid or track.parent_uuid in self.tracks
                self.tracks[track.uuid] = track
            if packet.HasField("track_event"):
                self.add(packet, open_slices, last)
        assert not any(open_slices.values())

    def add(self, packet, open_slices, last):
        event, now = packet.track_event, packet.timestamp
        track = event.track_uuid
        assert track in self.tracks
        self.flows.update(("begin", flow) for flow in event.flow_ids)
        self.flows.update(("end", flow) for flow in event.terminating_flow_ids)
        if event.type == Event.TYPE_COUNTER:
            self.counters.append((now, event.counter_value))
            return
        if event.type == Event.TYPE_INSTANT:
            return
        assert now >= last.get(track, 0)
        last[track] = now
        stack = open_slices.setdefault(track, [])
        if event.type == Event.TYPE_SLICE_BEGIN:
            (category,) = event.category_iids
            stack.append((self.names[event.name_iid], self.categories[category], now))
        else:
            assert event.type == Event.TYPE_SLICE_END
            assert stack
            name, category, begin = stack.pop()
            assert now > begin
            self.all.append((track, name, category, begin, now))


def time_by_name(slices: Slices) -> Counter:
    """Nanoseconds by name and category."""
    found = Counter()
    for _, name, category, begin, end in slices.all:
        found[name, category] += end - begin
    return found


def time_by_name_of(timeline: Timeline) -> Counter:
    expected = Counter()
    length = timeline.segment_end - timeline.segment_begin
    known = timeline.segment_task >= 0
    of_task = np.bincount(timeline.segment_task[known], length[known], len(timeline.task_kind))
    for task in np.flatnonzero(of_task):
        category = "task" if timeline.task_is_explicit[task] else "region"
        expected[timeline.kinds[timeline.task_kind[task]], category] += int(of_task[task])
    for level in range(timeline.segment_states.shape[1]):
        inside = timeline.segment_states[:, level] >= 0
        what = timeline.state_what[timeline.segment_states[inside, level]]
        for number, ns in enumerate(np.bincount(what, length[inside])):
            category = lines.CLASS_NAMES[timeline.state_classes[number]]
            if ns:
                expected[timeline.state_names[number], category] += int(ns)
    return expected
