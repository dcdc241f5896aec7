#!/usr/bin/env python3
"""What heddle-amr and heddle-wave compute has the same bits on every processor.

    tests/systems/emulated/bits.py BUILD            runs the programs of BUILD/bin, and compares with bits.json here
    tests/systems/emulated/bits.py BUILD --write    writes bits.json
    tests/systems/emulated/bits.py BUILD --one-rank leaves out runs of several ranks: where messages do not work

bits.json has what an x86-64 build has computed. Continuous integration computes it anew, by kernels for the machine
that it is on. Each answer is computed by several variants, with one thread and several, on one rank and two.

Exit status: 0 all are equal, 1 something differs or failed, 2 the arguments are wrong.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent / "bits.json"
_LIMIT_S = 600  # an emulator is slow

_AMR = (
    "--num_refine 2 --max_blocks 2500 --nx 4 --ny 6 --nz 4 --num_vars 3 --refine_freq 2 --stages_per_ts 4 "
    "--checksum_freq 2 --num_tsteps 4 --error_tol -20 --initial-values block --quiet --num_objects 2 "
    "--object 2 0 0.25 0.3 0.35 0.05 0.03 0.02 0.16 0.17 0.15 0 0 0 "
    "--object 23 1 0.75 0.6 0.6 -0.04 0 0.03 0.1 0.12 0.11 0 0 0"
)
_AMR_ANSWERS = {"7-point": "--stencil 7", "27-point": "--stencil 27 --code 1", "mixture": "--stencil 0 --num_vars 9"}
_AMR_WAYS = (("serial", 1, 1), ("loop", 1, 2), ("task-2", 1, 2), ("data-flow", 1, 2), ("data-flow-graph", 2, 2))
_AMR_ROOTS = {1: "--npx 1 --init_x 4 --init_y 4 --init_z 2", 2: "--npx 2 --init_x 2 --init_y 4 --init_z 2"}

_WAVE_ANSWERS = {
    "sedov": "--problem sedov --dim 2 --volumes 5 --max_level 3 --regrid_freq 3 --max_steps 20",
    "sedov, second order": (
        "--problem sedov --scheme muscl-hancock --dim 2 --volumes 5 --max_level 3 --regrid_freq 3 --max_steps 20"
    ),
    "entropy wave in 3-D": (
        "--problem entropy-wave --criterion ball --ball 0.3,9,0.2 --scheme muscl-hancock --limiter minmod --dim 3 "
        "--ratio 2 --volumes 4 --max_level 2 --regrid_freq 3 --max_steps 6"
    ),
}
_WAVE_WAYS = (("serial", 1, 1), ("bsp", 1, 2), ("enclave", 1, 2), ("data-flow", 2, 2))
_WAVE_KEYS = ("state_fingerprint", "mesh_fingerprint", "steps", "step_lengths", "time", "conserved", "l1")


@dataclass(frozen=True)
class Run:
    """One of those that compute an answer."""

    answer: str
    program: str
    words: list[str]
    ranks: int
    threads: int

    def __str__(self) -> str:
        return f"{self.answer}: {self.program} {' '.join(self.words)}, {self.ranks} x {self.threads}"


def runs() -> Iterator[Run]:
    """All of them."""
    for name, words in _AMR_ANSWERS.items():
        for variant, ranks, threads in _AMR_WAYS:
            arguments = f"{_AMR} {words} {_AMR_ROOTS[ranks]} --variant {variant}".split()
            yield Run(f"heddle-amr, {name}", "heddle-amr", arguments, ranks, threads)
    for name, words in _WAVE_ANSWERS.items():
        for model, ranks, threads in _WAVE_WAYS:
            yield Run(f"heddle-wave, {name}", "heddle-wave", f"{words} --exec {model} --quiet".split(), ranks, threads)


def answer(results: dict) -> dict:
    """What must not depend on the processor, nor on who computes what."""
    if "state_fingerprint" in results:
        return {key: results[key] for key in _WAVE_KEYS}
    return {
        "meshes": [[each["mesh_fingerprint"], each["blocks_per_level"]] for each in results["refinements"]],
        "sums": [[each["sum"], each["sumsq"], each["moment"]] for each in results["checks"]],
    }


def execute(build: Path, run: Run) -> dict | str:
    """Its answer, or why there is none."""
    foreign = ("OMP_", "KMP_", "GOMP_", "HEDDLE_", "LD_LIBRARY_PATH", "LD_PRELOAD")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    environ |= {"LD_LIBRARY_PATH": str(build / "shims"), "OMP_NUM_THREADS": str(run.threads)}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "results.json"
        command = [str(build / "bin" / run.program), *run.words, "--results", str(file)]
        if run.ranks > 1:
            command = ["mpiexec.mpich", "-n", str(run.ranks), *command]
        try:
            done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=_LIMIT_S)
        except subprocess.TimeoutExpired:
            return f"took longer than {_LIMIT_S} s"
        if done.returncode != 0:
            return f"exit status {done.returncode}: {done.stderr.strip()}"
        return answer(json.loads(file.read_text()))


def main(arguments: list[str]) -> int:
    if not arguments or arguments[1:] not in ([], ["--write"], ["--one-rank"]):
        print(f"usage: {Path(sys.argv[0]).name} BUILD [--write | --one-rank]", file=sys.stderr)
        return 2
    writes, one_rank = (option in arguments for option in ("--write", "--one-rank"))
    build = Path(arguments[0]).resolve()
    if not (build / "bin" / "heddle-amr").exists():
        print(f"{build} has no bin/heddle-amr; give a folder that was built", file=sys.stderr)
        return 2
    expected = json.loads(GOLDEN.read_text()) if GOLDEN.exists() and not writes else {}
    failed = done = left_out = 0
    for run in runs():
        if one_rank and run.ranks > 1:
            left_out += 1
            continue
        found = execute(build, run)
        done += 1
        if isinstance(found, str) or expected.setdefault(run.answer, found if writes else None) != found:
            failed += 1
            print(f"{run}: {found if isinstance(found, str) else 'another answer than ' + GOLDEN.name}")
    if writes and not failed:
        GOLDEN.write_text(json.dumps(expected, indent=1) + "\n")
    more = f", {left_out} of several ranks are left out" if left_out else ""
    print(f"{done - failed} of {done} runs have the bits of {GOLDEN.name}{more}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
