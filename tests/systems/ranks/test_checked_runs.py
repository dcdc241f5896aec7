"""heddle-amr over ranks as users do not run it: where no message is sent ahead."""

import json

import pytest
from heddle import mpi, paths, runtimes
from launching import SMALL, built, started


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
    command = [program_of(preset), *SMALL, *options, "--results", "results.json"]
    answers = []
    shims = runtimes.searchable(paths.shim_dir("release"))
    for variables in ({}, {"LD_PRELOAD": nothing_ahead}):
        done = started(4, preset, command, tmp_path, LD_LIBRARY_PATH=shims, **variables)
        assert done.returncode == 0, done.stderr
        answers.append(json.loads((tmp_path / "results.json").read_text())["checks"])
    assert answers[0] == answers[1]
