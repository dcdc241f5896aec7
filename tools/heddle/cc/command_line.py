"""A compiler's command line: where the sources are, what language they have, and what is to be made of them.

The options are those that GCC and Clang share; what is not known here is passed on as it is.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from heddle.errors import UserError

C, CPP, PREPROCESSED_C, PREPROCESSED_CPP = "c", "c++", "cpp-output", "c++-cpp-output"
FIXED, FIXED_CPP, FREE, FREE_CPP = "f77", "f77-cpp-input", "f95", "f95-cpp-input"
C_FAMILY = {C, CPP, PREPROCESSED_C, PREPROCESSED_CPP}
FORTRAN = {FIXED, FIXED_CPP, FREE, FREE_CPP}

_ALL_SUFFIXES = {
    C: ("c",),
    CPP: ("C", "cc", "cp", "cpp", "CPP", "cxx", "c++"),
    PREPROCESSED_C: ("i",),
    PREPROCESSED_CPP: ("ii",),
    FIXED: ("f", "for", "ftn"),
    FIXED_CPP: ("F", "FOR", "FTN", "fpp", "FPP"),
    FREE: ("f90", "f95", "f03", "f08"),
    FREE_CPP: ("F90", "F95", "F03", "F08"),
}
_LANGUAGES = {suffix: language for language, suffixes in _ALL_SUFFIXES.items() for suffix in suffixes}
# What a file of a language is called.
SUFFIXES = {language: suffixes[0] for language, suffixes in _ALL_SUFFIXES.items()}
_IN_CPP = {C: CPP, PREPROCESSED_C: PREPROCESSED_CPP}

# Launchers that may stand before the compiler.
_LAUNCHERS = {"ccache", "distcc", "sccache", "icecc"}

# Options whose value is the next word.
_WITH_VALUE = set(
    "-A -B -D -F -G -I -J -L -MF -MJ -MQ -MT -T -U -Xarch_device -Xarch_host -Xassembler -Xclang -Xflang -Xlinker "
    "-Xopenmp-target -Xpreprocessor -arch -aux-info -dumpbase -dumpbase-ext -dumpdir -e -framework -gcc-toolchain -h "
    "-idirafter -imacros -imultilib -include -include-pch -iprefix -iquote -isysroot -isystem -iwithprefix "
    "-iwithprefixbefore -l -mllvm -module-dir -o -specs -target -u -wrapper -x -z --language --output --param "
    "--serialize-diagnostics --sysroot".split()
)

# No compilation follows these, or none of which one could take the preprocessor's part.
_ELSEWHERE = {"-E", "-M", "-MM", "-###", "--preprocess", "--dependencies", "--user-dependencies"}
_NO_LINK = {"-c", "-S", "--compile", "--assemble", "-fsyntax-only", "-emit-llvm"}
_NOT_FOR_PREPROCESSOR = {"-c", "-S", "-C", "-CC", "-P", "-v", "-save-temps", "--compile", "--assemble", "--save-temps"}
_DEPENDENCIES = ("-MD", "-MMD")


@dataclass(frozen=True)
class Source:
    """A source among the words. explicit: the language that -x gives, or none."""

    at: int
    path: str
    language: str
    explicit: str | None


class CommandLine:
    """The words of a command, response files expanded."""

    def __init__(self, words: list[str]):
        first = next((i for i, word in enumerate(words) if Path(word).name not in _LAUNCHERS), len(words))
        if first == len(words):
            raise UserError("cc needs a compiler and its arguments, for example: heddle cc -- gcc -fopenmp -c x.c")
        self.launchers, self.compiler = words[:first], words[first]
        self.arguments = _expanded(words[first + 1 :])
        self.sources: list[Source] = []
        self._options: list[int] = []  # where options begin
        self._inputs: set[int] = set()
        self._read()

    def _read(self) -> None:
        explicit: str | None = None
        i = 0
        while i < len(self.arguments):
            word = self.arguments[i]
            if word.startswith("-") and word != "-":
                self._options.append(i)
                if match := re.match(r"(?:-x|--language=)(.+)", word):
                    explicit = match[1]
                elif word in ("-x", "--language"):
                    explicit = self._word(i + 1)
                explicit = None if explicit == "none" else explicit
                i += 2 if word in _WITH_VALUE else 1
                continue
            self._inputs.add(i)
            if language := explicit or self._language_of(word):
                self.sources.append(Source(i, word, language, explicit))
            i += 1

    def _word(self, i: int) -> str:
        return self.arguments[i] if i < len(self.arguments) else ""

    def _language_of(self, path: str) -> str | None:
        suffix = Path(path).suffix[1:]
        language = _LANGUAGES.get(suffix)
        if language in _IN_CPP and Path(self.compiler).name.rstrip("-.0123456789").endswith("++"):
            return _IN_CPP[language]
        for option in reversed([self.arguments[i] for i in self._options]) if language in FORTRAN else ():
            if option in ("-ffixed-form", "-Mfixed", "-fixed"):
                return {FREE: FIXED, FREE_CPP: FIXED_CPP}.get(language, language)
            if option in ("-ffree-form", "-Mfree", "-free"):
                return {FIXED: FREE, FIXED_CPP: FREE_CPP}.get(language, language)
        return language

    @property
    def command(self) -> list[str]:
        """The whole command, its launchers included."""
        return [*self.launchers, self.compiler, *self.arguments]

    @property
    def is_for_us(self) -> bool:
        """Whether it compiles with OpenMP, from files."""
        enabled = False
        for word in self.arguments:  # values as well: -Xclang -fopenmp
            if word == "-fopenmp" or word.startswith("-fopenmp="):
                enabled = True
            elif word == "-fno-openmp":
                enabled = False
        reads_a_pipe = any(self.arguments[i] == "-" for i in self._inputs)
        return enabled and bool(self.sources) and not reads_a_pipe and not any(map(self.has_option, _ELSEWHERE))

    @property
    def wants_comments(self) -> bool:
        """Whether GCC's warning of a fall-through is on, which reads comments."""
        return any(
            self.arguments[i] in ("-W", "-Wextra") or self.arguments[i].startswith("-Wimplicit-fallthrough")
            for i in self._options
        )

    @cached_property
    def is_clang(self) -> bool:
        """Whether it is of LLVM's family; names such as cc and mpicc are asked."""
        name = Path(self.compiler).name
        if re.search(r"clang|flang", name):
            return True
        if re.search(r"gcc|g\+\+|gfortran", name):
            return False
        answer = subprocess.run([self.compiler, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return bool(re.search(r"clang|flang|LLVM", answer.stdout))

    @cached_property
    def clang_version(self) -> int | None:
        """The first number of Clang's version; None of other compilers."""
        answer = subprocess.run([self.compiler, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        found = re.search(r"clang version (\d+)", answer.stdout)
        return int(found[1]) if found else None

    def preprocessing(self, source: Source, dependencies: Path) -> tuple[list[str], str | None]:
        """The command that preprocesses this source to its standard output, and where its dependency file belongs.

        Such a file is written to `dependencies`, and says what the plain compilation would say.
        """
        options = []
        words = self.arguments
        precompiled = self._forced_includes("-include-pch")
        for i in self._options:
            word = words[i]
            if i in precompiled:
                continue
            value = [words[i + 1]] if word in _WITH_VALUE and i + 1 < len(words) else []
            if (
                word in _NOT_FOR_PREPROCESSOR
                or word.startswith(("-save-temps=", "--save-temps=", "--output="))
                or word in ("-o", "--output", "-x", "--language", "-l", "-MF", "-MT", "-MQ")
                or re.match(r"-(?:o|x|l|MF|MT|MQ).|--language=", word)
            ):
                continue
            if word.startswith("-Wp,-M"):
                options += [part for part in word.split(",") if part in (*_DEPENDENCIES, "-MP")]
            else:
                options += [word, *value]
        file = None
        if any(word in _DEPENDENCIES for word in options):
            file, targets = self._dependency_names(source)
            options += ["-MF", str(dependencies), *targets]
        kept = [*options, "-E"]
        if self.is_clang:
            kept.append("-Qunused-arguments")
        if source.explicit:
            kept += ["-x", source.explicit]
        return [self.compiler, *kept, source.path], file

    def _dependency_names(self, source: Source) -> tuple[str, list[str]]:
        """The plain compilation's dependency file, and the options that name its targets: the compiler is asked."""
        answer = subprocess.run(
            [self.compiler, "-###", *self.arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env={**os.environ, "LC_ALL": "C"},
        )
        for line in answer.stderr.splitlines():
            try:
                words = shlex.split(line.replace("\\$", "$"))
            except ValueError:
                continue
            if source.path not in words or not ("-cc1" in words or Path(words[0]).name in ("cc1", "cc1plus", "f951")):
                continue
            named = {words[i]: words[i + 1] for i in range(len(words) - 1)}
            file = named.get("-dependency-file") or named.get("-MF") or named.get("-MD") or named.get("-MMD")
            targets = [
                word for i in range(len(words) - 1) if words[i] in ("-MT", "-MQ") for word in (words[i], words[i + 1])
            ]
            if file:
                return file, targets
        raise UserError(f"{self.compiler} does not say where the dependencies of {source.path} go; give -MF and -MT")

    def replaced(
        self,
        files: dict[Source, tuple[Path, str]],
        before: list[str],
        after: list[str],
        *,
        keeps_dependencies: bool,
    ) -> list[str]:
        """The command with other files, of the languages given, in the place of some sources; options added.

        keeps_dependencies: whether options about dependency files stay.
        """
        words: list[str] = []
        # Preprocessed text has these already.
        all_are_replaced = len(files) == len(self.sources)
        left_out = self._forced_includes("-include", "-include-pch") if all_are_replaced else set[int]()
        if not keeps_dependencies:
            for i in self._options:
                if re.match(r"-M[DMPFTQG]|-Wp,-M", self.arguments[i]):
                    left_out |= {i, i + 1} if self.arguments[i] in _WITH_VALUE else {i}
        by_position = {source.at: (source, *made) for source, made in files.items()}
        for i, word in enumerate(self.arguments):
            if i in left_out:
                continue
            if i not in by_position:
                words.append(word)
                continue
            source, path, language = by_position[i]
            if not source.explicit:
                words.append(str(path))
                continue
            words += ["-x", language, str(path)]
            # Clang complains of an -x that no input follows.
            if any(later > i for later in self._inputs):
                words += ["-x", source.explicit]
        return [*self.launchers, self.compiler, *before, *words, *after]

    def _forced_includes(self, *names: str) -> set[int]:
        """Where Clang proper is told of a header, as CMake does for precompiled ones: -Xclang NAME -Xclang FILE."""
        found = set[int]()
        words = self.arguments
        for i in self._options:
            if words[i] == "-Xclang" and self._word(i + 1) in names and self._word(i + 2) == "-Xclang":
                found |= set(range(i, i + 4))
        return found

    def has_option(self, name: str) -> bool:
        return any(self.arguments[i] == name for i in self._options)


def _expanded(words: list[str]) -> list[str]:
    """The words with @FILE replaced by what is in it."""
    found: list[str] = []
    for word in words:
        if word.startswith("@") and os.path.isfile(word[1:]):
            try:
                found += _expanded(shlex.split(Path(word[1:]).read_text(errors="surrogateescape")))
            except ValueError as error:
                raise UserError(f"{word} does not parse: {error}") from None
        else:
            found.append(word)
    return found
