"""One search from the words of the command line to its report."""

from __future__ import annotations

import math
import re
import shlex
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from heddle import code_places, execution, paths, terminal, whole_file
from heddle.errors import UserError
from heddle.fuzz import candidates, culprit, orders, report
from heddle.fuzz.runs import Compared, Outcome, Runner

_LEAST_TIMEOUT_S = 5.0
_REFERENCE_TIMEOUT_S = 120.0
_SLOWER = 20  # than the reference, before a run counts as one without end
_TASKGRAPHS = (b"heddle_taskgraph_begin", b"__kmpc_taskgraph")
_ROUNDING = 1e-6  # a difference of floating-point numbers below it may come from another order of additions


@dataclass(frozen=True)
class Request:
    """What was asked for, as the user wrote it."""

    command: list[str]
    seeds: int
    seed: int | None
    threads: int
    compare: tuple[str, ...]
    ignore: str | None
    tolerance: float
    timeout_s: float | None
    record: Path | None


@dataclass(frozen=True)
class Reference:
    """The serial order and what comes out of it."""

    outcome: Outcome
    log: orders.Log


def run(request: Request) -> int:
    """Searches and reports. Returns the exit status: 1 where a difference was found, 0 where none was.

    Errors: UserError for what was asked wrongly, and where nothing can be learned from the program.
    """
    compared = _compared(request)
    _check_numbers(request)
    if request.record:
        whole_file.check("--json", request.record)
    plan = execution.prepare(request.command[0], "heddle", None)
    with tempfile.TemporaryDirectory(prefix="heddle-fuzz-") as folder:
        search = _Search(request, Runner(request.command, plan, compared, Path(folder)), compared, Path(folder))
        return search.run(plan.program)


