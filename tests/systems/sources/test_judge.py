"""heddle judge: what is built, where it runs, what is said of it, and what is refused."""

import json
import os
import re
import shutil
import signal
import time
from pathlib import Path

import pytest
from command import ROOT, assert_one_line, heddle
from heddle import clang
from heddle.patience import scaled

PASSING = """
#include <omp.h>
int main(void) {
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads += 1;
  return threads != omp_get_max_threads();
}
"""

FAILING = """
#include <stdio.h>
int main(void) {
#pragma omp parallel
#pragma omp single
  puts("the warp\\nis [too] short");
  return 3;
}
"""

BROKEN = "int main(void) { return no_such_name; }\n"

# Ends on no runtime; the child would outlive it if only the leader were killed.
HANGING = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  pid_t child = fork();
  if (child > 0) {
    FILE* file = fopen(getenv("JUDGE_TEST_NOTE"), "w");
    fprintf(file, "%d", (int)child);
    fclose(file);
  }
  for (;;) pause();
}
"""

# Passes every second time.
FLAKY = """
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  FILE* file = fopen(getenv("JUDGE_TEST_NOTE"), "a");
  fputc('.', file);
  return ftell(file) % 2 == 0;
}
"""

# Passes on all runtimes but libheddle.
NOT_ON_HEDDLE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  Dl_info info;
  dladdr((void*)omp_get_max_threads, &info);
  if (!strstr(realpath(info.dli_fname, 0), "libgomp-heddle")) return 0;
  puts("a knot in thread 2");
  fflush(stdout);
  abort();
}
"""

# Passes only in a folder of its own, with nothing on standard input.
TIDY = """
#include <stdio.h>
int main(void) {
  FILE* left = fopen("left-behind", "r");
  fopen("left-behind", "w");
  return left != 0 || getchar() != EOF;
}
"""

VARIABLE = """
#include <stdlib.h>
#include <string.h>
int main(void) { return strcmp(getenv("JUDGE_TEST_COLOUR") ? getenv("JUDGE_TEST_COLOUR") : "", "dark blue"); }
"""

CPLUSPLUS = "#include <omp.h>\nint main() { auto threads = omp_get_max_threads(); return threads != 4; }\n"

FORTRAN = """
program team
  use weft, only: expected
  use omp_lib
  if (omp_get_max_threads() /= expected) stop 1
end program
"""


@pytest.fixture
def folder(tmp_path):
    """put(name=source, …) fills a folder and returns it."""

    def put(**sources: str) -> Path:
        place = tmp_path / "programs"
        for name, source in sources.items():
            stem, _, suffix = name.rpartition("_")
            file = place / f"{stem.replace('__', '/')}.{suffix}"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(source)
        return place

    return put


def judge(place: Path, *arguments: object, **settings: object):
    """Runs the command and returns its result and what it wrote as JSON, by program."""
    record = place.parent / "record.json"
    result = heddle("judge", "--json", record, *map(str, arguments), place, **settings)
    whole = json.loads(record.read_text()) if record.exists() else None
    return result, {program["name"]: program for program in whole["programs"]} if whole else {}


def verdicts(program: dict) -> dict[str, str]:
    return {name: found["verdict"] for name, found in program["runtimes"].items()}


def noted(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "JUDGE_TEST_NOTE": str(tmp_path / "note")}


def test_each_program_is_built_and_run_on_every_runtime(folder):
    place = folder(pass_c=PASSING, deeper__fail_c=FAILING, broken_c=BROKEN)
    result, programs = judge(place)
    assert result.returncode == 0, result.stderr  # no stock runtime passes what libheddle fails
    assert set(programs) == {"pass.c", "deeper/fail.c", "broken.c"}
    assert verdicts(programs["pass.c"]) == dict.fromkeys(("heddle", "gnu", "llvm"), "passed")
    assert verdicts(programs["deeper/fail.c"]) == dict.fromkeys(("heddle", "gnu", "llvm"), "failed")
    run = programs["deeper/fail.c"]["runtimes"]["heddle"]["runs"][0]
    assert (run["end"], run["output_end"]) == ("exit status 3", ["the warp", "is [too] short"])
    assert not programs["broken.c"]["compiled"]
    assert "no_such_name" in "\n".join(programs["broken.c"]["compiler_said"])
    row = next(line.split() for line in result.stdout.splitlines() if line.startswith("C "))
    assert row == ["C", "gcc", "3", "2", "1", "1", "1"]


