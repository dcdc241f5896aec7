"""The critical path of an execution: what would have had to be shorter for the program to end earlier.

It is walked back from the end. A lane that computes depends on what it computed before. A task that a waiting lane
begins depends on what made it ready: its creation or the end of a predecessor. A wait depends on what ended last
elsewhere before it was over: a task, a thread's arrival at the barrier, the send of the message that it received.

Source: the backward replay of Böhme, Wolf, de Supinski, Schulz and Geimer, "Scalable critical-path based performance
analysis", IPDPS 2012, with the ends of tasks beside those of messages.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heddle.trace import numbers
from heddle.trace import timeline as lines
from heddle.trace.timeline import Timeline

SWITCHING = "between a cause and its effect"  # a task is ready, or a wait over, and its lane has not gone on yet


@dataclass
class Step:
    """A stretch of the path. name: a kind of task, a wait or SWITCHING."""

    name: str
    lane: int
    begin: int
    end: int


def critical_path(timeline: Timeline) -> list[Step]:
    """Steps from the begin to the end, one after the other. Cost: some 5 us a step."""
    return _Walk(timeline).steps()


def by_name(path: list[Step]) -> list[tuple[str, int]]:
    """Time of the path by name, the most first."""
    sums: dict[str, int] = {}
    for step in path:
        sums[step.name] = sums.get(step.name, 0) + step.end - step.begin
    return sorted(sums.items(), key=lambda item: -item[1])


class _Walk:
    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._begin, self._end = timeline.segment_begin, timeline.segment_end
        self._lane, self._task = timeline.segment_lane, timeline.segment_task
        self._computes = (timeline.segment_class() == lines.COMPUTES) & (self._task >= 0)
        self._what = numbers.innermost(timeline)
        self._first = np.searchsorted(self._lane, np.arange(len(timeline.lanes) + 1))
        self._ready = numbers.ready_at(timeline)
        self._process = np.array([lane.process for lane in timeline.lanes])
        self._ends = [self._ends_of(process) for process in range(len(timeline.processes))]
        self._messages = {lane: self._received_by(lane) for lane in range(len(timeline.lanes))}

    def _ends_of(self, process: int) -> tuple[np.ndarray, np.ndarray]:
        """When something ended that others may have waited for, and on which lane; by time."""
        computes, task = self._computes, self._task
        goes_on = np.concatenate(
            [(self._lane[1:] == self._lane[:-1]) & computes[1:] & (task[1:] == task[:-1]), [False]]
        )
        mine = computes & ~goes_on & (self._process[self._lane] == process)
        at = np.flatnonzero(mine)
        order = at[np.argsort(self._end[at], kind="stable")]
        return self._end[order], self._lane[order]

    def _received_by(self, lane: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of the lane's messages, by the time when they were received: that, when they were sent, and from where."""
        messages = self._timeline.messages
        mine = messages[messages["sink_lane"] == lane]
        mine = mine[np.argsort(mine["received"], kind="stable")]
        # Each in an array of its own: a search in a part of a record would copy all of it.
        return mine["received"].copy(), mine["sent"].copy(), mine["source_lane"].copy()

    def steps(self) -> list[Step]:
        computing = np.flatnonzero(self._computes)
        if len(computing) == 0:
            return []
        last = int(computing[np.argmax(self._end[computing])])
        lane, now = int(self._lane[last]), int(self._end[last])
        found: list[Step] = []
        at: int | None = last
        came = -1  # when the walk came to this lane: it leaves it earlier, so that it ends in a damaged trace too
        while at is not None and now > 0:
            begin = int(self._begin[at])
            if self._computes[at]:
                self._add(found, self._timeline.kinds[self._timeline.task_kind[self._task[at]]], lane, begin, now)
                now = begin
                cause = self._cause_of_begin(at)
            else:
                cause = self._cause_of_end(at, now) if now != came else None
                if cause is None:
                    self._add(found, self._name_of_wait(at), lane, begin, now)
                    now = begin
            if cause is not None:
                when, lane_before = cause
                self._add(found, SWITCHING, lane, when, now)
                lane, now, came = lane_before, when, when
            at = self._segment_before(lane, now)
        return found[::-1]

    def _add(self, found: list[Step], name: str, lane: int, begin: int, end: int) -> None:
        if begin >= end:
            return
        if found and found[-1].name == name and found[-1].lane == lane and found[-1].begin == end:
            found[-1].begin = begin
        else:
            found.append(Step(name, lane, begin, end))

    def _segment_before(self, lane: int, now: int) -> int | None:
        """The lane's segment in which the moment before now lies, or its last one before."""
        first, behind = int(self._first[lane]), int(self._first[lane + 1])
        at = first + int(np.searchsorted(self._begin[first:behind], now)) - 1
        return at if at >= first else None

    def _cause_of_begin(self, at: int) -> tuple[int, int] | None:
        """What a task waited for that begins here on a lane that stood before: when and on which lane it was there."""
        task, begin = int(self._task[at]), int(self._begin[at])
        is_start = self._timeline.task_is_explicit[task] and begin == self._timeline.task_first[task]
        stood = at > self._first[self._lane[at]] and not self._computes[at - 1]
        if not (is_start and stood) or self._ready[task] <= self._begin[at - 1]:
            return None
        when = int(self._ready[task])
        lane = self._who_computed(when, int(self._process[self._lane[at]]))
        return (when, lane) if lane is not None and when < begin else None

    def _who_computed(self, when: int, process: int) -> int | None:
        """A lane of the process that ended something then, or computed: the creator's, or the predecessor's."""
        ends, lanes = self._ends[process]
        at = int(np.searchsorted(ends, when, side="right")) - 1
        if at >= 0 and ends[at] == when:
            return int(lanes[at])
        for lane in np.flatnonzero(self._process == process).tolist():
            segment = self._segment_before(lane, when)
            if segment is not None and self._end[segment] >= when and self._computes[segment]:
                return lane
        return None

    def _cause_of_end(self, at: int, now: int) -> tuple[int, int] | None:
        """What ended last on another lane before the wait was over, and since it began."""
        lane, begin = int(self._lane[at]), int(self._begin[at])
        message = self._cause_by_message(lane, begin, now)
        if message is not None:
            return message
        ends, lanes = self._ends[int(self._process[lane])]
        place = int(np.searchsorted(ends, now, side="right")) - 1
        while place >= 0 and ends[place] > begin:
            if lanes[place] != lane:
                return int(ends[place]), int(lanes[place])
            place -= 1
        return None

    def _cause_by_message(self, lane: int, begin: int, now: int) -> tuple[int, int] | None:
        received, sent, source = self._messages[lane]
        place = int(np.searchsorted(received, now, side="right")) - 1
        if place < 0 or received[place] <= begin or not begin < sent[place] <= now:
            return None
        return int(sent[place]), int(source[place])

    def _name_of_wait(self, at: int) -> str:
        what = int(self._what[at])
        return self._timeline.state_names[what] if what >= 0 else "no task"
