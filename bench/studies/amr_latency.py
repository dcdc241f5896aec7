"""Times heddle-amr's variants on two ranks over a network that gets slower (bench/kernels/slow_network), in turn.

    .venv/bin/python bench/studies/amr_latency.py [--rounds 7] [--networks LIST] [--comm-tasks] [--refining] [--json FILE]

A network is LATENCY/BANDWIDTH in microseconds and MB/s; 0 is MPI's own speed. One round runs each variant once, in an
order that changes from round to round; ratios are taken round by round, against `serial` on two ranks, which is MPI
alone. --comm-tasks adds data-flow with --max_comm_tasks, on the last of the networks. Four spheres, 40 variables, 80
stages; one thread a rank. The time of the stages is the run's less that of its refinements. --refining: 24 stages, and
a refinement after every second.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from pathlib import Path

from amr_ranks import command_line, run_once
from heddle import paths, results, runtimes, toolchain

NETWORK_TARGET = "heddle_slow_network"
BASE = "serial"
VARIANTS = {
    BASE: [],
    "loop": [],
    "data-flow": ["--separate_buffers"],
    "data-flow-graph": ["--separate_buffers"],
}
COMM_TASKS = (1, 2, 4, 8, 16, 0)
RANKS = 2


def slow(network: str) -> list[str]:
    """What stands before a program on that network."""
    if network == "0":
        return []
    library = paths.build_dir("release") / "lib" / "libslow-network.so"
    if not library.exists():
        sys.exit(f"{library} is not there")
    # By its name: a path in LD_PRELOAD ends at a blank.
    found_in = f"{runtimes.searchable(paths.shim_dir('release'))}:{runtimes.searchable(library.parent)}"
    settings = (f"SLOW_NETWORK={network.replace('/', ',')}", f"LD_LIBRARY_PATH={found_in}")
    return ["env", *settings, f"LD_PRELOAD={library.name}"]


def in_turn(
    cases: dict[str, list[str]], rounds: int, cells: int, *, is_refining: bool = False
) -> dict[str, list[dict[str, float]]]:
    """Each program's figures, a run a round."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in cases}
    for round_ in range(rounds):
        names = list(cases)
        for name in names if round_ % 2 == 0 else reversed(names):
            figures = run_once(cases[name], RANKS, 1, cells, is_refining=is_refining)
            figures["stages"] = figures["time"] - figures["refine"]
            found[name].append(figures)
    if len({runs[0]["blocks"] for runs in found.values()}) != 1:
        sys.exit("the meshes differ")
    return found


def ratio(runs: list[dict], base: list[dict], figure: str) -> str:
    each = [mine[figure] / theirs[figure] for mine, theirs in zip(runs, base, strict=True)]
    return f"{statistics.median(each):.2f} [{min(each):.2f} {max(each):.2f}]"


def median(runs: list[dict], figure: str) -> float:
    return statistics.median(run[figure] for run in runs)


def table(found: dict[str, list[dict[str, float]]]) -> None:
    ratios = ("time", "stages", "refine")
    heads = "".join(f"{f'{figure} / base':20}" for figure in ratios)
    print(f"{'':28} {'time':>7} {'stages':>7} {'comm':>7} {'refine':>7}   {heads}")
    for name, runs in found.items():
        words = " ".join(f"{median(runs, figure):7.2f}" for figure in ("time", "stages", "comm", "refine"))
        print(f"{name:28} {words}   {''.join(f'{ratio(runs, found[BASE], figure):20}' for figure in ratios)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--networks", default="0,2000/1000,500/200,500/50", help="with commas between them")
    parser.add_argument("--cells", type=int, default=12, help="cells of a block along an axis")
    parser.add_argument("--comm-tasks", action="store_true", help="also how many messages a direction is cut into")
    parser.add_argument("--refining", action="store_true", help="a refinement after every second stage")
    parser.add_argument("--json", type=Path, help="write every figure to this file")
    arguments = parser.parse_args()

    toolchain.build("release", [toolchain.RUNTIME_TARGET, paths.AMR, NETWORK_TARGET])
    program = str(paths.program(paths.AMR))
    found: dict[str, dict] = {}
    for network in arguments.networks.split(","):
        cases = {name: [*slow(network), program, "--variant", name, *more] for name, more in VARIANTS.items()}
        found[network] = in_turn(cases, arguments.rounds, arguments.cells, is_refining=arguments.refining)
        print(f"\nnetwork {network}; seconds, medians of {arguments.rounds}; ratios with least and most; base: {BASE}")
        table(found[network])

    line = command_line(arguments.cells, RANKS, is_refining=arguments.refining)
    record = {"command": line, "processors": os.cpu_count(), "networks": found}
    if arguments.comm_tasks:
        cases = {BASE: [*slow(network), program, "--variant", BASE]}
        flow = [*slow(network), program, "--variant", "data-flow", "--separate_buffers", "--send_faces"]
        cases |= {f"at most {n} tasks" if n else "all tasks": [*flow, "--max_comm_tasks", str(n)] for n in COMM_TASKS}
        of_tasks = in_turn(cases, arguments.rounds, arguments.cells, is_refining=arguments.refining)
        print(f"\ndata-flow with --send_faces --max_comm_tasks, network {network}")
        table(of_tasks)
        record["comm_tasks"] = {"network": network, "runs": of_tasks}
    if arguments.json:
        results.write(arguments.json, record)


if __name__ == "__main__":
    main()
