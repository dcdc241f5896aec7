"""heddle run: which programs can run on which runtime, and what the program sees."""

import os
import signal
import subprocess

import pytest
from command import ROOT, assert_one_line, heddle, without_openmp_settings
from programs import DETACH, LIBRARY, LIBRARY_USER, NO_OPENMP, TEAM_SIZE, build

CAN_RUN = [("gcc", "heddle"), ("gcc", "gnu"), ("gcc", "llvm"), ("clang", "heddle"), ("clang", "llvm")]


@pytest.mark.parametrize(("compiler", "runtime"), CAN_RUN)
def test_a_program_runs_with_the_threads_asked_for(tmp_path, compiler, runtime):
    program = build(tmp_path, TEAM_SIZE, compiler)
    result = heddle("run", "--runtime", runtime, "--threads", "3", "--", program)
    assert (result.returncode, result.stdout, result.stderr) == (0, "3\n", "")


@pytest.mark.parametrize("is_preloaded", [False, True])
def test_objects_of_gcc_linked_by_clang_run(tmp_path, is_preloaded):
    """They ask for GOMP_parallel@VERSION, the version node of LLVM's runtime."""
    file = tmp_path / "object.c"
    file.write_text(TEAM_SIZE)
    subprocess.run(["gcc", "-O1", "-fopenmp", "-c", file, "-o", tmp_path / "object.o"], check=True)
    program = tmp_path / "program"
    subprocess.run(["clang-19", "-fopenmp", tmp_path / "object.o", "-o", program], check=True)
    shims = heddle("path", "shims").stdout.strip()
    how = {"LD_PRELOAD": f"{shims}/libomp.so.5"} if is_preloaded else {"LD_LIBRARY_PATH": shims}
    environ = {**without_openmp_settings(), **how, "OMP_NUM_THREADS": "3", "LD_DEBUG": "bindings"}
    result = subprocess.run([program], env=environ, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout) == (0, "3\n")
    (bound,) = [line for line in result.stderr.splitlines() if "`GOMP_parallel'" in line]
    assert "libomp.so.5" in bound and str(ROOT) in bound


@pytest.mark.parametrize(("compiler", "runtime"), CAN_RUN)
def test_the_runtime_asked_for_is_the_one_loaded(tmp_path, compiler, runtime):
    program = build(tmp_path, TEAM_SIZE, compiler)
    result = heddle("run", "--runtime", runtime, "--", program, env={**without_openmp_settings(), "LD_DEBUG": "libs"})
    marker = "calling init: "
    started = [line.partition(marker)[2] for line in result.stderr.splitlines() if marker in line]
    names = {os.path.basename(os.path.realpath(path)).split(".")[0] for path in started} & {
        "libheddle",
        "libgomp",
        "libomp",
        "libomp-19",
    }
    assert names <= {"heddle": {"libheddle"}, "gnu": {"libgomp"}, "llvm": {"libomp", "libomp-19"}}[runtime]
    assert names


def test_a_clang_built_program_on_libgomp_is_refused_with_the_reason(tmp_path):
    program = build(tmp_path, TEAM_SIZE, "clang")
    assert_one_line(heddle("run", "--runtime", "gnu", "--", program), "was built by Clang", "__kmpc_", "heddle or llvm")


def test_a_call_that_libomp_lacks_is_named_with_its_version(tmp_path):
    program = build(tmp_path, DETACH)
    result = heddle("run", "--runtime", "llvm", "--", program)
    assert_one_line(
        result, "needs omp_fulfill_event@OMP_5.0.1, which libomp 19 does not provide", "run it on heddle or gnu"
    )


def test_a_program_without_openmp_runs_and_is_told_so(tmp_path):
    program = build(tmp_path, NO_OPENMP, openmp=False)
    result = heddle("run", "--runtime", "gnu", "--", program, "--threads", "7", "a b", "")
    assert (result.returncode, result.stdout) == (7, "[--threads][7][a b][]")
    assert result.stderr.startswith(f"heddle: {program} links no OpenMP runtime")


def test_a_signal_that_ends_the_program_is_the_commands_end(tmp_path):
    program = build(tmp_path, NO_OPENMP, openmp=False)
    assert heddle("run", "--runtime", "gnu", "--", program, "!").returncode == -signal.SIGUSR1


def test_standard_input_is_the_programs(tmp_path):
    result = heddle("run", "--runtime", "gnu", "--", "cat", input="warp and weft\n")
    assert result.stdout == "warp and weft\n"


