"""heddle test platforms: what it refuses, and the page it keeps. The roots themselves are made by hand."""

import os
import subprocess
import sys

import pytest
from command import ROOT, assert_one_line, heddle
from heddle.test import platforms


def test_the_page_is_what_the_record_gives():
    assert platforms.PAGE.read_text(encoding="utf-8") == platforms.page(platforms.load())


def test_each_record_has_every_step():
    record = platforms.load()
    for platform in platforms.PLATFORMS:
        if platform.name in record:
            assert list(record[platform.name]["steps_s"]) == [step.name for step in platform.steps], platform.name


def test_an_unknown_platform_is_refused():
    assert_one_line(heddle("test", "platforms", "plan9"), "no platform 'plan9'", "debian-13, debian-sid")


def test_what_roots_need_is_named(tmp_path):
    (tmp_path / "git").symlink_to("/usr/bin/git")
    environ = {"PATH": str(tmp_path), "PYTHONPATH": str(ROOT / "tools")}
    words = [sys.executable, "-P", "-m", "heddle", "test", "platforms"]
    assert_one_line(subprocess.run(words, env=environ, capture_output=True, text=True), "debootstrap, unshare, chroot")


@pytest.mark.parametrize(
    ("text", "mirror"),
    [
        ("deb http://mirror.example/debian bookworm main\n", "http://mirror.example/debian"),
        ("Types: deb\nURIs: https://mirror.example/debian/\nSuites: x\n", "https://mirror.example/debian/"),
        ("deb http://mirror.example/debian-security bookworm main\n", "http://deb.debian.org/debian"),
        ("", "http://deb.debian.org/debian"),
    ],
)
def test_roots_come_from_the_mirror_of_this_system(monkeypatch, tmp_path, text, mirror):
    (tmp_path / "sources.list").write_text(text)
    monkeypatch.setattr(platforms, "Path", lambda name: tmp_path if name == "/etc/apt" else None)
    assert platforms._mirror() == mirror


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may change its root")
def test_a_command_in_a_root_sees_no_more_than_that(tmp_path):
    """A root of nothing but this machine's /usr, mounted: what runs in it sees no file outside."""
    root, log = tmp_path / "a root", tmp_path / "log"
    for folder in ("dev", "sys", "proc", "usr", "src/he ddle"):
        (root / folder).mkdir(parents=True)
    for folder in ("bin", "lib", "lib64", "sbin"):
        (root / folder).symlink_to(f"usr/{folder}")
    subprocess.run(["mount", "--bind", "/usr", root / "usr"], check=True)
    try:
        assert platforms._inside(root, "pwd; ls /; ls /proc/1/exe", log, 20) == 0
        assert log.read_text().split("\n")[0] == "/src/he ddle"
        assert "tmp" not in log.read_text()
        assert platforms._inside(root, "exit 3", log, 20) == 3
        assert platforms._inside(root, "sleep 60", log, 1) == 124
        assert not list((root / "proc").iterdir())
    finally:
        subprocess.run(["umount", root / "usr"], check=True)


def test_debootstrap_sees_no_space_in_a_path(tmp_path, monkeypatch):
    """It extracts nothing to such a path; this stand-in neither."""
    script = 'for word; do case $word in *" "*) exit 1; esac; done; mkdir -p "$5/etc/apt/apt.conf.d" "$5/etc/ssl"'
    (tmp_path / "debootstrap").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "debootstrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    root = tmp_path / "a folder" / "debian-13"
    platforms._make(platforms.chosen(["debian-13"])[0], root, tmp_path / "log")
    assert (root / "etc" / "apt" / "apt.conf.d" / "99heddle").is_file()
    assert (root / "src").is_dir()
