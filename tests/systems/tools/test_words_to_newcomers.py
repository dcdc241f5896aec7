"""What people read first: help that fits a terminal, commands as they are typed, progress, ratios, and warnings."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import ROOT, heddle
from heddle import cli, terminal
from heddle.graph import words
from heddle.patience import scaled
from heddle.simulate import outliers

WIDTH = 80
PASSED_ON = {"amr", "wave"}  # whose help is that of a program: below


def commands() -> list[list[str]]:
    app = cli.application()
    alone = [[command.name] for command in app.registered_commands]
    groups = [
        [group.name, *more]
        for group in app.registered_groups
        for more in ([], *([command.name] for command in group.typer_instance.registered_commands))
    ]
    return [[], *alone, *groups]


def test_help_fits_a_terminal_of_80_columns_and_no_summary_is_cut():
    script = "import sys; from heddle import cli\nfor words in WORDS:\n  sys.argv = ['heddle', *words, '--help']\n"
    script += "  print('>', *words)\n  try: cli.main()\n  except SystemExit: pass\n"
    asked = [words for words in commands() if not PASSED_ON & set(words)]
    environ = {**os.environ, "COLUMNS": str(WIDTH), "PYTHONPATH": str(ROOT / "tools")}
    command = [sys.executable, "-c", script.replace("WORDS", repr(asked))]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=scaled(60))
    assert done.stdout.count("Usage: heddle") == len(asked), done.stderr
    for line in done.stdout.splitlines():
        assert len(line) <= WIDTH, line
        assert not re.match(r"  [a-z]+ .*\.\.\.$", line), line
    assert "trace " in done.stdout


@pytest.mark.parametrize("name", sorted(PASSED_ON))
def test_help_of_the_programs_fits_as_well(name):
    program = heddle("path", name, timeout_s=600).stdout.strip()
    done = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=scaled(60))
    assert done.stdout.count("\n") > 50
    assert [line for line in done.stdout.splitlines() if len(line) > WIDTH] == []


@pytest.mark.parametrize("place", ["checkout", "elsewhere", "path"])
def test_messages_name_the_command_as_it_can_be_typed(place, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "heddle").symlink_to(ROOT / "heddle")
    before = [folder for folder in os.environ["PATH"].split(":") if not (Path(folder) / "heddle").exists()]
    path = ":".join([*([str(tmp_path / "bin")] if place == "path" else []), *before])
    wanted = {"checkout": "./heddle", "elsewhere": str(ROOT / "heddle"), "path": "heddle"}[place]
    done = subprocess.run(
        [wanted, "attach", str(os.getpid())],
        cwd=ROOT if place == "checkout" else tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=scaled(60),
    )
    assert f"start it with '{wanted} run -- PROGRAM'" in done.stderr


def test_messages_take_the_command_from_one_place():
    """But what documents and pages quote, whose reader is in the checkout."""
    quoted = re.compile(r"(raise|UserError|CheckFailed|print|Finding)\b.*\./heddle")
    for path in (ROOT / "tools" / "heddle").rglob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if quoted.search(line) and "clone Heddle, and start" not in line:
                pytest.fail(f"{path.relative_to(ROOT)}: {line.strip()}")


def test_small_ratios_keep_their_digits():
    shown = [words.digits(value) for value in (0, 0.0012345, 0.05, 0.0999, 0.5, 1, 12.34, 1234.5)]
    assert shown == ["0.00", "0.0012", "0.05", "0.1", "0.50", "1.00", "12.3", "1,234"]


def test_progress_is_said_where_there_is_no_terminal(capfd):
    with terminal.bar("measuring", announces=True) as progress:
        for text in ("rico: loops", "rico: loops", "yu: graphs"):
            progress(0, 2, text=text)
    assert capfd.readouterr().err == "heddle: measuring\nheddle: rico: loops\nheddle: yu: graphs\n"


def made(*ns: int) -> dict:
    tasks = [{"kind": 1, "script": ["work", one // 2, "taskwait", 0, "work", one - one // 2]} for one in ns]
    return {"kinds": ["region", "many.c:7"], "processes": [{"tasks": tasks}]}


def test_a_task_that_was_interrupted_is_named():
    (line,) = outliers.found(made(*[5_000] * 1000, 36_000_000), 40e6)
    assert line.startswith("1 task of many.c:7 took up to 36.0 ms, where the median of 1001 is 5.00 µs: the system may")
    assert "2 tasks of many.c:7" in outliers.found(made(*[5_000] * 1000, 36_000_000, 30_000_000), 40e6)[0]


def test_tasks_of_mixed_lengths_are_no_outliers():
    assert outliers.found(made(*range(100_000, 4_000_000, 10_000)), 40e6) == []
    assert outliers.found(made(*[5_000] * 1000, 400_000), 40e6) == []  # too short to matter
    assert outliers.found(made(*[5_000] * 1000, 36_000_000), 40e9) == []  # a small part of all
    assert outliers.found(made(*[5_000] * 5, 36_000_000), 40e6) == []  # too few to say what is usual
    assert outliers.found(made(), 40e6) == []


def test_a_simulation_warns_of_it(tmp_path):
    (tmp_path / "stopped.c").write_text(
        """
        #include <unistd.h>
        #include <omp.h>
        int main(void) {
        #pragma omp parallel num_threads(1)
        #pragma omp single
          for (int i = 0; i < 200; i++) {
        #pragma omp task firstprivate(i)
            { double end = omp_get_wtime() + (i == 100 ? 40e-3 : 5e-6); while (omp_get_wtime() < end) {} }
          }
        }
        """
    )
    subprocess.run(
        ["gcc", "-g", "-fopenmp", "stopped.c", "-o", "stopped"], cwd=tmp_path, check=True, timeout=scaled(60)
    )
    assert heddle("trace", "--", "./stopped", cwd=tmp_path, timeout_s=600).returncode == 0
    done = heddle("simulate", "--cores", "2,4", "stopped.trace", cwd=tmp_path, timeout_s=600)
    assert done.returncode == 0, done.stderr
    # On a busy machine the system interrupts others as well, which is what the warning is about.
    warning = re.search(r"heddle: \d+ tasks? of stopped\.c:\d+ took up to (\d+)\.\d ms", done.stderr)
    assert warning and int(warning[1]) >= 40, done.stderr
