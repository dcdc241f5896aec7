"""heddle package: packages of what this checkout builds."""

from pathlib import Path
from typing import Annotated, Optional

import typer

from heddle import paths
from heddle.errors import UserError

_PRESET = "package"
_KINDS = ("deb", "wheel")


def package(
    kinds: Annotated[
        Optional[list[str]], typer.Argument(metavar="[deb] [wheel]", help="Which; both by default.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Where the packages go.", metavar="FOLDER")] = paths.OUT / "packages",
) -> None:
    """Make Debian packages, and a wheel for pip.

    They are compiled for any processor of this architecture, not for this machine's alone. The packages have
    libheddle and the programs, the wheel has libheddle and the commands that need no sources of Heddle.
    """
    from heddle import toolchain
    from heddle.package import packages

    for kind in kinds or ():
        if kind not in _KINDS:
            raise UserError(f"there are no packages of the kind '{kind}'; there are {', '.join(_KINDS)}")
    wanted = kinds or _KINDS
    if "deb" in wanted:
        toolchain.build(_PRESET)
        for made in packages.debian(_PRESET, out):
            print(paths.shown(made.resolve()))
    if "wheel" in wanted:
        print(paths.shown(packages.wheel(out).resolve()))
