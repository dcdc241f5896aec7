"""Writes a program in C, or in what C and C++ have in common. support.h has what it calls."""

from __future__ import annotations

from collections.abc import Iterable

import oracle
from heddle.dependences import INOUTSET
from model import (
    PLACES,
    Cancel,
    CancellationPoint,
    Depend,
    Moment,
    Program,
    Reduction,
    Region,
    Spawn,
    Statement,
    Taskgroup,
    Taskloop,
    Taskwait,
    TaskwaitDepend,
    body_slots,
    has_mark_behind,
    slots,
    stride,
    walk,
)

_ACCESS = {"in": "kIn", "out": "kOut", "inout": "kOut", "mutexinoutset": "kMutex", "inoutset": "kSet"}

# How rounds and parallel regions nest.
FORMS = {
    "regions": "a parallel region a round, its root in a single construct",
    "nowait": "the same with nowait",
    "primary": "the same, the primary thread alone",
    "roots": "a parallel region a round, its roots as iterations of a loop",
    "inside": "all rounds in one single construct",
    "singles": "all rounds in one parallel region, each in a single construct",
    "nested": "a region of two threads a round, each of which has its own inner region and root",
    "serial": "no parallel region",
}


def source(program: Program) -> str:
    """The whole program."""
    demands = oracle.demands(program)
    out = _Writer(program, demands)
    executions = max((s.executions for root in program.roots for s in root if isinstance(s, Region)), default=1)
    out.line(f"/* {program.name}: {program.profile}, {program.form}, {program.compiler} */")
    out.line(f"#define SLOTS {len(demands.kinds)}")
    out.line(f"#define ROOTS {len(program.roots)}")
    out.line(f"#define EXECUTIONS {executions}")
    out.line(f"#define LINGER {program.linger_percent}")
    uses_alpi = any(_uses_alpi(s) for root in program.roots for s in walk(root))
    out.line(f"#define USES_ALPI {int(uses_alpi)}")
    out.line('#include "support.h"')
    out.line(f"static long space[ROOTS * {PLACES}];")
    out.line("static volatile int zero;")
    if program.reduces:
        out.line("static long total;")
        out.scope.append(oracle.TOTAL)
    calls = []
    for number, (first, root) in enumerate(zip(_firsts(program), program.roots)):
        before = len(out.lines)
        out.root(number, root)
        calls.append(f"root_{number}({first});")
        if program.reduces:  # the variable's name stands for the region's copy only within the construct
            calls[-1] = "\n".join([f"{{\n  int me = {first};", *out.lines[before + 1 :], ""])
            del out.lines[before:]
    out.line(_round(program, calls))
    out.line(_main(program))
    out.tables()
    return "\n".join(out.lines) + "\n"


def _uses_alpi(statement: Statement) -> bool:
    return (isinstance(statement, Spawn) and statement.detach == "alpi") or statement == Moment("block")


def _firsts(program: Program) -> list[int]:
    result, first = [], 0
    for root in program.roots:
        result.append(first)
        first += body_slots(root, False)
    return result


def _round(program: Program, calls: list[str]) -> str:
    """calls: what executes each root."""
    cases = " ".join(f"case {number}: {call} break;" for number, call in enumerate(calls))
    every = " ".join(calls)
    task_reduction = " reduction(task, + : total)" if program.reduces else ""
    body = {
        "regions": f"#pragma omp parallel{task_reduction}\n#pragma omp single\n  {{ {every} }}",
        "nowait": f"#pragma omp parallel{task_reduction}\n#pragma omp single nowait\n  {{ {every} }}",
        "primary": f"#pragma omp parallel{task_reduction}\n  if (omp_get_thread_num() == 0) {{ {every} }}",
        "roots": f"#pragma omp parallel\n#pragma omp for schedule(dynamic, 1) {task_reduction or 'nowait'}\n"
        f"  for (int r = 0; r < ROOTS; r++) switch (r) {{ {cases} }}",
        "nested": "#pragma omp parallel for num_threads(2) schedule(static, 1)\n"
        "  for (int r = 0; r < ROOTS; r++) {\n#pragma omp parallel\n#pragma omp single\n"
        f"    switch (r) {{ {cases} }}\n  }}",
        "serial": f"#pragma omp taskgroup\n  {{ {every} }}",
    }.get(program.form)
    if body is None:  # a taskwait is enough where only children are created
        is_shallow = not any(
            isinstance(inner, Spawn | Taskloop)
            for root in program.roots
            for s in walk(root)
            if isinstance(s, Spawn | Taskloop)
            for inner in walk(s.body)
        )
        wait = f"{{ {every} }}\n#pragma omp taskwait" if is_shallow else f"#pragma omp taskgroup\n  {{ {every} }}"
        body = wait
    if program.reduces:
        body = f'total = 0;\n{body}\ncheck_sum("total", total, 0, 0, __LINE__);'
    return f"static void program_round(void) {{\n{body}\n}}"


