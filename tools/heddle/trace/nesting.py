"""What begins and ends on a lane, in an order in which everything nests: for formats that want begins and ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heddle.trace.timeline import Spans, Timeline, spans_of

TASKS = -1  # the level of tasks; states have 0 and more


@dataclass
class Nested:
    """Of one lane, in order. level: TASKS or a level of states; of: the task or the state."""

    lane: int
    ns: np.ndarray
    begins: np.ndarray
    level: np.ndarray
    of: np.ndarray


def nested(timeline: Timeline) -> Iterator[Nested]:
    """One a lane. At one moment the inner ends come before the outer ones, and all before what begins."""
    levels = range(TASKS, timeline.segment_states.shape[1])
    spans = {level: spans_of(timeline, level) for level in levels}
    for lane in range(len(timeline.lanes)):
        yield _of_lane(lane, {level: _only(each, lane) for level, each in spans.items()})


def _only(spans: Spans, lane: int) -> Spans:
    first, last = np.searchsorted(spans.lane, [lane, lane + 1])
    return Spans(spans.lane[first:last], spans.begin[first:last], spans.end[first:last], spans.of[first:last])


def _of_lane(lane: int, spans: dict[int, Spans]) -> Nested:
    ns = np.concatenate([part for each in spans.values() for part in (each.begin, each.end)])
    sizes = [(level, len(each.begin)) for level, each in spans.items()]
    begins = np.concatenate([np.repeat([True, False], [size, size]) for _, size in sizes])
    level = np.concatenate([np.full(2 * size, number) for number, size in sizes])
    of = np.concatenate([part for each in spans.values() for part in (each.of, each.of)])
    order = np.lexsort((np.where(begins, level, -level), begins, ns))
    return Nested(lane, ns[order], begins[order], level[order], of[order])
