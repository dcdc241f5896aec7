"""The shell launcher's first start, with stand-ins for the system's package tools."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from command import ROOT

STANDINS = {
    # Everything is installed but cmake.
    "dpkg-query": 'if [ "$4" = "libomp-*-dev" ]; then printf "$HEDDLE_TEST_OMP_H"; exit; fi; '
    'for last; do :; done; case " cmake $HEDDLE_TEST_MISSING " in *" $last "*) exit 1 ;; esac; '
    'printf "ii "',
    "apt-get": 'if [ "$1" = -s ]; then printf "%s\\n" "$HEDDLE_TEST_REMOVED"; exit; fi; '
    'printf "apt-get %s\\n" "$*" >>"$HEDDLE_TEST_LOG"; exit "${HEDDLE_TEST_APT_STATUS:-0}"',
    "apt-cache": 'if [ "$1" = search ]; then printf "libomp-%s-dev - OpenMP\\n" $HEDDLE_TEST_LLVM; fi',
    "sudo": "exit 1",
    "id": 'echo "${HEDDLE_TEST_UID:-0}"',
}


@pytest.fixture
def checkout(tmp_path):
    """A checkout, in a folder with a space in its name, that was never started."""
    folder = tmp_path / "he ddle"
    (folder / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "heddle", folder)
    shutil.copy(ROOT / "tools" / "packages.txt", folder / "tools")
    (folder / "tools" / "requirements.txt").write_text("# nothing\n")
    package = folder / "tools" / "heddle"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(
        "import os, sys; print('started', sys.argv[1:], os.environ.get('PYTHONPATH'))\n"
    )
    standins = tmp_path / "bin"
    standins.mkdir()
    for name, body in STANDINS.items():
        (standins / name).write_text(f"#!/bin/sh\n{body}\n")
        (standins / name).chmod(0o755)
    return folder


def start(checkout: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    log = checkout.parent / "apt.log"
    path = f"{checkout.parent / 'bin'}:{os.environ['PATH']}"
    # Without what the tests' own launcher was told: CI lets it replace packages.
    own = {name: value for name, value in os.environ.items() if not name.startswith(("HEDDLE_", "PYTHONPATH"))}
    environ = {**own, "PATH": path, "HEDDLE_TEST_LOG": str(log), **settings}
    return subprocess.run(
        [checkout / "heddle", *arguments], env=environ, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def test_as_root_it_lists_and_installs_what_is_missing_and_only_that(checkout):
    result = start(checkout, "doctor", "a b")
    assert result.returncode == 0, result.stderr
    assert result.stdout == "started ['doctor', 'a b'] None\n"
    assert "  cmake  " in result.stderr
    assert "ninja" not in result.stderr
    calls = (checkout.parent / "apt.log").read_text().splitlines()
    assert [call.strip() for call in calls] == ["apt-get update", "apt-get install -y --no-install-recommends cmake"]


# Releases of LLVM exclude each other's omp.h: the one that is installed counts, before the newest.
@pytest.mark.parametrize(
    ("installed", "available", "wanted"),
    [
        ("", "14 19 23 9", "23"),
        ("", "14 17", "19"),
        ("", "", "19"),
        ("ii  libomp-21-dev\\nun  libomp-22-dev\\n", "19 21 23", "21"),
        ("ii  libomp-17-dev\\n", "17 20", "20"),
    ],
)
def test_packages_are_of_one_release_of_llvm(checkout, installed, available, wanted):
    packages = [f"{name}-{wanted}{rest}" for name, rest in (("clang", ""), ("libomp", "-dev"), ("llvm", "-dev"))]
    settings = {
        "HEDDLE_TEST_MISSING": " ".join(packages),
        "HEDDLE_TEST_OMP_H": installed,
        "HEDDLE_TEST_LLVM": available,
    }
    result = start(checkout, **settings)
    assert result.returncode == 0, result.stderr
    assert (checkout.parent / "apt.log").read_text().splitlines()[-1].split() == (
        f"apt-get install -y --no-install-recommends {' '.join(packages)} cmake".split()
    )


def test_another_python_serves_where_the_first_is_too_old(checkout, tmp_path):
    old, log = tmp_path / "old", checkout / ".cache" / "install.log"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    assert start(checkout, HEDDLE_PYTHON=str(old)).returncode == 0
    assert (checkout / ".venv" / "bin" / "python").exists(), log.read_text()


def test_what_would_remove_another_package_is_not_installed(checkout):
    result = start(checkout, HEDDLE_TEST_REMOVED="Inst cmake (1)\nRemv libomp-23-dev [1:23.1.4-2]\nRemv other [2]")
    assert result.returncode == 2
    last = result.stderr.splitlines()[-1]
    assert "to install cmake would remove libomp-23-dev other" in " ".join(last.split())
    assert (checkout.parent / "apt.log").read_text().splitlines() == ["apt-get update"]


def test_it_is_installed_where_that_is_asked_for(checkout):
    result = start(checkout, HEDDLE_TEST_REMOVED="Remv other [2]", HEDDLE_REPLACE_PACKAGES="1")
    assert result.returncode == 0, result.stderr
    assert "install -y --no-install-recommends cmake" in (checkout.parent / "apt.log").read_text()


def test_the_second_start_asks_nobody(checkout):
    start(checkout)
    (checkout.parent / "apt.log").unlink()
    (checkout.parent / "bin" / "dpkg-query").write_text("#!/bin/sh\nexit 9\n")
    result = start(checkout, "run")
    assert (result.returncode, result.stderr) == (0, "")
    assert not (checkout.parent / "apt.log").exists()


def test_a_changed_list_is_looked_at_again(checkout):
    start(checkout)
    (checkout.parent / "apt.log").unlink()
    with open(checkout / "tools" / "packages.txt", "a") as file:
        file.write("cmake-extras  one more\n")
    start(checkout)
    assert (checkout.parent / "apt.log").exists()


def test_without_root_it_names_the_packages_in_one_line_and_stops(checkout):
    result = start(checkout, HEDDLE_TEST_UID="1000")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert "apt-get install --no-install-recommends cmake" in result.stderr
    assert not (checkout.parent / "apt.log").exists()
    assert not (checkout / ".venv").exists()


def test_a_network_that_fails_is_one_line_after_the_list(checkout):
    result = start(checkout, HEDDLE_TEST_APT_STATUS="100")
    assert result.returncode == 2
    assert "apt-get update failed; is there a network?" in result.stderr.splitlines()[-1]
    assert result.stdout == ""


def test_a_failed_environment_is_made_again_at_the_next_start(checkout):
    requirements = checkout / "tools" / "requirements.txt"
    requirements.write_text("./no-such-package-here\n")
    result = start(checkout)
    assert result.returncode == 2
    assert "pip could not install" in result.stderr.splitlines()[-1]
    requirements.write_text("# nothing\n")
    assert start(checkout).returncode == 0


def test_a_checkout_that_was_moved_makes_its_environment_again(checkout):
    start(checkout)
    moved = checkout.with_name("elsewhere")
    checkout.rename(moved)
    result = start(moved)
    assert result.returncode == 0, result.stderr
    assert "making the Python environment" in result.stderr
