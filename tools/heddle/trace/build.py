"""Makes a Timeline of the events of all processes.

Each thread's records say which task it executes from then on, and which states that task enters and leaves. All is done
on whole arrays: a million tasks take seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heddle.errors import UserError
from heddle.trace import timeline as lines
from heddle.trace.events import ProcessEvents
from heddle.trace.layout import CONSTANTS, ENUMERATORS
from heddle.trace.places import Places, without_common_folder
from heddle.trace.timeline import Lane, Timeline
from heddle.trace.words import LOCKS, WAITS, WORK

_CANCEL = ENUMERATORS["ompt_task_cancel"]
# With these statuses a task is over.
_OVER = [
    _CANCEL,
    *(ENUMERATORS[name] for name in ("ompt_task_complete", "ompt_task_late_fulfill", "ompt_taskwait_complete")),
]
_TASKWAIT = ENUMERATORS["ompt_task_taskwait"]
_OF_BODY = CONSTANTS["kOfBody"]
_NO_ADDRESS = 0
_MOST_LOST = 64  # sends in a row whose receives are not known

MESSAGE = np.dtype(
    [
        ("source_lane", "i4"),
        ("sink_lane", "i4"),
        ("sent", "i8"),
        ("posted", "i8"),
        ("received", "i8"),
        ("bytes", "u8"),
        ("tag", "i8"),
        ("communicator", "i4"),
    ]
)


@dataclass
class _All:
    """Records of every lane, one after the other, with their times and lanes."""

    lane: np.ndarray
    process: np.ndarray
    ns: np.ndarray
    kind: np.ndarray
    detail: np.ndarray
    extra: np.ndarray
    a: np.ndarray
    b: np.ndarray


class _Table:
    """Numbers for texts, in the order in which they come."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


def build(processes: list[ProcessEvents]) -> Timeline:
    """The timeline of these processes. Errors: UserError where nothing has happened, or kinds differ."""
    kinds = processes[0].kinds
    if any(process.kinds != kinds for process in processes):
        raise UserError("the processes were traced by different versions of Heddle; trace the program again")
    if not any(process.threads for process in processes):
        raise UserError("nothing has been written: there was no room for the events, or the program was killed at once")
    lanes, records = _gather(processes)
    if len(records.ns) == 0:
        raise UserError("nothing has happened: the program used neither OpenMP tasks nor regions, MPI or ranges")
    origin = int(records.ns.min())
    records.ns -= origin
    tasks = _Tasks(processes, lanes, records, kinds)
    states = _States(processes, records, kinds, tasks)
    begin, end, lane, task, stack = states.segments(len(lanes))
    labels = without_common_folder([*tasks.kinds.texts, *states.places.texts])
    edges = records.kind == kinds["task_dependence"]
    source, sink = tasks.find(records, edges, records.a), tasks.find(records, edges, records.b)
    both = (source >= 0) & (sink >= 0)
    uses = records.kind == kinds["dependence"]
    user = tasks.find(records, uses, records.a)
    suspends = records.kind == kinds["suspends"]
    suspended = tasks.find(records, suspends, records.a)
    places = records.kind == kinds.get("runs_on", -1)  # files of before do not know it
    result = Timeline(
        processes=processes,
        lanes=lanes,
        duration=int(records.ns.max()),
        kinds=labels[: len(tasks.kinds.texts)],
        state_names=states.names.texts,
        state_classes=np.array(states.classes, "i8"),
        place_names=labels[len(tasks.kinds.texts) :],
        task_process=tasks.process,
        task_kind=tasks.kind,
        task_creator=tasks.creator,
        task_created=tasks.created,
        task_first=tasks.first,
        task_creation_lane=tasks.creation_lane,
        task_end=tasks.end,
        task_is_explicit=tasks.is_explicit,
        task_was_discarded=tasks.was_discarded,
        segment_lane=lane,
        segment_begin=begin,
        segment_end=end,
        segment_task=task,
        segment_states=stack,
        state_what=states.what,
        state_place=states.place,
        edge_source=source[both],
        edge_sink=sink[both],
        dependence_task=user,
        dependence_address=records.b[uses],
        dependence_type=records.detail[uses],
        messages=_messages(processes, lanes, records, kinds),
        suspension_task=suspended,
        suspension_ns=records.ns[suspends],
        suspension_reason=records.detail[suspends],
        place_lane=records.lane[places],
        place_ns=records.ns[places],
        place_node=records.b[places].astype("i8"),
        memory_process=np.repeat(np.arange(len(processes)), [len(process.memory_ns) for process in processes]),
        memory_ns=np.concatenate([process.memory_ns for process in processes]) - origin,
        memory_bytes=np.concatenate([process.memory_bytes for process in processes]),
    )
    result.pieces = lines.spans_of(result, -1)
    return result


