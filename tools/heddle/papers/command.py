"""heddle papers: what the papers behind Heddle claim, measured here."""

from pathlib import Path
from typing import Annotated, Optional

import typer


def papers(
    names: Annotated[
        Optional[list[str]], typer.Argument(metavar="[rico|sala|schulz|pereira|yu]…", help="Which; all without any.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Small and once each: to see that it works.")] = False,
    out: Annotated[
        Optional[Path], typer.Option(metavar="FOLDER", help="Where the page goes; by default out/papers.")
    ] = None,
) -> None:
    """Measure what five papers claim; write a page with both.

    Each takes some minutes on two cores. What wants more cores comes from the simulator, and says so. The page,
    index.html, opens from disk; every figure is in records beside it.
    """
    from heddle import paths
    from heddle.papers import session

    print(paths.shown(session.run(names or [], quick=quick, out=out)))
