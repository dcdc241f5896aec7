"""Times heddle-amr's variants on the three runtimes, in turn, and prints how task-2 on libheddle compares with each.

    .venv/bin/python bench/studies/amr_variants.py --cells 16 --rounds 7 [--threads 2] [--variables 40] [--checksums 5]
        [--variants loop,task-2] [--runtimes heddle] [--halo faces] [--json FILE]

One round runs every combination once; ratios are taken round by round, so that a machine that slows down slows down
both sides. Times are the program's own, of the whole run including refinement. Ghosts are exchanged, as in
the paper's program, unless --halo faces is given.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

from heddle import results

ROOT = Path(__file__).resolve().parent.parent.parent
VARIANTS = ("loop", "loop-dyn", "task-1", "task-2", "taskloop", "task-graph")
RUNTIMES = ("gnu", "llvm", "heddle")
# The paper's sphere, started so near that there are 50 to 250 blocks of 16^3 cells, or 600 to 1000 of 8^3.
INPUTS = {
    16: ("--num_tsteps 4 --max_blocks 1600", "-0.6"),
    8: ("--num_tsteps 3 --max_blocks 3000", "-0.45"),
}
SUMMARY = re.compile(r"^Summary:.*? time ([0-9.]+)", re.MULTILINE)


def command_line(cells: int, variables: int, checksums: int, halo: str) -> list[str]:
    """checksums: every so many stages."""
    extent, centre = INPUTS[cells]
    return (
        f"--report_perf 4 --num_refine 4 --nx {cells} --ny {cells} --nz {cells} --num_vars {variables} "
        f"--stages_per_ts 20 --checksum_freq {checksums} --refine_freq 2 {extent} --halo {halo} --num_objects 1 "
        f"--object 2 0 {centre} {centre} {centre} 0.060 0.060 0.060 1.1 1.1 1.1 0 0 0"
    ).split()


def run_once(variant: str, runtime: str, threads: int, options: list[str]) -> float:
    """Seconds of one run. Errors: ends the program where the run fails."""
    command = [str(ROOT / "heddle"), "amr", "--runtime", runtime, "--threads", str(threads), "--variant", variant]
    done = subprocess.run(command + options, capture_output=True, text=True, check=False)
    found = SUMMARY.search(done.stdout)
    if done.returncode != 0 or found is None:
        sys.exit(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return float(found.group(1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, choices=sorted(INPUTS), default=16, help="cells of a block along an axis")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--variables", type=int, default=40, help="of each cell")
    parser.add_argument("--checksums", type=int, default=5, help="every so many stages, of 20 a timestep")
    parser.add_argument("--halo", choices=("ghosts", "faces"), default="ghosts")
    parser.add_argument("--variants", default=",".join(VARIANTS))
    parser.add_argument("--runtimes", default=",".join(RUNTIMES))
    parser.add_argument("--json", type=Path, help="write every time to this file")
    arguments = parser.parse_args()

    options = command_line(arguments.cells, arguments.variables, arguments.checksums, arguments.halo)
    # What all are compared with is always among them.
    combinations = [(v, r) for v in arguments.variants.split(",") for r in arguments.runtimes.split(",")]
    combinations = list(dict.fromkeys([*combinations, ("task-2", "heddle")]))
    seconds: dict[str, list[float]] = {f"{variant} {runtime}": [] for variant, runtime in combinations}
    for _ in range(arguments.rounds):
        for variant, runtime in combinations:
            seconds[f"{variant} {runtime}"].append(run_once(variant, runtime, arguments.threads, options))
    ours = seconds["task-2 heddle"]
    print(f"{'variant runtime':18} {'median s':>9} {'task-2 on heddle / this: median [min max]':>44}")
    for name, times in seconds.items():
        ratios = [mine / theirs for mine, theirs in zip(ours, times, strict=True)]
        spread = f"{statistics.median(ratios):.3f} [{min(ratios):.3f} {max(ratios):.3f}]"
        print(f"{name:18} {statistics.median(times):9.3f} {spread:>44}")
    if arguments.json:
        record = {
            "command": options,
            "threads": arguments.threads,
            "processors": os.cpu_count(),
            "seconds": seconds,
        }
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        results.write(arguments.json, record)


if __name__ == "__main__":
    main()
