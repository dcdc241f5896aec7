"""The table of environment variables, runtime/icv/environment.json, as people read it.

The runtime is compiled from the same table. The man page and the page of the documentation are kept in the
repository; a test checks that they are what the table gives.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from heddle import paths

MAN_PAGE = paths.ROOT / "docs" / "man" / "heddle.7"
DOC_PAGE = paths.ROOT / "docs" / "runtime" / "environment.md"

_WIDTH = 80
_MADE = "made by 'heddle env --write' from runtime/icv/environment.json"


@dataclass(frozen=True)
class Variable:
    """One variable; the table says what each field is."""

    name: str
    icv: str
    section: str
    form: str
    default: str
    does: str
    change: str
    effect: str
    shown: str
    read_by: str

    @property
    def source(self) -> str:
        """Where the standard defines it, or that it is ours."""
        return f"OpenMP 5.2, section {self.section}" if self.section else "Heddle's own"


def load() -> list[Variable]:
    """The variables in the order of the table."""
    return [Variable(**row) for row in json.loads(paths.VARIABLES.read_text(encoding="utf-8"))["variables"]]


def text(variables: Iterable[Variable], environment: Mapping[str, str]) -> str:
    """What `heddle env` prints: a paragraph a variable, with its value where it is set."""
    return "\n".join("\n".join(_paragraph(variable, environment.get(variable.name))) + "\n" for variable in variables)


def _paragraph(variable: Variable, value: str | None) -> list[str]:
    lines = [variable.name if value is None else f"{variable.name}={value}"]
    rows = [
        ("value", variable.form),
        ("without", variable.default),
        ("does", variable.does),
        ("change", variable.change),
        ("see", variable.source),
    ]
    if variable.effect:
        rows.append(("but", f"it has no effect yet: {variable.effect}"))
    for label, words in rows:
        lines += textwrap.wrap(
            words, _WIDTH, initial_indent=f"  {label:<8} ", subsequent_indent=" " * 11, break_long_words=False
        )
    return lines


def page(variables: Iterable[Variable]) -> str:
    """docs/runtime/environment.md."""
    lines = [
        f"<!-- {_MADE} -->",
        "# Environment variables",
        "",
        "Read once, when a program first uses OpenMP; ignored in set-user-ID programs. A value that is not understood",
        "gives one line on standard error that names the variable, the value and what is used instead; an empty one",
        "counts as none.",
        "`OMP_DISPLAY_ENV` prints what a program runs with; `./heddle env` prints what is",
        "here with the values that are set now.",
        "",
        "Where `OMP_NUM_THREADS` is not set, `OMP_NUM_THREADS_ALL` counts, which is for the host and all devices. So",
        "it is with `OMP_DYNAMIC`, `OMP_MAX_ACTIVE_LEVELS`, `OMP_NUM_TEAMS`, `OMP_PROC_BIND`, `OMP_SCHEDULE`,",
        "`OMP_STACKSIZE`, `OMP_TEAMS_THREAD_LIMIT`, `OMP_THREAD_LIMIT` and `OMP_WAIT_POLICY`. Names with `_DEV` are",
        "for other devices than the host (OpenMP 5.2, section 21), of which there are none.",
        "",
    ]
    for variable in variables:
        lines += [f"## {variable.name}", "", variable.does, ""]
        lines += [f"- **Value:** {_literal(variable.form)}", f"- **Without:** {_literal(variable.default)}"]
        lines += [f"- **When to change it:** {_literal(variable.change)}"]
        if variable.effect:
            lines.append(f"- **No effect yet:** {variable.effect}")
        icv = f"; it sets *{variable.icv}*" if variable.icv else ""
        lines += [f"- {variable.source}{icv}", ""]
    return "\n".join(lines)


def _literal(words: str) -> str:
    return words.replace("|", "\\|").replace("*", "\\*")


def man(variables: Iterable[Variable]) -> str:
    """docs/man/heddle.7."""
    lines = [
        f'.\\" {_MADE}',
        '.TH HEDDLE 7 "" "Heddle" "Environment variables"',
        ".SH NAME",
        "heddle \\- environment variables of the OpenMP runtime libheddle",
        ".SH DESCRIPTION",
        "The variables are read once, when a program first uses OpenMP.",
        "Set-user-ID programs ignore them.",
        "A value that is not understood gives one line on standard error, and the default is used instead.",
        ".B OMP_DISPLAY_ENV",
        "prints what a program runs with.",
        ".SH ENVIRONMENT",
    ]
    for variable in variables:
        lines += [".TP", f".B {variable.name}", _roff(variable.does), ".br", f"Value: {_roff(variable.form)}."]
        lines += [".br", f"Without: {_roff(variable.default)}.", ".br", _roff(variable.change), ".br"]
        if variable.effect:
            lines += [f"No effect yet: {_roff(variable.effect)}.", ".br"]
        lines.append(f"({variable.source}.)")
    lines += [".SH SEE ALSO", "The OpenMP Application Programming Interface, version 5.2, chapter 21.", ""]
    return "\n".join(lines)


def _roff(words: str) -> str:
    return words.replace("\\", "\\e").replace("-", "\\-")


def made() -> dict[Path, str]:
    """The files made from the table, and what they should hold."""
    variables = load()
    return {MAN_PAGE: man(variables), DOC_PAGE: page(variables)}
