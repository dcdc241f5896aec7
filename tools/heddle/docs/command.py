"""heddle docs: the manual as a site."""

from pathlib import Path
from typing import Annotated

import typer

from heddle import paths


def docs(
    out: Annotated[Path, typer.Option(help="Where the site goes.", metavar="FOLDER")] = paths.OUT / "manual",
) -> None:
    """Build the manual: pages that a browser opens from disk.

    The references of functions, commands, variables and options are made from their sources. A link that leads nowhere
    is an error.
    """
    from heddle.docs import session

    print(paths.shown(session.build(out.resolve())))
