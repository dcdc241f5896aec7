"""heddle cc: taskgraph directives in Fortran, under gfortran."""

from __future__ import annotations

import re

import pytest
from compiling import built, cc, plain, said, write

FREE = """\
program regions
  implicit none
  integer :: created, executed, t
  include 'more.inc'
  created = 0; executed = 0
  !$OMP PARALLEL default(none) shared(created, executed) private(t)
  !$omp single
  do t = 1, 6
    !$omp TaskGraph graph_id(mod(t, 2)) & ! a comment ' &
    ! in between
    !$omp & if(taskgraph: .true. .or. len('a)!b') > 3), &

    !$omp& nogroup(.false.)
    created = created + 1
    !$omp task shared(executed) depend(inout: executed) replayable(.TRUE.) &
    !$omp & firstprivate(saved: t)
    executed = executed + 1
    !$omp end task
    !$omp task shared(executed) depend(inout: executed)
    executed = executed + 1
    !$omp end task
    !$omp end taskgraph
  end do
  !$omp taskgraph
  block
    created = created + 10
  end block
  !$omp taskwait
  !$omp taskgraph graph_reset
  named: block
    created = created + 10
  end block named
  !$omp end taskgraph
  !$omp end single
  !$omp end parallel
  print '(i0,1x,i0)', created, executed + zero
end program
"""

# Columns 73 to 80 are comment, also where they look like a clause.
FIXED = """\
      program regions
      implicit none
      integer created, executed, t
      created = 0
      executed = 0
c$omp parallel
!$omp single
      do t = 1, 6
C$OMP TASKGRAPH GRAPH_ID(MOD(T,
c     in between
c$omp+2)) GRAPH_RESET(T == 6 .AND. 1 == 1 .OR. .FALSE.                  nogroup
*$omp&  .OR. LEN('ab''c!') < 0 .OR. LEN('a rather long text') == 0) ! it
        created = created + 1
c$omp task shared(executed) depend(inout: executed), replayable
        executed = executed + 1
c$omp end task
c$omp task shared(executed) depend(inout: executed)
        executed = executed + 1
c$omp end task
c$omp end taskgraph
      end do
!$omp end single
!$omp end parallel
      print '(i0,1x,i0)', created, executed
      end
"""


@pytest.mark.parametrize("name", ["x.f90", "x.F90"])
def test_fortran_in_free_form_has_regions(tmp_path, name):
    write(tmp_path, "sub/more.inc", "integer :: zero = 0\n")
    write(tmp_path, f"sub/{name}", FREE)
    program = built(tmp_path, "gfortran", "-std=f2018", "-Wall", "-Wextra", "-Werror", "-fopenmp", f"sub/{name}")
    assert said(program, "heddle") == "22 12"
    assert said(program, "gnu") == "26 12"


@pytest.mark.parametrize("name", ["x.f", "x.F"])
def test_fortran_in_fixed_form_has_regions(tmp_path, name):
    write(tmp_path, name, FIXED)
    program = built(tmp_path, "gfortran", "-Wall", "-Wextra", "-Werror", "-fopenmp", name)
    assert said(program, "heddle") == "3 12"
    assert said(program, "gnu") == "6 12"


def test_options_say_which_form_fortran_has(tmp_path):
    write(tmp_path, "x.f90", FIXED)
    write(tmp_path, "y.src", FREE.replace("include 'more.inc'", "integer :: zero = 0"))
    assert said(built(tmp_path, "gfortran", "-ffixed-form", "-fopenmp", "x.f90"), "heddle") == "3 12"
    assert said(built(tmp_path, "gfortran", "-fopenmp", "-x", "f95", "y.src"), "heddle") == "22 12"


