"""The commands behind ./heddle: build, run, compare, test.

Tools talk to programs by files and command lines only. Imports stay light: a command imports what it needs when it
runs, so that './heddle run' costs a fraction of a second.
"""
