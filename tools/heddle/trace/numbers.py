"""What a timeline amounts to: where the time went, by kind of task, over time, along the critical path.

Words: *ready* is a task that has been created and whose predecessors have ended, and that no thread has begun.
*Overhead* is the time in which a thread waited where it may execute tasks, while some were ready: the runtime could
have given it one. *Idle* is the rest of such waits. A *phase* is what a computing task does: the innermost of the
program's ranges that it is in, or else its construct.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from heddle.dependences import Siblings
from heddle.trace import timeline as lines
from heddle.trace.timeline import Timeline
from heddle.trace.words import WAITS, accesses


@dataclass
class Share:
    """A cause and the time of all lanes that went into it, in ns."""

    name: str
    ns: int


@dataclass
class KindRow:
    """Tasks of one construct. ns: from one's being given a thread to its being left, without the tasks in between."""

    name: str
    is_explicit: bool
    count: int
    ns: int
    shortest: int
    median: int
    longest: int


def tasks_alive(timeline: Timeline, process: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """When explicit tasks came and went, and how many there were from then on; of one process or of all."""
    mine = timeline.task_is_explicit & (timeline.task_created >= 0)
    if process is not None:
        mine &= timeline.task_process == process
    end = timeline.task_end[mine]
    return _steps([(timeline.task_created[mine], 1), (end[end >= 0], -1)])


def tasks_ready(timeline: Timeline, process: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """When tasks became ready or were begun, and how many were ready from then on; of one process or of all."""
    mine = timeline.task_is_explicit & (timeline.task_first >= 0)
    if process is not None:
        mine &= timeline.task_process == process
    return _steps([(ready_at(timeline)[mine], 1), (timeline.task_first[mine], -1)])


def tasks_suspended(timeline: Timeline) -> tuple[np.ndarray, np.ndarray]:
    """When tasks left their threads with their stacks, to wait for something, and when they went on; how many there
    were from then on. Empty where none did, or the runtime does not tell of it."""
    waits = (timeline.suspension_reason != _TURN) & (timeline.suspension_task >= 0)
    if not waits.any():
        return np.empty(0, "i8"), np.empty(0, "i8")
    # What goes on is the next piece of the same task.
    left, pieces = timeline.suspension_ns[waits], timeline.pieces
    task = np.concatenate([pieces.of, timeline.suspension_task[waits]])
    ns = np.concatenate([pieces.begin, left])
    suspends = np.repeat([False, True], [len(pieces.of), len(left)])
    order = np.lexsort((suspends, ns, task))
    suspends, task, ns = suspends[order], task[order], ns[order]
    count = len(order)
    following = np.minimum.accumulate(np.where(suspends, count, np.arange(count))[::-1])[::-1][suspends]
    known = following < count
    resumed = following[known][task[following[known]] == task[suspends][known]]
    return _steps([(left, 1), (ns[resumed], -1)])


def ready_at(timeline: Timeline) -> np.ndarray:
    """When each task became ready: created, and the last of its predecessors at its end. -1: never created."""
    result = timeline.task_created.copy()
    if len(timeline.edge_source):
        np.maximum.at(result, timeline.edge_sink, timeline.task_end[timeline.edge_source])
    # A predecessor's end is told a moment after its successors are released.
    begun = timeline.task_first >= 0
    result[begun] = np.minimum(result[begun], timeline.task_first[begun])
    return result


def _steps(changes: list[tuple[np.ndarray, int]]) -> tuple[np.ndarray, np.ndarray]:
    ns = np.concatenate([at for at, _ in changes])
    by = np.concatenate([np.full(len(at), step) for at, step in changes])
    order = np.lexsort((-by, ns))
    return ns[order], np.cumsum(by[order])


def shares(timeline: Timeline) -> list[Share]:
    """Where the time of all lanes went, from each lane's first event to its last; the sum is the lanes' time.

    tasks, regions, serial code: computing; MPI by call and locks by kind; waits as overhead and idle by cause; lanes
    between regions. Most first, computing before the rest.
    """
    length = timeline.segment_end - timeline.segment_begin
    classes = timeline.segment_class()
    task = timeline.segment_task
    computes = classes == lines.COMPUTES
    explicit = np.append(timeline.task_is_explicit, False)[task]
    initial = np.isin(np.append(timeline.task_kind, -1)[task], _named(timeline.kinds, "initial task"))
    rows = [
        Share("tasks", int(length[computes & explicit].sum())),
        Share("parallel regions outside tasks", int(length[computes & (task >= 0) & ~explicit & ~initial].sum())),
        Share("outside parallel regions", int(length[computes & initial].sum())),
    ]
    rest = [Share("threads without a region", int(length[computes & (task < 0)].sum()))]
    what = innermost(timeline)
    overhead = _ready_part(timeline, classes == lines.WAIT)
    for number in np.unique(what[what >= 0]).tolist():
        mine = what == number
        name = timeline.state_names[number]
        rest.append(Share(name, int(length[mine].sum() - overhead[mine].sum())))
    rest.append(Share("overhead: waits while tasks are ready", int(overhead.sum())))
    rest.sort(key=lambda share: -share.ns)
    return [share for share in rows + rest if share.ns > 0]


def computing(timeline: Timeline) -> int:
    """The time of all lanes in tasks, regions and serial code."""
    return sum(share.ns for share in shares(timeline)[:3] if share.name in _COMPUTING)


_TURN = 8  # heddle_suspend_turn: it waits for nothing
_COMPUTING = ("tasks", "parallel regions outside tasks", "outside parallel regions")


def innermost(timeline: Timeline) -> np.ndarray:
    """The name (index in state_names) of the wait, lock or call of MPI that each segment stands in; -1: none."""
    return _innermost_of(timeline, lines.STANDS)


def _innermost_of(timeline: Timeline, classes: tuple[int, ...]) -> np.ndarray:
    result = np.full(len(timeline.segment_lane), -1, "i8")
    for level in range(timeline.segment_states.shape[1]):
        state = timeline.segment_states[:, level]
        what = timeline.state_what[state]
        stands = (state >= 0) & np.isin(timeline.state_classes[what], classes)
        result[stands] = what[stands]
    return result


def phases(timeline: Timeline) -> tuple[list[str], np.ndarray]:
    """Names of phases, and the phase of each segment that computes, for a task or in a range; -1: of the others."""
    task, ranges = timeline.segment_task, _innermost_of(timeline, (lines.RANGE,))
    computes = (timeline.segment_class() == lines.COMPUTES) & ((task >= 0) | (ranges >= 0))
    kinds = len(timeline.kinds)
    result = np.where(ranges >= 0, kinds + ranges, np.append(timeline.task_kind, -1)[task])
    return [*timeline.kinds, *timeline.state_names], np.where(computes, result, -1)


@dataclass
class Overlap:
    """A phase, the time of all lanes in it, and how much of that while some lane was in another phase; in ns."""

    name: str
    ns: int
    overlapped: int


def overlap(timeline: Timeline, most: int) -> list[Overlap]:
    """The phases that took most time, so many at most. Of processes together: their messages may be what overlaps."""
    names, phase = phases(timeline)
    computes = phase >= 0
    begin, end, phase = timeline.segment_begin[computes], timeline.segment_end[computes], phase[computes]
    time = np.bincount(phase, end - begin, len(names))
    ns = np.concatenate([begin, end])
    order = np.argsort(ns, kind="stable")
    ns, change = ns[order], np.repeat([1, -1], len(begin))[order]
    whose = np.concatenate([phase, phase])[order]
    rows = []
    for number in np.argsort(-time, kind="stable")[:most].tolist():
        if time[number] == 0:
            break
        others = np.cumsum(np.where(whose == number, 0, change)) > 0
        covered = np.concatenate([[0], np.cumsum(np.where(others[:-1], np.diff(ns), 0))]).astype("f8")
        mine = phase == number
        shared = np.interp(end[mine], ns, covered) - np.interp(begin[mine], ns, covered)
        rows.append(Overlap(names[number], int(time[number]), int(np.rint(shared.sum()))))
    return rows


@dataclass
class Flight:
    """Of all processes' time: how long messages of others were on their way to it, and a lane of it computed then."""

    ns: int
    computing: int


def flight(timeline: Timeline, within: tuple[int, int] | None = None) -> Flight:
    """From the call that sends a message to that which finds it received; of all of the run's time, or from a begin to
    an end.
    """
    begin, end = within or (0, timeline.duration)
    process = np.array([lane.process for lane in timeline.lanes], "i8")
    source, sink = process[timeline.messages["source_lane"]], process[timeline.messages["sink_lane"]]
    if not (source != sink).any():
        return Flight(0, 0)
    # A lane that never has a task is one of a program without OpenMP.
    with_tasks = np.unique(timeline.segment_lane[timeline.segment_task >= 0])
    is_of_region = (timeline.segment_task >= 0) | ~np.isin(timeline.segment_lane, with_tasks)
    computes = (timeline.segment_class() == lines.COMPUTES) & is_of_region
    total = Flight(0, 0)
    for p in range(len(timeline.processes)):
        mine = timeline.messages[(sink == p) & (source != p)]
        under_way = _steps([(mine["sent"], 1), (np.maximum(mine["received"], mine["sent"]), -1)])
        lanes = computes & (process[timeline.segment_lane] == p)
        busy = _steps([(timeline.segment_begin[lanes], 1), (timeline.segment_end[lanes], -1)])
        ns = np.unique(np.clip(np.concatenate([under_way[0], busy[0], [begin, end]]), begin, end))
        flies = _at(under_way, ns[:-1]) > 0
        total.ns += int(np.diff(ns)[flies].sum())
        total.computing += int(np.diff(ns)[flies & (_at(busy, ns[:-1]) > 0)].sum())
    return total


def _at(steps: tuple[np.ndarray, np.ndarray], ns: np.ndarray) -> np.ndarray:
    """The value that steps have from each of these times on; 0 before the first."""
    return np.concatenate([[0], steps[1]])[np.searchsorted(steps[0], ns, side="right")]


def _named(names: list[str], name: str) -> list[int]:
    return [number for number, other in enumerate(names) if other == name]


def _ready_part(timeline: Timeline, waits: np.ndarray) -> np.ndarray:
    """How much of each of these segments passed while tasks of its process were ready; 0 of the others."""
    result = np.zeros(len(waits), "i8")
    process = np.array([lane.process for lane in timeline.lanes])[timeline.segment_lane]
    can_take = waits & np.isin(innermost(timeline), _scheduling(timeline))
    for p in range(len(timeline.processes)):
        ns, ready = tasks_ready(timeline, p)
        mine = can_take & (process == p)
        if len(ns) == 0 or not mine.any():
            continue
        there = np.concatenate([[0], np.cumsum(np.where(ready[:-1] > 0, np.diff(ns), 0))]).astype("f8")
        to_end = np.interp(timeline.segment_end[mine], ns, there)
        result[mine] = np.rint(to_end - np.interp(timeline.segment_begin[mine], ns, there)).astype("i8")
    return result


def _scheduling(timeline: Timeline) -> list[int]:
    names = set(WAITS.values()) - {"reduction"}
    return [number for number, name in enumerate(timeline.state_names) if name in names]


def kinds(timeline: Timeline) -> list[KindRow]:
    """A row a construct, the most time first. Only tasks that were executed and not cancelled count."""
    own = own_ns(timeline)
    rows = []
    for number, name in enumerate(timeline.kinds):
        mine = (timeline.task_kind == number) & (timeline.task_first >= 0) & ~timeline.task_was_discarded
        if not mine.any():
            continue
        times = own[mine]
        rows.append(
            KindRow(
                name,
                bool(timeline.task_is_explicit[mine][0]),
                int(mine.sum()),
                int(times.sum()),
                int(times.min()),
                int(np.median(times)),
                int(times.max()),
            )
        )
    return sorted(rows, key=lambda row: -row.ns)


def first_and_last_lane(timeline: Timeline) -> tuple[np.ndarray, np.ndarray]:
    """The lanes on which each task was first and last; -1: on none."""
    pieces = timeline.pieces
    order = np.argsort(pieces.begin, kind="stable")
    last = np.full(len(timeline.task_kind), -1, "i4")
    first = last.copy()
    last[pieces.of[order]] = pieces.lane[order]
    first[pieces.of[order[::-1]]] = pieces.lane[order[::-1]]
    return first, last


def stolen(timeline: Timeline) -> int:
    """How many explicit tasks began on another lane than that on which they were created."""
    first, _ = first_and_last_lane(timeline)
    created = timeline.task_creation_lane
    return int((timeline.task_is_explicit & (first >= 0) & (created >= 0) & (first != created)).sum())


def right_behind(timeline: Timeline) -> tuple[int, int]:
    """How many explicit tasks had to wait for others when they were created, and how many of these began right behind
    one that they had waited for, on its lane: what that has written is still in the processor's cache."""
    pieces, tasks = timeline.pieces, len(timeline.task_kind)
    explicit = np.flatnonzero(timeline.task_is_explicit[pieces.of])
    before, after = explicit[:-1], explicit[1:]
    follows = (pieces.lane[before] == pieces.lane[after]) & (
        pieces.begin[after] == timeline.task_first[pieces.of[after]]
    )
    pairs = pieces.of[before[follows]] * tasks + pieces.of[after[follows]]
    found = np.isin(pairs, timeline.edge_source.astype("i8") * tasks + timeline.edge_sink)
    waited = np.unique(timeline.edge_sink)
    return int((timeline.task_first[waited] >= 0).sum()), int(found.sum())


def node_at(timeline: Timeline, lane: np.ndarray, ns: np.ndarray) -> np.ndarray:
    """The node of the machine's memory on which each lane ran then; -1: not known."""
    result = np.full(len(lane), -1)
    for each in np.unique(timeline.place_lane):
        of_lane = timeline.place_lane == each
        order = np.argsort(timeline.place_ns[of_lane], kind="stable")
        nodes = np.append(timeline.place_node[of_lane][order], -1)  # the last: before the first that is known
        wanted = lane == each
        result[wanted] = nodes[np.searchsorted(timeline.place_ns[of_lane][order], ns[wanted], "right") - 1]
    return result


def on_another_node(timeline: Timeline) -> tuple[int, int]:
    """How many explicit tasks began on another node of the machine's memory than that on which they were created; and
    how many of those that had waited for others on another one than that on which the last of these had ended."""
    first, last = first_and_last_lane(timeline)

    def differ(tasks: np.ndarray, lane: np.ndarray, ns: np.ndarray) -> int:
        tasks, lane, ns = (x[(lane >= 0) & (first[tasks] >= 0)] for x in (tasks, lane, ns))
        here, there = node_at(timeline, first[tasks], timeline.task_first[tasks]), node_at(timeline, lane, ns)
        return int(((here >= 0) & (there >= 0) & (here != there)).sum())

    explicit = np.flatnonzero(timeline.task_is_explicit)
    created = differ(explicit, timeline.task_creation_lane[explicit], timeline.task_created[explicit])
    # Of each task the predecessor that ended last.
    end = timeline.task_end[timeline.edge_source]
    order = np.lexsort((end, timeline.edge_sink))
    sink = timeline.edge_sink[order]
    is_last = np.append(sink[1:] != sink[:-1], True)[: len(sink)]
    source = timeline.edge_source[order][is_last]
    return created, differ(sink[is_last], last[source], timeline.task_end[source])


def own_ns(timeline: Timeline) -> np.ndarray:
    """Of each task: how long it computed; waits, locks and MPI do not count."""
    computes = (timeline.segment_class() == lines.COMPUTES) & (timeline.segment_task >= 0)
    length = (timeline.segment_end - timeline.segment_begin)[computes]
    return np.bincount(timeline.segment_task[computes], length, len(timeline.task_kind)).astype("i8")


def longest_chain(timeline: Timeline) -> tuple[int, list[int]]:
    """The chain of dependences whose tasks computed longest: their time in ns, and the tasks.

    Runtimes tell of a dependence between two tasks only where the first has not ended when the second is created. The
    others follow from what tasks use (heddle.dependences), where that is told. Cost: some 1 us a dependence.
    """
    length = np.where(timeline.task_is_explicit, own_ns(timeline), 0).tolist()
    sources: dict[int, list[int]] = {}
    for source, sink in zip(timeline.edge_source.tolist(), timeline.edge_sink.tolist()):
        sources.setdefault(sink, []).append(source)
    uses: dict[int, list[tuple[int, int]]] = {}
    for task, address, kind in zip(
        timeline.dependence_task.tolist(), timeline.dependence_address.tolist(), timeline.dependence_type.tolist()
    ):
        if task >= 0:
            uses.setdefault(task, []).append((address, kind))
    if not sources and not uses:
        return 0, []
    chains = _Chains(length, timeline.task_creator.tolist())
    # Who waits for a task was created after it.
    tasks = np.array(sorted(sources.keys() | uses.keys() | set(timeline.edge_source.tolist())))
    for task in tasks[np.argsort(timeline.task_created[tasks], kind="stable")].tolist():
        chains.add(task, sources.get(task, []), uses.get(task, []))
    return chains.longest()


class _Chains:
    """The longest chain that ends with each task so far. Siblings alone depend on each other."""

    def __init__(self, length: list[int], creator: list[int]) -> None:
        self._length, self._creator = length, creator
        self._chain: dict[int, int] = {}  # ns, by its last task
        self._before: dict[int, int] = {}
        self._siblings: defaultdict[int, Siblings] = defaultdict(lambda: Siblings(self._longer))

    def _longer(self, one: int, other: int) -> int:
        return other if self._chain[other] >= self._chain[one] else one

    def add(self, task: int, sources: list[int], uses: list[tuple[int, int]]) -> None:
        siblings, named = self._siblings[self._creator[task]], accesses(uses)
        # A source that was created later is one of a damaged trace: with it, a chain could be a circle.
        told = [source for source in sources if source in self._chain]
        before = [*told, *siblings.predecessors(named)]
        if before:
            self._before[task] = functools.reduce(self._longer, before)
        self._chain[task] = self._length[task] + (self._chain[self._before[task]] if before else 0)
        siblings.add(task, named)

    def longest(self) -> tuple[int, list[int]]:
        end = max(self._chain, key=self._chain.__getitem__)
        chain = [end]
        while chain[-1] in self._before:
            chain.append(self._before[chain[-1]])
        return self._chain[end], chain[::-1]


def parallelism(timeline: Timeline, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """How many lanes computed on average, in so many equal parts of the time. Shapes: (bins + 1), (bins)."""
    edges = np.linspace(0, max(timeline.duration, 1), bins + 1)
    computes = (timeline.segment_class() == lines.COMPUTES) & (timeline.segment_task >= 0)
    return edges, busy_per_bin(timeline.segment_begin[computes], timeline.segment_end[computes], edges)


def busy_per_bin(begin: np.ndarray, end: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """How many of these stretches there were on average in each part of the time."""
    begins, ends = np.sort(begin), np.sort(end)
    return np.diff(_covered(begins, edges) - _covered(ends, edges)) / np.diff(edges)


def _covered(moments: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Of each time t: the sum of t - moment over the moments before it. moments: in order."""
    sums = np.concatenate([[0.0], np.cumsum(moments.astype("f8"))])
    count = np.searchsorted(moments, at)
    return count * at - sums[count]
