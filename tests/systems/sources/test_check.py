"""heddle check: what differs from a taskgraph's record is named, and nothing else is."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from command import ROOT, assert_one_line, heddle, without_openmp_settings
from compiling import built, write
from heddle import clang
from heddle.check import read
from heddle.code_places import Code
from heddle.errors import UserError
from programs import NO_OPENMP, TEAM_SIZE

COMPILERS = {"gcc": "c", clang.c(): "c", "g++": "cpp", clang.cpp(): "cpp"}

# The argument says what changes from the third execution of the region on. With "reset" it is a number, and the program
# says so.
CHANGES = """
#include <stdio.h>
#include <string.h>
#include "heddle.h"
struct point { double x; char tag; int n; };
enum colour { RED, GREEN };
static int numbers[4], hits, shared_one;
static int changes(const char* what, const char* name) { return strcmp(what, name) == 0; }
// Leaves another value in what lies between variables each time.
__attribute__((noinline)) static int soil(int value) {
  volatile char stack[4096];
  for (int i = 0; i < 4096; i++) stack[i] = (char)value;
  return stack[7];
}
__attribute__((noinline)) static void sweep(int t, const char* what, int nogroup) {
  int late = t >= 2;
  int number = (changes(what, "number") || changes(what, "reset")) && late ? -7 : 3;
  int resets = changes(what, "reset") && t == 2;
  long large = changes(what, "large") && late ? 5000000000 : 4;
  double real = changes(what, "real") && late ? 2.5 : 0.125;
  float narrow = changes(what, "narrow") && late ? 1.5f : 1;
  int* pointer = numbers + (changes(what, "pointer") && late);
  char letter = changes(what, "letter") && late ? 'b' : 'a';
  enum colour colour = changes(what, "colour") && late ? GREEN : RED;
  struct point point = {1, 'p', changes(what, "member") && late ? 9 : 8};
  int few[3] = {1, changes(what, "element") && late ? 6 : 5, 2};
  HEDDLE_TASKGRAPH(.graph_id = 11, .graph_reset = resets, .captures_bytes = 1, .nogroup = nogroup) {  // REGION
    int* at = numbers + (changes(what, "dependence") && late);  // TASK
#pragma omp task depend(inout : *at) firstprivate(number, large, real, narrow, pointer) \
    firstprivate(letter, colour, point, few)
    {
      double sum = number + large + real + narrow + *pointer + letter + colour + point.x + point.tag + point.n + few[1];
      __atomic_fetch_add(&hits, sum > 0, __ATOMIC_RELAXED);
    }
    if (changes(what, "construct") && late) {
#pragma omp task  // OTHER
      __atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED);
    } else {
#pragma omp task  // THIRD
      __atomic_fetch_add(&shared_one, 1, __ATOMIC_RELAXED);
    }
    if (changes(what, "count") && late) {
#pragma omp task
      __atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED);
    }
  }
}
int main(int argc, char** argv) {
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 6; t++) {
    soil(t);
    sweep(t, argv[1], argc > 2);
  }
  printf("done\\n");
  return argc > 3;
}
"""

# What each change of one variable is called, and its values.
VARIABLES = {
    "number": ("number", "int", "3", "-7"),
    "large": ("large", "long", "4", "5000000000"),
    "real": ("real", "double", "0.125", "2.5"),
    "narrow": ("narrow", "float", "1", "1.5"),
    "letter": ("letter", "char", "'a' (97)", "'b' (98)"),
    "colour": ("colour", "enum colour", "RED", "GREEN"),
    "member": ("point.n", "int", "8", "9"),
    "element": ("few[1]", "int", "5", "6"),
}


def line_of(word: str, source: str = CHANGES) -> int:
    return next(number for number, line in enumerate(source.splitlines(), 1) if line.endswith(f"// {word}"))


def compiled(folder: Path, source: str, compiler: str, *flags: str) -> Path:
    file = write(folder, f"program.{COMPILERS[compiler]}", source)
    include = f"-I{ROOT / 'runtime' / 'include'}"
    command = [compiler, "-fopenmp", include, *flags, file.name, "-o", "program"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "program"


def checked(program: Path, *words: str, status: int, options: tuple[str | Path, ...] = ()) -> tuple[dict, str]:
    """What the command writes as JSON, and prints."""
    record = program.parent / "record.json"
    record.unlink(missing_ok=True)
    result = heddle(
        "check",
        *(options or ("--threads", "1")),
        "--json",
        record,
        "--",
        program,
        *words,
        cwd=program.parent,
        env=without_openmp_settings(),
    )
    assert result.returncode == status, result.stdout + result.stderr
    return json.loads(record.read_text()), result.stdout


@pytest.fixture(scope="module", params=[(name, level) for name in COMPILERS for level in ("-O0", "-O2")], ids="".join)
def program(request, tmp_path_factory):
    compiler, level = request.param
    return compiled(tmp_path_factory.mktemp("check"), CHANGES, compiler, "-g", level)


def test_a_region_that_repeats_itself_passes(program):
    record, text = checked(program, "nothing", status=0)
    (region,) = record["regions"]
    assert re.fullmatch(rf"program\.(c|cpp):{line_of('REGION')}", region["place"])
    assert (region["graph_id"], region["compared"], region["tasks"], region["counts"]) == (11, 5, [], [])
    assert text == "5 executions of 1 taskgraph region: all are what was recorded\n"


def test_a_region_that_says_graph_reset_where_it_changes_passes(program):
    record, _ = checked(program, "reset", status=0)
    assert record["regions"][0]["compared"] == 4


@pytest.mark.sampled
@pytest.mark.parametrize("what", VARIABLES)
def test_a_variable_that_changes_is_named_with_its_values(program, what):
    record, text = checked(program, what, status=1)
    (task,) = record["regions"][0]["tasks"]
    assert task["place"].endswith(f":{line_of('TASK') + 1}")
    (value,) = task["values"]
    kind = value["type"].replace("long int", "long")  # as GCC calls it
    assert (value["name"], kind, value["was"], value["now"]) == VARIABLES[what]
    assert (value["execution"], value["executions"], value["tasks"], value["is_proven"]) == (3, 4, 4, True)
    name, _, was, now = VARIABLES[what]
    assert f"    {value['type']} {name}  recorded {was}, now {now}  (in 4 of 5; first in execution 3)\n" in text
    assert "say graph_reset where this changes, or make it shared" in text


def test_a_pointer_that_changes_is_named(program):
    record, _ = checked(program, "pointer", status=1)
    ((value,),) = (task["values"] for task in record["regions"][0]["tasks"])
    assert (value["name"], value["type"]) == ("pointer", "int *")
    assert int(value["now"], 16) - int(value["was"], 16) == 4


def test_other_dependences_are_told(program):
    record, text = checked(program, "dependence", status=1)
    (task,) = record["regions"][0]["tasks"]
    (difference,) = task["differences"]
    assert (difference["what"], difference["execution"], difference["executions"]) == ("dependences", 3, 4)
    assert "other dependences: an address, or its kind" in text


def test_another_construct_is_told_with_both_places(program):
    record, text = checked(program, "construct", status=1)
    (task,) = record["regions"][0]["tasks"]
    assert task["place"].endswith(f":{line_of('OTHER')}")
    assert [each["what"] for each in task["differences"]] == ["construct"]
    assert re.search(rf"recorded is the one at program\.\w+:{line_of('THIRD')} ", text)


def test_another_number_of_tasks_is_told(program):
    record, text = checked(program, "count", status=1)
    (region,) = record["regions"]
    assert [each["what"] for each in region["counts"]] == ["count"]
    assert region["tasks"] == []
    assert "it has 3 tasks and waits, and 2 are recorded  (in 4 of 5; first in execution 3)" in text


@pytest.mark.sampled
@pytest.mark.parametrize("what", ["number", "count", "nothing"])
def test_regions_that_overlap_and_teams_of_several_threads_are_checked(program, what):
    status = int(what != "nothing")
    record, _ = checked(program, what, "nogroup", status=status, options=("--threads", "3"))
    (region,) = record["regions"]
    assert (region["compared"], bool(region["tasks"]), bool(region["counts"])) == (5, what == "number", what == "count")


PADDING = """
#include "heddle.h"
static double sum;
__attribute__((noinline)) static int soil(int value) {
  volatile char stack[4096];
  for (int i = 0; i < 4096; i++) stack[i] = (char)value;
  return stack[7];
}
__attribute__((noinline)) static void sweep(double real, char letter) {
  HEDDLE_TASKGRAPH() {
#pragma omp task firstprivate(real, letter)
    sum += real + letter;
  }
}
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 4; t++) {
    soil(t + 1);
    sweep(0.5, 'a');
  }
  return 0;
}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_lies_between_variables_does_not_count(tmp_path, compiler):
    program = compiled(tmp_path, PADDING, compiler, "-g", "-O0")
    record, _ = checked(program, status=0)
    assert record["regions"][0]["compared"] == 3
    if "cc" in compiler:  # whose block lies on the stack: here the runtime sees other bytes
        log = tmp_path / "log"
        environ = {**without_openmp_settings(), "HEDDLE_CHECK": "graph", "HEDDLE_CHECK_LOG": str(log)}
        subprocess.run([ROOT / "heddle", "run", "--threads", "1", "--", program], env=environ, check=True)
        (difference,) = read.read(log).differences
        assert difference.bytes == list(range(9, 16))


