"""A trace in Paraver's text format (BSC): NAME.prv with what happened, NAME.pcf with its words, NAME.row with names.

One application; a process is a Paraver task and a lane a Paraver thread, each with a processor of its own, as which
processor ran it is not known. A thread's states follow each other from 0 to the trace's end. Events tell the kind and
number of the task that runs, what is waited for, worksharing, ranges and calls of MPI, each with 0 at its end; of
states in states the innermost counts. The first thread of a process counts the tasks alive. Messages are
communications, and so are dependences, with the tag DEPENDENCE.

Source: "Paraver trace file description" (BSC). Records are in the order of time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np

from heddle import whole_file
from heddle.trace import paraver_labels as labels
from heddle.trace.counting import thinned_tasks_alive
from heddle.trace.numbers import innermost
from heddle.trace.timeline import Timeline

DEPENDENCE = 1 << 30  # the tag of a communication that is a dependence

_RECORDS_A_WRITE = 100_000


def write(timeline: Timeline, folder: Path, name: str, *, dependences: bool = True) -> list[Path]:
    """NAME.prv, NAME.pcf, NAME.row, and cfgs/*.cfg for Paraver's windows. Cost: 0.5 us a record, with some ten
    records a task.

    Times of messages are as they were traced: with clocks that disagree one may be received before it was sent.
    """
    views = folder / "cfgs"
    views.mkdir(parents=True, exist_ok=True)
    objects = _Objects(timeline)
    prv, pcf, row = (folder / f"{name}.{kind}" for kind in ("prv", "pcf", "row"))
    with whole_file.writing(prv) as file:
        file.write(objects.header().encode("ascii"))
        for text in _in_order(_records(timeline, objects, dependences)):
            file.write(text.encode("ascii"))
    whole_file.put(pcf, labels.pcf(timeline).encode())
    whole_file.put(row, labels.row(objects.names()).encode())
    written = [prv, pcf, row]
    for view, text in labels.views().items():
        written.append(views / f"{view}.cfg")
        whole_file.put(written[-1], text.encode())
    return written


class _Objects:
    """Nodes, processors, Paraver's tasks and threads. A process without a lane has a thread that never is.

    where: "cpu:application:task:thread" of each lane, then of such threads; shape (threads).
    """

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        processes = timeline.processes
        self._hosts = list(dict.fromkeys(process.host for process in processes))
        self._threads: list[list[int]] = [[] for _ in processes]
        for number, lane in enumerate(timeline.lanes):
            self._threads[lane.process].append(number)
        count = len(timeline.lanes)
        for threads in self._threads:
            if not threads:
                threads.append(count)
                count += 1
        self.where = np.empty(count, object)
        self._in_order: list[int] = []  # threads by processor
        for host in self._hosts:
            for p, threads in enumerate(self._threads):
                if processes[p].host != host:
                    continue
                for t, thread in enumerate(threads, start=1):
                    self._in_order.append(thread)
                    self.where[thread] = f"{len(self._in_order)}:1:{p + 1}:{t}"

    def first_of(self, process: int) -> int:
        return self._threads[process][0]

    def header(self) -> str:
        processes = self._timeline.processes
        node = [self._hosts.index(process.host) + 1 for process in processes]
        sizes = [len(threads) for threads in self._threads]
        processors = [
            sum(size for size, n in zip(sizes, node) if n == number + 1) for number in range(len(self._hosts))
        ]
        when = datetime.fromtimestamp(processes[0].started_unix_ns / 1e9).strftime("%d/%m/%Y at %H:%M")
        tasks = ",".join(f"{size}:{n}" for size, n in zip(sizes, node))
        return (
            f"#Paraver ({when}):{self._timeline.duration}_ns:{len(self._hosts)}({','.join(map(str, processors))})"
            f":1:{len(processes)}({tasks})\n"
        )

    def names(self) -> dict[str, list[str]]:
        timeline = self._timeline
        known = [lane.label for lane in timeline.lanes]
        threads = known + ["no thread"] * (len(self.where) - len(known))
        process = {thread: p for p, mine in enumerate(self._threads) for thread in mine}
        tasks = [f"rank {p.rank}" if p.ranks > 1 else f"process {p.process}" for p in timeline.processes]
        return {
            "CPU": [f"{threads[i]} on {timeline.processes[process[i]].host}" for i in self._in_order],
            "NODE": self._hosts,
            "TASK": tasks,
            "THREAD": [threads[i] for mine in self._threads for i in mine],
        }


@dataclass
class _Records:
    """Lines of one shape. shape: for the % operator; columns: what goes into it, each of the records' number."""

    ns: np.ndarray
    shape: str
    columns: list[np.ndarray]

    def lines(self, rows: np.ndarray) -> list[str]:
        return list(map(self.shape.__mod__, zip(*(column[rows].tolist() for column in self.columns))))


def _in_order(groups: list[_Records]) -> Iterator[str]:
    """All lines by time, in pieces; of the same time in the order of the groups."""
    ns = np.concatenate([group.ns for group in groups])
    first = np.cumsum([0] + [len(group.ns) for group in groups])
    order = np.argsort(ns, kind="stable")
    for at in range(0, len(order), _RECORDS_A_WRITE):
        rows = order[at : at + _RECORDS_A_WRITE]
        text = np.empty(len(rows), object)
        for g, group in enumerate(groups):
            mine = np.flatnonzero((rows >= first[g]) & (rows < first[g + 1]))
            text[mine] = group.lines(rows[mine] - first[g])
        yield "".join(text.tolist())


def _records(timeline: Timeline, objects: _Objects, dependences: bool) -> list[_Records]:
    task = timeline.segment_task
    lane, ns, now = _changes(timeline, task)
    kind = np.where(now >= 0, timeline.task_kind[now] + 1, 0) if len(timeline.task_kind) else np.zeros_like(now)
    shape = f"2:%s:%d:{labels.TASK_KIND}:%d:{labels.TASK_NUMBER}:%d\n"
    result = [_states(timeline, objects), _Records(ns, shape, [objects.where[lane], ns, kind, now + 1])]
    for event, classes in labels.CLASSES.items():
        lane, ns, now = _changes(timeline, _innermost(timeline, classes))
        if len(now):
            what = np.where(now >= 0, timeline.state_what[now].astype("i8") + 1, 0)
            result.append(_Records(ns, f"2:%s:%d:{event}:%d\n", [objects.where[lane], ns, what]))
    result += [_alive(timeline, objects, p) for p in range(len(timeline.processes))]
    result.append(_messages(timeline, objects))
    if dependences:
        result.append(_dependences(timeline, objects))
    return result


def _states(timeline: Timeline, objects: _Objects) -> _Records:
    lane, begin, end = timeline.segment_lane, timeline.segment_begin, timeline.segment_end
    stands = innermost(timeline)
    state = np.where(timeline.segment_task >= 0, labels.RUNNING, labels.IDLE)
    of_name = [labels.state_of(*each) for each in zip(timeline.state_names, timeline.state_classes.tolist())]
    if of_name:
        state = np.where(stands >= 0, np.array(of_name)[stands], state)
    # What lies between: before a thread's first event, after its last one, and where it has no segment.
    threads = np.arange(len(objects.where))
    edge = np.concatenate([threads, threads])
    all_lane = np.concatenate([lane, edge])
    all_begin = np.concatenate([begin, np.zeros_like(threads), np.full_like(threads, timeline.duration)])
    all_end = np.concatenate([end, np.zeros_like(threads), np.full_like(threads, timeline.duration)])
    is_edge = np.repeat([False, True], [len(lane), len(edge)])
    order = np.lexsort((all_end, all_begin, all_lane))
    gap = (all_lane[order[1:]] == all_lane[order[:-1]]) & (all_begin[order[1:]] > all_end[order[:-1]])
    before, after = order[:-1][gap], order[1:][gap]
    fill = np.where(is_edge[before] | is_edge[after], labels.NOT_CREATED, labels.IDLE)
    lane = np.concatenate([lane, all_lane[before]])
    begin, end = np.concatenate([begin, all_end[before]]), np.concatenate([end, all_begin[after]])
    state = np.concatenate([state, fill])
    order = np.lexsort((begin, lane))
    lane, begin, end, state = lane[order], begin[order], end[order], state[order]
    first = np.ones(len(lane), bool)
    first[1:] = (lane[1:] != lane[:-1]) | (state[1:] != state[:-1])
    starts = np.flatnonzero(first)
    ends = end[np.append(starts[1:], len(lane)) - 1] if len(lane) else end
    lane, begin, state = lane[starts], begin[starts], state[starts]
    return _Records(begin, "1:%s:%d:%d:%d\n", [objects.where[lane], begin, ends, state])


def _innermost(timeline: Timeline, classes: tuple[int, ...]) -> np.ndarray:
    """The innermost state of these classes that each segment is in; -1: none."""
    result = np.full(len(timeline.segment_lane), -1, "i8")
    for level in range(timeline.segment_states.shape[1]):
        state = timeline.segment_states[:, level]
        mine = (state >= 0) & np.isin(timeline.state_classes[timeline.state_what[state]], classes)
        result[mine] = state[mine]
    return result


def _changes(timeline: Timeline, of: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where something of the segments (-1: nothing) becomes another: lane, time and what it is from then on."""
    lane, begin, end = timeline.segment_lane, timeline.segment_begin, timeline.segment_end
    follows = np.zeros(len(of), bool)
    follows[1:] = (lane[1:] == lane[:-1]) & (begin[1:] == end[:-1])
    before = np.full(len(of), -1, "i8")
    before[1:] = of[:-1]
    before[~follows] = -1
    changed = np.flatnonzero(of != before)
    over = np.flatnonzero((of >= 0) & ~np.append(follows[1:], False)) if len(of) else changed
    return (
        np.concatenate([lane[changed], lane[over]]),
        np.concatenate([begin[changed], end[over]]),
        np.concatenate([of[changed], np.full(len(over), -1)]).astype("i8"),
    )


def _alive(timeline: Timeline, objects: _Objects, process: int) -> _Records:
    ns, count = thinned_tasks_alive(timeline, process)
    where = np.full(len(ns), objects.where[objects.first_of(process)], object)
    return _Records(ns, f"2:%s:%d:{labels.ALIVE}:%d\n", [where, ns, count])


_COMMUNICATION = "3:%s:%d:%d:%s:%d:%d:%d:%d\n"


def _messages(timeline: Timeline, objects: _Objects) -> _Records:
    messages, where = timeline.messages, objects.where
    if len(messages) == 0:
        return _Records(np.empty(0, "i8"), "", [])
    sent, posted, received = messages["sent"], messages["posted"], messages["received"]
    sender, receiver = where[messages["source_lane"]], where[messages["sink_lane"]]
    columns = [sender, sent, sent, receiver, posted, received, messages["bytes"], messages["tag"]]
    return _Records(sent, _COMMUNICATION, columns)


def _dependences(timeline: Timeline, objects: _Objects) -> _Records:
    """From the end of a task's last piece to the begin of its successor's first one."""
    pieces, tasks = timeline.pieces, len(timeline.task_kind)
    order = np.argsort(pieces.begin, kind="stable")
    # Of several the last assignment stays.
    first, last = np.full(tasks, -1), np.full(tasks, -1)
    last[pieces.of[order]] = order
    first[pieces.of[order[::-1]]] = order[::-1]
    source, sink = timeline.edge_source, timeline.edge_sink
    known = (last[source] >= 0) & (first[sink] >= 0)
    source, sink = source[known], sink[known]
    if len(source) == 0:
        return _Records(np.empty(0, "i8"), "", [])
    received = pieces.begin[first[sink]]
    # A successor may begin a moment before its predecessor's end is told.
    ended = np.maximum(timeline.task_end[source], pieces.end[last[source]])
    sent = np.minimum(ended, received)
    sender, receiver = objects.where[pieces.lane[last[source]]], objects.where[pieces.lane[first[sink]]]
    constant = [np.zeros_like(sent), np.full_like(sent, DEPENDENCE)]
    return _Records(sent, _COMMUNICATION, [sender, sent, sent, receiver, received, received, *constant])
