"""task-graph: intervals of one shape have one record, which is replayed until the mesh changes."""

from __future__ import annotations

import os
import re

from command import heddle

OPTIONS = (
    "--num_refine 2 --nx 4 --ny 4 --nz 4 --num_vars 4 --stages_per_ts 20 --num_tsteps 4 --checksum_freq 5 "
    "--refine_freq 2 --max_blocks 1000 --num_objects 1 --object 2 0 -0.4 -0.4 -0.4 0.1 0.1 0.1 0.3 0.3 0.3 0 0 0"
)


def test_intervals_of_one_shape_share_a_record() -> None:
    logs = os.environ | {"HEDDLE_LOG": "graph"}
    done = heddle("amr", "--threads", "2", "--variant", "task-graph", *OPTIONS.split(), env=logs)
    assert done.returncode == 0, done.stderr
    recorded = len(re.findall(r"recorded \d+ tasks", done.stderr))
    again = len(re.findall(r"replayed, |executed plainly: its last records", done.stderr))
    # An interval holds ten stages, the least number that returns variables and sums to the table that they were in: two
    # of one shape in a timestep. The mesh changes behind the second timestep.
    assert (recorded, recorded + again) == (2, 4 * 2)