def test_programs_that_do_not_compile_are_named_with_the_first_error(folder):
    wordy = "".join(f"int f{i}(void) {{ return missing_{i}; }}\n" for i in range(20)) + BROKEN
    sources = {"pass_c": PASSING, "broken_c": BROKEN, "wordy_cpp": wordy, "unlinked_c": "int absent(void);\n"}
    place = folder(**sources)
    for again in (False, True):  # what was kept says the same
        result, programs = judge(place, "--runtimes", "gnu")
        assert result.returncode == 0, (again, result.stderr)
        at = result.stdout.splitlines().index("do not compile")
        lines = result.stdout.splitlines()[at + 1 :]
        assert [line.partition(":")[0] for line in lines] == ["broken.c", "unlinked.c", "wordy.cpp"]
        assert re.match("broken.c:1:25: error: .no_such_name. undeclared", lines[0])
        assert "undefined reference to" in lines[1]
        assert lines[2].startswith("wordy.cpp:1:")
        assert "missing_0" in lines[2]
        assert programs["broken.c"]["first_error"] in programs["broken.c"]["compiler_said"]


def test_a_folder_of_which_nothing_can_be_judged_is_no_success(folder):
    place = folder(broken_c=BROKEN, also_c=BROKEN)
    result = heddle("judge", place)
    assert result.returncode == 2
    assert "none of the 2 programs compiles, so nothing was judged" in result.stderr.splitlines()[-1]
    assert result.stdout.count("no_such_name") == 2
    place = folder(broken_c=PASSING, also_c=PASSING)
    result = heddle("judge", "--cc", f"{clang.c()} -fopenmp", "--runtimes", "gnu", place)
    assert result.returncode == 2
    assert "no program could be run, so nothing was judged" in result.stderr.splitlines()[-1]
    assert "was built by Clang" in result.stderr.splitlines()[-1]


def test_what_only_a_stock_runtime_passes_is_listed_with_its_end(folder):
    place = folder(knot_c=NOT_ON_HEDDLE, pass_c=PASSING)
    result, _ = judge(place, "--cc", "gcc -fopenmp -ldl", "--repeat", 2)
    assert result.returncode == 1
    assert "libheddle fails 1 of 2 programs that a stock runtime passes" in result.stderr
    lines = result.stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("knot.c"))
    assert lines[at].endswith("SIGABRT, 2 of 2 runs")
    assert "libgomp" in lines[at]
    assert lines[at + 1].strip() == "a knot in thread 2"


def test_a_compiler_without_end_is_ended_and_tried_again(folder, tmp_path):
    compiler = tmp_path / "cc"
    # It waits for a child of its own, as gcc does for cc1.
    compiler.write_text(
        "#!/bin/sh\ncase $* in *hang.c*) echo 'hang.c:1:1: note: a loop' >&2; sleep 600 ;; *) exec gcc \"$@\" ;; esac\n"
    )
    compiler.chmod(0o755)
    place = folder(hang_c=PASSING, pass_c=PASSING)
    limit = scaled(5)  # which follows the machine's load
    arguments = ("--cc", f"{compiler} -fopenmp", "--compile-timeout", limit, "--runtimes", "gnu")
    for _ in range(2):  # it is not kept as a program with an error
        started = time.monotonic()
        result, programs = judge(place, *arguments)
        assert result.returncode == 0
        assert programs["pass.c"]["compiled"]
        assert not programs["hang.c"]["compiled"]
        assert f"no end in {limit:.0f} s" in programs["hang.c"]["first_error"]
        assert time.monotonic() - started > limit


