"""heddle path: where a built thing is."""

from __future__ import annotations

from typing import Annotated

import typer


def path(what: Annotated[str, typer.Argument(help="runtime, shims or amr.")]) -> None:
    """Print where the library or the program is.

    The path is absolute; what is not built or out of date is built first. shims is the folder in which libheddle bears
    the names of the stock runtimes: put it first in LD_LIBRARY_PATH.
    """
    from heddle import paths, toolchain
    from heddle.errors import UserError

    if what == "runtime":
        print(toolchain.build_runtime())
    elif what == "shims":
        toolchain.build_runtime()
        print(paths.shim_dir())
    elif what == "amr":
        print(toolchain.build_amr())
    else:
        raise UserError(f"there is no path '{what}'; there are runtime, shims, amr")
