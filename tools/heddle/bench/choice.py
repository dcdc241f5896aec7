"""Cases by what --kernels says."""

from __future__ import annotations

import fnmatch

from heddle.bench.measurement import Case
from heddle.errors import UserError


def matching(words: str | None, cases: list[Case]) -> list[Case]:
    """Those that a list of names and patterns names; all without one.

    Errors: UserError for a word that matches none.
    """
    patterns = [word.strip() for word in words.split(",")] if words is not None else ["*"]
    names = [case.name for case in cases]
    for pattern in patterns:
        if not fnmatch.filter(names, pattern):
            raise UserError(f"--kernels: there is no '{pattern}'; there are {', '.join(names)}")
    return [case for case in cases if any(fnmatch.fnmatchcase(case.name, pattern) for pattern in patterns)]
