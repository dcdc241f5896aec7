"""Which MPI the build takes, with wrappers that stand in for those of MPIs whose headers are missing."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from command import ROOT
from heddle import toolchain
from heddle.patience import scaled

PROGRAMS = [f"{program}_{form}" for program in ("cholesky", "halo") for form in ("original", "detach", "suspension")]

# As Debian's openmpi-bin has it without libopenmpi-dev: it answers what it is asked, and no header is where it says.
NO_HEADERS = """#!/bin/sh
case $* in
  *-showme:compile*) echo "-I/nowhere/openmpi/include" ;;
  *-showme:link*) echo "-L/nowhere/openmpi/lib -lmpi" ;;
  *-showme*) echo "gcc -I/nowhere/openmpi/include -L/nowhere/openmpi/lib -lmpi" ;;
  *) exec gcc -I/nowhere/openmpi/include "$@" -L/nowhere/openmpi/lib -lmpi ;;
esac
"""


def path_with(folder: Path, *, hides: str) -> str:
    """A PATH that begins with the wrapper without headers, and where the names that match are missing."""
    folder.mkdir()
    for place in reversed(os.environ["PATH"].split(":")):
        for name in os.listdir(place) if os.path.isdir(place) else []:
            (folder / name).unlink(missing_ok=True)
            if not re.fullmatch(hides, name):
                (folder / name).symlink_to(Path(place, name))
    for name, text in (("mpicc", NO_HEADERS), ("mpiexec", "#!/bin/sh\nexit 9\n")):
        (folder / name).unlink(missing_ok=True)
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return str(folder)


def configure(build: Path, path: str, *options: str) -> str:
    """Configures the whole tree and returns what was said."""
    compilers = ["-DCMAKE_C_COMPILER=/usr/bin/gcc", "-DCMAKE_CXX_COMPILER=/usr/bin/g++"]
    compilers += ["-DHEDDLE_AMR=OFF", "-DHEDDLE_WAVE=OFF"]  # they are nothing without an MPI, and say so
    command = ["/usr/bin/cmake", "-S", ROOT, "-B", build, "-G", "Ninja"]
    result = subprocess.run(
        [*command, *compilers, *options],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=scaled(300),
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stderr


def targets_of(build: Path) -> set[str]:
    listed = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], capture_output=True, text=True).stdout
    return {name for name in PROGRAMS if f"suspension_{name}: phony" in listed}


def listed_tests(build: Path) -> str:
    return subprocess.run(["ctest", "--test-dir", build, "-N"], capture_output=True, text=True).stdout


def test_the_wrapper_that_builds_programs_is_taken_with_its_own_mpiexec(tmp_path):
    assert configure(tmp_path / "build", path_with(tmp_path / "bin", hides="mpicc|mpiexec")) == ""
    assert targets_of(tmp_path / "build") == set(PROGRAMS)
    cache = (tmp_path / "build" / "CMakeCache.txt").read_text()
    for variable, program in (("MPI_C_COMPILER", "mpicc.mpich"), ("MPIEXEC_EXECUTABLE", "mpiexec.mpich")):
        assert re.search(rf"^{variable}:FILEPATH=.*/{program}$", cache, re.MULTILINE)


def test_without_an_mpi_its_programs_are_absent_by_name_and_come_with_it(tmp_path):
    build = tmp_path / "build"
    # CMake looks into the system's folders as well, whatever PATH says.
    said = configure(build, path_with(tmp_path / "bin", hides="mpi.*"), "-DCMAKE_IGNORE_PATH=/usr/bin;/bin")
    (line,) = [line for line in said.splitlines() if line.startswith("heddle: ")]
    assert "no MPI compiler wrapper (mpicc.mpich, mpicc, mpicc.openmpi) builds a program" in line
    assert "install libmpich-dev and mpich" in line
    assert all(f"suspension_{name}" in line for name in PROGRAMS)
    assert targets_of(build) == set()
    # The tests do not pass by being absent.
    assert "example.suspension.needs_mpi" in listed_tests(build)
    assert "example.suspension.halo" not in listed_tests(build)
    assert "example.suspension.taskwait_detach.1" in listed_tests(build)
    result = subprocess.run(
        ["ctest", "--test-dir", build, "-R", "needs_mpi", "--output-on-failure"], capture_output=True, text=True
    )
    assert result.returncode != 0
    assert "suspension_halo_detach" in result.stdout
    # Once it is installed the same folder takes it.
    assert configure(build, os.environ["PATH"], "-UCMAKE_IGNORE_PATH") == ""
    assert targets_of(build) == set(PROGRAMS)
    assert "needs_mpi" not in listed_tests(build)


def test_what_the_configuration_says_reaches_the_user(tmp_path, capsys):
    command = ["sh", "-c", "echo '-- nothing'; echo 'heddle: an MPI is missing' >&2"]
    toolchain.follow(command, "configuring", tmp_path / "log")
    assert capsys.readouterr().err == "heddle: an MPI is missing\n"


@pytest.mark.parametrize("name", ["libmpich-dev", "mpich"])
def test_the_advice_names_packages_of_our_list(name):
    lines = (ROOT / "tools" / "packages.txt").read_text().splitlines()
    assert name in {line.split()[0] for line in lines if line and not line.startswith("#")}
