"""The files of the checkout that are ours: tracked, or new and not ignored."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_IGNORED = {".git", ".venv", "build", "out", ".cache", "__pycache__", ".ruff_cache", ".pytest_cache"}


def files() -> list[Path]:
    """Paths relative to the root, sorted. Without git (a tarball), everything outside the folders that builds make."""
    try:
        listed = subprocess.run(
            ["git", "-C", ROOT, "ls-files", "-z", "-co", "--exclude-standard"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        found = [Path(name) for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        found = [path.relative_to(ROOT) for path in ROOT.rglob("*")]
    return sorted(path for path in found if not _IGNORED & set(path.parts) and (ROOT / path).is_file())