def test_without_debug_information_bytes_are_named(tmp_path):
    program = compiled(tmp_path, CHANGES, "gcc", "-O1")
    record, text = checked(program, "real", status=1)
    names = [value["name"] for value in record["regions"][0]["tasks"][0]["values"]]
    assert any(re.fullmatch(r"bytes \d+ to \d+", name) for name in names)
    assert len(re.findall("compile with -g", text)) == 1


SHARES = """
#include <stdio.h>
#include "heddle.h"
int main(int argc, char** argv) {
  static int places[8];
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 4; t++) {
    int* step = argc > 1 ? places + t : places;
    int end = argc > 3 ? 8 + t : 8;
    unsigned long id = argc > 2 ? t % 2 : 0;
    HEDDLE_TASKGRAPH(.graph_id = id) {
#pragma omp taskloop grainsize(2) firstprivate(step)  // LOOP
      for (int i = 0; i < end; i++) {
#pragma omp atomic
        *step += i;
      }
    }
  }
  return 0;
}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_taskloops_are_compared_with_their_bounds(tmp_path, compiler):
    program = compiled(tmp_path, SHARES, compiler, "-g", "-O1")
    record, _ = checked(program, status=0)
    assert record["regions"][0]["compared"] == 3
    record, _ = checked(program, "step", status=1)
    (task,) = record["regions"][0]["tasks"]
    assert "step" in [value["name"] for value in task["values"]]
    record, text = checked(program, "step", "ids", "bounds", status=1)
    assert sorted((region["graph_id"], region["compared"]) for region in record["regions"]) == [(0, 1), (1, 1)]
    assert re.search("number of iterations|the loop's bounds", text)


TWO_REGIONS = """
#include "heddle.h"
static int sum;
static void first(int t) {
  HEDDLE_TASKGRAPH() {  // FIRST
#pragma omp task firstprivate(t)
    sum += t;
  }
}
static void second(int t, int resets) {
  HEDDLE_TASKGRAPH(.graph_reset = resets) {  // SECOND
#pragma omp task firstprivate(t)
    sum += t;
  }
}
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 40; t++) {
    first(t);
    second(t / 2, t % 2 == 0);
  }
  return 0;
}
"""


def test_regions_are_told_apart_and_graph_reset_begins_anew(tmp_path):
    program = compiled(tmp_path, TWO_REGIONS, "gcc", "-g", "-O0")
    record, text = checked(program, status=1)
    regions = {region["place"]: region for region in record["regions"]}
    first, second = (regions[f"program.c:{line_of(word, TWO_REGIONS)}"] for word in ("FIRST", "SECOND"))
    assert first["tasks"][0]["values"][0]["name"] == "t"
    assert first["compared"] == 39
    assert (second["compared"], second["tasks"]) == (20, [])
    assert text.splitlines()[-1].startswith("compared ")
    assert "1 of these regions differs" in text


REFUSED = """
#include <omp.h>
#include "heddle.h"
static int sum;
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 5; t++) {
    HEDDLE_TASKGRAPH() {
#pragma omp task
      sum++;
      if (t == 2) {
        HEDDLE_TASKGRAPH() {}
      }
    }
  }
  return 0;
}
"""


def test_a_region_that_cannot_be_recorded_any_more_is_told_of_and_compared_again(tmp_path):
    program = compiled(tmp_path, REFUSED, "gcc", "-g", "-O1")
    record, text = checked(program, status=1)
    region = next(region for region in record["regions"] if region["counts"])
    assert (region["compared"], [each["what"] for each in region["counts"]]) == (4, ["refused"])
    assert "HEDDLE_LOG=graph says what" in text


DIRECTIVE = """\
#include <stdio.h>
static int sum;
int main(int argc, char** argv) {
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 4; t++) {
    double factor = t + 0.5;
#pragma omp taskgraph graph_reset(argc > 1)
    {
#pragma omp task firstprivate(factor)
      sum += (int)factor;
    }
  }
  return 0;
}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_directive_is_checked(tmp_path, compiler):
    source = write(tmp_path, f"x.{COMPILERS[compiler]}", DIRECTIVE)
    program = built(tmp_path, compiler, "-g", "-O0", "-fopenmp", source.name)
    record, _ = checked(program, status=1)
    (region,) = record["regions"]
    assert region["place"] == f"{source.name}:8"
    (task,) = region["tasks"]
    (value,) = task["values"]
    assert (task["place"], value["name"], value["was"], value["now"]) == (f"{source.name}:10", "factor", "0.5", "1.5")
    # Recorded anew each time, nothing is compared: that is no pass.
    result = heddle("check", "--", program, "reset")
    assert_one_line(result, "nothing was compared")


