"""heddle-amr on simulated nodes of two sockets, by ranks a node, and one rank on one socket and on two.

    .venv/bin/python bench/studies/amr_ranks_a_node.py [--remote 1,1.5,2] [--json FILE]

One sphere that enters the mesh at a corner, blocks of 18 cubed cells, 60 variables, 60 stages with sums every ten; 48
cores a node. The sphere's size, and how far the mesh is refined, are ours: the paper does not give them. Data lies
where the thread is that is the first to work on it. --remote: how many times as long work takes whose data is on another
socket; nobody has measured it. Then one rank on one node, with a thread on each core of one socket and of two. A
simulation is the same each time.

Source: K. Sala et al., "Towards data-flow parallelization for adaptive mesh refinement applications", 2020, table I;
A. Rico et al., "On the benefits of tasking with OpenMP", 2019, section 5.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from heddle import paths, results
from heddle.simulate import generated, kept_costs, session
from heddle.simulate.simulator import Cluster

MACHINE = paths.ROOT / "bench" / "machines" / "omni-path.xml"
COSTS = paths.ROOT / "bench" / "results" / "costs.json"
NODES, CORES, SOCKETS = 4, 48, 2
# By ranks a node: the ranks along each axis, and the initial blocks of a rank.
GRIDS = {
    1: ((1, 2, 2), (8, 3, 2)),
    2: ((2, 2, 2), (4, 3, 2)),
    4: ((4, 2, 2), (2, 3, 2)),
    8: ((4, 2, 4), (2, 3, 1)),
    16: ((8, 2, 4), (1, 3, 1)),
}
MORE = {"loop": [], "data-flow": ["--send_faces", "--separate_buffers"]}
INPUT = (
    "--nx 18 --ny 18 --nz 18 --num_vars 60 --num_tsteps 1 --stages_per_ts 60 --checksum_freq 10 --max_blocks 200000 "
    "--num_refine 5 --num_objects 1 --object 2 0 -0.3 -0.3 -0.3 0.05 0.05 0.05 0.6 0.6 0.6 0 0 0"
).split()


ONE_RANK = ((1, 1, 1), (8, 3, 2))
Grid = tuple[tuple[int, int, int], tuple[int, int, int]]


def program(grid: Grid, variant: str) -> generated.Run:
    words = []
    for axis, along, blocks in zip("xyz", *grid):
        words += [f"--np{axis}", str(along), f"--init_{axis}", str(blocks)]
    return generated.Run(paths.AMR, [*words, *INPUT, *MORE[variant], "--variant", variant])


def simulated(grid: Grid, variant: str, cores: int, cluster: Cluster, costs: dict[str, Any]) -> dict[str, Any]:
    """A row. cores: of each rank."""
    result = generated.simulate(program(grid, variant), str(cores), costs, cluster)
    run = result["runs"][0]
    busy = sum(worker["work_ns"] for worker in run["workers"]) / run["duration_ns"] / len(run["workers"])
    row = {"variant": variant, "remote": cluster.remote, "nodes": cluster.nodes, "cores_a_rank": cores}
    row |= {"ms": run["duration_ns"] / 1e6, "longer": session.longer(result, run), "busy": busy}
    return row | {"blocks": result["blocks"], "tasks": run["tasks"]}


def main() -> None:
    parser = argparse.ArgumentParser(description="heddle-amr on simulated nodes of two sockets, by ranks a node")
    parser.add_argument("--remote", default="1,1.5,2", help="how many times as long work takes, each in turn")
    parser.add_argument("--json", type=Path, help="where the figures go")
    asked = parser.parse_args()
    costs, _ = kept_costs.read(COSTS)
    remotes = [float(x) for x in asked.remote.split(",")]
    by_ranks = []
    print("variant     remote  ranks a node      ms  of the best  longer for sockets  busy")
    for variant in MORE:
        for remote in remotes:
            cluster = Cluster(MACHINE, NODES, "queued", SOCKETS, remote)
            rows = {ranks: simulated(grid, variant, CORES // ranks, cluster, costs) for ranks, grid in GRIDS.items()}
            best = min(row["ms"] for row in rows.values())
            for ranks, row in rows.items():
                row |= {"ranks_a_node": ranks, "of_best": row["ms"] / best}
                print(
                    f"{variant:10} {remote:7} {ranks:13} {row['ms']:7.1f} {row['of_best']:12.2f}"
                    f" {row['longer']:19.1%} {row['busy']:5.0%}"
                )
            by_ranks += rows.values()
    one_rank = []
    print(f"\nvariant     remote  {CORES // SOCKETS} cores, ms  {CORES} cores, ms  speedup  longer for sockets")
    for variant in MORE:
        for remote in remotes:
            cluster = Cluster(MACHINE, 1, "queued", SOCKETS, remote)
            one, two = (simulated(ONE_RANK, variant, cores, cluster, costs) for cores in (CORES // SOCKETS, CORES))
            one_rank += [one, two]
            print(
                f"{variant:10} {remote:7} {one['ms']:13.1f} {two['ms']:13.1f} {one['ms'] / two['ms']:8.2f}"
                f" {two['longer']:19.1%}"
            )
    if asked.json is not None:
        made = {"date": results.date(), "commit": results.commit_of(paths.ROOT), "machine": MACHINE.name}
        made |= {"simulated": True, "sockets": SOCKETS, "costs": paths.shown(COSTS)}
        results.write(asked.json, made | {"by_ranks": by_ranks, "one_rank": one_rank})


if __name__ == "__main__":
    main()
