"""What adaptive meshes and the second order cost heddle-wave, on one thread.

    .venv/bin/python bench/studies/wave_mesh.py --json bench/results/wave-mesh.json [--rounds 7]

A smooth gas on a mesh that follows a moving ball and is looked at every four steps, in both schemes. One round runs each of these once, every
second round backwards:

    adaptive   as it is
    mean       without the fluxes of fine faces (--hanging_flux mean), which loses mass: what conservation costs
    uniform    as many patches on one level, or nearly so, and no regridding: what hanging faces cost

Times are those of a volume's update in steps; ratios are taken round by round. The share of regridding, of the time of
steps and regrids, is that of the adaptive run.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

from heddle import launch, machine, paths, program_run, results, toolchain

SCHEMES = {"first": "--scheme rusanov", "second": "--scheme muscl-hancock"}
BALL = "--criterion ball --ball 0.3,3,0.15"
SIZES = {
    "2-D, 16": f"--dim 2 --ratio 3 --volumes 16 --base_level 2 --max_level 4 --max_steps 120 {BALL}",
    "3-D, 8": f"--dim 3 --ratio 2 --volumes 8 --base_level 1 --max_level 3 --max_steps 60 {BALL}",
}
UNIFORM = {
    "2-D, 16": "--dim 2 --ratio 3 --volumes 16 --base_level 3 --max_level 3 --max_steps 60 --criterion fixed",
    "3-D, 8": "--dim 3 --ratio 2 --volumes 8 --base_level 2 --max_level 2 --max_steps 60 --criterion fixed",
}


def commands() -> dict[tuple[str, str, str], str]:
    """Arguments by size, scheme and what is run."""
    every = {}
    for size, words in SIZES.items():
        for scheme, option in SCHEMES.items():
            every[size, scheme, "adaptive"] = f"{words} {option}"
            every[size, scheme, "mean"] = f"{words} {option} --hanging_flux mean"
            every[size, scheme, "uniform"] = f"{UNIFORM[size]} {option}"
    return every


def measure(rounds: int) -> dict[tuple[str, str, str], list[dict[str, float]]]:
    """Of each command its runs: ns a volume, share of regridding, patches, mesh changes."""
    toolchain.build("release", [toolchain.RUNTIME_TARGET, paths.WAVE])
    plan = launch.plan(str(paths.program(paths.WAVE)), "heddle", 1)
    runs: dict[tuple[str, str, str], list[dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "results.json"
        for number in range(rounds):
            every = list(commands().items())
            for key, words in every if number % 2 == 0 else every[::-1]:
                command = [
                    str(plan.program),
                    "--problem",
                    "entropy-wave",
                    *words.split(),
                    "--exec",
                    "serial",
                    "--quiet",
                ]
                command += ["--results", str(file)]
                data = program_run.results_of(command, plan.environ, file, f"{key}", timeout_s=300)
                seconds = data["wall_seconds"]
                steps = seconds["steps"] - seconds["regrid"]
                runs.setdefault(key, []).append(
                    {
                        "ns": 1e9 * steps / data["volume_updates"],
                        "regrid_share": seconds["regrid"] / seconds["steps"],
                        "patches": data["patches"],
                        "mesh_changes": data["mesh_changes"],
                    }
                )
    return runs


def summary(runs: dict[tuple[str, str, str], list[dict[str, float]]]) -> list[dict[str, object]]:
    """A row for each size and scheme; ratios as median, least and greatest."""

    def ratio(over: str, under: str) -> list[float]:
        pairs = [a["ns"] / b["ns"] for a, b in zip(runs[size, scheme, over], runs[size, scheme, under], strict=True)]
        return [round(value, 3) for value in (statistics.median(pairs), min(pairs), max(pairs))]

    rows = []
    for size in SIZES:
        for scheme in SCHEMES:
            adaptive = runs[size, scheme, "adaptive"]
            rows.append(
                {
                    "size": size,
                    "scheme": scheme,
                    "ns_per_volume": round(statistics.median(run["ns"] for run in adaptive), 2),
                    "regrid_share": round(statistics.median(run["regrid_share"] for run in adaptive), 4),
                    "patches": adaptive[0]["patches"],
                    "mesh_changes": adaptive[0]["mesh_changes"],
                    "over_uniform": ratio("adaptive", "uniform"),
                    "over_mean": ratio("adaptive", "mean"),
                }
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = summary(measure(options.rounds))
    for row in rows:
        print(row)
    if options.json:
        results.write(options.json, {"machine": machine.described(), "rounds": options.rounds, "rows": rows})


if __name__ == "__main__":
    main()
