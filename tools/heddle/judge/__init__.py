"""Judges libheddle on a folder of programs: each is built once and run on every runtime that can serve it.

Words: a *program* is one source file; a *run* is one start of it on one runtime; a *verdict* sums up the runs of one
program on one runtime. A program passes a run when it ends by itself with status 0.
"""
