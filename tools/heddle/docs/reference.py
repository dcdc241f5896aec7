"""Pages with what each command and program says of its options."""

from __future__ import annotations

import re
import subprocess

import typer
from typer.cli import get_docs_for_click
from typer.main import get_command

from heddle import paths
from heddle.cli import application
from heddle.errors import CheckFailed

_LIMIT_S = 60


def launcher() -> str:
    """All commands of the launcher, as Typer describes them."""
    command = get_command(application())
    text = get_docs_for_click(
        obj=command, ctx=typer.Context(command, info_name="heddle"), name="heddle", title="Commands"
    )
    # The list of commands has their first lines cut off; the table of contents beside the page has all names.
    text = re.sub(r"\*\*Commands\*\*:\n\n(?:\* .*\n)+", "", text, count=1)
    return text.replace(f"{paths.ROOT}/", "").replace("```console", "```text")


def program(name: str) -> str:
    """The options of heddle-amr or heddle-wave. Errors: CheckFailed where it is not built or fails."""
    executable = paths.program(name)
    try:
        said = subprocess.run(
            [executable, "--help"], capture_output=True, text=True, timeout=_LIMIT_S, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise CheckFailed(f"{name} --help cannot be had: {error}; {paths.COMMAND} build builds it") from error
    return f"# {name}\n\nWhat `{name} --help` says.\n\n```text\n{said}\n```\n"
