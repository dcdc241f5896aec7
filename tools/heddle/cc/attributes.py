"""OpenMP directives as attributes: [[omp::directive(task)]], [[omp::sequence(directive(parallel), directive(single))]].

The directives of a sequence apply to what follows in their order, as pragmas on lines of their own do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LITERAL_OR_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", re.DOTALL)
_MARKER_LINE = re.compile(r"^[ \t]*#[^\n]*\n?", re.MULTILINE)
_OPENING, _CLOSING = "([{", ")]}"
_USING = re.compile(r"\s*using\s+(\w+)\s*:(?!:)")
_ATTRIBUTE = re.compile(r"\s*(?:(\w+)\s*::\s*)?(\w+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_NAME_AND_COMMA = re.compile(r"^([\w\s]+?)\s*,\s*")
_NAMES = {"directive", "sequence"}


@dataclass(frozen=True)
class Attribute:
    """The directives between one pair of double brackets; the columns are where it begins and ends in its lines.

    has_others: whether attributes that are no directives stand beside them.
    """

    directives: tuple[str, ...]
    has_others: bool
    column: int
    end: int
    end_column: int


def read(text: str, begin: int) -> Attribute | None:
    """The attribute whose brackets open at `begin`; None where it has no OpenMP directive."""
    end = _end(text, begin)
    if end is None:
        return None
    inner = _without_comments(text[begin:end]).strip()[1:-1].strip()[1:-1]
    inner = _MARKER_LINE.sub("", inner)
    using = _USING.match(inner)
    words = [word for word in _split(inner[using.end() :] if using else inner) if word.strip()]
    lists = [_directives(word, using[1] if using else "") for word in words]
    found = tuple(directive for some in lists for directive in some)
    if not found:
        return None
    return Attribute(found, not all(lists), _column(text, begin), end, _column(text, end))


def _directives(word: str, namespace: str) -> list[str]:
    """The directives of one attribute, none for other attributes."""
    match = _ATTRIBUTE.fullmatch(word)
    if not match or (match[1] or namespace).strip("_") != "omp" or match[2].strip("_") not in _NAMES:
        return []
    if match[2].strip("_") == "directive":
        # Compilers take no comma between a pragma's name and its first clause.
        return [_NAME_AND_COMMA.sub(r"\1 ", " ".join((match[3] or "").split("\n")).strip())]
    return [directive for item in _split(match[3] or "") for directive in _directives(item, "omp")]


def _split(text: str) -> list[str]:
    """What commas separate, those in brackets and literals apart."""
    parts, depth, begin, i = [], 0, 0, 0
    while i < len(text):
        if match := _LITERAL_OR_COMMENT.match(text, i):
            i = match.end()
            continue
        depth += (text[i] in _OPENING) - (text[i] in _CLOSING)
        if text[i] == "," and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
        i += 1
    return [*parts, text[begin:]]


def _end(text: str, begin: int) -> int | None:
    """Behind the bracket that closes the one at `begin`."""
    depth, i = 0, begin
    while i < len(text):
        if match := _LITERAL_OR_COMMENT.match(text, i):
            i = match.end()
            continue
        depth += (text[i] in _OPENING) - (text[i] in _CLOSING)
        i += 1
        if depth == 0:
            return i
    return None


def _without_comments(text: str) -> str:
    return _LITERAL_OR_COMMENT.sub(lambda match: " " if match[0].startswith("/") else match[0], text)


def _column(text: str, position: int) -> int:
    return position - text.rfind("\n", 0, position) - 1
