"""The task_iteration directive of OpenMP 6.0: a taskloop whose tasks have dependences, as OpenMP 5 has it.

A taskloop becomes a loop over chunks, each of which is a task with depend clauses that iterate over its iterations. The
loop's header is replaced and its body stays, so that break, continue and lines are what they were.

Where a clause has iterators of its own, or a condition, the addresses are put into a list before the task is created,
and the task's clause iterates over that: compilers take no iterators whose bounds depend on others.

Source: OpenMP 6.0, section 14.2.3, task_iteration directive; 14.8, taskloop construct; 6.4.2, canonical loop nest form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from heddle.cc import directives
from heddle.cc.directives import Clause, DirectiveError
from heddle.cc.expressions import DECLARATION, TOKEN, first_element, iterators, split, tokens

# What lies between directives, words and brackets, and means nothing.
_BETWEEN = re.compile(r"(?:\s+|/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:[ \t]*line)?[ \t]+\d[^\n]*)+", re.DOTALL | re.MULTILINE)
_PRAGMA = re.compile(r"^[ \t]*\#[ \t]*pragma[ \t]+omp\b(?P<directive>[^\n]*)", re.MULTILINE)
_FOR = re.compile(r"for\b")
_TASKLOOP = re.compile(r"\s*(?:[a-z]+\s+)*taskloop\b", re.IGNORECASE)
_TASK_ITERATION = re.compile(r"\s*task_iteration\b", re.IGNORECASE)

_RELATION = re.compile(r"<=|>=|!=|<(?![<=])|>(?![>=])")
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}

_PASSED = {
    "allocate",
    "default",
    "final",
    "firstprivate",
    "if",
    "in_reduction",
    "mergeable",
    "priority",
    "private",
    "replayable",
    "shared",
    "untied",
}
_NOT_YET = {"collapse", "lastprivate"}


@dataclass(frozen=True)
class Loop:
    """A canonical loop: its variable goes from `first` towards `bound` by `step`, whose sign is `sign`."""

    type: str | None  # of a variable that it declares
    name: str
    first: str
    relation: str
    bound: str
    step: str  # as written: positive where `sign` is the direction of `relation`
    sign: str  # + or -, of the increment
    increment: str

    def count(self, first: str) -> str:
        """How many iterations there are."""
        is_up = self.relation in ("<", "<=") or (self.relation == "!=" and self.sign == "+")
        magnitude = f"({self.step})" if is_up == (self.sign == "+") else f"(-({self.step}))"
        low, high = (first, f"({self.bound})") if is_up else (f"({self.bound})", first)
        if self.relation == "!=":
            return f"{high} - {low}"
        if self.relation in ("<=", ">="):
            return f"{low} <= {high} ? ({high} - {low}) / {magnitude} + 1 : 0"
        return f"{low} < {high} ? ({high} - {low} - 1) / {magnitude} + 1 : 0"

    def at(self, first: str, iteration: str) -> str:
        """The variable's value in that iteration."""
        return f"((__typeof__({first}))({first} {self.sign} ({iteration}) * ({self.step})))"


@dataclass(frozen=True)
class Taskloop:
    """A taskloop whose loop has task_iteration directives. Positions are of the text that was read."""

    directive: str
    loop: Loop
    iterations: tuple[str, ...]  # the directives
    ends: int  # the loop's header
    end_column: int
    iterations_begin: tuple[int, ...]


class _Names:
    """Variables of a rewritten taskloop, new in the text.

    Its values: of the loop's variable at first, how many iterations and chunks there are, how long these are and how
    many of them have one iteration more, where the chunk at hand begins and ends, and the iteration in a clause. Lists
    of addresses (a number follows), one while it is made, and a place in it.
    """

    def __init__(self, number: int) -> None:
        def name(word: str) -> str:
            return f"heddle_cc_{word}_{number}_"

        self.once, self.first, self.count, self.chunks = name("once"), name("first"), name("count"), name("chunks")
        self.size, self.larger, self.begin, self.end = name("size"), name("larger"), name("begin"), name("end")
        self.iteration = name("iteration")
        self.list, self.made, self.place = name("list"), name("made"), name("place")


def may_have_iterations(directive: str) -> bool:
    return bool(_TASKLOOP.match(directive))


