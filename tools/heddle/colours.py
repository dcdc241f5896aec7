"""Colours in even steps of lightness as people see it (OKLab), so that order survives print and colour blindness.

Source: Björn Ottosson, "A perceptual color space for image processing", 2020.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

# Of the runtimes, by the names that --runtime takes.
RUNTIMES = {"heddle": "#14507a", "gnu": "#8db9b6", "llvm": "#dcae58"}

_LEVEL_STOPS = ("#f3eee3", "#c5dad2", "#7fb3b5", "#3b7f9b", "#1d4f7c", "#102a4c")

_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def of_levels(levels: int) -> list[str]:
    """One colour for each of levels refinement levels, from pale (coarse) to deep (fine)."""
    return evenly(_LEVEL_STOPS, max(levels, 2))[:levels]


def evenly(stops: Sequence[str], count: int) -> list[str]:
    """So many colours along the line through the stops, evenly spaced in OKLab."""
    ends = np.array([to_oklab(stop) for stop in stops])
    at = np.linspace(0, len(ends) - 1, count)
    return [from_oklab([np.interp(t, range(len(ends)), ends[:, i]) for i in range(3)]) for t in at]


def shaded(colour: str, factor: float) -> str:
    """The colour with its lightness times the factor."""
    lab = to_oklab(colour)
    lab[0] *= factor
    return from_oklab(lab)


def to_oklab(colour: str) -> np.ndarray:
    """Of #rrggbb."""
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return _TO_LAB @ np.cbrt(_TO_LMS @ linear)


def from_oklab(lab: Sequence[float]) -> str:
    """As #rrggbb; what no screen can show is cut off."""
    linear = np.linalg.solve(_TO_LMS, np.linalg.solve(_TO_LAB, np.array(lab)) ** 3).clip(0, 1)
    rgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * value):02x}" for value in rgb.clip(0, 1))
