"""OpenMP directives as text: their clauses, what is accepted of those we know, and what is left out for the compiler.

Words: a *directive* is what stands behind the sentinel ('#pragma omp', '!$omp'), on one line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


class DirectiveError(Exception):
    """What is wrong with a directive; where it stands is added by who knows."""


@dataclass(frozen=True)
class Clause:
    """A word of a directive with its argument, if there is one in parentheses; begin and end: its place in the text."""

    name: str
    argument: str | None
    begin: int
    end: int


@dataclass(frozen=True)
class Taskgraph:
    """The clauses of a taskgraph directive: their expressions as written, "" where an argument may be and is not."""

    graph_id: str | None = None
    graph_reset: str | None = None
    condition: str | None = None
    nogroup: str | None = None


@dataclass(frozen=True)
class Other:
    """A directive less what no compiler knows.

    replayable: the expression of its clause where that decides anything.
    """

    text: str
    replayable: str | None = None


@dataclass(frozen=True)
class TaskwaitDetach:
    """A taskwait directive with a detach clause: its event as written, and the whole depend clauses."""

    event: str
    depend: str
    is_nowait: bool


_ACCEPTED = "graph_id, graph_reset, if and nogroup"
_NEEDS_ARGUMENT = {"graph_id", "if"}
# Constructs that create tasks, and nothing around them.
_MAY_BE_LEFT_OUT = {"task", "taskloop"}
_FIELDS = {"if": "condition", "nowait": "nogroup"}
_MODIFIER = re.compile(r"\s*([A-Za-z_]\w*(?:[ \t]+[a-z]+)*)\s*:(?!:)")
_TRUE = {"1", "true", ".true."}
# What may hold parentheses and commas that mean nothing: literals of C, and Fortran's strings.
_LITERAL = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'')
_WORD = re.compile(r"[A-Za-z_]\w*")
# A first look: texts without these words have nothing to rewrite.
HINTS = re.compile(r"taskgraph|replayable|saved|detach|task_iteration|transparent|weak(?:in|out)", re.IGNORECASE)
_MAY_WAIT_FOR_EVENT = re.compile(r"\s*taskwait\b.*\bdetach\b", re.IGNORECASE | re.DOTALL)


def is_taskgraph(directive: str) -> bool:
    return bool(re.match(r"\s*taskgraph\b", directive, re.IGNORECASE))


def is_end_of_taskgraph(directive: str) -> bool:
    return bool(re.match(r"\s*end\s*taskgraph\s*$", directive, re.IGNORECASE))


def clauses(directive: str) -> list[Clause]:
    """All words at the top level, the directive's name among them.

    Errors: DirectiveError where parentheses do not match or something else than clauses is there.
    """
    found = []
    i = 0
    while i < len(directive):
        if directive[i].isspace() or directive[i] == ",":
            i += 1
            continue
        match = _WORD.match(directive, i)
        if not match:
            raise DirectiveError(f"'{directive[i:].strip()}' is no clause")
        end = match.end()
        opening = end
        while opening < len(directive) and directive[opening].isspace():
            opening += 1
        argument = None
        if opening < len(directive) and directive[opening] == "(":
            end = closing(directive, opening) + 1
            argument = directive[opening + 1 : end - 1].strip()
        found.append(Clause(match[0].lower(), argument, i, end))
        i = end
    return found


def taskgraph(directive: str) -> Taskgraph:
    """The clauses of a taskgraph directive.

    Errors: DirectiveError for what OpenMP 6.0 does not allow there.
    """
    fields: dict[str, str] = {}
    for clause in clauses(directive)[1:]:
        field = _FIELDS.get(clause.name, clause.name)
        if field not in Taskgraph.__dataclass_fields__ or clause.name == "condition":
            raise DirectiveError(f"taskgraph has no clause '{clause.name}'; it takes {_ACCEPTED}")
        if field in fields:
            raise DirectiveError(f"clause '{clause.name}' of taskgraph is given twice")
        argument = clause.argument
        if argument is not None and (match := _MODIFIER.match(argument)) and "?" not in match[0]:
            if match[1].lower() != "taskgraph":
                raise DirectiveError(f"'{clause.name}({match[1]}: …)' does not belong to taskgraph")
            argument = argument[match.end() :].strip()
        if argument == "" or (argument is None and clause.name in _NEEDS_ARGUMENT):
            raise DirectiveError(f"clause '{clause.name}' of taskgraph needs an expression")
        fields[field] = argument or ""
    return Taskgraph(**fields)


def taskwait_detach(directive: str) -> TaskwaitDetach | None:
    """The clauses of a taskwait directive with a detach clause; None for any other directive.

    Errors: DirectiveError for clauses that mean nothing together.
    """
    if not _MAY_WAIT_FOR_EVENT.match(directive):
        return None
    found = clauses(directive)[1:]
    names = [clause.name for clause in found]
    if "detach" not in names:
        return None
    for clause in found:
        if clause.name not in ("detach", "depend", "nowait", "replayable"):
            raise DirectiveError(f"taskwait with detach has no clause '{clause.name}'; it takes depend and nowait")
        if clause.name in ("detach", "nowait") and names.count(clause.name) > 1:
            raise DirectiveError(f"clause '{clause.name}' of taskwait is given twice")
        if clause.name in ("detach", "depend") and not clause.argument:
            raise DirectiveError(f"clause '{clause.name}' of taskwait needs an argument")
        if clause.name == "nowait" and clause.argument is not None:
            raise DirectiveError("'nowait' of taskwait with detach takes no argument")
    depend = " ".join(directive[clause.begin : clause.end] for clause in found if clause.name == "depend")
    if "nowait" in names and not depend:
        raise DirectiveError(
            "taskwait with detach and nowait stands for a task that others depend on: add a depend clause, or leave "
            "nowait out"
        )
    event = next(clause.argument for clause in found if clause.name == "detach")
    return TaskwaitDetach(event or "", depend, "nowait" in names)


def without_recording_clauses(directive: str) -> Other:
    """Any other directive less what no compiler knows: replayable, and the modifier saved.

    libheddle records all tasks of a region but those that are said not to be replayable, and firstprivate variables
    keep the recorded values.
    Errors: DirectiveError for replayable with an expression where it cannot be had.
    """
    if not HINTS.search(directive):
        return Other(directive)
    try:
        found = clauses(directive)
    except DirectiveError:
        return Other(directive)  # the compiler's to judge
    replayable = None
    for clause in reversed(found[1:]):
        if clause.name == "replayable":
            if clause.argument is not None and clause.argument.strip("() ").lower() not in _TRUE:
                if found[0].name not in _MAY_BE_LEFT_OUT:
                    raise DirectiveError(f"replayable with an expression on {found[0].name}: not yet")
                if replayable is not None:
                    raise DirectiveError(f"clause 'replayable' of {found[0].name} is given twice")
                if not clause.argument:
                    raise DirectiveError(
                        f"clause 'replayable' of {found[0].name} needs an expression in its parentheses"
                    )
                replayable = clause.argument
            directive = joined(directive[: clause.begin], directive[clause.end :])
        elif clause.name == "firstprivate" and clause.argument is not None:
            text = _without_saved(clause.argument)
            if text != clause.argument:
                directive = f"{directive[: clause.begin]}{clause.name}({text}){directive[clause.end :]}"
    return Other(directive, replayable)


def joined(before: str, after: str) -> str:
    """Two parts of a directive with no comma too many between them."""
    after = after.lstrip(" \t")
    if after.startswith(","):
        return before + after[1:].lstrip(" \t")
    if not after:
        return before.rstrip(" \t,")
    return before + after


def condition(clause: Clause, construct: str) -> str:
    """Of an if clause that may name the construct."""
    return re.sub(rf"^\s*{construct}\s*:(?!:)", "", clause.argument or "")


def _without_saved(argument: str) -> str:
    modifiers, colon, names = argument.partition(":")
    if not colon or names.startswith(":"):
        return argument
    kept = [modifier.strip() for modifier in modifiers.split(",") if modifier.strip().lower() != "saved"]
    if len(kept) == len(modifiers.split(",")):
        return argument
    return f"{', '.join(kept)}: {names.strip()}" if kept else names.strip()


def closing(text: str, opening: int) -> int:
    """The position of the parenthesis that closes the one at `opening`."""
    depth = 0
    i = opening
    while i < len(text):
        if match := _LITERAL.match(text, i):
            i = match.end()
            continue
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
        i += 1
    raise DirectiveError("a parenthesis is not closed")
