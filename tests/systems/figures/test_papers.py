"""heddle papers: what it measures is on one page beside what the papers say, and mistakes are one line."""

import json

import pytest
from command import assert_one_line, heddle
from heddle.papers import finding, page, session
from heddle.papers.finding import Finding

FOUND = Finding(
    "Figure 1: <all>", "Twice.", ("threads", "ratio"), [("2", "0.50 [0.40 … 0.60]")], "Half.", "run it", True
)


def test_every_paper_has_a_page_in_the_documentation():
    from heddle import paths

    for paper in session.PAPERS.values():
        assert (paths.ROOT / paper.document).is_file(), paper.document


def test_ratios_are_of_pairs():
    assert finding.spread([1, 2, 9], [2, 2, 3]) == "1.00 [0.50 … 3.00]"
    assert finding.middle([1, 2, 9], [2, 2, 3]) == 1
    assert [finding.times(ns) for ns in (12.3, 4560, 7.89e6, 1.2e9)] == ["12.3 ns", "4.56 µs", "7.89 ms", "1.2 s"]


def test_the_page_has_both_sides_and_says_what_is_simulated():
    papers = list(session.PAPERS.values())
    text = page.html([(papers[0], "today", [FOUND]), (papers[1], "", [])])
    for words in (
        "Figure 1: &lt;all&gt;",
        "Twice.",
        "Half.",
        "0.50 [0.40 … 0.60]",
        "simulated</span>",
        "Not measured yet",
    ):
        assert words in text
    assert "simulated</span>" not in page.html([(papers[0], "today", [])])


def test_a_quick_measurement_is_on_the_page_and_in_the_records(tmp_path):
    result = heddle("papers", "pereira", "--quick", "--out", tmp_path, timeout_s=600)
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"{tmp_path / 'index.html'}\n"
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "7.853665e+03" in text and "quick: too small to say anything" in text and "heddle papers yu" in text
    found = json.loads((tmp_path / "records" / "pereira.json").read_text(encoding="utf-8"))["findings"]
    assert [row[3] for row in found[1]["rows"]] == ["72", "72", "72"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["rico", "knuth"], "there is no paper 'knuth'"), (["--out", "/dev/null/x"], "/dev/null/x cannot be written")],
)
def test_a_mistake_is_one_line(arguments, words):
    assert_one_line(heddle("papers", *arguments), words)
