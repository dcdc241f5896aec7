"""heddle bench policy: columns, the report, and what is refused."""

import json

import pytest
from command import assert_one_line, heddle
from heddle.bench import columns, record
from heddle.bench.measurement import Column, Measurement, Run
from heddle.bench.policy import BENCHMARK, cases, table
from heddle.env import table as environment

ALL = Column("gcc", "heddle", "libheddle")
COLUMNS = cases.with_and_without([Column("clang", "gnu", "libgomp"), ALL])


def measured(times: dict[str, list[float]]) -> Measurement:
    """fib at two threads: three rounds a setting; what is not named takes as long as with all rules."""
    runs = {column.key: [Run(v) for v in times.get(column.setting, times["default"])] for column in COLUMNS}
    return Measurement(COLUMNS, ["fib"], 3, {2: {"fib": runs}})


def test_every_rule_that_can_be_switched_off_has_a_column():
    assert [column.setting for column in COLUMNS] == ["default", *columns.WITHOUT]
    form = next(v.form for v in environment.load() if v.name == "HEDDLE_WITHOUT")
    assert form == f"nothing, or a list of {', '.join(columns.RULES)}"


def test_a_rule_is_worth_what_its_lack_costs_round_by_round():
    found = measured({"default": [10, 20, 10], "without cutoff": [30, 40, 20]})
    assert table.plain(found)["2"]["fib"]["cutoff"] == [2, 2, 3]
    assert table.plain(found)["2"]["fib"]["serial"] == [1, 1, 1]


def test_a_record_gives_the_table_again(tmp_path):
    found = measured({"default": [10, 10, 10], "without serial": [15, 15, 15]})
    file = tmp_path / "policy.json"
    file.write_text(json.dumps({"benchmark": "policy", **record.plain(found)}))
    result = heddle("bench", "policy", "--from", file)
    assert result.returncode == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["fib", "10.0", "1.50", *["1.00"] * (len(columns.RULES) - 1)] in lines
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_every_case_is_one_of_a_program_that_is_built():
    programs = {BENCHMARK.sources.name, *(sources.name for sources in BENCHMARK.others), *BENCHMARK.commands}
    assert {case.program or BENCHMARK.sources.name for case in cases.CASES} == programs


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--kernels", "fibb"], "fib, nqueens"), (["--threads", "0"], "--threads 0")],
)
def test_a_mistake_is_one_line(arguments, words):
    assert_one_line(heddle("bench", "policy", *arguments), words)


def test_quick_runs_every_program_and_writes_a_record(tmp_path):
    file = tmp_path / "policy.json"
    result = heddle("bench", "policy", "--quick", "--kernels", "fib,heat/64,amr/task-2", "--json", file)
    assert result.returncode == 0, result.stderr
    written = json.loads(file.read_text())
    assert written["settings"]["gcc heddle without serial"] == {"HEDDLE_WITHOUT": "serial"}
    assert set(written["ratios"]["2"]["heat/64"]) == set(columns.RULES)
