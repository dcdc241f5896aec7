"""Sala and others: miniAMR as data flow over ranks."""

from __future__ import annotations

import re

from heddle import paths, toolchain
from heddle.errors import CheckFailed
from heddle.papers import programs
from heddle.papers.finding import Finding, How, Paper, middle, spread

_RANKS, _THREADS = 2, 1
_INPUT = (
    "--npx 2 --init_x 1 --init_y 2 --init_z 2 --nx 12 --ny 12 --nz 12 --num_vars 40 --num_tsteps 2 --stages_per_ts 20 "
    "--checksum_freq 10 --refine_freq 100 --num_refine 3 --max_blocks 2000 --num_objects 1 "
    "--object 2 0 0.3 0.3 0.3 0 0 0 0.2 0.2 0.2 0 0 0"
).split()
_VARIANTS = {"serial": "MPI only", "loop": "fork-join", "data-flow": "data flow"}
_SIMULATED = {"reference": "the reference's MPI only"} | _VARIANTS
_TIME = re.compile(r"^Summary:.*? time ([0-9.]+)", re.MULTILINE)


def measure(how: How) -> list[Finding]:
    toolchain.build("release", ["heddle", paths.AMR])
    return [_measured(how), _ranks_a_node(how), _simulated(how)]


def _measured(how: How) -> Finding:
    seconds: dict[str, list[float]] = {variant: [] for variant in _VARIANTS}
    for turn in range(how.rounds):
        how.say(f"two ranks, round {turn + 1}")
        for variant in _VARIANTS:
            words = [
                "amr",
                "--ranks",
                str(_RANKS),
                "--threads",
                str(_THREADS),
                "--variant",
                variant,
                "--report_perf",
                "4",
            ]
            found = _TIME.search(programs.launcher([*words, *_INPUT]))
            if found is None:
                raise CheckFailed(f"heddle-amr, {variant}, printed no time")
            seconds[variant].append(float(found[1]))
    base = seconds["serial"]
    rows = [
        (title, f"{sorted(seconds[variant])[how.rounds // 2]:.2f} s", spread(base, seconds[variant]))
        for variant, title in _VARIANTS.items()
    ]
    return Finding(
        "Figures 4 and 5, on one machine",
        "Weak scaling: the data flow is 1.50 times as fast as MPI only on 128 nodes of 48 cores, 1.49 on 256; "
        "fork-join is "
        "1.06 at most. Strong scaling: 1.60 on 256 nodes.",
        ("form", "time", "as fast as MPI only"),
        rows,
        f"Two ranks of one thread on this machine: the data flow is {middle(base, seconds['data-flow']):.2f} times as "
        "fast as MPI "
        "only; there is no network in which messages could wait.",
        "./heddle amr --ranks 2 --variant data-flow …",
    )


def _simulated(how: How) -> Finding:
    nodes = "1" if how.quick else "1,4,16"
    how.say(f"simulated nodes: {nodes}")
    record = programs.script("amr_scaling.py", ["--nodes", nodes], how.records / "sala-scaling.json", "--out")
    base = {row["nodes"]: row for row in record["rows"] if row["variant"] == "serial"}
    rows, last = [], (1.0, 1.0)
    for row in record["rows"]:
        gain = tuple(base[row["nodes"]][what] / row[what] for what in ("cycle_ms", "stage_ms"))
        share = row["refinement_ms"] / row["cycle_ms"]
        rows.append(
            (
                f"{row['nodes']}",
                _SIMULATED[row["variant"]],
                f"{row['cycle_ms']:.0f} ms",
                f"{gain[0]:.2f}",
                f"{gain[1]:.2f}",
                f"{share:.1%}",
                f"{row['busy_in_stages']:.0%}",
            )
        )
        if row["variant"] == "data-flow":
            last = gain
    return Finding(
        "Figure 4: weak scaling, on nodes of 48 cores",
        "The data flow is 1.50 times as fast as MPI only on 128 nodes and 1.49 on 256, more with more nodes; "
        "without refinement 1.54; fork-join is 1.06 at most, and slower than MPI only on 1 to 4 nodes.",
        (
            "nodes",
            "form",
            "200 stages, a refinement",
            "as fast as MPI only",
            "stages alone",
            "refinement",
            "cores busy",
        ),
        rows,
        f"On the most nodes the data flow is {last[0]:.2f} times as fast, {last[1]:.2f} without refinement; "
        "docs/simulate/scaling.md has 64 and 256 nodes.",
        f".venv/bin/python bench/studies/amr_scaling.py --nodes {nodes}",
        is_simulated=True,
    )


def _ranks_a_node(how: How) -> Finding:
    how.say("simulated ranks a node")
    words = ["--remote", "1.5"]
    record = programs.script("amr_ranks_a_node.py", words, how.records / "sala-ranks-a-node.json")
    runs = record["by_ranks"]
    rows = [
        (f"{row['ranks_a_node']}", _VARIANTS[row["variant"]], f"{row['ms']:.0f} ms", f"{row['of_best']:.2f}")
        for row in sorted(runs, key=lambda row: row["ranks_a_node"])
    ]
    order = {
        of: [row["ranks_a_node"] for row in sorted(runs, key=lambda row: row["ms"]) if row["variant"] == of]
        for of in ("data-flow", "loop")
    }
    is_worst = all(ranks[-1] == 1 for ranks in order.values())
    return Finding(
        "Table I: ranks a node of two sockets, on four nodes",
        "One rank on both sockets is worst (data flow 470 s, fork-join 485 s). The data flow is best with 2 and 4 "
        "ranks (304 and 306 s) and falls off to 322 s with 16; fork-join is best with 16 (344 s).",
        ("ranks a node", "form", "a timestep", "of the form's best"),
        rows,
        ("One rank is worst of both forms. " if is_worst else "One rank is not worst of both forms. ")
        + "From the best to the worst: "
        + "; ".join(f"{_VARIANTS[of]} {', '.join(map(str, ranks))}" for of, ranks in order.items())
        + ". Work whose data is on the other socket is said to take 1.5 times as long, and data to lie where it was "
        "first worked on; refinement is not in it.",
        ".venv/bin/python bench/studies/amr_ranks_a_node.py",
        is_simulated=True,
    )


PAPER = Paper(
    "sala",
    "Towards Data-Flow Parallelization for Adaptive Mesh Refinement Applications",
    "K. Sala, A. Rico, V. Beltran, CLUSTER 2020",
    "docs/papers/2-sala2020.md",
    measure,
)
