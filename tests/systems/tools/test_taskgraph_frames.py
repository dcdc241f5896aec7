"""Taskgraph regions in functions whose variables AddressSanitizer keeps elsewhere each time."""

import subprocess
from pathlib import Path

import pytest
from command import ROOT, heddle, without_openmp_settings
from heddle import clang

SOURCE = Path(__file__).parent / "data" / "taskgraph" / "moving_frames.c"


@pytest.mark.parametrize("compiler", ["gcc", clang.c()])
@pytest.mark.parametrize(("moves", "printed"), [("1", "8 8"), ("0", "8 1")])
def test_variables_that_move_are_found(tmp_path, compiler, moves, printed):
    """Where they move no region is replayed, so that its body is executed each time."""
    program = tmp_path / "program"
    options = ["-g", "-O1", "-fopenmp", "-fsanitize=address", f"-I{ROOT / 'runtime' / 'include'}"]
    subprocess.run([compiler, *options, SOURCE, "-o", program], check=True)
    environ = {**without_openmp_settings(), "ASAN_OPTIONS": f"detect_stack_use_after_return={moves}"}
    result = heddle("run", "--", program, env=environ)
    assert (result.returncode, result.stdout) == (0, f"{printed}\n"), result.stderr
