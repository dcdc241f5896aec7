"""Outputs go where their paths lead: a file is replaced whole, behind links too; devices and pipes are written as they
are; what can hold no output is refused before anything is computed. Nobody else's link decides where that is.
"""

import os
import pwd
import socket
import stat
import subprocess
import threading
from pathlib import Path

import pytest
from heddle import launch
from small_runs import opened, start

AMR = "--num_tsteps 1 --num_refine 0 --nx 2 --ny 2 --nz 2 --num_vars 1 --stages_per_ts 1 --variant serial".split()
WAVE = "--problem sedov --volumes 3 --base_level 1 --max_level 1 --max_steps 1 --exec serial".split()
# Program, options, and the file that they write.
OUTPUTS = {
    "amr --results": ("amr", [*AMR, "--results", "out", "--report_perf", "0"], "out"),
    "amr results.yaml": ("amr", [*AMR, "--report_perf", "1"], "results.yaml"),
    "amr results.txt": ("amr", [*AMR, "--report_perf", "2"], "results.txt"),
    "amr plot": ("amr", [*AMR, "--report_perf", "0", "--plot_freq", "1"], "plot.0"),
    "amr plt.visit": ("amr", [*AMR, "--report_perf", "0", "--plot_freq", "1", "--plot_format", "amrex"], "plt.visit"),
    "wave --results": ("wave", [*WAVE, "--results", "out"], "out"),
    "wave --samples": ("wave", [*WAVE, "--samples", "out"], "out"),
    "wave plt.series": ("wave", [*WAVE, "--plot_freq", "1"], "plt.series"),
}
NOBODY = pwd.getpwnam("nobody").pw_uid


@pytest.fixture(params=OUTPUTS)
def output(request, amr, wave):
    """Starts its program in a folder; and the file's name."""
    program, words, name = OUTPUTS[request.param]
    binary = amr if program == "amr" else wave
    return (lambda folder, **how: start(binary, [*words, "--quiet"], folder, **how)), name


def assert_written(done) -> None:
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done.stderr


def unfinished(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if ".part" in path.name]


def test_links_are_followed_and_stay(output, tmp_path):
    run, name = output
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "target"
    target.write_text("old")
    target.chmod(0o640)
    (tmp_path / "second").symlink_to("elsewhere/target")
    (tmp_path / name).symlink_to("second")
    assert_written(run(tmp_path))
    assert (tmp_path / name).is_symlink() and (tmp_path / "second").is_symlink()
    assert len(target.read_text()) > len("old")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    target.unlink()
    assert_written(run(tmp_path))
    assert target.is_file() and (tmp_path / name).is_symlink()
    assert not unfinished(tmp_path)


def test_devices_are_written_as_they_are(output, tmp_path):
    run, name = output
    os.mknod(tmp_path / name, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    assert_written(run(tmp_path))
    assert stat.S_ISCHR(os.lstat(tmp_path / name).st_mode)
    (tmp_path / name).unlink()
    os.mknod(tmp_path / name, stat.S_IFCHR | 0o666, os.makedev(1, 7))
    done = run(tmp_path)
    assert done.returncode == 2 and "No space left on device" in done.stderr
    assert len([line for line in done.stderr.splitlines() if line.startswith("heddle-")]) == 1
    assert not unfinished(tmp_path)


def test_pipes_get_it_all(output, tmp_path):
    run, name = output
    os.mkfifo(tmp_path / name)
    read = []

    def reader():
        # One output may be written several times, as plt.visit with each plotfile.
        with open(tmp_path / name) as pipe:
            read.append(pipe.read())

    holder = os.open(tmp_path / name, os.O_RDWR)  # the pipe's other end stays open
    thread = threading.Thread(target=reader)
    thread.start()
    assert_written(run(tmp_path))
    os.close(holder)
    thread.join(timeout=30)
    assert read and len(read[0]) > 10
    assert stat.S_ISFIFO(os.lstat(tmp_path / name).st_mode)


@pytest.mark.parametrize("kind", ["folder", "socket", "disk", "dangling", "circle", "stranger's"])
def test_what_can_hold_no_output_is_refused_before_any_work(kind, output, tmp_path):
    run, name = output
    path = tmp_path / name
    said = {"dangling": "there is no folder", "circle": "leads nowhere", "stranger's": "link of another user"}
    if kind == "folder":
        path.mkdir()
    elif kind == "socket":
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(path))
    elif kind == "disk":
        os.mknod(path, stat.S_IFBLK | 0o600, os.makedev(7, 255))
    elif kind == "dangling":
        path.symlink_to("no/such")
    elif kind == "circle":
        path.symlink_to(name)
    else:
        (tmp_path / "target").write_text("old")
        tmp_path.chmod(0o1777)
        path.symlink_to("target")
        os.chown(path, NOBODY, -1, follow_symlinks=False)
    before = sorted(os.listdir(tmp_path))
    done = run(tmp_path)
    assert done.returncode == 2 and done.stdout == ""
    assert len(done.stderr.splitlines()) == 1 and said.get(kind, f"is a {kind}; give") in done.stderr
    assert sorted(os.listdir(tmp_path)) == before
    assert kind != "stranger's" or (tmp_path / "target").read_text() == "old"


