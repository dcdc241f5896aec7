"""bench/studies/wave_strategies.py measures every strategy, and draws what it has measured."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command import ROOT
from heddle.patience import scaled
from heddle.wave import ways

SCRIPT = ROOT / "bench" / "studies" / "wave_strategies.py"


def start(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True, timeout=scaled(600), cwd=ROOT
    )


@pytest.fixture(scope="module")
def record(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("record") / "record.json"
    done = start("--quick", "--threads", "2", "--json", file)
    assert done.returncode == 0, done.stderr
    return file


def test_every_strategy_has_a_time_or_the_reason_for_none_on_every_runtime(record):
    data = json.loads(record.read_text())
    offer = ways.offer(ROOT / "build" / "release" / "bin" / "heddle-wave")
    cases = {f"{way.name}, {way.cut}" if way.cut else way.name for way in offer.ways()}
    expected = {case for case in cases if not case.startswith(("serial", "bsp-for"))}
    assert len(expected) == 24
    for size in ("small", "large"):
        assert set(data["runs"][size]) == {"2"}
        assert set(data["runs"][size]["2"]) == expected
        for by_column in data["runs"][size]["2"].values():
            assert set(by_column) == set(data["columns"])
            for runs in by_column.values():
                assert len(runs) == 1
                assert runs[0].get("us", 0) > 0 or runs[0]["failure"].startswith("no end in ")
    assert data["machine"]["processors"] >= 1
    assert {"heddle", "gnu"} <= set(data["runtimes"])


def test_what_is_held_back_is_pending_after_the_primary_traversal(record):
    data = json.loads(record.read_text())
    run = data["runs"]["small"]["2"]["enclave, hold-back, well"]["heddle"][0]
    assert run["enclave_patches"] > 0
    assert run["pending_after_primary"] == run["enclave_patches"]


def test_a_record_is_drawn_and_printed_again(record, tmp_path):
    drawn = start("--from", record, "--plot", tmp_path / "figures.png")
    assert drawn.returncode == 0, drawn.stderr
    assert (tmp_path / "figures.png").read_bytes().startswith(b"\x89PNG")
    assert "enclave, in-runtime, ill" in drawn.stdout


def test_what_is_no_record_is_one_line(tmp_path):
    (tmp_path / "text").write_text("no JSON")
    result = start("--from", tmp_path / "text")
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1
