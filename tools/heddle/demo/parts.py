"""What the demos' pages have in common: their style, pictures inside the page, and the conditions of a measurement."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from heddle import whole_file

STYLE = """\
:root { color-scheme: light dark; --ink: #1b2838; --muted: #5c6675; --paper: #fbfaf7; --line: #e3e0d8; --mark: #14507a;
  --panel: #f1eee6; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e3dc; --muted: #a3aab4; --paper: #171c23; --line: #323a45; --mark: #8cc4ee; --panel: #222932; }
  figure img, figure svg { background: #fbfaf7; border-radius: 8px; padding: .6rem; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 "Source Sans 3", "Segoe UI", "Helvetica Neue", system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 3rem 1.5rem 5rem; }
header { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 22rem); gap: 2.5rem; align-items: center; }
h1 { font-size: 2.3rem; line-height: 1.15; font-weight: 650; margin: 0 0 1rem; letter-spacing: -0.01em; }
h2 { font-size: 1.25rem; margin: 3.2rem 0 .8rem; font-weight: 650; }
p { max-width: 44rem; margin: 0 0 .9rem; }
img, svg { display: block; max-width: 100%; height: auto; }
figure { margin: 0; }
figcaption, .note { color: var(--muted); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .38rem .8rem; text-align: right; white-space: nowrap; }
th { font-weight: 600; color: var(--muted); font-size: .85rem; border-bottom: 1.5px solid var(--ink); }
th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }
tr.first td { border-top: 1px solid var(--line); }
tr.best td { font-weight: 650; color: var(--mark); }
code, pre { font: .86rem/1.6 "JetBrains Mono", "DejaVu Sans Mono", ui-monospace, monospace; }
pre { background: var(--panel); border-radius: 6px; padding: 1rem 1.2rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 1rem; }
dl { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.2rem; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 46rem) {
  main { padding: 1.5rem 1rem 3rem; }
  header { grid-template-columns: minmax(0, 1fr); gap: 1.2rem; }
  h1 { font-size: 1.8rem; }
  th, td { padding: .3rem .4rem; font-size: .82rem; }
  th { white-space: normal; vertical-align: bottom; }
  .range { display: none; }
  .scroll svg { min-width: 34rem; max-width: none; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .5rem; }
}
"""


@dataclass
class Conditions:
    """Where and when, and what was compared."""

    date: str
    machine: Mapping[str, object]  # as machine.described() says it
    version: str  # of Heddle
    runtimes: Mapping[str, str]  # title -> file of the library
    meanings: Mapping[str, str]  # of each way to run the program: name -> what it is


def conditions_text(conditions: Conditions) -> str:
    """In one or two sentences."""
    machine = conditions.machine
    libraries = ", ".join(f"{title} ({file})" for title, file in conditions.runtimes.items())
    return (
        f"Measured {conditions.date} on {machine['processors']} processors ({machine['model']}, Linux "
        f"{machine['kernel']}), built by GCC, with {conditions.version}. Runtimes: {libraries}."
    )


def definitions(meanings: Mapping[str, str]) -> str:
    """Rows of a <dl>."""
    return "\n".join(
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(meaning)}</dd>" for name, meaning in meanings.items()
    )


def data_uri(png: bytes) -> str:
    """A picture inside the page."""
    return "data:image/png;base64," + base64.b64encode(png).decode()


def with_text(svg: str, text: str) -> str:
    """A picture that says what it is to those who do not see it."""
    return svg.replace("<svg ", f'<svg role="img" aria-label="{html.escape(text)}" ', 1)


def count(number: int) -> str:
    """As a word, where it is a small one."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[number] if number < len(words) else str(number)


def plural(number: int, noun: str) -> str:
    """'2 threads', '1 thread'."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def write(path: Path, text: str) -> None:
    """Puts the page in the place of what was there; whoever reads meanwhile finds the one or the other."""
    whole_file.put(path, text.encode())
