"""What the pieces of heddle-amr's work take here."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from heddle import mpi, paths, toolchain
from heddle.simulate import quiet, simulator
from heddle.trace import running

_RANKS, _ROUNDS = 2, 5
_TIMESTEPS, _STAGES, _CHECKS_EVERY = 2, 10, 5
# One object in the middle of two ranks' blocks: faces of every kind, and messages.
_INPUT = (
    f"--num_tsteps {_TIMESTEPS} --stages_per_ts {_STAGES} --checksum_freq {_CHECKS_EVERY} --npx {_RANKS} --init_y 2 "
    "--init_z 2 --nx 12 --ny 12 --nz 12 --num_vars 40 --max_blocks 2000 --num_refine 2 --refine_freq 1000 "
    "--num_objects 1 --object 2 0 0.5 0.5 0.5 0.02 0.02 0.02 0.2 0.2 0.2 0 0 0 --variant serial"
).split()


def costs(others: dict[str, Any]) -> dict[str, float]:
    """What pieces of its work take, fitted to runs of two ranks here: the least of several. Units: ns a value.

    A value is a cell's, of one variable. others: the costs that are known. Errors: UserError without MPI; CheckFailed.
    """
    start = mpi.command(_RANKS, 1)
    toolchain.build("release", ["heddle", paths.AMR, simulator.OF_AMR])
    program = str(paths.program(paths.AMR))
    amounts = _amounts(others)
    found = [_fitted(program, start, amounts) for _ in range(_ROUNDS)]
    return {name: min(one[name] for one in found) for name in found[0]}


def _fitted(program: str, start: list[str], of_a_stage: dict[str, float]) -> dict[str, float]:
    plan = running.prepare(program, "heddle", 1)
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.json"
        quiet.said([*start, program, *_INPUT, "--results", str(results)], plan)
        ranks = json.loads(results.read_text())["of_ranks"]
    stages = _TIMESTEPS * _STAGES
    amounts = {name: amount * stages for name, amount in of_a_stage.items()}
    amounts["sums"] /= _CHECKS_EVERY

    def ns(phase: str, of: str = "message_seconds") -> float:
        return 1e9 * sum(rank[of][phase] for rank in ranks)

    spent = {
        "pack": ns("pack"),
        "unpack": ns("unpack"),
        "post": ns("post"),
        "stencil": ns("stencil", "wall_seconds"),
        "sums": ns("checksum", "wall_seconds"),
    }
    return {name: round(spent[name] / amounts[name], 4) for name in spent}


def _amounts(others: dict[str, Any]) -> dict[str, float]:
    """Of one stage with sums, of both ranks."""
    return simulator.ask(simulator.OF_AMR, ["--amounts"], others, _INPUT)["amounts"]
