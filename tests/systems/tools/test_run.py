"""heddle run: which programs can run on which runtime, and what the program sees."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from command import ROOT, assert_one_line, heddle, without_openmp_settings
from heddle import clang, elf, paths, runtimes, toolchain
from programs import COMPILERS, DETACH, LIBRARY, LIBRARY_USER, NO_OPENMP, TEAM_SIZE, build

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
    subprocess.run([clang.c(), "-fopenmp", tmp_path / "object.o", "-o", program], check=True)
    shims = heddle("path", "shims").stdout.strip()
    preloaded = tmp_path / "preloaded.so"  # a path without blanks, at which LD_PRELOAD is divided
    preloaded.symlink_to(f"{shims}/libomp.so.5")
    how = {"LD_PRELOAD": str(preloaded)} if is_preloaded else {"LD_LIBRARY_PATH": shims}
    environ = {**without_openmp_settings(), **how, "OMP_NUM_THREADS": "3", "LD_DEBUG": "bindings"}
    result = subprocess.run([program], env=environ, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout) == (0, "3\n")
    (bound,) = [line for line in result.stderr.splitlines() if "`GOMP_parallel' [VERSION]" in line]
    assert (str(preloaded) if is_preloaded else f"{shims}/libomp.so.5") in bound


@pytest.mark.parametrize(("compiler", "runtime"), CAN_RUN)
def test_the_runtime_asked_for_is_the_one_loaded(tmp_path, compiler, runtime):
    program = build(tmp_path, TEAM_SIZE, compiler)
    result = heddle("run", "--runtime", runtime, "--", program, env={**without_openmp_settings(), "LD_DEBUG": "libs"})
    marker = "calling init: "
    started = [line.partition(marker)[2] for line in result.stderr.splitlines() if marker in line]
    names = {os.path.basename(os.path.realpath(path)).split(".")[0] for path in started} & {
        "libgomp-heddle",
        "libgomp",
        "libomp",
        f"libomp-{clang.release()}",
    }
    assert (
        names
        <= {"heddle": {"libgomp-heddle"}, "gnu": {"libgomp"}, "llvm": {"libomp", f"libomp-{clang.release()}"}}[runtime]
    )
    assert names


def test_a_clang_built_program_on_libgomp_is_refused_with_the_reason(tmp_path):
    program = build(tmp_path, TEAM_SIZE, "clang")
    assert_one_line(heddle("run", "--runtime", "gnu", "--", program), "was built by Clang", "__kmpc_", "heddle or llvm")


def test_a_call_that_libomp_lacks_is_named_with_its_version(tmp_path):
    program = build(tmp_path, DETACH)
    result = heddle("run", "--runtime", "llvm", "--", program)
    assert_one_line(
        result,
        f"needs omp_fulfill_event@OMP_5.0.1, which libomp {clang.release()} does not provide",
        "run it on heddle or gnu",
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


def link(folder: Path, source: str, compiler: str, *flags: str) -> Path:
    """A program linked without the compiler's own runtime, against what the flags name."""
    (folder / "linked.c").write_text(source)
    compile_only = [COMPILERS[compiler], "-O1", "-fopenmp", "-c", "linked.c", "-o", "linked.o"]
    subprocess.run(compile_only, cwd=folder, check=True)
    subprocess.run(["gcc", "linked.o", *flags, "-o", "linked"], cwd=folder, check=True)
    return folder / "linked"


def advised(result) -> list[str]:
    """The runtimes that the refusal names."""
    assert result.returncode == 2, result.stderr
    return re.findall(r"\w+", result.stderr.partition("run it on ")[2].replace(" or ", " "))


@pytest.fixture(scope="module")
def library_folder():
    return toolchain.build_runtime().parent


def test_libheddles_own_name_is_in_its_shims(library_folder):
    dynamic = subprocess.run(["readelf", "-d", paths.runtime_library()], capture_output=True, text=True).stdout
    (name,) = re.findall(r"SONAME\).*\[(.*)\]", dynamic)
    assert (name,) == runtimes.HEDDLE_SONAMES
    assert (paths.shim_dir() / name).resolve() == paths.runtime_library().resolve()


@pytest.mark.parametrize("has_rpath", [False, True])
@pytest.mark.parametrize(("compiler", "runtime"), CAN_RUN)
def test_a_program_linked_with_libheddle_runs_on_every_runtime_that_serves_it(
    tmp_path, library_folder, compiler, runtime, has_rpath
):
    rpath = [f"-Wl,-rpath,{library_folder}"] if has_rpath else []
    program = link(tmp_path, TEAM_SIZE, compiler, f"-L{library_folder}", "-lheddle", *rpath)
    result = heddle("run", "--runtime", runtime, "--threads", "3", "--", program)
    assert (result.returncode, result.stdout, result.stderr) == (0, "3\n", "")


