"""A user's mistake or a missing thing: one line that says what to change, exit status 2."""

from __future__ import annotations


class UserError(Exception):
    """Ends the command with one line on stderr and status 2."""


class CheckFailed(Exception):
    """Something ran and gave a wrong answer: one line on stderr and status 1."""
