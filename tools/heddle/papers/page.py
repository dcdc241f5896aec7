"""The page: one file, which opens from disk."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from heddle import machine, version
from heddle.papers.finding import Finding, Paper


def html(papers: list[tuple[Paper, str, list[Finding]]]) -> str:
    """papers: each with when it was measured and what was found."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined
    )
    described = machine.described()
    where = f"{described['model']}, {described['processors']} processors"
    return environment.get_template("page.html").render(papers=papers, where=where, version=version.line())