def lane_of(processes: list[ProcessEvents], p: int, thread: int) -> Lane:
    """The lane of a thread of the process at index p. thread: its number in the trace, from 1."""
    who = f"thread {thread - 1}"
    if processes[0].ranks > 1:
        who = f"rank {processes[p].rank} {who}"
    elif len(processes) > 1:
        who = f"process {processes[p].process} {who}"
    return Lane(p, thread, who)


def _gather(processes: list[ProcessEvents]) -> tuple[list[Lane], _All]:
    lanes, parts = [], []
    for p, process in enumerate(processes):
        for thread in process.threads:
            parts.append((len(lanes), p, thread))
            lanes.append(lane_of(processes, p, thread.thread))

    def whole(name: str) -> np.ndarray:
        return np.concatenate([thread.records[name] for _, _, thread in parts])

    counts = [len(thread.records) for _, _, thread in parts]
    return lanes, _All(
        lane=np.repeat([lane for lane, _, _ in parts], counts),
        process=np.repeat([p for _, p, _ in parts], counts),
        ns=np.concatenate([thread.ns for _, _, thread in parts]),
        kind=whole("kind"),
        detail=whole("detail"),
        extra=whole("extra"),
        a=whole("a"),
        b=whole("b"),
    )


def _is_true(values: np.ndarray, index: np.ndarray) -> np.ndarray:
    """values[index], and false where the index is -1."""
    return np.append(values, False)[index]


