"""heddle simulate -- PROGRAM: what comes of a program stays, and its cache lines and its time are the machine's."""

import json
import os
import re
import subprocess
import sys
import time

import pytest
from command import ROOT, heddle
from heddle import toolchain

LOCK_FREE = """
#include <pthread.h>
#include <stdio.h>
#include <time.h>
enum { kRounds = 100 };
static _Alignas(64) volatile long ball = 0;
static void* play(void* argument) {
  const long side = (long)argument;
  for (long round = 0; round < kRounds; ++round) {
    while (__atomic_load_n(&ball, __ATOMIC_ACQUIRE) != 2 * round + side) {
    }
    __atomic_store_n(&ball, 2 * round + side + 1, __ATOMIC_SEQ_CST);
  }
  return NULL;
}
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, play, (void*)1);
  const double from = now();
  play((void*)0);
  pthread_join(other, NULL);
  printf("%.0f\\n", (now() - from) / kRounds);
}
"""

SLEEPS = """
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int sum = 0, ended = 0;
static void* add(void* argument) {
  usleep(1000000);
  pthread_mutex_lock(&mutex);
  usleep(1000);
  sum += *(int*)argument;
  ++ended;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return argument;
}
int main(void) {
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  pthread_t threads[40];
  int numbers[40];
  for (int i = 0; i < 40; ++i) numbers[i] = i, pthread_create(&threads[i], NULL, add, &numbers[i]);
  pthread_mutex_lock(&mutex);
  while (ended < 40) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 40; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    if (result != &numbers[i]) return 1;
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  cpu_set_t all;
  sched_getaffinity(0, sizeof all, &all);
  struct timespec date;
  clock_gettime(CLOCK_REALTIME, &date);
  printf("%ld %d %.3f %d %ld\\n", (long)date.tv_sec, sum,
         (to.tv_sec - from.tv_sec) + 1e-9 * (to.tv_nsec - from.tv_nsec),
         CPU_COUNT(&all), sysconf(_SC_NPROCESSORS_ONLN));
}
"""

# Each thread has its own variables, number, floating-point mode, error number and exceptions, while others execute.
OWN = r"""
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <stdexcept>
#include <stdio.h>
#include <string>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ended = 0, wrong = 0;
static pid_t ids[16];
struct Counted {
  ~Counted() {  // at the thread's end, where others may hold the mutex
    pthread_mutex_lock(&mutex);
    usleep(10);
    ++ended;
    pthread_mutex_unlock(&mutex);
  }
  int number = -1;
};
static thread_local Counted own;
struct Cleanup {
  int* count;
  ~Cleanup() { ++*count; }
};
static int cleaned = 0;
static void leave(long number) {
  Cleanup cleanup{&cleaned};
  pthread_exit((void*)(number * 10));
}
static void* work(void* argument) {
  const long number = (long)argument;
  own.number = (int)number;
  ids[number] = gettid();
  const int mode = number % 2 ? FE_UPWARD : FE_DOWNWARD;
  fesetround(mode);
  for (int i = 0; i < 20; ++i) {
    errno = (int)number;
    try {
      usleep((unsigned)(1 + number));
      throw std::runtime_error(std::to_string(number));
    } catch (const std::exception& caught) {
      usleep(3);
      wrong += caught.what() != std::to_string(number);
    }
    wrong += own.number != number || fegetround() != mode || gettid() != ids[number];
    errno = (int)number;
    usleep(1);
    wrong += errno != (int)number;
  }
  if (number % 3 == 0) leave(number);
  return (void*)(number * 10);
}
int main() {
  pthread_t threads[16];
  for (long i = 0; i < 16; ++i) pthread_create(&threads[i], nullptr, work, (void*)i);
  for (long i = 0; i < 16; ++i) {
    void* result = nullptr;
    pthread_join(threads[i], &result);
    wrong += result != (void*)(i * 10);
    for (long k = 0; k < i; ++k) wrong += ids[i] == ids[k];
  }
  printf("%d wrong, %d ended, %d cleaned\n", wrong, ended, cleaned);
}
"""

HANGS = """
#include <pthread.h>
int main(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
}
"""

