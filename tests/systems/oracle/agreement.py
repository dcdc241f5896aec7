"""Compares a results file of heddle-amr with an oracle, and says each disagreement in words.

Meshes and counts must be the same; sums, sums of squares and moments agree within a relative tolerance.
"""

from __future__ import annotations

from typing import Any

from heddle.demo.amr_run import relative_difference

TOLERANCE = 1e-12
QUANTITIES = ("sum", "sumsq", "moment")

# s9: variables 1 to 7 follow a chaotic map that turns one unit in the last place into per cents (its notes).
COMPARED_VARIABLES = {"s9_stencil0_code1": [0, 8, 9]}

# Parents lie on other ranks here than in the reference, so fewer blocks move; no more may.
_OF_MOVES = ("max_blocks_on_a_rank", "blocks_moved", "parents_ave_min_max_final")

_MESH = ("timestep", "total_blocks", "blocks_per_level", "cumulative_split", "cumulative_reformed", "mesh_fingerprint")
_MOST_SAID = 8


def disagreements(oracle: dict[str, Any], results: dict[str, Any]) -> list[str]:
    """At most a handful of lines, the earliest first; empty when all agrees."""
    said = []
    said += _same_refinements(oracle["refinements"], results["refinements"])
    said += _same_timesteps(oracle["timesteps"], results["timesteps"])
    variables = COMPARED_VARIABLES.get(oracle["name"], list(range(oracle["num_vars"])))
    said += _near("initial sum", oracle["initial_sums"], results["initial_sums"], variables)
    said += _near_checks(oracle["checks"], results["checks"], variables)
    said += _same_report(_comparable(oracle), results["report"])
    said += _no_more(oracle, results)
    if results["mismatch_messages"]:
        said.append(f"a checksum failed: {results['mismatch_messages'][0]}")
    return said[:_MOST_SAID]


def _comparable(oracle: dict[str, Any]) -> dict[str, Any]:
    """The oracle's report but for what depends on where parents lie."""
    left_out = _OF_MOVES if oracle["ranks"] > 1 else ()
    return {name: value for name, value in oracle["report"].items() if name not in left_out}


def _no_more(oracle: dict[str, Any], results: dict[str, Any]) -> list[str]:
    theirs, mine = oracle["report"], results["report"]
    return [
        f"report.{name} is {mine[name]}, more than {theirs[name]}"
        for name in ("max_blocks_on_a_rank", "blocks_moved")
        if mine[name] > theirs[name]
    ]


def _same_refinements(theirs: list[dict], mine: list[dict]) -> list[str]:
    if len(theirs) != len(mine):
        return [f"{len(mine)} refinements, not {len(theirs)}"]
    said = []
    for one, other in zip(theirs, mine):
        place = f"refinement at timestep {one['timestep']}"
        said += [f"{place}: {name} is {other[name]}, not {one[name]}" for name in _MESH if one[name] != other[name]]
        for i, (their, my) in enumerate(zip(one["objects"], other["objects"], strict=True)):
            said += [
                f"{place}: object {i} {name} is {my[name]}, not {their[name]}"
                for name in their
                if their[name] != my[name]
            ]
    return said


def _same_timesteps(theirs: list[dict], mine: list[dict]) -> list[str]:
    if theirs == mine:
        return []
    for one, other in zip(theirs, mine):
        if one != other:
            return [f"timestep {other}, not {one}"]
    return [f"{len(mine)} timesteps, not {len(theirs)}"]


def _near_checks(theirs: list[dict], mine: list[dict], variables: list[int]) -> list[str]:
    if len(theirs) != len(mine):
        return [f"{len(mine)} checks, not {len(theirs)}"]
    said = []
    for one, other in zip(theirs, mine):
        place = f"timestep {one['timestep']}, stage {one['stage']}"
        if (one["timestep"], one["stage"]) != (other["timestep"], other["stage"]):
            said.append(f"a check at timestep {other['timestep']}, stage {other['stage']}, not at {place}")
            continue
        for quantity in QUANTITIES:
            said += _near(f"{place}: {quantity}", one[quantity], other[quantity], variables)
    return said


def _near(what: str, theirs: list[float], mine: list[float], variables: list[int]) -> list[str]:
    if len(theirs) != len(mine):
        return [f"{what}: {len(mine)} variables, not {len(theirs)}"]
    return [
        f"{what} of variable {v} is {mine[v]!r}, not {theirs[v]!r} (relative {difference:.1e})"
        for v in variables
        if (difference := relative_difference(mine[v], theirs[v])) > TOLERANCE
    ]


def _same_report(theirs: Any, mine: Any, path: str = "report") -> list[str]:
    """Every counter of the oracle's report, by name."""
    if isinstance(theirs, dict):
        said = []
        for name, value in theirs.items():
            if name in mine:
                said += _same_report(value, mine[name], f"{path}.{name}")
            else:
                said.append(f"{path}.{name} is missing")
        return said
    return [] if theirs == mine else [f"{path} is {mine}, not {theirs}"]
