"""heddle fuzz: finds planted mistakes, names their lines, and leaves correct programs alone."""

import json
import os
import re
import subprocess

import pytest
from command import ROOT, assert_one_line, heddle, without_openmp_settings
from heddle.fuzz import culprit, numbers, orders
from programs import COMPILERS, NO_OPENMP, TEAM_SIZE, build

PLANTED = ROOT / "tests" / "systems" / "fuzz"


def lines_marked(name: str, word: str) -> list[int]:
    """A line as often as it bears the word."""
    source = (PLANTED / f"{name}.c").read_text().splitlines()
    return [number for number, line in enumerate(source, 1) for _ in re.findall(rf"\b{word}\b", line)]


def build_planted(folder, name, compiler="gcc"):
    program = folder / name
    subprocess.run([COMPILERS[compiler], "-g", "-O1", "-fopenmp", PLANTED / f"{name}.c", "-o", program], check=True)
    return program


def found(program, folder, *options):
    """The finding as the JSON file has it."""
    record = folder / "found.json"
    result = heddle("fuzz", "--json", record, *options, "--", program)
    assert result.returncode == 1, result.stdout + result.stderr
    return json.loads(record.read_text())["finding"], result.stdout


def lines_of(ends):
    return [int(end["place"].rpartition(":")[2]) for end in ends]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", ["wavefront", "chain", "accumulate"])
def test_a_planted_mistake_is_found_and_its_two_tasks_are_named(tmp_path, name, compiler):
    finding, text = found(build_planted(tmp_path, name, compiler), tmp_path)
    assert finding["is_exact"]
    if name == "chain":  # which neighbour in the chain it meets depends on the seed
        assert set(lines_of(finding["pair"])) < set(lines_marked(name, "PAIR|NEXT"))
        assert set(lines_marked(name, "PAIR")) < set(lines_of(finding["pair"]))
    else:
        assert lines_of(finding["pair"]) == lines_marked(name, "PAIR")
    assert f"seed {finding['seed']}: line 1 of the output is" in text
    assert f"HEDDLE_ORDER=fuzz:{finding['seed']} OMP_THREAD_LIMIT=1 ./heddle run --threads 1 -- " in text


def test_a_missing_dependence_in_a_taskgraph_that_asks_for_two_threads(tmp_path):
    source = ROOT / "tests" / "systems" / "tools" / "data" / "taskgraph" / "graph.c"
    program = tmp_path / "graph"
    for words in ((), ("-DFORGOTTEN",)):
        made = heddle("cc", "--", "gcc", "-g", "-fopenmp", *words, source, "-o", program)
        assert made.returncode == 0, made.stderr
        if not words:
            assert heddle("fuzz", "--seeds", "20", "--", program).returncode == 0
    finding, text = found(program, tmp_path)
    assert finding["is_exact"] and "instead of '40 82'" in text
    assert lines_of(finding["pair"]) == [11, 16]


def test_a_missing_taskwait_is_a_task_and_its_creators_code(tmp_path):
    finding, _ = found(build_planted(tmp_path, "creator"), tmp_path)
    task, creator = finding["pair"]
    assert lines_of([task]) == lines_marked("creator", "PAIR")
    assert creator["behind"].endswith(f":{lines_marked('creator', 'BEHIND')[0]}")


def test_with_two_threads_a_mistake_is_found_too(tmp_path):
    finding, text = found(build_planted(tmp_path, "accumulate"), tmp_path, "--threads", "2")
    assert "./heddle run --threads 2" in text
    assert finding["pair"] or finding["candidates"]


def test_a_correct_program_passes(tmp_path):
    result = heddle("fuzz", "--seeds", "50", "--", build_planted(tmp_path, "correct"))
    assert (result.returncode, result.stderr) == (0, "")
    assert re.fullmatch(r"\d+ tasks in 50 orders: the output is always that of the serial order\n", result.stdout)


def test_one_thread_repeats_an_order_and_a_log_repeats_it_too(tmp_path):
    program = build_planted(tmp_path, "accumulate")
    shims = heddle("path", "shims").stdout.strip()

    def log(order, name):
        environ = {**without_openmp_settings(), "LD_LIBRARY_PATH": shims, "OMP_NUM_THREADS": "1"}
        environ |= {"HEDDLE_ORDER": order, "HEDDLE_ORDER_LOG": str(tmp_path / name)}
        output = subprocess.run([program], env=environ, capture_output=True, text=True, check=True).stdout
        return (tmp_path / name).read_text(), output

    first = log("fuzz:7", "first")
    assert log("fuzz:7", "second") == first
    assert log(f"replay:{tmp_path / 'first'}", "third") == first
    assert log("fuzz:8", "fourth") != first
    assert orders.read(tmp_path / "first").tasks == 30


