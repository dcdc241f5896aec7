"""Waits on libheddle against the better of the stock runtimes: the kernels of waits.c, time and processor time.

    .venv/bin/python bench/studies/waits.py [--threads 1,2,4] [--rounds 9] [--json FILE]

waits.c is compiled by GCC and by Clang. One round runs, in turn, GCC's program on libgomp and libheddle and Clang's on
libomp and libheddle, all with the same number of steps for a microsecond of work. For each kernel and round the ratio
is libheddle's time over that of the stock runtime whose median is lower, with the program of the same compiler.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from sync import PAIRS, compile_program, output_of

KERNELS = {  # name and arguments: microseconds, repetitions
    "gaps of 20 us": ("gaps", 20, 2000),
    "gaps of 500 us": ("gaps", 500, 500),
    "gaps of 5 ms": ("gaps", 5000, 60),
    "bodies that sleep 1 ms": ("sleepers", 1000, 30),
    "primary works 200 us": ("primary", 200, 500),
}


def run_once(binary: Path, runtime: str, threads: int, arguments: tuple[object, ...]) -> tuple[float, float]:
    """Seconds by the clock and of the processors."""
    words = output_of(binary, runtime, threads, *arguments).split()
    if len(words) != 4:
        sys.exit(f"waits printed '{' '.join(words)}', not its four words")
    return float(words[1]), float(words[3])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", default="1,2,4", help="thread counts, separated by commas")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", type=Path, help="write every time to this file")
    options = parser.parse_args()

    times: dict[str, dict[str, dict[str, list[tuple[float, float]]]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        binaries = {stock: compile_program(compiler, Path(folder), "waits.c") for stock, compiler in PAIRS.items()}
        steps = int(subprocess.run([binaries["gnu"], "steps"], capture_output=True, text=True, check=True).stdout)
        for threads in options.threads.split(","):
            print(f"\n{threads} threads: medians of {options.rounds} rounds")
            print(f"{'kernel':24} {'libgomp':>8} {'libomp':>8}   heddle / better: time [range]     processor time")
            of_threads = times.setdefault(threads, {})
            for kernel, (what, us, repetitions) in KERNELS.items():
                of_kernel = of_threads.setdefault(kernel, {})
                for _ in range(options.rounds):
                    for stock in PAIRS:
                        for who in (stock, "heddle"):
                            key = stock if who == stock else f"heddle beside {stock}"
                            found = run_once(binaries[stock], who, int(threads), (what, us, repetitions, steps))
                            of_kernel.setdefault(key, []).append(found)
                print(line(kernel, of_kernel), flush=True)
    if options.json:
        record = {"processors": os.cpu_count(), "rounds": options.rounds, "wall and processor seconds": times}
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def line(kernel: str, runs: dict[str, list[tuple[float, float]]]) -> str:
    """A kernel's line of the table, from the (wall, processor) seconds of each round."""
    walls = {stock: statistics.median(wall for wall, _ in runs[stock]) for stock in PAIRS}
    better = min(walls, key=walls.__getitem__)
    pairs = list(zip(runs[f"heddle beside {better}"], runs[better], strict=True))
    ratios = sorted(ours[0] / theirs[0] for ours, theirs in pairs)
    processor = statistics.median(ours[1] / theirs[1] for ours, theirs in pairs)
    return (
        f"{kernel:24} {walls['gnu']:8.4f} {walls['llvm']:8.4f}   "
        f"{statistics.median(ratios):15.3f} [{ratios[0]:.2f} ... {ratios[-1]:.2f}] {processor:18.2f}"
    )


if __name__ == "__main__":
    main()
