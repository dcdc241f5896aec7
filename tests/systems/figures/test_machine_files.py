"""Machine files that describe what no machine has are one line, before SimGrid ends the process on them."""

import os
import random
import re

import pytest
from command import ROOT, assert_one_line, heddle
from heddle import toolchain
from heddle.errors import UserError
from heddle.simulate import kept_costs, machine_file, simulator

CLUSTER = (ROOT / "bench" / "machines" / "slow-network.xml").read_text(encoding="utf-8")
HOSTS = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="a" speed="1Gf" core="2"/><host id="b" speed="1Gf" core="2"/>
    <link id="l" bandwidth="1GBps" latency="1us"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
"""
QUESTION = ("simulate", "--nodes", "2", "--cores", "1")
PROGRAM = ("--", "mpiexec", "-n", "2", "heddle-wave", "--problem", "sod", "--max_steps", "2")


def written(folder, text):
    file = folder / "machine.xml"
    file.write_text(text)
    return file


def changed(text, name, value):
    """With another value of the attribute, wherever it is."""
    result = re.sub(rf'\b{name}="[^"]*"', f'{name}="{value}"', text)
    assert result != text
    return result


def test_those_that_come_with_heddle_and_hosts_by_name_are_right(tmp_path):
    for file in (ROOT / "bench" / "machines").glob("*.xml"):
        assert machine_file.check(file) == file.read_text(encoding="utf-8")
    assert machine_file.check(written(tmp_path, HOSTS)) == HOSTS
    done = heddle(*QUESTION, "--machine", tmp_path / "machine.xml", *PROGRAM, timeout_s=600)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("text", "name", "value", "said"),
    [
        (CLUSTER, "core", "0", "is no number of cores; give 1 to"),
        (CLUSTER, "core", "-4", "is no number of cores"),
        (CLUSTER, "core", "2.5", "is no number of cores"),
        (CLUSTER, "core", "99999999999999999999", "is no number of cores"),
        (CLUSTER, "speed", "nanf", "is no number with a unit"),
        (CLUSTER, "speed", "0f", "is not what a machine has"),
        (CLUSTER, "speed", "-1Gf", "is not what a machine has"),
        (HOSTS, "speed", "1Gf,-1Gf", "is not what a machine has"),
        (CLUSTER, "bw", "inf", "is no number with a unit"),
        (CLUSTER, "bw", "1e300GBps", "is not what a machine has"),
        (HOSTS, "bandwidth", "0Bps", "is not what a machine has"),
        (HOSTS, "bandwidth", "1us", "has the unit us, which SimGrid does not know"),
        (CLUSTER, "lat", "-1s", "is not what a machine has; give 0 to 3600 of s"),
        (CLUSTER, "lat", "1e300s", "is not what a machine has"),
        (HOSTS, "latency", "nan", "is no number with a unit"),
        (CLUSTER, "radical", "0-99999999", "describes 100000000 hosts; give 1000000 or fewer"),
        (CLUSTER, "radical", "5-1", "is no list of numbers and ranges"),
        (CLUSTER, "radical", "", "is no list of numbers and ranges"),
        (CLUSTER, "platform version", "3", "has another version than 4"),
    ],
)
def test_what_no_machine_has_is_named(tmp_path, text, name, value, said):
    with pytest.raises(UserError) as mistake:
        machine_file.check(written(tmp_path, changed(text, name, value)))
    assert said in str(mistake.value)
    assert "\n" not in str(mistake.value)


def test_what_is_no_machine_file_is_one_line(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "text").write_text("years of work")
    (tmp_path / "page.xml").write_text("<html/>")
    (tmp_path / "empty.xml").write_text('<platform version="4.1"/>')
    for name, said in (
        ("fifo", "is a FIFO; give a regular file"),
        (".", "is a folder; give a regular file"),
        ("none", "cannot be read: No such file"),
        ("text", "is no platform file of SimGrid's: syntax error"),
        ("page.xml", "it begins with <html>, not with <platform>"),
        ("empty.xml", "describes no host"),
    ):
        assert_one_line(heddle(*QUESTION, "--machine", tmp_path / name, *PROGRAM), said)
    assert_one_line(heddle(*QUESTION, "--machine", "/dev/zero", *PROGRAM), "is a device; give a regular file")


def test_what_simgrid_alone_can_see_is_one_line_as_well(tmp_path):
    for text, said in (
        (HOSTS.replace('<route src="a" dst="b"><link_ctn id="l"/></route>', ""), "no connecting path"),
        (changed(HOSTS, "routing", "Any"), "Not a valid model"),
        (HOSTS.replace("<host", "<hose", 1), "is no platform file of SimGrid's"),
    ):
        done = heddle(*QUESTION, "--machine", written(tmp_path, text), *PROGRAM)
        assert_one_line(done, "machine.xml", said)


VALUES = [
    "0",
    "-4",
    "nan",
    "inf",
    "1e300s",
    "-1s",
    "100000000",
    "",
    "x",
    "1e400",
    "0x10",
    "1GBps",
    "1us",
    "5-1",
    "9" * 30,
]


def test_random_changes_end_well_or_in_one_line(tmp_path):
    """SimGrid alone ends the process on a quarter of them."""
    toolchain.build("release", [simulator.OF_WAVE])
    costs, _ = kept_costs.read(kept_costs.DEFAULT)
    chance = random.Random(48)
    accepted = refused = 0
    for _ in range(100):
        text = chance.choice([CLUSTER, HOSTS])
        attribute = chance.choice(list(re.finditer(r'(\w+)="([^"]*)"', text)))
        kept, value = chance.choice([(2, VALUES), (0, [""])])
        text = text[: attribute.start(kept)] + chance.choice(value) + text[attribute.end(kept) :]
        cluster = simulator.Cluster(written(tmp_path, text), 2, chance.choice(["shared", "queued"]))
        try:
            cluster.check()
            program = ["--problem", "sod", "--max_steps", "1"]
            options = ["--ranks", "2", *simulator.run_options("1", cluster, False)]
            result = simulator.ask(simulator.OF_WAVE, options, costs, program)
        except UserError as mistake:
            assert "\n" not in str(mistake), text
            refused += 1
        else:
            assert result["runs"][0]["duration_ns"] > 0, text
            accepted += 1
    assert accepted > 10 and refused > 50
