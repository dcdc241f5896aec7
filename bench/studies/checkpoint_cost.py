#!/usr/bin/env python3
"""What a checkpoint costs: writing one, against a plain copy of its bytes to the same disk, and its share of a run.

Both end when the bytes are on the disk. Rounds alternate: a run without checkpoints, one that writes one behind its third
timestep of four, then a copy. What a checkpoint costs is by how much the second run's stages and waits take longer: in
data-flow blocks are written by tasks while the next stages compute.

    .venv/bin/python bench/studies/checkpoint_cost.py [--rounds 7] [--folder DIR] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from heddle import launch, mpi, paths, results, toolchain

INPUT = (
    "--nx 16 --ny 16 --nz 16 --num_vars 40 --num_refine 3 --max_blocks 4000 --num_tsteps 4 --stages_per_ts 4 "
    "--refine_freq 5 --num_objects 1 --object 2 0 0.5 0.5 0.5 0 0 0 0.3 0.3 0.3 0 0 0 --init_y 2 --init_z 2 "
    "--initial-values block --report_perf 0 --quiet"
).split()
WAYS = {
    "serial, 1 rank": (1, 1, "serial"),
    "data-flow, 2 threads": (1, 2, "data-flow"),
    "serial, 2 ranks": (2, 1, "serial"),
}
MINUTE_S = 60.0


def run(folder: Path, ranks: int, threads: int, variant: str, *options: str) -> float:
    """Seconds of its stages and of its checkpoint, on the rank that took longest."""
    words = [*INPUT, "--npx", str(ranks), "--init_x", str(2 // ranks), "--variant", variant, *options]
    words += ["--results", "results.json"]
    plan = launch.plan(str(paths.program(paths.AMR)), "heddle", threads)
    command = [*(mpi.command(ranks, threads) if ranks > 1 else []), str(plan.program), *words]
    subprocess.run(command, cwd=folder, env=plan.environ, check=True)
    found = json.loads((folder / "results.json").read_text())
    times = [rank["wall_seconds"] for rank in found["of_ranks"]]
    return max(time["stages"] + time["checkpoint"] for time in times)


def copied(file: Path) -> float:
    """Seconds of a copy that ends on the disk."""
    to = file.with_suffix(".copy")
    begin = time.perf_counter()
    with file.open("rb") as source, to.open("wb") as target:
        while chunk := source.read(1 << 20):
            target.write(chunk)
        target.flush()
        os.fsync(target.fileno())
    seconds = time.perf_counter() - begin
    to.unlink()
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--folder", type=Path, default=None, help="on the disk that is measured")
    parser.add_argument("--json", type=Path, default=None)
    how = parser.parse_args()
    toolchain.build("release", [toolchain.RUNTIME_TARGET, paths.AMR])
    ratios: dict[str, list[float]] = {name: [] for name in WAYS}
    seconds: dict[str, list[float]] = {name: [] for name in WAYS}
    size = 0
    with tempfile.TemporaryDirectory(dir=how.folder) as folder:
        for _ in range(how.rounds):
            for name, (ranks, threads, variant) in WAYS.items():
                without = run(Path(folder), ranks, threads, variant)
                spent = run(Path(folder), ranks, threads, variant, "--checkpoint_freq", "3") - without
                file = Path(folder) / "chk00003.h5"
                size = file.stat().st_size
                seconds[name].append(spent)
                ratios[name].append(spent / copied(file))
                file.unlink()
    print(
        f"{size / 1e6:.0f} MB a checkpoint\n\n| | seconds | of a copy's | of a run, one a minute |\n|---|---|---|---|"
    )
    for name in WAYS:
        middle, ratio = statistics.median(seconds[name]), statistics.median(ratios[name])
        spread = f"[{min(ratios[name]):.2f} … {max(ratios[name]):.2f}]"
        print(f"| {name} | {middle:.2f} | {ratio:.2f} {spread} | {middle / MINUTE_S:.1%} |")
    if how.json:
        results.write(how.json, {"bytes": size, "seconds": seconds, "of_a_copy": ratios})


if __name__ == "__main__":
    main()
