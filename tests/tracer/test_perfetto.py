"""Traces for Perfetto keep the rules that its importer enforces, and say what the timeline says.

Its own importer, trace_processor, is a binary that cannot be had everywhere; the rules are those of its documentation
("Track events"): an end closes what began last on its track, times do not go back, names and tracks are known before
they are used, every flow has a begin and an end.
"""

from collections import Counter

import numpy as np
import pytest
from heddle.trace import build, events, perfetto
from heddle.trace import timeline as lines
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as proto
from traced import TASKS, built, trace

Event = proto.TrackEvent


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    folder = tmp_path_factory.mktemp("perfetto")
    assert trace(folder, "--threads", "3", "--", built(folder)).returncode == 0
    parsed = proto.Trace()
    parsed.ParseFromString((folder / "program.trace" / "program.perfetto-trace").read_bytes())
    return build.build(events.read_folder(folder / "program.trace" / "events")), list(parsed.packet)


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


def test_slices_nest_and_times_go_forward(both):
    timeline, packets = both
    slices = Slices(packets)
    assert sum(track.HasField("thread") for track in slices.tracks.values()) == len(timeline.lanes) == 3
    assert [track.process.process_name for track in slices.tracks.values() if track.HasField("process")] == ["program"]


def test_the_time_of_each_name_is_that_of_the_timeline(both):
    timeline, packets = both
    found = Counter()
    for _, name, category, begin, end in Slices(packets).all:
        found[name, category] += end - begin
    expected = Counter()
    length = timeline.segment_end - timeline.segment_begin
    for task in np.flatnonzero(np.bincount(timeline.segment_task[timeline.segment_task >= 0])):
        category = "task" if timeline.task_is_explicit[task] else "region"
        expected[timeline.kinds[timeline.task_kind[task]], category] += int(length[timeline.segment_task == task].sum())
    for level in range(timeline.segment_states.shape[1]):
        inside = timeline.segment_states[:, level] >= 0
        what = timeline.state_what[timeline.segment_states[inside, level]]
        for number, ns in enumerate(np.bincount(what, length[inside])):
            category = lines.CLASS_NAMES[timeline.state_classes[number]]
            if ns:
                expected[timeline.state_names[number], category] += int(ns)
    assert found == expected


def test_every_dependence_is_a_flow_with_one_begin_and_one_end(both):
    timeline, packets = both
    flows = Slices(packets).flows
    assert len(timeline.edge_source) > 0
    assert set(flows.values()) == {1}
    assert len(flows) == 2 * len(timeline.edge_source)


def test_the_counter_ends_where_no_task_is_left(both):
    counts = [value for _, value in Slices(both[1]).counters]
    assert counts[-1] == 0
    assert len(counts) == 2 * TASKS
    assert max(counts) <= TASKS


def test_a_trace_that_breaks_a_rule_is_noticed(both):
    packets = [packet for packet in both[1] if packet.track_event.type != Event.TYPE_SLICE_END]
    with pytest.raises(AssertionError):
        Slices(packets)
    backwards = [packet for packet in both[1] if packet.HasField("track_event")]
    with pytest.raises(AssertionError):
        Slices([packet for packet in both[1] if not packet.HasField("track_event")] + backwards[::-1])


def test_a_message_is_a_flow_from_send_to_receive(tmp_path):
    from made_events import process, thread

    sender = process(thread(1, (5, "message_sent", {"extra": 1, "a": 64, "b": 7})), rank=0, ranks=2)
    receiver = process(
        thread(
            1,
            (0, "receive_posted", {"a": 1, "b": 7}),
            (9, "message_received", {"a": 1, "b": 7}),
        ),
        rank=1,
        ranks=2,
    )
    parsed = proto.Trace()
    parsed.ParseFromString(perfetto.write(build.build([sender, receiver]), tmp_path / "trace").read_bytes())
    found = [packet for packet in parsed.packet if packet.track_event.type == Event.TYPE_INSTANT]
    assert [(packet.timestamp, packet.track_event.name) for packet in found] == [(5, "send"), (9, "receive")]
    assert list(found[0].track_event.flow_ids) == list(found[1].track_event.terminating_flow_ids)
    assert found[0].track_event.track_uuid != found[1].track_event.track_uuid
