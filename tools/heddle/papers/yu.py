"""Yu, Royuela and Quiñones: taskgraphs."""

from __future__ import annotations

from heddle import paths, results, runtimes, toolchain
from heddle.bench import graphs, nas, session
from heddle.bench.benchmark import Benchmark
from heddle.bench.forms import ratios
from heddle.bench.forms.kernel_set import KernelSet, grain_of
from heddle.bench.forms.ratios import LOOPS, PLAIN, REPLAY
from heddle.bench.measurement import Column, Measurement
from heddle.papers import simulated
from heddle.papers.finding import Finding, How, Paper, times
from heddle.simulate import kept_costs, simulator, what_if

_THREADS = 2
_LISTING = "listing1"
_UNSTRUCTURED = "heat/16,heat/64,nbody/16,nbody/64,axpy/256,axpy/4096,dotp/4096,cholesky/16,hog/16,hog/64"
_STRUCTURED = "cg.W/2,cg.S/1024,bt.S/2,bt.S/1024,sp.S/2,sp.S/1024,ft.S/2,ft.S/1024,lu.S/2,lu.S/1024"
_CORES = (2, 16, 48)  # the last: the paper's machine
_SIMULATED, _SIMULATED_QUICK = ("cg.W", 1024), ("cg.S", 64)
_NAS = "nas"  # a target of the build
_PAIRS = (4, 64)  # iterations of figures 8 and 9


def _measured(how: How, benchmark: Benchmark, kernels: str, seconds: float) -> Measurement:
    request = session.Request(
        threads=str(_THREADS),
        rounds=how.rounds,
        kernels=kernels,
        json=how.records / f"yu-{benchmark.name}.json",
        plot=None,
        source=None,
        runtimes=None,
        seconds=0.01 if how.quick else seconds,
        timeout_s=60,
        quick=False,
    )
    return session.measured(benchmark, request)


def measure(how: How) -> list[Finding]:
    how.say("taskgraph benchmarks")
    unstructured = _measured(how, graphs.BENCHMARK, _LISTING + ("" if how.quick else f",{_UNSTRUCTURED}"), 0.03)
    how.say("NAS")
    structured = _measured(how, nas.BENCHMARK, "cg.S/1024,lu.S/2" if how.quick else _STRUCTURED, 0.03)
    how.say("simulating")
    on_more_cores = _simulated(how)
    found = [_overhead(unstructured)]
    if not how.quick:
        found.append(_gains(unstructured, graphs.SET, "Figures 6 and 10: tasks with dependences", _UNSTRUCTURED))
    return [
        *found,
        _gains(structured, nas.SET, "Figure 7: NAS kernels as taskloops", _STRUCTURED),
        on_more_cores,
        _with_recording(structured),
        _beside_loops(structured),
    ]


def _overhead(measurement: Measurement) -> Finding:
    rows, worst = [], 0.0
    for case in measurement.cases:
        row = ratios.row(graphs.SET, measurement, _THREADS, case)
        if case.startswith(_LISTING) and row.over_stock:
            rows.append(
                (
                    f"{grain_of(case):,}",
                    _time(row, row.stock),
                    _time(row, row.ours.get(PLAIN)),
                    _time(row, row.ours.get(REPLAY)),
                    _ratio(row.over_stock),
                )
            )
            worst = max(worst, row.over_stock.median)
    return Finding(
        "Table 1 and figure 2: overhead of tasks",
        "With 100,000 tasks on 48 cores a taskgraph takes 345 ms of overhead where GCC's runtime takes 3,583, and 132 "
        "ms "
        "where LLVM's takes 466: 10 and 3.5 times less.",
        ("tasks", "better stock runtime", "libheddle, plain", "libheddle, replayed", "replayed over stock"),
        rows,
        f"A replay takes {worst:.2f} of the better stock runtime's time, or less.",
        f"./heddle bench graphs --kernels {_LISTING} --threads {_THREADS}",
    )


def _gains(measurement: Measurement, kernels: KernelSet, title: str, words: str) -> Finding:
    rows, found = [], []
    for case in measurement.cases:
        row = ratios.row(kernels, measurement, _THREADS, case)
        if case.startswith(_LISTING) or not (row.over_plain and row.over_stock):
            continue
        rows.append(
            (
                case,
                _time(row, row.ours.get(REPLAY)),
                _ratio(row.over_plain),
                _ratio(row.over_stock),
                f"{row.stock.title} ({row.stock.compiler})" if row.stock else "",
            )
        )
        found.append(row.over_stock.median)
    name = "nas" if kernels is nas.SET else "graphs"
    return Finding(
        title,
        "Between 8 % slower, where tasks are large and threads few, and 6 times as fast, where tasks are small and "
        "threads "
        "many; CG at least 1.6 times with 48 threads.",
        ("kernel/grain", "replayed", "over plain tasks", "over the better stock runtime", "which is"),
        rows,
        f"Over the stock runtimes' tasks a replay takes {min(found):.2f} to {max(found):.2f}. Over libheddle's own "
        "tasks it saves "
        "little: those cost little, and a taskloop is one node of a record.",
        f"./heddle bench {name} --threads {_THREADS} --kernels {words}",
    )


