"""heddle cc: taskwait with a detach clause, in C and C++ under GCC and Clang and in Fortran under gfortran."""

from __future__ import annotations

import re

import pytest
from compiling import built, cc, plain, said, write
from heddle import clang
from heddle.cc import c_family, fortran
from heddle.errors import UserError

COMPILERS = ["gcc", "g++", clang.c(), clang.cpp()]

# Each wait would go on too early if it did not wait: what it waits for takes a while, or comes later.
WAITS = """\
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
#ifdef __cplusplus
extern "C"
#endif
omp_event_handle_t omp_task_continuation_event(void) __attribute__((weak));
#define WAIT(event) _Pragma("omp taskwait detach(event)")
int main(void) {
  int step = 0, alone = 0, produced = 0, both = 0, later = 0, earlier = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(step, alone)
    {
      struct { omp_event_handle_t of[2]; } events;
      events.of[0] = events.of[1] = omp_task_continuation_event();
#pragma omp task firstprivate(events) shared(step)
      {
        usleep(2000);
        step = 1;
        omp_fulfill_event(events.of[1]);
      }
#pragma omp taskwait detach((events.of)[events.of[0] == events.of[1] ? 1 : 0]) /* it waits ) ( */ // here
      alone = step;
    }
#pragma omp taskwait

#pragma omp task shared(produced) depend(out : produced)
    {
      usleep(2000);
      produced = 10;
    }
    omp_event_handle_t event = omp_task_continuation_event();
#pragma omp task firstprivate(event) shared(step)
    {
      usleep(1000);
      step = 2;
      omp_fulfill_event(event);
    }
#pragma omp taskwait detach(event) \\
    depend(in : produced)
    both = step + produced;

    event = omp_task_continuation_event();
    const omp_event_handle_t same = event;
    const int* element = &produced;
#pragma omp taskwait nowait, depend(out : *element) detach(event)
    element = NULL;  // what the directive names is looked at where it stands
    event = omp_task_continuation_event();
#pragma omp task depend(in : produced) shared(later, step)
    later = step;
    usleep(1000);
    step = 3;
    omp_fulfill_event(same);
#pragma omp taskwait

    omp_fulfill_event(event);
    WAIT(event) earlier = 1;
  }
  printf("%d %d %d %d\\n", alone, both, later, earlier);
  return 0;
}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_task_waits_for_its_event_alone_or_with_dependences(tmp_path, compiler):
    source = write(tmp_path, "x.cpp" if "++" in compiler else "x.c", WAITS)
    program = built(tmp_path, compiler, "-fopenmp", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", source.name)
    assert said(program, "heddle") == "1 12 3 1"


CPP = """\
#include <omp.h>
#include <cstdio>
#include <thread>
#include <tuple>
#include <vector>
extern "C" omp_event_handle_t omp_task_continuation_event() __attribute__((weak));
static const char* text = R"(
#pragma omp taskwait detach(nonsense) nonsense
)";
struct Request {
  omp_event_handle_t event = omp_task_continuation_event();
  std::tuple<int, omp_event_handle_t> both() const { return {0, event}; }
};
template <class T> T received(T value) {
  T buffer = 0;
  Request request;
  std::thread sender([&, handle = request.event] {
    buffer = value;
    omp_fulfill_event(handle);
  });
#pragma omp taskwait detach(std::get<0, omp_event_handle_t>(std::tuple<omp_event_handle_t>(request.event)))
  sender.join();
  return buffer;
}
int main() {
  std::vector<int> values(8);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 8; i++) {
#pragma omp task shared(values)
    {
      auto wait = [](const Request& request) {
#pragma omp taskwait detach(std::get<1>(request.both()))
      };
      Request request;
      omp_fulfill_event(request.event);
      wait(request);
      values[i] = received(i) + static_cast<int>(received(0.5 * i) * 2.0);
    }
  }
  int sum = 0;
  for (int value : values) sum += value;
  std::printf("%d %d\\n", sum, text[0] == '\\n' ? 1'000 : 0);
}
"""


@pytest.mark.parametrize("compiler", ["g++", clang.cpp()])
def test_templates_and_lambdas_may_wait_for_events(tmp_path, compiler):
    write(tmp_path, "x.cpp", CPP)
    program = built(tmp_path, compiler, "-std=c++20", "-fopenmp", "-Wall", "-Wextra", "-Werror", "x.cpp")
    assert said(program, "heddle") == "56 1000"


FREE = """\
module events
  use, intrinsic :: iso_c_binding, only: c_intptr_t
  use omp_lib
  implicit none
  interface
    function fresh() bind(c)
      import :: c_intptr_t
      integer(c_intptr_t) :: fresh
    end function
    subroutine nap() bind(c)
    end subroutine
  end interface
  type :: pair
    integer(omp_event_handle_kind) :: of(2)
  end type
