"""What tools of OpenMP's tools interface cost: programs of tasks with and without them, on libheddle and on libomp.

    .venv/bin/python bench/studies/tools_overhead.py --json bench/results/tools.json [--threads 1,2] [--rounds 7]

Kernels of bench/kernels/tasks and bench/kernels/graphs, compiled by GCC for libheddle and by Clang for libheddle and libomp, run

    none        without a tool
    nothing     with a tool that asks to be told nothing
    everything  with one that is told of every event of the host, and does nothing then
    profile     with what `heddle profile` loads
    trace       with what `heddle trace` loads

one after the other, every second round backwards. A ratio is that of the times with a tool and without, taken round by
round; in brackets how many nanoseconds a task more that is, for kernels whose tasks are empty or nearly so. What
writing a trace in some format takes afterwards is not in it.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from heddle import machine, paths, results, runtimes, toolchain, whole_file
from heddle.bench import columns, graphs, programs, rounds, tasks
from heddle.bench.measurement import Case, Column

TOOLS = ("none", "nothing", "everything", "profile", "trace")
_TARGETS = ["heddle_profile", "heddle_trace", toolchain.RUNTIME_TARGET]
_PAIRS = (("gcc", "heddle"), ("clang", "heddle"), ("clang", "llvm"))
_OF_ONE_TASK = ("independent", "listing1", "fib")  # what they measure; the others an iteration
CASES: list[Case] = [
    *(tasks.cases.named(name) for name in _OF_ONE_TASK),
    *(
        replace(
            graphs.cases.SET.named(name),
            options=(*graphs.cases.SET.named(name).options, "--form", "tasks"),
            program="graphs",
        )
        for name in ("heat/16", "heat/64")
    ),
]


@dataclass(frozen=True)
class Key:
    threads: int
    case: str
    compiler: str
    runtime: str


def measure(threads: list[int], how: rounds.How) -> dict[Key, dict[str, list[float]]]:
    """Nanoseconds a task: a list with an entry a round, by tool. Errors: RuntimeError where a run fails."""
    libraries = built_tools()
    found = {name: runtimes.require(name) for name in ("heddle", "llvm")}
    compilers = {compiler.name: compiler for compiler in programs.compilers()}
    sources = {"": tasks.BENCHMARK.sources, "graphs": graphs.BENCHMARK.sources}
    took: dict[Key, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number in range(how.rounds):
        tools = TOOLS if number % 2 == 0 else TOOLS[::-1]
        for count in threads:
            for case in CASES:
                for compiler, runtime in _PAIRS:
                    program = programs.build(compilers[compiler], sources[case.program])
                    for tool in tools:
                        column = Column(compiler, runtime, found[runtime].title)
                        start = columns.start(column, program, found[runtime], count, graphs.BENCHMARK.environ)
                        value = _run(replace(case, program=""), start, tool, libraries.get(tool), how)
                        took[Key(count, case.name, compiler, runtime)][tool].append(value)
    return took


def built_tools() -> dict[str, Path]:
    """The library of each tool."""
    toolchain.build("release", _TARGETS)
    folder = paths.OUT / "bench" / "tools"
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for told in ("nothing", "everything"):
        made[told] = folder / f"{told}.so"
        command = f"g++ -O2 -std=c++20 -fPIC -shared -D{told.upper()} -I. bench/kernels/tools/tool.cpp"
        subprocess.run([*command.split(), "-o", made[told]], cwd=paths.ROOT, check=True)
    libraries = paths.build_dir("release") / "lib"
    return made | {name: libraries / f"libheddle-{name}.so" for name in ("profile", "trace")}


def _run(case: Case, start: columns.Start, tool: str, library: Path | None, how: rounds.How) -> float:
    with tempfile.TemporaryDirectory(dir=paths.OUT) as folder:
        if library:
            start.environ.update(OMP_TOOL_LIBRARIES=str(library), HEDDLE_TRACE_DIRECTORY=folder)
        run = rounds.run_once(start, case, how)
        wrote = any(Path(folder).iterdir())
    if run.value is None or wrote != (tool in ("profile", "trace")):
        raise RuntimeError(f"{case.name} with tool '{tool}': {run.failure or 'the tool was not loaded'}")
    return run.value


def summary(took: dict[Key, dict[str, list[float]]]) -> list[dict[str, object]]:
    """A row for each program, runtime and tool: ns without; ratio to that, median, least and greatest; ns more."""
    rows = []
    for key, by_tool in took.items():
        without = by_tool["none"]
        for tool in TOOLS[1:]:
            ratios = [a / b for a, b in zip(by_tool[tool], without, strict=True)]
            more = statistics.median(a - b for a, b in zip(by_tool[tool], without, strict=True))
            rows.append(
                {
                    "threads": key.threads,
                    "case": key.case,
                    "compiler": key.compiler,
                    "runtime": key.runtime,
                    "ns_without": round(statistics.median(without), 1),
                    "tool": tool,
                    "ratio": [round(value, 3) for value in (statistics.median(ratios), min(ratios), max(ratios))],
                    "ns_more": round(more, 1) if key.case in _OF_ONE_TASK else None,
                }
            )
    return rows


def show(rows: list[dict[str, object]]) -> None:
    print(f"{'threads':8}{'case':13}{'program':7}{'on':8}{'ns':>10}", *(f"{t:>16}" for t in TOOLS[1:]))
    for first in rows[:: len(TOOLS) - 1]:
        mine = [r for r in rows if all(r[w] == first[w] for w in ("threads", "case", "compiler", "runtime"))]
        more = [f" ({row['ns_more']:.0f})" if row["ns_more"] is not None else "" for row in mine]
        cells = [f"{row['ratio'][0]:.2f}{text}" for row, text in zip(mine, more, strict=True)]  # type: ignore[index]
        print(
            f"{first['threads']!s:8}{first['case']!s:13}{first['compiler']!s:7}{first['runtime']!s:8}"
            f"{first['ns_without']!s:>10}",
            *(f"{cell:>16}" for cell in cells),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--threads", default="1,2", help="numbers of threads")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.2, help="how long a run repeats its kernel")
    options = parser.parse_args()
    if options.json:
        whole_file.check("--json", options.json)
    paths.OUT.mkdir(exist_ok=True)
    threads = [int(word) for word in options.threads.split(",")]
    took = measure(threads, rounds.How(options.rounds, 120, ("--seconds", f"{options.seconds:g}")))
    rows = summary(took)
    show(rows)
    if options.json:
        how = f"--threads {options.threads} --rounds {options.rounds} --seconds {options.seconds:g}"
        record = {
            "command": f"bench/studies/tools_overhead.py {how}",
            "machine": machine.described(),
            "date": results.date(),
            "rows": rows,
        }
        results.write(options.json, record)


if __name__ == "__main__":
    main()
