"""heddle-amr over ranks as users do not run it: where no message is sent ahead, and under AddressSanitizer."""

import json
import os

import pytest
from heddle import mpi, paths, runtimes, toolchain
from launching import built, started

LINE = (
    "--npx 2 --npy 2 --init_x 1 --init_y 1 --init_z 2 --num_refine 2 --nx 4 --ny 4 --nz 4 --num_vars 3 --refine_freq 1 "
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


@pytest.mark.parametrize("variant", ["serial", "loop", "task-2", "data-flow", "data-flow-graph"])
def test_two_ranks_neither_leak_nor_err_under_address_sanitizer(program_of, tmp_path, variant):
    toolchain.build("asan", [toolchain.RUNTIME_TARGET])
    program = program_of("asan")
    kept = built("keep_libraries.c", tmp_path, "asan", "-shared", "-fPIC")
    line = [*LINE, "--npy", "1", "--init_y", "2"]
    done = started(
        2,
        "asan",
        [program, *line, "--variant", variant, "--threads", "2"],
        tmp_path,
        LD_PRELOAD=kept,
        ASAN_OPTIONS="verify_asan_link_order=0",
        LD_LIBRARY_PATH=runtimes.searchable(paths.shim_dir("asan")) + ":" + os.environ.get("LD_LIBRARY_PATH", ""),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Sanitizer" not in done.stderr
