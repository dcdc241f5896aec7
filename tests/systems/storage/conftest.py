"""The programs, built."""

from pathlib import Path

import pytest
from heddle import paths, toolchain


@pytest.fixture(scope="session")
def amr() -> Path:
    """heddle-amr, built."""
    toolchain.build("release", [toolchain.RUNTIME_TARGET, paths.AMR])
    return paths.program(paths.AMR)


@pytest.fixture(scope="session")
def wave() -> Path:
    """heddle-wave, built."""
    toolchain.build("release", [toolchain.RUNTIME_TARGET, paths.WAVE])
    return paths.program(paths.WAVE)
