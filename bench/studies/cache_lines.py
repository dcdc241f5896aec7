"""How many cache lines move for an event of the runtime, on simulated processors.

    .venv/bin/python bench/studies/cache_lines.py [--processors 16,64] [--events task,barrier] [--places N]
        [--beside NAME=FOLDER …] [--compiler clang] [--set NAME=NUMBER …] [--json FILE]

Each event of bench/kernels/lines is executed COUNT times for each processor, and three times as often; what the second run has more is divided
by what it did more, so that starting and ending count for nothing. FOLDER is the on-machine folder of another build, or has
another OpenMP runtime that is compiled for the simulated machine; it stands in a column of its own. Machines of 64 processors and more have two sockets of two last-level caches.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle import launch, machine, paths, results, runtimes
from heddle.bench import programs
from heddle.errors import CheckFailed, UserError
from heddle.simulate import on_machine

SOURCES = programs.Sources(paths.ROOT / "bench" / "kernels" / "lines", "lines", ("-O2",), ())
COUNT = 125  # for each processor
MANY = 64


@dataclass(frozen=True)
class Figures:
    """Of one event. places: lines and waits by where in the code they are moved."""

    lines: float
    ns: float
    places: dict[str, tuple[float, float]]


def figures(program: Path, event: str, runtime: runtimes.Runtime, here: on_machine.Machine) -> Figures:
    """Errors: CheckFailed where the program fails."""
    plan = launch.plan_on(str(program), runtime, None)
    count = COUNT * here.processors
    runs = [
        on_machine.call([str(program), event, str(many)], plan, here, keeps_output=True) for many in (count, 3 * count)
    ]
    moved = [on_machine.transfers(run) for run in runs]
    times = [float(run["stdout"]) for run in runs]
    more = 2.0 * count

    def of(run: int, place: str, field: int) -> float:
        return float(moved[run].get(place, (0, 0))[field])

    places = {
        place: ((of(1, place, 0) - of(0, place, 0)) / more, (of(1, place, 1) - of(0, place, 1)) / more)
        for place in moved[1]
    }
    return Figures(sum(lines for lines, _ in places.values()), (times[1] - times[0]) / more, places)


def described(runtime: runtimes.Runtime) -> dict[str, str]:
    return {"commit": results.commit_of(runtime.library.resolve().parent), **results.runtime_entry(runtime)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processors", default="16,64", help="with commas between them")
    parser.add_argument("--events", help="some of those of lines --list, with commas between them")
    parser.add_argument("--places", type=int, default=0, metavar="N", help="where most lines move, N an event")
    parser.add_argument(
        "--beside", metavar="NAME=FOLDER", action="append", default=[], help="another runtime, in a column of that name"
    )
    parser.add_argument("--compiler", default="gcc", help="whose program: gcc or clang")
    parser.add_argument("--set", action="append", default=[], help="a number of the machine; several times for more")
    parser.add_argument("--json", type=Path, help="write the record to this file")
    options = parser.parse_args()

    program = programs.build(programs.compiler(options.compiler), SOURCES)
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.split()
    events = options.events.split(",") if options.events else listed
    if not set(events) <= set(listed):
        raise UserError(f"--events {options.events}: there are {', '.join(listed)}")
    sides = dict(on_machine.beside(text) for text in options.beside) | {"now": on_machine.runtime()}
    rows: list[dict[str, Any]] = []
    print(f"{'event':12} {'processors':>10}" + "".join(f" {f'lines {s}':>13} {f'ns {s}':>10}" for s in sides))
    for count in on_machine.counts(options.processors):
        shape = {"caches": 4, "sockets": 2} if count >= MANY else {}
        here = on_machine.Machine(count, numbers=("computing=said", *options.set), **shape)
        for event in events:
            found = {side: figures(program, event, runtime, here) for side, runtime in sides.items()}
            row = {side: {"lines": round(each.lines, 3), "ns": round(each.ns, 1)} for side, each in found.items()}
            rows.append({"event": event, "processors": count, "machine": here.described(), **row})
            words = "".join(f" {each.lines:13.1f} {each.ns:10.1f}" for each in found.values())
            print(f"{event:12} {count:10}{words}", flush=True)
            most = sorted(found["now"].places.items(), key=lambda place: -place[1][0])[: options.places]
            for place, (lines, waited) in most:
                print(f"    {lines:8.2f} lines {waited:8.1f} ns  {place}")
    if options.json:
        head = {
            "study": "cache lines",
            "date": results.date(),
            "machine": machine.described(),
            "sides": {side: described(runtime) for side, runtime in sides.items()},
        }
        results.write(options.json, {**head, "rows": rows})


if __name__ == "__main__":
    try:
        main()
    except (UserError, CheckFailed) as mistake:
        print(mistake, file=sys.stderr)
        sys.exit(2 if isinstance(mistake, UserError) else 1)
