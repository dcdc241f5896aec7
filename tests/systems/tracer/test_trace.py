"""heddle trace: what a user gets of a program of GCC or Clang, and of one that fails or is killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command import assert_one_line, heddle, without_openmp_settings
from heddle import clang, paths, runtimes, toolchain
from heddle.patience import scaled
from heddle.trace import build, events
from heddle.trace.layout import KINDS
from traced import PROGRAM, TASKS, built, trace

COMPILERS = {"gcc": "gcc", "clang": clang.c()}
# Of the constructs in PROGRAM.
MANY_TASKS = """
static volatile int sink;

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10000; i++) {
#pragma omp task
    sink = 1;
  }
}
"""
OUTER = next(n for n, line in enumerate(PROGRAM.splitlines(), 1) if "omp task depend" in line)
INNER = next(n for n, line in enumerate(PROGRAM.splitlines(), 1) if line == "#pragma omp task")
REGION = next(n for n, line in enumerate(PROGRAM.splitlines(), 1) if "omp parallel" in line)


@pytest.fixture(scope="module", params=COMPILERS)
def program(request, tmp_path_factory) -> Path:
    return built(tmp_path_factory.mktemp("program"), COMPILERS[request.param])


def read(folder: Path):
    return build.build(events.read_folder(folder / "events"))


def test_tasks_are_shown_with_their_lines_states_and_dependences(program, tmp_path):
    done = trace(tmp_path, "--threads", "3", "--", program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("120\n")
    assert "perfetto: program.trace/program.perfetto-trace" in done.stdout
    timeline = read(tmp_path / "program.trace")
    counts = {}
    for task in timeline.task_kind[timeline.task_is_explicit].tolist():
        counts[timeline.kinds[task]] = counts.get(timeline.kinds[task], 0) + 1
    assert counts == {f"program.c:{OUTER}": TASKS // 2, f"program.c:{INNER}": TASKS // 2}
    assert f"parallel region, program.c:{REGION}" in timeline.kinds
    assert {"taskwait", "barrier at the region's end", "wait for critical", "a cell", "the whole program"} <= set(
        timeline.state_names
    )
    assert (timeline.task_first >= 0).all()
    assert (timeline.task_end >= timeline.task_first).all()
    assert len(timeline.lanes) == 3
    # Each of 8 steps and 15 cells uses two variables.
    assert len(timeline.dependence_task) == 8 * 15 * 2
    assert (timeline.task_end[timeline.edge_source] <= timeline.task_first[timeline.edge_sink]).all()


def test_a_trace_of_libomp(tmp_path):
    program = built(tmp_path, clang.c())
    done = trace(tmp_path, "--runtime", "llvm", "--threads", "2", "--", program)
    assert done.returncode == 0, done.stderr
    timeline = read(tmp_path / "program.trace")
    assert int(timeline.task_is_explicit.sum()) == TASKS
    assert timeline.processes[0].runtime.startswith("LLVM OMP")


def test_the_same_trace_in_every_format(program, tmp_path):
    assert trace(tmp_path, "--threads", "2", "--out", "here", "--", program).returncode == 0
    formats = [word for name in ("perfetto", "paraver", "otf2", "page") for word in ("--format", name)]
    done = trace(tmp_path, "--from", "here", *formats)
    assert done.returncode == 0, done.stderr
    for name in ("program.perfetto-trace", "program.prv", "otf2/traces.otf2", "program.html"):
        assert (tmp_path / "here" / name).stat().st_size > 0


def test_the_exit_status_is_said_and_the_trace_is_there(program, tmp_path):
    done = trace(tmp_path, "--threads", "2", "--", program, "3")
    assert done.returncode == 1
    assert "ended with exit status 3" in done.stderr
    assert (tmp_path / "program.trace" / "program.perfetto-trace").exists()


def test_a_crash_leaves_what_had_happened(program, tmp_path):
    done = trace(tmp_path, "--threads", "2", "--", program, "abort")
    assert done.returncode == 1
    assert "did not come to its end" in done.stderr
    assert "ended with SIGABRT" in done.stderr
    timeline = read(tmp_path / "program.trace")
    assert int((timeline.task_end[timeline.task_is_explicit] >= 0).sum()) == TASKS


def test_what_a_thread_takes_to_write_a_chunk_is_known(tmp_path):
    (tmp_path / "many.c").write_text(MANY_TASKS)
    subprocess.run(["gcc", "-fopenmp", "many.c", "-o", "many"], cwd=tmp_path, check=True, timeout=scaled(60))
    assert trace(tmp_path, "--threads", "1", "--", tmp_path / "many").returncode == 0
    (process,) = events.read_folder(tmp_path / "many.trace" / "events")
    most = max(process.threads, key=lambda one: len(one.records))
    assert len(most.records) > 20_000
    # One for each chunk of 8,191 records, the first included.
    assert len(most.pauses) == len(most.records) // 8191 + 1
    for place, ns in most.pauses.items():
        assert 0 < ns <= most.ns[place + 1] - most.ns[place]


def test_a_killed_program_leaves_what_had_happened(tmp_path):
    (tmp_path / "forever.c").write_text(
        """
        #include <stdio.h>
        int main(void) {
        #pragma omp parallel
        #pragma omp single
          for (long i = 0;; i++) {
        #pragma omp task
            { volatile int n = 1000; while (n > 0) n = n - 1; }
        #pragma omp taskwait
            if (i == 20000) { puts("many"); fflush(stdout); }
          }
        }
        """
    )
    subprocess.run(
        ["gcc", "-g", "-fopenmp", "forever.c", "-o", "forever"], cwd=tmp_path, check=True, timeout=scaled(60)
    )
    toolchain.build("release", ["heddle_trace", toolchain.RUNTIME_TARGET])
    environ = runtimes.environment(runtimes.require("heddle"), 2, without_openmp_settings())
    runtimes.preload_library(paths.build_dir("release") / "lib" / "libheddle-trace.so", environ)
    environ["HEDDLE_TRACE_DIRECTORY"] = str(tmp_path)
    running = subprocess.Popen([tmp_path / "forever"], env=environ, stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout.readline() == "many\n"
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait(timeout=scaled(30))
    timeline = build.build(events.read_folder(tmp_path))
    assert not timeline.processes[0].has_ended
    ended = timeline.task_is_explicit & (timeline.task_end >= 0)
    # All but the one that was being executed, if any.
    assert int(ended.sum()) >= max(20000, int(timeline.task_is_explicit.sum()) - 1)


def test_a_child_of_fork_leaves_the_trace_alone(tmp_path):
    (tmp_path / "forks.c").write_text(
        """
        #include <sys/wait.h>
        #include <unistd.h>
        #include <heddle.h>
        int main(void) {
          heddle_range_push("parent");
          if (fork() == 0) {
            for (int i = 0; i < 100000; i++) { heddle_range_push("child"); heddle_range_pop(); }
            _exit(0);
          }
          int status;
          wait(&status);
        #pragma omp parallel
          { heddle_range_push("region"); heddle_range_pop(); }
          heddle_range_pop();
          return status;
        }
        """
    )
    include = paths.ROOT / "runtime" / "include"
    command = ["gcc", "-g", "-fopenmp", f"-I{include}", "forks.c", "-o", "forks"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=scaled(60))
    done = trace(tmp_path, "--threads", "2", "--", "./forks")
    assert done.returncode == 0, done.stderr
    timeline = read(tmp_path / "forks.trace")
    assert sorted(timeline.state_names, key=str.lower)[-2:] == ["parent", "region"]
    assert len(timeline.processes) == 1


def test_where_there_is_no_room_records_are_counted(program, tmp_path):
    toolchain.build("release", ["heddle_trace", toolchain.RUNTIME_TARGET])
    environ = runtimes.environment(runtimes.require("heddle"), 2, without_openmp_settings())
    runtimes.preload_library(paths.build_dir("release") / "lib" / "libheddle-trace.so", environ)
    environ["HEDDLE_TRACE_DIRECTORY"] = str(tmp_path)
    # Room for the header and one chunk; the signal of the limit is ignored, as by a shell's trap.
    script = "import os, resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    script += "resource.setrlimit(resource.RLIMIT_FSIZE, (330000, 330000)); os.execv(sys.argv[1], sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", script, program], env=environ, capture_output=True, text=True, timeout=scaled(60)
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "120\n"
    assert "the file of events cannot grow" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert events.read_folder(tmp_path)[0].threads


def test_mistakes_are_one_line(program, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("years of work")
    (tmp_path / "file").write_text("")
    for words, said in (
        ((), "give a program"),
        (("--from", "full"), "no events folder"),
        (("--from", "nowhere"), "no events folder"),
        (("--format", "csv", "--", program), "--format csv: there are perfetto, paraver, otf2, page"),
        (("--out", "full", "--", program), "holds something else than a trace"),
        (("--out", "file", "--", program), "is a file"),
        (("--", "./nowhere"), "no such program"),
        (("--runtime", "gnu", "--", program), "libgomp has no tools interface"),
        (("--threads", "0", "--", program), "--threads 0"),
    ):
        assert_one_line(trace(tmp_path, *words), said)
    assert sorted(os.listdir(tmp_path)) == ["file", "full"]
    assert os.listdir(tmp_path / "full") == ["thesis.tex"]


def test_a_program_that_does_nothing_to_show_is_one_line_and_no_folder(tmp_path):
    result = trace(tmp_path, "--", "/bin/true")
    assert (result.returncode, result.stdout) == (1, "")
    assert "did nothing that a trace could show" in result.stderr.splitlines()[-1]
    assert os.listdir(tmp_path) == []


def test_what_is_no_file_of_events_is_one_line(tmp_path):
    folder = tmp_path / "bad" / "events"
    folder.mkdir(parents=True)
    (folder / "process-1.events").write_bytes(b"nonsense" * 1000)
    assert_one_line(trace(tmp_path, "--from", "bad"), "is no file of events")
    (folder / "process-1.events").write_bytes(b"")
    assert_one_line(trace(tmp_path, "--from", "bad"), "is no file of events")


def test_kinds_of_records_are_numbered_as_the_file_says(program, tmp_path):
    assert trace(tmp_path, "--", program).returncode == 0
    assert events.read_folder(tmp_path / "program.trace" / "events")[0].kinds == KINDS


def test_help_is_there():
    assert "--page" in heddle("trace", "--help").stdout
