"""heddle profile: its sums beside those of a trace, and what a user gets of programs that fail."""

import re
import subprocess
from pathlib import Path

import pytest
from command import assert_one_line, heddle, without_openmp_settings
from heddle import clang, paths, runtimes, toolchain
from heddle.patience import scaled
from heddle.trace import build, events, summary
from traced import PROGRAM, TASKS, built

OUTER = next(n for n, line in enumerate(PROGRAM.splitlines(), 1) if "omp task depend" in line)
INNER = next(n for n, line in enumerate(PROGRAM.splitlines(), 1) if line == "#pragma omp task")

# Two threads, of which one has all the work: 40 tasks of 1 ms with a lock held, while the other waits at the barrier.
LOPSIDED = """
#include <omp.h>

static void work(double ms) {
  double until = omp_get_wtime() + ms * 1e-3;
  while (omp_get_wtime() < until) {}
}

int main(void) {
  work(20);
#pragma omp parallel num_threads(2)
  work(0);  // the other thread is there from now on
#pragma omp parallel num_threads(2)
#pragma omp masked
  for (int i = 0; i < 40; i++) {
#pragma omp task if(0)
    {
#pragma omp critical
      work(1);
    }
  }
  return 0;
}
"""


@pytest.fixture(scope="module", params=["gcc", clang.c()])
def program(request, tmp_path_factory) -> Path:
    return built(tmp_path_factory.mktemp("program"), request.param)


