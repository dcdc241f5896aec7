"""Programs traced here with two threads, to be simulated on the cores of a paper's machine."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from heddle.papers import programs
from heddle.simulate import session


def traced(program: list[str], costs: dict[str, Any]) -> dict[str, Any]:
    """The workload of a run. Errors: CheckFailed where the program fails."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace"
        programs.launcher(["trace", "--threads", "2", "--out", str(trace), "--", *program])
        made, _ = session.read(trace, costs)
    return made


def regions_alone(made: dict[str, Any]) -> dict[str, Any]:
    """The same without what the initial thread computes outside of parallel regions."""
    processes = []
    for process in made["processes"]:
        main = process["main"]
        steps = [step for step in zip(main[::2], main[1::2]) if step[0] != "work"]
        processes.append({**process, "main": [word for step in steps for word in step]})
    return {**made, "processes": processes}
