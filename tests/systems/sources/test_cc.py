"""heddle cc: taskgraph directives in C and C++ under GCC and Clang, and everything else as the compilers have it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time

import pytest
from command import ROOT, heddle
from compiling import LAUNCHER, STOCK, built, cc, plain, said, write
from heddle import clang
from heddle.patience import scaled

C_COMPILERS = ["gcc", clang.c()]
CPP_COMPILERS = ["g++", clang.cpp()]

REGION = """\
#include <stdio.h>
int main(void) {
  int created = 0, executed = 0;
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 3; t++) {
#pragma omp taskgraph
    {
      created++;
#pragma omp task shared(executed) depend(inout : executed)
      executed++;
#pragma omp task shared(executed) depend(inout : executed)
      executed++;
    }
  }
  printf("%d %d\\n", created, executed);
  return 0;
}
"""


def places(text: str) -> list[str]:
    """FILE:LINE: error|warning of each message."""
    return re.findall(r"^(\S+?:\d+):\d+: (?:fatal )?((?:error|warning))", text, re.MULTILINE)


@pytest.mark.parametrize("compiler", C_COMPILERS)
def test_a_region_is_executed_once_on_libheddle_and_each_time_elsewhere(tmp_path, compiler):
    write(tmp_path, "x.c", REGION)
    program = built(tmp_path, compiler, "-fopenmp", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "x.c")
    assert said(program, "heddle") == "1 6"
    assert said(program, STOCK[compiler]) == "3 6"


def test_the_command_of_heddle_takes_the_words_with_and_without_dashes(tmp_path):
    write(tmp_path, "x.c", REGION)
    for words in (["--"], []):
        result = heddle("cc", *words, "gcc", "-fopenmp", "-c", "x.c", cwd=tmp_path)
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
        (tmp_path / "x.o").unlink()


CLAUSES = """\
#include <stdio.h>
#define WHICH(n) ((n) % 2)
int main(void) {
  int created = 0;
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 12; t++) {
#pragma omp taskgraph CLAUSES
    {
      created++;
#pragma omp task replayable
      ;
    }
  }
  printf("%d\\n", created);
  return 0;
}
"""


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("clauses", "created"),
    [
        ("", 1),
        ("graph_id(WHICH(t))", 2),
        ("graph_id(t % 3), graph_reset(t == 6)", 4),
        ("graph_reset", 12),
        ("graph_reset(0)", 1),
        ("if(t % 2)", 7),
        ("if(taskgraph: t > 2 ? 1 : 0) nogroup", 4),
        ("nogroup(t > 3), graph_id(taskgraph: 7)", 1),
        ("nowait", 1),
    ],
)
@pytest.mark.parametrize("compiler", [*C_COMPILERS, *CPP_COMPILERS])
def test_clauses_mean_what_the_standard_says(tmp_path, compiler, clauses, created):
    source = write(tmp_path, "x.cpp" if "++" in compiler else "x.c", CLAUSES.replace("CLAUSES", clauses))
    program = built(tmp_path, compiler, "-fopenmp", "-Wall", "-Wextra", "-Wconversion", "-Werror", source.name)
    assert said(program, "heddle") == str(created)


@pytest.mark.parametrize("compiler", C_COMPILERS)
def test_directives_in_headers_and_from_macros_count_and_those_behind_a_false_if_do_not(tmp_path, compiler):
    write(
        tmp_path,
        "include/region.h",
        "static void region(int n) {\n#pragma omp taskgraph \\\n  graph_id(n)\n  {\n    created++;\n  }\n}\n",
    )
    write(
        tmp_path,
        "x.c",
        """\