def profile(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """heddle profile in that folder."""
    return heddle("profile", *words, timeout_s=600, cwd=folder, env=without_openmp_settings())


def sums(folder: Path, program: Path, library: str, threads: int) -> None:
    """Runs the program, whose library writes into the folder."""
    toolchain.build("release", ["heddle_trace", "heddle_profile", toolchain.RUNTIME_TARGET])
    environ = runtimes.environment(runtimes.require("heddle"), threads, without_openmp_settings())
    runtimes.preload_library(paths.build_dir("release") / "lib" / library, environ)
    environ["HEDDLE_TRACE_DIRECTORY"] = str(folder)
    subprocess.run([program], env=environ, check=True, capture_output=True, timeout=scaled(60))


def share(found: summary.Summary, name: str) -> int:
    return next((share.ns for share in found.shares if share.name == name), 0)


def test_tasks_are_counted_by_the_line_that_makes_them(program, tmp_path):
    sums(tmp_path, program, "libheddle-profile.so", 3)
    found = summary.of_profiles(tmp_path)
    assert {row.name: row.count for row in found.kinds} == {
        f"program.c:{OUTER}": TASKS // 2,
        f"program.c:{INNER}": TASKS // 2,
    }
    assert (found.processes, found.threads, found.tasks) == (1, 3, TASKS)
    by_name = {row.name: row for row in found.kinds}
    for line, us in ((OUTER, 20), (INNER, 10)):
        row = by_name[f"program.c:{line}"]
        assert us * 1000 <= row.shortest <= row.median <= row.longest
        assert row.shortest * row.count <= row.ns <= row.longest * row.count
    # What tasks compute is what their constructs took.
    assert share(found, "tasks") == pytest.approx(sum(row.ns for row in found.kinds), abs=2 * TASKS)


def test_it_adds_up_what_a_trace_shows(tmp_path):
    """The times of the program are its own: spans of the clock that it waits for, where it has a thread."""
    (tmp_path / "lopsided.c").write_text(LOPSIDED)
    command = ["gcc", "-O1", "-g", "-fopenmp", "lopsided.c", "-o", "lopsided"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=scaled(60))
    found = {}
    for library in ("libheddle-profile.so", "libheddle-trace.so"):
        folder = tmp_path / library
        folder.mkdir()
        sums(folder, tmp_path / "lopsided", library, 2)
    found["profile"] = summary.of_profiles(tmp_path / "libheddle-profile.so")
    found["trace"] = summary.of_timeline(build.build(events.read_folder(tmp_path / "libheddle-trace.so")))
    for which, one in found.items():
        assert one.tasks == 40, which
        assert 40_000_000 <= one.kinds[0].ns <= share(one, "tasks") + 100, which
        assert share(one, "outside parallel regions") >= 20_000_000, which
        # All of the other thread's time in the region.
        assert share(one, "barrier at the region's end") >= 0.8 * share(one, "tasks"), which
        assert one.computing + share(one, "barrier at the region's end") <= 2 * one.duration, which
        assert sum(part.ns for part in one.shares) <= 2 * one.duration * 1.01, which


def test_the_table_is_on_stderr_and_the_status_is_the_programs(program, tmp_path):
    done = profile(tmp_path, "--threads", "2", "--", program, "3")
    assert (done.returncode, done.stdout) == (3, "120\n")
    assert re.match(r"[0-9.]+ ms, 2 threads, 240 tasks; [0-9.]+ threads computing on average\n", done.stderr)
    assert f"program.c:{OUTER}" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_crash_is_said_and_its_status_is_the_shells(program, tmp_path):
    done = profile(tmp_path, "--threads", "2", "--", program, "abort")
    assert (done.returncode, done.stdout) == (128 + 6, "120\n")
    assert done.stderr.splitlines()[-1].endswith("ended with SIGABRT, before its sums")


def test_a_profile_of_libomp(tmp_path):
    program = built(tmp_path, clang.c())
    done = profile(tmp_path, "--runtime", "llvm", "--threads", "2", "--", program)
    assert done.returncode == 0, done.stderr
    assert ", 240 tasks;" in done.stderr
    assert "program.c:" in done.stderr


def test_a_program_that_meets_nothing_is_one_line(tmp_path):
    done = profile(tmp_path, "--", "/bin/true")
    assert (done.returncode, done.stdout) == (1, "")
    assert "met no OpenMP construct" in done.stderr.splitlines()[-1]


def test_mistakes_are_one_line(program, tmp_path):
    for words, said in (
        (("--", "./nowhere"), "no such program"),
        (("--threads", "0", "--", program), "--threads 0"),
        (("--runtime", "gnu", "--", program), "--runtime gnu: libgomp has no tools interface"),
    ):
        assert_one_line(profile(tmp_path, *words), said)


def test_what_is_no_profile_is_said(tmp_path):
    from heddle.errors import UserError

    (tmp_path / "process-1.profile").write_text("something else\n")
    with pytest.raises(UserError, match="is no profile of this version"):
        summary.of_profiles(tmp_path)
    (tmp_path / "process-1.profile").write_text("")
    with pytest.raises(UserError, match="is no profile of this version"):
        summary.of_profiles(tmp_path)


# The main thread is on node 0 of memory, all others are on node 1.
NODES = """
#define _GNU_SOURCE
#include <unistd.h>

int getcpu(unsigned* processor, unsigned* node) {
  *processor = *node = gettid() != getpid();
  return 0;
}
"""
# The other thread begins ten tasks: the main one waits for that. The last one goes on for a while.
ACROSS = """
#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>

atomic_int begun;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp masked
  {
    int chain;
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : chain)
      if (atomic_fetch_add(&begun, 1) == 9) usleep(100000);
    }
    while (atomic_load(&begun) < 10) {}
#pragma omp task depend(in : chain) if(0)
    atomic_fetch_add(&begun, 1);
  }
  return 0;
}
"""


def test_tasks_on_another_node_of_memory_are_told(tmp_path):
    for name, text, *options in (("nodes", NODES, "-shared", "-fPIC"), ("across", ACROSS, "-fopenmp")):
        (tmp_path / f"{name}.c").write_text(text)
        command = ["gcc", "-O1", *options, str(tmp_path / f"{name}.c"), "-o", str(tmp_path / name)]
        subprocess.run(command, check=True)
    environ = without_openmp_settings() | {"LD_PRELOAD": str(tmp_path / "nodes")}
    for words in (["profile"], ["trace", "--out", "across.trace"]):
        done = heddle(*words, "--", "./across", timeout_s=600, cwd=tmp_path, env=environ)
        assert done.returncode == 0, done.stderr
        assert "11 tasks" in done.stdout + done.stderr
        assert "10 on another NUMA node than their creator's" in done.stdout + done.stderr
    # The last is begun by the main thread, behind one of the other's.
    assert "10 tasks had to wait for others" in done.stdout and "10% on another NUMA node" in done.stdout
    alone = heddle("profile", "--", "./across", timeout_s=600, cwd=tmp_path, env=without_openmp_settings())
    assert "NUMA" not in alone.stdout + alone.stderr
