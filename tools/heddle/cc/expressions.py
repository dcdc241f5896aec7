"""Expressions of C and C++ in clauses, as text: their tokens, lists of them, array sections, iterators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from heddle.cc.directives import DirectiveError, closing

TOKEN = re.compile(
    r"/\*.*?\*/|//[^\n]*|^[ \t]*\#[^\n]*"
    r"|\"(?:\\.|[^\"\\\n])*\"|\d[\w.]*(?:'[\w.]+)*|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*|::|->|&&|\|\||==|.",
    re.DOTALL | re.MULTILINE,
)
# A declaration with a value, as of a loop or an iterator.
DECLARATION = re.compile(r"\s*(?P<type>[^=]*?[\s*&>])?\s*(?P<name>[A-Za-z_]\w*)\s*=(?!=)(?P<value>.*)", re.DOTALL)


def first_element(item: str) -> str:
    """Of an array section, whose address is that of the whole; other list items as they are."""
    made, left_out = "", 0  # left_out: from so many brackets on, which are a section's
    open_: list[list[Any]] = []  # brackets, and how many ? of theirs have had no : yet
    for token, depth in tokens(item):
        if left_out and depth >= left_out:
            continue
        left_out = 0
        if token in "([{":
            open_.append([token, 0])
        elif token in ")]}" and open_:
            open_.pop()
        elif open_ and token == "?":
            open_[-1][1] += 1
        elif open_ and token == ":":
            if open_[-1] == ["[", 0]:
                made += "0" if made.rstrip()[-1:] == "[" else ""
                left_out = depth
                continue
            open_[-1][1] -= 1
        made += token
    return made


def iterators(argument: str) -> tuple[list[str], str]:
    """Of a clause with an iterator modifier, the heads of the loops that this stands for; and what is behind it."""
    match = re.match(r"\s*iterator\s*\(", argument)
    if not match:
        return [], argument
    end = closing(argument, match.end() - 1)
    heads = [_loop_head(text) for text in split(argument[match.end() : end], ",")]
    return heads, re.sub(r"^\s*[,:]", "", argument[end + 1 :])


def _loop_head(text: str) -> str:
    """Of an iterator: type name = begin : end : step."""
    match = DECLARATION.fullmatch(text)
    bounds = split(match["value"], ":") if match else []
    if match is None or len(bounds) not in (2, 3):
        raise DirectiveError(f"'{text.strip()}' is no iterator: int name = begin : end : step")
    begin, end, step = (bound.strip() for bound in (*bounds, "1")[:3])
    name, kind = match["name"], (match["type"] or "int").strip()
    return f"for ({kind} {name} = ({begin}); ({step}) > 0 ? {name} < ({end}) : {name} > ({end}); {name} += ({step}))"


def tokens(text: str) -> Iterator[tuple[str, int]]:
    """Each token with the number of brackets around it; of a bracket that opens, with itself."""
    depth = 0
    for match in TOKEN.finditer(text):
        depth += (match[0] in "([{") - (match[0] in ")]}")
        yield match[0], depth


def split(text: str, separator: str) -> list[str]:
    """The parts between separators outside of brackets; a colon that belongs to :: or ?: is none."""
    parts, choices = [""], 0
    for token, depth in tokens(text):
        choices += token == "?"
        if token == separator and depth == 0 and choices == 0:
            parts.append("")
            continue
        if token == ":" and choices > 0:
            choices -= 1
        parts[-1] += token
    return parts