class _Tasks:
    """Tasks by number, and which of them each lane executes after each record (running)."""

    def __init__(self, processes: list[ProcessEvents], lanes: list[Lane], records: _All, kinds: dict[str, int]) -> None:
        is_new = np.isin(records.kind, [kinds["task_create"], kinds["implicit_begin"]])
        self._keys = [np.sort(records.a[is_new & (records.process == p)]) for p in range(len(processes))]
        self._first = np.cumsum([0] + [len(keys) for keys in self._keys])
        count = int(self._first[-1])
        self.process = np.repeat(np.arange(len(processes)), [len(keys) for keys in self._keys])
        created = np.flatnonzero(records.kind == kinds["task_create"])
        implicit = np.flatnonzero(records.kind == kinds["implicit_begin"])
        running = self._running(records, kinds)

        self.created = np.full(count, -1, "i8")
        self.first = np.full(count, -1, "i8")
        self.end = np.full(count, -1, "i8")
        self.creator = np.full(count, -1, "i8")
        self.is_explicit = np.zeros(count, bool)
        self.was_discarded = np.zeros(count, bool)
        new = self._index(records, created, records.a)
        self.created[new] = records.ns[created]
        self.creator[new] = running[created]
        self.creation_lane = np.full(count, -1, "i8")
        self.creation_lane[new] = records.lane[created]
        self.is_explicit[new] = (records.extra[created] & _TASKWAIT) == 0
        begun = self._index(records, implicit, records.a)
        self.created[begun] = self.first[begun] = records.ns[implicit]
        ended = np.flatnonzero(records.kind == kinds["implicit_end"])
        found = self._index(records, ended, records.a)
        self.end[found[found >= 0]] = records.ns[ended][found >= 0]

        switches = np.flatnonzero(records.kind == kinds["task_schedule"])
        begins = self._index(records, switches, records.b)
        order = np.argsort(records.ns[switches], kind="stable")[::-1]
        at, to = records.ns[switches][order], begins[order]
        explicit = _is_true(self.is_explicit, to)
        self.first[to[explicit]] = at[explicit]  # the last assignment is the earliest
        over = switches[np.isin(records.detail[switches], _OVER)]
        whose = self._index(records, over, records.a)
        self.end[whose[whose >= 0]] = records.ns[over][whose >= 0]
        cancelled = over[records.detail[over] == _CANCEL]
        whose = self._index(records, cancelled, records.a)
        self.was_discarded[whose[whose >= 0]] = True

        self.running = running
        self.kinds = _Table()
        self.kind = np.zeros(count, "i8")
        self._name(processes, records, kinds, created, new, implicit, begun)

    def _running(self, records: _All, kinds: dict[str, int]) -> np.ndarray:
        """The task after each record; -1: none."""
        schedules = (records.kind == kinds["task_schedule"]) & (records.b != 0)
        resumes = records.kind == kinds["parallel_end"]
        begins, ends = records.kind == kinds["implicit_begin"], records.kind == kinds["implicit_end"]
        sets = schedules | resumes | begins | ends
        to = np.where(begins, records.a, records.b)
        to[ends] = 0
        chosen = np.flatnonzero(sets)
        index = self._index(records, chosen, to)
        first_of_lane = np.ones(len(records.lane), bool)
        first_of_lane[1:] = records.lane[1:] != records.lane[:-1]
        value = np.full(len(records.lane), -1, "i8")
        value[chosen] = index
        known = np.maximum.accumulate(np.where(sets | first_of_lane, np.arange(len(records.lane)), 0))
        return value[known]

    def find(self, records: _All, which: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        return self._index(records, np.flatnonzero(which), numbers)

    def _index(self, records: _All, at: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Index of the tasks that the records at these places name; -1 for none or an unknown one."""
        result = np.full(len(at), -1, "i8")
        for p, keys in enumerate(self._keys):
            mine = np.flatnonzero(records.process[at] == p)
            if len(keys) == 0 or len(mine) == 0:
                continue
            wanted = numbers[at[mine]]
            place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            result[mine] = np.where(keys[place] == wanted, place + self._first[p], -1)
        return result

    def _name(self, processes, records, kinds, created, new, implicit, begun) -> None:
        """Kinds of tasks: by the line of their construct."""
        regions = np.flatnonzero(records.kind == kinds["parallel_begin"])
        for p, process in enumerate(processes):
            mine = records.process[created] == p
            mine_implicit = records.process[implicit] == p
            mine_regions = regions[records.process[regions] == p]
            code_of_region = dict(zip(records.a[mine_regions].tolist(), records.b[mine_regions].tolist()))
            codes = np.unique(np.concatenate([records.b[created[mine]], records.b[mine_regions]]))
            places = Places(process.maps)
            is_body = records.detail[created] == _OF_BODY
            bodies = np.unique(records.b[created[mine & is_body]]).tolist()
            where = places.lines([int(code) for code in codes if code and code not in bodies])
            where |= places.lines(bodies, of_bodies=True)
            for flag, prefix in ((False, ""), (True, "taskwait with depend, ")):
                waits = (records.extra[created] & _TASKWAIT) != 0
                for code in np.unique(records.b[created[mine & (waits == flag)]]).tolist():
                    some = mine & (waits == flag) & (records.b[created] == code)
                    self.kind[new[some]] = self.kinds.number(prefix + where.get(code, "task"))
            for at, task in zip(implicit[mine_implicit], begun[mine_implicit]):
                if records.detail[at] == 1:
                    name = "initial task"
                else:
                    code = code_of_region.get(int(records.b[at]), _NO_ADDRESS)
                    name = f"parallel region, {where[code]}" if code in where else "parallel region"
                self.kind[task] = self.kinds.number(name)


def _merged(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Rows of both, by place. -1 is none, and comes last."""
    if some.shape[1] == 0 or others.shape[1] == 0:
        return some if others.shape[1] == 0 else others
    both = np.concatenate([some, others], axis=1)
    none = np.iinfo(both.dtype).max
    both[both < 0] = none
    both.sort(axis=1)
    both[both == none] = -1
    return both[:, : min(both.shape[1], lines.MOST_STATES)]


class _States:
    """Instances of states, and the stack of them that the lane's task is in after each record."""

    def __init__(self, processes: list[ProcessEvents], records: _All, kinds: dict[str, int], tasks: _Tasks) -> None:
        self._records = records
        self._running = tasks.running
        self.names, self.places, self.classes = _Table(), _Table(), []
        push, pop, is_range = self._find(kinds)
        # A lane without a task has states of its own: what is done outside OpenMP.
        owner = np.where(tasks.running >= 0, tasks.running, -2 - records.lane)
        order = np.lexsort((np.arange(len(owner)), records.ns, owner))
        # A range of the program may begin in a construct and end behind it: each kind has a stack of its own.
        parts = [
            self._stacks(owner[order], (push & mine)[order], (pop & mine)[order]) for mine in (is_range, ~is_range)
        ]
        stacks = _merged(*parts)
        self._stack = np.full(stacks.shape, -1, "i4")
        self._stack[order] = np.where(stacks >= 0, order[stacks], -1)
        pushes = np.flatnonzero(push)
        number = np.full(len(push), -1, "i4")
        number[pushes] = np.arange(len(pushes), dtype="i4")
        inside = self._stack >= 0
        self._stack[inside] = number[self._stack[inside]]
        self._describe(processes, kinds, pushes)

    def _find(self, kinds: dict[str, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Which records begin a state, which end one, and which of both are those of ranges."""
        kind = self._records.kind
        push = np.isin(
            kind, [kinds[name] for name in ("wait_begin", "lock_wait", "work_begin", "range_push", "mpi_begin")]
        )
        pop = np.isin(kind, [kinds[name] for name in ("wait_end", "lock_taken", "work_end", "range_pop", "mpi_end")])
        return push, pop, np.isin(kind, [kinds["range_push"], kinds["range_pop"]])

    def _stacks(self, owner: np.ndarray, push: np.ndarray, pop: np.ndarray) -> np.ndarray:
        """Rows of the places of records that began the states that are open after each, outermost first; or -1.

        All arrays are ordered by owner and time.
        """
        count = len(owner)
        steps = np.cumsum(push.astype("i8") - pop.astype("i8"))
        starts = np.flatnonzero(np.concatenate([[True], owner[1:] != owner[:-1]]))
        group = np.cumsum(np.concatenate([[0], (owner[1:] != owner[:-1]).astype("i8")]))
        base = np.concatenate([[0], steps[starts[1:] - 1]])[group]
        depth = steps - base
        # An end without a begin, as of what began before the trace, counts for nothing.
        lowest = np.minimum.accumulate(depth - group * (count + 1)) + group * (count + 1)
        depth -= np.minimum(lowest, 0)
        first = starts[group]
        levels = min(int(depth.max(initial=0)), lines.MOST_STATES)
        result = np.full((count, levels), -1, "i4")
        for level in range(1, levels + 1):
            begun = np.maximum.accumulate(np.where(push & (depth == level), np.arange(count), -1))
            is_open = (depth >= level) & (begun >= first)
            result[is_open, level - 1] = begun[is_open]
        return result

    def _describe(self, processes: list[ProcessEvents], kinds: dict[str, int], pushes: np.ndarray) -> None:
        """What each instance is, and where in the program."""
        records = self._records
        self.what = np.full(len(pushes), -1, "i4")
        self.place = np.full(len(pushes), -1, "i4")
        for name, words, state_class, prefix in (
            ("wait_begin", WAITS, lines.WAIT, ""),
            ("lock_wait", LOCKS, lines.LOCK, "wait for "),
            ("work_begin", WORK, lines.WORKS, ""),
        ):
            mine = records.kind[pushes] == kinds[name]
            for value in np.unique(records.detail[pushes[mine]]).tolist():
                which = mine & (records.detail[pushes] == value)
                self.what[which] = self._state(prefix + words.get(value, f"{name} {value}"), state_class)
        for p, process in enumerate(processes):
            here = records.process[pushes] == p
            for name, state_class in (("range_push", lines.RANGE), ("mpi_begin", lines.MPI)):
                mine = here & (records.kind[pushes] == kinds[name])
                for value in np.unique(records.a[pushes[mine]]).tolist():
                    which = mine & (records.a[pushes] == value)
                    self.what[which] = self._state(process.names.get(value, "?"), state_class)
            coded = here & np.isin(records.kind[pushes], [kinds[n] for n in ("wait_begin", "lock_wait", "work_begin")])
            codes = [code for code in np.unique(records.b[pushes[coded]]).tolist() if code != _NO_ADDRESS]
            for code, where in Places(process.maps).lines(codes).items():
                self.place[coded & (records.b[pushes] == code)] = self.places.number(where)

    def _state(self, name: str, state_class: int) -> int:
        number = self.names.number(name)
        if number == len(self.classes):
            self.classes.append(state_class)
        return number

    def segments(self, lanes: int) -> tuple[np.ndarray, ...]:
        """Begin, end, lane, task and stack of states of each stretch that is not empty."""
        records = self._records
        same_lane = np.concatenate([records.lane[1:] == records.lane[:-1], [False]])
        end = np.concatenate([records.ns[1:], [0]])
        whole = same_lane & (end > records.ns)
        return records.ns[whole], end[whole], records.lane[whole], self._running[whole], self._stack[whole]


def _messages(processes: list[ProcessEvents], lanes: list[Lane], records: _All, kinds: dict[str, int]) -> np.ndarray:
    """Sends and the receives that they went to: of one sender, receiver, communicator and tag in their order.

    A send whose size is another one went to a receive whose end is not known: it was freed, or failed.

    Source: MPI 4.0, section 3.5: messages do not overtake each other.
    """
    rank_of = np.array([process.rank for process in processes])
    sent = np.flatnonzero(records.kind == kinds["message_sent"])
    posted = np.flatnonzero(records.kind == kinds["receive_posted"])
    received = np.flatnonzero(records.kind == kinds["message_received"])
    if len(sent) == 0 or len(received) == 0:
        return np.empty(0, MESSAGE)
    by_number = {(int(records.process[i]), int(records.a[i])): int(i) for i in posted}
    sizes = np.flatnonzero(records.kind == kinds["received_bytes"])
    bytes_of = {(int(records.process[i]), int(records.a[i])): int(records.b[i]) for i in sizes}
    receives: dict[tuple, list[tuple[int, int, int]]] = {}
    for i in received.tolist():
        post = by_number.get((int(records.process[i]), int(records.a[i])))
        if post is None:
            continue
        key = (
            int(records.extra[i]),
            int(rank_of[records.process[i]]),
            int(records.detail[post]),
            int(records.b[i].astype("i8")),
        )
        receives.setdefault(key, []).append((int(records.ns[post]), post, i))
    sends: dict[tuple, list[int]] = {}
    for i in sent[np.argsort(records.ns[sent], kind="stable")].tolist():
        key = (
            int(rank_of[records.process[i]]),
            int(records.extra[i]),
            int(records.detail[i]),
            int(records.b[i].astype("i8")),
        )
        sends.setdefault(key, []).append(i)
    found = []
    for key, mine in receives.items():
        mine.sort()
        candidates, at = sends.get(key, []), 0
        for _, post, end in mine:
            size = bytes_of.get((int(records.process[end]), int(records.a[end])))
            near = range(at, min(at + _MOST_LOST, len(candidates)))
            match = next((n for n in near if size is None or int(records.a[candidates[n]]) == size), None)
            if match is None:
                continue
            i, at = candidates[match], match + 1
            found.append(
                (
                    records.lane[i],
                    records.lane[end],
                    records.ns[i],
                    records.ns[post],
                    records.ns[end],
                    records.a[i],
                    key[3],
                    key[2],
                )
            )
    messages = np.array(found, MESSAGE)
    return messages[np.argsort(messages["sent"], kind="stable")]
