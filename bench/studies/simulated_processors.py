"""The simulated machine beside a real one: the efficiency of tasks over their length, and times of small kernels.

    .venv/bin/python bench/studies/simulated_processors.py [--cases WORD] [--json FILE] [--set NAME=NUMBER …]
                                                           [--runtime FOLDER]

Measured are bench/results/grain-16.json and tasks-16.json: 16 processors of a virtual machine, another commit, whose
libheddle for the simulated machine FOLDER holds (by default this commit's, build/release/on-machine). The same programs
run on 16 simulated processors (docs/simulate/processors.md), where bodies take as long as they say. An error is
simulated over measured time, less 1. Exit status 1: a program failed.
"""

from __future__ import annotations

import argparse
import re
import statistics
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle import launch, machine, paths, results, runtimes
from heddle.bench import grain, programs, tasks
from heddle.simulate import on_machine

RESULTS = paths.ROOT / "bench" / "results"
PROCESSORS = 16
PATTERNS = ("independent", "chains", "stencil", "bursts")
KERNELS = {  # with how many tasks: those for which a kernel can be told are few enough to be simulated
    "independent": 5000,
    "chain": 5000,
    "listing1": 2000,
    "fan": 2000,
    "producer": 5000,
    "taskloop": 20000,
}
SHORT = ("--seconds", "0", "--repetitions", "3", "--work", "0.3")
POINT = re.compile(r"^point=\d+ task_ns=(\d+) .* efficiency=([\d.]+)", re.MULTILINE)
VALUE = re.compile(r"\bvalue=([\d.]+) .*verified=yes")


@dataclass(frozen=True)
class Case:
    name: str
    program: Path
    options: tuple[str, ...]
    measured: dict[str, float]  # by point: the time of a task, or how many times longer than its body

    def simulated(self, runtime: runtimes.Runtime, here: on_machine.Machine) -> dict[str, float]:
        plan = launch.plan_on(str(self.program), runtime, None)
        done = on_machine.call([str(self.program), *self.options], plan, here, keeps_output=True)
        said = done["stdout"]
        if points := POINT.findall(said):
            return {f"{self.name} {length} ns": 1 / float(efficiency) for length, efficiency in points}
        return {self.name: float(VALUE.search(said)[1])}


def cases(chosen: str) -> list[Case]:
    of_grain = results.read(RESULTS / "grain-16.json")["runs"][str(PROCESSORS)]
    of_tasks = results.read(RESULTS / "tasks-16.json")["runs"][str(PROCESSORS)]
    found = []
    for compiler in programs.compilers():
        for pattern in PATTERNS:
            for form in ("tasks", "graph"):
                name = f"{compiler.name} {pattern} {form}"
                points = of_grain[pattern][f"{compiler.name} heddle {form}"][0].get("points")
                if points and chosen in name:
                    measured = {f"{name} {length:.0f} ns": 1 / efficiency for length, efficiency in points}
                    program = programs.build(compiler, grain.BENCHMARK.sources)
                    found.append(Case(name, program, (pattern, "--form", form, *SHORT), measured))
        for kernel, count in KERNELS.items():
            name = f"{compiler.name} {kernel}"
            if chosen in name:
                middle = statistics.median(run["value"] for run in of_tasks[kernel][f"{compiler.name} heddle"])
                program = programs.build(compiler, tasks.BENCHMARK.sources)
                options = (kernel, "--repetitions", "1", "--tasks", str(count))
                found.append(Case(name, program, options, {name: middle}))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default="", help="only those whose name holds this word")
    parser.add_argument("--runtime", type=Path, metavar="FOLDER", help="another build's on-machine folder")
    parser.add_argument("--set", action="append", default=[], help="a number of the machine; several times for more")
    parser.add_argument("--json", type=Path, help="write the record to this file")
    options = parser.parse_args()

    rows: list[dict[str, Any]] = []
    runtime = on_machine.runtime()
    if options.runtime:
        runtime = on_machine.runtime_in(options.runtime, runtime.title)
        if runtime is None:
            parser.error(f"--runtime {options.runtime}: no runtime for the simulated machine is there")
    here = on_machine.Machine(PROCESSORS, numbers=("computing=said", *options.set))
    with ThreadPoolExecutor(2) as pool:
        for case, simulated in pool.map(lambda case: (case, case.simulated(runtime, here)), cases(options.cases)):
            for point, measured in case.measured.items():
                error = simulated[point] / measured - 1
                rows.append({"case": point, "measured": measured, "simulated": simulated[point], "error": error})
                print(f"{point:36} {measured:10.2f} {simulated[point]:10.2f} {100 * error:+6.0f} %", flush=True)
    middle = statistics.median(abs(row["error"]) for row in rows)
    print(f"{len(rows)} points, median of the errors without sign {100 * middle:.0f} %")
    if options.json:
        head = {
            "study": "simulated processors",
            "date": results.date(),
            "machine": machine.described(),
            "on": here.described(),
            "commit": results.commit_of(runtime.library.resolve().parent),
            "runtime": results.runtime_entry(runtime),
        }
        results.write(options.json, head | {"median": middle, "rows": rows})


if __name__ == "__main__":
    main()
