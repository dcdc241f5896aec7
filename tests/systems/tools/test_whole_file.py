"""What a command writes replaces regular files alone, whole or not at all, and follows links."""

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from command import ROOT, heddle
from heddle import whole_file
from heddle.errors import UserError
from heddle.patience import scaled


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    file.chmod(0o640)
    whole_file.check("--json", file)
    assert file.read_text() == "old"
    whole_file.put(file, b"new")
    assert file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["file"]


def test_what_a_link_leads_to_is_replaced_and_the_link_stays(tmp_path):
    (tmp_path / "there").mkdir()
    target, link, chain = tmp_path / "there" / "target", tmp_path / "link", tmp_path / "chain"
    link.symlink_to("there/target")
    chain.symlink_to("link")
    for text in ("first", "second"):  # the target is not there at first
        whole_file.check("--json", chain)
        whole_file.put(chain, text.encode())
        assert (link.is_symlink(), chain.is_symlink(), target.read_text()) == (True, True, text)


def test_a_failure_leaves_what_was_there_and_nothing_else(tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    with pytest.raises(KeyError), whole_file.writing(file) as stream:
        stream.write(b"half")
        raise KeyError
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_where_there_is_no_room_it_is_one_line_and_the_old_file_stays(tmp_path):
    (tmp_path / "file").write_text("old")
    script = (
        "import resource, signal, sys; from pathlib import Path; from heddle import errors, whole_file\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try: whole_file.put(Path('file'), bytes(5000))\n"
        "except errors.UserError as mistake: print(mistake)"
    )
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=scaled(60)
    )
    assert done.stdout == "file cannot be written: File too large; make room, or choose another path\n", done.stderr
    assert (tmp_path / "file").read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_fifo_is_written_in_place(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    whole_file.check("--json", fifo)
    read = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
    reader.start()
    whole_file.put(fifo, b"data")
    reader.join(scaled(20))
    assert read == [b"data"]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_a_device_stays_a_device(tmp_path):
    """A null device of our own, where one can be made: the machine's is not to be lost if this fails."""
    device = tmp_path / "null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        device.write_bytes(b"")
    except OSError:
        device = Path("/dev/null")  # which who is not root cannot lose
        assert os.geteuid() != 0, "neither can a device be made here, nor is the machine's safe"
    whole_file.check("--json", device)
    whole_file.put(device, b"data")
    assert stat.S_ISCHR(device.lstat().st_mode)
    assert os.listdir(tmp_path) in (["null"], [])


def test_standard_output_is_written_to_where_it_is(tmp_path):
    """By a link of our own, as /dev/stdout is one, which is not to be lost if this fails."""
    (tmp_path / "stdout").symlink_to("/proc/self/fd/1")
    script = (
        "from pathlib import Path; from heddle import whole_file\nprint('before')\n"
        "whole_file.put(Path('stdout'), b'data\\n')\nprint('behind')"
    )
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}
    command = [sys.executable, "-c", script]
    for number, mode in enumerate(("wb", "ab")):
        (tmp_path / "out").write_text("old\n")
        with open(tmp_path / "out", mode) as out:
            subprocess.run(command, cwd=tmp_path, env=environ, stdout=out, check=True, timeout=scaled(60))
        assert (tmp_path / "out").read_text() == "old\n" * number + "before\ndata\nbehind\n"
    piped = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, timeout=scaled(60))
    assert piped.stdout == b"before\ndata\nbehind\n"


def test_what_cannot_be_written_is_said_before_the_work(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "nowhere").symlink_to("missing/file")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "to-folder").symlink_to("folder")
    for name, said in (
        ("folder", "is a folder; name a file"),
        ("to-folder", "is a folder; name a file"),
        ("missing/file", "there is no folder"),
        ("nowhere", "there is no folder"),
        ("loop", "Too many levels of symbolic links"),
        ("null\0character", "null"),
    ):
        with pytest.raises(UserError, match=said):
            whole_file.check("--json", tmp_path / name)
        with pytest.raises(UserError, match=said):
            whole_file.put(tmp_path / name, b"data")
    assert sorted(os.listdir(tmp_path)) == ["folder", "loop", "nowhere", "to-folder"]


def test_sockets_and_disks_are_refused(tmp_path, monkeypatch):
    import socket

    monkeypatch.chdir(tmp_path)  # a socket's path is short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        with pytest.raises(UserError, match="is a socket; name a file"):
            whole_file.check("--json", Path("socket"))
    disk = os.stat_result((stat.S_IFBLK | 0o660, *[0] * 9))
    monkeypatch.setattr(os, "stat", lambda *_, **__: disk)
    with pytest.raises(UserError, match="is a device; name a file"):
        whole_file.check("--json", Path("disk"))


def test_no_command_writes_files_in_another_way():
    """One writer: whatever a user may name is written by heddle.whole_file."""
    ways = (".write_text(", ".write_bytes(", ', "w"', ', "wb"', "savefig(file")
    allowed = {
        "whole_file.py": "the writer",
        "test/stages.py": "logs of ours",
        "toolchain.py": "logs and locks of ours",
        "env/command.py": "files of the repository",
        "trace/make_layout.py": "a file of the repository",
        "test/platforms.py": "logs and roots of ours",
        "package/tools_package.py": "what is packed",
        "judge/binaries.py": "programs kept for later runs",
        "fuzz/orders.py": "orders, in a temporary folder",
        "cc/launcher.py": "what compilers read, in a temporary folder",
        "simulate/session.py": "a workload, in a temporary folder",
        "simulate/simulator.py": "a workload, in a temporary folder",
        "simulate/what_if.py": "a machine, in a temporary folder",
    }
    tools = ROOT / "tools" / "heddle"
    found = {
        str(path.relative_to(tools))
        for path in tools.rglob("*.py")
        if any(way in path.read_text(encoding="utf-8") for way in ways)
    }
    assert found == allowed.keys()


def test_a_command_follows_links_and_writes_into_pipes(tmp_path):
    log = "heddle graph 1\nc 0 4011b6 body /a.out\ng 0 7 3 1\nn 0 0 0 3 300\n"
    (tmp_path / "log").write_text(log)
    (tmp_path / "link").symlink_to("record.json")
    (tmp_path / "record.json").write_text("old")
    os.mkfifo(tmp_path / "fifo")
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "fifo").read_text()))
    reader.start()
    words = ["--from", "log", "--json", "link", "--dot", "fifo"]
    done = heddle("graph", *words, cwd=tmp_path)
    reader.join(scaled(20))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "link").is_symlink()
    assert json.loads((tmp_path / "record.json").read_text())
    assert read[0].startswith("digraph")
    assert (tmp_path / "fifo").is_fifo()
    (tmp_path / "stdout").symlink_to("/proc/self/fd/1")
    piped = heddle("graph", "--from", "log", "--json", "stdout", cwd=tmp_path)
    assert piped.returncode == 0, piped.stderr
    assert '"graphs"' in piped.stdout