def test_a_program_linked_with_libheddle_that_libgomp_cannot_serve_is_refused(tmp_path, library_folder):
    flags = (f"-L{library_folder}", "-lheddle", f"-Wl,-rpath,{library_folder}")
    program = link(tmp_path, TEAM_SIZE, "clang", *flags)
    assert_one_line(heddle("run", "--runtime", "gnu", "--", program), "was built by Clang", "run it on heddle or llvm")
    strong = TEAM_SIZE.replace("int main", "int heddle_version(void);\nint main").replace("0;", "heddle_version();", 1)
    program = link(tmp_path, strong, "gcc", *flags)
    assert_one_line(heddle("run", "--runtime", "gnu", "--", program), "needs heddle_version", "run it on heddle")


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_was_linked_with_llvms_names_is_not_sent_in_a_circle(tmp_path, compiler):
    folder = runtimes.require("llvm").library.parent
    program = link(tmp_path, TEAM_SIZE, compiler, f"-L{folder}", "-liomp5")
    for runtime in runtimes.NAMES:
        result = heddle("run", "--runtime", runtime, "--threads", "2", "--", program)
        if result.returncode == 0:
            assert result.stdout == "2\n"
            continue
        assert_one_line(result)
        assert advised(result)
        for other in advised(result):
            assert heddle("run", "--runtime", other, "--threads", "2", "--", program).stdout == "2\n"


def test_a_name_that_libgomp_does_not_take_is_explained(tmp_path):
    """A runtime named libiomp5.so whose calls have no versions, as in older packages."""
    calls = ("GOMP_parallel", "omp_get_num_threads", "omp_get_thread_num")
    (tmp_path / "iomp.c").write_text("".join(f"void {call}(void) {{}}\n" for call in calls))
    options = ["-shared", "-fPIC", "-Wl,-soname,libiomp5.so", "-o", "libiomp5.so"]
    subprocess.run(["gcc", "iomp.c", *options], cwd=tmp_path, check=True)
    source = TEAM_SIZE.replace("#pragma omp single", "#pragma omp master")
    program = link(tmp_path, source, "gcc", f"-L{tmp_path}", "-l:libiomp5.so", f"-Wl,-rpath,{tmp_path}")
    result = heddle("run", "--runtime", "gnu", "--", program)
    assert_one_line(result, "libiomp5.so, a name of LLVM's runtime", "run it on heddle or llvm")
    for runtime in advised(result):
        assert heddle("run", "--runtime", runtime, "--threads", "2", "--", program).stdout == "2\n"


EVENT = """
#include "heddle.h"
#include <stdio.h>
int main(void) {
  int waits = TEST;
#pragma omp parallel
#pragma omp single
#pragma omp task
  if (waits) {
    omp_event_handle_t event = omp_task_continuation_event();
    omp_fulfill_event(event);
    WAIT;
  }
  puts("done");
  return 0;
}
"""


@pytest.mark.parametrize(("compiler", "runtime"), [("gcc", "gnu"), ("clang", "llvm")])
@pytest.mark.parametrize(
    ("test", "runs"),
    [("1", False), ("omp_task_continuation_event != NULL", True), ("heddle_is_here()", True)],
)
def test_an_event_that_the_runtime_lacks_is_refused_unless_the_program_tests_for_it(
    tmp_path, compiler, runtime, test, runs
):
    source = EVENT.replace("TEST", test).replace("WAIT", "omp_taskwait_detach(event)")
    program = build(tmp_path, source, compiler, f"-I{ROOT / 'runtime' / 'include'}")
    result = heddle("run", "--runtime", runtime, "--", program)
    if runs:
        assert (result.returncode, result.stdout, result.stderr) == (0, "done\n", "")
    else:
        assert_one_line(result, "calls omp_task_continuation_event without a test", "run it on heddle")
    assert heddle("run", "--", program).stdout == "done\n"


@pytest.mark.parametrize(("compiler", "runtime"), [("gcc", "gnu"), ("clang", "llvm")])
def test_the_test_that_heddle_cc_makes_says_nothing_of_the_event(tmp_path, compiler, runtime):
    source = EVENT.replace("TEST", "1").replace("WAIT;", "\n#pragma omp taskwait detach(event)\n")
    (tmp_path / "x.c").write_text(source)
    options = ["-fopenmp", f"-I{ROOT / 'runtime' / 'include'}", "x.c", "-o", "program"]
    assert heddle("cc", "--", COMPILERS[compiler], *options, cwd=tmp_path).returncode == 0
    program = tmp_path / "program"
    assert heddle("run", "--", program).stdout == "done\n"
    assert_one_line(heddle("run", "--runtime", runtime, "--", program), "calls omp_task_continuation_event")


def test_a_call_without_a_version_is_served_by_the_default_one():
    binary = elf.Binary(Path("x"), exports={elf.Need("f", "V2"), elf.Need("g")})
    assert binary.exports_need(elf.Need("f"))
    assert binary.exports_need(elf.Need("g", "V1"))
    assert not binary.exports_need(elf.Need("f", "V1"))
    assert not binary.exports_need(elf.Need("h"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is an empty file, no program"),
        ("echo hello", "no script whose first line names what reads it"),
        ("\x7fEL", "is no program"),
    ],
)
def test_what_is_no_program_is_not_called_a_script(tmp_path, text, said):
    program = tmp_path / "program"
    program.write_text(text)
    program.chmod(0o755)
    assert_one_line(heddle("run", "--", program), said)


def test_more_threads_than_a_team_has_are_refused_by_their_option(tmp_path):
    program = build(tmp_path, TEAM_SIZE)
    assert_one_line(heddle("run", "--threads", "99999", "--", program), "--threads 99999", "4095")


@pytest.mark.parametrize(("pid", "said"), [("0", "there is no process 0"), ("1", "process 1 has started everything")])
def test_attach_looks_into_no_process_that_is_none_of_a_users(pid, said):
    assert_one_line(heddle("attach", pid), said)
