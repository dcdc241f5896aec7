"""heddle demo: one adaptive run, every variant, every runtime, one page."""

from typing import Annotated, Optional

import typer


def demo(
    quick: Annotated[bool, typer.Option("--quick", help="A small input, once each: to see that it works.")] = False,
    threads: Annotated[
        Optional[int], typer.Option(help="Threads of each run; by default the cores, 8 at most.")
    ] = None,
    rounds: Annotated[Optional[int], typer.Option(help="How often each combination runs.")] = None,
    out: Annotated[Optional[str], typer.Option(help="Where the page goes; by default out/demo.")] = None,
) -> None:
    """Run a sphere through a cube, every way there is; write a page.

    Every variant runs on every runtime that is installed, in turn; all answers must agree bit for bit. The page has
    the times and pictures of the mesh, and opens from disk.
    """
    from heddle.demo import show

    show.show(quick=quick, threads=threads, rounds=rounds, out=out)
