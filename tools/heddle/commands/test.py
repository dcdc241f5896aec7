"""heddle test: everything that CI runs."""

from typing import Annotated, Optional

import typer


def test(
    only: Annotated[
        Optional[list[str]], typer.Argument(metavar="[STAGE]...", help="Stages to run; all by default.")
    ] = None,
    only_option: Annotated[Optional[list[str]], typer.Option("--only", help="One more stage to run.")] = None,
    list_stages: Annotated[bool, typer.Option("--list", help="Say what the stages are and stop.")] = False,
    keep_going: Annotated[bool, typer.Option(help="Go on after a failed stage.")] = True,
) -> None:
    """Run everything that CI runs, stage by stage.

    'platforms' is no stage of those but tests other systems, all or the named ones, as root:
    heddle test platforms debian-13.

    Exit status 1 if any stage failed; each leaves its log in out/test.
    """
    from heddle import platforms, stages

    names = [*(only or []), *(only_option or [])]
    if names[:1] == ["platforms"] and not list_stages:
        platforms.run(platforms.chosen(names[1:]))
        return
    if list_stages:
        stages.print_list()
    else:
        stages.run(stages.chosen(names), keep_going=keep_going)
