"""Every source file is formatted as .clang-format and pyproject.toml say."""

import subprocess
import sys
from pathlib import Path

import pytest
from tree import ROOT, files

C_AND_CPP = {".c", ".cpp", ".h", ".hpp"}
FORTRAN_INCLUDES = {"TAMPIf.h"}  # the name that programs know


def clang_format() -> list[str]:
    return [sys.executable, "-P", "-c", "import clang_format; clang_format.clang_format()"]


def run(command: list[str]) -> None:
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, f"\n{result.stdout}{result.stderr}"


def test_c_and_cpp_are_formatted():
    """Mend: .venv/bin/clang-format -i FILES (version 19.1.7, the one in tools/requirements.txt)."""
    sources = [str(path) for path in files() if path.suffix in C_AND_CPP and path.name not in FORTRAN_INCLUDES]
    assert sources
    run([*clang_format(), "--dry-run", "-Werror", *sources])


def test_clang_format_notices_a_file_that_is_not(tmp_path):
    (tmp_path / ".clang-format").write_text((ROOT / ".clang-format").read_text())
    file = tmp_path / "crooked.cpp"
    file.write_text("int   main( ){return 0 ;}\n")
    with pytest.raises(AssertionError):
        run([*clang_format(), "--dry-run", "-Werror", str(file)])


def test_python_is_formatted():
    """Mend: .venv/bin/ruff format tools tests."""
    run([sys.executable, "-P", "-m", "ruff", "format", "--no-cache", "--check", "tools", "tests"])


def test_python_is_clean():
    """Mend: .venv/bin/ruff check --fix tools tests."""
    run([sys.executable, "-P", "-m", "ruff", "check", "--no-cache", "tools", "tests"])


def test_scripts_are_executable():
    for name in ("heddle", ".ci/run"):
        assert (ROOT / name).stat().st_mode & 0o111, f"chmod +x {name}"


def test_nothing_ends_without_a_newline_or_with_blanks():
    found = []
    for path in files():
        if path.suffix in {".json", ".png", ".svg"} or Path(path).name == "LICENSE":
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        if text and not text.endswith("\n"):
            found.append(f"{path}: no newline at its end")
        found += [
            f"{path}:{i}: blanks at the end" for i, line in enumerate(text.splitlines(), 1) if line != line.rstrip()
        ]
    assert not found, "\n" + "\n".join(found)
