"""The launcher behind heddle cc, compilers without it, and what the programs print."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from command import ROOT, heddle, without_openmp_settings
from heddle import clang
from heddle.patience import scaled

LAUNCHER = [sys.executable, "-P", str(ROOT / "tools" / "heddle" / "cc" / "__main__.py")]
# The runtime that each compiler of C and C++ links.
STOCK = {"gcc": "gnu", "g++": "gnu", clang.c(): "llvm", clang.cpp(): "llvm"}


def cc(folder: Path, *words: str | Path, **settings: object) -> subprocess.CompletedProcess[str]:
    """The launcher in that folder, with the messages of the C locale."""
    environ = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(
        [*LAUNCHER, *map(str, words)],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=scaled(60),
        **settings,
    )


def plain(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(
        list(map(str, words)), cwd=folder, env=environ, capture_output=True, text=True, timeout=scaled(60)
    )


def built(folder: Path, *words: str | Path) -> Path:
    """The program that the launcher makes of it, without a word said."""
    result = cc(folder, *words, "-o", "program")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    return folder / "program"


def said(program: Path, runtime: str) -> str:
    """What the program prints on that runtime."""
    result = heddle(
        "run", "--runtime", runtime, "--threads", "2", "--", program, timeout_s=600, env=without_openmp_settings()
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path
