"""heddle path: what is built is named without building or writing, and the documented recipe stops where it fails."""

import fcntl
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from command import ROOT, assert_one_line, heddle
from heddle import paths, runtimes, toolchain
from heddle.errors import UserError
from heddle.path.command import path

# In the repository's guides ./heddle, in the manual's pages for users heddle.
RECIPE = re.compile(r"shims=\$\((?:\./)?heddle path shims\) && [^`\n]*")
DOCUMENTS = sorted(
    file for file in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")] if "heddle path shims)" in file.read_text()
)


@pytest.fixture(scope="module", autouse=True)
def build():
    toolchain.build_runtime()


def without(tmp_path: Path, *tools: str) -> dict[str, str]:
    """An environment in whose PATH everything is but these tools."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for place in reversed(os.environ["PATH"].split(":")):
        for name in os.listdir(place) if os.path.isdir(place) else []:
            link = folder / name
            link.unlink(missing_ok=True)
            if name not in tools:
                link.symlink_to(Path(place, name))
    return {**os.environ, "PATH": str(folder)}


def test_a_build_is_named_while_another_process_builds_and_nothing_is_written():
    folder = paths.build_dir("release")

    def times() -> dict[str, int]:
        # Who waits for the lock, as a test beside this one may, has touched it.
        files = [folder, *(file for file in folder.iterdir() if file.name != "heddle-build.lock")]
        return {file.name: file.stat().st_mtime_ns for file in files}

    with open(folder / "heddle-build.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        before = times()
        for what, found in (("runtime", paths.runtime_library()), ("shims", paths.shim_dir())):
            result = heddle("path", what, timeout_s=30)
            assert (result.returncode, result.stdout, result.stderr) == (0, f"{found}\n", "")
        assert times() == before


def test_a_build_is_named_without_cmake(tmp_path):
    result = heddle("path", "shims", env=without(tmp_path, "cmake", "ninja"))
    assert (result.returncode, result.stdout, result.stderr) == (0, f"{paths.shim_dir()}\n", "")


def test_a_folder_that_cannot_be_written_is_one_line(monkeypatch):
    monkeypatch.setattr(paths, "BUILD", Path("/proc/nowhere"))
    with pytest.raises(UserError, match="/proc/nowhere/release cannot be written: .*; make the checkout writable"):
        path("shims")


def test_links_to_a_stock_runtime_that_cannot_be_written_are_one_line(monkeypatch):
    monkeypatch.setattr(paths, "BUILD", Path("/proc/nowhere"))
    with pytest.raises(UserError, match="/proc/nowhere/shims/gnu cannot be written: .*; a first start on libgomp"):
        runtimes.require("gnu")


def test_a_shim_folder_that_the_variable_cannot_hold_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(paths, "ROOT", tmp_path / "a:b")
    monkeypatch.setattr(paths, "BUILD", tmp_path / "a:b" / "build")
    for file in (paths.runtime_library(), paths.shim_dir() / "libgomp.so.1"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    with pytest.raises(UserError, match="holds ':' or ';', which LD_LIBRARY_PATH cannot"):
        path("shims")
    assert runtimes.find("heddle")


def test_a_checkout_whose_cache_cannot_be_written_is_one_line(tmp_path):
    checkout = tmp_path / "checkout"
    (checkout / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "heddle", checkout)
    for name in ("packages.txt", "requirements.txt"):
        shutil.copy(ROOT / "tools" / name, checkout / "tools")
    (checkout / ".cache").symlink_to("/proc/nowhere")
    result = subprocess.run([checkout / "heddle", "path", "shims"], capture_output=True, text=True)
    assert_one_line(result, ".cache cannot be written; is the checkout writable?")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: file.name)
def test_the_recipe_does_not_start_the_program_where_path_fails(document, tmp_path):
    found = RECIPE.findall(document.read_text())
    assert len(found) == document.read_text().count("heddle path shims)")
    for name, body in (("heddle", "exit 2"), ("a_program", "echo started")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    for line in found:
        line = re.sub(r"(mpiexec -n \d+ )?\./(my_program|a\.out)", "./a_program", line)
        environ = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
        result = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=environ, capture_output=True, text=True)
        assert (result.returncode, result.stdout) == (2, ""), line


def test_the_recipe_is_in_the_start_page_and_in_the_guide():
    assert {ROOT / "README.md", ROOT / "docs" / "running.md", ROOT / "docs" / "mpi" / "tampi.md"} <= set(DOCUMENTS)
    for document in DOCUMENTS:
        assert RECIPE.search(document.read_text())
