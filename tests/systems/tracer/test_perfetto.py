"""Traces for Perfetto keep the rules that its importer enforces, and say what the timeline says.

Its own importer, trace_processor, is a binary that cannot be had everywhere; the rules are those of its documentation
("Track events"): an end closes what began last on its track, times do not go back, names and tracks are known before
they are used, every flow has a begin and an end.
"""

import pytest
from heddle.trace import build, events, perfetto
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as proto
from perfetto_slices import Event, Slices, time_by_name, time_by_name_of
from traced import TASKS, built, trace


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    folder = tmp_path_factory.mktemp("perfetto")
    assert trace(folder, "--threads", "3", "--", built(folder)).returncode == 0
    parsed = proto.Trace()
    parsed.ParseFromString((folder / "program.trace" / "program.perfetto-trace").read_bytes())
    return build.build(events.read_folder(folder / "program.trace" / "events")), list(parsed.packet)


def test_slices_nest_and_times_go_forward(both):
    timeline, packets = both
    slices = Slices(packets)
    assert sum(track.HasField("thread") for track in slices.tracks.values()) == len(timeline.lanes) == 3
    assert [track.process.process_name for track in slices.tracks.values() if track.HasField("process")] == ["program"]


def test_the_time_of_each_name_is_that_of_the_timeline(both):
    timeline, packets = both
    assert time_by_name(Slices(packets)) == time_by_name_of(timeline)


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
