"""What the demos' pages have in common: a frame (base.html), pictures inside, the conditions of a measurement."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from heddle import whole_file


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


def data_uri(png: bytes) -> str:
    """A picture inside the page."""
    return "data:image/png;base64," + base64.b64encode(png).decode()


def with_text(svg: str, text: str) -> Markup:
    """A picture that says what it is to those who do not see it."""
    return Markup(svg.replace("<svg ", f'<svg role="img" aria-label="{escape(text)}" ', 1))


def count(number: int) -> str:
    """As a word, where it is a small one."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[number] if number < len(words) else str(number)


def plural(number: int, noun: str) -> str:
    """'2 threads', '1 thread'."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def write(path: Path, template: Path, values: Mapping[str, object]) -> None:
    """Puts the page in the place of what was there: a reader finds the one or the other, and never half of it.

    template: Jinja2's, which extends base.html.
    """
    folders = [template.parent, Path(__file__).parent]
    environment = Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    whole_file.put(path, environment.get_template(template.name).render(values).encode())
