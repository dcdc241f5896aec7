"""heddle calibrate: what the runtime's own work takes here."""

from pathlib import Path
from typing import Annotated, Optional

import typer


def calibrate(
    out: Annotated[
        Optional[Path], typer.Option(metavar="FILE", help="Where the costs go; by default where 'simulate' looks.")
    ] = None,
) -> None:
    """Measure what the runtimes' own work takes here, for simulate.

    That of libheddle, and of the stock runtimes that are here. Two threads, some seconds; nothing else should run
    meanwhile. Exit status: 0, 1 it could not be measured, 2 the question was wrong.
    """
    from heddle import paths, runtimes
    from heddle.calibrate import measure
    from heddle.simulate import kept_costs

    where = out or kept_costs.KEPT
    result = measure.measure(where)
    there = [name for name in runtimes.NAMES if name in result]
    print(f"{'ns':16}" + "".join(f"{runtimes.KINDS[name]:>14}" for name in there))
    for name in result["heddle"]:
        print(f"{name:16}" + "".join(f"{result[runtime][name]:14.1f}" for runtime in there))
    for name, ns in result["trace"].items():
        print(f"{'trace, ' + name:22} {ns:6.1f} ns")
    print(f"costs: {paths.shown(where)}")
