"""What a run comes to, in numbers: of a trace, or of the sums that libheddle-profile.so has written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from heddle.errors import UserError
from heddle.trace import numbers
from heddle.trace.numbers import KindRow, Share
from heddle.trace.places import Places, without_common_folder
from heddle.trace.timeline import Timeline
from heddle.trace.words import LOCKS, WAITS

# The first of these are computing (tracer/profile.cpp, Bucket).
_COMPUTES = {
    0: "threads without a region",
    1: "outside parallel regions",
    2: "parallel regions outside tasks",
    3: "tasks",
}


@dataclass
class Summary:
    """Times in ns. shares: of the time of all threads, computing first; kinds: of explicit tasks, most time first."""

    duration: int
    processes: int
    threads: int
    tasks: int
    computing: int
    shares: list[Share]
    kinds: list[KindRow]
    cancelled: int = 0  # tasks, which are none of the others
    stolen: int | None = None  # tasks that began on another thread than that which created them
    other_node: int = 0  # tasks that began on another node of the machine's memory than that of their creator
    messages: int | None = None
    flight: numbers.Flight | None = None  # of a trace
    chain: tuple[int, list[str]] | None = None  # the longest chain of dependences: tasks, constructs
    chain_ns: int = 0
    waited: int = 0  # tasks that had to wait for others when they were created
    right_behind: int = 0  # those of them that began right behind one of the others, on its thread
    far_behind: int = 0  # those of them that began on another node than that where the last of the others had ended
    own_ns: int = 0  # of all explicit tasks
    warnings: list[str] = field(default_factory=list)

    def flight_in_words(self) -> str:
        """Nothing where no message went from one process to another."""
        if self.flight is None or self.flight.ns == 0:
            return ""
        share = self.flight.ns / (self.processes * max(self.duration, 1))
        computing = self.flight.computing / self.flight.ns
        on_their_way = f"messages were on their way to a rank for {share:.0%} of its time"
        return f"{on_their_way}; it computed during {computing:.0%} of that"


def of_timeline(timeline: Timeline) -> Summary:
    explicit = timeline.task_is_explicit
    chain, tasks = numbers.longest_chain(timeline)
    waited, right_behind = numbers.right_behind(timeline)
    other_node, far_behind = numbers.on_another_node(timeline)
    constructs = sorted({timeline.kinds[kind] for kind in timeline.task_kind[tasks].tolist()})
    return Summary(
        duration=timeline.duration,
        processes=len(timeline.processes),
        threads=len(timeline.lanes),
        tasks=int((explicit & (timeline.task_first >= 0) & ~timeline.task_was_discarded).sum()),
        cancelled=int((explicit & timeline.task_was_discarded).sum()),
        computing=numbers.computing(timeline),
        shares=numbers.shares(timeline),
        kinds=[row for row in numbers.kinds(timeline) if row.is_explicit],
        stolen=numbers.stolen(timeline),
        other_node=other_node,
        messages=len(timeline.messages),
        flight=numbers.flight(timeline),
        chain=(len(tasks), constructs) if len(tasks) > 1 else None,
        chain_ns=chain,
        waited=waited,
        right_behind=right_behind,
        far_behind=far_behind,
        own_ns=int(numbers.own_ns(timeline)[explicit].sum()),
        warnings=_warnings(timeline),
    )


def _warnings(timeline: Timeline) -> list[str]:
    """What is not as it should be: records that were dropped, processes that did not come to their end."""
    lines = []
    for process in timeline.processes:
        who = f"rank {process.rank}" if process.ranks > 1 else f"process {process.process}"
        if process.dropped:
            lines.append(f"{who}: there was no room in the file system for {process.dropped} records or more")
        if not process.has_ended:
            lines.append(f"{who} did not come to its end; its trace is what it had written")
    return lines


def of_profiles(folder: Path) -> Summary:
    """The sums of all processes together. Errors: UserError where a file is no profile."""
    paths = sorted(folder.glob("process-*.profile"))
    times: Counter[tuple[str, int]] = Counter()
    constructs: dict[str, _Construct] = {}
    begins, ends, threads, cancelled, other_node = [], [], 0, 0, 0
    for path in paths:
        lines = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
        if not lines or lines.pop(0) != ["heddle-profile", "3"]:
            raise UserError(f"{path} is no profile of this version of Heddle; profile the program again")
        rows: list[tuple[int, bool, _Construct]] = []
        for word, *rest in lines:
            if word == "begin":
                begins.append(int(rest[0]))
            elif word == "end":
                ends.append(int(rest[0]))
            elif word == "cancelled":
                cancelled += int(rest[0])
            elif word == "other_node":
                other_node += int(rest[0])
            elif word == "threads":
                threads += int(rest[0])
            elif word == "construct":
                rows.append((int(rest[1], 16), rest[0] == "1", _Construct.of_words(rest[2:])))
            else:
                times[word, int(rest[0])] += int(rest[1])
        for name, construct in _named(path, rows):
            constructs.setdefault(name, _Construct()).add(construct)
    rows_of_kinds = [construct.row(name) for name, construct in constructs.items()]
    labels = without_common_folder([row.name for row in rows_of_kinds])
    for row, label in zip(rows_of_kinds, labels):
        row.name = label
    return Summary(
        duration=max(ends, default=0) - min(begins, default=0),
        processes=len(paths),
        threads=threads,
        tasks=sum(row.count for row in rows_of_kinds),
        computing=sum(times["computes", bucket] for bucket in (1, 2, 3)),
        shares=_shares(times),
        kinds=sorted(rows_of_kinds, key=lambda row: -row.ns),
        cancelled=cancelled,
        other_node=other_node,
    )


def _shares(times: Counter[tuple[str, int]]) -> list[Share]:
    computes = [Share(_COMPUTES[number], times["computes", number]) for number in (3, 2, 1)]
    rest = [Share(_COMPUTES[0], times["computes", 0])]
    for (group, number), ns in times.items():
        if group == "wait":
            rest.append(Share(WAITS.get(number, f"wait {number}"), ns))
        elif group == "lock":
            rest.append(Share(f"wait for {LOCKS.get(number, f'lock {number}')}", ns))
    rest.sort(key=lambda share: -share.ns)
    return [share for share in computes + rest if share.ns > 0]


def _named(path: Path, rows: list[tuple[int, bool, _Construct]]) -> list[tuple[str, _Construct]]:
    maps = path.with_suffix(".maps")
    places = Places(maps.read_bytes() if maps.is_file() else b"")
    where = places.lines([code for code, is_body, _ in rows if not is_body and code])
    where |= places.lines([code for code, is_body, _ in rows if is_body and code], of_bodies=True)
    return [(where.get(code, "task"), construct) for code, _, construct in rows]


@dataclass
class _Construct:
    """Sums of one construct's tasks. below: how many took less than so many ns, and not less than half of it."""

    count: int = 0
    ns: int = 0
    shortest: int = 1 << 63
    longest: int = 0
    below: Counter[float] = field(default_factory=Counter)

    @staticmethod
    def of_words(words: list[str]) -> _Construct:
        count, ns, shortest, longest, *bins = words
        below = Counter({float(bound): int(number) for bound, number in (part.split(":") for part in bins)})
        return _Construct(int(count), int(ns), int(shortest), int(longest), below)

    def add(self, other: _Construct) -> None:
        self.count += other.count
        self.ns += other.ns
        self.shortest = min(self.shortest, other.shortest)
        self.longest = max(self.longest, other.longest)
        self.below += other.below

    def row(self, name: str) -> KindRow:
        return KindRow(name, True, self.count, self.ns, self.shortest, self._median(), self.longest)

    def _median(self) -> int:
        """The middle of the bin that holds it: within a factor of 1.5."""
        seen = 0
        for bound, number in sorted(self.below.items()):
            seen += number
            if 2 * seen >= self.count:
                return int(min(max(0.75 * bound, self.shortest), self.longest))
        return 0