def test_a_library_that_uses_openmp_counts(tmp_path):
    build(tmp_path, LIBRARY, "clang", "-shared", "-fPIC", name="libteam.so")
    program = build(
        tmp_path,
        LIBRARY_USER,
        "gcc",
        f"-L{tmp_path}",
        "-l:libteam.so",
        f"-Wl,-rpath,{tmp_path},--enable-new-dtags",
        openmp=False,
    )
    result = heddle("run", "--runtime", "llvm", "--threads", "2", "--", program)
    assert (result.returncode, result.stdout) == (0, "2\n")
    assert_one_line(heddle("run", "--runtime", "gnu", "--", program), "library libteam.so was built by Clang")


def test_a_runtime_linked_into_the_program_is_noticed(tmp_path):
    program = build(tmp_path, TEAM_SIZE, "gcc", "-static")
    assert_one_line(heddle("run", "--runtime", "llvm", "--", program), "has libgomp linked into it")


@pytest.mark.parametrize("flag", ["-static", "-static-pie"])
def test_a_static_program_is_refused_and_does_not_run(tmp_path, flag):
    program = build(tmp_path, NO_OPENMP, "gcc", flag, "-fPIE", openmp=False)
    assert_one_line(heddle("run", "--runtime", "gnu", "--", program, tmp_path / "!"), "is statically linked")


def test_a_program_with_another_dynamic_linker_is_refused_and_does_not_run(tmp_path):
    program = build(tmp_path, NO_OPENMP, "gcc", "-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1", openmp=False)
    assert_one_line(heddle("run", "--runtime", "gnu", "--", program), "/lib/ld-musl-x86_64.so.1")


def test_checking_a_program_does_not_run_it(tmp_path):
    program = build(tmp_path, NO_OPENMP, "gcc", openmp=False)
    assert heddle("run", "--runtime", "gnu", "--", program, "once").stdout == "[once]"


def test_an_rpath_that_wins_over_the_shims_is_explained(tmp_path):
    (tmp_path / "libgomp.so.1").symlink_to("/usr/lib/x86_64-linux-gnu/libgomp.so.1")
    program = build(tmp_path, TEAM_SIZE, "gcc", f"-Wl,-rpath,{tmp_path},--disable-new-dtags")
    assert_one_line(heddle("run", "--runtime", "llvm", "--", program), "RPATH", str(tmp_path), "--enable-new-dtags")


def test_a_runpath_does_not_matter(tmp_path):
    program = build(tmp_path, TEAM_SIZE, "gcc", "-Wl,-rpath,/usr/lib/x86_64-linux-gnu,--enable-new-dtags")
    result = heddle("run", "--runtime", "llvm", "--threads", "2", "--", program)
    assert (result.returncode, result.stdout) == (0, "2\n")


def test_a_missing_library_is_named(tmp_path):
    build(tmp_path, LIBRARY, "gcc", "-shared", "-fPIC", name="libteam.so")
    program = build(tmp_path, LIBRARY_USER, "gcc", f"-L{tmp_path}", "-l:libteam.so", openmp=False)
    assert_one_line(heddle("run", "--runtime", "gnu", "--", program), "needs the library libteam.so")


def test_what_is_no_program_is_refused_in_one_line(tmp_path):
    (tmp_path / "text").write_text("no program\n")
    assert_one_line(heddle("run", "--", tmp_path / "none"), "there is no such program")
    assert_one_line(heddle("run", "--", "no-such-program-anywhere"), "there is no such program")
    assert_one_line(heddle("run", "--", tmp_path), "is a folder")
    assert_one_line(heddle("run", "--", tmp_path / "text"), "is not executable")


def test_an_executable_text_that_nothing_can_interpret_is_refused(tmp_path):
    (tmp_path / "text").write_text("no program\n")
    (tmp_path / "text").chmod(0o755)
    result = heddle("run", "--runtime", "gnu", "--", tmp_path / "text")
    assert result.returncode == 2
    assert "cannot be started" in result.stderr.splitlines()[-1]


def test_wrong_options_are_one_line():
    assert_one_line(heddle("run"), "PROGRAM")
    assert_one_line(heddle("run", "--runtime", "tbb", "--", "/bin/true"), "there is no runtime 'tbb'")
    assert_one_line(heddle("run", "--runtime", "gnu", "--threads", "0", "--", "/bin/true"), "--threads 0")
    assert_one_line(heddle("run", "--runtime", "gnu", "--threads", "two", "--", "/bin/true"), "--threads")


def test_a_program_that_may_load_openmp_later_gets_the_runtime_preloaded():
    result = heddle("run", "--runtime", "gnu", "--", "sh", "-c", 'echo "$LD_PRELOAD"')
    assert result.stdout.strip().endswith("libgomp.so.1")
    assert "libgomp is preloaded" in result.stderr


def test_what_the_user_preloads_stays(monkeypatch):
    monkeypatch.setenv("LD_PRELOAD", "libm.so.6")
    result = heddle("run", "--runtime", "gnu", "--", "sh", "-c", 'echo "$LD_PRELOAD"')
    assert result.stdout.strip().endswith("libgomp.so.1:libm.so.6")
