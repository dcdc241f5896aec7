"""Programs that the simulator knows without a trace: heddle-amr and heddle-wave, on any number of ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from heddle import paths, toolchain
from heddle.errors import UserError
from heddle.simulate import simulator


@dataclass(frozen=True)
class Run:
    """What stands behind --: a program, its options, and of how many ranks it is where mpiexec says so."""

    program: str
    options: list[str]
    ranks: int | None = None

    def needs(self) -> tuple[str, str]:
        """The simulator's program, and whose costs it wants."""
        return _SIMULATORS[self.program]


_SIMULATORS = {
    # the simulator, an object in files of costs
    paths.AMR: (simulator.OF_AMR, "amr"),
    paths.WAVE: (simulator.OF_WAVE, "wave"),
}
PROGRAMS = " or ".join(_SIMULATORS)
_STARTERS = ("mpiexec", "mpirun")


def parse(words: list[str]) -> Run | None:
    """None where that is no program without a trace. Errors: UserError for ranks that cannot be understood."""
    if words and words[0] in _SIMULATORS:
        return Run(words[0], words[1:])
    if not words or words[0] not in _STARTERS:
        return None
    if len(words) < 4 or words[1] not in ("-n", "-np") or not words[2].isdigit() or words[3] not in _SIMULATORS:
        raise UserError(f"behind {words[0]} give '-n RANKS' and {PROGRAMS}; other programs need a trace")
    if words[3] == paths.AMR:
        raise UserError(f"the ranks of {paths.AMR} follow from --npx, --npy and --npz; leave out {words[0]}")
    return Run(words[3], words[4:], int(words[2]))


def simulate(
    run: Run,
    cores: str,
    costs: dict[str, Any],
    cluster: simulator.Cluster = simulator.HERE,
    *,
    has_timeline: bool = False,
    runtime: str = "heddle",
) -> dict[str, Any]:
    """What the simulator says of the program. Errors: UserError, CheckFailed."""
    target, whose = run.needs()
    if whose not in costs:
        raise UserError(
            f"these costs know nothing of {run.program}; '{paths.COMMAND} calibrate' measures it where there is MPI"
        )
    toolchain.build("release", [target])
    options = simulator.run_options(cores, cluster, has_timeline, runtime)
    options += ["--ranks", str(run.ranks)] if run.ranks is not None else []
    return simulator.ask(target, options, costs, run.options)
