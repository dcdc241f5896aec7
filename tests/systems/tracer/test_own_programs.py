"""Traces of heddle-amr and heddle-wave: every format agrees with the timeline, to the nanosecond."""

from __future__ import annotations

import numpy as np
import pytest
from format_times import times_agree
from heddle import mpi, paths, toolchain
from heddle.trace import build, critical_path, events, numbers, perfetto
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as proto
from perfetto_slices import Slices, time_by_name, time_by_name_of
from traced import trace

AMR = (
    "--num_refine 2 --nx 8 --ny 8 --nz 8 --num_vars 4 --num_tsteps 2 --stages_per_ts 3 --checksum_freq 3 "
    "--refine_freq 1 --max_blocks 3000 --num_objects 1 --object 2 0 -0.3 -0.3 -0.3 0.06 0.06 0.06 1.1 1.1 1.1 0 0 0"
)
WAVE = "--problem sedov --dim 2 --volumes 8 --base_level 2 --max_level 3 --max_steps 6 --quiet"
# Program, arguments, ranks, and what must be in the trace.
RUNS = {
    "loop": (paths.AMR, f"--variant loop {AMR}", 1, {"stencil", "sums", "refine"}),
    "task-2": (paths.AMR, f"--variant task-2 --halo ghosts {AMR}", 1, {"stencil", "exchange", "sums", "refine"}),
    "data-flow": (paths.AMR, f"--variant data-flow --npx 2 {AMR}", 2, {"stencil", "pack", "unpack", "MPI_Isend"}),
    "enclave": (paths.WAVE, f"{WAVE} --exec enclave --strategy native", 1, {"primary traversal", "enclave", "regrid"}),
    "wave-data-flow": (paths.WAVE, f"{WAVE} --exec data-flow", 2, {"prepare", "complete", "MPI_Isend"}),
}


@pytest.fixture(scope="module", params=RUNS)
def run(request, tmp_path_factory):
    name, words, ranks, expected = RUNS[request.param]
    toolchain.build("release", [paths.AMR, paths.WAVE])
    start = [mpi.launcher(), "-n", str(ranks)] if ranks > 1 else []
    folder = tmp_path_factory.mktemp(request.param)
    done = trace(folder, "--threads", "2", "--out", "here", "--", *start, paths.program(name), *words.split())
    assert done.returncode == 0, done.stderr
    return build.build(events.read_folder(folder / "here" / "events")), ranks, expected


def test_every_format_has_the_same_times(run, tmp_path):
    timeline, _, _ = run
    times_agree(timeline, tmp_path)
    parsed = proto.Trace()
    parsed.ParseFromString(perfetto.write(timeline, tmp_path / "trace").read_bytes())
    assert time_by_name(Slices(list(parsed.packet))) == time_by_name_of(timeline)


def test_it_shows_what_the_program_does(run):
    timeline, ranks, expected = run
    assert expected <= set(timeline.state_names)
    assert [process.rank for process in timeline.processes] == list(range(ranks))
    assert all(process.has_ended and not process.dropped for process in timeline.processes)
    assert (len(timeline.messages) > 0) == (ranks > 1)
    assert (timeline.messages["received"] >= timeline.messages["sent"] - 20_000).all()


def test_its_numbers_add_up(run):
    timeline, _, _ = run
    whole = int((timeline.segment_end - timeline.segment_begin).sum())
    assert sum(share.ns for share in numbers.shares(timeline)) == pytest.approx(whole, abs=10)
    path = critical_path.critical_path(timeline)
    assert all(before.end == after.begin for before, after in zip(path, path[1:]))
    assert sum(step.end - step.begin for step in path) <= timeline.duration
    assert all(0 <= row.overlapped <= row.ns for row in numbers.overlap(timeline, 20))


def edges_by_creation(folder, variant: str, halo: str) -> list:
    """How many tasks there are, and which waits for which, by the numbers in which they were created."""
    words = f"--variant {variant} --halo {halo} {AMR}".split()
    done = trace(
        folder, "--threads", "1", "--out", variant, "--", paths.program(paths.AMR), *words, HEDDLE_THROTTLE="hold"
    )
    assert done.returncode == 0, done.stderr
    timeline = build.build(events.read_folder(folder / variant / "events"))
    place = np.full(len(timeline.task_created), -1)
    explicit = np.flatnonzero(timeline.task_is_explicit)
    place[explicit[np.argsort(timeline.task_created[explicit], kind="stable")]] = np.arange(len(explicit))
    edges = zip(place[timeline.edge_source].tolist(), place[timeline.edge_sink].tolist())
    return [len(explicit), *sorted(set(edges))]


@pytest.mark.parametrize("halo", ["faces", "ghosts"])
def test_taskloops_have_the_tasks_of_task_2_and_their_dependences(tmp_path, halo):
    toolchain.build("release", [paths.AMR])
    found = edges_by_creation(tmp_path, "taskloop", halo)
    assert found == edges_by_creation(tmp_path, "task-2", halo)
    assert len(found) > 500