def is_task_iteration(directive: str) -> bool:
    return bool(_TASK_ITERATION.match(directive))


def read(text: str, end: int, directive: str) -> Taskloop | None:
    """The taskloop whose directive ends there; None where no task_iteration is in its loop.

    Errors: DirectiveError where one is, and the loop is not canonical or has more than one level.
    """
    begin = _skip(text, end)
    if not (match := _FOR.match(text, begin)):
        return None
    opening = _skip(text, match.end())
    if text[opening : opening + 1] != "(":
        return None
    parts, closing = _header(text, opening)
    found = []
    position = _skip(text, closing + 1)
    if text[position : position + 1] != "{":
        return None
    position = _skip(text, position + 1)
    while (pragma := _PRAGMA.match(text, _line_start(text, position))) and is_task_iteration(pragma["directive"]):
        found.append(pragma)
        position = _skip(text, pragma.end())
    if not found:
        return None
    name = directives.clauses(directive)[0].name
    if name != "taskloop" or re.match(r"\s*taskloop\s+simd\b", directive, re.IGNORECASE):
        raise DirectiveError("task_iteration in a combined or composite taskloop: not yet; write taskloop alone")
    return Taskloop(
        directive,
        _canonical(parts),
        tuple(pragma["directive"] for pragma in found),
        closing + 1,
        closing - text.rfind("\n", 0, closing),
        tuple(pragma.start() for pragma in found),
    )


def rewritten(taskloop: Taskloop, number: int) -> tuple[str, str, str]:
    """What stands in its place, each for one line: what surrounds the tasks, their directive, and the loop's header.

    number: of it in the text; makes its names.
    Errors: DirectiveError for clauses that do not belong here, and those that cannot be had yet.
    """
    loop = taskloop.loop
    names = _Names(number)
    once, first, count, begin, end = names.once, names.first, names.count, names.begin, names.end
    tasks = [f"firstprivate({begin}, {end}, {first})"]
    groups: list[str] = []
    has_group = True
    found = directives.clauses(taskloop.directive)[1:]
    for clause in found:
        if clause.name in ("grainsize", "num_tasks") or (clause.name, clause.argument) == ("collapse", "1"):
            continue
        if clause.name == "nogroup":
            has_group = False
        elif clause.name == "reduction":
            argument = re.sub(r"^\s*default\s*,", "", clause.argument or "")
            groups.append(f"task_reduction({argument})")
            tasks.append(f"in_reduction({argument})")
        elif clause.name in _PASSED:
            tasks.append(_of_task(clause))
        elif clause.name in _NOT_YET:
            raise DirectiveError(f"'{clause.name}' of a taskloop with task_iteration: not yet")
        else:
            raise DirectiveError(f"taskloop has no clause '{clause.name}'")
    given = [clause.name for clause in found]
    if "grainsize" in given and "num_tasks" in given:
        raise DirectiveError("taskloop takes grainsize or num_tasks, not both")
    if groups and not has_group:
        raise DirectiveError("taskloop with nogroup has no reduction")
    if loop.type is None:
        tasks.append(f"private({loop.name})")
    lists: list[str] = []
    for directive in taskloop.iterations:
        clauses = directives.clauses(directive)[1:]
        condition = next(
            (directives.condition(clause, "task_iteration") for clause in clauses if clause.name == "if"), None
        )
        for clause in clauses:
            if clause.name != "if":
                tasks.append(_of_iteration(clause, condition, loop, names, lists))
    tasks += [f"shared({names.list}{n})" for n in range(len(lists))]
    kind = loop.type or f"__typeof__({loop.name})"
    numbers = ", ".join(
        [
            f"{count} = (long)({loop.count(first)})",
            _cut(found, names),
            f"{begin} = 0",
            f"{end} = 0",
        ]
    )
    has_more = (
        f"{begin} < {count} && ({end} = heddle_cc_end_of_chunk_({begin}, {count}, {names.size}, {names.larger})) != 0"
    )
    around = (
        f"for (int {once} = 1; {once} != 0; {once} = 0) "
        f"for ({kind} {first} = ({loop.first}); {once} != 0; {once} = 0) "
        f"for (long {numbers}; {has_more}; {begin} = {end})"
    )
    for n, made in enumerate(lists):
        name = f"{names.list}{n}"
        around += f" for (struct heddle_cc_list_ {name} = {made}; {name}.room >= 0; heddle_cc_free_(&{name}))"
    if has_group:
        around = f"\n#pragma omp taskgroup {' '.join(groups)}\n{around}"
    declared = "" if loop.type is None else f"{loop.type} "
    header = f"for ({declared}{loop.name} = {loop.at(first, begin)}; {begin} < {end}; {loop.increment}, ++{begin})"
    return around, f"task {' '.join(tasks)}", header


