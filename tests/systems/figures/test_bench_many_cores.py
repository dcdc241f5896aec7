"""heddle bench many-cores: rounds while there is time, what a row compares, the page, and what is refused."""

import dataclasses
import json

import pytest
from command import assert_one_line, heddle
from heddle.bench import many_cores
from heddle.bench.many_cores import Part, compared

_COSTS = Part("costs", "Costs", "ns", lambda threads: [], lambda record, threads: record)
_SHARES = dataclasses.replace(_COSTS, more_is_better=True)


def part(name: str, script: str) -> Part:
    """A stand-in whose program is that script; it gets --json and a file."""
    return Part(name, name, "ns", lambda threads: ["-c", script, str(threads)], lambda record, threads: record)


def writes(figures: object) -> str:
    return f"import json, sys; json.dump({figures!r}, open(sys.argv[-1], 'w'))"


def test_the_better_runtime_counts_and_libheddle_with_the_same_compilers_program():
    rounds = [
        {"fib": {"gcc heddle": 10.0, "clang heddle": 30.0, "gcc gnu": 80.0, "clang llvm": 60.0}},
        {"fib": {"gcc heddle": 10.0, "clang heddle": 20.0, "gcc gnu": 90.0, "clang llvm": 60.0}},
        {"fib": {"gcc heddle": 10.0, "clang heddle": 20.0, "gcc gnu": 20.0, "clang llvm": 80.0}},
    ]
    found = compared(_COSTS, rounds, "fib")
    assert (found.ours, found.other, found.other_column) == (20.0, 60.0, "clang llvm")
    assert (found.quotient, found.rounds) == (3.0, 3)  # of 2, 3 and 4


def test_of_shares_the_higher_is_better():
    found = compared(_SHARES, [{"chains": {"gcc heddle": 0.5, "gcc gnu": 0.25, "gcc llvm": 0.1}}], "chains")
    assert (found.ours, found.other_column, found.quotient) == (0.5, "gcc gnu", 2.0)


def test_a_round_without_one_of_the_figures_is_no_pair():
    rounds = [{"fib": {"gcc heddle": 10.0}}, {"fib": {"gcc heddle": 30.0, "gcc gnu": 60.0}}]
    found = compared(_COSTS, rounds, "fib")
    assert (found.ours, found.quotient, found.rounds) == (20.0, 2.0, 1)
    assert compared(_COSTS, [{"fib": {"gcc gnu": 1.0}}], "fib") is None
    assert compared(_COSTS, [{"fib": {"gcc heddle": 1.0}}], "fib").quotient is None


def test_every_part_runs_once_and_again_while_there_is_time():
    figures = {"row": {"gcc heddle": 1.0}}
    slow = part("slow", f"import time; time.sleep(1); {writes(figures)}")
    record = many_cores.measured([part("quick", writes(figures)), slow], 2, 0.001)
    assert record["rounds"] == {"quick": [figures], "slow": [figures]}
    record = many_cores.measured([part("quick", writes(figures)), slow], 2, 1.8)
    assert len(record["rounds"]["slow"]) == 1 and len(record["rounds"]["quick"]) > 1


def test_a_part_that_fails_is_named_and_the_others_are_kept():
    figures = {"row": {"gcc heddle": 1.0}}
    bad = part("bad", "import sys; sys.exit('heddle: the loom is broken')")
    record = many_cores.measured([bad, part("good", writes(figures))], 2, 0.001)
    assert record["failures"] == {"bad": "exit status 1: the loom is broken"}
    assert record["rounds"] == {"bad": [], "good": [figures]}


def test_the_page_is_what_the_records_give():
    assert many_cores.PAGE.read_text(encoding="utf-8") == many_cores.page(many_cores.records())


def test_rows_of_older_days_stay():
    kept = many_cores.records()
    newer = {**kept[0], "date": "2031-01-01T00:00:00+00:00", "commit": "abcdef0"}
    lines = many_cores.page([newer, *kept]).splitlines()
    rows = [line for line in lines if line.startswith("| fib |")]
    assert ["abcdef0" in row for row in rows] == [True] + [False] * len(kept)


@pytest.mark.sampled
@pytest.mark.parametrize("name", [part.name for part in many_cores.PARTS])
def test_each_part_gives_rows(name, tmp_path):
    file = tmp_path / "record.json"
    done = heddle("bench", "many-cores", "--parts", name, "--minutes", "0.001", "--json", file, timeout_s=1200)
    assert done.returncode == 0, done.stderr
    record = json.loads(file.read_text())
    (rows,) = record["rounds"][name]
    ours = [figures for figures in rows.values() if any(map(many_cores.is_ours, figures))]
    assert ours and all(figure > 0 for figures in ours for figure in figures.values())
    shown = next(part for part in many_cores.PARTS if part.name == name)
    assert f"{shown.title}: {shown.unit}" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--parts", "sink"], "no 'sink'; there are grain, tasks, sync"),
        (["--minutes", "0"], "--minutes 0"),
        (["--threads", "0"], "--threads 0"),
        (["--json", "/proc/nowhere/x.json"], "--json"),
    ],
)
def test_a_mistake_is_one_line(arguments, words):
    assert_one_line(heddle("bench", "many-cores", *arguments), words)
