"""heddle bench: sets of programs that measure, on every runtime in turn."""

from pathlib import Path
from typing import Annotated, Optional

import typer

# Options of all sets. A parameter has the name of the field of session.Request that it becomes.
_Threads = Annotated[str, typer.Option(metavar="LIST", help="Numbers of threads, separated by commas.")]
_Rounds = Annotated[int, typer.Option(help="How often each case runs in each column.")]
_Seconds = Annotated[float, typer.Option(help="How long a run repeats its kernel.")]
_Timeout = Annotated[float, typer.Option("--timeout", help="Seconds that a run may take.")]
_Quick = Annotated[bool, typer.Option("--quick", help="Small and once each: to see that it works.")]
_Json = Annotated[Optional[Path], typer.Option(metavar="FILE", help="Write every time there.")]
_Runtimes = Annotated[
    Optional[str], typer.Option("--runtimes", help="Some of heddle,gnu,llvm; by default all that are installed.")
]
_Efficiency = Annotated[
    Optional[Path],
    typer.Option("--plot", metavar="FILE.png", help="Draw efficiency against task length there."),
]
_Saving = Annotated[
    Optional[Path],
    typer.Option("--plot", metavar="FILE.png", help="Draw what replaying saves, and from when on, there."),
]
_PeersBest = Annotated[
    bool, typer.Option("--peers-best", help="Run the stock runtimes under their best settings, too.")
]
_From = Annotated[
    Optional[Path], typer.Option("--from", metavar="FILE", help="Report on what --json wrote; measure nothing.")
]

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def bench() -> None:
    """Measure what libheddle costs beside the other runtimes."""


@app.command("tasks")
def tasks(
    threads: _Threads = "1,2,4",
    rounds: _Rounds = 7,
    kernels: Annotated[
        Optional[str], typer.Option(metavar="LIST", help="Cases or patterns, for example 'chain,metg-*'.")
    ] = None,
    json: _Json = None,
    plot: _Efficiency = None,
    peers_best: _PeersBest = False,
    runtimes: _Runtimes = None,
    seconds: _Seconds = 0.3,
    timeout_s: _Timeout = 60.0,
    quick: _Quick = False,
    source: _From = None,
) -> None:
    """Measure what a task costs (bench/kernels/tasks).

    The same programs, built once by GCC and once by Clang, run on the runtimes in turn. The table has nanoseconds per
    task and how libheddle compares with the better stock runtime. Exit status 1: libheddle fails a kernel.
    """
    wanted = locals()
    from heddle.bench import session
    from heddle.bench.tasks import BENCHMARK

    session.run(BENCHMARK, session.Request(**wanted))


@app.command("graphs")
def graphs(
    threads: _Threads = "1,2,4",
    rounds: _Rounds = 5,
    kernels: Annotated[
        Optional[str], typer.Option(metavar="LIST", help="Kernels, cases or patterns, for example 'heat,cg/256'.")
    ] = None,
    json: _Json = None,
    plot: _Saving = None,
    runtimes: _Runtimes = None,
    seconds: _Seconds = 0.1,
    timeout_s: _Timeout = 60.0,
    quick: _Quick = False,
    source: _From = None,
) -> None:
    """Measure what taskgraphs save (bench/kernels/graphs).

    Numerical kernels as tasks, as taskgraphs of the same tasks and as worksharing loops on libheddle, and as tasks on
    the other runtimes. The tables have the time of an iteration. Exit status 1: libheddle fails a kernel.
    """
    wanted = locals()
    from heddle.bench import session
    from heddle.bench.graphs import BENCHMARK

    session.run(BENCHMARK, session.Request(**wanted))


@app.command("nas")
def nas(
    threads: _Threads = "2",
    rounds: _Rounds = 7,
    kernels: Annotated[
        Optional[str], typer.Option(metavar="LIST", help="Kernels, cases or patterns, for example 'cg.W,sp.S/16'.")
    ] = None,
    json: _Json = None,
    plot: _Saving = None,
    runtimes: _Runtimes = None,
    seconds: _Seconds = 0.1,
    timeout_s: _Timeout = 300.0,
    quick: _Quick = False,
    source: _From = None,
) -> None:
    """Run NAS Parallel Benchmarks as tasks, taskgraphs and loops.

    CG, BT, FT, SP, EP and LU.

    Each in its classes S, W and A (cg.S, cg.W, ...), verified by the published results: as tasks, as taskgraphs of the
    same tasks and as worksharing loops on libheddle, and as tasks on the other runtimes. The tables have the time of an
    iteration. Exit status 1: libheddle fails a kernel.
    """
    wanted = locals()
    from heddle.bench import session
    from heddle.bench.nas import BENCHMARK

    session.run(BENCHMARK, session.Request(**wanted))