def _main(program: Program) -> str:
    once = "begin_round();\n    program_round();\n    end_round();"
    if program.form == "inside":
        body = f"#pragma omp parallel\n#pragma omp single\n  while (goes_on()) {{\n    {once}\n  }}"
    elif program.form == "singles":
        body = """  static int more;
  more = goes_on();
#pragma omp parallel
  while (RELAXED_LOAD(more)) {
#pragma omp single
    begin_round();
#pragma omp single nowait
    program_round();
#pragma omp barrier
#pragma omp single
    {
      end_round();
      RELAXED_STORE(more, goes_on());
    }
  }"""
    else:
        body = f"  while (goes_on()) {{\n    {once}\n  }}"
    return f"static int program_main(void) {{\n  omp_set_max_active_levels(2);\n{body}\n  return 0;\n}}"


class _Writer:
    """scope: the reductions that are visible where the next statement stands."""

    def __init__(self, program: Program, demands: oracle.Demands):
        self.program = program
        self.demands = demands
        self.lines: list[str] = []
        self.scope: list[Reduction] = []
        self.depth = 1
        self.names = 0
        self.base = 0  # of the places of the root
        self.in_region = False
        self.epilogue: list[str] = []

    def line(self, text: str) -> None:
        self.lines.append(text if text.startswith("#") else "  " * (self.depth - 1) + text)

    def tables(self) -> None:
        demands = self.demands

        def table(declaration: str, rows: Iterable[str], end: str) -> None:
            self.line(f"{declaration} = {{{', '.join([*rows, end] if end else rows)}}};")

        table("extern const unsigned short kinds[SLOTS]", map(str, demands.kinds), "")
        sums = (", ".join(map(str, demands.sums.get(slot, [0]))) for slot in range(len(demands.kinds)))
        table("extern const long sums[SLOTS][2]", (f"{{{both}}}" for both in sums), "")
        before = sorted(demands.before.items())
        table("extern const Before before[]", (f"{{{a}, {b}, {why}}}" for (a, b), why in before), "{-1, -1, 0}")
        inside = sorted(set(demands.inside))
        table("extern const Pair inside[]", (f"{{{a}, {b}}}" for a, b in inside), "{-1, -1}")
        table("extern const Pair apart[]", (f"{{{a}, {b}}}" for a, b in sorted(demands.apart)), "{-1, -1}")
        accesses = (f"{{{slot}, {cell}, {_ACCESS[kind]}}}" for slot, cell, kind in demands.accesses)
        table("extern const Access accesses[]", accesses, "{-1, -1, 0}")

    def root(self, number: int, body: list[Statement]) -> None:
        self.base = number * PLACES
        self.line(f"static void root_{number}(int me) {{")
        self.depth += 1
        self.line("const int execution = begin_task(me);")
        self.body(body, 1, False)
        self.line("end_task(me, execution);")
        self.depth -= 1
        self.line("}")

    def body(self, body: list[Statement], offset: int, in_final: bool) -> int:
        """Statements whose first slot is `offset` behind the body's own; returns the offset behind them."""
        for statement in body:
            match statement:
                case Spawn():
                    self._spawn(statement, offset, in_final)
                case Taskloop():
                    self._taskloop(statement, offset, in_final)
                case Taskwait():
                    if not statement.forgets:
                        self.line("#pragma omp taskwait")
                    self._mark(offset)
                case TaskwaitDepend():
                    self.line(f"#pragma omp taskwait {self._depends(statement.depends, '')}")
                    self._mark(offset)
                    if not self.in_region:
                        self.line(f"check_waited(me + {offset});")
                case Taskgroup():
                    self._taskgroup(statement, offset, in_final)
                case Region():
                    self._region(statement, offset, in_final)
                case Moment():
                    self._moment(statement)
                case Cancel():
                    self.line("end_task(me, execution);")
                    self.line("#pragma omp cancel taskgroup")
                    self._mark(offset)
                case CancellationPoint():
                    self.line("RELAXED_STORE(slot_of[me].end, stamp());")
                    self.line("#pragma omp cancellation point taskgroup")
            offset += slots(statement, in_final)
        return offset

    def _name(self) -> int:
        self.names += 1
        return self.names

    def _mark(self, offset: int) -> None:
        self.line(f"mark(me + {offset}, __LINE__);")

    def _moment(self, moment: Moment) -> None:
        text = {
            "yield": "#pragma omp taskyield",
            "sleep": "nap(me);",
            "suspend": "suspend();",
            "block": "block();",
            "linger": "linger(me, 2);",
        }
        self.line(text[moment.what])

    def _place(self, depend: Depend, row: str) -> str:
        if depend.row_step and row:
            return f"space[{self.base} + ({depend.first} + {depend.row_step} * {row}) % 8]"
        return f"space[{self.base + depend.first}]"

    def _depends(self, depends: list[Depend], row: str) -> str:
        """The depend clauses but those of objects, neighbours of the same kind in one clause."""
        clauses: list[tuple[str, list[str]]] = []
        for depend in depends:
            if depend.form == "object":
                continue
            if depend.everything:
                clauses.append((f"{depend.kind}: ", ["omp_all_memory"]))
            elif depend.form == "iterator":
                last = depend.first + depend.count * depend.step
                clauses.append(
                    (
                        f"iterator(int k = {depend.first} : {last} : {depend.step}), {depend.kind}: ",
                        [f"space[{self.base} + k]"],
                    )
                )
            elif clauses and clauses[-1][0] == f"{depend.kind}: " and clauses[-1][1][0] != "omp_all_memory":
                clauses[-1][1].append(self._place(depend, row))
            else:
                clauses.append((f"{depend.kind}: ", [self._place(depend, row)]))
        return " ".join(f"depend({head}{', '.join(items)})" for head, items in clauses)

    def _objects(self, depends: list[Depend], row: str) -> list[str]:
        """Makes the depend objects and returns their names; one in three is made for reading and updated. GCC 12 does
        not know inoutset: its object holds 5."""
        names = []
        for depend in depends:
            if depend.form != "object":
                continue
            number = self._name()
            name = f"object{number}"
            names.append(name)
            is_gcc_set = depend.kind == INOUTSET and not self.program.is_clang()
            is_updated = number % 3 == 0 and not is_gcc_set
            kind = "in" if is_gcc_set or is_updated else depend.kind
            self.line(f"omp_depend_t {name};")
            self.line(f"#pragma omp depobj({name}) depend({kind}: {self._place(depend, row)})")
            if is_gcc_set:
                self.line(f"((void**)(void*)&{name})[1] = (void*)5;")
            if is_updated:
                self.line(f"#pragma omp depobj({name}) update({depend.kind})")
        return names

    def _reduction_clauses(self, participates: tuple[str, ...]) -> str:
        return " ".join(
            f"in_reduction({r.operator}: {r.name})" if r.name in participates else f"shared({r.name})"
            for r in self.scope
        )

    def _contribute(self, names: Iterable[str]) -> None:
        operators = {r.name: r.operator for r in self.scope}
        for name in names:
            if operators[name] == "max":
                self.line(f"{name} = larger({name}, weight(me));")
            else:
                self.line(f"{name} {operators[name]}= weight(me);")

    def _capture(self, number: int, kind: int, slot: str) -> None:
        self.line(f"Capture{kind} f{number};")
        self.line(f"CAPTURE(f{number}, {slot});")

    def _spawn(self, spawn: Spawn, offset: int, in_final: bool) -> None:
        number = self._name()
        row = f"i{number}" if spawn.count > 1 else ""
        if row:
            self.line(f"for (int {row} = 0; {row} < {spawn.count}; {row}++) {{")
        else:
            self.line("{")
        self.depth += 1
        step = f" + {row} * {stride(spawn, in_final)}" if row else ""
        self.line(f"int c{number} = me + {offset}{step};")
        self._capture(number, spawn.capture, f"c{number}")
        depends = [] if spawn.forgets else spawn.depends
        objects = self._objects(depends, row or "0")
        if spawn.detach in ("outsider", "self"):
            self.line(f"omp_event_handle_t event{number};")
        self.line(f"create(c{number}, __LINE__);")
        if spawn.transparent:
            self.line("heddle_next_task_transparent();" if spawn.transparent == "all" else "heddle_next_task_weak(0);")
        clauses = [
            f"firstprivate(c{number}, f{number})",
            self._depends(depends, row or "0"),
            *(f"depend(depobj: {name})" for name in objects),
            "untied" if spawn.untied else "",
            "mergeable" if spawn.mergeable else "",
            f"final({'1' if number % 2 else 'zero == 0'})" if spawn.final else "",
            f"if({'0' if number % 2 else 'zero'})" if spawn.undeferred == "always" else "",
            f"if({row or '0'} % 2 == 0)" if spawn.undeferred == "odd" else "",
            f"priority({spawn.priority})" if spawn.priority else "",
            f"detach(event{number})" if spawn.detach in ("outsider", "self") else "",
            self._reduction_clauses(spawn.participates),
        ]
        self.line(f"#pragma omp task {' '.join(clause for clause in clauses if clause)}")
        self._task_body(spawn, number, in_final)
        for name in objects:
            self.line(f"#pragma omp depobj({name}) destroy")
        self.line(f"f{number}.value = 1;")
        if has_mark_behind(spawn, in_final):
            self.line(f"mark(c{number} + {stride(spawn, in_final) - 1}, __LINE__);")
        self.depth -= 1
        self.line("}")

    def _task_body(self, spawn: Spawn, number: int, in_final: bool) -> None:
        hand_over = {
            "": "",
            "outsider": f"hand_over(event{number}, &slot_of[me].fulfilled);",
            "alpi": "bind_event(me);",
            "self": f"fulfil(event{number}, &slot_of[me].fulfilled);",
        }[spawn.detach]
        self.line("{")
        self.depth += 1
        self.line(f"int me = c{number};")
        self.line("const int execution = begin_task(me);")
        self.line(f"CHECK_CAPTURE(f{number}, me);")
        if number % 2:
            self.line(hand_over)
        self._contribute(spawn.participates)
        region, self.in_region = self.in_region, False
        self.body(spawn.body, 1, in_final or spawn.final)
        self.in_region = region
        if not any(isinstance(s, Cancel) for s in spawn.body):
            self.line("end_task(me, execution);")
        if not number % 2:  # for ALPI the task is over when its body is, and not before
            self.line(hand_over)
        self.depth -= 1
        self.line("}")

    def _taskloop(self, loop: Taskloop, offset: int, in_final: bool) -> None:
        number = self._name()
        size = body_slots(loop.body, in_final)
        self.line("{")
        self.depth += 1
        self.line(f"int c{number} = me + {offset};")
        if loop.capture >= 0:
            self._capture(number, loop.capture, f"c{number}")
        clauses = [
            f"firstprivate(c{number}, f{number})" if loop.capture >= 0 else f"firstprivate(c{number})",
            loop.division,
            "collapse(2)" if loop.collapses and loop.iterations % 2 == 0 else "",
            "nogroup" if loop.nogroup else "",
            "untied" if loop.untied else "",
            "if(0)" if loop.undeferred else "",
            self._reduction_clauses(loop.participates),
        ]
        if loop.reduction:
            self.line(f"long {loop.reduction.name} = 0;")
            clauses.append(f"reduction({loop.reduction.operator}: {loop.reduction.name})")
            self.scope.append(loop.reduction)
        self.line(f"#pragma omp taskloop {' '.join(clause for clause in clauses if clause)}")
        if loop.collapses and loop.iterations % 2 == 0:
            self.line(f"for (int a{number} = 0; a{number} < {loop.iterations // 2}; a{number}++)")
            self.line(f"for (int b{number} = 0; b{number} < 2; b{number}++) {{")
            self.line(f"const int i{number} = 2 * a{number} + b{number};")
        else:
            self.line(f"for (int i{number} = 0; i{number} < {loop.iterations}; i{number}++) {{")
        self.depth += 1
        self.line(f"int me = c{number} + i{number} * {size};")
        self.line("const int execution = begin_task(me);")
        if loop.capture >= 0:
            self.line(f"CHECK_CAPTURE(f{number}, c{number});")
        self._contribute([*loop.participates, *([loop.reduction.name] if loop.reduction else [])])
        region, self.in_region = self.in_region, False
        self.body(loop.body, 1, in_final)
        self.in_region = region
        self.line("end_task(me, execution);")
        self.depth -= 1
        self.line("}")
        if loop.capture >= 0:
            self.line(f"f{number}.value = 1;")
        self._mark(offset + loop.iterations * size)
        if loop.reduction:
            self.scope.remove(loop.reduction)
            self.line(_check_sum(loop.reduction, offset + loop.iterations * size, 0))
        self.depth -= 1
        self.line("}")

    def _taskgroup(self, group: Taskgroup, offset: int, in_final: bool) -> None:
        """A region's tasks must not share what is declared in it, and a replay executes none of its checks."""
        self.line("{")
        self.depth += 1
        for reduction in group.reductions:
            if not self.in_region:
                self.line(f"long {reduction.name} = 0;")
            self.scope.append(reduction)
        clauses = " ".join(f"task_reduction({r.operator}: {r.name})" for r in group.reductions)
        if not group.forgets:
            self.line(f"#pragma omp taskgroup {clauses}")
        self.line("{")
        self.depth += 1
        end = self.body(group.body, offset, in_final)
        self.depth -= 1
        self.line("}")
        self._mark(end)
        for which, reduction in enumerate(group.reductions):
            self.scope.remove(reduction)
            (self.epilogue if self.in_region else self.lines).append(_check_sum(reduction, end, which))
        self.depth -= 1
        self.line("}")

    def _region(self, region: Region, offset: int, in_final: bool) -> None:
        self.line("{")
        self.depth += 1
        for reduction in _reductions_of_groups(region.body):
            self.line(f"long {reduction.name} = 0;")
        if region.executions > 1:
            self.line("for (int e = 0; e < EXECUTIONS; e++) {")
            self.depth += 1
        self.line("encounters++;")
        self.line(f"#pragma omp taskgraph {region.clauses}")
        self.line("{")
        self.depth += 1
        self.line("recordings++;")
        self.in_region = True
        end = self.body(region.body, offset, in_final)
        self.in_region = False
        self.depth -= 1
        self.line("}")
        if region.executions > 1:
            self.depth -= 1
            self.line("}")
        self.line("if (heddle_is_here())")
        self._mark(end)
        for line in self.epilogue:
            self.line(line)
        self.epilogue = []
        self.depth -= 1
        self.line("}")


def _reductions_of_groups(body: list[Statement]) -> list[Reduction]:
    """Those of taskgroups that the task itself executes."""
    groups = [s for s in body if isinstance(s, Taskgroup)]
    return [r for group in groups for r in [*group.reductions, *_reductions_of_groups(group.body)]]


def _check_sum(reduction: Reduction, mark: int, which: int) -> str:
    return f'check_sum("{reduction.name}", {reduction.name}, me + {mark}, {which}, __LINE__);'
