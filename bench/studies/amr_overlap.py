"""How much of heddle-amr's stages messages are on their way, and computed beside, in each variant on two ranks.

    .venv/bin/python bench/studies/amr_overlap.py [--rounds 5] [--networks LIST] [--json FILE]

A network is LATENCY/BANDWIDTH in microseconds and MB/s; 0 is MPI's own speed. Each run is traced. Of the time between
its first stencil and its last: the share in which a message was on its way to a rank, the part of that in which the
rank computed, and the seconds that each kind of work took. One round runs each variant once. Four spheres, 40
variables, 80 stages; one thread a rank.
"""

from __future__ import annotations

import argparse
import os
import statistics
from pathlib import Path

from amr_latency import BASE, NETWORK_TARGET, RANKS, VARIANTS, slow
from amr_ranks import command_line
from heddle import mpi, paths, results, toolchain
from heddle.trace import numbers
from trace_views import program, stages, traced

BODIES = ("stencil", "pack", "unpack", "sums")


def run_once(network: str, variant: str, cells: int) -> dict[str, float]:
    # Behind the tracer's own library: that stands before whoever delays messages.
    keep = ["sh", "-c", 'LD_PRELOAD="$LD_PRELOAD:$ALSO" exec "$@"', "-"] if network != "0" else []
    before = [word.replace("LD_PRELOAD=", "ALSO=") for word in slow(network)]
    start = [mpi.launcher(), "-n", str(RANKS), *before, *keep, program("heddle-amr"), "--variant", variant]
    timeline = traced([*start, *VARIANTS[variant], *command_line(cells, RANKS)], 1)
    begin, end = stages(timeline)
    flight = numbers.flight(timeline, (begin, end))
    rows = {row.name: row.ns / 1e9 for row in numbers.overlap(timeline, 30)}
    found = {"flight": flight.ns / (RANKS * (end - begin)), "computing": flight.computing / max(flight.ns, 1)}
    return found | {name: rows.get(name, 0.0) for name in BODIES} | {"stages": (end - begin) / 1e9}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--networks", default="0,500/200", help="with commas between them")
    parser.add_argument("--cells", type=int, default=12, help="cells of a block along an axis")
    parser.add_argument("--json", type=Path, help="write every figure to this file")
    arguments = parser.parse_args()
    toolchain.build("release", [toolchain.RUNTIME_TARGET, paths.AMR, NETWORK_TARGET])
    record: dict[str, dict] = {}
    for network in arguments.networks.split(","):
        found: dict[str, list[dict[str, float]]] = {variant: [] for variant in VARIANTS}
        for _ in range(arguments.rounds):
            for variant in VARIANTS:
                found[variant].append(run_once(network, variant, arguments.cells))
        record[network] = found
        print(f"\nnetwork {network}; medians of {arguments.rounds}; seconds of both ranks, and over {BASE}'s")
        print(f"{'':16} {'flight':>7} {'beside':>7} " + "".join(f"{name:>15}" for name in (*BODIES, "stages")))
        for variant, runs in found.items():
            words = []
            for name in (*BODIES, "stages"):
                ratios = [mine[name] / theirs[name] for mine, theirs in zip(runs, found[BASE], strict=True)]
                words.append(f"{statistics.median(run[name] for run in runs):9.2f} {statistics.median(ratios):5.2f}")
            shares = [f"{statistics.median(run[name] for run in runs):7.0%}" for name in ("flight", "computing")]
            print(f"{variant:16} {' '.join(shares)} {''.join(words)}")
    if arguments.json:
        line = {"command": command_line(arguments.cells, RANKS), "processors": os.cpu_count(), "networks": record}
        results.write(arguments.json, line)


if __name__ == "__main__":
    main()
