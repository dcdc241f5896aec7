"""Runs a compiler on sources whose taskgraph directives it does not know."""

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

from heddle.cc import c_family
from heddle.cc.command_line import C_FAMILY, CPP, PREPROCESSED_C, PREPROCESSED_CPP, CommandLine, Source
from heddle.errors import UserError


def main(words: list[str]) -> NoReturn:
    """Compiles, and ends the process with the compiler's exit status."""
    if words[:1] == ["--"]:
        words = words[1:]
    try:
        command = CommandLine(words)
        if shutil.which(command.compiler) is None:
            raise UserError(f"there is no compiler '{command.compiler}'")
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _leave)
        status = _compile(command) if command.is_for_us else None
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


def _compile(command: CommandLine) -> int | None:
    """The compiler's exit status, or None where it can have the command as it is."""
    with tempfile.TemporaryDirectory(prefix="heddle-cc-") as name:
        folder = Path(name)
        files: dict[Source, tuple[Path, str]] = {}
        dependencies: dict[Path, str] = {}
        said: list[str] = []
        for i, source in enumerate(command.sources):
            # A folder each: sources in different folders may have one name, and objects are named after it.
            place = folder / str(i)
            if source.language in C_FAMILY and os.path.isfile(source.path):
                made = _c_family(command, source, place, dependencies, said)
            else:
                made = None
            if made:
                files[source] = made
        if not files:
            return None
        for text in said:
            sys.stderr.write(text)
        sys.stderr.flush()
        for written, wanted in dependencies.items():
            _copy(written, wanted)
        after = ["-Qunused-arguments", "-Wno-gnu-line-marker"] if command.is_clang else []
        return _run(command.replaced(files, [], after))


def _c_family(
    command: CommandLine, source: Source, place: Path, dependencies: dict[Path, str], said: list[str]
) -> tuple[Path, str] | None:
    """The source preprocessed and rewritten, with its language; None where it has nothing to rewrite."""
    is_cpp = source.language in (CPP, PREPROCESSED_CPP)
    list_of_files = place.with_suffix(".d")
    if source.language in (PREPROCESSED_C, PREPROCESSED_CPP):
        text, wanted, errors = Path(source.path).read_bytes(), None, b""
    else:
        words, wanted = command.preprocessing(source, list_of_files)
        if not command.is_clang:
            words[1:1] = c_family.GNU_PREPROCESSING
        answer = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True)
        if answer.returncode != 0:
            return None  # the compiler will say the same
        text, errors = answer.stdout, answer.stderr
    changed = c_family.rewritten(text.decode(errors="surrogateescape"), is_cpp, source.path)
    if changed is None:
        return None
    if wanted and list_of_files.exists():
        dependencies[list_of_files] = wanted
    said.append(_about_sources(errors.decode(errors="replace")))
    place.mkdir()
    path = place / Path(source.path).with_suffix(".ii" if is_cpp else ".i").name
    path.write_bytes(changed.encode(errors="surrogateescape"))
    return path, PREPROCESSED_CPP if is_cpp else PREPROCESSED_C


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
