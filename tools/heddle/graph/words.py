"""Numbers of graphs as people read them."""

from __future__ import annotations

_UNITS_NS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns"))


def count(value: int) -> str:
    return f"{value:,}"


def digits(value: float) -> str:
    """Three digits, or two of what is less than 0.1."""
    if 0 < value < 0.1:
        return f"{value:.2g}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def duration(cost: float, is_measured: bool) -> str:
    """A time, or a number of steps where nothing was measured."""
    if not is_measured:
        return plural(cost, "step")
    size, unit = unit_for(cost)
    return f"{digits(cost / size)} {unit}"


def unit_for(ns: float) -> tuple[float, str]:
    """The unit in which so long a time is read best: its nanoseconds and its name."""
    return next((entry for entry in _UNITS_NS if ns >= entry[0]), _UNITS_NS[-1])


def plural(value: float, noun: str) -> str:
    return f"{value:,.0f} {noun}{'' if value == 1 else 's'}"


def percent(share: float) -> str:
    return "<1 %" if 0 < share < 0.005 else f"{100 * share:.0f} %"


def short(place: str) -> str:
    """The place without folders."""
    return place.rpartition("/")[2]
