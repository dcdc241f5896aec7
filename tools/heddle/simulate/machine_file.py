"""Platform files of SimGrid's, checked before SimGrid reads them.

SimGrid ends the process on what it cannot use, and takes some of what no machine has: latencies below zero, a number of
cores that is none. Here each value that says something of a machine is read as SimGrid reads it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

from heddle import regular_file
from heddle.errors import UserError

_MOST_BYTES = 64 << 20
_MOST_HOSTS = 1_000_000
_MOST_CORES = 100_000
_VERSIONS = ("4", "4.0", "4.1")

_DECIMAL = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18, "Z": 1e21, "Y": 1e24}
_BINARY = {f"{letter}i": 1024.0**power for power, letter in enumerate("KMGTPEZY", 1)}
_PREFIXES = _DECIMAL | _BINARY
_TIMES = {"w": 604800.0, "d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}
_TIMES |= {"ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12}
_SPEEDS = {f"{prefix}f": factor for prefix, factor in _PREFIXES.items()}
_SPEEDS |= {f"{prefix}flops": factor for prefix, factor in _PREFIXES.items()}
_BANDWIDTHS = {f"{prefix}Bps": factor for prefix, factor in _PREFIXES.items()}
_BANDWIDTHS |= {f"{prefix}bps": factor / 8 for prefix, factor in _PREFIXES.items()}
_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z]*)\s*")


def check(file: Path) -> str:
    """The file's text. Errors: UserError naming the first thing that no machine has."""
    with regular_file.opened(file) as stream:
        raw = stream.read(_MOST_BYTES + 1)
    if len(raw) > _MOST_BYTES:
        raise UserError(f"{file} is larger than {_MOST_BYTES >> 20} MiB, so it is no platform file of SimGrid's")
    try:
        root = ElementTree.fromstring(raw)
        text = raw.decode()
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise UserError(f"{file} is no platform file of SimGrid's: {error}") from None
    if root.tag != "platform":
        raise UserError(f"{file} is no platform file of SimGrid's: it begins with <{root.tag}>, not with <platform>")
    if root.get("version") not in _VERSIONS:
        raise UserError(f'{file} has another version than {" or ".join(_VERSIONS)}; write <platform version="4.1">')
    hosts = 0
    for element in root.iter():
        where = f"{file}: <{element.tag}{_named(element)}>"
        for name, value in element.attrib.items():
            if name in _READERS and (wrong := _READERS[name](value)):
                raise UserError(f'{where}: {name}="{value}" {wrong}')
        hosts += _hosts(element, where)
    if hosts == 0:
        raise UserError(f"{file} describes no host; SimGrid's <host> and <cluster> do")
    if hosts > _MOST_HOSTS:
        raise UserError(f"{file} describes {hosts} hosts; give {_MOST_HOSTS} or fewer")
    return text


def _named(element: ElementTree.Element) -> str:
    name = element.get("id")
    return f' id="{name}"' if name is not None else ""


def _hosts(element: ElementTree.Element, where: str) -> int:
    if element.tag == "host":
        return 1
    radical = element.get("radical")
    if element.tag not in ("cluster", "cabinet") or radical is None:
        return 0
    count = 0
    for part in radical.split(","):
        found = re.fullmatch(r"\s*(\d{1,18})\s*(?:-\s*(\d{1,18})\s*)?", part)
        if found is None or int(found[2] or found[1]) < int(found[1]):
            raise UserError(f'{where}: radical="{radical}" is no list of numbers and ranges, as 0-255')
        count += int(found[2] or found[1]) - int(found[1]) + 1
    return count


def _core(value: str) -> str:
    if re.fullmatch(r"\s*\d{1,18}\s*", value) and 1 <= int(value) <= _MOST_CORES:
        return ""
    return f"is no number of cores; give 1 to {_MOST_CORES}"


def _quantity(units: dict[str, float], least: float, most: float, example: str) -> Callable[[str], str]:
    """A reader: what is wrong with a value, in words. Values between least and most, in the unit of factor 1."""

    def wrong(value: str) -> str:
        for part in value.split(","):
            found = _NUMBER.fullmatch(part)
            if found is None:
                return f"is no number with a unit, as {example}"
            if found[2] and found[2] not in units:
                return f"has the unit {found[2]}, which SimGrid does not know; give one, as {example}"
            number = float(found[1]) * units.get(found[2], 1.0)
            if not (math.isfinite(number) and least <= number <= most):
                return f"is not what a machine has; give {least:g} to {most:g} of {_unit_of_one(units)}, as {example}"
        return ""

    return wrong


def _unit_of_one(units: dict[str, float]) -> str:
    return next(unit for unit, factor in units.items() if factor == 1.0)


_speed = _quantity(_SPEEDS, 1.0, 1e24, "1Gf")
# Simulated time has 2^63 ps, some hundred days.
_latency = _quantity(_TIMES, 0.0, 3600.0, "500ns")
_bandwidth = _quantity(_BANDWIDTHS, 1e3, 1e18, "12.5GBps")
_READERS: dict[str, Callable[[str], str]] = {
    "core": _core,
    "speed": _speed,
    **dict.fromkeys(("latency", "lat", "bb_lat", "loopback_lat"), _latency),
    **dict.fromkeys(("bandwidth", "bw", "bb_bw", "loopback_bw", "limiter_link"), _bandwidth),
}
