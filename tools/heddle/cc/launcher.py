"""Runs a compiler on sources with directives that it does not know."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import NoReturn

from heddle import paths
from heddle.cc import c_family, fortran
from heddle.cc.command_line import (
    C_FAMILY,
    CPP,
    FIXED,
    FIXED_CPP,
    FORTRAN,
    FREE,
    FREE_CPP,
    PREPROCESSED_C,
    PREPROCESSED_CPP,
    SUFFIXES,
    C,
    CommandLine,
    Source,
)
from heddle.errors import UserError

# Before the compiler: have Clang make no graphs.
NO_STATIC_GRAPHS = "--no-static-graphs"


def main(words: list[str]) -> NoReturn:
    """Compiles, and ends the process with the compiler's exit status."""
    static_graphs = words[:1] != [NO_STATIC_GRAPHS]
    if not static_graphs:
        words = words[1:]
    if words[:1] == ["--"]:
        words = words[1:]
    try:
        command = CommandLine(words)
        if shutil.which(command.compiler) is None:
            raise UserError(f"there is no compiler '{command.compiler}'")
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _leave)
        status = _compile(command, static_graphs) if command.is_for_us else None
    except UserError as mistake:
        text = str(mistake)
        print(text if re.match(r".*?:\d+: ", text) else f"heddle: {text}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        status = -signal.SIGINT
    if status is None:
        _become(words)
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


def _leave(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)  # folders are removed on the way out


def _become(words: list[str]) -> NoReturn:
    sys.stdout.flush()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(words[0], words)
    except OSError as error:
        print(f"heddle: {words[0]} cannot be started: {error.strerror}", file=sys.stderr)
        sys.exit(2)


def _compile(command: CommandLine, static_graphs: bool) -> int | None:
    """The compiler's exit status, or None where it can have the command as it is."""
    with tempfile.TemporaryDirectory(prefix="heddle-cc-") as name:
        work = _Work(command, Path(name))
        for source in command.sources:
            if source.language in C_FAMILY | FORTRAN and os.path.isfile(source.path):
                work.take(source)
        if not work.is_needed:
            return None
        work.say()
        return _run(work.command_line(static_graphs))


class _Work:
    """The sources of one command that are replaced, in a folder that goes with them."""

    def __init__(self, command: CommandLine, folder: Path):
        self.is_needed = False
        self._command = command
        self._folder = folder
        self._files: dict[Source, tuple[Path, str]] = {}
        self._dependencies: dict[Path, str] = {}
        self._said: list[str] = []

    def take(self, source: Source) -> None:
        """Rewrites the source. Errors: UserError with file and line."""
        list_of_files = self._folder / f"{source.at}.d"
        if not self._is_preprocessed(source):
            text, wanted, errors = _decoded(Path(source.path).read_bytes()), None, ""
        else:
            words, wanted = self._command.preprocessing(source, list_of_files)
            is_gnu = source.language in C_FAMILY and not self._command.is_clang
            # -C makes text of a directive that a comment stands before; so no comments where nobody reads them.
            if is_gnu and self._command.wants_comments:
                words.insert(1, "-C")
            answer = _preprocessed(words)
            if answer.returncode != 0:
                return  # the compiler will say the same
            text, errors = answer.stdout, answer.stderr
            if is_gnu and c_family.needs_expansion(text):
                with_macros = _preprocessed([words[0], *c_family.GNU_EXPANSION, *words[1:]])
                text = c_family.expanded(text, with_macros.stdout, source.path)
        made = self._rewritten(source, text)
        if made is None:
            return
        changed, language = made
        if wanted and list_of_files.exists():
            self._dependencies[list_of_files] = wanted
        self._said.append(_about_sources(errors))
        # A folder each: sources in different folders may have one name, and objects are named after it.
        path = self._folder / str(source.at) / f"{Path(source.path).stem}.{SUFFIXES[language]}"
        path.parent.mkdir()
        path.write_bytes(changed.encode(errors="surrogateescape"))
        self._files[source] = (path, language)

    def _is_preprocessed(self, source: Source) -> bool:
        """Whether the preprocessor comes first. flang's output is none that it would read again."""
        if source.language in (FIXED_CPP, FREE_CPP):
            return not self._command.is_clang
        if source.language in (FIXED, FREE):
            return self._command.has_option("-cpp") and not self._command.is_clang
        return source.language in (C, CPP)

    def _rewritten(self, source: Source, text: str) -> tuple[str, str] | None:
        """The text for the compiler with its language, or None where the source may stay."""
        if source.language in C_FAMILY:
            is_cpp = source.language in (CPP, PREPROCESSED_CPP)
            changed = c_family.rewritten(text, is_cpp, source.path)
            self.is_needed = self.is_needed or changed is not None
            return None if changed is None else (changed, PREPROCESSED_CPP if is_cpp else PREPROCESSED_C)
        is_fixed = source.language in (FIXED, FIXED_CPP)
        is_cut = not any(word.startswith("-ffixed-line-length-") for word in self._command.arguments)
        # Unchanged ones are replaced as well: the options for rewritten ones would be wrong for them.
        changed, has_changed = fortran.rewritten(text, is_fixed, is_cut, source.path)
        self.is_needed = self.is_needed or has_changed
        if self._command.is_clang:
            return changed, source.language
        return changed, FIXED if is_fixed else FREE

    def say(self) -> None:
        """What the preprocessor had to say, and its lists of dependences where they belong."""
        for text in self._said:
            sys.stderr.write(text)
        sys.stderr.flush()
        for written, wanted in self._dependencies.items():
            _copy(written, wanted)

    def command_line(self, static_graphs: bool) -> list[str]:
        """The command that compiles what was made."""
        before: list[str] = []
        after: list[str] = []
        if self._command.is_clang and any(source.language in C_FAMILY for source in self._files):
            after += ["-Qunused-arguments", "-Wno-gnu-line-marker"]
            # The pass that makes graphs of taskgraph regions serves the release of LLVM that it was built for.
            makes_graphs = paths.library(f"libheddle-static-graph-{self._command.clang_version}.so")
            if static_graphs and makes_graphs.exists():
                after.append(f"-fpass-plugin={makes_graphs}")
        keeps_dependencies = True
        if any(source.language in FORTRAN for source in self._files):
            if self._command.is_clang:
                folders = {os.path.dirname(source.path) or "." for source in self._files}
                before += [f"-I{folder}" for folder in sorted(folders)]
            else:
                # It refuses to write dependency files where nothing is preprocessed.
                keeps_dependencies = False
                after += ["-nocpp", "-fpreprocessed"]
            after.append(f"-I{fortran.INCLUDE_FOLDER}")
        return self._command.replaced(self._files, before, after, keeps_dependencies=keeps_dependencies)


def _preprocessed(words: list[str]) -> subprocess.CompletedProcess[str]:
    answer = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True)
    errors = answer.stderr.decode(errors="replace")
    return subprocess.CompletedProcess(words, answer.returncode, _decoded(answer.stdout), errors)


def _decoded(data: bytes) -> str:
    return data.decode(errors="surrogateescape")


def _about_sources(text: str) -> str:
    """What the preprocessor said less what is about options: the compiler says that once more."""
    lines = text.splitlines(keepends=True)
    return "".join(
        line for line in lines if not re.match(r"(?:\S*[/-])?(?:cc1\w*|gcc|g\+\+|clang|clang\+\+)[-\d.]*: ", line)
    )


def _copy(written: Path, wanted: str) -> None:
    try:
        shutil.copyfile(written, wanted)
    except OSError as error:
        raise UserError(f"{wanted} cannot be written: {error.strerror}") from None


def _run(words: list[str]) -> int:
    """Waits for the command. Ctrl-C reaches it as well, and its end is ours."""
    with subprocess.Popen(words) as child:
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:
                continue
            except SystemExit:
                child.terminate()
                child.wait()
                raise
