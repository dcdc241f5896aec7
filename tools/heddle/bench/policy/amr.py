"""heddle-amr as a program of a benchmark set: VARIANT [--seconds S | --repetitions N], one line of figures.

A value is the nanoseconds of one run, refinement included; the median where runs are repeated. The first one's checks
are what those of the others must equal.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from heddle import paths

# A sphere that enters the cube: 200 to 400 blocks of 8^3 cells, tasks of a few microseconds.
_INPUT = (
    "--report_perf 4 --num_refine 4 --nx 8 --ny 8 --nz 8 --num_vars 6 --num_tsteps 4 --stages_per_ts 10 "
    "--checksum_freq 5 --refine_freq 2 --max_blocks 3000 --num_objects 1 "
    "--object 2 0 -0.5 -0.5 -0.5 0.060 0.060 0.060 1.1 1.1 1.1 0 0 0"
).split()


def main(arguments: list[str]) -> int:
    variant, option, limit = arguments
    end = time.monotonic() + float(limit) if option == "--seconds" else None
    results: list[dict[str, Any]] = []
    while not results or (time.monotonic() < end if end else len(results) < int(limit)):
        results.append(_run(variant))
    is_right = all(result["checks"] == results[0]["checks"] for result in results)
    value = statistics.median(result["wall_seconds"]["total"] for result in results) * 1e9
    print(f"variant={variant} value={value:.0f} runs={len(results)} verified={'yes' if is_right else 'no'}")
    return 0 if is_right else 1


def _run(variant: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "results.json")
        command = [paths.program(paths.AMR), "--variant", variant, "--results", file, *_INPUT]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=90)
        if done.returncode != 0:
            sys.exit(f"heddle-amr ended with status {done.returncode}: {(done.stderr.splitlines() or [''])[-1]}")
        return json.loads(file.read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