def test_a_program_without_end_is_ended_with_its_children(folder, tmp_path):
    result, programs = judge(folder(hang_c=HANGING), "--timeout", 1, "--runtimes", "gnu", env=noted(tmp_path))
    assert result.returncode == 0
    (run,) = programs["hang.c"]["runtimes"]["gnu"]["runs"]
    assert run["timed_out"]
    assert run["end"] == "no end in 1 s"
    child = int((tmp_path / "note").read_text())
    for _ in range(50):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{child}/stat").read_text().split(")")[-1].split()[0] == "Z":
            return
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    raise AssertionError("the child outlived its program")


def test_a_program_that_passes_sometimes_is_flaky(folder, tmp_path):
    result, programs = judge(folder(flaky_c=FLAKY), "--repeat", 4, "--runtimes", "gnu", env=noted(tmp_path))
    assert verdicts(programs["flaky.c"]) == {"gnu": "flaky"}
    assert "flaky.c on libgomp: exit status 1, 2 of 4 runs" in result.stdout


def test_each_run_has_a_folder_of_its_own_and_no_input(folder):
    _, programs = judge(folder(tidy_c=TIDY), "--repeat", 3, "--runtimes", "heddle", input="a line\n")
    assert verdicts(programs["tidy.c"]) == {"heddle": "passed"}


def test_nothing_is_left_in_the_scratch_folder(folder):
    scratch = ROOT / "out" / "judge" / "scratch"
    before = set(scratch.iterdir()) if scratch.exists() else set()
    judge(folder(tidy_c=TIDY, pass_c=PASSING))
    assert set(scratch.iterdir()) <= before


def test_a_variable_is_set_for_the_programs_that_match(folder):
    place = folder(one__a_c=VARIABLE, two__b_c=VARIABLE)
    _, programs = judge(place, "--set", "one/* JUDGE_TEST_COLOUR=dark blue", "--runtimes", "gnu")
    assert verdicts(programs["one/a.c"]) == {"gnu": "passed"}
    assert verdicts(programs["two/b.c"]) == {"gnu": "failed"}


def test_a_pattern_chooses_programs(folder):
    _, programs = judge(folder(one__a_c=PASSING, two__b_c=PASSING), "--only", "t*", "--runtimes", "gnu")
    assert set(programs) == {"two/b.c"}


def test_a_runtime_that_cannot_serve_a_program_is_left_out(folder):
    _, programs = judge(folder(pass_c=PASSING), "--cc", f"{clang.c()} -fopenmp")
    assert verdicts(programs["pass.c"]) == {"heddle": "passed", "gnu": "refused", "llvm": "passed"}
    assert "was built by Clang" in programs["pass.c"]["runtimes"]["gnu"]["reason"]


