"""Which Clang is taken of those that are on the machine, and what other systems have."""

import subprocess
import sys

import pytest
from command import ROOT

HAS_OMP_H = "exit 0"
HAS_NONE = "exit 1"


def chosen(tmp_path, compilers):
    """Release and commands, with nothing but these stand-ins in the search path."""
    for name, body in compilers.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    ask = "from heddle import clang; print(clang.release(), clang.c(), clang.cpp())"
    environ = {"PATH": str(tmp_path), "PYTHONPATH": str(ROOT / "tools")}
    return subprocess.run([sys.executable, "-c", ask], env=environ, capture_output=True, text=True).stdout.split()


@pytest.mark.parametrize(
    ("compilers", "wanted"),
    [
        ({"clang-19": HAS_OMP_H, "clang-9": HAS_OMP_H}, "19 clang-19 clang++-19"),
        ({"clang-19": HAS_OMP_H, "clang-23": HAS_OMP_H, "clang-format-24": HAS_OMP_H}, "23 clang-23 clang++-23"),
        ({"clang-19": HAS_OMP_H, "clang-23": HAS_NONE}, "19 clang-19 clang++-19"),
        ({"clang": "echo Fedora clang version 22.1.3"}, "22 clang clang++"),
        ({"clang": "echo clang version 22.1.3", "clang-22": HAS_OMP_H}, "22 clang-22 clang++-22"),
        ({"clang": "echo clang version 17.0.6"}, "None clang-19 clang++-19"),
        ({"clang-18": HAS_OMP_H}, "None clang-19 clang++-19"),
        ({}, "None clang-19 clang++-19"),
    ],
)
def test_the_newest_that_has_an_omp_h_is_taken(tmp_path, compilers, wanted):
    assert chosen(tmp_path, compilers) == wanted.split()


def first_words(file):
    lines = (ROOT / "tools" / file).read_text().splitlines()
    return [line.split()[0] for line in lines if line and not line.startswith("#")]


def test_each_package_has_its_names_on_other_systems():
    assert first_words("packages-elsewhere.txt") == first_words("packages.txt")


@pytest.mark.parametrize(
    ("manager", "command"),
    [
        ("dnf", "dnf install gcc gcc-c++ "),
        ("zypper", "zypper install gcc gcc-c++ "),
        ("pacman", "pacman -S gcc gcc-fortran "),
    ],
)
def test_doctor_names_the_packages_of_the_system_it_is_on(tmp_path, manager, command):
    (tmp_path / manager).symlink_to("/bin/true")
    environ = {"PATH": str(tmp_path), "PYTHONPATH": str(ROOT / "tools"), "COLUMNS": "2000"}
    doctor = [sys.executable, "-P", "-m", "heddle", "doctor"]
    result = subprocess.run(doctor, env=environ, capture_output=True, text=True)
    assert command in result.stdout and "spin" in result.stdout
    assert [name for name in ("dnf install", "zypper install", "pacman -S") if name in result.stdout] == [
        " ".join(command.split()[:2])
    ]