FORTRAN = """\
program x
  implicit none
  integer :: t, total
  real(8) :: factor
  total = 0
!$omp parallel
!$omp single
  do t = 1, 4
    factor = 0.5d0 * t
!$omp taskgraph
!$omp task firstprivate(factor) shared(total)
    total = total + int(factor)
!$omp end task
!$omp end taskgraph
  end do
!$omp end single
!$omp end parallel
end program x
"""


def test_fortran_is_checked(tmp_path):
    write(tmp_path, "x.f90", FORTRAN)
    program = built(tmp_path, "gfortran", "-g", "-O1", "-fopenmp", "x.f90")
    record, _ = checked(program, status=1)
    (task,) = record["regions"][0]["tasks"]
    (value,) = task["values"]
    assert (value["name"], value["was"], value["now"]) == ("factor", "0.5", "1.0")


def test_a_program_without_a_record_is_no_pass(tmp_path):
    for source in (TEAM_SIZE, NO_OPENMP, TWO_REGIONS.replace("t < 40", "t < 1")):
        result = heddle("check", "--", compiled(tmp_path, source, "gcc"))
        assert (result.returncode, result.stdout) == (2, "")
        assert "nothing was compared" in result.stderr.splitlines()[-1]


def test_a_program_that_fails_is_no_pass(tmp_path):
    program = compiled(tmp_path, CHANGES, "gcc", "-g", "-O1")
    result = heddle("check", "--threads", "1", "--", program, "nothing", "nogroup", "fail")
    assert (result.returncode, result.stdout.count("all are what was recorded")) == (1, 1)
    assert re.fullmatch(r"done\nheddle: .* ended with exit status 1; nothing differed until then\n", result.stderr)
    result = heddle("check", "--threads", "1", "--", program, "number", "nogroup", "fail")
    assert result.returncode == 1
    assert "int number" in result.stdout
    assert result.stderr.endswith("ended with exit status 1\n")


