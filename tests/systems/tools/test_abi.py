"""What the libraries export is what the lists in tests/data/abi say: nothing is lost, or added, by accident.

A symbol that goes, or means something else, wants another major version (docs/runtime/abi.md). After a change that is
meant: .venv/bin/python tests/systems/tools/test_abi.py
"""

import fnmatch
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
LISTS = ROOT / "tests" / "data" / "abi"
LIBRARIES = ("libheddle.so", "libheddle-mpi.so", "libheddle-mpi-fortran.so")


def exported(library: Path) -> list[str]:
    """Names with their versions, sorted; data is marked with its size, which programs that copy it rely on."""
    command = ["readelf", "--dyn-syms", "--wide", library]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    found = set()
    for line in lines:
        words = line.split()
        if len(words) < 8 or not words[0].rstrip(":").isdigit():
            continue
        _, _, size, kind, binding, _, section, name = words[:8]
        if section == "UND" or binding not in ("GLOBAL", "WEAK"):
            continue
        found.add(f"{name} {size} bytes" if kind == "OBJECT" and section != "ABS" else name)
    return sorted(found)


def soname(library: Path) -> str:
    said = subprocess.run(["readelf", "--dynamic", library], capture_output=True, text=True, check=True).stdout
    return said.partition("Library soname: [")[2].partition("]")[0]


@pytest.mark.parametrize("name", LIBRARIES)
def test_exported_symbols_are_those_of_the_list(name):
    from heddle import paths, toolchain

    toolchain.build("release", ["heddle", "heddle_mpi", "heddle_mpi_fortran"])
    found = exported(paths.build_dir("release") / "lib" / name)
    expected = (LISTS / f"{name}.txt").read_text().splitlines()
    lost, added = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
    assert not lost and not added, f"lost: {lost}; added: {added}; see docs/runtime/abi.md"
    assert soname(paths.build_dir("release") / "lib" / name) == f"{name}.0"


def served_nowhere() -> list[tuple[str, str]]:
    lines = (LISTS / "not-served.txt").read_text().splitlines()
    return [tuple(line.split(maxsplit=1)) for line in lines if not line.startswith("#")]


def test_every_name_of_the_stock_runtimes_is_exported_or_its_absence_has_a_reason():
    ours = {line.split()[0].replace("@@", "@") for line in (LISTS / "libheddle.so.txt").read_text().splitlines()}
    patterns = [pattern if "@" in pattern else f"{pattern}@*" for pattern, _ in served_nowhere()]
    lines = (LISTS / "stock-runtimes.txt").read_text().splitlines()
    missing = {line.split()[0] for line in lines if not line.startswith("#")} - ours
    without_reason = {name for name in missing if not any(fnmatch.fnmatchcase(name, p) for p in patterns)}
    assert len(lines) > 1700
    assert without_reason == set()
    unused = [pattern for pattern in patterns if not fnmatch.filter(missing, pattern)]
    assert unused == [], "these are exported now, or nobody has them"


# Of LLVM's offloading library, which programs are linked with beside an OpenMP runtime.
OF_ANOTHER_LIBRARY = ("__tgt_*",)


def test_what_compilers_emit_is_exported():
    """The census of real programs: what each compiler makes them ask for."""
    ours = {line.split()[0].replace("@@", "@") for line in (LISTS / "libheddle.so.txt").read_text().splitlines()}
    ours |= {name.partition("@")[0] for name in ours}  # a program of flang names no version
    asked = [line.split()[0] for line in (LISTS / "census.txt").read_text().splitlines() if line[0] != "#"]
    assert len(asked) > 250
    absent = [name for name in asked if name not in ours]
    assert [name for name in absent if not any(fnmatch.fnmatchcase(name, p) for p in OF_ANOTHER_LIBRARY)] == []


if __name__ == "__main__":
    for name in LIBRARIES:
        (LISTS / f"{name}.txt").write_text("\n".join(exported(ROOT / "build" / "release" / "lib" / name)) + "\n")
    sys.exit(0)
