"""HEDDLE_WATCHDOG and heddle attach: each program in hangs/ hangs, and its lines marked "culprit" are named."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from command import ROOT, assert_one_line, heddle, without_openmp_settings
from heddle import clang
from heddle.patience import scaled

HANGS = sorted((ROOT / "tests" / "systems" / "tools" / "hangs").glob("*.c"))
COMPILERS = ["gcc", clang.c()]
_PATIENCE_S = scaled(30)


def culprits(source: Path, reader: str) -> list[str]:
    """file:line of each that the reader sees; of a task, whose first line compilers give or its directive's, both."""
    lines = source.read_text(encoding="utf-8").splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        if re.search(rf"// culprit(, seen by {reader})?$", line):
            is_task = lines[number - 2].lstrip().startswith("#pragma omp task")
            found.append(rf"{source.name}:({number - 1}|{number})\b" if is_task else rf"{source.name}:{number}\b")
    return found


def words(source: Path, who: str) -> list[str]:
    """What the lines "// says: …" (or "// attach says: …") at the top of the program promise of a report."""
    return re.findall(rf"^// {who}: (.*)$", source.read_text(encoding="utf-8"), re.MULTILINE)


def sees_less_without_the_watchdog(source: Path) -> bool:
    return "// culprit, seen by the watchdog" in source.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Callable[[Path, str], Path]:
    """The program of a source by a compiler: each is compiled once."""
    return cache(lambda source, compiler: _build(tmp_path_factory.mktemp(source.stem), source, compiler))


def _build(folder: Path, source: Path, compiler: str) -> Path:
    program = folder / "program"
    command = [compiler, "-g", "-O1", "-fopenmp", f"-I{ROOT / 'runtime' / 'include'}", source, "-o", program]
    if "mpi.h" in source.read_text(encoding="utf-8"):
        wrapper = shutil.which("mpicc.mpich") or "mpicc"  # mpicc may be the wrapper of an MPI without headers
        show = subprocess.run([wrapper, "-show"], capture_output=True, text=True, check=True, timeout=scaled(60))
        command += show.stdout.split()[1:]
    subprocess.run(list(map(str, command)), check=True, timeout=scaled(60))
    return program


class Hanging:
    """A program on libheddle that runs until the end of the with statement."""

    def __init__(self, program: Path, said: Path, **variables: str):
        shims = heddle("path", "shims").stdout.strip()
        environ = {**without_openmp_settings(), "LD_LIBRARY_PATH": shims, **variables}
        self._said = said
        with said.open("w", encoding="utf-8") as output:
            self._process = subprocess.Popen([program], env=environ, stdout=output, stderr=output)
        self.pid = self._process.pid

    def __enter__(self) -> Hanging:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait(timeout=_PATIENCE_S)

    def let_come_to_rest(self) -> None:
        """Waits until no thread of it computes, for a while: some compute for ever."""
        last, same = -1, 0
        for _ in range(15):
            time.sleep(0.1)
            used = sum(map(int, Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[11:13]))
            same = same + 1 if used == last else 0
            last = used
            if same == 4:
                return

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def said_after(self, words: str) -> str:
        until = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until and not self.has_ended():
            text = self._said.read_text(encoding="utf-8")
            if words in text:
                time.sleep(0.5)  # the rest of the report
                return self._said.read_text(encoding="utf-8")
            time.sleep(0.05)
        return self._said.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def gdb_calls(tmp_path_factory, built) -> None:
    """Skips what needs a gdb that can call functions, where it cannot: asked once, since each answer takes seconds."""
    with Hanging(built(HANGS[0], "gcc"), tmp_path_factory.mktemp("asked") / "said") as hanging:
        hanging.let_come_to_rest()
        answer = heddle("attach", str(hanging.pid), timeout_s=120)
    if "this gdb cannot call functions" in answer.stderr:
        pytest.skip("gdb before 14 on a processor with AMX")


@pytest.mark.sampled
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("source", HANGS, ids=lambda path: path.stem)
def test_the_watchdog_names_the_lines_where_a_program_hangs(tmp_path, built, source, compiler):
    with Hanging(built(source, compiler), tmp_path / "said", HEDDLE_WATCHDOG="0.5") as hanging:
        report = hanging.said_after("nothing has progressed for 0.5 s")
    assert "nothing has progressed for 0.5 s" in report
    assert "HEDDLE_WATCHDOG" not in report.replace("(HEDDLE_WATCHDOG)", "")  # it is on
    for line in culprits(source, "the watchdog"):
        assert re.search(line, report), report
    for promised in words(source, "says"):
        assert promised in report, report


@pytest.mark.sampled
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("source", HANGS, ids=lambda path: path.stem)
def test_attach_names_them_in_a_program_that_was_started_without(tmp_path, built, source, compiler, gdb_calls):
    with Hanging(built(source, compiler), tmp_path / "said") as hanging:
        hanging.let_come_to_rest()
        first = heddle("attach", str(hanging.pid), timeout_s=120)
        second = heddle("attach", str(hanging.pid), timeout_s=120)
        assert not hanging.has_ended()
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == second.stdout  # it goes on as if nobody had looked
    assert "no task waits for anything" not in first.stdout
    for line in culprits(source, "attach"):
        assert re.search(line, first.stdout), first.stdout
    for promised in words(source, "attach says"):
        assert promised in first.stdout, first.stdout
    # Who owns a lock, and which tasks have returned, is noted for the watchdog alone.
    if sees_less_without_the_watchdog(source):
        assert "cannot be seen without HEDDLE_WATCHDOG" in first.stdout, first.stdout


@pytest.mark.sampled
@pytest.mark.parametrize("source", HANGS, ids=lambda path: path.stem)
def test_attach_says_what_the_watchdog_says_where_that_is_on(tmp_path, built, source, gdb_calls):
    with Hanging(built(source, "gcc"), tmp_path / "said", HEDDLE_WATCHDOG="0.5") as hanging:
        hanging.said_after("nothing has progressed for 0.5 s")
        result = heddle("attach", str(hanging.pid), timeout_s=120)
    assert (result.returncode, result.stderr) == (0, "")
    for line in culprits(source, "the watchdog") + culprits(source, "attach"):
        assert re.search(line, result.stdout), result.stdout
    for promised in words(source, "says" if sees_less_without_the_watchdog(source) else "attach says"):
        assert promised in result.stdout, result.stdout


def test_attach_says_in_one_line_what_it_cannot_look_into():
    result = heddle("attach", str(2**22 + 1))
    assert_one_line(result, "there is no process")
    result = heddle("attach", str(os.getpid()), timeout_s=120)
    assert_one_line(result, "does not run on libheddle")