def test_by_hand_each_kind_of_difference_is_one_line(tmp_path):
    program = compiled(tmp_path, TWO_REGIONS, "gcc", "-g", "-O0")
    environ = {**without_openmp_settings(), "HEDDLE_CHECK": "graph"}
    result = heddle("run", "--threads", "1", "--", program, env=environ)
    first, last = result.stderr.splitlines()
    assert f"program.c:{line_of('FIRST', TWO_REGIONS)}" in first
    assert "task 0 captures another value" in first
    assert re.match(
        r"heddle: 39 of \d+ executions of taskgraph regions differ from what was recorded; 'heddle check'", last
    )


def test_wrong_options_are_one_line(tmp_path):
    assert_one_line(heddle("check"), "PROGRAM")
    assert_one_line(heddle("check", "--", tmp_path / "none"), "there is no such program")
    assert_one_line(heddle("check", "--threads", "0", "--", "/bin/true"), "--threads 0")
    assert_one_line(heddle("check", "--json", tmp_path, "--", "/bin/true"), "is a folder")


LOG = """heddle check 1
c 0 0x10 - ./a b
s 7 0 1
c 1 0x20 f ./a b
d 0 7 0 1 1 v 8 32 0 17 3 2 ff 100000000000000fe
t 0 4 9
s 7 0 5
"""


def test_a_log_is_read(tmp_path):
    file = tmp_path / "log"
    file.write_text(LOG + "d 1 7 0 1")  # breaks off
    log = read.read(file)
    assert log.codes == {0: Code(16, "-", "./a b"), 1: Code(32, "f", "./a b")}
    assert log.compared == {(0, 7): 5}
    (found,) = log.differences
    assert (found.bytes, found.execution, found.task, found.was) == ([8, 12], 3, 2, 255)
    assert (found.executions, found.tasks) == (4, 9)
    for before, after in (("check 1", "graph 1"), ("v 8", "x 8"), (" 17 3", ""), ("t 0", "t 1"), ("s 7 0 5", "y")):
        file.write_text(LOG.replace(before, after))
        with pytest.raises(UserError, match="heddle check 1|is not what"):
            read.read(file)


LACKS_A_DEPENDENCE = """
#include <stdio.h>
#include "heddle.h"
static int sum;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 8; i++) {
#pragma omp task
      sum = sum * 3 + i;
    }
#pragma omp taskwait
    if (REGION) HEDDLE_TASKGRAPH() {
#pragma omp task
      sum++;
    }
  }
  printf("%d\\n", sum);
  return 0;
}
"""


def test_heddle_fuzz_points_to_it_where_a_program_has_taskgraphs(tmp_path):
    for region, points in (("1", True), ("0", False)):
        source = LACKS_A_DEPENDENCE if points else LACKS_A_DEPENDENCE.replace("HEDDLE_TASKGRAPH()", "")
        program = compiled(tmp_path, source, "gcc", "-g", "-O1", f"-DREGION={region}")
        result = heddle("fuzz", "--seeds", "50", "--", program)
        assert result.returncode == 1, result.stdout + result.stderr
        assert ("./heddle check finds that" in result.stdout) == points
