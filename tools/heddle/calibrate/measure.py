"""What the runtime's own work takes on this machine: measured by a program, and kept for simulations."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from heddle import execution, machine, mpi, paths, results, runtimes, toolchain, whole_file
from heddle.errors import UserError
from heddle.simulate import amr, from_trace, kept_costs, quiet, simulator, wave
from heddle.trace import events, running

_PROGRAM, _PROGRAM_OF_MPI = "heddle-calibrate", "heddle-calibrate-mpi"
_HOLD = {"HEDDLE_THROTTLE": "hold"}  # every task is queued
_QUESTIONS: dict[str, tuple[str, int, dict[str, str]]] = {
    # what the program is asked, threads, environment
    "at once": ("tasks", 1, {}),
    "queued": ("tasks", 1, _HOLD),
    "chain": ("chain", 1, _HOLD),
    "chain of four": ("chain4", 1, _HOLD),
    "line": ("line", 2, {}),
    "barrier": ("barrier", 2, {}),
    "handoff": ("handoff", 2, {}),
    "region": ("region", 2, {}),
    "region, asleep": ("sleeping", 2, {}),
    "waking": ("waking", 2, {}),
    "chunk": ("chunks", 1, {}),
    "taskloop chunk": ("taskloop_chunks", 1, {}),
}
# Of the stock runtimes, which queue what libheddle executes at its creation.
_QUESTIONS_OF_STOCK = {
    # what the program is asked, threads
    "created": ("created", 2),
    "executed": ("executed", 2),
    "undeferred": ("undeferred", 2),
    "chain": ("few chain", 2),
    "chain of four": ("few chain4", 2),
    "shared": ("shared", 2),
    "line": ("line", 2),
    "barrier": ("barrier", 2),
    "handoff": ("handoff", 2),
    "region": ("region", 2),
    "region, asleep": ("sleeping", 2),
    "waking": ("waking", 2),
    "spinning": ("spinning", 2),
    "chunk": ("chunks", 1),
}
_QUESTIONS_OF_MPI = ("empty", "large", "receive", "start", "eager")
_LEAST = 1.0  # ns: nothing costs nothing


def measure(out: Path) -> dict[str, Any]:
    """Measures the costs and writes them. Errors: UserError where out cannot be written; CheckFailed."""
    if out == kept_costs.KEPT:
        out.parent.mkdir(parents=True, exist_ok=True)
    whole_file.check("--out", out)
    toolchain.build("release", [_PROGRAM, "heddle", simulator.OF_WORKLOADS])
    program = str(paths.build_dir("release") / "bin" / _PROGRAM)
    found = machine.described()
    answers = {name: _ask(program, *question) for name, question in _QUESTIONS.items()}
    result = {
        "machine": f"{found['processors']} cores of {found['model']}",
        "measured": answers,
        "heddle": _costs_of(answers),
        **_stock_costs(program),
        "messages": _message_costs(),
        "trace": _trace_costs(program),
    }
    result |= _costs_of_programs(result)
    results.write(out, result)
    return result


def _stock_costs(program: str) -> dict[str, dict[str, float]]:
    """Those of the other runtimes that are here, by name."""
    return {name: _costs_of_stock(program, name) for name in runtimes.NAMES if name != "heddle" and runtimes.find(name)}


def _ask(program: str, what: str, threads: int, environ: dict[str, str], runtime: str = "heddle") -> float:
    plan = execution.prepare(program, runtime, threads)
    # Two threads that begin on one processor make what they tell each other 20 times as long.
    plan.environ.update({"OMP_PROC_BIND": "true"} | environ)
    return float(quiet.said([program, what], plan))


def _costs_of(ns: dict[str, float]) -> dict[str, float]:
    """Costs of the simulator by what was measured: differences between programs that differ in one step."""
    common = _common_costs(ns)
    complete = 0.5 * ns["at once"]
    queued = max(ns["queued"] - complete, _LEAST)
    costs = common | {
        "create": 0.75 * queued,
        "take": 0.25 * queued,
        "create_inline": 0.5 * ns["at once"],
        "complete": complete,
        "release": max(ns["chain"] - ns["queued"] - common["dependence"], _LEAST),
        "wait": 0.5 * ns["at once"],
        "steal": max(ns["handoff"] - common["notice"], ns["line"]),
        "wake_call": max(ns["waking"] - queued, _LEAST),
        "spin": 1e7,
        "taskloop_chunk": ns["taskloop chunk"],
        "lock": 0.0,  # it has none
    }
    return _rounded(costs)


def _common_costs(ns: dict[str, float]) -> dict[str, float]:
    """Those that follow in the same way for every runtime."""
    notice = max(ns["barrier"] - 2 * ns["line"], _LEAST)
    return {
        "dependence": max((ns["chain of four"] - ns["chain"]) / 3, _LEAST),
        "line": ns["line"],
        "notice": notice,
        "fork": max(ns["region"] - 2 * notice - 2 * ns["line"], _LEAST),
        "wake": max(ns["region, asleep"] - ns["region"], notice),
        "chunk": ns["chunk"],
    }


def _rounded(costs: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 1) for name, value in costs.items()}


def _costs_of_stock(program: str, runtime: str) -> dict[str, float]:
    """The same of a runtime whose queues stand under locks."""
    ns = {name: _ask(program, what, threads, {}, runtime) for name, (what, threads) in _QUESTIONS_OF_STOCK.items()}
    common = _common_costs(ns)
    complete = min(0.5 * ns["executed"], 0.5 * ns["undeferred"])
    costs = common | {
        "create": ns["created"],
        "take": ns["executed"] - complete,
        "create_inline": max(ns["undeferred"] - complete, _LEAST),
        "complete": complete,
        "release": max(ns["chain"] - ns["created"] - ns["executed"] - common["dependence"], _LEAST),
        "wait": 0.5 * ns["undeferred"],
        "steal": max(ns["handoff"] - ns["created"] - common["notice"], ns["line"]),
        "wake_call": max(ns["waking"] - ns["created"], _LEAST),
        "spin": ns["spinning"],
        "taskloop_chunk": 0.0,  # each is a task
    }
    return _rounded(costs | {"lock": _lock_by_simulation(costs, runtime, ns["shared"])})


def _lock_by_simulation(costs: dict[str, float], runtime: str, shared: float) -> float:
    """What a queue's lock has to cost for the simulator to take as long as the runtime did.

    shared: for tasks that one thread creates and two execute. Units: ns a task.
    """
    tasks = 100
    messages = json.loads(kept_costs.DEFAULT.read_text())["messages"]

    def took(count: int, lock: float) -> float:
        whole = {runtime: costs | {"lock": lock}, "messages": messages}
        return simulator.times(_tasks_of_one_creator(count), "2", whole, runtime=runtime)[2]

    wanted = took(0, 0) + tasks * shared
    low, high = 0.0, 4 * shared
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (middle, high) if took(tasks, middle) < wanted else (low, middle)
    return low


def _tasks_of_one_creator(count: int) -> dict[str, Any]:
    creations = [word for task in range(count) for word in ("create", task)]
    process = {name: [] for name in ("loops", "pieces", "messages", "taskloops")}
    process |= {
        "tasks": [{"kind": 0, "script": []} for _ in range(count)],
        "regions": [{"kind": 0, "threads": 2, "fixed": False, "script": ["single", 0, "barrier", 0]}],
        "singles": [[*creations, "group end", 0]],
        "main": ["region", 0],
    }
    head = {"format": from_trace.FORMAT, "version": from_trace.VERSION, "program": "calibrate", "threads": 2}
    return {**head, "kinds": ["task"], "processes": [process]}


def _message_costs() -> dict[str, float]:
    """Those of two ranks here; without MPI those that Heddle comes with."""
    try:
        start = mpi.command(2, 1)
    except UserError:
        return json.loads(kept_costs.DEFAULT.read_text())["messages"]
    toolchain.build("release", [_PROGRAM_OF_MPI])
    program = str(paths.build_dir("release") / "bin" / _PROGRAM_OF_MPI)
    plan = running.prepare(program, "heddle", 1)
    ns = {question: float(quiet.said([*start, program, question], plan)) for question in _QUESTIONS_OF_MPI}
    return {
        "receive": round(ns["receive"], 1),
        "start": round(ns["start"], 1),
        "latency": round(max(ns["empty"] - ns["receive"], _LEAST), 1),
        "byte": round(ns["large"], 4),
        "eager_limit": ns["eager"],
    }


def _costs_of_programs(others: dict[str, Any]) -> dict[str, Any]:
    """Those of heddle-amr and heddle-wave, under their names; without MPI none."""
    try:
        return {"amr": amr.costs(others), "wave": wave.costs()}
    except UserError:
        return {}


def _trace_costs(program: str) -> dict[str, float]:
    """What a trace says that empty tasks and their creations take: none of it is the program's."""
    with tempfile.TemporaryDirectory() as folder:
        plan = running.prepare(program, "heddle", 1)
        plan.environ.update(_HOLD)
        running.trace_into(Path(folder), running.library(running.TRACE), plan)
        quiet.said([program, "tasks"], plan)
        process = events.read_folder(Path(folder))[0]
    thread = max(process.threads, key=lambda one: len(one.records))
    kind, ns = thread.records["kind"], thread.ns
    of = process.kinds
    step = np.diff(ns)

    def between(first: str, second: str) -> float:
        # Means of so many: clocks tick in 10 ns on some machines. Their median: a machine stands still at times.
        found = step[(kind[:-1] == of[first]) & (kind[1:] == of[second])]
        parts = np.array_split(found, max(len(found) // 1000, 1))
        return float(np.median([np.mean(part) for part in parts])) if len(found) else 0.0

    create, schedule = between("task_create", "task_create"), between("task_schedule", "task_schedule")
    return {"record": round(schedule / 2, 1), "task_create": round(create, 1), "task_schedule": round(schedule, 1)}
