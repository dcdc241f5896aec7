"""The command line: one Typer application, one module of heddle.commands a command."""

import os
import sys
from collections.abc import Callable
from typing import Annotated, Optional

import typer

try:
    from typer.exceptions import TyperException
except ModuleNotFoundError:  # the newest for Python 3.9 builds on Click
    from click import ClickException as TyperException

from heddle import paths
from heddle.commands import (
    amr,
    attach,
    bench,
    build,
    calibrate,
    cc,
    check,
    demo,
    docs,
    doctor,
    env,
    fuzz,
    gdb,
    graph,
    judge,
    package,
    papers,
    path,
    profile,
    race,
    run,
    simulate,
    test,
    trace,
    wave,
)
from heddle.errors import CheckFailed, UserError

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


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        from heddle import version

        print(version.line())
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    pass


# Words behind the program's name are the program's.
_OF_PROGRAM = {"allow_interspersed_args": False}
# Options of `amr` and `wave` pass through untouched.
_PASS_THROUGH = {"ignore_unknown_options": True, "allow_extra_args": True}


def _of_checkout(name: str, command: Callable[..., None], **settings: object) -> None:
    """A command that works on the sources: in an installed package it says so, and nothing else."""
    if not paths.IS_INSTALLED:
        app.command(name, **settings)(command)
        return

    def refuse() -> None:
        raise UserError(f"'{name}' needs Heddle's sources: clone Heddle, and start ./heddle {name} there")

    refuse.__doc__ = "Only in a clone of Heddle, whose sources it needs."
    app.command(name, context_settings=_PASS_THROUGH, add_help_option=False)(refuse)


_of_checkout("demo", demo.demo)
_of_checkout("test", test.test)
_of_checkout("build", build.build)
_of_checkout("package", package.package)
_of_checkout("docs", docs.docs)
app.command("path")(path.path)
app.command("run", context_settings=_OF_PROGRAM)(run.run)
app.command("cc", context_settings=_OF_PROGRAM)(cc.cc)
app.command("judge")(judge.judge)
app.command("fuzz", context_settings=_OF_PROGRAM)(fuzz.fuzz)
app.command("profile", context_settings=_OF_PROGRAM)(profile.profile)
app.command("trace", context_settings=_OF_PROGRAM)(trace.trace)
_of_checkout("simulate", simulate.simulate)
_of_checkout("papers", papers.papers)
_of_checkout("calibrate", calibrate.calibrate)
app.command("race", context_settings=_OF_PROGRAM)(race.race)
app.command("check", context_settings=_OF_PROGRAM)(check.check)
app.command("graph", context_settings=_OF_PROGRAM)(graph.graph)
app.command("attach")(attach.attach)
app.command("gdb", context_settings=_OF_PROGRAM)(gdb.gdb)
if paths.IS_INSTALLED:
    _of_checkout("bench", bench.bench)
else:
    app.add_typer(bench.app, name="bench")
_of_checkout("amr", amr.amr, context_settings=_PASS_THROUGH, add_help_option=False)
_of_checkout("wave", wave.wave, context_settings=_PASS_THROUGH, add_help_option=False)
app.command("env")(env.env)
app.command("doctor")(doctor.doctor)


def _command() -> list[str]:
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
                f"heddle: {text.rstrip('.')}; heddle {' '.join([*_command(), '--help'])} shows what there is",
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
