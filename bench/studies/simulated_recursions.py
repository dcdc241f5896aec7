"""Recursions and nested tasks on simulated cores: what libheddle's ready set does with them on more than there are.

    .venv/bin/python bench/studies/simulated_recursions.py [--cores 2,8,16,64,128] [--trees 5] [--out FILE.json]

Workloads are made, not traced, since a record of the trace takes longer than such tasks. Each is simulated with and
without the rule that who waits in a task steals from those only who work on its descendants (HEDDLE_WITHOUT=leapfrog).
What the shared overflow list costs beside the search, its lock above all, is not simulated.

fib    two tasks a call and a wait, bodies of 10 ns and more
uts    a binomial tree of 150 ns a node, 1000 ns in uts-long: each node has two children with probability 0.495
nest   60 tasks create up to 80 tasks of about 3 us, wait, and do so twice again; nest-8: 8 tasks, 400 of 5 us
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from heddle import paths, results
from heddle.simulate import kept_costs, simulator

COSTS = paths.ROOT / "bench" / "results" / "costs.json"
KIND = 1


class Tree:
    """The tasks of a workload: creating one adds its body, which may create others."""

    def __init__(self) -> None:
        self.tasks: list[dict[str, Any]] = []

    def create(self, body: Callable[[], list]) -> list:
        task: dict[str, Any] = {"kind": KIND}
        number = len(self.tasks)
        self.tasks.append(task)
        task["script"] = body()
        return ["create", number]

    def workload(self, name: str, script: list) -> dict[str, Any]:
        """One thread of a region begins with the script."""
        region = {"kind": 0, "threads": 2, "fixed": False, "script": ["single", 0, "barrier", 0]}
        process = {"tasks": self.tasks, "regions": [region], "singles": [script], "main": ["region", 0]}
        process |= {rest: [] for rest in ("loops", "pieces", "taskloops", "messages")}
        head = {"format": "heddle-workload", "version": 3, "program": name, "threads": 2, "kinds": ["region", "task"]}
        return head | {"processes": [process]}


def fib(seed: int) -> dict[str, Any]:
    tree, ns = Tree(), 10 + 3 * seed

    def body(n: int) -> list:
        if n < 2:
            return ["work", ns]
        children = tree.create(lambda: body(n - 1)) + tree.create(lambda: body(n - 2))
        return ["work", ns, *children, "taskwait", 0, "work", ns]

    return tree.workload("fib", body(21 + seed % 2))


def uts(seed: int, ns: int, of_the_root: int, most: int) -> dict[str, Any]:
    tree, drawn = Tree(), random.Random(seed)
    sys.setrecursionlimit(100_000)  # some branches are some thousand nodes deep

    def body(children: int) -> list:
        script = ["work", ns]
        for _ in range(children):
            more = len(tree.tasks) < most and drawn.random() < 0.495
            script += tree.create(lambda grandchildren=2 if more else 0: body(grandchildren))
        return script + (["taskwait", 0] if children else [])

    return tree.workload("uts", body(of_the_root))


def nest(seed: int, outer: int, inner: int, ns: int) -> dict[str, Any]:
    tree, drawn = Tree(), random.Random(seed)

    def leaf() -> list:
        return ["work", 1 + int(ns * drawn.expovariate(1))]

    def body() -> list:
        script = []
        for _ in range(3):
            for _ in range(drawn.randrange(1, 2 * inner)):
                script += tree.create(leaf)
            script += ["taskwait", 0, "work", ns]
        return script

    return tree.workload("nest", [word for _ in range(outer) for word in tree.create(body)] + ["taskwait", 0])


WORKLOADS: dict[str, Callable[[int], dict[str, Any]]] = {
    "fib": fib,
    "uts": lambda seed: uts(seed, 150, 500, 40_000),
    "uts-long": lambda seed: uts(seed, 1000, 300, 20_000),
    "nest": lambda seed: nest(seed, 60, 40, 3000),
    "nest-8": lambda seed: nest(seed, 8, 200, 5000),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="recursions on simulated cores")
    parser.add_argument("--cores", default="2,8,16,64,128", help="with commas between them")
    parser.add_argument("--trees", type=int, default=5, help="of each kind, by seeds from 0 [5]")
    parser.add_argument("--out", type=Path, help="where the figures go, as JSON")
    asked = parser.parse_args()
    costs, _ = kept_costs.read(COSTS, "heddle")
    rows = []
    print("workload  cores  ns a task  without  ratio  stolen  without")
    for name, made in WORKLOADS.items():
        found: dict[int, list[tuple[dict, dict]]] = {}
        for seed in range(asked.trees):
            with tempfile.NamedTemporaryFile("w", suffix=".json") as workload:
                json.dump(made(seed), workload)
                workload.flush()
                words = ["--workload", workload.name, "--cores", asked.cores]
                with_it = simulator.ask(simulator.OF_WORKLOADS, words, costs)["runs"]
                without = simulator.ask(simulator.OF_WORKLOADS, [*words, "--without-leapfrog"], costs)["runs"]
            for ours, theirs in zip(with_it, without, strict=True):
                found.setdefault(ours["cores"], []).append((ours, theirs))
        for cores, pairs in found.items():
            row: dict[str, Any] = {"workload": name, "cores": cores}
            for k, which in enumerate(("with", "without")):
                runs = [pair[k] for pair in pairs]
                row[f"ns_{which}"] = statistics.geometric_mean(run["duration_ns"] / run["tasks"] for run in runs)
                row[f"stolen_{which}"] = statistics.mean(run["stolen"] / run["tasks"] for run in runs)
            row["ratio"] = statistics.geometric_mean(a["duration_ns"] / b["duration_ns"] for a, b in pairs)
            rows.append(row)
            times = f"{row['ns_with']:10.1f} {row['ns_without']:8.1f} {row['ratio']:6.2f}"
            print(f"{name:9} {cores:5} {times} {row['stolen_with']:7.3f} {row['stolen_without']:8.3f}", flush=True)
    if asked.out is not None:
        results.write(asked.out, {"trees": asked.trees, "rows": rows})


if __name__ == "__main__":
    main()
