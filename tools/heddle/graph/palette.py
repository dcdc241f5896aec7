"""Which colour a construct has, in pictures and in Graphviz files alike."""

from __future__ import annotations

from heddle.graph.analysis import Construct
from heddle.look import INK

_COLOURS = ("#2f6f9f", "#e0a030", "#6fb3a8", "#c4586a", "#8468a8", "#a3ab3d", "#8fc1e3", "#9c6b46")
_DARK = ("#2f6f9f", "#c4586a", "#8468a8", "#9c6b46")
OTHER = "#b9bdc4"


def colours(constructs: list[Construct]) -> dict[str, str]:
    """By place: those with the most work have a colour each, the rest share a grey one."""
    return {construct.place: _COLOURS[i] if i < len(_COLOURS) else OTHER for i, construct in enumerate(constructs)}


def ink_on(colour: str) -> str:
    """What can be read on it."""
    return "#ffffff" if colour in _DARK else INK
