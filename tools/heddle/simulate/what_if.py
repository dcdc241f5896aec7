"""What a traced program would take if something were otherwise: its tasks, its processors, the runtime, the network."""

from __future__ import annotations

import copy
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from heddle import runtimes, toolchain
from heddle.simulate import kept_costs, machine_file, session, simulator
from heddle.simulate.simulator import Cluster

# Attributes of SimGrid's platform files, with the end of their names: bb_lat, loopback_bw.
_LATENCY, _BANDWIDTH = r'\b((?:\w+_)?lat|latency)="([0-9.eE+-]+)', r'\b((?:\w+_)?bw|bandwidth)="([0-9.eE+-]+)'

# What lies between two creations is more than loops and indices where it takes longer: a replay does not leave it out.
_LONGEST_GAP_NS = 2000


@dataclass(frozen=True)
class World:
    """What a simulation is made of. machine: the platform file's text; None where ranks share a node.

    runtime: whose rules, one of runtimes.NAMES.
    """

    workload: dict[str, Any]
    costs: dict[str, Any]
    machine: str | None = None
    runtime: str = "heddle"


@dataclass(frozen=True)
class Question:
    name: str
    changed: Callable[[World], World]
    needs_tasks: bool = False
    needs_ranks: bool = False
    runtime: str = ""  # of which costs are needed


def _tasks_half_as_long(world: World) -> World:
    made = copy.deepcopy(world.workload)
    for process in made["processes"]:
        for task in process["tasks"]:
            task["script"] = _scaled(task["script"], 0.5)
    return replace(world, workload=made)


def recorded(world: World) -> World:
    """Neither tasks nor their dependences cost their creator anything, nor what it computes between two of them."""
    made = copy.deepcopy(world.workload)
    for process in made["processes"]:
        for holder, key in _scripts(process):
            holder[key] = _without_gaps(holder[key])
    free = {name: 0.0 for name in ("create", "create_inline", "dependence")}
    return replace(world, workload=made, costs={**world.costs, "heddle": world.costs["heddle"] | free})


def _processors_twice_as_fast(world: World) -> World:
    made = copy.deepcopy(world.workload)
    for process in made["processes"]:
        for holder, key in _scripts(process):
            holder[key] = _scaled(holder[key], 0.5)
        for loop in process["loops"]:
            loop["parts"] = [round(part * 0.5) for part in loop["parts"]]
    return replace(world, workload=made)


def _on_another_runtime(name: str) -> Question:
    kind = f"it ran on {runtimes.KINDS[name]}"
    return Question(kind, lambda world: replace(world, runtime=name), needs_tasks=True, runtime=name)


def _messages_slower(world: World, times: float) -> World:
    slower = {name: world.costs["messages"][name] * times for name in ("latency", "byte")}
    machine = world.machine
    if machine is not None:
        machine = re.sub(_LATENCY, lambda found: f'{found[1]}="{float(found[2]) * times:.9g}', machine)
        machine = re.sub(_BANDWIDTH, lambda found: f'{found[1]}="{float(found[2]) / times:.9g}', machine)
    return replace(world, costs={**world.costs, "messages": world.costs["messages"] | slower}, machine=machine)


QUESTIONS = [
    Question("as it is", lambda world: world),
    Question("its tasks took half as long", _tasks_half_as_long, needs_tasks=True),
    Question("its tasks were recorded and replayed", recorded, needs_tasks=True),
    Question("processors were twice as fast", _processors_twice_as_fast),
    Question("the runtime cost nothing", lambda world: replace(world, costs=kept_costs.free(world.costs))),
    *(_on_another_runtime(name) for name in runtimes.NAMES if name != "heddle"),
    Question("messages took twice as long", lambda world: _messages_slower(world, 2), needs_ranks=True),
    Question("messages took a hundredth", lambda world: _messages_slower(world, 0.01), needs_ranks=True),
]


def asked(made: dict[str, Any], costs: dict[str, Any]) -> list[Question]:
    """Those that mean something for this workload, and can be answered."""
    has_tasks = any(process["tasks"] for process in made["processes"])
    has_ranks = len(made["processes"]) > 1
    return [
        question
        for question in QUESTIONS
        if (has_tasks or not question.needs_tasks)
        and (has_ranks or not question.needs_ranks)
        and (not question.runtime or question.runtime in costs)
    ]


def run(trace: Path, cores: str, given: Path | None, cluster: Cluster) -> None:
    """Simulates the trace once for each question and prints a table.

    Errors: UserError for what was asked wrongly.
    """
    machine = machine_file.check(cluster.machine) if cluster.machine is not None else None
    costs, origin = kept_costs.read(given)
    made, _ = session.read(trace, costs)
    toolchain.build("release", [simulator.OF_WORKLOADS])
    before = World(made, costs, machine)
    times = {question.name: _simulated(question.changed(before), cores, cluster) for question in asked(made, costs)}
    _show(made["program"], times)
    print(f"costs of the runtime: {origin}")


def _simulated(world: World, cores: str, cluster: Cluster) -> dict[int, float]:
    """Nanoseconds by cores."""
    with tempfile.TemporaryDirectory() as folder:
        if world.machine is not None:
            machine = Path(folder) / "machine.xml"
            machine.write_text(world.machine, encoding="utf-8")
            cluster = replace(cluster, machine=machine)
        return simulator.times(world.workload, cores, world.costs, cluster, runtime=world.runtime)


def _show(program: str, times: dict[str, dict[int, float]]) -> None:
    from rich.table import Table

    from heddle import terminal
    from heddle.graph import words

    base = times[QUESTIONS[0].name]
    table = Table("what if", *(f"{cores} core{'s' if cores > 1 else ''}" for cores in base), box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for name, by_cores in times.items():
        shown = [words.duration(ns, is_measured=True) for ns in by_cores.values()]
        gains = [
            f" ({words.digits(ns / base[cores])})" if by_cores is not base else "" for cores, ns in by_cores.items()
        ]
        table.add_row(name, *(text + gain for text, gain in zip(shown, gains)))
    console = terminal.console()
    console.print(f"{program}: times, and how much that is of the time as it is")
    console.print(table)


def _scripts(process: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Where each script of a process stands: what holds it, and under which key."""
    for task in process["tasks"]:
        yield task, "script"
    for region in process["regions"]:
        yield region, "script"
    for number in range(len(process["singles"])):
        yield process["singles"], number
    for pieces in process["pieces"]:
        for number in range(len(pieces)):
            yield pieces, number
    yield process, "main"


def _scaled(script: list[Any], factor: float) -> list[Any]:
    """The same with what it computes times the factor."""
    scaled = list(script)
    for place in range(0, len(script), 2):
        if script[place] == "work":
            scaled[place + 1] = round(script[place + 1] * factor)
    return scaled


def _without_gaps(script: list[Any]) -> list[Any]:
    """The same without what is computed between two creations that follow each other, but for what takes long."""
    steps = list(zip(script[::2], script[1::2]))
    kept: list[Any] = []
    for number, (op, value) in enumerate(steps):
        around = [steps[at][0] for at in (number - 1, number + 1) if 0 <= at < len(steps)]
        if op != "work" or around != ["create", "create"] or value > _LONGEST_GAP_NS:
            kept += [op, value]
    return kept
