"""heddle cc: directives as attributes, and names that macros make of 'taskgraph'."""

from __future__ import annotations

import re

import pytest
from command import ROOT
from compiling import built, cc, plain, said, write
from heddle import clang

# The compiler, its standard, and the runtime whose calls it makes.
COMPILERS = [
    ("gcc", "c2x", "gnu"),
    (clang.c(), "c2x", "llvm"),
    ("g++", "c++20", "gnu"),
    (clang.cpp(), "c++20", "llvm"),
]

REGION = """\
#include <stdio.h>
#define ID(n) ((n) % 2)
#define REGION(n) [[omp::directive(taskgraph, graph_id(ID(n)))]]
int main(void) {
  int created = 0, executed = 0;
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 6; t++) {
    FORM {
      created++;
#pragma omp task shared(executed) depend(inout : executed)
      executed++;
    }
  }
  printf("%d %d\\n", created, executed);
  return 0;
}
"""


@pytest.mark.sampled
@pytest.mark.parametrize(("compiler", "standard", "stock"), COMPILERS)
@pytest.mark.parametrize(
    ("form", "records"),
    [
        ("[[omp::directive(taskgraph)]]", 1),
        ("[[omp::directive(taskgraph graph_id(t % 3))]]", 3),
        ("[[omp::directive(taskgraph,\n graph_id(ID(t)),\n if(taskgraph: t >= 0))]]", 2),
        ("REGION(t)", 2),
        ("[ [ __omp__ :: __directive__ ( taskgraph /* one, [[two]] */ ) ] ]", 1),
        ("[[omp::sequence(directive(taskgroup), omp::directive(taskgraph graph_id(ID(t))))]]", 2),
        ("[[omp::sequence(sequence(directive(taskgraph)))]]", 1),
        ("if (t < 100) [[omp::directive(taskgraph)]]", 1),
    ],
)
def test_a_region_may_be_an_attribute(tmp_path, compiler, standard, stock, form, records):
    source = write(tmp_path, "x.cpp" if "++" in compiler else "x.c", REGION.replace("FORM", form))
    program = built(tmp_path, compiler, "-fopenmp", f"-std={standard}", "-Wall", "-Wextra", "-Werror", source.name)
    assert said(program, "heddle") == f"{records} 6"
    assert said(program, stock) == "6 6"


@pytest.mark.parametrize(("compiler", "standard"), [row[:2] for row in COMPILERS if "++" in row[0]])
def test_an_attribute_may_use_a_namespace(tmp_path, compiler, standard):
    form = "[[using omp : sequence(directive(taskgroup), directive(taskgraph))]]"
    write(tmp_path, "x.cpp", REGION.replace("FORM", form))
    program = built(tmp_path, compiler, "-fopenmp", f"-std={standard}", "-Wall", "-Werror", "x.cpp")
    assert said(program, "heddle") == "1 6"


WAITS = """\
#include "heddle.h"
#include <stdio.h>
int main(void) {
  int after = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(after)
    {
      omp_event_handle_t event = omp_task_continuation_event();
      omp_fulfill_event(event);
      if (after == 0) [[omp::directive(taskwait detach(event))]];
      else after = -1;
      after++;
    }
    [[omp::directive(task, replayable(after > 0), shared(after), depend(out : after))]] after += 0;
  }
  printf("%d\\n", after);
  return 0;
}
"""


@pytest.mark.parametrize(("compiler", "standard"), [row[:2] for row in COMPILERS])
def test_other_directives_that_the_compiler_lacks_may_be_attributes_too(tmp_path, compiler, standard):
    source = write(tmp_path, "x.cpp" if "++" in compiler else "x.c", WAITS)
    include = f"-I{ROOT / 'runtime' / 'include'}"
    assert said(built(tmp_path, compiler, "-fopenmp", f"-std={standard}", include, source.name), "heddle") == "1"


