"""Entry point of 'python -m heddle'."""

from heddle.cli import main

main()
