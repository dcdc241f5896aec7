"""heddle cc: taskloops with task_iteration, in C and C++ under GCC and Clang."""

from __future__ import annotations

import subprocess

import pytest
from command import heddle, without_openmp_settings
from compiling import STOCK, built, cc, plain, said, write
from heddle import clang
from heddle.patience import scaled

WARNINGS = ["-Wall", "-Wextra", "-Werror"]

# A recurrence both ways: which iterations there are, and in which order those that depend on each other are executed.
FORMS = """\
#include <stdio.h>
#include <stddef.h>
#define DO(text) _Pragma(#text)
#define SWEEP(clauses, header) \\
  { \\
    long x[128] = {0}, y[128] = {0}; \\
    _Pragma("omp parallel") _Pragma("omp single") { \\
      DO(omp taskloop clauses shared(x)) for header { \\
        DO(omp task_iteration depend(inout : AT(i)) depend(in : AT(i + 1), AT(i - 1))) \\
        x[i] = 3 * x[i + 1] + 5 * x[i - 1] + i; \\
      } \\
    } \\
    for header y[i] = 3 * y[i + 1] + 5 * y[i - 1] + i; \\
    for (int k = 0; k < 128; k++) errors += x[k] != y[k]; \\
  }
#define AT(k) x[(k)]
int main(void) {
  int errors = 0, three = 3;
  SWEEP(, (int i = 1; i < 100; i++))
  SWEEP(grainsize(7), (int i = 99; i >= 1; i--))
  SWEEP(grainsize(strict : three + 4), (int i = 99; 1 <= i; --i))
  SWEEP(num_tasks(three), (unsigned i = 99; i > 0; i -= three))
  SWEEP(num_tasks(1000), (unsigned long i = 1; 100 >= i; i = i + 3))
  SWEEP(grainsize(1000), (short i = 1; i != 77; ++i))
  SWEEP(num_tasks(strict : 5) nogroup, (long long i = 99; i != 3; i--))
  SWEEP(grainsize(1), (size_t i = 50; i < 50; i = 2 + i))
  SWEEP(if (three == 0), (int i = 3; i < 90; i += three - 1))
  SWEEP(if (taskloop : three != 0) final(three == 3) priority(2), (int i = 90; i > 3; i += -2))
  SWEEP(untied mergeable, (signed char i = 120; 3 < i; i = i - 1))
  SWEEP(default(none) shared(three), (int i = three; i <= three; i++))
  printf("%d\\n", errors);
  return 0;
}
"""


