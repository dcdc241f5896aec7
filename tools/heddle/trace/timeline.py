"""What happened when: events of all threads as tasks, segments and states, in arrays.

Words: a *lane* is a thread of a process. A *segment* is a stretch of time in which a lane executes one task, in one
stack of states; its task is -1 where it executes none. A *state* is a part of a task with a begin and an end: a wait, a
lock, a call of MPI, worksharing, a range of the program. A task that is left for another one is cut, and so are its
states: nothing on a lane overlaps anything.

Source: OpenMP 5.2, chapter 19, for what the events mean.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from heddle.trace.events import ProcessEvents

MOST_STATES = 12  # one in another; deeper ones are left out

# Classes of states, and of segments: what a lane's time went into.
COMPUTES, RANGE, WORKS, WAIT, LOCK, MPI = range(6)
CLASS_NAMES = ("compute", "range", "worksharing", "wait", "lock", "MPI")
# The time of these is not spent computing.
STANDS = (WAIT, LOCK, MPI)


@dataclass
class Lane:
    """A thread; label: what people call it."""

    process: int  # index in Timeline.processes
    thread: int
    label: str


@dataclass
class Timeline:
    """Times are in ns since the first event. All arrays of one group have the same length.

    task_*: by task. kind: index in kinds; creator: a task or -1; created, first (begin of its execution) and end: -1
    where that did not happen. segment_*: by lane and time; segment_states: shape (segments, depth), index of a state
    or -1. state_*: instances; what: index in state_names; place: index in place_names or -1. suspension_*: when tasks
    left their threads with their stacks, and a number of words.SUSPENSIONS. memory_*: what a process had in memory.
    place_*: by lane and time; from when on a lane ran on which node of the machine's memory.
    """

    processes: list[ProcessEvents]
    lanes: list[Lane]
    duration: int
    kinds: list[str]
    state_names: list[str]
    state_classes: np.ndarray
    place_names: list[str]
    task_process: np.ndarray
    task_kind: np.ndarray
    task_creator: np.ndarray
    task_created: np.ndarray
    task_first: np.ndarray
    task_end: np.ndarray
    task_is_explicit: np.ndarray
    task_was_discarded: np.ndarray
    segment_lane: np.ndarray
    segment_begin: np.ndarray
    segment_end: np.ndarray
    segment_task: np.ndarray
    segment_states: np.ndarray
    state_what: np.ndarray
    state_place: np.ndarray
    edge_source: np.ndarray
    edge_sink: np.ndarray
    dependence_task: np.ndarray
    dependence_address: np.ndarray
    dependence_type: np.ndarray
    messages: np.ndarray
    suspension_task: np.ndarray
    suspension_ns: np.ndarray
    suspension_reason: np.ndarray
    memory_process: np.ndarray
    memory_ns: np.ndarray
    memory_bytes: np.ndarray
    place_lane: np.ndarray = field(default_factory=lambda: np.empty(0, "i8"))
    place_ns: np.ndarray = field(default_factory=lambda: np.empty(0, "i8"))
    place_node: np.ndarray = field(default_factory=lambda: np.empty(0, "i8"))
    pieces: Spans = field(default_factory=lambda: Spans.none())
    task_creation_lane: np.ndarray = field(default_factory=lambda: np.empty(0, "i8"))  # -1: not known

    @property
    def dropped(self) -> int:
        return sum(process.dropped for process in self.processes)

    def segment_class(self) -> np.ndarray:
        """What each segment's time went into: COMPUTES, or one of STANDS. Of segments without a task: COMPUTES."""
        result = np.full(len(self.segment_lane), COMPUTES)
        for level in range(self.segment_states.shape[1]):
            state = self.segment_states[:, level]
            classes = self.state_classes[self.state_what[state]]
            stands = (state >= 0) & np.isin(classes, STANDS)
            result[stands] = classes[stands]
        return result


@dataclass
class Spans:
    """Stretches of lanes, by lane and time; of: which task or state each is a part of."""

    lane: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    of: np.ndarray

    @staticmethod
    def none() -> Spans:
        return Spans(*(np.empty(0, "i8") for _ in range(4)))


def spans_of(timeline: Timeline, level: int) -> Spans:
    """Stretches of one task (level -1) or of one state at a level, joined where segments follow each other."""
    of = timeline.segment_task if level < 0 else timeline.segment_states[:, level].astype("i8")
    lane, begin, end = timeline.segment_lane, timeline.segment_begin, timeline.segment_end
    if len(of) == 0:
        return Spans.none()
    # A state goes on only as long as its task does.
    task = timeline.segment_task
    changes = np.flatnonzero((of[1:] != of[:-1]) | (lane[1:] != lane[:-1]) | (task[1:] != task[:-1]))
    first = np.concatenate([[0], changes + 1])
    last = np.concatenate([changes, [len(of) - 1]])
    keep = of[first] >= 0
    return Spans(lane[first][keep], begin[first][keep], end[last][keep], of[first][keep])