@pytest.mark.parametrize(("compiler", "standard"), [row[:2] for row in COMPILERS])
@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("[[omp::directive(taskgraph tdg_type(dynamic))]]", "taskgraph has no clause 'tdg_type'"),
        ("[[omp::sequence(directive(single), directive(taskgraph graph_id))]]", "needs an expression"),
        ("[[likely, omp::directive(taskgraph)]]", "stands beside another attribute; give it double brackets"),
    ],
)
def test_a_wrong_attribute_is_one_line_with_its_place(tmp_path, compiler, standard, form, message):
    name = "x.cpp" if "++" in compiler else "x.c"
    write(tmp_path, name, f"int f(int n) {{\n\n  {form} {{ n++; }}\n  return n;\n}}\n")
    result = cc(tmp_path, compiler, "-fopenmp", f"-std={standard}", "-c", name)
    assert (result.returncode, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert re.match(rf"{name}:3: .*{re.escape(message)}", result.stderr)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(("compiler", "standard"), [row[:2] for row in COMPILERS])
def test_messages_name_the_lines_and_columns_behind_an_attribute(tmp_path, compiler, standard):
    name = "x.cpp" if "++" in compiler else "x.c"
    text = "int f(int n) {\n  ATTRIBUTE { n++; missing_1; }\n  missing_2;\n  return n;\n}\n"
    attribute = "[[omp::directive(taskgraph\n                      )]]"
    write(tmp_path, name, text.replace("ATTRIBUTE", attribute))
    write(tmp_path, f"plain/{name}", text.replace("ATTRIBUTE", "\n".join(" " * len(a) for a in attribute.split("\n"))))
    options = ["-fopenmp", f"-std={standard}", "-c", name]
    ours, theirs = cc(tmp_path, compiler, *options), plain(tmp_path / "plain", compiler, *options)
    places = [re.findall(r"^\S+?:\d+:\d+: error", result.stderr, re.MULTILINE) for result in (ours, theirs)]
    assert len(places[0]) == 2
    assert places[0] == places[1]


@pytest.mark.parametrize(("compiler", "standard"), [row[:2] for row in COMPILERS])
def test_attributes_without_what_is_ours_stay(tmp_path, compiler, standard):
    name = "x.cpp" if "++" in compiler else "x.c"
    write(
        tmp_path,
        name,
        "// taskgraph\n[[maybe_unused, deprecated]] static int g(int n) { return n; }\n"
        "int f(int n) { [[omp::directive(parallel)]] { [[maybe_unused]] int taskgraph = n; } return n; }\n",
    )
    options = [compiler, "-g", "-fopenmp", f"-std={standard}", "-Wno-attributes", "-c", name]
    result = cc(tmp_path, *options)
    assert (result.returncode, result.stderr) == (0, "")
    ours = (tmp_path / "x.o").read_bytes()
    assert plain(tmp_path, *options).returncode == 0
    assert (tmp_path / "x.o").read_bytes() == ours


NAMES = """\
#include <stdio.h>
#include <string.h>
#define PASTE(a, b) a##b
#define IMPL(x) PASTE(x, _impl)
#define MY(x) PASTE(my_, x)
#define TEXT(x) #x
#define SHOWN(x) TEXT(x)
#define ID(n) (n)
static int IMPL(taskgraph)(int n) { return n + 1; }
static int MY(taskgraph)(int n) { return n + 2; }
static int taskgraph(int n) { return n + 4; }
int main(void) {
  int created = 0;
  for (int t = 0; t < 4; t++) {
#pragma omp taskgraph graph_id(ID(7))
    created += IMPL(taskgraph)(0) + MY(taskgraph)(0) + taskgraph(0);
  }
  printf("%d %s\\n", created, SHOWN(a taskgraph  +taskgraph));
  return 0;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", clang.c(), "g++", clang.cpp()])
@pytest.mark.parametrize("comments", [[], ["-Wextra"]])
def test_names_that_macros_make_of_taskgraph_are_left_alone(tmp_path, compiler, comments):
    source = write(tmp_path, "x.cpp" if "++" in compiler else "x.c", NAMES)
    program = built(tmp_path, compiler, "-fopenmp", *comments, source.name)
    assert said(program, "heddle") == "7 a taskgraph +taskgraph"


def test_a_region_that_depends_on_that_macro_is_refused(tmp_path):
    write(
        tmp_path,
        "x.c",
        "int f(int n) {\n#ifndef taskgraph\n#pragma omp taskgraph graph_id(n)\n#endif\n  n++;\n  return n;\n}\n",
    )
    result = cc(tmp_path, "gcc", "-fopenmp", "-c", "x.c")
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)
    assert "x.c depends on whether there is a macro 'taskgraph'" in result.stderr
