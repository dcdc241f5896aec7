"""Times heddle-amr on one core and on two, as ranks or threads, beside the reference's program, in turn.

    .venv/bin/python bench/studies/amr_ranks.py --reference MINIAMR [--rounds 7] [--cells 16] [--json FILE]

MINIAMR is the reference's own program (miniAMR 1.7, `ref`), built with -O3 -march=native for heddle-amr's MPI. One
round runs each once, in an order that changes from round to round; ratios are taken round by round. Four spheres, 40
variables, 80 stages. The meshes are the same, so the ratio of times is that of cell updates per second.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from heddle import machine, mpi, paths, results, runtimes, toolchain

SUMMARY = re.compile(
    r"^Summary:.*? time (\S+) calc (\S+) comm (\S+) red (\S+) refine (\S+) blocks/ts (\S+)", re.MULTILINE
)
FIGURES = ("time", "calc", "comm", "red", "refine")
SHOWN = ("time", "stages", "refine")  # stages: calc, comm and red; ours sum in calc what the reference does in red
SPHERES = (
    "--num_objects 4 --object 2 0 0.16 0.22 0.27 0.072 0 0 0.1 0.1 0.1 0 0 0 "
    "--object 2 0 0.21 0.71 0.76 0.061 0 0 0.08 0.08 0.08 0 0 0 "
    "--object 2 0 0.83 0.31 0.69 -0.068 0 0 0.09 0.09 0.09 0 0 0 "
    "--object 2 0 0.77 0.79 0.34 -0.059 0 0 0.11 0.11 0.11 0 0 0"
).split()


def command_line(cells: int, ranks: int, *, is_refining: bool = False) -> list[str]:
    """80 stages with a refinement after 40; or 24 with one after every second."""
    steps = "--num_tsteps 4 --stages_per_ts 20 --checksum_freq 5 --refine_freq 2 "
    if is_refining:
        steps = "--num_tsteps 12 --stages_per_ts 2 --checksum_freq 2 --refine_freq 1 "
    return (
        f"--report_perf 4 --num_refine 3 --max_blocks 1300 --nx {cells} --ny {cells} --nz {cells} --num_vars 40 {steps}"
        f"--npx {ranks} --init_x {2 // ranks} --init_y 2 --init_z 2"
    ).split() + SPHERES


def run_once(
    program: list[str], ranks: int, threads: int, cells: int, *, is_refining: bool = False
) -> dict[str, float]:
    """The figures of one run. Errors: ends the program where the run fails."""
    start = mpi.command(ranks, threads) if ranks > 1 else []
    environ = runtimes.environment(runtimes.require("heddle"), threads)
    with tempfile.TemporaryDirectory() as folder:
        command = [*start, *program, *command_line(cells, ranks, is_refining=is_refining)]
        done = subprocess.run(
            command, cwd=folder, env=environ, capture_output=True, text=True, timeout=300, check=False
        )
    found = SUMMARY.search(done.stdout)
    if done.returncode != 0 or found is None:
        sys.exit(f"{' '.join(map(str, command))} failed: {done.stderr.strip()[-300:]}")
    figures = dict(zip((*FIGURES, "blocks"), map(float, found.groups())))
    return {**figures, "stages": figures["calc"] + figures["comm"] + figures["red"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", type=Path, required=True, help="the reference's program")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cells", type=int, default=16, help="cells of a block along an axis")
    parser.add_argument("--json", type=Path, help="write every figure to this file")
    arguments = parser.parse_args()
    if not os.access(arguments.reference, os.X_OK):
        sys.exit(f"--reference {arguments.reference}: there is no such program")

    toolchain.build("release", [toolchain.RUNTIME_TARGET, paths.AMR])
    ours = str(paths.program(paths.AMR))
    reference = str(arguments.reference.resolve())
    cases = {
        "reference, 1 rank": ([reference], 1, 1),
        "serial, 1 rank": ([ours, "--variant", "serial"], 1, 1),
        "loop, 1 thread": ([ours, "--variant", "loop"], 1, 1),
        "reference, 2 ranks": ([reference], 2, 1),
        "serial, 2 ranks": ([ours, "--variant", "serial"], 2, 1),
        "loop, 2 ranks": ([ours, "--variant", "loop"], 2, 1),
        "loop, 2 threads": ([ours, "--variant", "loop"], 1, 2),
        "data-flow, 2 ranks": ([ours, "--variant", "data-flow"], 2, 1),
        "data-flow, 2 threads": ([ours, "--variant", "data-flow"], 1, 2),
    }
    found: dict[str, list[dict[str, float]]] = {name: [] for name in cases}
    for round_ in range(arguments.rounds):
        names = list(cases)
        for name in names if round_ % 2 == 0 else reversed(names):
            program, ranks, threads = cases[name]
            found[name].append(run_once(program, ranks, threads, arguments.cells))
    if len({runs[0]["blocks"] for runs in found.values()}) != 1:
        sys.exit("the meshes differ")

    print(f"{'':18} {'median s':>9}   reference / this, median [least most] of {arguments.rounds}: {', '.join(SHOWN)}")
    for name, runs in found.items():
        words = []
        base = found["reference, 1 rank" if cases[name][1:] == (1, 1) else "reference, 2 ranks"]  # on as many cores
        for figure in SHOWN:
            ratios = [theirs[figure] / mine[figure] for mine, theirs in zip(runs, base, strict=True) if mine[figure]]
            if not ratios:  # this does nothing of the kind
                words.append("none")
                continue
            words.append(f"{statistics.median(ratios):.2f} [{min(ratios):.2f} {max(ratios):.2f}]")
        print(f"{name:18} {statistics.median(run['time'] for run in runs):9.2f}   {'  '.join(words)}")
    if arguments.json:
        record = {
            "date": results.date(),
            "commit": results.commit_of(paths.ROOT),
            "machine": machine.described(),
            "command": command_line(arguments.cells, 2),
            "runs": found,
        }
        results.write(arguments.json, record)


if __name__ == "__main__":
    main()
