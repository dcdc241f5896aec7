"""heddle-wave on simulated cores: figure 2 of the paper on enclave tasking, on as many cores as its machines have.

    .venv/bin/python bench/studies/wave_scaling.py [--cores 1,2,14,28] [--runtimes heddle,gnu,llvm] [--out FILE.json]

59,049 patches of 63 x 63 volumes on a periodic square, as the paper has; a partition a thread, well and ill balanced.
Enclaves wait by dependences: those of the paper poll, which is not simulated, nor what it does with its own queue.
Speedups are over one thread that computes patch by patch.

Source: H. Schulz et al., "Task inefficiency patterns for a wave equation solver", 2021, figure 2.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from heddle import paths, results
from heddle.simulate import generated, kept_costs

COSTS = paths.ROOT / "bench" / "results" / "costs.json"
INPUT = "--problem high-density-peak --criterion fixed --regrid_freq 0 --max_steps {steps} --volumes {volumes}"
MODELS = {
    "bsp": "bsp",
    "enclave": "enclave --strategy native --wait dependence",
    "in-runtime": "enclave --strategy in-runtime --wait dependence",
    "data-flow": "data-flow",
}
CUTS = ("well", "ill")


def main() -> None:
    parser = argparse.ArgumentParser(description="heddle-wave on simulated cores")
    parser.add_argument("--cores", default="1,2,4,8,14,28,64,128", help="with commas between them")
    parser.add_argument("--runtimes", default="heddle", help="with commas between them: heddle, gnu, llvm")
    parser.add_argument("--level", type=int, default=5, help="3 to the power of it are the patches along an axis [5]")
    parser.add_argument("--volumes", type=int, default=63, help="of a patch along an axis")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--out", type=Path, help="where the figures go, as JSON")
    asked = parser.parse_args()
    cores = list(map(int, asked.cores.split(",")))
    input_ = INPUT.format(steps=asked.steps, volumes=asked.volumes)
    words = f"{input_} --base_level {asked.level} --max_level {asked.level}".split()
    rows = []
    print("runtime model       cut    patches", *(f"{n:7}" for n in cores))
    for runtime in asked.runtimes.split(","):
        costs, _ = kept_costs.read(COSTS, runtime)
        for model, exec_ in MODELS.items():
            if model == "in-runtime" and runtime != "heddle":
                continue  # others have no background tasks: it is native there
            for cut in CUTS if model != "data-flow" else ("-",):
                options = [*words, "--exec", *exec_.split(), *(["--cut", cut] if cut != "-" else [])]
                program = generated.Run(paths.WAVE, options)
                result = generated.simulate(program, asked.cores, costs, runtime=runtime)
                speedups = {run["cores"]: result["work_ns"] / run["duration_ns"] for run in result["runs"]}
                rows.append({"runtime": runtime, "model": model, "cut": cut, "speedups": speedups})
                shown = (f"{speedups[n]:7.2f}" for n in cores)
                print(f"{runtime:7} {model:11} {cut:4} {result['blocks']:9}", *shown, flush=True)
    if asked.out is not None:
        head = {"patches_along": 3**asked.level, "volumes": asked.volumes, "steps": asked.steps}
        results.write(asked.out, {**head, "rows": rows})


if __name__ == "__main__":
    main()
