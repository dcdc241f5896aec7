"""What was found, in words and as JSON. docs/runtime/taskgraphs.md shows an example."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from heddle.check import read
from heddle.check.findings import Region, Task, Value
from heddle.check.read import Difference

_ADVICE = "say graph_reset where this changes, or make it shared"


def show(regions: list[Region]) -> None:
    """Prints the regions that differ, and how many were compared."""
    for region in regions:
        if region.differs:
            _show_region(region)
    executions = sum(region.compared for region in regions)
    differ = sum(region.differs for region in regions)
    compared = f"{_plural(executions, 'execution')} of {_plural(len(regions), 'taskgraph region')}"
    if differ:
        print(
            f"compared {compared} with their records, and {differ} of these regions "
            f"{'differs' if differ == 1 else 'differ'}: {_ADVICE}"
        )
    else:
        print(f"{compared}: all are what was recorded")


def record(program: list[str], threads: int | None, regions: list[Region]) -> dict[str, Any]:
    """What --json writes."""
    return {"program": program, "threads": threads, "regions": [_region_record(region) for region in regions]}


def _show_region(region: Region) -> None:
    print(
        f"taskgraph at {region.place}, graph_id {region.graph_id}, compared in {_plural(region.compared, 'execution')}"
    )
    for difference in region.counts:
        print(f"  {_words(difference, '')}{_when(difference, region.compared)}")
    if region.counts:
        print("  tasks are compared by their number, so what follows may come of that")
    for task in region.tasks:
        _show_task(task, region.compared)


def _show_task(task: Task, compared: int) -> None:
    where = f"task at {task.place}" if task.place else "a task of the runtime"
    print(f"  {where}")
    for difference in task.differences:
        print(f"    {_words(difference, task.recorded_place.get(difference.number, ''))}{_when(difference, compared)}")
    if task.lacks_debug_information:
        print(
            "    its file has no debug information, so variables have no names here, and bytes between them may be "
            "among these; compile with -g"
        )
    names = [f"{value.type} {value.name}" if value.type else value.name for value in task.values]
    width = max((len(name) for name in names), default=0)
    for name, value in zip(names, task.values):
        print(f"    {name:<{width}}  recorded {value.was}, now {value.now}{_when(value, compared)}")


def _words(difference: Difference, recorded_place: str) -> str:
    if difference.what == read.COUNT:
        return f"it has {difference.now} tasks and waits, and {difference.was} are recorded"
    if difference.what == read.REFUSED:
        return "it does what cannot be recorded (HEDDLE_LOG=graph says what), but has a record"
    if difference.what == read.CONSTRUCT:
        other = f"; recorded is the one at {recorded_place}" if recorded_place else ", with other clauses"
        return f"another construct{other}"
    if difference.was != difference.now:
        return f"{_plural(difference.now, 'dependence')}, and {difference.was} recorded"
    return "other dependences: an address, or its kind"


def _when(seen: Difference | Value, compared: int) -> str:
    """In how many executions and tasks, and where first."""
    is_at_least = isinstance(seen, Value) and seen.is_at_least and seen.executions < compared
    number = f"{'at least ' if is_at_least else ''}{seen.executions} of {compared}"
    tasks = f", {_plural(seen.tasks, 'task')}" if seen.tasks > seen.executions else ""
    return f"  (in {number}{tasks}; first in execution {seen.execution})"


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _region_record(region: Region) -> dict[str, Any]:
    return {
        "place": region.place,
        "graph_id": region.graph_id,
        "compared": region.compared,
        "counts": [_difference_record(each, "") for each in region.counts],
        "tasks": [
            {
                "place": task.place or None,
                "differences": [
                    _difference_record(each, task.recorded_place.get(each.number, "")) for each in task.differences
                ],
                "values": [asdict(value) for value in task.values],
            }
            for task in region.tasks
        ],
    }


def _difference_record(difference: Difference, recorded_place: str) -> dict[str, Any]:
    return {
        "what": {"n": "count", "c": "construct", "d": "dependences", "r": "refused"}[difference.what],
        "text": _words(difference, recorded_place),
        "task": difference.task,
        "execution": difference.execution,
        "executions": difference.executions,
        "tasks": difference.tasks,
    }
