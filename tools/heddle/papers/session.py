"""Measures what was asked for, and writes the page."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from heddle import paths, results, terminal, whole_file
from heddle.errors import UserError
from heddle.papers import pereira, rico, sala, schulz, yu
from heddle.papers.finding import Finding, How, Paper

PAPERS = {paper.name: paper for paper in (rico.PAPER, sala.PAPER, schulz.PAPER, pereira.PAPER, yu.PAPER)}


def run(names: list[str], *, quick: bool, out: Path | None) -> Path:
    """Measures the papers of these names, all without any, and returns the page.

    A paper that was measured into the folder before, and is not among them, stays on the page. Errors: UserError for
    what was asked wrongly; CheckFailed where a program fails.
    """
    from heddle.papers import page  # Jinja takes its time

    for name in names:
        if name not in PAPERS:
            raise UserError(f"there is no paper '{name}'; there are {', '.join(PAPERS)}")
    folder = out or paths.OUT / "papers"
    records = folder / "records"
    try:
        records.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"--out {folder} cannot be written: {error.strerror}; name another folder") from None
    chosen = [PAPERS[name] for name in names] if names else list(PAPERS.values())
    with terminal.bar("measuring", announces=True) as progress:
        for number, paper in enumerate(chosen):

            def say(what: str, done: int = number, name: str = paper.name) -> None:
                progress(done, len(chosen), text=f"{name}: {what}")

            say("begins")
            found = paper.measure(How(quick, records, say))
            record = {"date": results.date(), "quick": quick, "findings": [asdict(finding) for finding in found]}
            results.write(records / f"{paper.name}.json", record)
        progress(len(chosen), len(chosen))
    file = folder / "index.html"
    whole_file.put(file, page.html([(paper, *_read(records, paper)) for paper in PAPERS.values()]).encode())
    return file


def _read(records: Path, paper: Paper) -> tuple[str, list[Finding]]:
    """When it was measured, and what came of it; nothing where it was not."""
    file = records / f"{paper.name}.json"
    if not file.exists():
        return "", []
    record = results.read(file)
    try:
        when = record["date"] + (", quick: too small to say anything" if record["quick"] else "")
        return when, [Finding(**{**finding, "headers": tuple(finding["headers"])}) for finding in record["findings"]]
    except (KeyError, TypeError):
        raise UserError(f"{file} is no record of 'heddle papers'; remove it, or measure {paper.name} again") from None