TASKS = """
#include <omp.h>
#include <stdio.h>
__attribute__((weak)) void heddle_machine_compute(double ns);
static long fib(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a) if (n > 8)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
int main(void) {
  long cell[9] = {1}, result = 0;
  double time = 0;
#pragma omp parallel
#pragma omp single
  {
    result = fib(16);
    for (int i = 1; i < 9; ++i)
#pragma omp task depend(in : cell[i - 1]) depend(out : cell[i])
      cell[i] = cell[i - 1] + i;
#pragma omp taskwait
    time = omp_get_wtime();
    for (int i = 0; i < 400; ++i)
#pragma omp task
      if (heddle_machine_compute) heddle_machine_compute(20000);
#pragma omp taskwait
    time = omp_get_wtime() - time;
  }
  printf("%d threads: %ld, %ld\\n", omp_get_max_threads(), result, cell[8]);
  fprintf(stderr, "%.1f\\n", time * 1e6);
}
"""


@pytest.fixture(scope="module", autouse=True)
def machine():
    toolchain.build("release", ["heddle_on_machine"])
    return ROOT / "build" / "release" / "lib" / "libheddle-machine.so"


def made(tmp_path, text: str, *options: str):
    source = tmp_path / "program.c"
    source.write_text(text)
    subprocess.run(["gcc", "-O2", *options, str(source), "-o", str(tmp_path / "program")], check=True)
    return tmp_path / "program"


