"""heddle wave: heddle-wave on any of the runtimes, its pictures and its demo."""

from pathlib import Path
from typing import Annotated, Optional

import typer

from heddle import paths

_OURS = f"""\
{paths.COMMAND} wave takes these options too:
  --runtime NAME              heddle, gnu (libgomp) or llvm (libomp) [heddle]
  --compiler NAME             gcc or clang: who built the program [gcc]
  --ranks N                   MPI ranks [1]
  --plot FILE.png             Draw the final values of unknown 0 and the mesh;
                              in 3-D, in a plane
  --demo                      Run every execution model on every runtime; write
                              a page with times and pictures
  --quick, --rounds N, --out DIR
                              The demo's: a small input once each; how often
                              each; where the page goes [out/wave]
"""


def wave(
    arguments: Annotated[
        Optional[list[str]], typer.Argument(metavar="[ARGS]...", help="Options of heddle-wave.")
    ] = None,
    runtime: Annotated[Optional[str], typer.Option(help="heddle, gnu (libgomp) or llvm (libomp).")] = None,
    compiler: Annotated[Optional[str], typer.Option(help="gcc or clang: who built the program.")] = None,
    threads: Annotated[Optional[int], typer.Option(help="Threads of each rank.")] = None,
    ranks: Annotated[Optional[int], typer.Option(help="MPI ranks; by default 1.")] = None,
    plot: Annotated[Optional[str], typer.Option(metavar="FILE", help="Draw the final state as a PNG file.")] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Every execution model, every runtime, one page.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="The demo: a small input, once each.")] = False,
    rounds: Annotated[Optional[int], typer.Option(help="The demo: how often each combination runs.")] = None,
    out: Annotated[Optional[str], typer.Option(help="The demo: where the page goes; by default out/wave.")] = None,
) -> None:
    """Run heddle-wave, conservation laws on adaptive patches.

    Everything that is none of the options here goes to heddle-wave. Several ranks are started by the mpiexec of the MPI
    that the build has found; each has as many threads as there are processors for it. --demo takes no option of
    heddle-wave.
    """
    from heddle import own_program
    from heddle.errors import UserError

    arguments = arguments or []
    if demo:
        not_the_demos = (("--plot", plot), ("--runtime", runtime), ("--compiler", compiler), ("--ranks", ranks))
        given = [name for name, value in not_the_demos if value is not None]
        if others := given + arguments:
            raise UserError(f"--demo chooses what it runs; leave out {' '.join(others)}")
        from heddle.wave import show

        show.show(quick=quick, threads=threads, rounds=rounds, out=out)
        return
    for name, value in (("--quick", quick), ("--rounds", rounds), ("--out", out)):
        if value is not None and value is not False:
            raise UserError(f"{name} is an option of the demo; add --demo")
    if plot is not None:
        from heddle.wave import plot as plots

        plots.check(Path(plot))
        if ranks not in (None, 1):
            raise UserError(f"--plot draws runs of one rank; leave out --ranks {ranks}")
    if {"-h", "--help"} & set(arguments):
        print(_OURS, flush=True)
    chosen = {"runtime": runtime or "heddle", "compiler": compiler or "gcc", "threads": threads}
    if plot is None:
        own_program.start(paths.WAVE, arguments, **chosen, ranks=1 if ranks is None else ranks)
    raise typer.Exit(plots.plot(Path(plot), own_program.plan(paths.WAVE, **chosen), arguments))
