"""heddle simulate: a recorded run, or a program, on other numbers of cores."""

from pathlib import Path
from typing import Annotated, Optional

import typer


def simulate(
    what: Annotated[
        Optional[list[str]],
        typer.Argument(
            metavar="TRACE | -- PROGRAM …",
            help="The folder of a trace, which 'heddle trace' makes; or without one heddle-amr or 'mpiexec -n N "
            "heddle-wave', or any OpenMP program of one process, which is then executed on simulated processors.",
        ),
    ] = None,
    cores: Annotated[
        str, typer.Option(metavar="N,…", help="Numbers of cores, of each rank; one thread on each.")
    ] = "1,2,4,8,16,32,64,128",
    machine: Annotated[
        Optional[Path],
        typer.Option(metavar="FILE", help="A cluster, as a platform file of SimGrid's; without, ranks share a node."),
    ] = None,
    nodes: Annotated[
        Optional[int],
        typer.Option(metavar="N", help="Its nodes for the ranks; by default as few as have a core for each thread."),
    ] = None,
    network: Annotated[
        Optional[str],
        typer.Option(
            metavar="HOW",
            help="How messages use its links: shared, as SimGrid's flows do, or queued, for thousands of cores.",
        ),
    ] = None,
    costs: Annotated[
        Optional[Path],
        typer.Option(metavar="FILE", help="What the runtime's own work takes; by default what was measured here."),
    ] = None,
    runtime: Annotated[
        str, typer.Option(metavar="NAME", help="Whose rules and costs: heddle, gnu (libgomp) or llvm (libomp).")
    ] = "heddle",
    workload: Annotated[
        Optional[Path], typer.Option(metavar="FILE", help="Keep the workload: the trace as it is executed, JSON.")
    ] = None,
    page: Annotated[
        Optional[Path],
        typer.Option(metavar="FILE", help="Who executes what when, as 'heddle trace --page' shows it; of one --cores."),
    ] = None,
    sockets: Annotated[
        Optional[int], typer.Option(metavar="S", help="Sockets of the machine, or of each node; 1 otherwise.")
    ] = None,
    remote: Annotated[
        Optional[float],
        typer.Option(
            metavar="X",
            help="With --sockets, and a trace or one of Heddle's programs: how many times as long work takes whose "
            "data is on another socket; 1.5 otherwise, which nobody has measured.",
        ),
    ] = None,
    caches: Annotated[
        Optional[int],
        typer.Option(metavar="C", help="With -- PROGRAM: its last-level caches; otherwise one a socket."),
    ] = None,
    set_: Annotated[
        Optional[list[str]],
        typer.Option(
            "--set", metavar="NAME=NS", help="With -- PROGRAM: what the machine takes for something, as near=60."
        ),
    ] = None,
    what_if: Annotated[
        bool,
        typer.Option("--what-if", help="Also with shorter tasks, faster processors, other runtimes, slower messages."),
    ] = False,
    validate: Annotated[
        bool, typer.Option("--validate", help="Compare simulated with measured times here; some minutes.")
    ] = False,
    case: Annotated[
        Optional[list[str]], typer.Option(metavar="NAME", help="With --validate: this program; several times for more.")
    ] = None,
) -> None:
    """Say how long a program would take on other numbers of cores.

    A traced one, or one of Heddle's on any number of ranks. Its tasks, dependences, loops, waits and messages are
    executed in simulated time under a runtime's rules. What cores share, caches and memory's bandwidth, is as it was in
    the trace. Any other program is executed itself, with the runtime, on simulated processors, which have caches.
    Exit status: 0, 1 the simulator or the program failed, 2 the question was wrong.
    """
    from heddle import paths, runtimes
    from heddle.errors import UserError

    if runtime not in runtimes.NAMES:
        raise UserError(f"--runtime {runtime}: there are {', '.join(runtimes.NAMES)}")
    if validate:
        others = (what, costs, workload, machine, nodes, network, page, sockets, remote)
        if what_if or any(given is not None for given in others):
            raise UserError("--validate chooses what it runs, and measures the costs; leave out the rest")
        from heddle.simulate import validate as validation

        out = paths.OUT / "simulate" / "validation.json"
        errors = validation.errors_of(validation.validate(out, case or [], runtime))
        middle = errors[len(errors) // 2]
        print(f"errors: median {middle:.0%}, largest {errors[-1]:.0%}; {paths.shown(out)}")
        return
    if case:
        raise UserError("--case is for --validate; add it")
    if not what:
        raise UserError("give the folder of a trace; 'heddle trace -- PROGRAM' makes one")
    from heddle.simulate import generated, session
    from heddle.simulate.simulator import Cluster

    cluster = Cluster(machine, nodes, network, sockets, remote)
    if page is not None and (what_if or not cores.strip().isdigit()):
        raise UserError("--page shows one run: give one number of --cores, and no --what-if")
    request = session.Request(cores, costs, cluster, workload, page, runtime)
    run = generated.parse(what)
    is_program = run is None and not Path(what[0]).is_dir() and (len(what) > 1 or Path(what[0]).is_file())
    if not is_program and (set_ or caches is not None):
        raise UserError("--caches and --set are for '-- PROGRAM'; a trace has neither")
    if remote is not None and sockets is None:
        raise UserError("--remote says what another socket costs; give --sockets, too")
    if run is not None:
        if what_if:
            raise UserError("--what-if asks of a trace; 'heddle trace' makes one")
        if workload is not None:
            raise UserError(f"--workload keeps that of a trace; {run.program}'s is made from its mesh each time")
        if runtime != "heddle" and (run.program != paths.WAVE or (run.ranks or 1) > 1):
            raise UserError(f"--runtime simulates a trace, or one rank of {paths.WAVE}; leave it out")
        session.run_generated(run, request)
        return
    if is_program:
        from heddle.simulate import on_machine

        if (
            what_if
            or runtime != "heddle"
            or any(x is not None for x in (costs, workload, machine, nodes, network, page, remote))
        ):
            raise UserError("a program on simulated processors takes --cores, --sockets, --caches and --set alone")
        on_machine.run(what, on_machine.counts(cores), on_machine.Machine(1, caches, sockets, tuple(set_ or ())))
        return
    if len(what) > 1:
        raise UserError(
            f"one trace at a time, not also {what[1]}; without a trace {generated.PROGRAMS} can be simulated"
        )
    if what_if:
        from heddle.simulate import what_if as questions

        if workload is not None:
            raise UserError("--workload keeps one workload, and --what-if simulates several; leave one of them out")
        if runtime != "heddle":
            raise UserError("--what-if asks of the other runtimes by itself; leave out --runtime")
        questions.run(Path(what[0]), cores, costs, cluster)
        return
    session.run(Path(what[0]), request)
