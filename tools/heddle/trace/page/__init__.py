"""A trace as one file of HTML that any browser opens, without a server or a net."""

from heddle.trace.page.html import write

__all__ = ["write"]