class _Search:
    def __init__(self, request: Request, runner: Runner, compared: Compared, folder: Path) -> None:
        self._request = request
        self._runner = runner
        self._compared = compared
        self._log = folder / "log"

    def run(self, program: Path) -> int:
        self._program = program
        self._reference = self._take_reference()
        seeds = [self._request.seed] if self._request.seed is not None else range(1, self._request.seeds + 1)
        finding, tried = None, 0
        with terminal.bar("seeds") as progress:
            progress(0, len(seeds))
            for seed in seeds:
                finding = self._try(seed)
                tried += 1
                progress(tried, len(seeds))
                if finding:
                    break
        if self._request.record:
            tasks = self._reference.log.tasks
            report.write(self._request.record, self._request.command, self._request.threads, tried, tasks, finding)
        if finding:
            report.show(finding)
            return 1
        up_to = f", up to the tolerance of {self._request.tolerance:g}" if self._request.tolerance else ""
        print(
            f"{self._reference.log.tasks} tasks in {tried} orders: the output is always that of the serial order{up_to}"
        )
        return 0

    def _take_reference(self) -> Reference:
        """Errors: UserError where there are no tasks, or where the same order gives different outputs."""
        request, runner = self._request, self._runner
        runner.timeout_s = request.timeout_s or _REFERENCE_TIMEOUT_S
        outcome = runner.run("natural", 1, self._log)
        log = orders.read(self._log)
        name = request.command[0]
        if outcome.end.startswith("no end"):
            raise UserError(f"{name} has {outcome.end} in the serial order of its tasks; --timeout gives it more")
        if log is None:
            raise UserError(
                f"{name} ended with {outcome.end} and did not use libheddle, so there are no tasks to order"
            )
        if outcome.end.startswith("SIG"):
            raise UserError(f"{name} ends with {outcome.end} even in the serial order of its tasks; mend that first")
        if not log.tasks:
            raise UserError(f"{name} executed no task that could be deferred, so there is nothing to order")
        for file, content in zip(self._compared.files, outcome.files):
            if content is None:
                raise UserError(
                    f"--compare {file}: {name} does not write it in the serial order of its tasks, so there is nothing "
                    "to compare; name a file that it writes"
                )
        if request.timeout_s is None:
            runner.timeout_s = max(_LEAST_TIMEOUT_S, math.ceil(_SLOWER * runner.seconds))
        # With a log as well: where none is written the runtime may take another way through a taskgraph.
        again = runner.run("natural", 1, self._log)
        if difference := outcome.difference(again, self._compared):
            raise UserError(
                f"{name} does not repeat itself, so other orders tell nothing: a second run in the same order gives "
                f"another output ({difference}); leave such lines out with --ignore"
            )
        return Reference(outcome, log)

    def _differs(self, outcome: Outcome) -> str:
        return self._reference.outcome.difference(outcome, self._compared)

    def _try(self, seed: int) -> report.Finding | None:
        threads = self._request.threads
        order = f"fuzz:{seed}"
        outcome = self._runner.run(order, threads, self._log if threads > 1 else None)
        difference = self._differs(outcome)
        if not difference:
            return None
        finding = report.Finding(seed, threads, difference, self._again(order))
        finding.has_taskgraphs = _has_taskgraphs(self._program)
        may_be_rounding = replace(self._compared, tolerance=_ROUNDING)
        finding.may_be_rounding = not self._reference.outcome.difference(outcome, may_be_rounding)
        if threads > 1:
            self._explain_threads(finding)
        elif not self._differs(self._runner.run(order, 1, self._log)):
            finding.note = (
                "a second run with this seed gave the reference's output: something besides the order changes"
            )
        elif not self._explain(finding, orders.read(self._log)):
            finding.note = "the order alone, repeated from a log, does not show it, so no pair of tasks can be named"
        return finding

    def _explain(self, finding: report.Finding, log: orders.Log | None) -> bool:
        """Names the pair, where a replay of the log shows the difference."""
        if log is None:
            return False
        good, bad = orders.same_items(self._reference.log.items, log.items)
        found = culprit.search(good, bad, lambda items: bool(self._differs(self._runner.replay(items))))
        if found is None:
            return False
        done = []
        for items in (found.good, found.bad):
            self._runner.replay(items, self._log)
            done.append(orders.read(self._log) or orders.Log())
        finding.pair = tuple(self._end(item, done) for item in (found.first, found.second))
        exchanged = {found.first: found.second, found.second: found.first}
        bad_items = [exchanged.get(item, item) for item in done[1].items]  # a crash may have cut it short
        finding.is_exact = bad_items == done[0].items[: len(bad_items)]
        return True

    def _explain_threads(self, finding: report.Finding) -> None:
        log = orders.read(self._log, merge_members=True)
        if self._explain(finding, log):
            finding.note = f"(seen with {finding.threads} threads, and again with one in the order that they took)"
            return
        log = log or orders.Log()
        finding.note = (
            "one thread in the order that they took gives the reference's output: it takes tasks that overlap. "
            "With several threads a seed need not repeat what it showed."
        )
        finding.candidates = [
            tuple(self._end(item, [self._reference.log, log]) for item in pair)
            for pair in candidates.pairs(self._reference.log, log)
        ]
        if finding.candidates:
            finding.note += " Candidates, which ran at once or in the other order:"

    def _end(self, item: str, logs: list[orders.Log]) -> report.End:
        codes = {name: code for log in [*logs, self._reference.log] for name, code in log.codes.items()}

        def place(name: str) -> str:
            return code_places.place(codes[name], self._program) if name in codes else "(not known)"

        holder = next((log for log in logs if item in log.created_at), self._reference.log)
        return report.end_of(item, holder, place)

    def _again(self, order: str) -> str:
        threads = self._request.threads
        settings = {"HEDDLE_ORDER": order, **self._runner.settings(threads)}
        words = " ".join(f"{name}={value}" for name, value in settings.items())
        return f"{words} {paths.COMMAND} run --threads {threads} -- {shlex.join(self._request.command)}"


def _has_taskgraphs(program: Path) -> bool:
    """Whether the program names what begins a region: what heddle cc makes of Fortran has the name as a text."""
    content = program.read_bytes()
    return any(name in content for name in _TASKGRAPHS)


def _compared(request: Request) -> Compared:
    words = request.compare or ("stdout",)
    try:
        ignored = re.compile(request.ignore) if request.ignore is not None else None
    except re.error as mistake:
        raise UserError(f"--ignore '{request.ignore}' is no regular expression: {mistake}") from None
    files = tuple(Path(word) for word in words if word not in ("stdout", "status"))
    for file in files:
        if (file.exists() and not file.is_file()) or not file.parent.is_dir():
            raise UserError(f"--compare {file}: give stdout, status or a file that the program writes")
    tolerance = request.tolerance
    if not 0 <= tolerance < 1:
        raise UserError(f"--tolerance {tolerance:g}: give a part of the numbers, from 0 to below 1, as in 1e-9")
    return Compared("stdout" in words, files, ignored, tolerance)


def _check_numbers(request: Request) -> None:
    if request.seeds < 1:
        raise UserError(f"--seeds {request.seeds}: at least 1 seed is tried")
    if request.seed is not None and not 0 <= request.seed < 2**64:
        raise UserError(f"--seed {request.seed}: a seed is a whole number from 0 to {2**64 - 1}")
    if request.threads < 1:
        raise UserError(f"--threads {request.threads}: a team has at least 1 thread")
    if request.timeout_s is not None and not (math.isfinite(request.timeout_s) and request.timeout_s > 0):
        raise UserError(f"--timeout {request.timeout_s:g}: give a number of seconds above 0")
