"""heddle judge: a folder of programs on every runtime."""

from pathlib import Path
from typing import Annotated, Optional

import typer


def judge(
    folder: Annotated[Path, typer.Argument(help="Where the programs are; folders inside count too.")],
    cc: Annotated[
        str, typer.Option(metavar="LINE", help="The compiler and its options; for C++ and Fortran, its partners.")
    ] = "gcc -fopenmp -lm",
    threads: Annotated[int, typer.Option(help="Sets OMP_NUM_THREADS.")] = 4,
    repeat: Annotated[int, typer.Option(help="Runs of each program on each runtime.")] = 1,
    expect: Annotated[
        Optional[Path], typer.Option(metavar="LIST", help="Programs that must pass on libheddle.")
    ] = None,
    json: Annotated[Optional[Path], typer.Option(metavar="FILE", help="Write every outcome there.")] = None,
    timeout: Annotated[float, typer.Option(help="Seconds that a run may take.")] = 30.0,
    compile_timeout: Annotated[
        float, typer.Option("--compile-timeout", help="Seconds that the compiler may take for a program.")
    ] = 300.0,
    jobs: Annotated[
        Optional[int], typer.Option(help="Programs at once; by default as many as have processors for their threads.")
    ] = None,
    on: Annotated[
        Optional[str], typer.Option("--runtimes", help="Some of heddle,gnu,llvm; by default all that are installed.")
    ] = None,
    only: Annotated[
        Optional[list[str]], typer.Option(metavar="PATTERN", help="Programs to judge, for example 'tasks/*'.")
    ] = None,
    settings: Annotated[
        Optional[list[str]],
        typer.Option("--set", metavar="'PATTERN NAME=VALUE'", help="A variable for the programs that match."),
    ] = None,
) -> None:
    """Judge libheddle on a folder of OpenMP programs.

    Every C, C++ and Fortran source is compiled once and run on each runtime that can serve it. A program passes when
    it ends with status 0. Exit status 1: libheddle fails what a stock runtime passes or, with --expect, something of
    that list.
    """
    from heddle.judge import session

    session.run(
        session.Request(
            folder=folder,
            line=cc,
            threads=threads,
            repeat=repeat,
            expect=expect,
            record=json,
            timeout_s=timeout,
            compile_timeout_s=compile_timeout,
            jobs=jobs,
            runtimes=on,
            only=tuple(only or ()),
            settings=tuple(settings or ()),
        )
    )