def _of_task(clause: Clause) -> str:
    if clause.argument is None:
        return clause.name
    argument = directives.condition(clause, "taskloop") if clause.name == "if" else clause.argument
    return f"{clause.name}({argument})"


def _of_iteration(clause: Clause, condition: str | None, loop: Loop, names: _Names, lists: list[str]) -> str:
    """The clause for all iterations of a task. Adds to lists the expression of one that it needs.

    There is one iterator, over numbers, whatever the program has: of two g++ 12 leaves the second uninitialised where
    the first has bounds that are not constant, and does not say so.
    """
    if clause.name not in ("depend", "affinity"):
        raise DirectiveError(f"task_iteration has no clause '{clause.name}'; it takes depend, affinity and if")
    if not clause.argument:
        raise DirectiveError(f"clause '{clause.name}' of task_iteration needs an argument")
    if re.match(r"\s*(?:source|sink)\b", clause.argument):
        raise DirectiveError("'depend' of task_iteration takes in, out, inout, inoutset, mutexinoutset and depobj")
    own, argument = iterators(clause.argument)
    if own or condition is not None:
        return _of_list(clause.name, argument, condition, own, loop, names, lists)
    with_number = _with_value(argument, loop.name, loop.at(names.first, names.iteration))
    if with_number == argument:
        return f"{clause.name}({argument})"  # the same for every iteration
    iterator = f"iterator(long {names.iteration} = {names.begin} : {names.end})"
    return f"{clause.name}({iterator}{_separator(clause.name)}{with_number.strip()})"


def _of_list(
    clause: str,
    argument: str,
    condition: str | None,
    own: list[str],
    loop: Loop,
    names: _Names,
    lists: list[str],
) -> str:
    """The clause over a list of addresses, whose expression is added to lists. own: the heads of iterators' loops."""
    kind = ""
    if clause == "depend":
        kind, _, argument = argument.partition(":")
    items = split(argument, ",")
    # Programs of Clang 19 crash in libomp where an iterator over handles has no value.
    for word in [kind.strip(), *(item.strip() for item in items)]:
        if word in ("depobj", "omp_all_memory"):
            raise DirectiveError(f"'{word}' with an iterator or if on task_iteration: not yet")
    made, number = names.made, names.iteration
    adds = " ".join(f"heddle_cc_add_(&{made}, &({first_element(item)}));" for item in items)
    declared = loop.type or f"__typeof__({loop.name})"
    lists.append(
        f"({{ struct heddle_cc_list_ {made} = {{0, 0, 0}}; "
        f"for (long {number} = {names.begin}; {number} < {names.end}; ++{number}) "
        f"{{ {declared} {loop.name} = {loop.at(names.first, number)}; (void){loop.name}; "
        f"if ({condition or 1}) {' '.join(own)} {{ {adds} }} }} {made}; }})"
    )
    name = f"{names.list}{len(lists) - 1}"
    kind = f"{kind.strip()} : " if kind else ""
    iterator = f"iterator(long {names.place} = 0 : {name}.count)"
    return f"{clause}({iterator}{_separator(clause)}{kind}{name}.at[{names.place}][0])"


def _separator(clause: str) -> str:
    """Behind the iterator modifier."""
    return ", " if clause == "depend" else ": "


def _with_value(expression: str, variable: str, value: str) -> str:
    """The expression with a value in the place of the variable. Members of its name are others."""
    made, before = "", ""  # before: the last token that is no blank
    for token, _ in tokens(expression):
        made += value if token == variable and before not in (".", "->", "::") else token
        before = token if token.strip() else before
    return made


