"""The runner behind ./heddle test."""

import time

import pytest
from heddle import stages
from heddle.errors import CheckFailed, UserError


@pytest.fixture(autouse=True)
def logs(tmp_path, monkeypatch):
    monkeypatch.setattr(stages, "LOGS", tmp_path)


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
