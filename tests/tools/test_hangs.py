"""HEDDLE_WATCHDOG and heddle attach: each program in hangs/ hangs, and its lines marked "culprit" are named."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from command import ROOT, assert_one_line, heddle, without_openmp_settings
from heddle.patience import scaled

HANGS = sorted((ROOT / "tests" / "tools" / "hangs").glob("*.c"))
COMPILERS = ["gcc", "clang-19"]
_PATIENCE_S = scaled(30)


def culprits(source: Path) -> list[str]:
    """file:line of each; of a task, whose first line compilers give or its directive's, both as one."""
    lines = source.read_text(encoding="utf-8").splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        if line.endswith("// culprit"):
            is_task = lines[number - 2].lstrip().startswith("#pragma omp task")
            found.append(rf"{source.name}:({number - 1}|{number})\b" if is_task else rf"{source.name}:{number}\b")
    return found


def build(folder: Path, source: Path, compiler: str) -> Path:
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


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("source", HANGS, ids=lambda path: path.stem)
def test_the_watchdog_names_the_lines_where_a_program_hangs(tmp_path, source, compiler):
    program = build(tmp_path, source, compiler)
    with Hanging(program, tmp_path / "said", HEDDLE_WATCHDOG="0.5") as hanging:
        report = hanging.said_after("nothing has progressed for 0.5 s")
    assert "nothing has progressed for 0.5 s" in report
    for line in culprits(source):
        assert re.search(line, report), report
    if "cycle" in source.stem or "before_a_taskwait" in source.stem:
        assert "they wait in a cycle" in report


@pytest.mark.parametrize("source", HANGS, ids=lambda path: path.stem)
def test_attach_names_them_in_a_program_that_was_started_without(tmp_path, source):
    program = build(tmp_path, source, "gcc")
    with Hanging(program, tmp_path / "said") as hanging:
        time.sleep(1)
        first = heddle("attach", str(hanging.pid), timeout_s=120)
        second = heddle("attach", str(hanging.pid), timeout_s=120)
        assert not hanging.has_ended()
    if "this gdb cannot call functions" in first.stderr:
        pytest.skip("gdb before 14 on a processor with AMX")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == second.stdout  # it goes on as if nobody had looked
    # Who owns a lock, and which tasks have returned, is noted for the watchdog alone.
    unseen = [] if "detached" not in source.stem else culprits(source)
    if "lock" in source.stem:
        unseen = culprits(source)[:1]
    for line in culprits(source):
        assert re.search(line, first.stdout) or line in unseen, first.stdout


def test_attach_says_in_one_line_what_it_cannot_look_into():
    result = heddle("attach", str(2**22 + 1))
    assert_one_line(result, "there is no process")
    result = heddle("attach", str(os.getpid()), timeout_s=120)
    assert_one_line(result, "does not run on libheddle")
