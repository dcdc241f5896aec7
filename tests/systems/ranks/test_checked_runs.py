"""heddle-amr over ranks as users do not run it: where no message is sent ahead, and under sanitizers."""

import json
import os
from pathlib import Path

import pytest
from heddle import mpi, paths, runtimes, toolchain
from launching import built, started

LINE = (
    "--npx 2 --npy 2 --init_x 1 --init_y 1 --init_z 2 --num_refine 2 --nx 4 --ny 4 --nz 8 --num_vars 3 --refine_freq 1 "
    "--num_tsteps 3 --stages_per_ts 2 --initial-values block --quiet --num_objects 1 "
    "--object 2 0 0.25 0.3 0.35 0.05 0.03 0.02 0.16 0.17 0.15 0 0 0"
).split()


@pytest.fixture(params=list(mpi.PRESETS))
def preset(request, program_of):
    program_of(request.param)
    return request.param


def test_two_ranks_that_send_first_wait_for_good_where_nothing_is_sent_ahead(preset, tmp_path):
    program = built("head_to_head.c", tmp_path, preset)
    nothing_ahead = built("synchronous_sends.c", tmp_path, preset, "-shared", "-fPIC")
    assert started(2, preset, [program], tmp_path).returncode == 0
    # In the child's hands: a limit of our own leaves no rank behind.
    waits = started(2, preset, ["timeout", "5", program], tmp_path, LD_PRELOAD=nothing_ahead)
    assert waits.returncode != 0


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--send_faces"],
        ["--send_faces", "--blocking_send"],
        ["--variant", "data-flow"],
        ["--variant", "data-flow-graph"],
        ["--variant", "data-flow", "--send_faces", "--separate_buffers"],
    ],
    ids=" ".join,
)
def test_nothing_waits_for_good_where_nothing_is_sent_ahead(program_of, preset, tmp_path, options):
    nothing_ahead = built("synchronous_sends.c", tmp_path, preset, "-shared", "-fPIC")
    command = [program_of(preset), *LINE, *options, "--results", "results.json"]
    answers = []
    shims = runtimes.searchable(paths.shim_dir("release"))
    for variables in ({}, {"LD_PRELOAD": nothing_ahead}):
        done = started(4, preset, command, tmp_path, LD_LIBRARY_PATH=shims, **variables)
        assert done.returncode == 0, done.stderr
        answers.append(json.loads((tmp_path / "results.json").read_text())["checks"])
    assert answers[0] == answers[1]


def sanitized(program_of, folder: Path, sanitizer: str, variant: str, **variables: str) -> None:
    toolchain.build(sanitizer, [toolchain.RUNTIME_TARGET])
    program = program_of(sanitizer)
    line = [*LINE, "--npy", "1", "--init_y", "2"]
    shims = runtimes.searchable(paths.shim_dir(sanitizer)) + ":" + os.environ.get("LD_LIBRARY_PATH", "")
    command = [program, *line, "--variant", variant, "--threads", "2"]
    done = started(2, sanitizer, command, folder, LD_LIBRARY_PATH=shims, **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Sanitizer" not in done.stderr


@pytest.mark.parametrize("variant", ["serial", "loop", "task-2", "data-flow", "data-flow-graph"])
def test_two_ranks_neither_leak_nor_err_under_address_sanitizer(program_of, tmp_path, variant):
    kept = built("../mpi/keep_libraries.c", tmp_path, "asan", "-shared", "-fPIC")
    sanitized(program_of, tmp_path, "asan", variant, LD_PRELOAD=kept, ASAN_OPTIONS="verify_asan_link_order=0")


@pytest.mark.parametrize("variant", ["loop", "task-2", "data-flow", "data-flow-graph"])
def test_two_ranks_have_no_races_under_thread_sanitizer(program_of, tmp_path, variant):
    sanitized(
        program_of, tmp_path, "tsan", variant, UCX_MEM_EVENTS="n", TSAN_OPTIONS="atexit_sleep_ms=50 history_size=4"
    )
