"""heddle calibrate: what the runtime's own work takes here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer


def calibrate(
    out: Annotated[
        Optional[Path], typer.Option(metavar="FILE", help="Where the costs go; by default where 'simulate' looks.")
    ] = None,
) -> None:
    """Measure what libheddle's own work takes on this machine, for heddle simulate.

    Two threads, some seconds; nothing else should run meanwhile. Exit status: 0, 1 it could not be measured, 2 the
    question was wrong.
    """
    from heddle import paths
    from heddle.simulate import calibrate as measuring

    where = out or measuring.KEPT
    result = measuring.measure(where)
    for name, ns in result["heddle"].items():
        print(f"{name:16} {ns:12.1f} ns")
    for name, ns in result["trace"].items():
        print(f"{'trace, ' + name:22} {ns:6.1f} ns")
    print(f"costs: {paths.shown(where)}")
