"""heddle-amr on 1 to 256 simulated nodes of 48 cores: the scaling of the data-flow paper, with and without refinement.

    .venv/bin/python bench/studies/amr_scaling.py [--strong] [--nodes 1,4,16] [--network queued] [--out FILE.json]

Four spheres, 40 variables, sums every ten stages. Weak scaling: blocks of 12 cubed cells, one initial block a core.
Strong: blocks of 10 cubed, from 16 nodes on the initial blocks of 256, on fewer a sixteenth. `serial` and `reference`
have 48 ranks a node, the others four of 12 threads; data-flow has its messages cut as in the paper. The spheres, and
how far the mesh is refined, are ours: the paper does not give them.

Two runs, of the same meshes: three timesteps of 10 and of 20 stages, and behind the second a refinement by one level
at most, to where the spheres come to in five of the paper's timesteps. What 30 stages more take is 30 times what a
*stage* takes; what is left of the shorter run is the *refinement*. A *cycle* is a refinement and the paper's 200 stages
to the next one. *link*: for how much of a stage the link over which most goes would be in use.

`reference` has the order of the reference's program and what its pieces took beside ours (bench/results/amr-ranks.json:
one rank, which copies its ghosts; packing and unpacking a ghost are said to take as long as copying it). Its refinement
is ours.

Source: K. Sala et al., "Towards data-flow parallelization for adaptive mesh refinement applications", 2020, V-C and
V-D.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

from amr_ranks import command_line
from heddle import paths, results, toolchain
from heddle.simulate import generated, kept_costs, simulator

MACHINE = paths.ROOT / "bench" / "machines" / "omni-path.xml"
COSTS = paths.ROOT / "bench" / "results" / "costs.json"
BESIDE_REFERENCE = paths.ROOT / "bench" / "results" / "amr-ranks.json"
CORES = 12  # of a rank with threads
# By nodes, their cores along each axis.
GRIDS = {
    1: (4, 6, 2),
    2: (4, 6, 4),
    4: (8, 6, 4),
    8: (8, 12, 4),
    16: (8, 12, 8),
    32: (16, 12, 8),
    64: (16, 12, 16),
    128: (16, 24, 16),
    256: (32, 24, 16),
}
OF_A_RANK = {"reference": (1, 1, 1), "serial": (1, 1, 1), "loop": (2, 3, 2), "data-flow": (2, 3, 2)}
MORE = {"data-flow": "--send_faces --separate_buffers --max_comm_tasks 8".split()}
_TIMESTEPS, _STAGES = 3, (10, 20)
_CYCLE = 200  # stages
_SPHERES = ((0.15, 0.3, 0.3, 0.025), (0.15, 0.7, 0.7, 0.025), (0.85, 0.3, 0.7, -0.025), (0.85, 0.7, 0.3, -0.025))
INPUT = (
    f"--num_tsteps {_TIMESTEPS} --refine_freq 2 --block_change 1 --checksum_freq 10 --num_vars 40 --max_blocks 200000 "
    f"--num_refine 3 --num_objects {len(_SPHERES)} "
    + " ".join(f"--object 2 0 {x} {y} {z} {dx} 0 0 0.1 0.1 0.1 0 0 0" for x, y, z, dx in _SPHERES)
).split()


def options(nodes: int, variant: str, stages: int, *, is_strong: bool) -> list[str]:
    roots = GRIDS[nodes if not is_strong else 256 if nodes >= 16 else 16]
    words = []
    for axis, along, cores, here in zip("xyz", roots, GRIDS[nodes], OF_A_RANK[variant]):
        ranks = cores // here
        words += [f"--np{axis}", str(ranks), f"--init_{axis}", str(along // ranks)]
        words += [f"--n{axis}", "10" if is_strong else "12"]
    return [*words, *INPUT, *MORE.get(variant, []), "--stages_per_ts", str(stages), "--variant", variant]


def costs_of_reference(costs: dict[str, Any]) -> dict[str, Any]:
    """The same costs with the reference's pieces of stages. Units: ns a value."""
    runs = json.loads(BESIDE_REFERENCE.read_text())["runs"]["reference, 1 rank"]
    ns = {name: 1e9 * statistics.median(run[name] for run in runs) for name in ("calc", "comm", "red")}
    words = command_line(16, 1)[2:]  # without what it reports
    toolchain.build("release", [simulator.OF_AMR])
    there = simulator.ask(simulator.OF_AMR, ["--amounts"], costs, [*words, "--variant", "reference"])["amounts"]
    exchange = ns["comm"] / there["exchange"]
    pieces = {"stencil": ns["calc"] / there["stencil"], "sums": ns["red"] / there["sums"], "exchange": exchange}
    return costs | {"amr": costs["amr"] | pieces | {"pack": exchange / 2, "unpack": exchange / 2, "post": 0.0}}