def _cut(found: list[Clause], names: _Names) -> str:
    """The declarators of how many chunks there are, of how many iterations, and how many of them have one more."""
    count, chunks, size, larger = names.count, names.chunks, names.size, names.larger
    number = f"heddle_cc_chunks_({count}, 0)"
    for clause in found:
        if clause.name not in ("grainsize", "num_tasks"):
            continue
        if not clause.argument:
            raise DirectiveError(f"clause '{clause.name}' of taskloop needs an expression")
        strict = re.match(r"\s*strict\s*:(?!:)", clause.argument)
        expression = f"(long)({clause.argument[strict.end() :] if strict else clause.argument})"
        if clause.name == "num_tasks":
            number = f"heddle_cc_chunks_({count}, {expression})"
        elif strict:
            return f"{chunks} = 1, {size} = {expression}, {larger} = {chunks} - 1"
        else:
            number = f"heddle_cc_chunks_of_({count}, {expression})"
    return f"{chunks} = {number}, {size} = {count} / {chunks}, {larger} = {count} % {chunks}"


def _skip(text: str, position: int) -> int:
    """Behind blanks, comments and line markers."""
    start = _line_start(text, position)
    # A marker is one only where a line begins.
    if start != position and (match := _BETWEEN.match(text, start)) and match.end() >= position:
        return match.end()
    match = _BETWEEN.match(text, position)
    return match.end() if match else position


def _line_start(text: str, position: int) -> int:
    """Where the line begins, if only blanks stand before the position; else the position."""
    start = text.rfind("\n", 0, position) + 1
    return position if text[start:position].strip(" \t") else start


def _header(text: str, opening: int) -> tuple[list[str], int]:
    """The parts of a for loop's header, and where its closing parenthesis stands."""
    parts, depth, position = [""], 0, opening
    while match := TOKEN.match(text, position):
        token = match[0]
        position = match.end()
        if token[:2] in ("/*", "//") or (token.lstrip(" \t")[:1] == "#"):
            continue
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth == 0:
                return parts, position - 1
        if token == ";" and depth == 1:
            parts.append("")
        elif depth > 1 or token != "(" or parts != [""]:
            parts[-1] += " " if token.isspace() else token
    raise DirectiveError("the parenthesis of this taskloop's loop is not closed")


_CANONICAL = "task_iteration needs a loop in canonical form: for (int i = a; i < b; i += c)"


def _canonical(parts: list[str]) -> Loop:
    if len(parts) != 3 or not (init := DECLARATION.fullmatch(parts[0])):
        raise DirectiveError(_CANONICAL)
    name = init["name"]
    condition = parts[1].strip()
    relation = _RELATION.search(condition)
    if relation is None:
        raise DirectiveError(_CANONICAL)
    left, right = condition[: relation.start()].strip(), condition[relation.end() :].strip()
    operator = relation[0]
    if left != name:
        # The variable alone stands on one side.
        left, _, bound = right, right, left
        operator = _MIRRORED[operator]
    else:
        bound = right
    step = _step(parts[2].strip(), name)
    if left != name or not bound or step is None:
        raise DirectiveError(_CANONICAL)
    sign, size = step
    if not all(map(_is_one_operand, (init["value"], bound, size))):
        raise DirectiveError(_CANONICAL)
    if operator == "!=" and size.strip("() ") != "1":
        raise DirectiveError("a loop with != has to count by one")
    declared = (init["type"] or "").strip() or None
    return Loop(declared, name, init["value"].strip(), operator, bound, size, sign, parts[2].strip())


def _is_one_operand(expression: str) -> bool:
    """Whether the expression is no list, and has no condition that a comparison or a sum would be a part of."""
    return not any(depth == 0 and token in (",", "?", "&&", "||", "==") for token, depth in tokens(expression))


def _step(increment: str, name: str) -> tuple[str, str] | None:
    """The sign and the size of what is added in each iteration."""
    word = re.escape(name)
    if match := re.fullmatch(rf"(?:{word}\s*(\+\+|--)|(\+\+|--)\s*{word})", increment):
        return (match[1] or match[2])[0], "1"
    if match := re.fullmatch(rf"{word}\s*([+-])=(?!=)(.*)", increment, re.DOTALL):
        return match[1], match[2].strip()
    if match := re.fullmatch(rf"{word}\s*=\s*{word}\s*([+-])(.*)", increment, re.DOTALL):
        return match[1], match[2].strip()
    if match := re.fullmatch(rf"{word}\s*=(.*)\+\s*{word}", increment, re.DOTALL):
        return "+", match[1].strip()
    return None
