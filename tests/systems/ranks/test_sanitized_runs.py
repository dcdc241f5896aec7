"""heddle-amr over two ranks under each sanitizer: part of its stage (tools/heddle/test/stages.py)."""

import os
from pathlib import Path

import pytest
from heddle import paths, runtimes, toolchain
from launching import SMALL, built, started


def sanitized(program_of, folder: Path, sanitizer: str, variant: str, **variables: str) -> None:
    toolchain.build(sanitizer, [toolchain.RUNTIME_TARGET])
    program = program_of(sanitizer)
    line = [*SMALL, "--npy", "1", "--init_y", "2"]
    shims = runtimes.searchable(paths.shim_dir(sanitizer)) + ":" + os.environ.get("LD_LIBRARY_PATH", "")
    command = [program, *line, "--variant", variant, "--threads", "2"]
    done = started(2, sanitizer, command, folder, LD_LIBRARY_PATH=shims, **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Sanitizer" not in done.stderr


@pytest.mark.parametrize("variant", ["serial", "loop", "task-2", "data-flow", "data-flow-graph"])
def test_two_ranks_neither_leak_nor_err_under_address_sanitizer(program_of, tmp_path, variant):
    kept = built("../../programs/mpi/keep_libraries.c", tmp_path, "asan", "-shared", "-fPIC")
    sanitized(program_of, tmp_path, "asan", variant, LD_PRELOAD=kept, ASAN_OPTIONS="verify_asan_link_order=0")


@pytest.mark.parametrize("variant", ["loop", "task-2", "data-flow", "data-flow-graph"])
def test_two_ranks_have_no_races_under_thread_sanitizer(program_of, tmp_path, variant):
    sanitized(
        program_of, tmp_path, "tsan", variant, UCX_MEM_EVENTS="n", TSAN_OPTIONS="atexit_sleep_ms=50 history_size=4"
    )
