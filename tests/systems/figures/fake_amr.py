#!/usr/bin/python3 -S
"""A stand-in for heddle-amr: the same command line, results file and plot files, no fields.

Its mesh is the octree of the blocks that a sphere's surface crosses; its checks are made-up numbers. FAKE_AMR_WRONG
names a variant that gives a wrong sum, FAKE_AMR_CRASH one that fails.
"""

import json
import math
import os
import sys

arguments = sys.argv[1:]
if os.environ.get("PMI_RANK", "0") != "0":  # of several, one writes
    sys.exit()


def option(name, default):
    return arguments[arguments.index(name) + 1] if name in arguments else default


def crosses(centre, half, sphere):
    nearest = math.dist(sphere, [min(max(s, c - half), c + half) for s, c in zip(sphere, centre)])
    farthest = math.dist(sphere, [c - half if s > c else c + half for s, c in zip(sphere, centre)])
    return nearest <= 1.1 <= farthest


def leaves(level, centre, half, sphere, deepest):
    if level == deepest or not crosses(centre, half, sphere):
        return [(level, centre)]
    found = []
    for corner in range(8):
        child = [c + half / 2 * (1 if corner >> d & 1 else -1) for d, c in enumerate(centre)]
        found += leaves(level + 1, child, half / 2, sphere, deepest)
    return found


variant = option("--variant", "task-2")
if os.environ.get("FAKE_AMR_CRASH") == variant:
    print("first words", file=sys.stderr)
    sys.exit("heddle-amr: the cube is full")
timesteps, deepest = int(option("--num_tsteps", 20)), int(option("--num_refine", 4))
refinements = []
for timestep in range(0, timesteps + 1, int(option("--refine_freq", 5))):
    sphere = [-1.1 + 0.06 * timestep] * 3
    refinements.append({"timestep": timestep, "mesh_fingerprint": f"{timestep:016x}"})
    refinements[-1]["objects"] = [{"center": sphere, "size": [1.1] * 3}]
wrong = os.environ.get("FAKE_AMR_WRONG") == variant
checks = [
    {"timestep": t, "stage": 0, "sum": [1.0 + wrong * 1e-15], "sumsq": [2.0], "moment": [3.0]} for t in range(1, 4)
]
with open(option("--results", "results.json"), "w") as file:
    json.dump(
        {
            "variant": variant,
            "threads": int(option("--threads", 1)),
            "refinements": refinements,
            "checks": checks,
            "wall_seconds": {"total": 0.1 + 0.01 * len(variant)},
            "cell_updates_per_second": 1e9 / len(variant),
        },
        file,
    )
if "--plot_freq" in arguments:
    scale = 2 ** (deepest + 1)
    for timestep in range(timesteps + 1):
        sphere = [-1.1 + 0.06 * (timestep // 2 * 2)] * 3
        blocks = leaves(0, [0.5] * 3, 0.5, sphere, deepest)
        with open(f"plot.{timestep:03d}", "w") as file:
            file.write(f"{len(blocks)} {deepest} 1 1 1\n{len(blocks)}\n")
            for level, centre in blocks:
                file.write(f"{level} {' '.join(str(round(c * scale)) for c in centre)}\n")
