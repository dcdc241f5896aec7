"""How pictures look: what all of them share."""

from __future__ import annotations

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
