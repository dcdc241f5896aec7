"""Cases by what --kernels says."""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Callable

from heddle.bench.measurement import Case
from heddle.errors import UserError


def _all_of(_: str, names: list[str]) -> str:
    return f"there are {', '.join(names)}"


def closest(word: str, names: list[str]) -> str:
    """For long lists."""
    close = difflib.get_close_matches(word, names, n=1)
    return f"did you mean {close[0]}?" if close else _all_of(word, names)


def matching(words: str | None, cases: list[Case], hint: Callable[[str, list[str]], str] = _all_of) -> list[Case]:
    """Those that a list of names and patterns names; all without one.

    hint(word, names): what a mistake is told besides. Errors: UserError for a word that matches none.
    """
    patterns = [word.strip() for word in words.split(",")] if words is not None else ["*"]
    names = [case.name for case in cases]
    for pattern in patterns:
        if not fnmatch.filter(names, pattern):
            raise UserError(f"--kernels: there is no '{pattern}'; {hint(pattern, names)}")
    return [case for case in cases if any(fnmatch.fnmatchcase(case.name, pattern) for pattern in patterns)]
