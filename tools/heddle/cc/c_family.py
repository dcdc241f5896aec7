"""Directives of taskgraph, taskwait detach and task_iteration in preprocessed C and C++, as pragmas and as attributes.

Preprocessed text names the file and the line of everything in it, so directives in headers, from macros and behind #if
are found where they take effect. What replaces a directive belongs to its line; preludes stand between line markers of
their own. No line moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from heddle.cc import attributes, directives, taskloops, transparent
from heddle.cc.attributes import Attribute
from heddle.cc.directives import DirectiveError, Taskgraph, TaskwaitDetach
from heddle.cc.taskloops import Taskloop
from heddle.cc.transparent import TransparentTask
from heddle.errors import UserError

# GCC expands no macros in directives that it does not know, but those in the name of one. As these macros, taskgraph
# and task_iteration are directives that it knows. Elsewhere a macro would change names that are pasted together, so
# only the directives are taken from a text made with them.
_UNKNOWN = ("taskgraph", "task_iteration")
GNU_EXPANSION = [f"-D{name}=task heddle_cc_{name}_" for name in _UNKNOWN]
_STANDS_IN = re.compile(rf"\btask\s+heddle_cc_({'|'.join(_UNKNOWN)})_\b")
_WITH_CLAUSES = re.compile(rf"\s*(?:{'|'.join(_UNKNOWN)})\b\s*\S")

# Pieces of preprocessed text in which a line that looks like a directive is none, and directives. Comments are there
# where a warning reads them.
_PIECE = re.compile(
    r"""
    ^[ \t]*\#[ \t]*pragma[ \t]+omp\b(?P<directive>(?://[^\n]*|/\*.*?\*/|[^\n])*)
  | ^(?P<marker>[ \t]*\#[^\n]*)
  | (?P<attribute>\[\s*\[)
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
_MARKER_LINE = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_MARKER = re.compile(r'[ \t]*#(?:[ \t]*line)?[ \t]+(\d+)[ \t]+"((?:\\.|[^"\\\n])*)"([ \t\d]*)')


def needs_expansion(text: str) -> bool:
    """Whether GCC's preprocessor left macros in directives of this text as they are."""
    return any(_WITH_CLAUSES.match(piece["directive"]) for piece in _directives(text))


def expanded(text: str, made_with_macros: str, name: str) -> str:
    """The text with the directives that GCC does not know as in the one that was made with GNU_EXPANSION.

    Errors: UserError where the source itself asks whether such a macro is defined, so that the texts differ.
    """
    mine = [piece for piece in _directives(text) if _is_unknown(piece["directive"])]
    theirs = [_STANDS_IN.sub(r"\1", piece["directive"]) for piece in _directives(made_with_macros)]
    theirs = [directive for directive in theirs if _is_unknown(directive)]
    if len(mine) != len(theirs) or any(re.search("heddle_cc_[a-z_]+_", directive) for directive in theirs):
        raise UserError(
            f"{name} depends on whether there is a macro 'taskgraph' or 'task_iteration'; "
            "heddle cc needs these names for itself"
        )
    parts: list[str] = []
    end = 0
    for piece, directive in zip(mine, theirs):
        parts += [text[end : piece.start("directive")], directive]
        end = piece.end("directive")
    return "".join([*parts, text[end:]])


def _is_unknown(directive: str) -> bool:
    return directives.is_taskgraph(directive) or taskloops.is_task_iteration(directive)


def _directives(text: str) -> Iterator[re.Match[str]]:
    if not any(name in text for name in _UNKNOWN):
        return iter(())
    return (piece for piece in _PIECE.finditer(text) if piece["directive"] is not None)


def rewritten(text: str, is_cpp: bool, name: str) -> str | None:
    """The text with its directives as calls, or None where there is nothing to rewrite.

    name: the source's, where no line marker gives another.
    Errors: UserError with file and line.
    """
    if not directives.HINTS.search(text):
        return None
    parts: list[str] = []
    end = 0
    made = _Replacements(is_cpp)
    place = _Place(name)
    iterations: set[int] = set()  # where those stand that their taskloop has taken
    for piece in _PIECE.finditer(text):
        if piece["marker"]:
            place = _Place.named_by(piece[0], piece.end()) or place
        if piece.start() < end:
            continue  # of a loop's header that has been replaced
        attribute = attributes.read(text, piece.start()) if piece["attribute"] else None
        words = attribute.directives if attribute else (piece["directive"] or "",)
        may_iterate = any(map(taskloops.may_have_iterations, words)) and "task_iteration" in text
        if not may_iterate and not any(map(directives.HINTS.search, words)):
            continue
        number = place.number + text.count("\n", place.begin, piece.start())
        try:
            if attribute:
                line = made.attribute(attribute, place, number, _place_at(text, attribute.end, place))
                last = attribute.end
            elif piece.start() in iterations:
                line, last = "", piece.end()
            else:
                directive = _without_comments(piece["directive"])
                taskloop = taskloops.read(text, piece.end(), directive) if may_iterate else None
                if taskloop:
                    iterations.update(taskloop.iterations_begin)
                    line = made.taskloop(taskloop, place, number, _place_at(text, taskloop.ends, place))
                    last = taskloop.ends
                else:
                    line = made.pragma(directive, place, number, _indentation(text, piece.end()))
                    last = piece.end()
        except DirectiveError as error:
            raise UserError(f"{place.file}:{number}: {error}") from None
        if line is None:
            continue
        # By the lines of its comments, where what follows is not said anew.
        longer = piece["directive"].count("\n") if last == piece.end() and not attribute else 0
        parts += [text[end : piece.start()], line + longer * "\n"]
        end = last
    if not parts:
        return None
    changed = "".join([*parts, text[end:]])
    return _with_preludes(changed, sorted(made.preludes), is_cpp, name) if made.preludes else changed


def _is_ours(directive: str) -> bool:
    return (
        directives.is_taskgraph(directive)
        or directives.taskwait_detach(directive) is not None
        or directives.without_recording_clauses(directive).text != directive
        or transparent.read(directive) is not None
        or taskloops.is_task_iteration(directive)
    )


class _Replacements:
    """What stands in the place of directives. Invariant: the names that it declares are new in the text."""

    def __init__(self, is_cpp: bool) -> None:
        self.preludes: set[str] = set()
        self._is_cpp = is_cpp
        self._regions = 0
        self._left_out = 0
        self._transparent_tasks = 0
        self._taskloops = 0

    def pragma(self, directive: str, place: _Place, number: int, indentation: str) -> str | None:
        """In the place of a line, whose end stays; None where that line may stay."""
        if directives.is_taskgraph(directive):
            return f"{self._region(directive, place, number, indentation)}\n{place.marker(number + 1)}"
        if wait := directives.taskwait_detach(directive):
            self.preludes.add("taskwait")
            return _wait(wait, place.marker(number))
        if taskloops.is_task_iteration(directive):
            raise DirectiveError(
                "task_iteration belongs at the beginning of the body of a taskloop's loop, as a pragma"
            )
        nested = transparent.read(directive)
        other = directives.without_recording_clauses(nested.directive if nested else directive)
        if other.text == directive:
            return None
        line = f"#pragma omp{other.text}"
        if nested:
            line = self._transparent(nested, line, place, number, indentation)
        if other.replayable is None:
            return line
        return f"{self._before_task(other.replayable, place, number, indentation)}\n{place.marker(number)}\n{line}"

    def taskloop(self, taskloop: Taskloop, place: _Place, number: int, after: _Place) -> str:
        """In the place of its directive and its loop's header. after: where that ends."""
        self.preludes.add("task_iteration")
        around, task, header = taskloops.rewritten(taskloop, self._taskloops)
        self._taskloops += 1
        other = directives.without_recording_clauses(f" {task}")
        if other.replayable is not None:
            raise DirectiveError("replayable with an expression on a taskloop with task_iteration: not yet")
        # Line by line, as if from a system header: what compilers warn of is nothing that the program says.
        return "\n".join(
            [
                place.marker(number, "3"),
                around,
                place.marker(number, "3"),
                f"#pragma omp{other.text}",
                after.marker(after.number, "3"),
                header,
                after.marker(after.number),
                " " * taskloop.end_column,
            ]
        )

    def attribute(self, attribute: Attribute, place: _Place, number: int, after: _Place) -> str | None:
        """In the place of an attribute within a line: all its directives as lines, in their order.

        None where it may stay; after: where it ends.
        """
        if not any(map(_is_ours, attribute.directives)):
            return None
        if attribute.has_others:
            raise DirectiveError("this directive stands beside another attribute; give it double brackets of its own")
        indentation = " " * attribute.column
        lines = [""]
        for directive in attribute.directives:
            if directives.is_taskgraph(directive):
                lines.append(self._region(directive, place, number, indentation))
                continue
            line = self.pragma(f" {directive}", place, number, indentation) or f"#pragma omp {directive}"
            # The empty statement behind the attribute ends the call.
            lines += [place.marker(number), line.removesuffix(";") if "\n" not in line else line]
        lines += [after.marker(after.number), " " * attribute.end_column]
        return "\n".join(lines)

    def _region(self, directive: str, place: _Place, number: int, indentation: str) -> str:
        self.preludes.add("taskgraph")
        loop = indentation + _loop(directives.taskgraph(directive), self._is_cpp, self._regions)
        self._regions += 1
        # As if from a system header: warnings about the loop would help nobody.
        return f"{place.marker(number, '3')}\n{loop}"

    def _transparent(self, task: TransparentTask, line: str, place: _Place, number: int, indentation: str) -> str:
        """Says what the task is, and ends its body. Its marker says where what follows its directive belongs."""
        self.preludes.add("transparent")
        once, body = (f"heddle_cc_{word}_{self._transparent_tasks}_" for word in ("told", "body"))
        self._transparent_tasks += 1
        says = f"{indentation}for (int {once} = __extension__({{ {task.says} 1; }}); {once} != 0; {once} = 0)"
        around = f"{indentation}for (int {body} = 1; {body} != 0; {body} = heddle_cc_end_transparent_())"
        marker, ours = place.marker(number), place.marker(number, "3")
        return "\n".join([ours, says, marker, line, ours, around, place.marker(number + 1)])

    def _before_task(self, replayable: str, place: _Place, number: int, indentation: str) -> str:
        self.preludes.add("replayable")
        once = indentation + _once(replayable, self._left_out)
        self._left_out += 1
        return f"{place.marker(number, '3')}\n{once}"


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


def _place_at(text: str, position: int, place: _Place) -> _Place:
    """The file and the line of that position; place: what the last marker before some earlier one says."""
    for match in _MARKER_LINE.finditer(text, place.begin, position):
        place = _Place.named_by(match[0], match.end()) or place
    return replace(place, number=place.number + text.count("\n", place.begin, position), begin=position)


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
