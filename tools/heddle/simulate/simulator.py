"""The simulators' programs, and what they are asked."""

from __future__ import annotations

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle import execution, paths
from heddle.errors import CheckFailed, UserError
from heddle.simulate import machine_file

# Targets of the build.
OF_WORKLOADS, OF_AMR, OF_WAVE = "heddle-simulate", "heddle-simulate-amr", "heddle-simulate-wave"


@dataclass(frozen=True)
class Cluster:
    """Where the processes are. machine: a platform file of SimGrid's; without, all are on one node.

    network: how messages use its links, shared or queued. sockets: of a node. remote: how many times as long work takes
    whose data is on another one.
    """

    machine: Path | None = None
    nodes: int | None = None
    network: str | None = None
    sockets: int | None = None
    remote: float | None = None

    def times_of_remote(self) -> float:
        """What is simulated, given or not."""
        return 1.5 if self.remote is None else self.remote

    def check(self) -> None:
        """Errors: UserError for a platform file that describes no machine."""
        if self.machine is not None:
            machine_file.check(self.machine)

    def options(self) -> list[str]:
        machine = ["--machine", str(self.machine)] if self.machine else []
        given = {"nodes": self.nodes, "network": self.network, "sockets": self.sockets, "remote": self.remote}
        return machine + [word for name, x in given.items() if x is not None for word in (f"--{name}", str(x))]


HERE = Cluster()


def simulate(
    workload: Path,
    cores: str,
    costs: dict[str, Any],
    cluster: Cluster = HERE,
    *,
    has_timeline: bool = False,
    runtime: str = "heddle",
) -> dict[str, Any]:
    """What the simulator says. cores: numbers with commas between them. runtime: one of runtimes.NAMES.

    Requires: it is built. Errors: UserError, CheckFailed.
    """
    return ask(OF_WORKLOADS, ["--workload", str(workload), *run_options(cores, cluster, has_timeline, runtime)], costs)


def times(
    made: dict[str, Any],
    cores: str,
    costs: dict[str, Any],
    cluster: Cluster = HERE,
    *,
    runtime: str = "heddle",
) -> dict[int, float]:
    """How long a workload, as from_trace.workload() makes it, takes on each number of cores. Units: ns.

    Requires: it is built. Errors: UserError, CheckFailed.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "workload.json"
        path.write_text(json.dumps(made))
        result = simulate(path, cores, costs, cluster, runtime=runtime)
    return {run["cores"]: run["duration_ns"] for run in result["runs"]}


def run_options(cores: str, cluster: Cluster, has_timeline: bool, runtime: str = "heddle") -> list[str]:
    """What both simulators are asked of their runs."""
    return ["--runtime", runtime, "--cores", cores, *cluster.options(), *(["--timeline"] if has_timeline else [])]


def ask(simulator: str, options: list[str], costs: dict[str, Any], program: list[str] | None = None) -> dict[str, Any]:
    """What one of the simulators says. program: the options of what it simulates.

    Requires: it is built. Errors: UserError, CheckFailed.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(costs, file)
        file.flush()
        command = [str(paths.build_dir("release") / "bin" / simulator), "--costs", file.name, *options]
        command += ["--", *program] if program is not None else []
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 2:
        raise UserError(done.stderr.strip().removeprefix(f"{simulator}: "))
    if done.returncode != 0:
        words = (done.stderr.strip() or "it said nothing").splitlines()[0]
        if done.returncode < 0 and "--machine" in options:
            # SimGrid ends the process on what it cannot use, such as hosts that no route connects.
            machine, why = options[options.index("--machine") + 1], words.rpartition("] ")[2]
            raise UserError(f"{machine}: SimGrid cannot simulate this machine: {why}")
        raise CheckFailed(f"{simulator} ended with {execution.end_of(done.returncode)}: {words}")
    return json.loads(done.stdout)
