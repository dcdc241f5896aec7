"""A checkout that cannot be written: another user's, or a module's. What is built there can be used."""

import os
import shlex
import subprocess

import pytest
from command import ROOT, without_openmp_settings
from heddle import paths, toolchain
from heddle.patience import scaled

TARGETS = ["heddle", "heddle_trace", "heddle_profile", "heddle-amr", "heddle-wave", "heddle-simulate"]
SMALL_AMR = ["--npx", "1", "--nx", "4", "--ny", "4", "--nz", "4", "--num_tsteps", "2", "--variant", "task-2"]
SMALL_WAVE = ["--problem", "sod", "--time", "0.01"]


@pytest.fixture(scope="module", autouse=True)
def built():
    toolchain.build("release", TARGETS)


def read_only(folder, *words):
    """The words of ./heddle in a mount of the checkout that cannot be written, also by root."""
    root = shlex.quote(str(ROOT))
    line = (
        f"mount --bind {root} {root} && mount -o remount,bind,ro {root} && exec setpriv --no-new-privs {root}/heddle "
    )
    namespace = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    return subprocess.run(
        [*namespace, "sh", "-c", line + shlex.join(map(str, words))],
        cwd=folder,
        env=without_openmp_settings(),
        capture_output=True,
        text=True,
        timeout=scaled(120),
    )


def test_every_command_that_runs_something_works(tmp_path):
    (tmp_path / "program.c").write_text('int main(void) {\n#pragma omp parallel\n__asm__ volatile("");\nreturn 0; }')
    compile_ = ["gcc", "-fopenmp", "program.c", "-o", "program"]
    subprocess.run(compile_, cwd=tmp_path, check=True, timeout=scaled(60))
    for words in (
        ("run", "--", "./program"),
        ("profile", "--", "./program"),
        ("trace", "--", "./program"),
        ("simulate", "--cores", "2", "program.trace"),
        ("amr", "--threads", "2", *SMALL_AMR),
        ("wave", "--threads", "2", *SMALL_WAVE),
    ):
        done = read_only(tmp_path, *words)
        assert done.returncode == 0, (words, done.stderr)
        assert "writable" not in done.stderr


def test_what_is_not_built_there_is_one_line(tmp_path):
    done = read_only(tmp_path, "build", "release")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "build/release cannot be written: Read-only file system; make the checkout writable" in done.stderr


def test_a_target_counts_as_built_where_all_its_files_are(tmp_path, monkeypatch):
    rules = (
        "rule make\n  command = touch $out\nbuild lib/one: make\nbuild one: phony lib/one\nbuild all: phony lib/one\n"
    )
    (tmp_path / "build.ninja").write_text(rules)
    (tmp_path / "lib").mkdir()
    assert not toolchain._are_there(tmp_path, ["one"])
    (tmp_path / "lib" / "one").touch()
    assert toolchain._are_there(tmp_path, ["one"])
    assert not toolchain._are_there(tmp_path, ["one", "another"])
    assert toolchain._are_there(paths.build_dir("release"), TARGETS)
