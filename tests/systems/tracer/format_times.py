"""What Paraver and OTF2 files say a lane's time went into, and that they agree with the timeline."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import otf2
from heddle.trace import otf2_archive, paraver, paraver_labels
from heddle.trace import timeline as lines
from heddle.trace.timeline import Timeline
from paraver_check import check

# What the time of a lane went into, by the description of a region and by the state of Paraver.
CLASS_OF_STATE = {
    paraver_labels.RUNNING: "compute",
    paraver_labels.SYNCHRONIZATION: "wait",
    paraver_labels.FORK_JOIN: "wait",
    paraver_labels.BLOCKED: "lock",
    paraver_labels.IDLE: "nothing",
    paraver_labels.NOT_CREATED: "nothing",
}
STANDING = [lines.CLASS_NAMES[number] for number in lines.STANDS]


def of_timeline(timeline: Timeline) -> dict[str, Counter]:
    """Nanoseconds by lane and class; nothing: without a task and without a wait."""
    result = {lane.label: Counter() for lane in timeline.lanes}
    names = [lines.CLASS_NAMES[number] for number in timeline.segment_class()]
    length = timeline.segment_end - timeline.segment_begin
    for lane, task, ns, name in zip(timeline.segment_lane, timeline.segment_task, length.tolist(), names):
        result[timeline.lanes[lane].label]["nothing" if task < 0 and name == "compute" else name] += ns
    for times in result.values():
        times["nothing"] += timeline.duration - times.total()
    return result


def of_paraver(prv: Path, timeline: Timeline) -> dict[str, Counter]:
    result = {}
    for lane, times in zip(timeline.lanes, check(prv).ns.values()):
        counter = result.setdefault(lane.label, Counter())
        for state, ns in times.items():
            counter[CLASS_OF_STATE.get(state, "MPI")] += ns
    return result


def of_archive(where: Path, timeline: Timeline) -> dict[str, Counter]:
    """Fails where something is left that was not entered last, or times go back."""
    result = {lane.label: Counter() for lane in timeline.lanes}
    stacks = {lane.label: [] for lane in timeline.lanes}
    last = {}
    with otf2.reader.open(str(where)) as archive:
        for location, event in archive.events:
            before = last.get(location, 0)
            assert event.time >= before
            last[location] = event.time
            if location.name not in stacks:
                continue
            stack = stacks[location.name]
            stands = [region.description for region in stack if region.description in STANDING]
            name = stands[-1] if stands else "compute" if stack else "nothing"
            result[location.name][name] += event.time - before
            if isinstance(event, otf2.events.Enter):
                stack.append(event.region)
            elif isinstance(event, otf2.events.Leave):
                assert stack.pop() is event.region
        for location, before in last.items():
            if location.name in result:
                result[location.name]["nothing"] += timeline.duration - before
    assert not any(stacks.values())
    return result


def times_agree(timeline: Timeline, folder: Path) -> dict[str, Counter]:
    expected = of_timeline(timeline)
    assert of_paraver(paraver.write(timeline, folder, "trace")[0], timeline) == expected
    assert of_archive(otf2_archive.write(timeline, folder / "otf2"), timeline) == expected
    return expected