#include <stdio.h>
static int created;
#include "region.h"
#define ID(n) (n)
#define REGION(clauses) _Pragma("omp taskgraph graph_reset(ID(0))") {
int main(void) {
  const char* text = "\\
#pragma omp taskgraph nonsense";
#if 0
#pragma omp taskgraph nonsense
#endif
#pragma omp parallel num_threads(1)
  for (int t = 0; t < 3; t++) {
    region(0);
    REGION() created++; }
  }
  return printf("%d%s\\n", created, text[0] == '#' ? "" : text) == 0;
}
""",
    )
    program = built(tmp_path, compiler, "-fopenmp", "-Iinclude", "x.c")
    assert said(program, "heddle") == "2"


CPP = """\
#include <cstdio>
#include <vector>
static const char* text = R"(
#pragma omp taskgraph nonsense
)";
template <class T> int created_for(T by) {
  int created = 0;
  T total = 0;
  auto step = [&](int t) {
#pragma omp taskgraph graph_id(t & 1)
    {
      created++;
      for (int i = 0; i < 4; i++) {
#pragma omp task shared(total) depend(inout : total) firstprivate(saved : by)
        total += by;
      }
    }
  };
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 5; t++) step(t);
  return total == 20 * by ? created : -1;
}
int main() {
  std::printf("%d %d %d\\n", created_for<int>(1), created_for<double>(0.5), text[0] == '\\n' ? 1'000 : 0);
}
"""


@pytest.mark.parametrize("compiler", CPP_COMPILERS)
def test_templates_and_lambdas_may_contain_regions(tmp_path, compiler):
    write(tmp_path, "x.cpp", CPP)
    program = built(tmp_path, compiler, "-std=c++20", "-fopenmp", "-Wall", "-Wextra", "-Werror", "x.cpp")
    assert said(program, STOCK[compiler]) == "5 5 1000"
    # GCC copies what the lambda holds by a function that may be a constructor, so nothing is recorded.
    assert said(program, "heddle") == ("5 5 1000" if compiler == "g++" else "2 2 1000")


@pytest.mark.parametrize("compiler", C_COMPILERS)
def test_a_source_that_includes_the_extension_header_compiles(tmp_path, compiler):
    write(tmp_path, "x.c", '#include "heddle.h"\n' + REGION)
    program = built(tmp_path, compiler, "-fopenmp", f"-I{ROOT / 'runtime' / 'include'}", "x.c")
    assert said(program, "heddle") == "1 6"


def test_the_clauses_lie_where_the_library_looks_for_them(tmp_path):
    folder = ROOT / "tools" / "heddle" / "cc"
    declared = (folder / "heddle_cc_declarations.inc").read_text()
    fields = re.findall(
        r"integer\(heddle_cc_\w+_\) :: (\w+)$", declared.partition("heddle_cc_clauses_")[2], re.MULTILINE
    )
    fields = fields[: fields.index("heddle_cc_begin_")]
    header = (ROOT / "runtime" / "include" / "heddle.h").read_text()
    assert fields == re.findall(r"^  (?:unsigned long|int) (\w+) HEDDLE_IS_0_;", header, re.MULTILINE)
    ours, theirs = "struct heddle_cc_clauses_", "heddle_taskgraph_clauses_t"
    asserts = [f'_Static_assert(sizeof({ours}) == sizeof({theirs}), "");']
    asserts += [f'_Static_assert(offsetof({ours}, {field}) == offsetof({theirs}, {field}), "");' for field in fields]
    write(tmp_path, "x.c", "\n".join(['#include "heddle.h"', '#include "prelude_taskgraph.h"', *asserts, ""]))
    result = plain(tmp_path, "gcc", f"-I{ROOT / 'runtime' / 'include'}", f"-I{folder}", "-c", "x.c")
    assert result.returncode == 0, result.stderr


NESTED = """\
extern int created, executed, main_(void);
int created, executed;
static inline void region(int n) {
#pragma omp taskgraph
  {
    created++;
#pragma omp taskgraph graph_id(n)
    created++;
  }
}
inline void shared_by_files(int n);
inline void shared_by_files(int n) {
#pragma omp taskgraph if(n)
  created++;
}
int main_(void) {
  int x = 0;
#pragma omp parallel default(none) shared(x) num_threads(2)
#pragma omp single
  {
    if (x == 0)
#pragma omp taskgraph graph_reset(!x)
      for (int i = 0; i < 2; i++) {
#pragma omp task default(none) shared(x)
#pragma omp atomic
        x++;
      }
    else
      x = 7;
    region(3);
  }
  return x - 2;
}
"""


@pytest.mark.parametrize(
    ("compiler", "warnings"),
    [
        ("gcc", "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wmissing-prototypes -Wundef"),
        ("g++", "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wzero-as-null-pointer-constant"),
        (clang.c(), "-Weverything -Wno-declaration-after-statement"),
        (clang.cpp(), "-Weverything -Wno-c++98-compat-pedantic -Wno-missing-prototypes"),
    ],
)
def test_regions_within_regions_and_statements_compile_without_a_warning(tmp_path, compiler, warnings):
    name = "x.cpp" if "++" in compiler else "x.c"
    write(tmp_path, name, NESTED.replace("main_", "run"))
    result = cc(tmp_path, compiler, "-fopenmp", "-Werror", *warnings.split(), "-c", name)
    assert (result.returncode, result.stderr) == (0, "")
    write(tmp_path, name, NESTED.replace(", main_(void)", "").replace("main_", "main"))
    assert plain(tmp_path, built(tmp_path, compiler, "-fopenmp", "-O2", name)).returncode == 0


MISTAKES = """\
#include "defs.h"
int f(int n) {
#pragma omp taskgraph graph_id(n) \\
    graph_reset
  {
#pragma omp task replayable(true)
    ;
  }
  int unused;
  if (n)
#pragma omp taskgraph
    n++;
    n++;
  switch (n) {
    case 1: n++; /* fall through */
    default: break;
  }
  return missing;
}
"""


@pytest.mark.parametrize("compiler", [*C_COMPILERS, *CPP_COMPILERS])
def test_messages_name_the_lines_of_the_source(tmp_path, compiler):
    write(tmp_path, "defs.h", "#warning once\nint in_header(void) { return also_missing; }\n")
    suffix = "cpp" if "++" in compiler else "c"
    write(tmp_path, f"x.{suffix}", MISTAKES)
    write(tmp_path, f"plain/x.{suffix}", MISTAKES.replace("#pragma omp taskgraph", "#pragma omp target if(0)//"))
    text = re.sub(r"replayable\(true\)", "", (tmp_path / "plain" / f"x.{suffix}").read_text())
    text = text.replace("#pragma omp target if(0)// graph_id(n) \\\n    graph_reset", "\n").replace(
        "#pragma omp target if(0)//", ""
    )
    write(tmp_path / "plain", f"x.{suffix}", text)
    write(tmp_path, "plain/defs.h", (tmp_path / "defs.h").read_text())
    options = ["-fopenmp", "-Wunused-variable", "-Wimplicit-fallthrough", "-c", f"x.{suffix}"]
    ours = cc(tmp_path, compiler, *options)
    theirs = plain(tmp_path / "plain", compiler, *options)
    assert ours.returncode == theirs.returncode == 1
    assert sorted(places(ours.stderr)) == sorted(places(theirs.stderr))
    assert "heddle-cc-" not in ours.stderr


@pytest.mark.parametrize("compiler", C_COMPILERS)
def test_debug_information_names_the_source(tmp_path, compiler):
    write(tmp_path, "x.c", REGION)
    assert cc(tmp_path, compiler, "-g", "-fopenmp", "-c", "x.c").returncode == 0
    shown = plain(tmp_path, "readelf", "--debug-dump=info,line", "-W", "x.o").stdout
    assert "heddle-cc-" not in shown
    assert re.search(r"DW_AT_name\s*:.*\bx\.c\n", shown)
    assert re.search(rf"DW_AT_comp_dir\s*:.*{tmp_path}\n", shown)


DEPENDENCIES = [
    ["-c", "-MD"],
    ["-c", "-MMD", "-MP"],
    ["-S", "-MD"],
    ["-c", "-MD", "-o", "out/a.o"],
    ["-c", "-MD", "-MF", "out/list", "-o", "a.o"],
    ["-c", "-MD", "-MT", "one two", "-MF", "list", "-o", "out/a.o"],
    ["-c", "-MMD", "-MFlist", "-MQ", "a$b", "-o", "a.o"],
    ["-MD", "-o", "out/program"],
    ["-c", "-Wp,-MD,list", "-o", "out/a.o"],
]


@pytest.mark.parametrize("options", DEPENDENCIES, ids=" ".join)
@pytest.mark.parametrize("compiler", C_COMPILERS)
def test_dependency_files_are_those_of_the_plain_compiler(tmp_path, compiler, options):
    for kind in ("ours", "theirs"):
        write(tmp_path / kind, "sub/x.c", '#include "x.h"\n' + REGION)
        write(tmp_path / kind, "sub/x.h", "")
        (tmp_path / kind / "out").mkdir()
    command = [compiler, "-fopenmp", *options, "sub/x.c"]
    assert cc(tmp_path / "ours", *command).returncode == 0
    # The plain compiler takes the directive for none of its own.
    write(tmp_path / "theirs", "sub/x.c", '#include "x.h"\n' + REGION.replace("#pragma omp taskgraph", ""))
    assert plain(tmp_path / "theirs", *command).returncode == 0
    files = {
        kind: {str(path.relative_to(tmp_path / kind)) for path in (tmp_path / kind).rglob("*")}
        for kind in ("ours", "theirs")
    }
    assert files["ours"] == files["theirs"]
    (name,) = [name for name in files["ours"] if name.endswith(("list", ".d"))]
    assert (tmp_path / "ours" / name).read_text() == (tmp_path / "theirs" / name).read_text()


@pytest.mark.parametrize("compiler", C_COMPILERS)
def test_headers_that_the_command_includes_come_once(tmp_path, compiler):
    write(tmp_path, "pre.h", "int created;\n#define ID 4\nstatic int once = 1;\n")
    write(
        tmp_path,
        "x.c",
        "int main(void) {\n#pragma omp taskgraph graph_id(ID) if(GIVEN)\n  created++;\n  return created - once;\n}\n",
    )
    options = ["-Wall", "-Werror", "-DGIVEN=1", "-I.", "-fopenmp"]
    program = built(tmp_path, compiler, *options, "-include", "pre.h", "x.c")
    assert plain(tmp_path, program).returncode == 0
    # Precompiled, as CMake has it for either compiler.
    name = "pre.h.gch" if compiler == "gcc" else "pre.h.pch"
    assert plain(tmp_path, compiler, *options, "-Wno-unused", "-x", "c-header", "pre.h", "-o", name).returncode == 0
    words = ["-include", "pre.h"]
    if compiler != "gcc":
        words = ["-include-pch", "pre.h.pch", *words]
        words = [word for option in words for word in ("-Xclang", option)]
    program = built(tmp_path, compiler, *options, *words, "x.c")
    assert plain(tmp_path, program).returncode == 0


@pytest.mark.parametrize("compiler", C_COMPILERS)
def test_several_sources_compile_and_link_in_one_command(tmp_path, compiler):
    write(tmp_path, "a/x.c", REGION.replace("int main(void)", "int region_a(void)"))
    write(tmp_path, "b/x.c", REGION.replace("int main(void)", "int region_b(void)"))
    write(tmp_path, "main.c", '#include "names.h"\nint main(void) { return region_a() + region_b() + ZERO; }\n')
    write(tmp_path, "names.h", "int region_a(void), region_b(void);\n")
    write(tmp_path, "words", "-fopenmp -DZERO=0 -I . a/x.c\n-x c b/x.c")
    program = built(tmp_path, compiler, "@words", "-x", "none", "main.c", "-lm")
    assert said(program, "heddle") == "1 6\n1 6"


@pytest.mark.parametrize("compiler", C_COMPILERS)
@pytest.mark.parametrize(
    ("directive", "message"),
    [
        ("taskgraph tdg_type(dynamic)", "taskgraph has no clause 'tdg_type'"),
        ("taskgraph private(n)", "taskgraph has no clause 'private'"),
        ("taskgraph graph_id(1) graph_id(2)", "clause 'graph_id' of taskgraph is given twice"),
        ("taskgraph nogroup, nowait", "clause 'nowait' of taskgraph is given twice"),
        ("taskgraph graph_id", "clause 'graph_id' of taskgraph needs an expression"),
        ("taskgraph if()", "clause 'if' of taskgraph needs an expression"),
        ("taskgraph if(task: 1)", "'if(task: …)' does not belong to taskgraph"),
        ("taskgraph graph_id(1", "a parenthesis is not closed"),
        ("taskgraph + 1", "'+ 1' is no clause"),
        ("taskwait replayable(n > 1)", "replayable with an expression on taskwait: not yet"),
        ("parallel masked taskloop replayable(0)", "replayable with an expression on parallel: not yet"),
        ("task replayable()", "clause 'replayable' of task needs an expression"),
        ("task replayable(0) replayable(n)", "clause 'replayable' of task is given twice"),
    ],
)
def test_a_wrong_directive_is_one_line_with_its_place_and_no_output(tmp_path, compiler, directive, message):
    write(tmp_path, "x.h", f"static void f(int n) {{\n\n#pragma omp {directive}\n  {{ n++; }}\n}}\n")
    write(tmp_path, "x.c", '#include "x.h"\nint main(void) { f(0); }\n')
    result = cc(tmp_path, compiler, "-fopenmp", "-MD", "-c", "x.c")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.splitlines() == [line for line in result.stderr.splitlines() if message in line]
    assert re.match(r"(\./)?x\.h:3: ", result.stderr)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.c", "x.h"]


@pytest.mark.parametrize("compiler", C_COMPILERS)
def test_what_only_recording_needs_is_left_out_of_other_directives(tmp_path, compiler):
    write(
        tmp_path,
        "x.c",
        """\
#define YES 1
int main(void) {
  int replayable = 1, saved = 2, sum = 0;
#pragma omp parallel num_threads(1)
  {
#pragma omp task replayable, firstprivate(saved : saved, replayable) shared(sum)
    sum += saved + replayable;
#pragma omp taskwait replayable(YES)
#pragma omp taskloop simd shared(sum) replayable(1)
    for (int i = 0; i < 1; i++) sum += saved;
  }
  return sum - 5;
}
""",
    )
    program = built(tmp_path, compiler, "-fopenmp", "-Wall", "-Werror", "x.c")
    assert plain(tmp_path, program).returncode == 0


@pytest.mark.parametrize("compiler", [*C_COMPILERS, *CPP_COMPILERS])
def test_without_a_directive_the_object_is_the_plain_one(tmp_path, compiler):
    suffix = "cpp" if "++" in compiler else "c"
    write(tmp_path, f"x.{suffix}", REGION.replace("#pragma omp taskgraph", "// taskgraph, later"))
    command = [compiler, "-g", "-O2", "-fopenmp", "-c", f"x.{suffix}"]
    result = cc(tmp_path, *command)
    assert (result.returncode, result.stderr) == (0, "")
    ours = (tmp_path / "x.o").read_bytes()
    assert plain(tmp_path, *command).returncode == 0
    assert (tmp_path / "x.o").read_bytes() == ours


def test_what_does_not_compile_with_openmp_is_the_compilers_alone(tmp_path):
    write(tmp_path, "x.c", REGION)
    for words in (["--version"], ["-E", "-fopenmp", "x.c"], ["-fopenmp", "-MM", "x.c"], ["-c", "x.c"]):
        ours, theirs = cc(tmp_path, "gcc", *words), plain(tmp_path, "gcc", *words)
        assert (ours.returncode, ours.stdout, ours.stderr) == (theirs.returncode, theirs.stdout, theirs.stderr)
    written = cc(tmp_path, "gcc", "-fopenmp", "-S", "-o", "-", "x.c", "-Xlinker", "-E")
    assert "heddle_taskgraph_begin" in written.stdout
    result = cc(tmp_path, "gcc", "-fopenmp", "-x", "c", "-c", "-o", "y.o", "-", input="int x;\n")
    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "y.o").exists()


def test_a_launcher_may_stand_before_the_compiler(tmp_path):
    write(tmp_path, "ccache", '#!/bin/sh\necho "through ccache"\nexec "$@"\n').chmod(0o755)
    write(tmp_path, "x.c", REGION)
    result = cc(tmp_path, tmp_path / "ccache", "gcc", "-fopenmp", "-c", "x.c")
    assert (result.returncode, result.stdout) == (0, "through ccache\n")
    assert (tmp_path / "x.o").exists()


def test_mistakes_on_the_command_line_are_one_line(tmp_path):
    for words, message in [([], "needs a compiler"), (["no-such-compiler", "-c", "x.c"], "no compiler 'no-such")]:
        result = cc(tmp_path, *words)
        assert (result.returncode, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1
        assert result.stderr.startswith("heddle: ")
        assert message in result.stderr


def test_the_temporary_folder_goes_whatever_happens(tmp_path):
    write(tmp_path, "x.c", REGION + "int twice; long twice;\n")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    environ = {**os.environ, "TMPDIR": str(scratch)}
    command = [*LAUNCHER, "gcc", "-fopenmp", "-c", "x.c"]
    assert subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True).returncode == 1
    assert list(scratch.iterdir()) == []
    # A compiler that does not end before it is told to.
    write(tmp_path, "slow-gcc", '#!/bin/sh\ncase " $* " in *" -E "*) exec gcc "$@";; esac\necho up\nexec sleep 60\n')
    (tmp_path / "slow-gcc").chmod(0o755)
    with subprocess.Popen(
        [*LAUNCHER, tmp_path / "slow-gcc", "-fopenmp", "-c", "x.c"],
        cwd=tmp_path,
        env=environ,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "up\n"
        assert len(list(scratch.iterdir())) == 1
        process.send_signal(signal.SIGTERM)
        started = time.monotonic()
        assert process.wait() == 128 + signal.SIGTERM
        assert time.monotonic() - started < scaled(30)
    assert list(scratch.iterdir()) == []


def test_cmake_uses_it_as_its_launcher(tmp_path):
    """A library of three languages and a module, by Ninja; changed headers are noticed."""
    region = "{name}(int* created) {{\n#include REGION\n  {{ ++*created; }}\n}}\n"
    write(tmp_path, "region.h", "#pragma omp taskgraph\n")
    write(tmp_path, "c.c", "void " + region.format(name="in_c"))
    write(tmp_path, "cpp.cpp", 'extern "C" void ' + region.format(name="in_cpp"))
    write(
        tmp_path,
        "counted.F90",
        """\
module counted
  use, intrinsic :: iso_c_binding
contains
  subroutine in_fortran(created) bind(c)
    integer(c_int) :: created
    !$omp taskgraph
    created = created + 1
    !$omp end taskgraph
  end subroutine
end module
""",
    )
    write(
        tmp_path,
        "main.f90",
        """\
program main
  use counted
  interface
    subroutine in_c(created) bind(c)
      import :: c_int
      integer(c_int) :: created
    end subroutine
    subroutine in_cpp(created) bind(c)
      import :: c_int
      integer(c_int) :: created
    end subroutine
  end interface
  integer(c_int) :: created = 0
  integer :: t
  do t = 1, 3
    call in_c(created)
    call in_cpp(created)
    call in_fortran(created)
  end do
  print '(i0)', created
end program
""",
    )
    write(
        tmp_path,
        "CMakeLists.txt",
        """\
cmake_minimum_required(VERSION 3.25)
project(scratch LANGUAGES C CXX Fortran)
add_executable(program main.f90 counted.F90 c.c cpp.cpp)
target_compile_options(program PRIVATE -fopenmp)
target_compile_definitions(program PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:REGION="region.h">)
target_link_options(program PRIVATE -fopenmp)
""",
    )
    launchers = [f"-DCMAKE_{language}_COMPILER_LAUNCHER={ROOT}/heddle;cc;--" for language in ("C", "CXX", "Fortran")]
    configured = plain(
        tmp_path,
        *["cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_C_COMPILER=gcc", "-DCMAKE_CXX_COMPILER=g++"],
        *launchers,
    )
    assert configured.returncode == 0, configured.stderr
    made = plain(tmp_path, "ninja", "-C", "build", "-j2")
    assert made.returncode == 0, made.stdout
    program = tmp_path / "build" / "program"
    assert said(program, "gnu") == "9"
    assert said(program, "heddle") == "3"
    assert "no work to do" in plain(tmp_path, "ninja", "-C", "build").stdout
    write(tmp_path, "region.h", "#pragma omp taskgraph if(0)\n")
    made = plain(tmp_path, "ninja", "-C", "build", "-j2")
    assert made.returncode == 0, made.stdout
    assert said(program, "heddle") == "7"
