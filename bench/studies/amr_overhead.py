"""What part of the threads' time in the stages of task-graph is not spent in tasks: scheduling, idling, validation.

    .venv/bin/python bench/studies/amr_overhead.py --cells 8 --variables 40 --rounds 7 [--threads 2]

A stage's tasks are timed by libheddle (HEDDLE_GRAPH_LOG, two readings of the clock a task); the stages' time is that of
the whole run without refinement. Overhead = 1 - time in tasks / (threads x time of the stages). task-graph's tasks are
task-2's.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from heddle.graph import read

ROOT = Path(__file__).resolve().parent.parent.parent
SUMMARY = re.compile(r"^Summary:.*? time ([0-9.]+) .*? refine ([0-9.]+)", re.MULTILINE)
STAGES_PER_TIMESTEP, TIMESTEPS = 20, 4


@dataclass(frozen=True)
class Run:
    stages_s: float  # wall time of all stages
    tasks_s: float  # in tasks, over all threads
    tasks: int


def run_once(cells: int, variables: int, threads: int, log: Path) -> Run:
    """Errors: ends the program where the run fails."""
    centre = "-0.6" if cells > 8 else "-0.45"
    options = (
        f"--report_perf 4 --num_refine 4 --nx {cells} --ny {cells} --nz {cells} --num_vars {variables} "
        f"--stages_per_ts {STAGES_PER_TIMESTEP} --num_tsteps {TIMESTEPS} --checksum_freq 5 --refine_freq 2 "
        f"--max_blocks 3000 --num_objects 1 --object 2 0 {centre} {centre} {centre} 0.060 0.060 0.060 1.1 1.1 1.1 0 0 0"
    )
    command = [str(ROOT / "heddle"), "amr", "--threads", str(threads), "--variant", "task-graph", *options.split()]
    environment = os.environ | {"HEDDLE_GRAPH_LOG": str(log)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    found = SUMMARY.search(done.stdout)
    if done.returncode != 0 or found is None:
        sys.exit(f"{' '.join(command)} failed: {done.stderr.strip()}")
    graphs = read.read(log).graphs
    return Run(
        float(found.group(1)) - float(found.group(2)),
        sum(int(graph.ns.sum()) for graph in graphs) / 1e9,
        sum(int(graph.times.sum()) for graph in graphs),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, default=8, help="cells of a block along an axis")
    parser.add_argument("--variables", type=int, default=40)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "graphs"
        runs = [run_once(arguments.cells, arguments.variables, arguments.threads, log) for _ in range(arguments.rounds)]
    shares = [1 - run.tasks_s / (arguments.threads * run.stages_s) for run in runs]
    stage_ms = statistics.median(run.stages_s for run in runs) / (STAGES_PER_TIMESTEP * TIMESTEPS) * 1e3
    task_us = statistics.median(run.tasks_s / run.tasks for run in runs) * 1e6
    print(
        f"overhead {statistics.median(shares):.1%} [{min(shares):.1%} {max(shares):.1%}] of {arguments.threads} threads, "
        f"a stage {stage_ms:.2f} ms, a task {task_us:.1f} us, {runs[0].tasks} tasks, {arguments.rounds} rounds"
    )


if __name__ == "__main__":
    main()