def test_a_file_stays_its_owners(output, tmp_path):
    run, name = output
    (tmp_path / name).write_text("old")
    (tmp_path / name).chmod(0o604)
    os.chown(tmp_path / name, NOBODY, -1)
    assert_written(run(tmp_path))
    found = (tmp_path / name).stat()
    assert (found.st_uid, stat.S_IMODE(found.st_mode)) == (NOBODY, 0o604) and found.st_size > len("old")


@pytest.mark.parametrize("to", ["file", "pipe"])
def test_standard_output_keeps_what_was_printed_there(to, amr, tmp_path):
    plan = launch.plan(str(amr), "heddle", 1)
    words = [plan.program, *AMR, "--results", "/dev/stdout"]
    if to == "pipe":
        done = subprocess.run(words, env=plan.environ, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        text = done.stdout
    else:
        with open(tmp_path / "printed", "w") as file:
            done = subprocess.run(words, env=plan.environ, cwd=tmp_path, stdout=file, timeout=60)
        text = (tmp_path / "printed").read_text()
    assert done.returncode == 0
    assert '"checks"' in text and "Summary: ranks 1" in text


def test_nobody_can_put_a_link_where_an_output_is_written(amr, tmp_path):
    """Under names that can be guessed: the process's number is its shell's."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    folder = tmp_path / "shared"
    folder.mkdir()
    names = "out.part out.part.$$ chk00001.h5.part chk00001.h5.part.$$"
    plant = f'for name in {names}; do ln -s {victim} "$name"; done; exec "$0" "$@"'
    plan = launch.plan(str(amr), "heddle", 1)
    words = [*AMR, "--quiet", "--results", "out", "--checkpoint_freq", "1", "--checkpoint_file", "chk"]
    done = subprocess.run(
        ["sh", "-c", plant, plan.program, *words], env=plan.environ, cwd=folder, capture_output=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert victim.read_text() == "precious"
    assert (folder / "out").is_file() and (folder / "chk00001.h5").is_file()


def test_checkpoints_and_plotfiles_replace_only_their_like(amr, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    folder = tmp_path / "shared"
    folder.mkdir()
    words = [*AMR, "--quiet", "--report_perf", "0"]
    (folder / "chk00001.h5").symlink_to(victim)  # its name is the program's: what has it is replaced, links as well
    assert_written(start(amr, [*words, "--checkpoint_freq", "1"], folder))
    assert victim.read_text() == "precious" and not (folder / "chk00001.h5").is_symlink()
    (folder / "chk00001.h5").unlink()
    (folder / "chk00001.h5").mkdir()
    (folder / "chk00001.h5" / "mine").write_text("precious")
    done = start(amr, [*words, "--checkpoint_freq", "1"], folder)
    assert done.returncode == 2 and "chk00001.h5 is no file; move it away" in done.stderr
    (folder / "plt00001").mkdir()
    (folder / "plt00001" / "mine").write_text("precious")
    (folder / "plt00000.old").mkdir()
    done = start(amr, [*words, "--plot_freq", "1", "--plot_format", "amrex"], folder)
    assert done.returncode == 2 and "plt00001 is a folder that is no plotfile; move it away" in done.stderr
    assert (folder / "plt00001" / "mine").exists() and (folder / "chk00001.h5" / "mine").exists()
    assert (folder / "plt00000.old").is_dir() and (folder / "plt00000" / "Header").exists()
    assert not unfinished(folder)


def test_what_a_killed_run_has_left_goes_with_the_next(amr, tmp_path):
    (tmp_path / "chk00001.h5.part.0123456789abcdef").write_text("half")
    (tmp_path / "plt00001.part.0123456789abcdef" / "Level_0").mkdir(parents=True)
    others = ["chk-notes.h5.part.0123456789abcdef", "chk00001.h5.part.x", "plt00002.part.0123456789abcdef"]
    for name in others:
        (tmp_path / name).write_text("another's")
    words = "--quiet --report_perf 0 --checkpoint_freq 1 --plot_freq 1 --plot_format amrex".split()
    assert_written(start(amr, [*AMR, *words], tmp_path))
    assert sorted(path.name for path in unfinished(tmp_path)) == sorted(others)


def test_an_output_is_whole_or_not_there(amr, tmp_path):
    """Whoever reads it meanwhile has the old one or the new one."""
    (tmp_path / "out").write_text("old")
    with opened(amr, [*AMR, "--quiet", "--results", "out"], tmp_path) as process:
        seen = set()
        while process.poll() is None:
            seen.add((tmp_path / "out").read_text())
        process.communicate()
    seen.add((tmp_path / "out").read_text())
    assert seen <= {"old", (tmp_path / "out").read_text()} and len(seen) == 2
