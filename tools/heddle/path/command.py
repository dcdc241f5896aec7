"""heddle path: where a built thing is."""

from typing import Annotated

import typer


def path(what: Annotated[str, typer.Argument(help="runtime, shims, include, gdb, amr or wave.")]) -> None:
    """Print where the library or the program is.

    The path is absolute. What was never built is built first; what is there is named as it is, and nothing is written:
    'heddle build' brings it up to date. shims is the folder in which libheddle bears the names of the stock runtimes:
    put it first in LD_LIBRARY_PATH. include is the folder of heddle.h. gdb is the script with commands for tasks.
    """
    from heddle import paths, runtimes, toolchain
    from heddle.errors import UserError

    known = ["runtime", "shims", "include", "gdb", *paths.PROGRAMS]
    if what not in known:
        raise UserError(f"there is no path '{what}'; there are {', '.join(known)}")
    if what in ("include", "gdb"):
        print(paths.HEADERS if what == "include" else paths.GDB_SCRIPT)
        return
    if name := paths.PROGRAMS.get(what):
        program = paths.program(name)
        print(program if program.exists() else toolchain.build_program(name))
        return
    if runtimes.find("heddle") is None:
        toolchain.build_runtime()
    runtime = runtimes.require("heddle")
    print(runtime.library if what == "runtime" else runtimes.searchable(runtime.shims))
