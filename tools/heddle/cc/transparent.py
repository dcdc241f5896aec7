"""Transparent tasks, as OpenMP 6.0 and OmpSs-2 have them: transparent, and depend with weakin, weakout and weakinout.

libheddle is told of the task before it is created, where the program runs on libheddle. Elsewhere the task waits for
its children at its end (heddle.h, "Nested dependences"), and one with the clause transparent is executed at once,
behind all its siblings: other runtimes know no address that stands for whatever the children name.

Source: OpenMP 6.0, section 17.9.6, transparent clause; OmpSs-2 specification, section 1.5.3, weak dependences.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from heddle.cc import directives
from heddle.cc.directives import DirectiveError
from heddle.cc.expressions import first_element, iterators, split

_HINTS = re.compile(r"\b(?:transparent|weak(?:in|out|inout))\b", re.IGNORECASE)
_CONSTANTS = ("omp_not_impex", "omp_import", "omp_export", "omp_impex")  # of omp_impex_t, from 0 on
_IMPEX = re.compile(rf"\b(?:{'|'.join(_CONSTANTS)})\b")
_WEAK = re.compile(r"\s*weak(in|out|inout)\s*:(?!:)", re.IGNORECASE)


@dataclass(frozen=True)
class TransparentTask:
    """A task directive less what makes it transparent, which is: an expression, or its weak addresses.

    says: what tells the runtime so, as statements of C.
    """

    directive: str
    says: str


def read(directive: str) -> TransparentTask | None:
    """None where the directive says nothing of the kind.

    Errors: DirectiveError for what does not belong to its construct.
    """
    if not _HINTS.search(directive):
        return None
    try:
        found = directives.clauses(directive)
    except DirectiveError:
        return None  # the compiler's to judge
    says: list[str] = []
    depends: list[bool] = []  # of each depend clause, whether it is weak
    weak: list[str] = []
    for clause in reversed(found[1:]):
        if clause.name == "transparent":
            says.append(_of_clause(clause.argument))
            directive = directives.joined(directive[: clause.begin], directive[clause.end :])
        elif clause.name == "depend" and clause.argument:
            heads, items = iterators(clause.argument)
            kind = _WEAK.match(items)
            depends.append(kind is not None)
            if kind is None:
                continue
            calls = [f"heddle_cc_weak_(&({first_element(item.strip())}));" for item in split(items[kind.end() :], ",")]
            weak.append(f"{' '.join(heads)} {{ {' '.join(calls)} }}")
            strong = re.sub(r"\bweak(?=(?:in|out|inout)\s*:)", "", clause.argument, flags=re.IGNORECASE)
            directive = f"{directive[: clause.begin]}depend({strong}){directive[clause.end :]}"
    if not says and not weak:
        return None
    if found[0].name != "task":
        raise DirectiveError(f"transparent and weak dependences belong to task; on {found[0].name}: not yet")
    if len(says) > 1:
        raise DirectiveError("clause 'transparent' of task is given twice")
    if says:
        directive = _undeferred_elsewhere(directive)
    says += ["heddle_cc_weak_(0);"] if weak and all(depends) else weak
    return TransparentTask(directive, " ".join(says))


def _of_clause(argument: str | None) -> str:
    if argument == "":
        raise DirectiveError("clause 'transparent' of task needs an expression in its parentheses")
    if argument is None:
        return "heddle_cc_transparent_();"
    # Headers of compilers that do not know the clause lack the constants.
    return f"if ({_IMPEX.sub(lambda word: str(_CONSTANTS.index(word[0])), argument)}) heddle_cc_transparent_();"


def _undeferred_elsewhere(directive: str) -> str:
    here = "heddle_cc_is_here_()"
    for clause in directives.clauses(directive)[1:]:
        if clause.name == "if":
            condition = directives.condition(clause, "task")
            return f"{directive[: clause.begin]}if({here} && ({condition})){directive[clause.end :]}"
    return f"{directive} if({here})"
