"""The runner behind ./heddle test."""

import json
import os
import re
import subprocess
import sys
import time

import pytest
from command import ROOT
from heddle import paths, patience
from heddle.errors import CheckFailed, UserError
from heddle.test import stages

MEASURE = patience.measure


@pytest.fixture(autouse=True)
def logs(tmp_path, monkeypatch):
    monkeypatch.setattr(stages, "LOGS", tmp_path)
    monkeypatch.setattr(patience, "measure", lambda: 1.0)


@pytest.fixture
def load():
    """Four processes a core that do nothing but compute."""
    command = [sys.executable, "-I", "-S", "-c", "while True: pass"]
    # In sessions of their own: in one they would share what one session gets.
    busy = [subprocess.Popen(command, start_new_session=True) for _ in range(4 * len(os.sched_getaffinity(0)))]
    yield
    for process in busy:
        process.kill()
        process.wait()


def stage(name: str, *script: str, timeout_s: int = 20) -> stages.Stage:
    return stages.Stage(name, "something", timeout_s, [["sh", "-c", line] for line in script])


def test_stages_that_pass_leave_logs_and_a_summary(tmp_path, capsys):
    stages.run([stage("one", "echo warp"), stage("two", "echo weft", "echo done")])
    assert (tmp_path / "one.log").read_text().endswith("warp\n")
    assert "passed" in capsys.readouterr().out


def test_a_failed_stage_shows_its_last_words_and_fails_the_whole(capsys):
    with pytest.raises(CheckFailed, match="1 of 2 stages did not pass: one"):
        stages.run([stage("one", "echo snapped; exit 3", "echo never"), stage("two", "true")])
    out = capsys.readouterr().out
    assert "snapped" in out
    assert "never" not in out.split("[2/2]")[0].replace("echo never", "")


def test_a_failed_stage_shows_what_failed_tests_of_ctest_have_said(tmp_path, capsys):
    others = "".join(f'add_test("passes.{n}" true)\n' for n in range(stages._LAST_LINES))
    fails = 'add_test("breaks" sh "-c" "echo the yarn snapped; exit 3")\n'
    (tmp_path / "CTestTestfile.cmake").write_text(fails + others)
    tests = stages.Stage("one", "something", 60, [["ctest", "--test-dir", str(tmp_path), "--output-on-failure"]])
    with pytest.raises(CheckFailed):
        stages.run([tests])
    said = capsys.readouterr().out
    assert re.search(r"Test +#1: breaks \.+\*\*\*Failed .*\n *the yarn snapped\n", said)
    assert "passes.0" not in said, "what passed is in the log"


def test_one_of_several_stages_is_drawn_and_the_others_are_named(capsys):
    either = [stages.Stage(name, "something", 20, [], one_of="sanitizers") for name in ("asan", "tsan")]
    all_of_them = [stage("one", "true"), *either]
    runs = [[drawn.name for drawn in stages.drawn(all_of_them, seed)] for seed in range(20)]
    assert {tuple(names) for names in runs} == {("one", "asan"), ("one", "tsan")}
    assert [drawn.name for drawn in stages.drawn(all_of_them, 7)] == runs[7]
    left_out = "tsan" if "asan" in runs[7] else "asan"
    assert f"not in this run: {left_out}, by --sample-seed 7; --full runs every stage" in capsys.readouterr().out


def test_what_is_drawn():
    groups: dict[str, list[str]] = {}
    for one in stages.all_stages():
        if one.one_of:
            groups.setdefault(one.one_of, []).append(one.name)
    assert groups == {"sanitizers": ["asan", "asan-engines", "tsan"], "commands": ["sources", "figures", "install"]}


def test_each_label_that_a_stage_selects_is_one_of_tests_of_the_build():
    build = paths.build_dir("release")
    listed = subprocess.run(["ctest", "--print-labels"], cwd=build, capture_output=True, text=True, check=True).stdout
    labels = {line.strip() for line in listed.splitlines()[2:]}
    chosen = [word for one in stages.all_stages() for step in one.steps for word in _after("-L", step)]
    assert {label for pattern in chosen for label in pattern.split("|")} <= labels


def _after(option: str, step: list[str]) -> list[str]:
    return [word for before, word in zip(step, step[1:]) if before == option]


def test_the_seed_reaches_the_tests_that_are_sampled(tmp_path):
    ask = "import sys; print(sys.argv[1:])"
    step = [sys.executable, "-c", ask, "pytest"]
    stages.run([stages.Stage("drawn", "something", 20, [step])], sampling=stages.Sampling.by(5))
    assert "['pytest', '--sample-seed', '5']" in (tmp_path / "drawn.log").read_text()
    stages.run([stages.Stage("whole", "something", 20, [step])], sampling=stages.Sampling.full())
    assert "['pytest', '--full']" in (tmp_path / "whole.log").read_text()


def test_what_did_not_run_did_not_pass():
    with pytest.raises(CheckFailed, match="2 of 2 stages did not pass: one, two"):
        stages.run([stage("one", "false"), stage("two", "true")], keep_going=False)


