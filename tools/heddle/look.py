"""How pictures look: what all of them share."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from heddle import whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#1b2838"
MUTED = "#667080"
PAPER = "#fbfaf7"
GRID = "#e3e0d8"

STYLE = {
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "xtick.color": MUTED,
    "ytick.color": INK,
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "svg.hashsalt": "heddle",  # the same picture gives the same file
}


def save(figure: Figure, file: Path) -> None:
    """Writes the figure in the format that the file's name asks for. Errors: as those of whole_file.put()."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format=file.suffix[1:])
    whole_file.put(file, buffer.getvalue())
