"""Lines that are the same but for the rounding of floating-point numbers.

Words: a *floating-point number* has a point or an exponent; a *whole number* has neither and must match exactly, since
a count is never rounded.
"""

from __future__ import annotations

import re

_NUMBER = re.compile(r"((?<![\w.])[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?)")
_FLOATING = re.compile(r"[.eEdD]")


def same(line: str, other: str, tolerance: float) -> bool:
    """Whether the lines match, floating-point numbers up to this part of the larger of the two."""
    if line == other:
        return True
    if not tolerance:
        return False
    # Of a split with one group every second part is a number.
    parts, others = _NUMBER.split(line), _NUMBER.split(other)
    return (
        len(parts) == len(others)
        and parts[::2] == others[::2]
        and all(_close(a, b, tolerance) for a, b in zip(parts[1::2], others[1::2]))
    )


def _close(a: str, b: str, tolerance: float) -> bool:
    if a == b:
        return True
    if not (_FLOATING.search(a) or _FLOATING.search(b)):
        return False
    x, y = _value(a), _value(b)
    return abs(x - y) <= tolerance * max(abs(x), abs(y))


def _value(text: str) -> float:
    return float(re.sub("[dD]", "e", text))  # Fortran writes 1.0D+00
