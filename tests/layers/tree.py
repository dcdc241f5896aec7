"""The files of the checkout that are ours: tracked, or new and not ignored."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_NOT_OURS = {".git", ".venv", "build", "out", ".cache", ".ruff_cache", ".pytest_cache"}  # right in the root


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
    return sorted(path for path in found if _is_ours(path) and (ROOT / path).is_file())


def _is_ours(path: Path) -> bool:
    return path.parts[0] not in _NOT_OURS and "__pycache__" not in path.parts