def test_the_compilers_partners_build_the_other_languages(folder, tmp_path):
    place = folder(team_cpp=CPLUSPLUS, team_c=PASSING)
    if shutil.which("gfortran"):
        folder(team_F90='#include "weft.inc"\n' + FORTRAN)
        (tmp_path / "include").mkdir()
        (tmp_path / "include" / "weft.inc").write_text("module weft\n  integer :: expected = 4\nend module\n")
    result, programs = judge(place, "--cc", "gcc -fopenmp -I include", "--runtimes", "gnu", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    names = {"team.cpp": "g++", "team.c": "gcc", "team.F90": "gfortran"}
    for name, program in programs.items():
        assert (program["compiler"], verdicts(program)) == (names[name], {"gnu": "passed"})
    assert not list(tmp_path.glob("*.mod"))


def test_an_unchanged_program_is_built_once(folder, tmp_path):
    log = tmp_path / "log"
    compiler = tmp_path / "gcc"
    compiler.write_text(f'#!/bin/sh\n[ "$1" = --version ] || echo build >>{log}\nexec gcc "$@"\n')
    compiler.chmod(0o755)
    place = folder(size_c='#include "size.h"\nint main(void) { return SIZE; }\n', broken_c=BROKEN)
    header = place / "size.h"
    header.write_text("#define SIZE 0\n")
    line = ("--cc", f"{compiler} -fopenmp", "--runtimes", "gnu")
    for size, builds in ((0, 2), (0, 2), (1, 3)):
        header.write_text(f"#define SIZE {size}\n")
        _, programs = judge(place, *line)
        assert verdicts(programs["size.c"]) == {"gnu": "failed" if size else "passed"}
        assert len(log.read_text().splitlines()) == builds


def test_a_source_that_lacked_a_file_is_tried_again(folder):
    place = folder(late_c='#include "late.h"\nint main(void) { return LATE; }\n')
    _, programs = judge(place, "--runtimes", "gnu")
    assert not programs["late.c"]["compiled"]
    (place / "late.h").write_text("#define LATE 0\n")
    _, programs = judge(place, "--runtimes", "gnu")
    assert verdicts(programs["late.c"]) == {"gnu": "passed"}


def test_a_list_that_is_fulfilled_ends_well(folder, tmp_path):
    expected = tmp_path / "list"
    expected.write_text(f"# ours\npass.c gcc since 1.0\n./pass.c  # twice\nfail.c {clang.c()}\n\n")
    result, _ = judge(folder(pass_c=PASSING, fail_c=FAILING), "--expect", expected, "--runtimes", "heddle")
    assert result.returncode == 0, result.stderr
    assert "all 1 expected programs pass on libheddle" in result.stdout


def test_an_expected_program_that_does_not_pass_is_named(folder, tmp_path):
    expected = tmp_path / "list"
    expected.write_text("pass.c\nfail.c\nbroken.c\n")
    result, _ = judge(folder(pass_c=PASSING, fail_c=FAILING, broken_c=BROKEN), "--expect", expected)
    assert result.returncode == 1
    assert "libheddle does not pass 2 of 3 expected programs" in result.stderr
    assert "fail.c: exit status 3" in result.stdout
    assert "broken.c: does not compile" in result.stdout


def test_a_list_that_cannot_be_right_is_refused(folder, tmp_path):
    place = folder(pass_c=PASSING)
    expected = tmp_path / "list"
    for text, words in (
        ("pass.c\nnone.c\n", ("line 2", "'none.c' is no program")),
        ("# nothing\n", ("expects no program",)),
        (f"pass.c {clang.c()}\n", ("expects no program", clang.c(), "--cc")),
    ):
        expected.write_text(text)
        assert_one_line(heddle("judge", "--expect", expected, place), *words)
    assert_one_line(heddle("judge", "--expect", tmp_path / "no-list", place), "cannot be read")
    expected.write_bytes(b"\xff\xfe")
    assert_one_line(heddle("judge", "--expect", expected, place), "is not text")


def test_what_cannot_be_judged_is_refused_in_one_line(folder, tmp_path):
    place = folder(pass_c=PASSING)
    (tmp_path / "empty").mkdir()
    for words, arguments in (
        (("there is no such folder",), [tmp_path / "none"]),
        (("is a file",), [place / "pass.c"]),
        (("holds no C, C++ or Fortran source",), [tmp_path / "empty"]),
        (("--only x*",), ["--only", "x*", place]),
        (("no compiler 'no-such-cc'",), ["--cc", "no-such-cc -O2", place]),
        (("--cc is empty",), ["--cc", "", place]),
        (("does not parse",), ["--cc", "gcc 'x", place]),
        (("--threads 0",), ["--threads", "0", place]),
        (("--repeat 0",), ["--repeat", "0", place]),
        (("--jobs 0",), ["--jobs", "0", place]),
        (("--timeout",), ["--timeout", "0", place]),
        (("--timeout",), ["--timeout", "nan", place]),
        (("--compile-timeout 0",), ["--compile-timeout", "0", place]),
        (("there is no runtime 'tbb'",), ["--runtimes", "gnu,tbb", place]),
        (("--set 'x'", "PATTERN NAME=VALUE"), ["--set", "x", place]),
        (("--json", "there is no folder"), ["--json", tmp_path / "none" / "x.json", place]),
        (("--json", "is a folder"), ["--json", tmp_path, place]),
    ):
        assert_one_line(heddle("judge", *arguments), *words)


def test_a_wrong_request_writes_nothing(folder, tmp_path):
    record = tmp_path / "x.json"
    assert_one_line(heddle("judge", "--json", record, "--repeat", "0", folder(pass_c=PASSING)), "--repeat 0")
    assert not record.exists()