def simulated(variant: str, nodes: int, costs: dict[str, Any], network: str, *, is_strong: bool) -> dict[str, Any]:
    """A row of the table."""
    cluster = simulator.Cluster(MACHINE, nodes, network)
    cores = 1 if OF_A_RANK[variant] == (1, 1, 1) else CORES
    began = time.monotonic()
    found = []
    for stages in _STAGES:
        run = generated.Run(paths.AMR, options(nodes, variant, stages, is_strong=is_strong))
        found.append(generated.simulate(run, str(cores), costs, cluster))
    few, many = (result["runs"][0] for result in found)
    more = _TIMESTEPS * (_STAGES[1] - _STAGES[0])
    stage = (many["duration_ns"] - few["duration_ns"]) / more
    refinement = few["duration_ns"] - _TIMESTEPS * _STAGES[0] * stage
    work = (found[1]["work_ns"] - found[0]["work_ns"]) / more
    return {
        "nodes": nodes,
        "variant": variant,
        "blocks": [found[0]["blocks"], *found[0]["refined_to"]],
        "stage_ms": stage / 1e6,
        "refinement_ms": refinement / 1e6,
        "cycle_ms": (_CYCLE * stage + refinement) / 1e6,
        "busy_in_stages": work / stage / len(few["workers"]),
        "link_in_stages": (many["busiest_link_ns"] - few["busiest_link_ns"]) / more / stage,
        "tasks": many["tasks"],
        "messages": many["messages"],
        "bytes": many["bytes"],
        "simulated_in_s": time.monotonic() - began,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="heddle-amr on simulated nodes of 48 cores")
    parser.add_argument("--nodes", default="1,4,16", help=f"of {', '.join(map(str, GRIDS))}")
    parser.add_argument("--strong", action="store_true", help="the same mesh on any number of nodes")
    parser.add_argument("--variants", default=",".join(OF_A_RANK))
    parser.add_argument("--network", default="queued", choices=("shared", "queued"))
    parser.add_argument("--out", type=Path, help="where the figures go, as JSON")
    asked = parser.parse_args()
    costs, _ = kept_costs.read(COSTS)
    costs_of = {"reference": costs_of_reference(costs)}
    rows: list[dict[str, Any]] = []
    print(
        "nodes variant    blocks  stage, ms  refinement  of a cycle  serial/it: stage, cycle   busy  link  simulated in, s"
    )
    for nodes in map(int, asked.nodes.split(",")):
        of_nodes: dict[str, dict[str, Any]] = {}
        for variant in asked.variants.split(","):
            row = simulated(variant, nodes, costs_of.get(variant, costs), asked.network, is_strong=asked.strong)
            of_nodes[variant] = row
            rows.append(row)
            base = of_nodes.get("serial", row)
            print(
                f"{nodes:5} {variant:10} {row['blocks'][0]:6} {row['stage_ms']:10.3f} {row['refinement_ms']:11.2f}"
                f" {row['refinement_ms'] / row['cycle_ms']:11.1%} {base['stage_ms'] / row['stage_ms']:17.2f}"
                f" {base['cycle_ms'] / row['cycle_ms']:6.2f} {row['busy_in_stages']:6.0%} {row['link_in_stages']:5.0%}"
                f" {row['simulated_in_s']:16.0f}",
                flush=True,
            )
        if asked.out is not None:
            written = {
                "machine": MACHINE.name,
                "costs": paths.shown(COSTS),
                "costs_of_reference": costs_of["reference"]["amr"],
            }
            results.write(asked.out, written | {"rows": rows})


if __name__ == "__main__":
    main()
