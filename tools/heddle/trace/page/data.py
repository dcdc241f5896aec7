"""What the page draws: stretches of one colour on each lane, and a pyramid of coarser ones for looks from afar.

Words: a *stretch* is time of one lane in one task and one *look*: the phase of the task that computes (numbers.py),
or the wait, lock or call of MPI that it stands in. A *bin* is an equal part of the time, and shows the look that filled
most of it. Level k of the pyramid has 2^k bins a lane.
"""

from __future__ import annotations

import base64
import gzip
from dataclasses import dataclass

import numpy as np

from heddle.trace import numbers
from heddle.trace.timeline import Timeline

NOTHING = 0  # the look of a lane that executes no task
_FIRST_LEVEL, _MOST_LEVELS = 10, 21
_MOST_LOOKS = 255
_MOST = (1 << 32) - 1  # what fits into 32 bits


@dataclass
class Looks:
    """names and is_task: by look. of_segment: of each segment."""

    names: list[str]
    is_task: list[bool]
    of_segment: np.ndarray


def looks(timeline: Timeline) -> Looks:
    """The looks, most time first behind NOTHING; beyond 254 the rest are one."""
    stands = numbers.innermost(timeline)
    phase_names, raw = numbers.phases(timeline)
    raw[stands >= 0] = len(phase_names) + stands[stands >= 0]
    length = timeline.segment_end - timeline.segment_begin
    used, number = np.unique(raw, return_inverse=True)
    time = np.bincount(number, length)
    names, is_task = ["no task"], [False]
    look_of = np.zeros(len(used), "i8")
    for at in np.argsort(-time, kind="stable").tolist():
        value = int(used[at])
        if value < 0:
            continue
        if len(names) == _MOST_LOOKS:
            names.append("others")
            is_task.append(False)
        if len(names) > _MOST_LOOKS:
            look_of[at] = _MOST_LOOKS
            continue
        look_of[at] = len(names)
        names.append((phase_names + timeline.state_names)[value])
        is_task.append(value < len(phase_names))
    return Looks(names, is_task, look_of[number])


@dataclass
class Stretches:
    """By lane and time. first: index of each lane's first stretch, and behind the last; state: an index, or -1."""

    first: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    look: np.ndarray
    task: np.ndarray
    state: np.ndarray


def stretches(timeline: Timeline, of: Looks) -> Stretches:
    """Segments joined where neither task nor look changes."""
    lane, begin, end, task = (
        timeline.segment_lane,
        timeline.segment_begin,
        timeline.segment_end,
        timeline.segment_task,
    )
    look = of.of_segment
    if len(lane) == 0:
        nothing = np.empty(0, "i8")
        return Stretches(np.zeros(len(timeline.lanes) + 1, "i8"), *(nothing for _ in range(5)))
    changes = np.flatnonzero((lane[1:] != lane[:-1]) | (task[1:] != task[:-1]) | (look[1:] != look[:-1]))
    first = np.concatenate([[0], changes + 1])
    last = np.concatenate([changes, [len(lane) - 1]])
    state = np.full(len(lane), -1, "i8")
    for level in range(timeline.segment_states.shape[1]):
        inner = timeline.segment_states[:, level]
        state[inner >= 0] = inner[inner >= 0]
    starts = np.searchsorted(lane[first], np.arange(len(timeline.lanes) + 1))
    return Stretches(starts, begin[first], end[last], look[first], task[first], state[first])


