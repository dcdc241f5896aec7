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
    full: Annotated[
        bool, typer.Option("--full", help="Every stage, and all cases of tests that are sampled otherwise.")
    ] = False,
    sample_seed: Annotated[
        Optional[int], typer.Option(min=0, help="Draw what a run with this seed has drawn; a fresh one by default.")
    ] = None,
) -> None:
    """Run everything that CI runs, stage by stage.

    A run of all stages draws one with a sanitizer, one of those for commands that read programs or say how fast
    something is, and an eighth of the cases of tests that have many like ones.

    'platforms' is no stage of those but tests other systems, all or the named ones, as root:
    heddle test platforms debian-13. 'arm' is those for AArch64, whose programs an emulator runs.

    Exit status 1 if any stage failed; each leaves its log in out/test.
    """
    import random

    from heddle.test import platforms, stages

    names = [*(only or []), *(only_option or [])]
    if names[:1] == ["platforms"] and not list_stages:
        platforms.run(platforms.chosen(names[1:]))
        return
    if names == ["arm"] and not list_stages:
        platforms.run(platform for platform in platforms.PLATFORMS if platform.processor == "aarch64")
        return
    if list_stages:
        stages.print_list()
    else:
        seed = random.SystemRandom().randrange(1_000_000) if sample_seed is None else sample_seed
        wanted = stages.chosen(names)
        if not full and not names:
            wanted = stages.drawn(wanted, seed)
        sampling = stages.Sampling.full() if full else stages.Sampling.by(seed)
        stages.run(wanted, keep_going=keep_going, sampling=sampling)