def test_a_program_is_named_relative_to_the_folder(tmp_path):
    build_planted(tmp_path, "correct")
    result = heddle("fuzz", "--seeds", "2", "--", "./correct", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")


CRASHES = """
#include <stdlib.h>
#include <unistd.h>
static int ready;
int main(int argc, char** argv) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    ready = 1;
#pragma omp task
    if (!ready) {
      if (argc > 1) pause();
      abort();
    }
  }
  return 0;
}
"""


def test_a_crash_is_a_difference(tmp_path):
    program = build(tmp_path, CRASHES, "gcc", "-g")
    finding, _ = found(program, tmp_path)
    assert finding["difference"] == "SIGABRT instead of exit status 0"
    assert lines_of(finding["pair"]) == [9, 11]


def test_a_run_without_end_is_a_difference(tmp_path):
    program = build(tmp_path, CRASHES, "gcc", "-g")
    result = heddle("fuzz", "--timeout", "0.3", "--", program, "wait")
    assert result.returncode == 1
    assert "no end in 0.3 s instead of exit status 0" in result.stdout


def test_lines_can_be_left_out_and_files_compared(tmp_path):
    program = build_planted(tmp_path, "accumulate")
    assert heddle("fuzz", "--seeds", "5", "--ignore", "^[0-9 ]+$", "--", program).returncode == 0
    assert heddle("fuzz", "--seeds", "5", "--compare", "status", "--", program).returncode == 0
    file = tmp_path / "written"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\n{program} > {file}\n")
    script.chmod(0o755)
    result = heddle("fuzz", "--compare", file, "--", script)
    assert result.returncode == 1
    assert f"{file} is another" in result.stdout


WRITES = """
#include <stdio.h>
int main(int argc, char** argv) {
#pragma omp parallel
#pragma omp single
#pragma omp task
  {
    FILE* file = argc > 1 ? fopen(argv[1], "w") : 0;
    if (file) fclose(file);
  }
  return 0;
}
"""


def test_a_file_that_the_program_does_not_write_is_refused(tmp_path):
    program, file = build(tmp_path, WRITES), tmp_path / "out"
    words = (f"--compare {file}", "does not write it")
    assert_one_line(heddle("fuzz", "--compare", file, "--", program), *words)
    # Nor does one count that is there already; and it stays as it is.
    file.write_text("left by somebody else\n")
    before = file.stat().st_mtime_ns
    assert_one_line(heddle("fuzz", "--compare", file, "--", program), *words)
    assert file.stat().st_mtime_ns == before
    assert heddle("fuzz", "--seeds", "3", "--compare", file, "--", program, file).returncode == 0


WRITES_IN_ONE_ORDER = """
#include <stdio.h>
int main(int argc, char** argv) {
  int done = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(done)
    done = 1;
#pragma omp task shared(done)
    if (done) fclose(fopen(argv[argc - 1], "w"));
  }
  return 0;
}
"""


def test_what_an_earlier_run_left_is_not_this_runs_output(tmp_path):
    result = heddle("fuzz", "--compare", tmp_path / "out", "--", build(tmp_path, WRITES_IN_ONE_ORDER), tmp_path / "out")
    assert result.returncode == 1
    assert f"{tmp_path / 'out'} was not written" in result.stdout


ROUNDS = """
#include <stdio.h>
int main(int argc, char** argv) {
  double sum = 0;
  int count = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 30; i++) {
#pragma omp task shared(sum, count)
    {
      sum += 1.0 / (i + 1);
      if (argc > 2) count = count * 3 % 1000003 + i;
    }
  }
  printf("sum=%.17g of %d\\n", sum, count);
  if (argc > 1) {
    FILE* file = fopen(argv[1], "w");
    fprintf(file, "%.17g\\n", sum);
    fclose(file);
  }
  return 0;
}
"""


def test_rounding_is_no_missing_dependence_within_a_tolerance(tmp_path):
    program, file = build(tmp_path, ROUNDS), tmp_path / "sums"
    exact = heddle("fuzz", "--", program)
    assert exact.returncode == 1
    assert "--tolerance 1e-9" in exact.stdout
    result = heddle("fuzz", "--tolerance", "1e-12", "--seeds", "40", "--", program)
    assert result.returncode == 0, result.stdout
    assert "up to the tolerance of 1e-12" in result.stdout
    options = ("--compare", file, "--seeds", "40")
    assert heddle("fuzz", *options, "--", program, file).returncode == 1
    assert heddle("fuzz", *options, "--tolerance", "1e-12", "--", program, file).returncode == 0
    # A count beside the sum is compared exactly.
    counts = heddle("fuzz", "--tolerance", "1e-2", "--", program, file, "count")
    assert counts.returncode == 1
    assert "--tolerance 1e-9" not in counts.stdout


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        ("sum 1.00000001 in 3", "sum 1.00000002 in 3", True),
        ("sum 1.00000001 in 3", "sum 1.00000001 in 4", False),
        ("sum 1.1", "sum 1.2", False),
        ("3", "2.9999999999", True),
        ("1000000001", "1000000002", False),
        ("x=-1.5e-300,2", "x=-1.50000001e-300,2", True),
        ("1.0D+00", "1.00000001D+00", True),
        ("0.0", "1e-30", False),
        ("nan", "nan", True),
        ("nan", "1.0", False),
        ("1.0 a", "1.00000001 b", False),
        ("1.0", "1.0 2.0", False),
        ("version 1.2.3", "version 1.2.4", False),
    ],
)
def test_numbers_with_a_point_are_compared_by_value_and_all_else_exactly(one, other, are_same):
    assert numbers.same(one, other, 1e-6) == are_same
    assert numbers.same(other, one, 1e-6) == are_same
    assert numbers.same(one, other, 0) == (one == other)


