"""Models of suspension and messages: Spin visits every state of each, and finds every mistake that a model names.

A model's mistakes are its preprocessor's switches. One that Spin does not find would mean that the model, or what it
asserts, is too weak to prove anything.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from heddle.patience import scaled

MODELS = sorted(Path(__file__).parent.glob("*.pml"))
_SECONDS = 120
_MOST_MEGABYTES = 4000


def mistakes(file: Path) -> list[str]:
    """The switches of a model and of what it includes."""
    text = file.read_text(encoding="utf-8")
    found = set(re.findall(r"^# *ifn?def (\w+)$", text, re.MULTILINE))
    for included in re.findall(r'^#include "(.+)"$', text, re.MULTILINE):
        found.update(mistakes(file.parent / included))
    return sorted(found)


MISTAKES = [(model, mistake) for model in MODELS for mistake in mistakes(model)]


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=scaled(_SECONDS), check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


class Verifier:
    """A model's verifier, built in a folder of its own; its answers after run()."""

    def __init__(self, model: Path, folder: Path, *, options: list[str], switches: tuple[str, ...] = ()):
        for file in model.parent.glob("*.pm[lh]"):
            shutil.copy(file, folder)
        _run(["spin", *(f"-D{switch}" for switch in switches), "-a", model.name], folder)
        _run(["gcc", *options, f"-DMEMLIM={_MOST_MEGABYTES}", "-o", "pan", "pan.c"], folder)
        self._folder = folder
        self.output = ""

    def run(self, *options: str) -> "Verifier":
        self.output = _run(["./pan", "-m100000", *options], self._folder)
        return self

    def _number(self, pattern: str) -> int:
        found = re.search(pattern, self.output)
        assert found, self.output
        return int(found[1])

    @property
    def errors(self) -> int:
        return self._number(r"errors: (\d+)")

    @property
    def states(self) -> int:
        return self._number(r"(\d+) states, stored")

    @property
    def is_complete(self) -> bool:
        """Every state was visited, none left out for want of depth or memory."""
        return "Search not completed" not in self.output and "max search depth too small" not in self.output


def test_there_are_models():
    assert [model.stem for model in MODELS] == ["child_wait", "events", "requests", "suspension"]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.stem)
@pytest.mark.parametrize(
    ("checks", "option"),
    [
        pytest.param("-DSAFETY", None, id="assertions_and_last_states"),
        # No part of the models is marked as progress, so this finds whatever could go on for ever.
        pytest.param("-DNP", "-l", id="everything_ends"),
    ],
)
def test_every_state_is_right(model, checks, option, tmp_path, capsys):
    verifier = Verifier(model, tmp_path, options=["-O2", checks]).run(*([option] if option else []))
    assert verifier.errors == 0, verifier.output
    assert verifier.is_complete, verifier.output
    assert verifier.states > 1000
    with capsys.disabled():
        print(f"\n{model.stem} {checks}: {verifier.states} states", end=" ")


@pytest.mark.parametrize(("model", "mistake"), MISTAKES, ids=lambda value: getattr(value, "stem", value))
def test_mistakes_are_found(model, mistake, tmp_path):
    verifier = Verifier(model, tmp_path, options=["-O0", "-DSAFETY"], switches=(mistake,)).run()
    assert verifier.errors > 0, verifier.output


def test_there_are_mistakes_to_find():
    assert len(MISTAKES) >= 15
