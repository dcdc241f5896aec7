"""heddle gdb: tasks in a debugger, and programs that go on as if nobody had looked."""

import subprocess
from pathlib import Path

import pytest
import suspended_tasks
from command import assert_one_line, heddle, without_openmp_settings
from heddle import clang, paths
from heddle.patience import scaled


@pytest.fixture(scope="module", params=["gcc", clang.c()])
def program(request, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("gdb")
    include = paths.ROOT / "runtime" / "include"
    command = [request.param, "-O1", "-g", "-fopenmp", f"-I{include}", suspended_tasks.SOURCE, "-o", "tasks"]
    subprocess.run(command, cwd=folder, check=True, timeout=scaled(60))
    return folder / "tasks"


def debugged(program: Path, commands: str, *words: str) -> str:
    """What gdb says to these commands; commands: a line each, which gdb executes before it ends."""
    script = "set pagination off\nset width 0\nset debuginfod enabled off\n" + commands + "\n"
    done = heddle("gdb", *words, "--", program, env=without_openmp_settings(), input=script, timeout_s=120)
    said = done.stdout + done.stderr
    if "this gdb cannot call functions on this processor" in said:
        pytest.skip("gdb before 14 on a processor with AMX")
    return said


def test_suspended_tasks_are_listed_and_have_stacks(program):
    said = debugged(program, "\n".join(["break look_here", "run", *suspended_tasks.QUESTIONS, "continue"]))
    suspended_tasks.check(said)
    assert "passed 6" in said
    assert "exited normally" in said


def test_before_the_first_region_and_without_a_program_it_says_so(program):
    said = debugged(program, "info omp tasks\nbreak main\nrun\ninfo omp tasks\nomp backtrace 1\nkill")
    assert "no program is running" in said
    assert "no thread of this program has used OpenMP so far" in said
    assert "omp backtrace '1': 0 tasks are suspended" in said


def test_on_another_runtime_it_says_so(program):
    script = f"set debuginfod enabled off\nsource {paths.GDB_SCRIPT}\nbreak main\nrun\ninfo omp tasks\nkill\n"
    command = ["gdb", "-q", program]
    done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=scaled(120))
    assert "the program does not run on libheddle; start it with 'heddle gdb'" in done.stdout + done.stderr


def test_mistakes_are_one_line(tmp_path):
    assert_one_line(heddle("gdb", "--", "./nowhere", cwd=tmp_path), "no such program")


def test_the_script_is_where_path_says(tmp_path):
    assert heddle("path", "gdb").stdout.strip() == str(paths.GDB_SCRIPT)
