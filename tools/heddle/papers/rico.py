"""Rico and others: loops and tasks in miniAMR."""

from __future__ import annotations

import statistics

from heddle import paths, results, runtimes, toolchain
from heddle.papers import programs, simulated
from heddle.papers.finding import Finding, How, Paper, middle, spread
from heddle.simulate import kept_costs, simulator

_CORES = (2, 8, 16, 28)  # the last: a socket's of the paper's first machine
# The input of bench/studies/amr_variants.py with blocks of 8³ cells.
_TRACED = (
    "--nx 8 --ny 8 --nz 8 --num_vars 40 --num_tsteps 3 --stages_per_ts 20 --checksum_freq 5 --refine_freq 2 "
    "--report_perf 4 --num_refine 4 --max_blocks 3000 --num_objects 1 "
    "--object 2 0 -0.45 -0.45 -0.45 0.060 0.060 0.060 1.1 1.1 1.1 0 0 0"
).split()


def measure(how: How) -> list[Finding]:
    toolchain.build("release", ["heddle", paths.AMR, simulator.OF_WORKLOADS])
    found = []
    for cells in (8,) if how.quick else (8, 16):
        how.say(f"variants with blocks of {cells}³ cells")
        arguments = ["--cells", str(cells), "--rounds", str(how.rounds)]
        record = programs.script("amr_variants.py", arguments, how.records / f"rico-{cells}.json")
        found.append(_variants(cells, record["seconds"]))
    how.say("simulating")
    return [*found, _simulated(how)]


def _variants(cells: int, seconds: dict[str, list[float]]) -> Finding:
    variants = list(dict.fromkeys(name.split()[0] for name in seconds))
    ours = seconds["task-2 heddle"]
    rows = [
        (variant, *(spread(ours, seconds[f"{variant} {runtime}"]) for runtime in runtimes.KINDS))
        for variant in variants
    ]
    gain = middle(seconds["loop gnu"], ours)
    return Finding(
        f"Figure 2: tasks and loops, {cells}³ cells",
        "Task-2 is 15 to 30 % faster than Loop for some numbers of threads of 20 to 56; with blocks of 8³ cells the "
        "gain is "
        "smaller.",
        ("variant", *(f"task-2 on libheddle over it on {title}" for title in runtimes.KINDS.values())),
        rows,
        f"On two threads task-2 on libheddle takes {statistics.median(ours):.2f} s and is {gain:.2f} times as fast as "
        "Loop on libgomp. In the table less than 1 is faster.",
        f".venv/bin/python bench/studies/amr_variants.py --cells {cells}",
    )


def _simulated(how: How) -> Finding:
    variants = ("loop", "task-2")
    costs, _ = kept_costs.read(None)
    cores = ",".join(map(str, _CORES))
    runs = {}
    for variant in variants:
        program = [str(paths.program(paths.AMR)), "--variant", variant, *_TRACED]
        runs[variant] = simulator.times(simulated.traced(program, costs), cores, costs)
    results.write(how.records / "rico-simulated.json", runs)
    rows = [
        (
            str(count),
            *(f"{runs[variant][count] / 1e6:.1f} ms" for variant in variants),
            f"{runs['task-2'][count] / runs['loop'][count]:.2f}",
        )
        for count in _CORES
    ]
    last = runs["task-2"][_CORES[-1]] / runs["loop"][_CORES[-1]]
    return Finding(
        "Figure 2, on more cores",
        "Task-2 is 15 to 30 % faster than Loop for some numbers of threads; it keeps threads over 90 % busy, Loop 40 "
        "to 80 %.",
        ("cores", *variants, "task-2 over loop"),
        rows,
        f"On {_CORES[-1]} cores task-2 takes {last:.2f} of Loop's time, refinement included; memory's bandwidth is "
        "what it was "
        "with two threads. docs/papers/1-rico2019.md has 16 real cores.",
        "./heddle trace -- heddle-amr --variant …, then ./heddle simulate",
        is_simulated=True,
    )


PAPER = Paper(
    "rico",
    "On the Benefits of Tasking with OpenMP",
    "A. Rico, I. Sánchez Barrera, J. A. Joao, J. Randall, M. Casas, M. Moretó, IWOMP 2019",
    "docs/papers/1-rico2019.md",
    measure,
)