@app.command("policy")
def policy(
    threads: _Threads = "2",
    rounds: _Rounds = 7,
    kernels: Annotated[
        Optional[str], typer.Option(metavar="LIST", help="Cases or patterns, for example 'fib,mixed-*'.")
    ] = None,
    json: _Json = None,
    seconds: _Seconds = 0.1,
    timeout_s: _Timeout = 60.0,
    quick: _Quick = False,
    source: _From = None,
) -> None:
    """Measure what each rule of the spawn policy is worth.

    Kernels of bench/kernels/tasks and bench/kernels/graphs on libheddle as it is, and with one rule switched off each
    (HEDDLE_WITHOUT), in turn. docs/runtime/policy.md says what the rules are. Exit status 1: libheddle fails a case.
    """
    wanted = locals()
    from heddle.bench import session
    from heddle.bench.policy import BENCHMARK

    session.run(BENCHMARK, session.Request(**wanted, plot=None, runtimes="heddle"))


@app.command("grain")
def grain(
    threads: _Threads = "2",
    rounds: _Rounds = 7,
    kernels: Annotated[
        Optional[str], typer.Option(metavar="LIST", help="Patterns, for example 'stencil,chains'.")
    ] = None,
    bodies: Annotated[
        str,
        typer.Option(
            metavar="compute|sleep|uneven",
            help="What tasks do; those that sleep need no processor each. uneven: on every second thread they sleep "
            "twice as long.",
        ),
    ] = "compute",
    json: _Json = None,
    plot: _Efficiency = None,
    peers_best: _PeersBest = False,
    runtimes: _Runtimes = None,
    seconds: _Seconds = 1.0,
    timeout_s: _Timeout = 60.0,
    quick: _Quick = False,
    source: _From = None,
) -> None:
    """Measure how short tasks may be: efficiency over their length.

    Independent tasks, chains, a stencil and bursts, with bodies of 0.2 to 20 us, on the runtimes in turn; on libheddle
    as a taskgraph that is replayed, too. With --bodies sleep, for 0.2 to 5 ms, a few processors show how tasks are
    spread over many threads; with uneven, what becomes of that where half of the processors are slow. Exit status 1:
    libheddle fails a pattern.
    """
    wanted = locals()
    from heddle.bench import session
    from heddle.bench.grain import BENCHMARK, cases
    from heddle.errors import UserError

    if wanted.pop("bodies") not in cases.BODIES:
        raise UserError(f"--bodies {bodies}: there are {', '.join(cases.BODIES)}")
    if bodies != "compute":
        wanted["kernels"] = cases.with_bodies(kernels, bodies)
    session.run(BENCHMARK, session.Request(**wanted))


@app.command("many-cores")
def many_cores(
    threads: Annotated[Optional[int], typer.Option(metavar="N", help="By default as many as processors.")] = None,
    minutes: Annotated[float, typer.Option(help="How long it may take, without what it builds.")] = 10.0,
    parts: Annotated[
        Optional[str], typer.Option(metavar="LIST", help="Some of its parts, for example 'tasks,sync'.")
    ] = None,
    json: _Json = None,
    page: Annotated[bool, typer.Option("--page", help="Write docs/runtime/many-cores.md anew.")] = False,
) -> None:
    """Measure everything once on a machine with many processors.

    Task lengths, task costs, synchronisation, numerical kernels, NAS, heddle-amr and heddle-wave, on every runtime in
    turn: every part once, then again as often as the time allows. Exit status 1: a part failed.
    """
    from heddle import whole_file
    from heddle.bench import many_cores as set_

    if json:
        whole_file.check("--json", json)
    set_.run(threads, minutes, parts, json)
    if page:
        whole_file.put(set_.PAGE, set_.page(set_.records()).encode())
