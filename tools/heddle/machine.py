"""The machine that something was measured on."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any


def described() -> dict[str, Any]:
    """Processors that this process may use, what they are, and the kernel."""
    return {"processors": len(os.sched_getaffinity(0)), "model": _model(), "kernel": platform.release()}


def _model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
