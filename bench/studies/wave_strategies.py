"""Times heddle-wave's strategies over threads, as figures 2 to 4 of Schulz et al. 2021 do, on the runtimes here.

    .venv/bin/python bench/studies/wave_strategies.py --json bench/results/wave-strategies.json
    .venv/bin/python bench/studies/wave_strategies.py --from bench/results/wave-strategies.json \
        --plot docs/img/wave-strategies.png

The second command draws what the first has measured. Other options: [--threads 1,2] [--rounds 7] [--timeout 10]
[--quick].

The problem is the paper's: a high-density peak in a periodic square, a uniform mesh along Peano's curve. `small` has
6561 patches of 9x9 volumes, so that scheduling shows more than caches; `large` 729 patches of 27x27. A time is that of
all steps over steps and patches. The partitions are one a thread and of equal size (well), or half of the patches, a
quarter, an eighth and so on (ill), four at least: on two threads two halves were well balanced. One thread has one
partition, whatever the cut.

One round runs each combination once, every second round backwards. What does not end in time is stopped and not
started again. The state must be the same, bit for bit, at the end of all runs of a size.

Figure 3 is about what is pending after the primary traversal; heddle-wave counts that.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from heddle import machine, program_run, results, terminal, whole_file
from heddle.errors import CheckFailed, UserError
from heddle.wave import columns, ways

_PEAK = "--problem high-density-peak --dim 2 --ratio 3 --regrid_freq 0 --criterion fixed"
INPUTS = {
    "small": f"{_PEAK} --volumes 9 --base_level 4 --max_level 4 --max_steps 20",
    "large": f"{_PEAK} --volumes 27 --base_level 3 --max_level 3 --max_steps 20",
}
QUICK_INPUTS = {
    "small": f"{_PEAK} --volumes 5 --base_level 2 --max_level 2 --max_steps 4",
    "large": f"{_PEAK} --volumes 7 --base_level 2 --max_level 2 --max_steps 4",
}
_LEFT_OUT = ("serial", "bsp-for")
_SAME = ("state_fingerprint", "mesh_fingerprint", "steps")
# Of the results' counts: what is kept of each run, over all its steps.
_COUNTS = ("skeleton_patches", "enclave_patches", "pending_after_primary", "most_pending_after_primary")


class Measurement:
    """The runs of all combinations. Each run: microseconds a step and patch, share of the threads' time on patches,
    counts; or why it has none."""

    def __init__(self, inputs: dict[str, str], timeout_s: float) -> None:
        self.inputs = inputs
        self.timeout_s = timeout_s
        self.runs: dict[str, dict[str, dict[str, dict[str, list[dict[str, Any]]]]]] = {}
        self._first: dict[str, dict[str, Any]] = {}

    def run(self, size: str, threads: int, way: ways.Way, key: str, column: columns.Column, folder: Path) -> None:
        """One run. Errors: CheckFailed when it fails or its state differs."""
        by_way = self.runs.setdefault(size, {}).setdefault(str(threads), {})
        runs = by_way.setdefault(case_name(way), {}).setdefault(key, [])
        if runs and "failure" in runs[-1]:
            return
        # The paper's wait, on every runtime.
        wait = ["--wait", "poll"] if way.strategy and way.strategy != "in-runtime" else []
        arguments = [*self.inputs[size].split(), *wait]
        try:
            data = column.run(way, arguments, threads, folder / "results.json", timeout_s=self.timeout_s)
        except program_run.NotEnded as reason:
            runs.append({"failure": f"no end in {reason.limit_s:.0f} s"})
            return
        except program_run.RunFailed as failure:
            raise CheckFailed(str(failure)) from None
        first = self._first.setdefault(size, data)
        for quantity in _SAME:
            if data[quantity] != first[quantity]:
                words = column.described(way, threads)
                raise CheckFailed(f"{words}: {quantity} is {data[quantity]} instead of {first[quantity]}")
        microseconds = data["wall_seconds"]["steps"] / (data["steps"] * data["patches"]) * 1e6
        counts = {name: data["counts"][name] for name in _COUNTS if name in data["counts"]}
        runs.append({"us": round(microseconds, 5), "share": round(data["busy_share"], 4), **counts})

    def first(self, size: str) -> dict[str, Any]:
        """The results of the size's first run."""
        return self._first[size]


def case_name(way: ways.Way) -> str:
    """'enclave, native, well'."""
    return f"{way.name}, {way.cut}" if way.cut else way.name


def chosen_columns() -> dict[str, columns.Column]:
    """By the runtime's name."""
    return {column.name: column for column in columns.installed()}


