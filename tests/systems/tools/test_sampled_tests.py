"""Tests that are marked `sampled`: a run takes an eighth of their cases, the same ones for the same seed."""

import re
import shutil
import subprocess
import sys

import pytest
from command import ROOT
from heddle.patience import scaled

CASES = """
import pytest

@pytest.mark.sampled
@pytest.mark.parametrize("n", range(40))
def test_many(n):
    pass

@pytest.mark.parametrize("n", range(3))
def test_few(n):
    pass
"""


@pytest.fixture
def run(tmp_path):
    """run(WORD…): the names of the cases that a run takes, and what it says at its end."""
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_cases.py").write_text(CASES)

    def start(*words: str) -> tuple[set[str], str]:
        command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=scaled(60))
        assert done.returncode == 0, done.stdout
        names = re.findall(r"test_cases\.py::(\w+\[\d+\])", done.stdout)
        return set(names), done.stdout

    return start


@pytest.mark.parametrize("processes", [[], ["-n", "2"]], ids=["one process", "two"])
def test_a_seed_draws_an_eighth_and_the_same_again(run, processes):
    first, said = run(*processes, "--sample-seed", "7")
    assert sorted(name.partition("[")[0] for name in first) == ["test_few"] * 3 + ["test_many"] * 5
    assert "--sample-seed 7 draws these again" in said
    assert run("--sample-seed", "7")[0] == first
    assert run("--sample-seed", "8")[0] != first


def test_all_run_where_all_or_one_is_asked_for(run):
    assert len(run("--full")[0]) == 43
    assert all(run(f"test_cases.py::test_many[{n}]")[0] == {f"test_many[{n}]"} for n in (3, 4))
    assert run("-k", "few or 17")[0] >= {"test_many[17]"}