def test_what_nothing_can_be_learned_from_is_refused(tmp_path):
    changing = (
        '#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n#pragma omp task\n  printf("%d\\n", getpid());\n}\n'
    )
    assert_one_line(heddle("fuzz", "--", build(tmp_path, changing)), "does not repeat itself", "--ignore")
    assert_one_line(heddle("fuzz", "--", build(tmp_path, TEAM_SIZE)), "executed no task")
    silent = heddle("fuzz", "--", build(tmp_path, NO_OPENMP, openmp=False))
    assert silent.returncode == 2
    assert "did not use libheddle" in silent.stderr


def test_wrong_options_are_one_line(tmp_path):
    assert_one_line(heddle("fuzz"), "PROGRAM")
    assert_one_line(heddle("fuzz", "--", tmp_path / "none"), "there is no such program")
    assert_one_line(heddle("fuzz", "--seeds", "0", "--", "/bin/true"), "--seeds 0")
    assert_one_line(heddle("fuzz", "--threads", "0", "--", "/bin/true"), "--threads 0")
    assert_one_line(heddle("fuzz", "--timeout", "-1", "--", "/bin/true"), "--timeout -1")
    assert_one_line(heddle("fuzz", "--ignore", "(", "--", "/bin/true"), "no regular expression")
    assert_one_line(heddle("fuzz", "--compare", tmp_path, "--", "/bin/true"), "--compare")
    assert_one_line(heddle("fuzz", "--compare", "/dev/null", "--", "/bin/true"), "--compare")
    assert_one_line(heddle("fuzz", "--tolerance", "1", "--", "/bin/true"), "--tolerance 1")
    assert_one_line(heddle("fuzz", "--tolerance", "nan", "--", "/bin/true"), "--tolerance nan")
    assert_one_line(heddle("fuzz", "--json", tmp_path, "--", "/bin/true"), "is a folder")


@pytest.mark.parametrize("wrong", [("b", "g"), ("a", "b"), ("f", "g"), ("a", "g")])
def test_the_search_names_neighbours_whose_exchange_decides(wrong):
    good, bad = list("abcdefg"), list("gdfbeca")
    calls = []

    def differs(order):
        calls.append(order)
        return order.index(wrong[1]) < order.index(wrong[0])

    result = culprit.search(good, bad, differs)
    assert (result.first, result.second) == wrong
    assert result.good.index(wrong[1]) - result.good.index(wrong[0]) == 1
    assert len(calls) < 10


def test_the_search_needs_a_good_and_a_bad_end():
    assert culprit.search(list("ab"), list("ba"), lambda order: True) is None
    assert culprit.search(list("ab"), list("ba"), lambda order: False) is None
    assert culprit.search(list("ab"), list("ab"), lambda order: True) is None


def test_an_unfinished_log_is_read_as_far_as_it_goes(tmp_path):
    log = tmp_path / "log"
    log.write_text("heddle order 1\nc 0 0x10 - ./a b\ns 1:0.0 0 1 !\ng 1:0~0 1 1:0.0\ne 1:0.0 1\ns 1:0.1")
    read = orders.read(log)
    assert read.items == ["1:0.0", "1:0~0"]
    assert (read.tasks, read.created_at) == (1, {"1:0~0": "1:0.0"})
    assert read.codes["1:0.0"] == orders.Code(16, "-", "./a b")
    assert orders.read(tmp_path / "none") is None
    os.truncate(log, 3)
    assert orders.read(log) is None
