"""Builds the manual."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from heddle import paths, toolchain
from heddle.errors import UserError

_SETTINGS = paths.ROOT / "mkdocs.yml"
_MARK = ".heddle-manual"  # in a folder that may be replaced


def build(out: Path) -> Path:
    """Builds the programs, whose options the manual has, and the site; its first page.

    A folder that is there is replaced if it holds an earlier manual. Errors: UserError where it holds something else or
    cannot be written; CheckFailed where MkDocs warns of anything, such as a link that leads nowhere.
    """
    if out.exists() and not out.is_dir():
        raise UserError(f"{out} is a file; give another --out")
    if out.exists() and any(out.iterdir()) and not (out / _MARK).exists():
        raise UserError(f"{out} holds something else than a manual; give another --out")
    toolchain.build("release", list(paths.PROGRAMS.values()))
    staging = paths.build_dir("manual")
    with toolchain.only_one_build(staging):
        log = staging / "heddle-manual.log"
        log.unlink(missing_ok=True)
        site = staging / "site"
        words = ["build", "--strict", "--quiet", "--config-file", str(_SETTINGS), "--site-dir", str(site)]
        # Without a word about the successor of its theme (docs/decisions/0011-manual.md).
        command = ["env", "NO_MKDOCS_2_WARNING=1", sys.executable, "-m", "mkdocs", *words]
        toolchain.follow(command, "building the manual", log, announces=True)
        try:
            shutil.rmtree(out, ignore_errors=True)
            out.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(site, out)
            (out / _MARK).touch()
        except OSError as error:
            raise UserError(f"{out} cannot be written: {error.strerror}; give another --out") from error
    return out / "index.html"
