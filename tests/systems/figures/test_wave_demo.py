"""./heddle wave --demo: what it runs, compares and writes. A stand-in for heddle-wave hangs, fails and errs."""

import html
import re
import time
from pathlib import Path

import pytest
from command import heddle
from heddle import runtimes
from heddle.demo import parts
from heddle.errors import CheckFailed
from heddle.patience import scaled
from heddle.wave import columns, inputs, measure, page, ways
from test_demo import Reader

FAKE = Path(__file__).with_name("fake_wave.py")
COLUMNS = [
    columns.Column(runtimes.Runtime(name, title, Path("/nowhere"), Path("/nowhere")), FAKE)
    for name, title in (("gnu", "libgomp"), ("llvm", "libomp 19"))
]


def measured(rounds: int = 1, timeout_s: float = 20) -> measure.Measurement:
    return measure.measure(
        ways.offer(FAKE),
        COLUMNS,
        [],
        2,
        timeout_s=timeout_s,
        rounds=rounds,
        budget_s=1,
        advance=lambda text, done, total: None,
    )


def test_every_model_and_strategy_runs_with_both_cuts_on_every_runtime():
    measurement = measured(2)
    assert [(timing.way.name, timing.way.cut, timing.column.name) for timing in measurement.timings] == [
        (*way, name)
        for way in [
            *(("serial", ""), ("bsp", "well"), ("enclave, native", "well"), ("enclave, hold-back", "well")),
            *(("data-flow", ""), ("bsp", "ill"), ("enclave, native", "ill"), ("enclave, hold-back", "ill")),
        ]
        for name in ("gnu", "llvm")
    ]
    assert all(len(timing.seconds) == 2 for timing in measurement.timings)
    assert measurement.runs == 32


def test_ratios_are_taken_to_bsp_on_libgomp():
    timings = {(timing.way.name, timing.way.cut, timing.column.name): timing for timing in measured().timings}
    assert timings["bsp", "well", "gnu"].ratio == 1
    assert timings["bsp", "ill", "llvm"].ratio == 2


def test_the_options_of_a_way_are_those_of_the_program():
    assert ways.Way("serial").arguments(8) == ["--exec", "serial", "--threads", "1"]
    assert ways.Way("enclave", "merge", "well").arguments(2)[2:] == (
        "--threads 2 --strategy merge --cut well --partitions 2".split()
    )
    # Two halves are no bad cut.
    assert ways.Way("bsp", cut="ill").arguments(2)[-2:] == ["--partitions", "4"]
    assert ways.Way("bsp", cut="ill").arguments(16)[-2:] == ["--partitions", "16"]


def test_the_program_offers_what_its_help_says():
    program = heddle("path", "wave", timeout_s=600).stdout.strip()
    offer = ways.offer(Path(program))
    assert list(offer.models) == ["serial", "bsp", "bsp-for", "enclave", "data-flow", "data-flow-graph"]
    assert len(offer.strategies) == 10
    assert offer.meanings()["enclave, native"] == "each becomes a task immediately"
    assert offer.meanings()["serial"] == "one thread, patch by patch"
    assert len(offer.ways()) == 27


def test_what_does_not_end_is_said_and_not_asked_again(monkeypatch, tmp_path):
    monkeypatch.setenv("FAKE_WAVE_HANG", "native")
    limit_s = 1.5
    started = time.monotonic()
    measurement = measured(3, timeout_s=limit_s)
    stopped = [timing for timing in measurement.timings if not timing.ends]
    assert {(timing.way.name, timing.way.cut) for timing in stopped} == {
        ("enclave, native", "well"),
        ("enclave, native", "ill"),
    }
    assert len(stopped) == 4
    assert time.monotonic() - started < scaled(30)
    assert measurement.runs == 3 * 12
    none = page.Pictures(b"", b"", b"", None)
    machine = {"processors": 2, "model": "<Loom>", "kernel": "6.1"}
    conditions = parts.Conditions("2026-11-23", machine, "heddle 0.1.0", {}, {})
    page.write(tmp_path / "index.html", measurement, none, inputs.QUICK, conditions, demo_command="./heddle wave")
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert text.count(">does not end<") == 4
    assert "(&lt;Loom&gt;, Linux" in text
    assert page.verdict(measurement).startswith("All 36 runs that ended gave the same")


def test_a_state_that_differs_ends_the_demo(monkeypatch):
    monkeypatch.setenv("FAKE_WAVE_WRONG", "hold-back")
    with pytest.raises(
        CheckFailed,
        match=r"^enclave, hold-back \(well cut\) on libgomp with 2 threads and serial on libgomp with 1 thread "
        "disagree: state_fingerprint is bad against feed",
    ):
        measured()


def test_a_run_that_fails_ends_the_demo_with_its_last_words(monkeypatch):
    monkeypatch.setenv("FAKE_WAVE_CRASH", "bsp")
    with pytest.raises(CheckFailed, match="bsp .* ended with status 1: heddle-wave: the gas has negative pressure"):
        measured()


@pytest.fixture(scope="module")
def quick(tmp_path_factory) -> tuple[Path, str]:
    """The page's folder, what was printed, seconds. What has to be built is built before."""
    folder = tmp_path_factory.mktemp("demo") / "wave"
    built = heddle("wave", "--help", timeout_s=900)
    assert built.returncode == 0, built.stderr
    done = heddle("wave", "--demo", "--quick", "--out", folder, timeout_s=300)
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def test_the_quick_demo_has_a_row_for_every_way_and_one_state(quick):
    folder, printed = quick
    text = (folder / "index.html").read_text(encoding="utf-8")
    program = heddle("path", "wave").stdout.strip()
    offered = [html.escape(way.name) for way in ways.offer(Path(program)).ways()]
    rows = re.findall(r'<tr class="way"><td>(.*?)</td>', text)
    assert sorted(rows) == sorted(offered)
    said = re.search(r"All (\d+) runs( that ended)? gave the same mesh .* fingerprint ([0-9a-f]{16})\.", printed)
    assert said, printed
    assert said[0] in text
    columns_here = text.count('<th class="runtime"')
    assert columns_here == len([name for name in runtimes.NAMES if runtimes.find(name)])
    stopped = text.count('colspan="3">does not end</td>')
    assert int(said[1]) == len(rows) * columns_here - stopped
    assert bool(said[2]) == bool(stopped)


def test_the_quick_demos_page_stands_alone(quick):
    folder, _ = quick
    text = (folder / "index.html").read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    assert all(source.startswith(("data:image/png;base64,", "#")) for source in reader.fetched)
    assert text.count("data:image/png;base64,") == 3
    assert sorted(path.name for path in folder.iterdir()) == [
        "index.html",
        "sedov.png",
        "shock-bubble.png",
        "times.svg",
    ]