def said(program, machine, described: str):
    environ = os.environ | {"LD_PRELOAD": str(machine), "HEDDLE_MACHINE": described}
    return subprocess.run([program], env=environ, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(("caches", "sockets", "transfer"), [(1, 1, 40), (2, 1, 90), (2, 2, 200)])
def test_a_line_between_two_processors_takes_as_long_as_they_are_apart(tmp_path, machine, caches, sockets, transfer):
    # Instrumented without ThreadSanitizer's library: the accesses are the machine's to see.
    objects = made(tmp_path, LOCK_FREE, "-fsanitize=thread", "-c")
    subprocess.run(["gcc", objects, machine, "-o", tmp_path / "linked"], check=True)
    costs = "near=40 far=90 remote=200 own=1 atomic=1 wake=0 computing=said"
    described = f"processors=2 caches={caches} sockets={sockets} {costs}"
    done = said(tmp_path / "linked", machine, described)
    assert done.returncode == 0, done.stderr
    # A round has two transfers each way: the line is read, then written, which takes it from the one that looks at it.
    # (A processor may be ahead of another one by half of the shortest transfer.)
    assert 4 * transfer - 2 * 20 <= float(done.stdout) <= 4 * transfer + 40


def test_threads_that_sleep_pass_simulated_time_and_share_processors(tmp_path, machine):
    done = said(made(tmp_path, SLEEPS, "-D_GNU_SOURCE"), machine, "processors=8 computing=said wake=1000 exchange=100")
    assert done.returncode == 0, done.stderr
    date, total, seconds, allowed, online = done.stdout.split()
    assert abs(int(date) - time.time()) <= 60
    assert (int(total), int(allowed), int(online)) == (780, 8, 8)
    # All sleep at the same time for a second, and one after the other for a millisecond, which holds the mutex.
    assert 1.04 <= float(seconds) <= 1.05


@pytest.mark.parametrize("processors", [1, 3, 16])
def test_what_belongs_to_a_thread_stays_its_own(tmp_path, machine, processors):
    source = tmp_path / "program.cpp"
    source.write_text(OWN)
    subprocess.run(["g++", "-O2", "-pthread", "-frounding-math", source, "-o", tmp_path / "program"], check=True)
    native = subprocess.run([tmp_path / "program"], capture_output=True, text=True, timeout=60)
    done = said(tmp_path / "program", machine, f"processors={processors} computing=said wake=1000 exchange=100")
    assert (done.returncode, done.stdout) == (0, "0 wrong, 16 ended, 6 cleaned\n"), done.stderr
    assert native.stdout == done.stdout


def test_a_program_that_nobody_can_wake_is_ended(tmp_path, machine):
    done = said(made(tmp_path, HANGS), machine, "processors=2")
    assert done.returncode == 3 and done.stderr.startswith("heddle: every thread of the program sleeps")


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_answers_and_figures_are_the_same_from_run_to_run(tmp_path, compiler):
    from heddle import clang

    program = tmp_path / "program"
    (tmp_path / "program.c").write_text(TASKS)
    subprocess.run(
        [compiler if compiler == "gcc" else clang.c(), "-O2", "-fopenmp", program.with_suffix(".c"), "-o", program],
        check=True,
    )
    command = ["simulate", "--cores", "1,4,64", "--sockets", "1", "--set", "computing=said", "--", str(program)]
    first, second = heddle(*command), heddle(*command)
    assert first.returncode == 0, first.stderr
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr)
    assert re.findall(r"(\d+) threads: (\d+), (\d+)", first.stderr) == [(n, "987", "37") for n in ("1", "4", "64")]
    # 400 bodies of 20 us: what the machine says of them is what they take, and the program's clock is the machine's.
    times = [float(x) for x in re.findall(r"^(\d+\.\d)$", first.stderr, re.MULTILINE)]
    assert len(times) == 3 and 8000 <= times[0] <= 8100 and 2000 <= times[1] <= 2200 and times[2] >= 140, times
    rows = re.findall(r"^ *(\d+) +([\d.]+ \S+) +([\d.]+) +(\d+) % +(\S+ %) +(\d+)$", first.stdout, re.MULTILINE)
    assert [row[0] for row in rows] == ["1", "4", "64"]
    assert re.search(r"^ *\d+ .* \S+\.[ch]pp:\d+$", first.stdout, re.MULTILINE), "a place in the runtime has a name"
    assert not re.search(r"^ *\d+ +\S+ \S+ +,", first.stdout, re.MULTILINE), "and its function, too"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--cores", "0"], "'0' is no number from 1 to 256"),
        (["--cores", "4,many"], "'many' is no number from 1 to 256"),
        (["--cores", "4", "--sockets", "3"], "each cache has as many processors"),
        (["--cores", "4", "--sockets", "0"], "sockets is '0'"),
        (["--cores", "4", "--caches", "0"], "caches is '0'"),
        (["--cores", "4", "--set", "nearer=1"], "there is no 'nearer'"),
        (["--cores", "4", "--runtime", "gnu"], "takes --cores, --sockets, --caches and --set alone"),
        (["--cores", "4", "--sockets", "2", "--remote", "2"], "takes --cores, --sockets, --caches and --set alone"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(tmp_path, options, message):
    done = heddle("simulate", *options, "--", str(made(tmp_path, TASKS, "-fopenmp")))
    assert done.returncode == 2 and message in done.stderr, done.stderr


@pytest.mark.parametrize("option", [("--caches", "2"), ("--set", "near=1")])
def test_what_has_no_caches_takes_no_option_of_them(option):
    done = heddle("simulate", "--cores", "4", *option, "--", "heddle-amr")
    assert done.returncode == 2 and "are for '-- PROGRAM'" in done.stderr


def test_the_programs_status_is_told(tmp_path):
    fails = made(tmp_path, "int main(void) {\n#pragma omp parallel\n  {}\n  return 7;\n}\n", "-fopenmp")
    done = heddle("simulate", "--cores", "2", "--", str(fails))
    assert done.returncode == 1 and "exit status 7" in done.stderr


def test_lines_are_counted_for_each_event(tmp_path):
    record = tmp_path / "lines.json"
    study = [sys.executable, ROOT / "bench" / "studies" / "cache_lines.py", "--processors", "4", "--json", record]
    done = subprocess.run(study, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    rows = {row["event"]: row["now"] for row in json.loads(record.read_text())["rows"]}
    assert rows.keys() == {"task", "dependent", "leaf", "chunk", "replayed", "barrier", "drained", "region"}
    # Four processors take a quarter of the body's time at least; all but one have to learn that a barrier is passed.
    assert rows["task"]["ns"] >= 250 and rows["dependent"]["ns"] >= 500 and rows["chunk"]["ns"] >= 250, rows
    assert all(rows[event]["lines"] >= 3 for event in ("barrier", "drained", "region")), rows


def test_an_unknown_event_is_refused():
    study = [sys.executable, ROOT / "bench" / "studies" / "cache_lines.py", "--events", "barier"]
    done = subprocess.run(study, capture_output=True, text=True, timeout=600)
    assert done.returncode == 2 and "there are task, dependent" in done.stderr


def test_nested_tasks_are_timed_with_and_without_leapfrogging(tmp_path):
    record = tmp_path / "nested.json"
    study = [sys.executable, ROOT / "bench" / "studies" / "nested_tasks.py", "--processors", "1,4"]
    done = subprocess.run(
        [*study, "--programs", "queens", "--json", record], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    one, four = (row["ms"] for row in json.loads(record.read_text())["rows"])
    assert one["now"] == one["without"], "one thread steals of nobody"
    # 2,057 tasks of 100 ns.
    assert four["now"] >= 0.05 and four["now"] < one["now"], four
    done = subprocess.run([*study, "--programs", "fibb"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 2 and "there are fib, queens" in done.stderr
