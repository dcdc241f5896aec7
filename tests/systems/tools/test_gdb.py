"""heddle gdb: tasks in a debugger, and programs that go on as if nobody had looked."""

import re
import subprocess
from pathlib import Path

import pytest
from command import assert_one_line, heddle, without_openmp_settings
from heddle import clang, paths
from heddle.patience import scaled

# Three tasks that wait for events in a function of their own, each with another number, and one that is executed.
PROGRAM = """
#include <heddle.h>
#include <omp.h>
#include <stdio.h>

static omp_event_handle_t events[3];
static int passed = 0;

__attribute__((noinline)) void wait_in_a_function(int number, omp_event_handle_t event) {
  omp_taskwait_detach(event);
#pragma omp atomic
  passed += number;
}

__attribute__((noinline)) void look_here(void) { __asm__ volatile(""); }

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 3; i++) {
#pragma omp task firstprivate(i)
      {
        omp_event_handle_t event = omp_task_continuation_event();
        __atomic_store_n(&events[i], event, __ATOMIC_RELEASE);
        wait_in_a_function(i + 1, event);
      }
    }
    for (int i = 0; i < 3; i++) while (__atomic_load_n(&events[i], __ATOMIC_ACQUIRE) == 0) {
#pragma omp taskyield
    }
    heddle_task_sleep_ns(20000000);
    look_here();
    for (int i = 0; i < 3; i++) omp_fulfill_event(events[i]);
  }
  printf("passed %d\\n", passed);
  return passed == 6 ? 0 : 1;
}
"""
TASK = next(n for n, line in enumerate(PROGRAM.splitlines(), 1) if "omp task " in line)
WAIT = next(n for n, line in enumerate(PROGRAM.splitlines(), 1) if "omp_taskwait_detach(event)" in line)


@pytest.fixture(scope="module", params=["gcc", clang.c()])
def program(request, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("gdb")
    (folder / "tasks.c").write_text(PROGRAM)
    include = paths.ROOT / "runtime" / "include"
    command = [request.param, "-O1", "-g", "-fopenmp", f"-I{include}", "tasks.c", "-o", "tasks"]
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
    said = debugged(program, "break look_here\nrun\ninfo omp tasks\nomp backtrace 2\nbacktrace 1\ncontinue")
    rows = re.findall(
        r"^\(?.*?(\d) the task of .*tasks\.c:(\d+) is suspended at .*tasks\.c:(\d+), and waits for (.*)$", said, re.M
    )
    assert [number for number, *_ in rows] == ["1", "2", "3"], said
    assert all(TASK <= int(made) <= TASK + 2 and int(where) == WAIT for _, made, where, _ in rows), said
    assert {reason for *_, reason in rows} == {"an event"}
    assert re.search(r"thread 1 executes the implicit task of thread \d", said), said
    # The stack of a task: its function with its argument, below the body of the task.
    assert re.search(r"wait_in_a_function \(number=(number@entry=)?[123], ", said), said
    # And the thread is where it was.
    assert re.search(r"#0 +(0x[0-9a-f]+ in )?look_here \(\)", said), said
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
