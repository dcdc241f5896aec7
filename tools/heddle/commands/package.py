"""heddle package: Debian packages of what this checkout builds."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from heddle import paths, toolchain
from heddle.errors import UserError

_PRESET = "package"


def package(
    out: Annotated[Path, typer.Option(help="Where the packages go.", metavar="FOLDER")] = paths.OUT / "packages",
) -> None:
    """Make Debian packages of libheddle and the programs.

    They are compiled for any processor of this architecture, not for this machine's alone.
    """
    if shutil.which("dpkg-deb") is None:
        raise UserError("there is no dpkg-deb here; install dpkg, or use cmake --install")
    toolchain.build(_PRESET)
    for made in toolchain.pack(_PRESET, out):
        print(paths.shown(made.resolve()))