def test_a_missing_tool_fails_the_stage(tmp_path):
    with pytest.raises(CheckFailed):
        stages.run([stages.Stage("one", "something", 20, [["no-such-tool-anywhere"]])])
    assert "no-such-tool-anywhere" in (tmp_path / "one.log").read_text()


def test_a_stage_that_takes_too_long_ends_with_its_children(tmp_path):
    marker = tmp_path / "pid"
    started = time.monotonic()
    with pytest.raises(CheckFailed):
        stages.run([stage("one", f"sleep 60 & echo $! > {marker}; wait", timeout_s=1)])
    assert time.monotonic() - started < 15
    child = int(marker.read_text())
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and _is_running(child):
        time.sleep(0.05)
    assert not _is_running(child)


def _is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_stages_are_chosen_by_name_in_the_order_of_a_run():
    assert [one.name for one in stages.chosen(["tools", "layers"])] == ["layers", "tools"]
    with pytest.raises(UserError, match="there is no stage 'weave'"):
        stages.chosen(["weave"])


def test_no_stage_asks_for_more_than_a_quarter_of_an_hour():
    assert all(one.timeout_s <= 900 for one in stages.all_stages())


def test_the_patience_grows_with_the_load_of_the_machine(load):
    """Four processes a core beside the work leave it a fifth of the time, whatever the machine's speed."""
    assert MEASURE() > 2


def test_the_limit_of_a_stage_is_its_own_times_the_patience(monkeypatch, capsys):
    """Work that takes longer than the stage's own limit, and less than the patience makes of it."""
    monkeypatch.setattr(patience, "measure", lambda: 6.0)
    stages.run([stage("one", "sleep 2", timeout_s=1)])
    out = capsys.readouterr().out
    assert "the machine is busy or slow: limits times 6.0" in out
    assert float(re.search(r"passed in ([\d.]+) s", out)[1]) > 1


def test_a_stage_without_end_is_stopped_on_the_slowest_machine_too(monkeypatch):
    monkeypatch.setattr(patience, "measure", lambda: patience.of(1e9))
    started = time.monotonic()
    with pytest.raises(CheckFailed):
        stages.run([stage("one", "sleep 600", timeout_s=1)])
    assert patience.MOST <= time.monotonic() - started < patience.MOST + 15


def test_patience_is_between_one_and_its_most():
    assert patience.of(0.0) == 1
    assert 2 < patience.of(1.0) < 3
    assert patience.of(1e9) == patience.MOST
    assert 1 <= MEASURE() <= patience.MOST


def test_steps_learn_the_patience_and_scale_their_own_limits(tmp_path, monkeypatch):
    monkeypatch.setattr(patience, "measure", lambda: 2.5)
    script = "from heddle.patience import scaled; print('limit', scaled(60))"
    stages.run([stages.Stage("one", "something", 20, [[sys.executable, "-c", script]])])
    assert (tmp_path / "one.log").read_text().endswith("limit 150.0\n")
    monkeypatch.delenv(patience.VARIABLE, raising=False)
    assert patience.scaled(60) == 60


def test_the_limit_of_each_ctest_test_grows_and_still_ends_a_test(tmp_path, monkeypatch):
    (tmp_path / "CTestTestfile.cmake").write_text("add_test(sleeps sleep 3)\n")
    monkeypatch.setattr(stages, "TEST_TIMEOUT_S", 1)
    step = ["ctest", "--test-dir", str(tmp_path), *stages._ctest("release")[-2:]]
    one = stages.Stage("one", "something", 60, [step])
    monkeypatch.setattr(patience, "measure", lambda: 6.0)
    stages.run([one])
    monkeypatch.setattr(patience, "measure", lambda: 1.0)
    with pytest.raises(CheckFailed):
        stages.run([one])
    assert "(Timeout)" in (tmp_path / "one.log").read_text()


def test_a_test_of_pytest_without_end_is_named_while_its_stage_has_time_left(tmp_path):
    (tmp_path / "test_loom.py").write_text("def test_weaves():\n    while True:\n        pass\n")
    step = [*stages._pytest(), "-n", "1", str(tmp_path / "test_loom.py")]
    one = stages.Stage("one", "something", 20, [step])
    with pytest.raises(CheckFailed):
        stages.run([one])
    log = (tmp_path / "one.log").read_text()
    assert re.search(r"FAILED .*test_loom\.py::test_weaves", log)
    assert re.search(r"Failed: Timeout \(>10.0s\)", log)


def test_no_test_has_a_limit_that_could_not_grow():
    listed = subprocess.run(["git", "ls-files", "*CMakeLists.txt", "*.cmake"], cwd=ROOT, capture_output=True, text=True)
    for name in listed.stdout.split():
        assert not re.search(r"(?<!DISCOVERY_)\bTIMEOUT\b", (ROOT / name).read_text()), name
    for one in stages.all_stages():
        for step in one.steps:
            assert step[0] != "ctest" or step[step.index("--timeout") + 1] == stages._TEST_LIMIT
    presets = json.loads((ROOT / "CMakePresets.json").read_text())["testPresets"]
    assert {preset["execution"]["timeout"] for preset in presets} == {stages.TEST_TIMEOUT_S}
