"""What the pieces of heddle-amr's work take here: of stages fitted to runs, of refinements measured alone."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from heddle import mpi, paths, toolchain
from heddle.simulate import quiet, simulator
from heddle.trace import running

_RANKS, _ROUNDS = 2, 5
_OF_REFINEMENTS = "heddle-calibrate-amr"
_TIMESTEPS, _STAGES = 2, 10
# One object in the middle of two ranks' blocks: faces of every kind, and messages.
_INPUT = (
    f"--num_tsteps {_TIMESTEPS} --stages_per_ts {_STAGES} --npx {_RANKS} --init_y 2 --init_z 2 --nx 12 --ny 12 --nz 12 "
    "--num_vars 40 --max_blocks 2000 --num_refine 2 --refine_freq 1000 "
    "--num_objects 1 --object 2 0 0.5 0.5 0.5 0.02 0.02 0.02 0.2 0.2 0.2 0 0 0 --variant serial"
).split()


def costs(others: dict[str, Any]) -> dict[str, float]:
    """What pieces of its work take, the least of several rounds. Units: ns a value, or a block (amr_costs.hpp).

    A value is a cell's, of one variable. Pieces of stages are fitted to runs of two ranks. The program sums each
    variable right behind its stencil, so what sums take is the difference of runs with and without. others: the costs
    that are known. Errors: UserError without MPI; CheckFailed.
    """
    start = mpi.command(_RANKS, 1)
    toolchain.build("release", ["heddle", paths.AMR, simulator.OF_AMR, _OF_REFINEMENTS])
    program = str(paths.program(paths.AMR))
    amounts = _amounts(others)
    spent: dict[str, float] = {}
    for _ in range(_ROUNDS):
        for checks_every in (0, 1):
            for name, ns in _spent(program, start, checks_every).items():
                spent[name] = min(ns, spent.get(name, ns))
    spent["sums"] -= spent["stencil"]
    of_stages = {name: ns / amounts[name] for name, ns in spent.items()}
    return {name: round(ns, 4) for name, ns in (of_stages | _of_refinements()).items()}


def _of_refinements() -> dict[str, float]:
    program = str(paths.build_dir("release") / "bin" / _OF_REFINEMENTS)
    return json.loads(quiet.said([program], running.prepare(program, "heddle", 1)))


def _spent(program: str, start: list[str], checks_every: int) -> dict[str, float]:
    """What both ranks spend, in ns, on all stages; "sums": on stencils and the sums of all stages, where they check."""
    plan = running.prepare(program, "heddle", 1)
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.json"
        words = [*_INPUT, "--checksum_freq", str(checks_every), "--results", str(results)]
        quiet.said([*start, program, *words], plan)
        ranks = json.loads(results.read_text())["of_ranks"]

    def ns(phase: str, of: str = "message_seconds") -> float:
        return 1e9 * sum(rank[of][phase] for rank in ranks)

    if checks_every:
        return {"sums": ns("stencil", "wall_seconds")}
    return {**{name: ns(name) for name in ("pack", "unpack", "post")}, "stencil": ns("stencil", "wall_seconds")}


def _amounts(others: dict[str, Any]) -> dict[str, float]:
    """Of all stages, with sums in each, of both ranks."""
    return simulator.ask(simulator.OF_AMR, ["--amounts"], others, [*_INPUT, "--checksum_freq", "1"])["amounts"]
