"""Benchmark sets: the same programs on every OpenMP runtime, in turn, and how they compare.

Words: a *case* is a kernel of a set's program with its options; a *column* is a compiler's program on a runtime under
some settings, and where the kernels have several forms in one of them; a *round* runs each case once in every column.
libheddle's columns are *ours*, all others are *stock*. tasks/ and graphs/ say what a set's cases are and how their
times are compared and shown; the modules here do the rest for both.
"""
