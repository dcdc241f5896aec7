"""What was found, in words and as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path

from heddle import paths, results
from heddle.fuzz import orders


@dataclass(frozen=True)
class End:
    """One side of a pair: a task, or what a task does behind the creation of another."""

    name: str
    place: str
    behind: str = ""  # of a task's going on: where the task was created behind which it goes on


@dataclass
class Finding:
    """A seed whose output is another than that of the serial order."""

    seed: int
    threads: int
    difference: str
    again: str
    pair: tuple[End, End] | None = None
    is_exact: bool = False  # the two runs differ in nothing but the exchange
    candidates: list[tuple[End, End]] = field(default_factory=list)
    note: str = ""
    may_be_rounding: bool = False
    has_taskgraphs: bool = False  # whether the program can have regions that are replayed


def show(finding: Finding) -> None:
    """Prints the finding."""
    print(f"seed {finding.seed}: {finding.difference}")
    if finding.pair:
        print(_sentence(finding))
        for word, end in zip(("first", "second"), finding.pair):
            print(_row(word, end))
    if finding.note:
        print(finding.note)
    for first, second in finding.candidates:
        print(_row("", first) + "\n" + _row("and", second))
    if finding.may_be_rounding:
        print("only the last digits of floating-point numbers differ; if that is rounding, --tolerance 1e-9 accepts it")
    if finding.has_taskgraphs:
        print(
            "the program has taskgraphs; a forgotten graph_reset makes results wrong, too: "
            f"{paths.COMMAND} check finds that"
        )
    print(f"again: {finding.again}")


def _sentence(finding: Finding) -> str:
    assert finding.pair
    goes_on = any(end.behind for end in finding.pair)
    who = "a task and the code that another goes on with" if goes_on else "these two tasks"
    what = "their order decides the output" if finding.is_exact else "from where they change places the output differs"
    return f"{who} are not ordered by any dependence, and {what}:"


def _row(word: str, end: End) -> str:
    where = f"behind the creation of the task at {end.behind}" if end.behind else end.place
    return f"  {word:<7} {end.name:<12} {where}"


def write(file: Path, program: list[str], threads: int, tried: int, tasks: int, finding: Finding | None) -> None:
    """Writes everything as JSON, at once."""
    record = {
        "program": program,
        "threads": threads,
        "seeds_tried": tried,
        "tasks": tasks,
        "finding": asdict(finding) if finding else None,
    }
    results.write(file, record)


def end_of(item: str, log: orders.Log, place) -> End:
    """place(name): where the task of that name has its construct."""
    name = orders.task_of(item)
    where = "the region's own code" if orders.is_implicit(name) else place(name)
    if not orders.is_going_on(item):
        return End(name, where)
    created = log.created_at.get(item, "")
    return End(name, where, place(created) if created else "its latest child, at a taskyield")
