"""The command line: one Typer application.

A command is the folder of its name beside this file. Its command.py has the function that Typer calls: it parses, asks
the modules beside it, and says what came out. What belongs to no command lies beside this file.

A start loads the command.py of its command, and help all of them, so these import what they need where they need it.
None postpones annotations: Typer reads them, and on Python 3.9 it takes them as they stand.
"""

import importlib
import os
import sys
from collections.abc import Callable, Iterable
from typing import Annotated, Any, NamedTuple, Optional

import typer

try:
    from typer.exceptions import TyperException
except ModuleNotFoundError:  # the newest for Python 3.9 builds on Click
    from click import ClickException as TyperException

from heddle import paths
from heddle.errors import CheckFailed, UserError

_PLAIN: dict[str, Any] = {}
# Words behind the program's name are the program's.
_OF_PROGRAM = {"context_settings": {"allow_interspersed_args": False}}
# Options of `amr` and `wave`, and of what refuses to start, pass through untouched.
_PASS_THROUGH = {
    "context_settings": {"ignore_unknown_options": True, "allow_extra_args": True},
    "add_help_option": False,
}


class _Command(NamedTuple):
    """needs_sources: it works on a clone's. settings: how Typer reads its words."""

    needs_sources: bool = False
    settings: dict[str, Any] = _PLAIN


# In the order of the help.
COMMANDS = {
    "demo": _Command(needs_sources=True),
    "test": _Command(needs_sources=True),
    "build": _Command(needs_sources=True),
    "package": _Command(needs_sources=True),
    "docs": _Command(needs_sources=True),
    "path": _Command(),
    "run": _Command(settings=_OF_PROGRAM),
    "cc": _Command(settings=_OF_PROGRAM),
    "judge": _Command(),
    "fuzz": _Command(settings=_OF_PROGRAM),
    "profile": _Command(settings=_OF_PROGRAM),
    "trace": _Command(settings=_OF_PROGRAM),
    "simulate": _Command(needs_sources=True),
    "papers": _Command(needs_sources=True),
    "calibrate": _Command(needs_sources=True),
    "race": _Command(settings=_OF_PROGRAM),
    "check": _Command(settings=_OF_PROGRAM),
    "graph": _Command(settings=_OF_PROGRAM),
    "attach": _Command(),
    "gdb": _Command(settings=_OF_PROGRAM),
    "bench": _Command(needs_sources=True),
    "amr": _Command(needs_sources=True, settings=_PASS_THROUGH),
    "wave": _Command(needs_sources=True, settings=_PASS_THROUGH),
    "env": _Command(),
    "doctor": _Command(),
}


def application(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The application with these commands, whose files are loaded."""
    app = typer.Typer(
        name="heddle",
        help="Adaptive meshes as data-flow tasks, on a task runtime that drops in under OpenMP programs.",
        epilog="The environment variables that programs on libheddle obey: heddle env.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},  # commands inherit it
    )
    app.callback()(_options)
    for name in names:
        _add(app, name, COMMANDS[name])
    return app


def _add(app: typer.Typer, name: str, command: _Command) -> None:
    """In an installed package a command that works on the sources says so, and nothing else."""
    if command.needs_sources and paths.IS_INSTALLED:
        app.command(name, **_PASS_THROUGH)(_refusal(name))
        return
    module = importlib.import_module(f"heddle.{name}.command")
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name)
    else:
        app.command(name, **command.settings)(getattr(module, name))


def _refusal(name: str) -> Callable[[], None]:
    def refuse() -> None:
        raise UserError(f"'{name}' needs Heddle's sources: clone Heddle, and start ./heddle {name} there")

    refuse.__doc__ = "Only in a clone of Heddle, whose sources it needs."
    return refuse


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        from heddle import version

        print(version.line())
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    pass


def _command(app: typer.Typer) -> list[str]:
    """The words of the command line that name a command: one, or a group and its command."""
    words = []
    level: Optional[typer.Typer] = app
    for argument in sys.argv[1:3]:
        groups = {group.name: group.typer_instance for group in level.registered_groups} if level else {}
        commands = {command.name for command in level.registered_commands} if level else set()
        if argument not in commands | groups.keys():
            break
        words.append(argument)
        level = groups.get(argument)
    return words


def main() -> None:
    """Runs one command and turns its end into an exit status."""
    # All of them for what concerns all: help, or a command that there is not.
    app = application(sys.argv[1:2] if sys.argv[1:2] and sys.argv[1] in COMMANDS else COMMANDS)
    try:
        # Not standalone: a wrong option is one line, as every other mistake.
        sys.exit(app(prog_name="heddle", standalone_mode=False) or 0)
    except UserError as mistake:
        print(f"heddle: {mistake}", file=sys.stderr)
        sys.exit(2)
    except CheckFailed as failure:
        print(f"heddle: {failure}", file=sys.stderr)
        sys.exit(1)
    except TyperException as mistake:
        text = mistake.format_message()
        if "Usage:" in text:  # 'heddle' alone: what there is, not what is wrong
            print(text, file=sys.stderr)
        else:
            print(
                f"heddle: {text.rstrip('.')}; heddle {' '.join([*_command(app), '--help'])} shows what there is",
                file=sys.stderr,
            )
        sys.exit(2)
    except (KeyboardInterrupt, typer.Abort):
        print("heddle: interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has gone (heddle … | head); Python's own flush at exit must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
