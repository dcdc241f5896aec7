"""The command line as a whole: help, mistakes, where things are."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import ROOT, assert_one_line, heddle
from heddle import clang, cli, paths, toolchain
from heddle.patience import scaled

COMMANDS = [
    "demo",
    "test",
    "build",
    "path",
    "run",
    "cc",
    "judge",
    "fuzz",
    "graph",
    "package",
    "bench",
    "amr",
    "env",
    "doctor",
]


def test_help_names_every_command_on_a_line_of_its_own():
    lines = heddle("--help").stdout.splitlines()
    for command in COMMANDS:
        found = [line for line in lines if line.split()[:1] == [command]]
        assert len(found) == 1
        assert found[0].endswith(".")
        assert not found[0].endswith("...")


def test_each_command_is_a_folder():
    package = ROOT / "tools" / "heddle"
    assert {path.parent.name for path in package.glob("*/command.py")} == cli.COMMANDS.keys()
    assert {path.parent.name for path in package.glob("*/__init__.py")} == cli.COMMANDS.keys()


def loaded(*words: str) -> set[str]:
    """Modules in folders of commands that a start with these words has loaded when it has parsed them."""
    listed = "import sys; from heddle import cli\ntry: cli.main()\nexcept SystemExit: pass\n"
    listed += "print('loaded', *(name for name in sys.modules if name.startswith('heddle.')))"
    done = subprocess.run([sys.executable, "-c", listed, *words], capture_output=True, text=True, check=True)
    return {name for name in done.stdout.splitlines()[-1].split() if name.count(".") == 2}


def test_a_start_loads_its_command_and_nothing_that_it_does_not_use():
    assert loaded("run", "--help") == {"heddle.run.command"}
    assert loaded("bench", "tasks", "--help") == {"heddle.bench.command"}
    assert loaded("--help") == {f"heddle.{name}.command" for name in cli.COMMANDS}


def test_the_short_option_for_help_is_understood_everywhere():
    assert heddle("-h").stdout == heddle("--help").stdout
    assert heddle("bench", "tasks", "-h").stdout == heddle("bench", "tasks", "--help").stdout
    assert "Usage: heddle judge" in heddle("judge", "-h").stdout


def test_the_version_names_the_commit():
    result = heddle("--version")
    stated = re.search(r"project\(heddle VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert result.returncode == 0
    assert re.fullmatch(
        rf"heddle {re.escape(stated)}( \([0-9a-f]{{7,}} of \d{{4}}-\d\d-\d\d(, changed)?\))?\n", result.stdout
    )


def test_nothing_is_said_where_nothing_is_built():
    heddle("build", "release", timeout_s=600)
    said = heddle("build", "release", timeout_s=600).stderr.splitlines()
    assert [line for line in said if "waiting" not in line] == []


def test_a_preset_that_has_changed_is_configured_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    monkeypatch.setattr(paths, "BUILD", tmp_path / "build")
    monkeypatch.setattr(clang, "release", lambda: None)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(small NONE)\n"
        'add_custom_target(say ALL COMMAND ${CMAKE_COMMAND} -E echo "${WORD}" > "${CMAKE_BINARY_DIR}/said")\n'
    )

    def said(word: str, seconds: float) -> str:
        folder = {"name": "small", "generator": "Ninja", "binaryDir": "${sourceDir}/build/small"}
        presets = {
            "version": 3,
            "configurePresets": [{**folder, "cacheVariables": {"WORD": word}}],
            "buildPresets": [{"name": "small", "configurePreset": "small"}],
        }
        file = tmp_path / "CMakePresets.json"
        file.write_text(json.dumps(presets))
        os.utime(file, (time.time() + seconds,) * 2)
        toolchain.build("small")
        return (tmp_path / "build" / "small" / "said").read_text().strip()

    assert said("first", -100) == "first"
    assert said("ignored", -100) == "first"  # the file is as old as before: nothing to configure
    assert said("second", 0) == "second"


def test_who_waits_long_for_another_build_says_so(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(toolchain, "_SHORT_WAIT_S", 0.2)
    with toolchain.only_one_build(tmp_path):
        pass
    assert capfd.readouterr().err == ""
    script = (
        "import fcntl, sys, time; file = open(sys.argv[1], 'w'); fcntl.flock(file, fcntl.LOCK_EX); "
        "print('has it', flush=True); time.sleep(1)"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", script, tmp_path / "heddle-build.lock"], stdout=subprocess.PIPE, text=True
    )
    assert other.stdout.readline() == "has it\n"
    with toolchain.only_one_build(tmp_path):
        assert other.wait(timeout=scaled(10)) == 0
    assert capfd.readouterr().err == f"heddle: waiting for another build in {tmp_path}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["doctr"], "doctor"),
        (["build", "nonsense"], "release, release-clang"),
        (["path", "nonsense"], "runtime, shims, include, gdb, amr"),
        (["path"], "heddle path --help"),
        (["test", "nonsense"], "layers, format"),
        (["amr", "--runtime", "nonsense"], "heddle, gnu, llvm"),
        (["amr", "--compiler", "nonsense"], "gcc, clang"),
        (["demo", "--threads", "0"], "--threads 0"),
        (["demo", "--rounds", "0"], "--rounds 0"),
        (["demo", "--out", "/proc/nowhere"], "/proc/nowhere"),
        (["doctor", "--nonsense"], "--nonsense"),
        (["env", "OMP_NUM_THREAD"], "did you mean OMP_NUM_THREADS?"),
    ],
)
def test_a_mistake_is_one_line_with_the_way_out(arguments, words):
    assert_one_line(heddle(*arguments), words)


def test_the_runtime_is_where_path_says_and_bears_every_name_in_the_shims():
    library = Path(heddle("path", "runtime", timeout_s=600).stdout.strip())
    shims = Path(heddle("path", "shims").stdout.strip())
    assert library.is_absolute()
    assert library.name == "libheddle.so"
    for name in ("libgomp.so.1", "libomp.so.5", "libiomp5.so"):
        assert (shims / name).resolve() == library.resolve()


def test_the_program_is_where_path_says():
    program = Path(heddle("path", "amr", timeout_s=600).stdout.strip())
    assert program.is_absolute()
    assert subprocess.run([program, "--help"], capture_output=True).returncode == 0


def test_amr_passes_everything_else_to_the_program():
    result = heddle("amr", "--runtime", "gnu", "--help", timeout_s=600)
    assert result.returncode == 0
    assert "--num_refine" in result.stdout


def test_doctor_gives_one_line_a_finding():
    result = heddle("doctor")
    assert result.returncode == 0, result.stdout
    for what in ("system", "cores", "gcc", clang.c(), "cmake", "ninja", "runtime gnu", "runtime llvm", "packages"):
        assert sum(what in line for line in result.stdout.splitlines()) >= 1


def test_the_launcher_works_from_elsewhere_and_through_a_link(tmp_path):
    (tmp_path / "link").symlink_to(ROOT / "heddle")
    (tmp_path / "heddle").mkdir()  # a folder of that name must not be taken for the package
    (tmp_path / "heddle" / "__init__.py").write_text("raise SystemExit('wrong package')\n")
    result = subprocess.run([tmp_path / "link", "test", "--list"], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("layers")
