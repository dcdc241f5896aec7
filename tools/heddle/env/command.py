"""heddle env: the environment variables, and what they are now."""

import os
from typing import Annotated, Optional

import typer


def env(
    names: Annotated[
        Optional[list[str]], typer.Argument(metavar="[NAME]...", help="Variables to show; all by default.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Make the man page and docs/runtime/environment.md anew, and stop.")
    ] = False,
) -> None:
    """List the environment variables and what they are set to.

    Those of the runtime and of the launcher. OMP_DISPLAY_ENV=true makes a program say what it runs with.
    """
    from heddle import paths
    from heddle.env import table
    from heddle.errors import UserError

    if write and paths.IS_INSTALLED:
        raise UserError("--write makes pages of Heddle's sources, which an installed package does not have")
    if write:
        for path, text in table.made().items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {paths.shown(path)}")
        return
    print(table.text(_chosen(table.load(), names or []), os.environ), end="")


def _chosen(variables: list, names: list[str]) -> list:
    from difflib import get_close_matches

    from heddle.errors import UserError

    known = {variable.name: variable for variable in variables}
    for name in names:
        if name.upper() not in known:
            close = get_close_matches(name.upper(), known, n=1)
            hint = f"; did you mean {close[0]}?" if close else "; heddle env lists all"
            raise UserError(f"there is no variable '{name}'{hint}")
    return [known[name.upper()] for name in names] or variables
