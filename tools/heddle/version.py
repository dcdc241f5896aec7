"""Which Heddle this is."""

from __future__ import annotations

import re
import subprocess
from importlib import metadata

from heddle import paths
from heddle.errors import UserError


def number() -> str:
    """The version that CMakeLists.txt states, or that of the package. Errors: UserError where it states none."""
    if paths.IS_INSTALLED:
        return metadata.version("heddle")
    text = (paths.ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"^project\(heddle VERSION ([0-9.]+)", text, re.MULTILINE)
    if not found:
        raise UserError("CMakeLists.txt states no version; is this checkout complete?")
    return found[1]


def commit() -> str | None:
    """The commit that is checked out and its day, with a sign where files differ from it; None without git."""
    if paths.IS_INSTALLED:
        return None
    git = ["git", "-C", str(paths.ROOT)]
    try:
        # Not the repository around a copy without one of its own.
        top = subprocess.run([*git, "rev-parse", "--show-toplevel"], capture_output=True, text=True, check=True)
        if top.stdout.strip() != str(paths.ROOT):
            return None
        name = subprocess.run(
            [*git, "log", "-1", "--format=%h of %cs"], capture_output=True, text=True, check=True
        ).stdout.strip()
        changed = subprocess.run(
            [*git, "status", "--porcelain", "--untracked-files=no"], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{name}, changed" if changed else name


def line() -> str:
    """What --version prints: "heddle 0.1.0 (3c46aba of 2026-11-20)"."""
    which = commit()
    return f"heddle {number()} ({which})" if which else f"heddle {number()}"
