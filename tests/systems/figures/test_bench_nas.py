"""heddle bench nas: six NAS Parallel Benchmarks give what is published on every runtime, with both compilers."""

import functools
import os
import subprocess

import pytest
from command import assert_one_line, heddle
from heddle import runtimes
from heddle.bench import programs
from heddle.bench.nas import BENCHMARK, SET
from heddle.errors import UserError

BENCHMARKS = ["cg", "bt", "ft", "sp", "ep", "lu"]
FORMS = {"heddle": ["tasks", "graph", "loops"], "gnu": ["tasks", "loops"], "llvm": ["tasks", "loops"]}
# libgomp knows nothing of what Clang calls.
PAIRS = [("gcc", "heddle"), ("gcc", "gnu"), ("gcc", "llvm"), ("clang", "heddle"), ("clang", "llvm")]


@functools.cache
def program(compiler: str) -> str:
    found = {one.name: one for one in programs.compilers()}
    return str(programs.build(found[compiler], BENCHMARK.sources))


def verified(kernel: str, form: str, compiler: str, runtime: str, threads: int, timeout_s: float) -> None:
    environ = runtimes.environment(runtimes.require(runtime), threads, dict(os.environ))
    # One repetition of large problems: they take the time that there is.
    command = [program(compiler), kernel, "--form", form, "--grain", "16", "--seconds", "0.001"]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=timeout_s)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"kernel={kernel} form={form} threads={threads} " in done.stdout
    assert "verified=yes" in done.stdout


def pytest_generate_tests(metafunc):
    """The small problems with two threads; with --full all of them, with 1, 2 and 4, which takes hours."""
    if "problem" in metafunc.fixturenames:
        is_full = metafunc.config.getoption("--full")
        threads = [1, 2, 4] if is_full else [2]
        metafunc.parametrize("problem", [f"{name}.{c}" for c in ("SWA" if is_full else "S") for name in BENCHMARKS])
        metafunc.parametrize(("compiler", "runtime"), PAIRS)
        metafunc.parametrize("threads", threads)


@pytest.mark.sampled
def test_a_problem_gives_what_is_published(problem, compiler, runtime, threads):
    for form in FORMS[runtime]:
        verified(problem, form, compiler, runtime, threads, 900)


def test_the_kernels_are_those_of_the_program():
    listed = subprocess.run([program("gcc"), "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    assert [line.split()[0] for line in listed] == [kernel.name for kernel in SET.kernels]


def test_quick_runs_the_small_problems():
    assert {case.kernel for case in SET.chosen(None, quick=True)} == {f"{name}.S" for name in BENCHMARKS}
    assert [case.name for case in SET.chosen("cg.W")] == ["cg.W/2", "cg.W/16", "cg.W/128", "cg.W/1024"]
    with pytest.raises(UserError, match=r"did you mean cg\."):
        SET.chosen("cg.X")


def test_a_quick_measurement_verifies(tmp_path):
    result = heddle("bench", "nas", "--quick", "--kernels", "cg.S,lu.S", "--json", tmp_path / "nas.json", timeout_s=600)
    assert result.returncode == 0, result.stderr
    assert "cg.S" in result.stdout and "lu.S" in result.stdout
    again = heddle("bench", "nas", "--from", tmp_path / "nas.json", "--plot", tmp_path / "nas.png")
    assert again.stdout == result.stdout
    assert (tmp_path / "nas.png").read_bytes().startswith(b"\x89PNG")


def test_a_mistake_is_one_line():
    assert_one_line(heddle("bench", "nas", "--kernels", "is.S"), "there is no 'is.S'")