def in_any_order(program, seed: int) -> str:
    """What it prints where libheddle takes tasks in an order of its choice."""
    environ = without_openmp_settings() | {
        "LD_LIBRARY_PATH": heddle("path", "shims").stdout.strip(),
        "OMP_NUM_THREADS": "3",
        "HEDDLE_ORDER": f"fuzz:{seed}",
    }
    done = subprocess.run([program], env=environ, capture_output=True, text=True, timeout=scaled(60), check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("compiler", STOCK)
def test_iterations_follow_their_dependences_in_every_form_of_loop(tmp_path, compiler):
    source = write(tmp_path, "x.cpp" if "++" in compiler else "x.c", FORMS)
    program = built(tmp_path, compiler, "-fopenmp", "-O2", *WARNINGS, source.name)
    assert said(program, "heddle") == "0"
    assert said(program, STOCK[compiler]) == "0"
    assert [in_any_order(program, seed) for seed in range(1, 9)] == 8 * ["0"]


def test_without_the_directive_another_order_gives_something_else(tmp_path):
    write(tmp_path, "x.c", FORMS)
    assert plain(tmp_path, "gcc", "-fopenmp", "x.c", "-o", "program").returncode == 0
    assert any(in_any_order(tmp_path / "program", seed) != "0" for seed in range(1, 9))


CHUNKS = """\
#include <stdio.h>
static char starts[1000];
static void say(int count) {
  int last = 0;
  for (int i = 0; i <= count; i++) {
    if (i < count && !starts[i]) continue;
    if (i > 0) printf("%d ", i - last);
    if (i < count) starts[i] = 0;
    last = i;
  }
  puts("");
}
#define DO(text) _Pragma(#text)
#define CUT(clauses, count) \\
  { \\
    int seen = 0; \\
    DO(omp taskloop clauses firstprivate(seen)) for (int i = 0; i < count; i++) { \\
      DO(omp task_iteration depend(out : starts[i])) \\
      if (seen++ == 0) starts[i] = 1; \\
    } \\
    say(count); \\
  }
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    CUT(grainsize(7), 33)
    CUT(grainsize(strict : 7), 33)
    CUT(grainsize(34), 33)
    CUT(num_tasks(5), 33)
    CUT(num_tasks(40), 5)
    CUT(, 42)
    CUT(, 3)
  }
  return 0;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", clang.cpp()])
def test_clauses_say_how_iterations_are_cut(tmp_path, compiler):
    source = write(tmp_path, "x.cpp" if "++" in compiler else "x.c", CHUNKS)
    assert said(built(tmp_path, compiler, "-fopenmp", *WARNINGS, source.name), "heddle").split(" \n") == [
        "9 8 8 8",
        "7 7 7 7 5",
        "33",
        "7 7 7 6 6",
        "1 1 1 1 1",
        "3 3" + 18 * " 2",
        "1 1 1",
    ]


CPP = """\
#include <cstdio>
#include <vector>
struct Cells {
  int i[8] = {};
};
static const char* text = R"(
#pragma omp taskloop
for (int i = 0; i < 3; i++) {
#pragma omp task_iteration nonsense
)";
template <class T> T folded(std::vector<T>& values, int count) {
  T sum = 0, least = 1000;
  T* const x = values.data();
#pragma omp taskloop /* ( */ grainsize(4), reduction(default, + : sum) reduction(min : least) \\
    default(none) shared(x, count)  // for (;;) {
  for (auto p = x + 1; /* one by one; */
       p != x + count; ++p) {
#pragma omp task_iteration depend(inout : *p) \\
    depend(iterator(T* q = x - 1 : x, long k = count - 9 : (count > 9 ? 3 : 2) : 2), in : q[p - x + 1 - k])
    if (p == x + 7) continue;
    *p = p[-1] + 1;
    sum += *p;
    if (*p < least) least = *p;
    int own = 0;
#pragma omp taskloop num_tasks(2) shared(own) firstprivate(p)
    for (int i = 0; i < 4; i++) {
#pragma omp task_iteration depend(inout : own)
#pragma omp task_iteration affinity(own)
      own = 2 * own + (i + 1 == 4 ? '"' - '!' : 0);
    }
    sum += static_cast<T>(own);
  }
  return sum + least;
}
int main() {
  std::vector<int> a(1'0);
  std::vector<double> b(10);
  int i = 5, from_c = 0;
  Cells cells;
#pragma omp parallel
#pragma omp single
  {
    const int one = folded(a, 10);
    const double two = folded(b, 10);
#pragma omp taskloop shared(from_c)
    for (i = 0; i < 4; i++) {
#pragma omp task_iteration depend(inout : cells.i[i])  depend(inout: (&cells) ->i[0])
      from_c = 10 * from_c + i;
    }
    std::printf("%d %g %d %d %d\\n", one, two, i, from_c, text[0] == '\\n' ? __LINE__ : 0);
  }
}
"""


@pytest.mark.parametrize("compiler", ["g++", clang.cpp()])
def test_templates_reductions_and_loops_in_loops(tmp_path, compiler):
    write(tmp_path, "x.cpp", CPP)
    program = built(tmp_path, compiler, "-std=c++20", "-fopenmp", "-Wall", "-Wextra", "-Werror", "x.cpp")
    # a[1..6] are 1 to 6, a[7] stays 0, a[8] and a[9] are 1 and 2; eight bodies add one
    expected = sum(range(1, 7)) + 1 + 2 + 8 + 1
    assert said(program, "heddle") == f"{expected} {expected} 5 123 50"


def test_lines_are_where_they_were(tmp_path):
    lines = ["int x[9];", "void f(void) {", "#pragma omp taskloop", "  for (int i = 0;", "       i < 9; i++) {"]
    lines += ["#pragma omp task_iteration depend(out : x[i]) \\", "  depend(in : x[0])", "    x[i] = __LINE__ + wrong;"]
    write(tmp_path, "x.c", "\n".join([*lines, "  }", "}", "int g(void) { return also_wrong; }", ""]))
    for compiler in ("gcc", clang.c()):
        errors = cc(tmp_path, compiler, "-fopenmp", "-c", "x.c").stderr
        assert "x.c:8:" in errors and "error: " in errors, errors
        assert "x.c:11:22: error: " in errors, errors


# Each writes one element, from those of a list of its own: a chain of sums that another order breaks.
LISTS = """\
#include <stdio.h>
enum { kElements = 60 };
static int counts[kElements], from[kElements][3];
static long x[kElements], y[kElements], rows[4][8];
static long sum(const long* of, int i) {
  long result = i;
  for (int k = 0; k < counts[i]; k++) result += of[from[i][k]];
  return result % 1000003;
}
int main(void) {
  int errors = 0, i;
  for (i = 0; i < kElements; i++)
    for (counts[i] = 0; counts[i] < i % 4 && counts[i] < i; counts[i]++) from[i][counts[i]] = i - 1 - counts[i];
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop CLAUSES
    for (int i = 0; i < kElements; i++) {
#pragma omp task_iteration depend(iterator(int k = 0 : counts[i]), in : x[from[i][k]]) depend(out : x[i])
      x[i] = sum(x, i);
    }
#pragma omp taskloop nogroup CLAUSES
    for (i = kElements - 1; i >= 0; i -= 1) {
#pragma omp task_iteration if(task_iteration : i > 30) \\
    depend(iterator(int b = i - 1 : i - 3 : -1), in : x[b > 0 ? b : 0])
#pragma omp task_iteration if(i > 30) depend(inout : x[i], y[0:8])
      if (i > 30) x[i] += y[0]++;
    }
#pragma omp taskwait
#pragma omp taskloop CLAUSES
    for (int i = 1; i < 32; i++) {
#pragma omp task_iteration depend(iterator(int r = 0 : i / 8 + 1, int c = r : r + 1), inout : rows[r][c ? 0 : 0 : 8])
      rows[0][0] = rows[0][0] * 3 % 10007 + i;
    }
  }
  long expected = 0;
  for (i = 0; i < kElements; i++) y[i] = i == 0 ? 0 : y[i];
  for (i = 0; i < kElements; i++) y[i] = sum(y, i);
  for (i = 0; i < kElements; i++) errors += x[i] != y[i] + (i > 30 ? kElements - 1 - i : 0);
  for (i = 1; i < 32; i++) expected = expected * 3 % 10007 + i;
  errors += rows[0][0] != expected;
  printf("%d\\n", errors);
  return 0;
}
"""


@pytest.mark.parametrize("clauses", ["grainsize(1)", "num_tasks(7)"])
@pytest.mark.parametrize("compiler", STOCK)
def test_iterators_and_conditions_may_depend_on_the_iteration(tmp_path, compiler, clauses):
    source = write(tmp_path, "x.cpp" if "++" in compiler else "x.c", LISTS.replace("CLAUSES", clauses))
    program = built(tmp_path, compiler, "-fopenmp", "-O2", *WARNINGS, source.name)
    assert said(program, "heddle") == "0"
    assert said(program, STOCK[compiler]) == "0"
    assert [in_any_order(program, seed) for seed in range(1, 9)] == 8 * ["0"]


LOOP = "#pragma omp {}\n  for ({}) {{\n#pragma omp task_iteration {}\n    x[i] = i;\n  }}\n"
LATE = (
    "#pragma omp taskloop\n  for (int i = 0; i < 9; i++) {\n    n++;\n#pragma omp task_iteration depend(out : n)\n  }\n"
)
PLAIN, HEADER, DEPEND = "taskloop", "int i = 0; i < 9; i++", "depend(out : x[i])"


@pytest.mark.parametrize(
    ("statement", "line", "words"),
    [
        (LOOP.format("taskloop collapse(2)", HEADER, DEPEND), 3, "'collapse' of a taskloop"),
        (LOOP.format("taskloop lastprivate(x)", HEADER, DEPEND), 3, "'lastprivate' of a taskloop"),
        (LOOP.format("taskloop simd", HEADER, DEPEND), 3, "combined or composite"),
        (LOOP.format("parallel masked taskloop", HEADER, DEPEND), 3, "combined or composite"),
        (LOOP.format("taskloop depend(out : x)", HEADER, DEPEND), 3, "taskloop has no clause 'depend'"),
        (LOOP.format("taskloop grainsize(2) num_tasks(2)", HEADER, DEPEND), 3, "grainsize or num_tasks, not both"),
        (LOOP.format("taskloop nogroup reduction(+ : n)", HEADER, DEPEND), 3, "with nogroup has no reduction"),
        (LOOP.format("taskloop grainsize", HEADER, DEPEND), 3, "needs an expression"),
        (LOOP.format(PLAIN, "int i = 0; i * i < 9; i++", DEPEND), 3, "canonical form"),
        (LOOP.format(PLAIN, "int i = 0; i < 9; i *= 2", DEPEND), 3, "canonical form"),
        (LOOP.format(PLAIN, "int i = 0; i != 8; i += 2", DEPEND), 3, "has to count by one"),
        (LOOP.format(PLAIN, "int i = 0; i < 9;", DEPEND), 3, "canonical form"),
        (LOOP.format(PLAIN, "int i = 0, j = 1; i < 9; i++", DEPEND), 3, "canonical form"),
        (LOOP.format(PLAIN, "int i = 0; i < 9 && n; i++", DEPEND), 3, "canonical form"),
        (LOOP.format(PLAIN, "int i = 0; i < 9; i += 2, n++", DEPEND), 3, "canonical form"),
        (LOOP.format(PLAIN, HEADER, "if(i) depend(out : omp_all_memory)"), 3, "'omp_all_memory' with"),
        (LOOP.format(PLAIN, HEADER, "depend(iterator(int k = 0 : i), depobj : x)"), 3, "'depobj' with"),
        (LOOP.format(PLAIN, HEADER, "shared(x)"), 3, "task_iteration has no clause 'shared'"),
        (LOOP.format(PLAIN, HEADER, "depend"), 3, "needs an argument"),
        (LOOP.format(PLAIN, HEADER, "depend(source)"), 3, "'depend' of task_iteration takes in, out"),
        (LOOP.format(PLAIN, HEADER, "depend(iterator(int k = 1), in : x[k])"), 3, "'int k = 1' is no iterator"),
        (LOOP.format("taskloop replayable(n)", HEADER, DEPEND), 3, "not yet"),
        (LOOP.format("parallel for", HEADER, DEPEND), 5, "at the beginning of the body of a taskloop's loop"),
        (LATE, 6, "at the beginning of the body"),
    ],
)  # fmt: skip
def test_what_cannot_be_had_is_said_in_one_line(tmp_path, statement, line, words):
    write(tmp_path, "x.c", f"int x[9];\nvoid f(int n) {{\n{statement}}}\n")
    for compiler in ("gcc", clang.c()):
        result = cc(tmp_path, compiler, "-fopenmp", "-c", "x.c")
        assert (result.returncode, len(result.stderr.splitlines())) == (2, 1), result.stderr
        assert result.stderr.startswith(f"x.c:{line}: "), result.stderr
        assert words in result.stderr


def test_fortran_is_refused_in_one_line(tmp_path):
    write(
        tmp_path,
        "x.f90",
        "!$omp taskloop\ndo i = 1, 9\n!$omp task_iteration depend(out: x(i))\nx(i) = i\nend do\nend\n",
    )
    result = cc(tmp_path, "gfortran", "-fopenmp", "-c", "x.f90")
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "x.f90:3: task_iteration in Fortran: not yet" in result.stderr


def test_taskloops_without_the_directive_stay_as_they_are(tmp_path):
    write(
        tmp_path, "x.c", "int x[9];\nvoid f(void) {\n#pragma omp taskloop\n  for (int i = 0; i < 9; i++) x[i] = i;\n}\n"
    )
    assert cc(tmp_path, "gcc", "-fopenmp", "-c", "x.c", "-o", "ours.o").returncode == 0
    assert plain(tmp_path, "gcc", "-fopenmp", "-c", "x.c", "-o", "theirs.o").returncode == 0
    assert (tmp_path / "ours.o").read_bytes() == (tmp_path / "theirs.o").read_bytes()


GRAPH = """\
#include <stdio.h>
unsigned x[40];
int main(void) {
  int created = 0;
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 5; t++) {
#pragma omp taskgraph
    {
      created++;
#pragma omp taskloop grainsize(3)
      for (int i = 1; i < 40; i++) {
#pragma omp task_iteration depend(inout : x[i]) depend(in : x[i - 1])
        x[i] += x[i - 1] + 1;
      }
    }
  }
  printf("%d %u\\n", created, x[39]);
}
"""


@pytest.mark.parametrize("compiler", ["gcc", clang.c()])
def test_in_a_taskgraph_they_are_recorded(tmp_path, compiler):
    write(tmp_path, "x.c", GRAPH)
    x = 40 * [0]
    for _ in range(5):
        for i in range(1, 40):
            x[i] += x[i - 1] + 1
    program = built(tmp_path, compiler, "-fopenmp", "x.c")
    assert said(program, "heddle") == f"1 {x[39] % 2**32}"
    assert said(program, STOCK[compiler]) == f"5 {x[39] % 2**32}"