def _simulated(how: How) -> Finding:
    toolchain.build("release", ["heddle", _NAS, simulator.OF_WORKLOADS])
    costs, _ = kept_costs.read(None, "llvm")
    kernel, chunks = _SIMULATED_QUICK if how.quick else _SIMULATED
    program = str(paths.build_dir("release") / "bin" / _NAS)
    once = ["--iterations", "1", "--repetitions", "1"]
    made = simulated.traced([program, kernel, "--form", "tasks", "--grain", str(chunks), *once], costs)
    plain = what_if.World(simulated.regions_alone(made), costs)
    replayed = what_if.recorded(plain)
    cores = ",".join(map(str, _CORES))
    stock = [name for name in ("gnu", "llvm") if name in costs]
    by_column = {
        "libheddle, replayed": simulator.times(replayed.workload, cores, replayed.costs),
        "libheddle, plain": simulator.times(plain.workload, cores, costs),
        **{runtimes.KINDS[name]: simulator.times(plain.workload, cores, costs, runtime=name) for name in stock},
    }
    results.write(how.records / "yu-simulated.json", by_column)
    rows = [(str(count), *(times(found[count]) for found in by_column.values())) for count in _CORES]
    last = _CORES[-1]
    gain = by_column[runtimes.KINDS["llvm"]][last] / by_column["libheddle, replayed"][last]
    return Finding(
        "Figure 7, on more cores",
        "CG is at least 1.6 times as fast with 48 threads, and more than 6 times with the smallest tasks.",
        ("cores", *by_column),
        rows,
        f"{kernel} in {chunks:,} chunks a loop. On {last} cores a replay is {gain:.1f} times as fast as libomp's "
        "taskloops. libheddle hands chunks out as ranges; libgomp's taskloops of more than 64 chunks a thread are "
        "executed by the thread that meets them.",
        f"./heddle trace -- nas {kernel} --form tasks --grain {chunks}, then ./heddle simulate --runtime …",
        is_simulated=True,
    )


def _with_recording(measurement: Measurement) -> Finding:
    rows = []
    for case in measurement.cases:
        ours = ratios.row(nas.SET, measurement, _THREADS, case).ours
        replay, plain = (ratios.course(measurement, _THREADS, case, ours.get(form)) for form in (REPLAY, PLAIN))
        if replay and plain:
            paid = ratios.pays_from(replay, plain)
            rows.append(
                (
                    case,
                    *(f"{replay.total(n) / plain.total(n):.2f}" for n in _PAIRS),
                    "never" if paid is None else str(paid),
                )
            )
    return Finding(
        "Figure 8: recording included",
        "With few iterations some kernels are slower, since recording is not paid for; after 64 iterations the gain "
        "is nearly "
        "that of a graph that was there from the beginning.",
        ("kernel/grain", f"{_PAIRS[0]} iterations, over plain", f"{_PAIRS[1]} iterations, over plain", "pays from"),
        rows,
        "Recording costs so little here that it hardly shows, and where plain taskloops are as cheap it never pays.",
        f"./heddle bench nas --threads {_THREADS} --kernels {_STRUCTURED}",
    )


def _beside_loops(measurement: Measurement) -> Finding:
    rows, coarse = [], []
    for case in measurement.cases:
        row = ratios.row(nas.SET, measurement, _THREADS, case)
        loops, replay, stock = (row.medians.get(c.key) if c else None for c in _three(row))
        if loops and replay and stock and row.over_loops:
            rows.append((case, f"{stock / loops - 1:+.0%}", f"{replay / loops - 1:+.0%}", _ratio(row.over_loops)))
            if grain_of(case) == _THREADS:
                coarse.append(row.over_loops.median)
    return Finding(
        "Figure 9: beside loops",
        "Taskloops of CG take 55 % more than worksharing loops, taskgraphs may be 3 % faster than those.",
        ("kernel/grain", "better stock taskloop, over loops", "replayed, over loops", "ratio of the rounds"),
        rows,
        f"With one task a thread replays take {max(coarse, default=1):.2f} of the loops' time, or less; with tasks "
        "below a "
        "microsecond loops, which create nothing, are ahead.",
        f"./heddle bench nas --threads {_THREADS} --kernels {_STRUCTURED}",
    )


def _three(row: ratios.Row) -> tuple[Column | None, Column | None, Column | None]:
    return row.ours.get(LOOPS), row.ours.get(REPLAY), row.stock


def _time(row: ratios.Row, column: Column | None) -> str:
    median = row.medians.get(column.key) if column else None
    return "" if median is None else times(median)


def _ratio(found: ratios.spread.Spread | None) -> str:
    return f"{found.median:.2f} [{found.least:.2f} … {found.most:.2f}]" if found else ""


PAPER = Paper(
    "yu",
    "Taskgraph: A Low Contention OpenMP Tasking Framework",
    "C. Yu, S. Royuela, E. Quiñones, arXiv 2212.04771",
    "docs/papers/5-yu2023.md",
    measure,
)