def pyramid(timeline: Timeline, all_stretches: Stretches, is_task: list[bool]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Of each level the look of each bin, and how much of it such looks fill (0 to 255); shape (lanes * 2^level).

    Tasks are such looks of a task, waits of a wait: so the height of a bin says how busy the lane was.
    """
    lanes, duration = len(timeline.lanes), max(timeline.duration, 1)
    most = int(np.diff(all_stretches.first).max(initial=1))
    top = int(np.clip(np.ceil(np.log2(max(most, 2))), _FIRST_LEVEL, _MOST_LEVELS))
    lane = np.repeat(np.arange(lanes), np.diff(all_stretches.first))
    shown = all_stretches.look != NOTHING
    bin_, look, time = _split(
        lane[shown], all_stretches.begin[shown], all_stretches.end[shown], all_stretches.look[shown], duration, 1 << top
    )
    levels = []
    for level in range(top, _FIRST_LEVEL - 1, -1):
        bin_, look, time = _joined(bin_, look, time)
        levels.append(_strongest(bin_, look, time, lanes << level, duration / (1 << level), np.array(is_task)))
        bin_ = bin_ >> 1
    return levels[::-1]


def _split(lane, begin, end, look, duration, bins):
    """Stretches cut at the edges of bins: bin (lane * bins + number), look and time of each part."""
    width = duration / bins
    first = np.minimum((begin / width).astype("i8"), bins - 1)
    last = np.minimum((end / width).astype("i8"), bins - 1)
    parts = last - first + 1
    which = np.repeat(np.arange(len(begin)), parts)
    number = np.arange(len(which)) - np.repeat(np.cumsum(parts) - parts, parts) + first[which]
    time = np.minimum(end[which], (number + 1) * width) - np.maximum(begin[which], number * width)
    return lane[which] * bins + number, look[which], np.maximum(time, 0.0)


def _joined(bin_, look, time):
    """The times of the same bin and look, summed."""
    order = np.lexsort((look, bin_))
    bin_, look, time = bin_[order], look[order], time[order]
    starts = np.flatnonzero(np.concatenate([[True], (bin_[1:] != bin_[:-1]) | (look[1:] != look[:-1])]))
    if len(bin_) == 0:
        return bin_, look, time
    return bin_[starts], look[starts], np.add.reduceat(time, starts)


def _strongest(bin_, look, time, count, width, is_task):
    order = np.lexsort((time, bin_))
    looks_of = np.zeros(count, "u1")
    # Of several in a bin the last assignment stays: the longest.
    looks_of[bin_[order]] = look[order]
    alike = is_task[look] == is_task[looks_of[bin_]]
    sums = np.bincount(bin_[alike], time[alike], count)
    return looks_of, np.clip(np.ceil(255 * sums / width), 0, 255).astype("u1")


def packed(values: np.ndarray, kind: str) -> dict[str, str]:
    """An array as the page reads it: compressed, as text. kind: u1, u2, u4 or i4.

    Of numbers of four bytes each is given less the one before, and their lowest bytes come first, then the next ones:
    so most bytes are 0, which takes a quarter of the place.
    """
    numbers_ = np.ascontiguousarray(values, dtype=np.dtype(kind).newbyteorder("<"))
    if numbers_.itemsize == 4:
        steps = np.diff(numbers_.view("<u4"), prepend=np.zeros(1, "<u4")).astype("<u4")
        raw = steps.view("u1").reshape(-1, 4).T.tobytes()
    else:
        raw = numbers_.tobytes()
    return {"kind": kind, "data": base64.b64encode(gzip.compress(raw, 6)).decode()}


def unit_ns(timeline: Timeline) -> float:
    """The unit of times in the page: 1 ns, or more where 32 bits would not do."""
    return max(1.0, timeline.duration / _MOST)


def units(timeline: Timeline, ns: np.ndarray) -> np.ndarray:
    """Times in unit_ns(); those below 0 become 0."""
    return np.clip(np.rint(ns / unit_ns(timeline)), 0, _MOST).astype("u4")


def record(timeline: Timeline) -> dict:
    """All that the page's script needs."""
    look = looks(timeline)
    parts = stretches(timeline, look)
    levels = pyramid(timeline, parts, look.is_task)
    # Of a stretch without a state the number means nothing.
    place = np.where(parts.state >= 0, np.append(timeline.state_place, -1)[parts.state], -1)
    order = np.argsort(timeline.edge_sink, kind="stable")
    messages = timeline.messages
    first_lane, last_lane = numbers.first_and_last_lane(timeline)
    return {
        "duration_ns": timeline.duration,
        "unit_ns": unit_ns(timeline),
        "lanes": [lane.label for lane in timeline.lanes],
        "looks": look.names,
        "look_is_task": look.is_task,
        "kinds": timeline.kinds,
        "states": timeline.state_names,
        "places": timeline.place_names,
        "first": parts.first.tolist(),
        "begin": packed(units(timeline, parts.begin), "u4"),
        "end": packed(units(timeline, parts.end), "u4"),
        "look": packed(parts.look, "u1"),
        "task": packed(parts.task, "i4"),
        "place": packed(place, "i4"),
        "first_level": _FIRST_LEVEL,
        "levels": [{"look": packed(looks_of, "u1"), "filled": packed(filled, "u1")} for looks_of, filled in levels],
        "task_kind": packed(timeline.task_kind, "u2"),
        "task_created": packed(units(timeline, timeline.task_created), "u4"),
        "task_creator": packed(timeline.task_creator, "i4"),
        "task_begin": packed(units(timeline, timeline.task_first), "u4"),
        "task_end": packed(units(timeline, timeline.task_end), "u4"),
        "task_first_lane": packed(first_lane, "i4"),
        "task_last_lane": packed(last_lane, "i4"),
        "edge_sink": packed(timeline.edge_sink[order], "u4"),
        "edge_source": packed(timeline.edge_source[order], "u4"),
        "message_source": packed(messages["source_lane"], "i4"),
        "message_sink": packed(messages["sink_lane"], "i4"),
        "message_sent": packed(units(timeline, messages["sent"]), "u4"),
        "message_received": packed(units(timeline, messages["received"]), "u4"),
        "message_bytes": packed(np.minimum(messages["bytes"], _MOST), "u4"),
    }
