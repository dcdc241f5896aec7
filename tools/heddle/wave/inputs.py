"""What the demo runs, sized for a machine with two cores."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shown:
    """A simulation that is drawn at several moments. Units of times: the problem's own."""

    arguments: list[str]
    times: tuple[float, ...]


@dataclass(frozen=True)
class Input:
    bubble: Shown
    explosion: Shown
    timed: list[str]  # arguments of the runs that are timed
    timeout_s: float  # of one timed run: what takes as long does not end
    drawing_timeout_s: float  # of one run that is drawn


def _bubble(volumes: int) -> list[str]:
    words = f"--problem shock-bubble --dim 2 --ratio 3 --volumes {volumes} --base_level 1 --max_level 3"
    return f"{words} --refine_above 0.015 --coarsen_below 0.004".split()


def _explosion(max_level: int) -> list[str]:
    return f"--problem sedov --dim 2 --ratio 3 --volumes 9 --base_level 2 --max_level {max_level}".split()


FULL = Input(
    bubble=Shown(_bubble(18), (0.25, 0.6, 1.1)),
    explosion=Shown(_explosion(4), (0.01, 0.03, 0.06, 0.1)),
    timed=[*_bubble(18), "--max_steps", "100"],
    timeout_s=20,
    drawing_timeout_s=240,
)

QUICK = Input(
    bubble=Shown(_bubble(9), (0.25, 0.6, 1.1)),
    explosion=Shown(_explosion(3), (0.01, 0.03, 0.06, 0.1)),
    timed=[*_bubble(9), "--max_steps", "20"],
    timeout_s=5,
    drawing_timeout_s=60,
)