def measure(inputs: dict[str, str], threads: list[int], rounds: int, timeout_s: float) -> dict[str, Any]:
    """The record. Errors: as Measurement.run()."""
    chosen = chosen_columns()
    offered = [way for way in ways.offer(chosen["heddle"].program).ways() if way.model not in _LEFT_OUT]
    combinations = [
        (size, n, way, key)
        for size in inputs
        for n in threads
        for way in offered
        if n > 1 or way.cut != "ill"
        for key in chosen
    ]
    measurement = Measurement(inputs, timeout_s)
    with tempfile.TemporaryDirectory() as folder, terminal.bar("strategies", announces=True, predicts=True) as progress:
        for round_ in range(rounds):
            for i, (size, n, way, key) in enumerate(combinations if round_ % 2 == 0 else combinations[::-1]):
                text = f"{size}, {chosen[key].described(way, n)}"
                progress(round_ * len(combinations) + i, rounds * len(combinations), text=text)
                measurement.run(size, n, way, key, chosen[key], Path(folder))
    firsts = {size: measurement.first(size) for size in inputs}
    return {
        "benchmark": "wave-strategies",
        "date": results.date(),
        "command": ["bench/studies/wave_strategies.py", *sys.argv[1:]],
        "machine": machine.described(),
        "compiler": _compiler(),
        "runtimes": {column.name: results.runtime_entry(column.runtime) for column in chosen.values()},
        "columns": {key: {"title": column.title} for key, column in chosen.items()},
        "inputs": inputs,
        "patches": {size: first["patches"] for size, first in firsts.items()},
        "steps": {size: first["steps"] for size, first in firsts.items()},
        "volumes_per_patch": {size: first["volumes_per_patch"] for size, first in firsts.items()},
        "state_fingerprints": {size: first["state_fingerprint"] for size, first in firsts.items()},
        "threads": threads,
        "rounds": rounds,
        "timeout_s": timeout_s,
        "runs": measurement.runs,
    }


def _compiler() -> str:
    said = subprocess.run(["g++", "--version"], capture_output=True, text=True, timeout=60, check=False)
    return said.stdout.partition("\n")[0]


def print_table(record: dict[str, Any]) -> None:
    """Medians with least and most; what is pending, of the enclave patches."""
    base_key = "gnu" if "gnu" in record["columns"] else "heddle"
    for size, by_threads in record["runs"].items():
        for threads, by_way in by_threads.items():
            base = by_way["bsp, well"][base_key]
            print(
                f"\n{size}: {record['inputs'][size]}\n{threads} threads; microseconds a step and patch, median [least"
            )
            print(f"most] of {record['rounds']}; ratio to bsp, well, {base_key}; pending after the primary traversal\n")
            for name, by_column in by_way.items():
                for key, runs in by_column.items():
                    print(f"{name:52} {record['columns'][key]['title']:18} {_words(runs, base)}")


def _words(runs: list[dict[str, Any]], base: list[dict[str, Any]]) -> str:
    if "failure" in runs[-1]:
        return runs[-1]["failure"]
    times = [run["us"] for run in runs]
    words = f"{statistics.median(times):8.3f} [{min(times):.3f} {max(times):.3f}]"
    if "failure" not in base[-1]:
        ratios = [run["us"] / other["us"] for run, other in zip(runs, base, strict=True)]
        words += f"  {statistics.median(ratios):5.2f} [{min(ratios):.2f} {max(ratios):.2f}]"
    shares = pending_shares(runs)
    return f"{words}  {statistics.median(shares):4.0%}" if shares else words


def pending_shares(runs: list[dict[str, Any]]) -> list[float]:
    """Enclave patches that are pending after the primary traversals, of all enclave patches; empty where none are."""
    return [run["pending_after_primary"] / run["enclave_patches"] for run in runs if run.get("enclave_patches")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", default="1,2", help="with commas between them")
    parser.add_argument("--rounds", type=int, default=None, help="7, or 1 with --quick")
    parser.add_argument("--timeout", type=float, help="seconds after which a run does not end: 10, or 2 with --quick")
    parser.add_argument("--quick", action="store_true", help="a tiny input, once: to see that it works")
    parser.add_argument("--json", type=Path, help="write every figure to this file")
    parser.add_argument("--plot", type=Path, help="draw them into this PNG file")
    parser.add_argument("--from", dest="record", type=Path, help="measure nothing, take the figures of this file")
    arguments = parser.parse_args()
    try:
        for option, file in (("--json", arguments.json), ("--plot", arguments.plot)):
            if file:
                whole_file.check(option, file)
        if arguments.record:
            record = json.loads(arguments.record.read_text(encoding="utf-8"))
        else:
            threads = [int(word) for word in arguments.threads.split(",")]
            rounds = arguments.rounds or (1 if arguments.quick else 7)
            inputs = QUICK_INPUTS if arguments.quick else INPUTS
            record = measure(inputs, threads, rounds, arguments.timeout or (2 if arguments.quick else 10))
        if arguments.json:
            results.write(arguments.json, record)
    except (UserError, CheckFailed, OSError, ValueError) as error:
        sys.exit(f"wave_strategies: {error}")
    print_table(record)
    if arguments.plot:
        from wave_strategies_plot import draw

        whole_file.put(arguments.plot, draw(record))


if __name__ == "__main__":
    main()