def test_the_fortran_preprocessor_comes_first(tmp_path):
    write(
        tmp_path,
        "x.F90",
        """\
#define ONCE graph_id(1)
integer :: created = 0, t
do t = 1, 3
#ifdef NEVER
  !$omp taskgraph nonsense
#endif
#include "begin.h"
  created = created + 1
  !$omp end taskgraph
end do
print '(i0)', created
end
""",
    )
    write(tmp_path, "begin.h", "!$omp taskgraph ONCE\n")
    for options in (["-MD", "-c"], ["-MD", "-MF", "x.d", "-MT", "a", "-c", "-o", "a.o"], ["-MD", "-c", "-o", "x.o"]):
        assert cc(tmp_path, "gfortran", "-fopenmp", *options, "x.F90").returncode == 0
        ours = (tmp_path / "x.d").read_text().split()
        assert plain(tmp_path, "gfortran", *options, "x.F90").returncode == 0
        # The compiler proper also reads a header of glibc's, which the preprocessor does not.
        theirs = [word for word in (tmp_path / "x.d").read_text().split() if word != "\\" and "/finclude/" not in word]
        assert ours == theirs
    assert said(built(tmp_path, "gfortran", "-fopenmp", "x.F90"), "heddle") == "1"


FORTRAN_MISTAKES = """\
module names
contains
  subroutine region(n)
    integer, intent(in) :: n
    integer :: unused
    !$omp taskgraph &
    !$omp graph_id(n)
    !$omp task replayable &
    !$omp shared(n)
    n = missing
    !$omp end task
    !$omp end taskgraph
    n = 2
  end subroutine
end module
"""


@pytest.mark.parametrize("name", ["x.f90", "x.F90"])
def test_messages_and_debug_information_of_fortran_name_the_source(tmp_path, name):
    write(tmp_path, name, FORTRAN_MISTAKES)
    result = cc(tmp_path, "gfortran", "-fopenmp", "-Wall", "-c", name)
    assert result.returncode == 1
    found = set(re.findall(r"^(\S+):(\d+):\d+:$", result.stderr, re.MULTILINE))
    assert found >= {(name, "10"), (name, "13")}
    assert {file for file, _ in found} == {name}
    write(tmp_path, name, FORTRAN_MISTAKES.replace("n = ", "! "))
    result = cc(tmp_path, "gfortran", "-g", "-fopenmp", "-Wall", "-c", name)
    assert (result.returncode, "Unused variable" in result.stderr) == (0, True)
    assert re.findall(r"^(\S+):(\d+):\d+:$", result.stderr, re.MULTILINE) == [(name, "5")]
    assert (tmp_path / "names.mod").exists()
    shown = plain(tmp_path, "readelf", "--debug-dump=info", "-W", "x.o").stdout
    assert re.search(rf"DW_AT_name\s*:.*\b{name}\n", shown)
    assert "heddle-cc-" not in shown


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["!$omp taskgraph tdg_type(1)", "!$omp end taskgraph"], "x.f90:2: taskgraph has no clause 'tdg_type'"),
        (["!$omp taskgraph graph_id(1) &", "!$omp & graph_id(2)", "!$omp end taskgraph"], "x.f90:2: clause 'graph_id'"),
        (["!$omp taskgraph", "x = 1"], "x.f90:2: this taskgraph has no end"),
        (["x = 1", "!$omp end taskgraph"], "x.f90:3: no taskgraph is open here"),
        (["", "", "!$omp taskwait replayable(x > 1)"], "x.f90:4: replayable with an expression on taskwait: not yet"),
    ],
)
def test_a_wrong_directive_in_fortran_is_one_line_with_its_place(tmp_path, lines, message):
    write(tmp_path, "x.f90", "\n".join(["program p", *lines, "end program", ""]))
    result = cc(tmp_path, "gfortran", "-fopenmp", "-c", "x.f90")
    assert (result.returncode, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
    assert result.stderr.startswith(message)
    assert [path.name for path in tmp_path.iterdir()] == ["x.f90"]


def test_fortran_without_a_directive_makes_the_plain_object(tmp_path):
    write(tmp_path, "x.f90", "program p\n! no taskgraph\n!$omp parallel\nprint *, 1\n!$omp end parallel\nend program\n")
    command = ["gfortran", "-g", "-O2", "-fopenmp", "-c", "x.f90"]
    assert cc(tmp_path, *command).returncode == 0
    ours = (tmp_path / "x.o").read_bytes()
    assert plain(tmp_path, *command).returncode == 0
    assert (tmp_path / "x.o").read_bytes() == ours
