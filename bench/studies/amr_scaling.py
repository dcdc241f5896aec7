"""heddle-amr on 1 to 256 simulated nodes of 48 cores: the scaling of the data-flow paper, its mesh standing still.

    .venv/bin/python bench/studies/amr_scaling.py [--strong] [--nodes 1,4,16] [--network queued] [--out FILE.json]

Four spheres, 40 variables, 40 stages, sums every ten. Weak scaling: blocks of 12 cubed cells, one initial block a core.
Strong: blocks of 10 cubed, from 16 nodes on the initial blocks of 256, on fewer a sixteenth. `serial` has 48 ranks a
node, the others four of 12 threads; data-flow has its messages cut as in the paper. The spheres, and how far the mesh is
refined, are ours: the paper does not give them.

Source: K. Sala et al., "Towards data-flow parallelization for adaptive mesh refinement applications", 2020, V-C and
V-D.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from heddle import paths, results
from heddle.simulate import generated, kept_costs
from heddle.simulate.simulator import Cluster

MACHINE = paths.ROOT / "bench" / "machines" / "omni-path.xml"
COSTS = paths.ROOT / "bench" / "results" / "costs.json"
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
OF_A_RANK = {"serial": (1, 1, 1), "loop": (2, 3, 2), "data-flow": (2, 3, 2)}
MORE = {"data-flow": "--send_faces --separate_buffers --max_comm_tasks 8".split()}
_SPHERES = ((0.15, 0.3, 0.3, 0.01), (0.15, 0.7, 0.7, 0.01), (0.85, 0.3, 0.7, -0.01), (0.85, 0.7, 0.3, -0.01))
INPUT = (
    "--num_tsteps 1 --stages_per_ts 40 --checksum_freq 10 --num_vars 40 --max_blocks 200000 "
    f"--num_refine 3 --num_objects {len(_SPHERES)} "
    + " ".join(f"--object 2 0 {x} {y} {z} {dx} 0 0 0.1 0.1 0.1 0 0 0" for x, y, z, dx in _SPHERES)
).split()


def options(nodes: int, variant: str, *, is_strong: bool) -> list[str]:
    roots = GRIDS[nodes if not is_strong else 256 if nodes >= 16 else 16]
    words = []
    for axis, along, cores, here in zip("xyz", roots, GRIDS[nodes], OF_A_RANK[variant]):
        ranks = cores // here
        words += [f"--np{axis}", str(ranks), f"--init_{axis}", str(along // ranks)]
        words += [f"--n{axis}", "10" if is_strong else "12"]
    return [*words, *INPUT, *MORE.get(variant, []), "--variant", variant]


def main() -> None:
    parser = argparse.ArgumentParser(description="heddle-amr on simulated nodes of 48 cores")
    parser.add_argument("--nodes", default="1,4,16", help=f"of {', '.join(map(str, GRIDS))}")
    parser.add_argument("--strong", action="store_true", help="the same mesh on any number of nodes")
    parser.add_argument("--variants", default=",".join(OF_A_RANK))
    parser.add_argument("--network", default="queued", choices=("shared", "queued"))
    parser.add_argument("--out", type=Path, help="where the figures go, as JSON")
    asked = parser.parse_args()
    costs, _ = kept_costs.read(COSTS)
    rows = []
    print("nodes variant    blocks      ms   serial/it   busy     tasks  messages  simulated in, s")
    for nodes in map(int, asked.nodes.split(",")):
        base = 0.0
        for variant in asked.variants.split(","):
            cores = 1 if variant == "serial" else CORES
            began = time.monotonic()
            cluster = Cluster(MACHINE, nodes, asked.network)
            program = generated.Run(paths.AMR, options(nodes, variant, is_strong=asked.strong))
            result = generated.simulate(program, str(cores), costs, cluster)
            took = time.monotonic() - began
            run = result["runs"][0]
            base = base or run["duration_ns"]
            busy = result["work_ns"] / run["duration_ns"] / len(run["workers"])
            row = {"nodes": nodes, "variant": variant, "blocks": result["blocks"], "ms": run["duration_ns"] / 1e6}
            row |= {"busy": busy, "tasks": run["tasks"], "messages": run["messages"], "simulated_in_s": took}
            rows.append(row)
            print(
                f"{nodes:5} {variant:10} {row['blocks']:6} {row['ms']:7.1f} {base / run['duration_ns']:11.2f}"
                f" {busy:6.0%} {row['tasks']:9} {row['messages']:9} {took:16.1f}",
                flush=True,
            )
    if asked.out is not None:
        written = {"machine": MACHINE.name, "costs": paths.shown(COSTS), "rows": rows}
        results.write(asked.out, written)


if __name__ == "__main__":
    main()
