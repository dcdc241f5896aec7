"""A C header as a page: its comments are the text, its declarations the headings.

What a header here looks like: a comment stands before what it describes; one that begins with "-- Title ---" opens a
section; names that end in an underscore are no user's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SECTION = re.compile(r"^-- (.+?) -{3,}\s*")
# Fixed words that begin a paragraph.
_LABEL = re.compile(
    r"(?:(?<=^)|(?<=[.)] ))(Requires|Ensures|Errors|Threads|Ordering|Cost|Source|Returns)(:| )", re.MULTILINE
)


@dataclass(frozen=True)
class _Piece:
    kind: str  # "comment", "macro" or "code"
    text: str
    is_below: bool  # stands in the line after the piece before


def page(title: str, header: str) -> str:
    """The page's Markdown."""
    pieces = list(_pieces(header))
    blocks = [f"# {title}"]
    if pieces and pieces[0].kind == "comment":  # what the file is
        about = pieces.pop(0).text.partition(": ")[2]
        blocks.append(_prose(about[:1].upper() + about[1:]))
    comment = ""
    for piece in pieces:
        if piece.kind == "comment":
            section = _SECTION.match(piece.text)
            if section:
                blocks += [f"## {section[1]}", _prose(piece.text[section.end() :])]
            comment = "" if section else piece.text
            continue
        shown = _shown(piece)
        if shown is None:
            comment = ""
            continue
        name, declaration = shown
        if comment:
            blocks += [f"### {name}", f"```c\n{declaration}\n```", _prose(comment)]
        elif piece.is_below and blocks[-2].endswith("```"):  # under the comment of the one above
            blocks[-2] = blocks[-2].removesuffix("```") + declaration + "\n```"
        elif piece.kind == "code":
            blocks += [f"### {name}", f"```c\n{declaration}\n```", ""]
        comment = ""
    return "\n\n".join(block for block in blocks if block) + "\n"


def _pieces(text: str) -> Iterator[_Piece]:
    """The header's comments, macros and declarations, in order."""
    at = end = 0
    while at < len(text):
        is_below = text[end:at] == "\n"
        if text[at].isspace():
            at += 1
            continue
        if text.startswith("/*", at):
            end = text.index("*/", at) + 2
            yield _Piece("comment", _uncommented(text[at:end]), is_below)
        elif text[at] == "#":
            end = re.compile(r"(?:\\\n|[^\n])*").match(text, at).end()
            if re.match(r"#\s*define", text[at:end]):
                yield _Piece("macro", text[at:end], is_below)
        else:
            end = _end_of_declaration(text, at)
            yield _Piece("code", text[at:end], is_below)
        at = end


def _end_of_declaration(text: str, at: int) -> int:
    if text.startswith('extern "C" {', at):
        return at + len('extern "C" {')
    if text[at] == "}":
        return at + 1
    depth = 0
    for found in re.compile(r"/\*.*?\*/|[{};]", re.DOTALL).finditer(text, at):
        mark = found[0]
        depth += {"{": 1, "}": -1}.get(mark, 0)
        is_function = mark == "}" and "(" in text[at : text.index("{", at)]
        if depth == 0 and (mark == ";" or is_function):
            return found.end()
    return len(text)


def _uncommented(comment: str) -> str:
    first, *others = comment.removeprefix("/*").removesuffix("*/").split("\n")
    return "\n".join([first, *(re.sub(r"^ \* ?", "", line) for line in others)]).strip()


def _shown(piece: _Piece) -> tuple[str, str] | None:
    """Name and declaration; None for what is not for users."""
    if piece.kind == "macro":
        name = re.match(r"#\s*define\s+(\w+)", piece.text)[1]
        has_parameters = piece.text.partition(name)[2].startswith("(")
        declaration = f"{name}(clauses)" if has_parameters else piece.text
        return None if re.search(r"_$|_API$|_H$|EVENT_T$", name) else (name, declaration)
    if re.fullmatch(r'extern "C" \{|\}', piece.text):
        return None
    declaration = re.sub(r"HEDDLE_(?:MPI_)?API |static inline |__attribute__\(\(.*?\)\) |CUDART_CB ", "", piece.text)
    declaration = re.sub(r" HEDDLE_IS_0_", "", declaration)
    if declaration.startswith("typedef"):
        is_function = "{" not in declaration and "(*" in declaration
        name = re.search(r"\(\*(\w+)\)" if is_function else r"(\w+);$", declaration)[1]
    else:
        name = re.search(r"(\w+)\(", declaration)[1]
        declaration = re.sub(r"\s*\{.*", ";", declaration, flags=re.DOTALL)
        declaration = re.sub(r"\n +", "\n    ", declaration)
    return None if name.endswith("_") else (name, declaration)


def _prose(text: str) -> str:
    """A comment's paragraphs; what is indented by four and more is code, the fixed words begin a paragraph each."""
    paragraphs: list[str] = []
    for block in filter(None, re.split(r"\n\s*\n", text.strip("\n"))):
        lines = block.split("\n")
        if all(line.startswith("    ") or not line for line in lines):
            paragraphs.append("```c\n" + "\n".join(line[4:] for line in lines) + "\n```")
        else:
            block = re.sub(r"(?<!\w)\*(?=\w)", r"\\*", block)
            paragraphs.append(_LABEL.sub(r"\n\n**\1**\2", re.sub(r"^- ", "\n- ", block, count=1, flags=re.MULTILINE)))
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(paragraphs)).replace("**Returns** ", "Returns ").strip()
