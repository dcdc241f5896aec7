"""What heddle-wave's work on a patch takes here."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np

from heddle import execution, paths, toolchain
from heddle.simulate import quiet

# Free stream: all volumes take the same. By dimension: volumes of a patch along an axis, and the one level of a mesh
# that does not fit the caches, of 3 patches along an axis for each level.
_LEVELS = {2: {7: 4, 8: 4, 15: 3, 16: 3, 32: 3, 63: 2}, 3: {4: 3, 7: 2, 8: 2, 12: 2, 16: 1, 23: 1}}
_LANES = 8  # wave/flux/lanes.hpp
_SCHEMES = ("rusanov", "muscl-hancock")
_ROUNDS, _UPDATES = 3, 4e6


def costs() -> dict[str, dict[str, dict[str, float]]]:
    """By scheme and dimension what preparing and completing a patch takes. Units: ns.

    For each patch, each group of eight volumes in its rows, each of fewer at their ends, and each volume along a face.
    Errors: CheckFailed.
    """
    toolchain.build("release", ["heddle", paths.WAVE])
    return {f"{scheme} {dim}d": _fitted(scheme, dim) for dim in _LEVELS for scheme in _SCHEMES}


def _fitted(scheme: str, dim: int) -> dict[str, dict[str, float]]:
    found = {size: _least(scheme, dim, size, level) for size, level in _LEVELS[dim].items()}
    return {
        what: _coefficients(dim, {size: ns[what] for size, ns in found.items()}) for what in ("prepare", "complete")
    }


def _least(scheme: str, dim: int, size: int, level: int) -> dict[str, float]:
    """ns a patch, the least of several runs."""
    program = str(paths.program(paths.WAVE))
    plan = execution.prepare(program, "heddle", 1)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.json"
        steps = max(4, round(_UPDATES / (3**level * size) ** dim))
        mesh = f"--dim {dim} --volumes {size} --criterion fixed --base_level {level} --max_level {level}"
        words = f"--problem free-stream {mesh} --scheme {scheme}"
        command = [program, *words.split(), "--exec", "serial", "--max_steps", str(steps), "--quiet"]
        for _ in range(_ROUNDS):
            quiet.said([*command, "--results", str(results)], plan)
            read = json.loads(results.read_text())
            found.append(
                {what: 1e9 * s / (read["patches"] * read["steps"]) for what, s in read["patch_seconds"].items()}
            )
    return {what: min(one[what] for one in found) for what in found[0]}


def _coefficients(dim: int, ns: dict[int, float]) -> dict[str, float]:
    """Least squares of relative errors; what would be negative is nothing."""
    sizes = np.array(list(ns))
    rows = sizes ** (dim - 1)
    columns = {
        "patch": sizes**0,
        "lanes": rows * (sizes // _LANES),
        "partial_lanes": rows * (sizes % _LANES > 0),
        "face_volume": 2 * dim * rows,
    }
    times = np.array(list(ns.values()))
    names = list(columns)
    while True:
        of_unit_weight = np.stack([columns[name] / times for name in names], axis=1)
        solution = np.linalg.lstsq(of_unit_weight, np.ones(len(times)), rcond=None)[0]
        if (solution >= 0).all():
            return dict.fromkeys(columns, 0.0) | {
                name: round(float(x), 3) for name, x in zip(names, solution, strict=True)
            }
        del names[int(np.argmin(solution))]
