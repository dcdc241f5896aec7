"""Tasks that create tasks and wait for them, on simulated processors: recursions, and a creator for each patch.

    .venv/bin/python bench/studies/nested_tasks.py [--processors 4,16,64] [--programs fib,tree]
        [--beside NAME=FOLDER …] [--compiler clang] [--json FILE]

Each program of bench/kernels/nested is executed with and without the rule that a thread which waits in a task steals
only from threads that work on its descendants (HEDDLE_WITHOUT=leapfrog), and by the runtime in FOLDER, the on-machine
folder of another build, or another OpenMP runtime that is compiled for the simulated machine. Which thread comes first changes such an execution much; so a figure for N processors from 5 on is the
geometric mean of those for neighbouring numbers, at most four: 13, 14, 15 and 16 stand for 16.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from heddle import launch, machine, paths, results, runtimes
from heddle.bench import programs
from heddle.errors import CheckFailed, UserError
from heddle.simulate import on_machine

SOURCES = programs.Sources(paths.ROOT / "bench" / "kernels" / "nested", "nested", ("-O2",), ())
MOST_NEIGHBOURS = 4


@dataclass(frozen=True)
class Side:
    """What a program is executed with."""

    runtime: runtimes.Runtime
    without: str = ""  # HEDDLE_WITHOUT

    def time_ms(self, program: Path, name: str, processors: int) -> float:
        """Errors: CheckFailed where the program fails."""
        plan = launch.plan_on(str(program), self.runtime, None)
        plan = replace(plan, environ={**plan.environ, "HEDDLE_WITHOUT": self.without})
        here = on_machine.Machine(processors, numbers=("computing=said",))
        done = on_machine.call([str(program), name], plan, here, keeps_output=True)
        return float(done["stdout"]) / 1e6

    def mean_ms(self, program: Path, name: str, processors: int) -> float:
        neighbours = min(MOST_NEIGHBOURS, 1 + processors // 5)
        counts = range(processors - neighbours + 1, processors + 1)
        return statistics.geometric_mean(self.time_ms(program, name, count) for count in counts)

    def described(self) -> dict[str, str]:
        commit = results.commit_of(self.runtime.library.resolve().parent)
        return {"commit": commit, "without": self.without, **results.runtime_entry(self.runtime)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processors", default="4,16,64", help="with commas between them")
    parser.add_argument("--programs", help="some of those of nested --list, with commas between them")
    parser.add_argument(
        "--beside", metavar="NAME=FOLDER", action="append", default=[], help="another runtime, in a column of that name"
    )
    parser.add_argument("--compiler", default="gcc", help="whose program: gcc or clang")
    parser.add_argument("--json", type=Path, help="write the record to this file")
    options = parser.parse_args()

    program = programs.build(programs.compiler(options.compiler), SOURCES)
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.split()
    names = options.programs.split(",") if options.programs else listed
    if not set(names) <= set(listed):
        raise UserError(f"--programs {options.programs}: there are {', '.join(listed)}")
    now = on_machine.runtime()
    sides = {"now": Side(now), "without": Side(now, "leapfrog")}
    sides |= {name: Side(runtime) for name, runtime in map(on_machine.beside, options.beside)}
    rows: list[dict[str, Any]] = []
    print(f"{'program':12} {'processors':>10}" + "".join(f" {'ms ' + side:>11}" for side in sides))
    for name in names:
        for count in on_machine.counts(options.processors):
            found = {side: round(each.mean_ms(program, name, count), 4) for side, each in sides.items()}
            rows.append({"program": name, "processors": count, "ms": found})
            print(f"{name:12} {count:10}" + "".join(f" {ms:11.3f}" for ms in found.values()), flush=True)
    if options.json:
        head = {
            "study": "nested tasks",
            "date": results.date(),
            "machine": machine.described(),
            "simulated": on_machine.Machine(1, numbers=("computing=said",)).described(),
            "sides": {side: each.described() for side, each in sides.items()},
        }
        results.write(options.json, {**head, "rows": rows})


if __name__ == "__main__":
    try:
        main()
    except (UserError, CheckFailed) as mistake:
        print(mistake, file=sys.stderr)
        sys.exit(2 if isinstance(mistake, UserError) else 1)
