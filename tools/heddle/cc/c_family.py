"""Taskgraph and taskwait detach directives in preprocessed C and C++.

Preprocessed text names the file and the line of everything in it, so directives in headers, from macros and behind #if
are found where they take effect. What replaces a directive belongs to its line; preludes stand between line markers of
their own. No line moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from heddle.cc import directives
from heddle.cc.directives import DirectiveError, Taskgraph, TaskwaitDetach
from heddle.errors import UserError

# GCC expands no macros in directives that it does not know, but those in the name of one. As this macro, taskgraph is
# a directive that it knows.
_STAND_IN = "heddle_cc_taskgraph_"
GNU_PREPROCESSING = f"-Dtaskgraph=task {_STAND_IN}"
_STANDS_IN = re.compile(rf"\btask\s+{_STAND_IN}\b")

# Pieces of preprocessed text in which a line that looks like a directive is none, and directives. Comments are there
# where a warning reads them.
_PIECE = re.compile(
    r"""
    ^[ \t]*\#[ \t]*pragma[ \t]+omp\b(?P<directive>(?://[^\n]*|/\*.*?\*/|[^\n])*)
  | ^(?P<marker>[ \t]*\#[^\n]*)
  | /\*.*?\*/
  | //[^\n]*
  | (?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"
  | "(?:\\.|[^"\\\n])*"
  | '(?:\\.|[^'\\\n])*'
  | \d[\w.]*(?:'[\w.]+)*
  | [A-Za-z_$][\w$]*
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
_COMMENT_OR_LITERAL = re.compile(r"/\*.*?\*/|//.*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", re.DOTALL)
_MARKER = re.compile(r'[ \t]*#(?:[ \t]*line)?[ \t]+(\d+)[ \t]+"((?:\\.|[^"\\\n])*)"([ \t\d]*)')


def rewritten(text: str, is_cpp: bool, name: str) -> str | None:
    """The text with its directives as calls, or None where there is nothing to rewrite.

    name: the source's, where no line marker gives another.
    Errors: UserError with file and line.
    """
    text = _STANDS_IN.sub("taskgraph", text)
    if not directives.HINTS.search(text):
        return None
    parts: list[str] = []
    end = 0
    regions = left_out = 0
    preludes: set[str] = set()
    place = _Place(name)
    for piece in _PIECE.finditer(text):
        if piece["marker"]:
            place = _Place.named_by(piece[0], piece.end()) or place
        directive = piece["directive"]
        if directive is None or not directives.HINTS.search(directive):
            continue
        longer = directive.count("\n")  # by the lines of its comments
        directive = _without_comments(directive)
        number = place.number + text.count("\n", place.begin, piece.start())
        try:
            if directives.is_taskgraph(directive):
                loop = _indentation(text, piece.end()) + _loop(directives.taskgraph(directive), is_cpp, regions)
                # As if from a system header: warnings about the loop would help nobody.
                line = f"{place.marker(number, '3')}\n{loop}\n{place.marker(number + 1)}"
                regions += 1
                preludes.add("taskgraph")
            elif wait := directives.taskwait_detach(directive):
                line = _wait(wait, place.marker(number))
                preludes.add("taskwait")
            else:
                other = directives.without_recording_clauses(directive)
                if other.text == directive:
                    continue
                line = f"#pragma omp{other.text}"
                if other.replayable is not None:
                    once = _indentation(text, piece.end()) + _once(other.replayable, left_out)
                    line = f"{place.marker(number, '3')}\n{once}\n{place.marker(number)}\n{line}"
                    left_out += 1
                    preludes.add("replayable")
        except DirectiveError as error:
            raise UserError(f"{place.file}:{number}: {error}") from None
        parts += [text[end : piece.start()], line + longer * "\n"]
        end = piece.end()
    if not parts:
        return None
    changed = "".join([*parts, text[end:]])
    return _with_preludes(changed, sorted(preludes), is_cpp, name) if preludes else changed


@dataclass(frozen=True)
class _Place:
    """What a line marker says: the text from `begin` on is line `number` of `file`."""

    file: str
    number: int = 1
    flags: str = ""
    begin: int = 0

    @staticmethod
    def named_by(line: str, end: int) -> _Place | None:
        match = _MARKER.fullmatch(line)
        return match and _Place(re.sub(r"\\(.)", r"\1", match[2]), int(match[1]), match[3], end + 1)

    def marker(self, number: int, *flags: str) -> str:
        """A marker for this file. Where no flags are given, it stays a system header or none."""
        file = self.file.replace("\\", "\\\\").replace('"', '\\"')
        kept = flags or [flag for flag in self.flags.split() if flag in ("3", "4")]
        return " ".join([f'# {number} "{file}"', *kept])


def _loop(clauses: Taskgraph, is_cpp: bool, number: int) -> str:
    """A loop of one execution, or none, with the region as its body."""

    def flag(expression: str | None, given: str, absent: str = "0") -> str:
        return absent if expression is None else given.format(f"({expression or '1'})")

    cast: Callable[[str], str] = (
        (lambda e: f"static_cast<unsigned long>({e})") if is_cpp else (lambda e: f"(unsigned long)({e})")
    )
    nogroup = flag(clauses.nogroup, "({} ? 1 : 0)")
    variable = f"heddle_cc_is_in_{number}_"
    once = f"heddle_cc_nogroup_{number}_"
    arguments = ", ".join(
        [
            "__extension__({ static void* t_; &t_; })",
            cast(clauses.graph_id) if clauses.graph_id is not None else "0",
            flag(clauses.graph_reset, "({} ? 1 : 0)"),
            flag(clauses.condition, "({} ? 0 : 1)"),
            "0" if is_cpp else "1",
            once,
            "__builtin_frame_address(0)",
        ]
    )
    return (
        f"for (int {once} = {nogroup}, {variable} = 0; "
        f"({variable} = heddle_cc_unknown_({variable})) == 0 ? ({variable} = heddle_cc_enter_({arguments})) != 0 "
        f": ({variable} = heddle_cc_leave_({once})) != 0;)"
    )


def _once(replayable: str, number: int) -> str:
    """A loop of one execution around a task, before which it is said whether that is recorded."""
    variable = f"heddle_cc_once_{number}_"
    return f"for (int {variable} = heddle_cc_replayable_(({replayable}) ? 1 : 0); {variable} != 0; {variable} = 0)"


def _wait(clauses: TaskwaitDetach, marker: str) -> str:
    """What waits for an event, or the task that does. marker: what says that a line is the directive's."""
    if not clauses.depend:
        return f"heddle_cc_taskwait_detach_({clauses.event});"
    if not clauses.is_nowait:
        before, directive, event = "{", f"taskwait {clauses.depend}", clauses.event
    else:
        event = "heddle_cc_event_"
        before = f"{{ const unsigned long {event} = heddle_cc_event_of_({clauses.event});"
        directive = f"task {clauses.depend} firstprivate({event})"
    return "\n".join([before, marker, f"#pragma omp {directive}", marker, f"heddle_cc_taskwait_detach_({event}); }}"])


def _without_comments(directive: str) -> str:
    return _COMMENT_OR_LITERAL.sub(lambda match: " " if match[0].startswith("/") else match[0], directive)


def _indentation(text: str, end: int) -> str:
    """The blanks before what follows: a loop farther left than an unbraced region looks misleading to compilers."""
    match = re.compile(r"(?:\n[ \t]*(?:#[^\n]*)?)*\n([ \t]*)").match(text, end)
    return match[1] if match else ""


def _with_preludes(text: str, kinds: list[str], is_cpp: bool, name: str) -> str:
    """The text with preludes behind its first line markers, which name the source for debug information."""
    place, position = _Place(name), 0
    while match := _MARKER.match(text, position):
        place = _Place.named_by(match[0], match.end()) or place
        position = place.begin
    back = place.marker(place.number, "2", *(flag for flag in place.flags.split() if flag in ("3", "4")))
    preludes = ""
    for kind in kinds:
        prelude = (Path(__file__).parent / f"prelude_{kind}.h").read_text(encoding="utf-8")
        if is_cpp:
            prelude = f'extern "C" {{\n{prelude}}}\n'
        preludes += f'# 1 "heddle {kind}" 1 3\n{prelude}{back}\n'
    return text[:position] + preludes + text[position:]
