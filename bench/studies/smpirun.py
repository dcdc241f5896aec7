"""heddle-amr under SimGrid's own MPI, beside Heddle's simulation of it: a second opinion on messages.

    .venv/bin/python bench/studies/smpirun.py [--out FILE.json]

The program itself, compiled by smpicxx, runs unchanged under smpirun, one rank on each node of a machine file; Heddle
simulates the same input from the mesh alone. Computing counts as nothing, and every send waits for its receive, on
either side: what is left is who waits for whom, and the network. The time of a stage is that of 50 less that of 10.
"""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from heddle import paths, results
from heddle.simulate import kept_costs, simulator

MACHINE = paths.ROOT / "bench" / "machines" / "omni-path.xml"
COSTS = paths.ROOT / "bench" / "results" / "costs.json"
BUILD = paths.ROOT / "build" / "smpi"
GRIDS = ((2, 1, 1), (4, 2, 2), (4, 4, 4), (8, 4, 4), (8, 8, 4))
STAGES = (10, 50)
INPUT = (
    "--num_tsteps 1 --nx 12 --ny 12 --nz 12 --num_vars 40 --max_blocks 2000 --num_refine 1 --refine_freq 1000 "
    "--checksum_freq 0 --num_objects 1 --object 2 0 0.5 0.5 0.5 0 0 0 0.2 0.2 0.2 0 0 0 --variant serial"
).split()
SETTINGS = (
    "--log=root.thresh:info --cfg=smpi/display-timing:yes --cfg=smpi/simulate-computation:no --cfg=network/model:CM02 "
    "--cfg=network/crosstraffic:0 --cfg=smpi/bw-factor:1 --cfg=smpi/lat-factor:1 --cfg=smpi/send-is-detached-thresh:0"
).split()


def built() -> Path:
    """The program as smpirun wants it: its main() renamed, and linked as a library, by SimGrid's wrapper."""
    configure = ["cmake", "-G", "Ninja", "-S", str(paths.ROOT), "-B", str(BUILD), "-DCMAKE_BUILD_TYPE=Release"]
    off = [f"-DHEDDLE_{part}=OFF" for part in ("RUNTIME", "WAVE", "EXAMPLES", "TESTS")]
    subprocess.run([*configure, f"-DHEDDLE_MPICC={shutil.which('smpicc')}", *off], check=True, capture_output=True)
    subprocess.run(["ninja", "-C", str(BUILD), "-j2", paths.AMR], check=True, capture_output=True)
    said = subprocess.run(["ninja", "-C", str(BUILD), "-t", "commands", paths.AMR], check=True, capture_output=True)
    commands = said.stdout.decode().splitlines()
    compile_main = next(line for line in commands if "miniamr.cpp" in line and " -c " in line)
    link = next(line for line in commands if f"-o bin/{paths.AMR}" in line).removeprefix(": && ").removesuffix(" && :")
    for line in (compile_main.replace("-fPIE", "-fPIC"), link.replace("-fPIE", "").replace(" -pie", "")):
        subprocess.run(["smpicxx", *shlex.split(line)[1:]], cwd=BUILD, check=True, capture_output=True)
    return BUILD / "bin" / paths.AMR


def options(grid: tuple[int, int, int], stages: int) -> list[str]:
    ranks = [word for axis, count in zip("xyz", grid) for word in (f"--np{axis}", str(count))]
    return [*ranks, "--stages_per_ts", str(stages), *INPUT]


def theirs(program: Path, grid: tuple[int, int, int], stages: int) -> float:
    """Units: s."""
    ranks = grid[0] * grid[1] * grid[2]
    with tempfile.TemporaryDirectory() as folder:
        hosts = Path(folder) / "hosts"
        hosts.write_text("".join(f"node-{i}\n" for i in range(ranks)))
        start = ["smpirun", "-np", str(ranks), "-hostfile", str(hosts), "-platform", str(MACHINE), *SETTINGS]
        end = ["--threads", "1", "--quiet", "--report_perf", "0"]
        done = subprocess.run(
            [*start, program, *options(grid, stages), *end], capture_output=True, text=True, cwd=folder
        )
    found = re.search(r"Simulated time: ([\d.]+)", done.stdout + done.stderr)
    if done.returncode != 0 or found is None:
        raise SystemExit(f"smpirun ended with status {done.returncode}: {done.stderr[-500:]}")
    return float(found[1])


def ours(grid: tuple[int, int, int], stages: int) -> float:
    """Units: s."""
    costs, _ = kept_costs.read(COSTS)
    free = kept_costs.free(costs)
    free["amr"] = dict.fromkeys(costs["amr"], 0.0)
    free["messages"] = costs["messages"] | {"receive": 0.0, "start": 0.0, "eager_limit": 0.0}
    cluster = ["--machine", str(MACHINE), "--nodes", str(grid[0] * grid[1] * grid[2])]
    result = simulator.ask(simulator.OF_AMR, ["--cores", "1", *cluster], free, options(grid, stages))
    return result["runs"][0]["duration_ns"] / 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description="heddle-amr under smpirun, beside Heddle's simulation of it")
    parser.add_argument("--out", type=Path, help="where the figures go, as JSON")
    out = parser.parse_args().out
    program = built()
    few, many = STAGES
    rows = []
    print("ranks   us a stage: smpirun  heddle simulate  ratio")
    for grid in GRIDS:
        each = {
            name: 1e6 * (of(many) - of(few)) / (many - few)
            for name, of in (
                ("smpirun", lambda stages, grid=grid: theirs(program, grid, stages)),
                ("heddle", lambda stages, grid=grid: ours(grid, stages)),
            )
        }
        rows.append({"ranks": grid[0] * grid[1] * grid[2], "us_a_stage": each})
        print(
            f"{rows[-1]['ranks']:5} {each['smpirun']:20.2f} {each['heddle']:16.2f}"
            f" {each['heddle'] / each['smpirun']:6.3f}"
        )
    if out is not None:
        results.write(out, {"machine": MACHINE.name, "rows": rows})


if __name__ == "__main__":
    main()