end module
program waits
  use events
  implicit none
  integer :: step, alone, produced, both, later
  step = 0; alone = 0; produced = 0; both = 0; later = 0
  !$omp parallel default(none) shared(step, alone, produced, both, later)
  !$omp single
  block
    type(pair) :: two
    integer(omp_event_handle_kind) :: event, same
    !$omp task default(none) shared(step, alone) private(two)
    two%of(2) = fresh()
    !$omp task default(none) firstprivate(two) shared(step)
    call nap()
    step = 1
    call omp_fulfill_event(two%of(2))
    !$omp end task
    !$OMP TaskWait Detach(two%of(max(1, len(')!')))) ! it waits ) (
    alone = step
    !$omp end task
    !$omp taskwait
    !$omp task shared(produced) depend(out: produced)
    call nap()
    produced = 10
    !$omp end task
    event = fresh()
    !$omp task firstprivate(event) shared(step)
    step = 2
    call omp_fulfill_event(event)
    !$omp end task
    !$omp taskwait depend(in: produced) & ! both

    ! in between
    !$omp& detach(event)
    both = step + produced
    event = fresh()
    same = event
    !$omp taskwait nowait, detach(event), depend(out: produced)
    event = 0
    !$omp task depend(in: produced) shared(later, step)
    later = step
    !$omp end task
    call nap()
    step = 3
    call omp_fulfill_event(same)
  end block
  !$omp end single
  !$omp end parallel
  print '(i0,1x,i0,1x,i0)', alone, both, later
end program
"""

# Columns 73 to 80 are comment.
FIXED = """\
      program waits
      use omp_lib
      implicit none
      interface
        function fresh() bind(c)
          use, intrinsic :: iso_c_binding, only: c_intptr_t
          integer(c_intptr_t) :: fresh
        end function
        subroutine nap() bind(c)
        end subroutine
      end interface
      integer(omp_event_handle_kind) handles(2, 2)
      integer step, both
      step = 0
      both = 0
c$omp parallel
c$omp single
      handles(1, 2) = fresh()
c$omp task shared(step)
      call nap()
      step = 1
      call omp_fulfill_event(handles(1, 2))
c$omp end task
c$omp task shared(both) depend(out: both)
      call nap()
      both = 10
c$omp end task
C$OMP TASKWAIT DETACH(HANDLES(1,                                        nonsense
c     in between
*$omp+2)) DEPEND(IN: BOTH)                                              nonsense
      both = both + step
      handles(1, 2) = fresh()
      call omp_fulfill_event(handles(1, 2))
!$omp taskwait detach(handles(1, 2))
!$omp end single
!$omp end parallel
      print '(i0)', both
      end
"""

HELPERS = """\
#include <unistd.h>
unsigned long omp_task_continuation_event(void) __attribute__((weak));
unsigned long fresh(void) { return omp_task_continuation_event(); }
void nap(void) { usleep(2000); }
"""


@pytest.mark.parametrize(("name", "text", "printed"), [("x.f90", FREE, "1 12 3"), ("x.f", FIXED, "11")])
def test_fortran_in_both_forms_waits_for_events(tmp_path, name, text, printed):
    write(tmp_path, "helpers.c", HELPERS)
    assert plain(tmp_path, "gcc", "-c", "helpers.c").returncode == 0
    write(tmp_path, name, text)
    program = built(tmp_path, "gfortran", "-Wall", "-Wextra", "-Werror", "-fopenmp", "helpers.o", name)
    assert said(program, "heddle") == printed


@pytest.mark.parametrize("name", ["x.c", "x.f90"])
def test_where_the_runtime_has_no_such_events_the_program_says_so(tmp_path, name):
    text = "program p\n!$omp taskwait detach(7)\nend program\n"
    if name == "x.c":
        text = "int main(void) {\n#pragma omp taskwait detach(7)\n}\n"
    write(tmp_path, name, text)
    program = built(tmp_path, "gcc" if name == "x.c" else "gfortran", "-fopenmp", name)
    result = plain(tmp_path, program)
    assert result.returncode != 0
    assert "this OpenMP runtime has no omp_taskwait_detach; libheddle has" in result.stderr


def calls(directive: str, *, is_cpp: bool = False) -> list[str]:
    """What becomes of the directive, on line 7 of y.c, less the line markers."""
    text = f'# 7 "y.c"\n#pragma omp {directive}\nrest;\n'
    changed = c_family.rewritten(text, is_cpp, "x.c")
    assert changed is not None
    lines = changed.partition('# 7 "y.c" 2\n')[2].splitlines()
    assert lines.pop() == "rest;"
    assert {line for line in lines if line.startswith("# ")} <= {'# 7 "y.c"'}
    return [line for line in lines if not line.startswith("# ")]


@pytest.mark.parametrize(
    ("directive", "expected"),
    [
        ("taskwait detach(e)", ["heddle_cc_taskwait_detach_(e);"]),
        ("taskwait, detach ( p->q[f(i, j)].e ) replayable", ["heddle_cc_taskwait_detach_(p->q[f(i, j)].e);"]),
        ("taskwait detach(e[')']) // why", ["heddle_cc_taskwait_detach_(e[')']);"]),
        ("taskwait/* why */detach(/* ) */e)", ["heddle_cc_taskwait_detach_(e);"]),
        (
            "taskwait depend(in : a[0:n], b) detach(e) depend(out: c)",
            ["{", "#pragma omp taskwait depend(in : a[0:n], b) depend(out: c)", "heddle_cc_taskwait_detach_(e); }"],
        ),
        (
            "taskwait nowait depend(inout: a) detach(e)",
            [
                "{ const unsigned long heddle_cc_event_ = heddle_cc_event_of_(e);",
                "#pragma omp task depend(inout: a) firstprivate(heddle_cc_event_)",
                "heddle_cc_taskwait_detach_(heddle_cc_event_); }",
            ],
        ),
    ],
)
@pytest.mark.parametrize("is_cpp", [False, True])
def test_the_clauses_decide_what_the_directive_becomes(directive, expected, is_cpp):
    assert calls(directive, is_cpp=is_cpp) == expected


@pytest.mark.parametrize(
    "directive",
    ["taskwait", "taskwait depend(in: detach)", "task detach(e)", "taskwait depend(out: detach[0], a)", "detach"],
)
def test_other_directives_stay_as_they_are(directive):
    assert c_family.rewritten(f"#pragma omp {directive}\n", False, "x.c") is None
    assert fortran.rewritten(f"!$omp {directive}\n", False, False, "x.f90")[1] is False


MISTAKES = [
    ("taskwait detach(e) nowait", "taskwait with detach and nowait stands for a task that others depend on: add a"),
    ("taskwait detach(e) if(x)", "taskwait with detach has no clause 'if'; it takes depend and nowait"),
    ("taskwait detach(e) detach(e)", "clause 'detach' of taskwait is given twice"),
    ("taskwait detach(e) depend(in: x) nowait nowait", "clause 'nowait' of taskwait is given twice"),
    ("taskwait detach(e) depend(in: x) nowait(x)", "'nowait' of taskwait with detach takes no argument"),
    ("taskwait detach", "clause 'detach' of taskwait needs an argument"),
    ("taskwait detach()", "clause 'detach' of taskwait needs an argument"),
    ("taskwait depend detach(e)", "clause 'depend' of taskwait needs an argument"),
    ("taskwait detach((e)", "a parenthesis is not closed"),
    ("taskwait detach(e) + 1", "'+ 1' is no clause"),
]


@pytest.mark.parametrize(("directive", "message"), MISTAKES)
@pytest.mark.parametrize("compiler", ["gcc", clang.c(), "gfortran"])
def test_a_wrong_wait_is_one_line_with_its_place_and_no_output(tmp_path, compiler, directive, message):
    name = "x.c"
    text = f"void f(int x, unsigned long e) {{\n\n#pragma omp {directive}\n  e += x;\n}}\n"
    if compiler == "gfortran":
        name = "x.f90"
        text = f"program p\ninteger :: x\n!$omp {directive}\nend program\n"
    write(tmp_path, name, text)
    result = cc(tmp_path, compiler, "-fopenmp", "-c", name)
    assert (result.returncode, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
    assert result.stderr.startswith(f"{name}:3: {message}")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_comment_of_several_lines_belongs_to_the_directive():
    text = "#pragma omp taskwait /* one\n two */ detach(/* ' */ e)\nrest;\n"
    changed = c_family.rewritten(text, False, "x.c")
    assert changed is not None
    assert changed.endswith('# 1 "x.c" 2\nheddle_cc_taskwait_detach_(e);\n\nrest;\n')
    with pytest.raises(UserError, match=r"x\.c:1: 'rest' is no clause|x\.c:1: .*no clause 'rest'"):
        c_family.rewritten(text.replace("e)", "e) rest"), False, "x.c")


WRONG_LINES = """\
#include <stddef.h>
#define LATER _Pragma("omp taskwait detach(missing_f)")
int f(unsigned long* events, int n);
int f(unsigned long* events, int n) {
#warning said once
#pragma omp taskwait detach(missing_a)
#pragma omp taskwait depend(in : missing_b) \\
    detach(missing_c)
#pragma omp taskwait /* a comment that
    goes on */ nowait depend(in : missing_d) detach(missing_e)
#pragma omp taskwait detach(events[0], events[1])
  LATER
  return missing_g;
}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("options", [[], ["-Wextra"]], ids=" ".join)
def test_messages_name_the_lines_of_the_waits(tmp_path, compiler, options):
    name = "x.cpp" if "++" in compiler else "x.c"
    write(tmp_path, name, WRONG_LINES)
    result = cc(tmp_path, compiler, "-fopenmp", *options, "-c", name)
    assert result.returncode == 1
    found = set(re.findall(r"^(\S+?):(\d+):\d+: error", result.stderr, re.MULTILINE))
    assert {file for file, _ in found} == {name}
    named = {missing: int(line) for line, missing in re.findall(r":(\d+):\d+: error:.*missing_(\w)", result.stderr)}
    # Where a directive goes on in another line, GCC and Clang name its first.
    assert named == {"a": 6, "b": 7, "c": 7, "d": 9, "e": 9, "f": 12, "g": 13}
    assert (name, "11") in found
    assert re.findall(r"^(\S+?:\d+):\d+: warning: .*said once", result.stderr, re.MULTILINE) == [f"{name}:5"]


def test_messages_name_the_lines_of_the_waits_in_fortran(tmp_path):
    write(
        tmp_path,
        "x.f90",
        """\
subroutine s(n)
  implicit none
  integer :: n
  !$omp taskwait detach(missing_a)
  !$omp taskwait &
  !$omp depend(in: n) detach(missing_b)
  !$omp taskwait detach(missing_c) nowait depend(out: n)
  n = missing_d
end subroutine
""",
    )
    result = cc(tmp_path, "gfortran", "-fopenmp", "-c", "x.f90")
    assert result.returncode == 1
    messages = re.findall(r"^(\S+):(\d+):\d+:\n.*?Error:.*?missing_(\w)", result.stderr, re.MULTILINE | re.DOTALL)
    assert sorted(messages) == [("x.f90", "4", "a"), ("x.f90", "5", "b"), ("x.f90", "7", "c"), ("x.f90", "8", "d")]


@pytest.mark.parametrize(
    ("compiler", "warnings"),
    [
        ("gcc", "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wmissing-prototypes -Wundef"),
        ("g++", "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wzero-as-null-pointer-constant"),
        (clang.c(), "-Weverything -Wno-declaration-after-statement -Wno-padded"),
        (clang.cpp(), "-Weverything -Wno-c++98-compat-pedantic -Wno-padded"),
    ],
)
def test_waits_compile_without_a_warning(tmp_path, compiler, warnings):
    name = "x.cpp" if "++" in compiler else "x.c"
    write(
        tmp_path,
        name,
        """\
#include <omp.h>
void waits(int n, omp_event_handle_t event);
void waits(int n, omp_event_handle_t event) {
#pragma omp parallel default(none) shared(n, event)
  {
#pragma omp taskwait detach(event)
#pragma omp taskwait detach(event) depend(in : n)
    if (n > 1) {
#pragma omp taskwait detach(event) depend(inout : n) nowait
    }
#pragma omp taskgraph
    {
#pragma omp task default(none) firstprivate(event)
      {
#pragma omp taskwait detach(event)
      }
    }
  }
}
""",
    )
    result = cc(tmp_path, compiler, "-fopenmp", "-Werror", *warnings.split(), "-c", name)
    assert (result.returncode, result.stderr) == (0, "")
