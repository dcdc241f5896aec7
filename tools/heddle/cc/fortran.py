"""Taskgraph and taskwait detach directives in Fortran, free and fixed form.

A directive becomes a BLOCK with declarations of its own, so that 'implicit none' holds and no name meets another. Line
markers in front of each line say where it belongs, so that nothing moves for the compiler, and no line is too long.
What the directives have in common is in the .inc files beside this one, which are right in both forms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from heddle.cc import directives, transparent
from heddle.cc.directives import DirectiveError, Taskgraph, TaskwaitDetach
from heddle.errors import UserError

INCLUDE_FOLDER = Path(__file__).resolve().parent

_FREE = re.compile(r"\s*!\$omp\b(?P<text>.*)", re.IGNORECASE)
_FREE_CONTINUATION = re.compile(r"\s*!\$omp\s*&?(?P<text>.*)", re.IGNORECASE)
_FIXED = re.compile(r"[!cC*]\$omp[ \t0](?P<text>.*)", re.IGNORECASE)
_FIXED_CONTINUATION = re.compile(r"[!cC*]\$omp[^ \t0](?P<text>.*)", re.IGNORECASE)
_COMMENT_OR_STRING = re.compile(r"!.*|'(?:''|[^'])*'|\"(?:\"\"|[^\"])*\"")
_MARKER = re.compile(r'#(?:\s*line)?\s+(\d+)\s+"((?:\\.|[^"\\])*)"')
_BLOCK = re.compile(r"\s*(?:[a-z]\w*\s*:)?\s*block\s*$", re.IGNORECASE)
_END_BLOCK = re.compile(r"\s*end\s*block(?:\s+[a-z]\w*)?\s*$", re.IGNORECASE)

_FREE_WIDTH, _FIXED_WIDTH = 100, 66


@dataclass
class _Source:
    """A text on its way: lines in, lines out, and where the next line of the text belongs."""

    lines: list[str]
    is_fixed: bool
    is_cut: bool  # fixed form ends at column 72
    file: str
    number: int = 1
    at: int = 0
    made: list[str] = field(default_factory=list)
    is_changed: bool = False
    open_regions: list[str] = field(default_factory=list)  # the places of their directives
    ends: set[int] = field(default_factory=set)  # lines that end a region without a directive

    def place(self) -> str:
        return f"{self.file}:{self.number}"


def rewritten(text: str, is_fixed: bool, is_cut: bool, name: str) -> tuple[str, bool]:
    """The text with its directives as calls, beginning with a marker of its source; and whether it has changed.

    is_cut: whether what stands behind column 72 of fixed form is comment.
    Errors: UserError with file and line.
    """
    source = _Source(text.removeprefix("\ufeff").split("\n"), is_fixed, is_cut, name)
    if not source.lines[0].startswith("# "):
        source.made += 2 * [_marker(source)]  # gfortran -fpreprocessed misreads the line behind a single one
    if not directives.HINTS.search(text):
        return "\n".join([*source.made, *source.lines]), False
    while source.at < len(source.lines):
        line = source.lines[source.at]
        directive, count = _directive(source)
        try:
            is_replaced = directive is not None and _replace(source, directive, count)
        except DirectiveError as error:
            raise UserError(f"{source.place()}: {error}") from None
        if not is_replaced:
            source.made.append(line)
            count = 1
        ends_region = source.at in source.ends
        if ends_region:
            _leave(source)
        source.at += count
        if match := _MARKER.match(line):
            source.file, source.number = re.sub(r"\\(.)", r"\1", match[2]), int(match[1])
        else:
            source.number += count
        if is_replaced or ends_region:
            source.made.append(_marker(source))
    if source.open_regions:
        raise UserError(f"{source.open_regions[-1]}: this taskgraph has no end")
    return "\n".join(source.made), source.is_changed


def _replace(source: _Source, directive: str, count: int) -> bool:
    """Makes other lines of the directive, or returns False where it may stay."""
    if directives.is_taskgraph(directive):
        clauses = directives.taskgraph(directive)
        source.open_regions.append(source.place())
        if (end := _end_of_block(source, source.at + count)) is not None:
            source.ends.add(end)
        _enter(source, clauses)
    elif directives.is_end_of_taskgraph(directive):
        if not source.open_regions:
            raise DirectiveError("no taskgraph is open here")
        _leave(source)
    elif wait := directives.taskwait_detach(directive):
        _wait(source, wait)
    elif re.match(r"\s*task_iteration\b", directive, re.IGNORECASE):
        raise DirectiveError("task_iteration in Fortran: not yet; gfortran 12 has no iterators in depend clauses")
    elif transparent.read(directive) is not None:
        raise DirectiveError("transparent tasks and weak dependences in Fortran: not yet; call heddle_next_task_weak")
    else:
        other = directives.without_recording_clauses(directive)
        if other.text == directive:
            return False
        if other.replayable is not None:
            _say_if_replayable(source, other.replayable)
        _put_directive(source, other.text)
    source.is_changed = True
    return True


def _enter(source: _Source, clauses: Taskgraph) -> None:
    _put(source, "block")
    _put(source, "include 'heddle_cc_declarations.inc'")
    if clauses.graph_id is not None:
        _put(source, f"heddle_cc_%graph_id = {clauses.graph_id}")
    for name, expression, yes, no in (
        ("graph_reset", clauses.graph_reset, 1, 0),
        ("if_false", clauses.condition, 0, 1),
        ("nogroup", clauses.nogroup, 1, 0),
    ):
        if expression is not None:
            _put(source, f"heddle_cc_%{name} = merge({yes}, {no}, {expression or '.true.'})")
    _put(source, "include 'heddle_cc_enter.inc'")
    _put(source, "if (heddle_cc_is_in_ /= 0) then")


def _leave(source: _Source) -> None:
    source.open_regions.pop()
    _put(source, "include 'heddle_cc_leave.inc'")
    _put(source, "end if")
    _put(source, "end block")


def _say_if_replayable(source: _Source, expression: str) -> None:
    _put(source, "block")
    _put(source, "include 'heddle_cc_next_task.inc'")
    _put(source, f"heddle_cc_is_replayable_ = merge(1, 0, {expression})")
    _put(source, "include 'heddle_cc_replayable.inc'")
    _put(source, "end block")


def _wait(source: _Source, clauses: TaskwaitDetach) -> None:
    _put(source, "block")
    _put(source, "include 'heddle_cc_event.inc'")
    _put(source, f"heddle_cc_event_ = {clauses.event}")
    if clauses.is_nowait:
        _put_directive(source, f"task {clauses.depend} firstprivate(heddle_cc_event_)")
    elif clauses.depend:
        _put_directive(source, f"taskwait {clauses.depend}")
    _put(source, "include 'heddle_cc_wait.inc'")
    if clauses.is_nowait:
        _put_directive(source, "end task")
    _put(source, "end block")


def _marker(source: _Source) -> str:
    file = source.file.replace("\\", "\\\\").replace('"', '\\"')
    return f'# {source.number} "{file}"'


def _put(source: _Source, statement: str) -> None:
    """A statement of one line or several, all of which belong to the line that is being read."""
    width = _FIXED_WIDTH if source.is_fixed else _FREE_WIDTH
    parts = [statement[i : i + width] for i in range(0, len(statement), width)]
    lines = [
        f"{'     &' if i else '      '}{part}"
        if source.is_fixed
        else f"{'&' if i else ''}{part}{'&' if part is not parts[-1] else ''}"
        for i, part in enumerate(parts)
    ]
    source.made += [_marker(source), *lines]


def _put_directive(source: _Source, directive: str) -> None:
    """A directive, continued between its words."""
    width = _FIXED_WIDTH if source.is_fixed else _FREE_WIDTH
    parts = [""]
    for word in re.findall(r"[^\s,(]*[\s,(]*", directive.strip()):
        if len(parts[-1]) + len(word) > width:
            parts.append("")
        parts[-1] += word
    source.made.append(_marker(source))
    for i, part in enumerate(parts):
        if source.is_fixed:
            source.made.append(f"!$omp{'&' if i else ' '}{part.rstrip()}")
        else:
            source.made.append(f"!$omp{'&' if i else ' '}{part}{'&' if i + 1 < len(parts) else ''}")


def _directive(source: _Source) -> tuple[str | None, int]:
    """The directive that begins in this line, its continuations joined, and how many lines it has."""
    first, more = (_FIXED, _FIXED_CONTINUATION) if source.is_fixed else (_FREE, _FREE_CONTINUATION)
    match = first.match(_line(source, source.at))
    if not match:
        return None, 1
    text = _without_comment(match["text"])
    last = count = 1  # lines of the directive; and those looked at, comments between them included
    while (source.is_fixed or text.rstrip().endswith("&")) and source.at + count < len(source.lines):
        line = _line(source, source.at + count)
        count += 1
        if match := more.match(line):
            text = (text if source.is_fixed else text.rstrip()[:-1]) + _without_comment(match["text"])
            last = count
        elif not _is_comment(source, line) or first.match(line):
            break
    return text, last


def _is_comment(source: _Source, line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("!") or (source.is_fixed and line[0] in "cC*")


def _line(source: _Source, i: int) -> str:
    line = source.lines[i].rstrip("\r")
    return line[:72] if source.is_fixed and source.is_cut else line


def _without_comment(text: str) -> str:
    return _COMMENT_OR_STRING.sub(lambda match: "" if match[0].startswith("!") else match[0], text)


def _end_of_block(source: _Source, begin: int) -> int | None:
    """Where a region that is a BLOCK ends, if no directive says so: the line of its END BLOCK."""
    depth = 0
    i = begin
    while i < len(source.lines):
        line = _line(source, i)
        statement = "" if _is_comment(source, line) or line.startswith("#") else _without_comment(line)
        if statement.strip():
            depth += bool(_BLOCK.match(statement)) - bool(_END_BLOCK.match(statement))
            if depth == 0:
                break
        i += 1
    if depth > 0 or i >= len(source.lines) or not _END_BLOCK.match(_without_comment(_line(source, i))):
        return None
    pattern = _FIXED if source.is_fixed else _FREE
    for line in source.lines[i + 1 :]:
        if match := pattern.match(line):
            return None if directives.is_end_of_taskgraph(_without_comment(match["text"])) else i
        if not _is_comment(source, line):
            return i
    return i
