"""Options and fixtures of the whole test tree.

Tests with many like cases are marked `sampled`: a run takes an eighth of them, drawn anew each time, and all with
--full. The end of a run names the seed that draws the same ones again.
"""

import functools
import random
from collections import defaultdict

import pytest
from heddle import paths, toolchain


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="all cases of sampled tests, and longer lists of them")
    parser.addoption("--sample-seed", type=int, help="sampled tests: the seed; a fresh one by default")
    parser.addoption("--random-seed", type=int, help="random programs: the seed; a fresh one by default")
    parser.addoption("--random-seconds", type=float, default=45, help="random programs: for how long; 45 by default")


def pytest_configure(config):
    config.addinivalue_line("markers", "sampled: a run takes an eighth of the cases, drawn anew each time")
    if config.option.sample_seed is None:
        fresh = random.SystemRandom().randrange(1_000_000)
        config.option.sample_seed = getattr(config, "workerinput", {}).get("sample_seed", fresh)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """The processes of xdist draw the same cases."""
    node.workerinput["sample_seed"] = node.config.option.sample_seed


def pytest_collection_modifyitems(config, items):
    """Draws the cases of sampled tests, unless the command line names cases."""
    is_named = config.option.keyword or any("::" in argument for argument in config.args)
    if config.option.full or is_named:
        return
    cases = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled"):
            cases[item.nodeid.partition("[")[0]].append(item)
    left_out = set()
    for name, all_of_it in cases.items():
        draw = random.Random(f"{config.option.sample_seed} {name}")
        left_out.update(draw.sample(all_of_it, len(all_of_it) * 7 // 8))
    if left_out:
        config.hook.pytest_deselected(items=sorted(left_out, key=lambda item: item.nodeid))
        items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter, config):
    if not config.option.full:
        terminalreporter.write_line(
            f"sampled tests: an eighth of their cases; --sample-seed {config.option.sample_seed} draws these again"
        )


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
