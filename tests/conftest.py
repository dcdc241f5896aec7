"""Options and fixtures of the whole test tree."""

import functools

import pytest
from heddle import paths, toolchain


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="oracle tests: every combination at 1, 2 and 5 threads")
    parser.addoption("--random-seed", type=int, help="random programs: the seed; a fresh one by default")
    parser.addoption("--random-seconds", type=float, default=45, help="random programs: for how long; 45 by default")


@pytest.fixture(scope="session")
def program():
    """heddle-amr, built."""
    toolchain.build("release", [toolchain.RUNTIME_TARGET, paths.AMR])
    return paths.program(paths.AMR)


@pytest.fixture(scope="session")
def program_of(program):
    """heddle-amr of a preset, built."""

    @functools.cache
    def of(preset: str):
        if preset != "release":
            toolchain.build(preset, [paths.AMR])
        return paths.build_dir(preset) / "bin" / program.name

    return of
